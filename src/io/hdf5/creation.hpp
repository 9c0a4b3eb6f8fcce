#pragma once
/// Files, groups and datasets without the times at which they were made, so that equal runs give equal bytes.

#include <hdf5.h>

#include <string>

#include "hdf5/hdf5_object.hpp"

namespace herglotz::io {

/// Returns properties of new objects of this class, such as H5P_DATASET_CREATE, that keep no times of day.
Handle timeless(hid_t property_class);

/// Creates a file in a format whose attributes may be long lists and whose links keep the order of the columns.
Handle create_file(const std::string& path);

/// Creates a group that keeps the order of what is put into it.
Handle create_group(hid_t parent, const std::string& name);

/// Creates a dataset. `properties` come from timeless().
Handle create_dataset(hid_t group, const std::string& name, hid_t type, hid_t space, hid_t properties);
/// Creates a dataset whose values lie side by side.
Handle create_dataset(hid_t group, const std::string& name, hid_t type, hid_t space);

}  // namespace herglotz::io
