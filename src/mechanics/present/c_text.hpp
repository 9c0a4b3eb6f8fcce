#pragma once
/// Equations as a function in C.

#include <string>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// The program of the presentation in C99, headed by a comment that says what each output is.
std::string c_text(const Presentation& presentation);

}  // namespace herglotz::mechanics
