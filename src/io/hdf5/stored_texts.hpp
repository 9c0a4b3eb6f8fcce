#pragma once
/// Texts of variable length in HDF5 files that may be damaged. The library trusts the lengths that it finds there, and
/// copies by them; these functions read its global heaps themselves and check every length against the file.

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <vector>

namespace herglotz::io {

/// The texts of an attribute of `count` strings of variable length, in a file that the default driver has opened.
/// Throws Hdf5Failure with `tried` if a text does not lie in the file.
std::vector<std::string> stored_texts(hid_t attribute, std::size_t count, const std::string& tried);

}  // namespace herglotz::io
