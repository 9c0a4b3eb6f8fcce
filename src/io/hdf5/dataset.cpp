#include "hdf5/dataset.hpp"

#include <algorithm>
#include <limits>

#include "hdf5/chunk.hpp"
#include "herglotz/symbolic/printable.hpp"

namespace herglotz::io {
namespace {

/// Largest ratio of deflation: a stream has at least one bit for 129 bytes (RFC 1951: a match of 258 bytes takes two
/// bits).
constexpr hsize_t kMostDeflated = 1032;
/// Size in bytes up to which a chunk may inflate without a check.
constexpr hsize_t kHarmless = hsize_t{1} << 26;
/// Upper bound for the bytes of one value, such as the reason for a failure.
constexpr hsize_t kWidestValue = hsize_t{1} << 20;

/// Returns the product, or the largest number if the product is larger.
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
  require_known_filters(properties);
  require_stored(properties, stored);
}

void Dataset::fail() const {
  throw Hdf5Failure("read " + name_);
}

/// Throws Hdf5Failure unless the data lies in this file, in chunks that are no larger than the dataset.
void Dataset::require_plain_layout(hid_t properties) {
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT) fail();
  if (H5Pget_external_count(properties) > 0) fail();
  if (layout != H5D_CHUNKED) return;
  std::vector<hsize_t> chunk(shape_.size());
  if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(chunk.size())) fail();
  for (std::size_t k = 0; k < chunk.size(); ++k)
    if (chunk[k] == 0 || chunk[k] > shape_[k]) fail();
  chunk_ = std::move(chunk);
}

/// Accepts the filters shuffle, deflate and checksums, each once, and throws Hdf5Failure for any other: other filters
/// may be loaded from anywhere, and two filters of one kind inflate twice.
void Dataset::require_known_filters(hid_t properties) {
  std::vector<H5Z_filter_t> seen;
  const int filters = H5Pget_nfilters(properties);
  if (filters < 0 || filters > 3) fail();
  for (unsigned k = 0; k < static_cast<unsigned>(filters); ++k) {
    unsigned flags = 0;
    unsigned configuration = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(properties, k, &flags, &values, nullptr, 0, nullptr, &configuration);
    const bool known = filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_FLETCHER32;
    if (!known || std::find(seen.begin(), seen.end(), filter) != seen.end()) fail();
    seen.push_back(filter);
    if (filter == H5Z_FILTER_SHUFFLE && deflate_) fail();
    if (filter == H5Z_FILTER_DEFLATE) deflate_ = k;
  }
}

void Dataset::require_chunk(const std::vector<hsize_t>& place, hsize_t size) const {
  hsize_t stored = 0;
  if (H5Dget_chunk_storage_size(dataset_, place.data(), &stored) < 0) return;  // there is no such chunk
  if (stored <= kHarmless / kMostDeflated) return;
  if (stored > 2 * size + kHarmless) fail();
  std::string stream(stored, '\0');
  std::uint32_t left_out = 0;
  check(H5Dread_chunk(dataset_, H5P_DEFAULT, place.data(), &left_out, stream.data()), "read " + name_);
  const bool deflated = (left_out >> *deflate_ & 1U) == 0;
  if (deflated && !inflates_to_at_most(stream, size)) fail();
}

void Dataset::require_chunks(const std::vector<hsize_t>& first, const std::vector<hsize_t>& count) const {
  if (chunk_.empty() || !deflate_) return;
  hsize_t size = width_;
  for (const hsize_t length : chunk_) size = product(size, length);
  std::vector<hsize_t> begin;
  for (std::size_t k = 0; k < chunk_.size(); ++k) begin.push_back(first[k] / chunk_[k] * chunk_[k]);
  std::vector<hsize_t> place = begin;
  while (place[0] < first[0] + count[0]) {
    require_chunk(place, size);
    std::size_t k = place.size() - 1;
    place[k] += chunk_[k];
    while (k > 0 && place[k] >= first[k] + count[k]) {
      place[k] = begin[k];
      --k;
      place[k] += chunk_[k];
    }
  }
}

void Dataset::read(hid_t memory_type, const std::vector<hsize_t>& first, const std::vector<hsize_t>& count,
                   void* into) const {
  require_chunks(first, count);
  const std::string tried = "read " + name_;
  const Handle space(H5Dget_space(dataset_), H5Sclose, tried);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), tried);
  hsize_t size = 1;
  for (const hsize_t length : count) size = product(size, length);
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose, tried);
  check(H5Dread(dataset_, memory_type, memory, space, H5P_DEFAULT, into), tried);
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
  read(H5T_NATIVE_DOUBLE, first, count, values.data());
  return values;
}

std::vector<double> Dataset::all_numbers() const {
  return numbers(std::vector<hsize_t>(shape_.size(), 0), shape_);
}

std::vector<std::int64_t> Dataset::all_integers() const {
  std::vector<std::int64_t> values(values_);
  if (!values.empty()) read(H5T_NATIVE_INT64, std::vector<hsize_t>(shape_.size(), 0), shape_, values.data());
  return values;
}

std::vector<std::string> Dataset::all_texts() const {
  std::string all(product(values_, width_), '\0');
  if (!all.empty()) read(type_, std::vector<hsize_t>(shape_.size(), 0), shape_, all.data());
  std::vector<std::string> texts(values_);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const std::string text = all.substr(k * width_, width_);
    texts[k] = text.substr(0, text.find('\0'));
    if (!symbolic::is_utf8(texts[k])) fail();
  }
  return texts;
}

}  // namespace herglotz::io
