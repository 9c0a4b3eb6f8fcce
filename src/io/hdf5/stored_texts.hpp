#pragma once
/// Texts of variable length in HDF5 files that may be damaged. The HDF5 library trusts the lengths stored in a file
/// when it copies texts; this function reads the global heaps itself and checks every length against the file.

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <vector>

namespace herglotz::io {

/// Returns the texts of an attribute of `count` strings of variable length, in a file that the default driver has
/// opened. Throws Hdf5Failure with `tried` if a text does not lie in the file.
std::vector<std::string> stored_texts(hid_t attribute, std::size_t count, const std::string& tried);

}  // namespace herglotz::io
