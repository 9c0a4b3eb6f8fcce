#pragma once
/// Form in which a journal stores the outline of its sweep.

#include <string>
#include <string_view>

#include "herglotz/io/sweep_outline.hpp"

namespace herglotz::io {

std::string encoded_outline(const SweepOutline& outline);
/// Decodes an outline. Throws OutOfRange if the bytes are not an encoded outline.
SweepOutline decoded_outline(std::string_view bytes);

}  // namespace herglotz::io
