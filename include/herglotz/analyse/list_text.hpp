#pragma once
/// Lists in one line of text.

#include <span>
#include <string>

namespace herglotz::analyse {

/// Returns the parts with commas between them. Of more than 40 parts it returns the first eight and the last two, with
/// the number of the others between them.
std::string list_text(std::span<const std::string> parts);

}  // namespace herglotz::analyse
