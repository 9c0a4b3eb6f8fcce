#include "hdf5/creation.hpp"

namespace herglotz::io {

Handle timeless(hid_t property_class) {
  Handle properties(H5Pcreate(property_class), H5Pclose, "create the file");
  check(H5Pset_obj_track_times(properties, 0), "create the file");
  return properties;
}

Handle create_file(const std::string& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create the file");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), "create the file");
  const Handle creation = timeless(H5P_FILE_CREATE);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "create the file"};
}

Handle create_group(hid_t parent, const std::string& name) {
  const Handle properties = timeless(H5P_GROUP_CREATE);
  check(H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "create a group");
  return {H5Gcreate2(parent, name.c_str(), utf8_names(), properties, H5P_DEFAULT), H5Gclose, "create a group"};
}

Handle create_dataset(hid_t group, const std::string& name, hid_t type, hid_t space, hid_t properties) {
  return {H5Dcreate2(group, name.c_str(), type, space, utf8_names(), properties, H5P_DEFAULT), H5Dclose,
          "create a dataset"};
}

Handle create_dataset(hid_t group, const std::string& name, hid_t type, hid_t space) {
  return create_dataset(group, name, type, space, timeless(H5P_DATASET_CREATE));
}

}  // namespace herglotz::io
