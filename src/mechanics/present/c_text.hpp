#pragma once
/// Equations as a function in C.

#include <string>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// Returns the program of the presentation in C99. A comment at its head names each output.
std::string c_text(const Presentation& presentation);

}  // namespace herglotz::mechanics
