#pragma once
/// Files that a text may read.

#include <string>

namespace herglotz::studio {

/// Throws Refused if a text reads a file that the model `file`, as it is saved, does not read: a text that came by a
/// link opens no file of the user.
void require_own_files(const std::string& text, const std::string& file);

}  // namespace herglotz::studio
