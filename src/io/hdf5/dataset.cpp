#include "hdf5/dataset.hpp"

#include <limits>

namespace herglotz::io {
namespace {

/// A deflated stream has at least one bit for 129 bytes (RFC 1951: a match of 258 bytes takes two bits).
constexpr hsize_t kMostDeflated = 1032;
/// Bytes of the longest reason for a failure, and more.
constexpr hsize_t kWidestValue = hsize_t{1} << 20;

/// The product, or the largest number if it is larger.
hsize_t product(hsize_t a, hsize_t b) {
  constexpr hsize_t largest = std::numeric_limits<hsize_t>::max();
  return b != 0 && a > largest / b ? largest : a * b;
}

hsize_t size_of_file(hid_t dataset, const std::string& tried) {
  const Handle file(H5Iget_file_id(dataset), H5Fclose, tried);
  hsize_t size = 0;
  check(H5Fget_filesize(file, &size), tried);
  return size;
}

hid_t open_own(hid_t parent, const std::string& name) {
  require_own(parent, name);
  return H5Dopen2(parent, name.c_str(), H5P_DEFAULT);
}

}  // namespace

Dataset::Dataset(hid_t parent, const std::string& name, H5T_class_t values, Stored stored)
    : name_(name),
      dataset_(open_own(parent, name), H5Dclose, "find " + name),
      space_(H5Dget_space(dataset_), H5Sclose, "read " + name),
      type_(H5Dget_type(dataset_), H5Tclose, "read " + name) {
  const int dimensions = H5Sget_simple_extent_ndims(space_);
  if (dimensions < 1 || dimensions > 2) fail();
  shape_.resize(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space_, shape_.data(), nullptr);
  for (const hsize_t length : shape_) values_ = product(values_, length);
  width_ = H5Tget_size(type_);
  if (H5Tget_class(type_) != values || H5Tis_variable_str(type_) > 0 || width_ == 0 || width_ > kWidestValue) fail();
  const Handle properties(H5Dget_create_plist(dataset_), H5Pclose, "read " + name);
  require_plain_layout(properties);
  require_stored(properties, stored);
}

void Dataset::fail() const {
  throw Hdf5Failure("read " + name_);
}

/// The data lies in this file, in chunks that are no larger than the dataset.
void Dataset::require_plain_layout(hid_t properties) const {
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT) fail();
  if (H5Pget_external_count(properties) > 0) fail();
  if (layout != H5D_CHUNKED) return;
  std::vector<hsize_t> chunk(shape_.size());
  if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(chunk.size())) fail();
  for (std::size_t k = 0; k < chunk.size(); ++k)
    if (chunk[k] == 0 || chunk[k] > shape_[k]) fail();
}

void Dataset::require_stored(hid_t properties, Stored stored) const {
  const hsize_t needed = product(values_, width_);
  if (needed == 0) return;
  const hsize_t file = size_of_file(dataset_, "read " + name_);
  const hsize_t held = H5Dget_storage_size(dataset_);
  const bool chunked = H5Pget_layout(properties) == H5D_CHUNKED;
  if (held > file || (!chunked && held < needed)) fail();
  if (H5Pget_layout(properties) == H5D_CONTIGUOUS) {
    const haddr_t place = H5Dget_offset(dataset_);
    if (place == HADDR_UNDEF || place > file || needed > file - place) fail();
  }
  if (chunked && stored == Stored::all && needed > product(held, kMostDeflated)) fail();
}

std::vector<double> Dataset::numbers(const std::vector<hsize_t>& first, const std::vector<hsize_t>& count) const {
  hsize_t size = 1;
  for (std::size_t k = 0; k < shape_.size(); ++k) {
    if (first[k] > shape_[k] || count[k] > shape_[k] - first[k]) fail();
    size = product(size, count[k]);
  }
  std::vector<double> values(size);
  if (values.empty()) return values;
  const std::string tried = "read " + name_;
  const Handle space(H5Dget_space(dataset_), H5Sclose, tried);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), tried);
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose, tried);
  check(H5Dread(dataset_, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), tried);
  return values;
}

std::vector<double> Dataset::all_numbers() const {
  return numbers(std::vector<hsize_t>(shape_.size(), 0), shape_);
}

std::vector<std::int64_t> Dataset::all_integers() const {
  std::vector<std::int64_t> values(values_);
  if (!values.empty())
    check(H5Dread(dataset_, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read " + name_);
  return values;
}

std::vector<std::string> Dataset::all_texts() const {
  std::string all(product(values_, width_), '\0');
  if (!all.empty()) check(H5Dread(dataset_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "read " + name_);
  std::vector<std::string> texts(values_);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const std::string text = all.substr(k * width_, width_);
    texts[k] = text.substr(0, text.find('\0'));
  }
  return texts;
}

}  // namespace herglotz::io
