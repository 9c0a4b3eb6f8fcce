#pragma once
/// Lists of numbers in HDF5 files of any origin.

#include <filesystem>
#include <string>
#include <vector>

#include "hdf5/hdf5_object.hpp"

namespace herglotz::io {

/// Returns whether a name has an ending of HDF5 files: .h5, .hdf5 or .nc.
bool is_hdf5_name(const std::filesystem::path& file);

/// Returns the numbers of a dataset, integers too, that is named by its path in the file, such as "drive/u". Throws
/// Hdf5Failure if the file has no such dataset of one dimension, or of two one of which is 1, and for links into other
/// files.
std::vector<double> read_numbers(const std::filesystem::path& file, const std::string& dataset);

}  // namespace herglotz::io
