#include "hdf5/hdf5_object.hpp"

#include "hdf5/stored_texts.hpp"

namespace herglotz::io {
namespace {

/// Attributes of model files are short lists; a longer one is a damaged file.
constexpr hssize_t kLongestList = 1'000'000;

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a string type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a string type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a string type");
  return type;
}

Handle scalar_space() {
  return {H5Screate(H5S_SCALAR), H5Sclose, "make a scalar"};
}

Handle list_space(std::size_t size) {
  const hsize_t length = size;
  return {H5Screate_simple(1, &length, nullptr), H5Sclose, "make a list"};
}

void write(hid_t object, const char* name, hid_t file_type, hid_t memory_type, hid_t space, const void* data) {
  const Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  if (data != nullptr) check(H5Awrite(attribute, memory_type, data), name);
}

struct Opened {
  Handle attribute;
  Handle space;
  std::size_t count;
};

Opened open(hid_t object, const char* name, H5T_class_t expected) {
  Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("find the attribute ") + name);
  Handle space(H5Aget_space(attribute), H5Sclose, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, name);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const bool fixed_string = expected == H5T_STRING && H5Tis_variable_str(type) <= 0;
  if (H5Tget_class(type) != expected || fixed_string || count < 0 || count > kLongestList) {
    throw Hdf5Failure(std::string("read the attribute ") + name);
  }
  return {std::move(attribute), std::move(space), static_cast<std::size_t>(count)};
}

void require_scalar(std::size_t count, const char* name) {
  if (count != 1) throw Hdf5Failure(std::string("read the attribute ") + name);
}

}  // namespace

Handle::Handle(hid_t id, Close close, std::string_view tried) : id_(id), close_(close) {
  if (id < 0) throw Hdf5Failure(std::string(tried));
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void check(herr_t status, std::string_view tried) {
  if (status < 0) throw Hdf5Failure(std::string(tried));
}

Handle open_to_read(const std::filesystem::path& file) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open it as HDF5");
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "open it as HDF5");
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open it as HDF5"};
}

Handle utf8_names() {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "name an object");
  check(H5Pset_char_encoding(properties, H5T_CSET_UTF8), "name an object");
  return properties;
}

void require_own(hid_t parent, const std::string& name) {
  H5L_info_t link;
  if (H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    throw Hdf5Failure("find " + name);
}

QuietHdf5::QuietHdf5() {
  H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
  H5Eset_auto2(H5E_DEFAULT, report_, data_);
}

void write_attribute(hid_t object, const char* name, const std::string& value) {
  const Handle type = string_type();
  const char* data = value.c_str();
  write(object, name, type, type, scalar_space(), static_cast<const void*>(&data));
}

void write_attribute(hid_t object, const char* name, double value) {
  write(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar_space(), &value);
}

void write_attribute(hid_t object, const char* name, std::int64_t value) {
  write(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, scalar_space(), &value);
}

void write_attribute(hid_t object, const char* name, const std::vector<std::string>& values) {
  const Handle type = string_type();
  std::vector<const char*> data;
  for (const std::string& value : values) data.push_back(value.c_str());
  write(object, name, type, type, list_space(data.size()), data.empty() ? nullptr : data.data());
}

void write_attribute(hid_t object, const char* name, const std::vector<double>& values) {
  write(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, list_space(values.size()),
        values.empty() ? nullptr : values.data());
}

void write_attribute(hid_t object, const char* name, const std::vector<std::int64_t>& values) {
  write(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, list_space(values.size()),
        values.empty() ? nullptr : values.data());
}

std::vector<std::string> read_strings(hid_t object, const char* name) {
  const Opened opened = open(object, name, H5T_STRING);
  return stored_texts(opened.attribute, opened.count, std::string("read the attribute ") + name);
}

std::string read_string(hid_t object, const char* name) {
  std::vector<std::string> values = read_strings(object, name);
  require_scalar(values.size(), name);
  return std::move(values.front());
}

std::vector<double> read_doubles(hid_t object, const char* name) {
  const Opened opened = open(object, name, H5T_FLOAT);
  std::vector<double> values(opened.count);
  if (!values.empty()) check(H5Aread(opened.attribute, H5T_NATIVE_DOUBLE, values.data()), name);
  return values;
}

double read_double(hid_t object, const char* name) {
  const std::vector<double> values = read_doubles(object, name);
  require_scalar(values.size(), name);
  return values.front();
}

std::vector<std::int64_t> read_integers(hid_t object, const char* name) {
  const Opened opened = open(object, name, H5T_INTEGER);
  std::vector<std::int64_t> values(opened.count);
  if (!values.empty()) check(H5Aread(opened.attribute, H5T_NATIVE_INT64, values.data()), name);
  return values;
}

std::int64_t read_integer(hid_t object, const char* name) {
  const std::vector<std::int64_t> values = read_integers(object, name);
  require_scalar(values.size(), name);
  return values.front();
}

void write_named(hid_t object, const std::string& what, const NamedNumbers& pairs) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : pairs) {
    names.push_back(name);
    values.push_back(value);
  }
  write_attribute(object, (what + "_names").c_str(), names);
  write_attribute(object, (what + "_values").c_str(), values);
}

NamedNumbers read_named(hid_t object, const std::string& what) {
  const auto names = read_strings(object, (what + "_names").c_str());
  const auto values = read_doubles(object, (what + "_values").c_str());
  if (names.size() != values.size()) throw Hdf5Failure("match names and values of " + what);
  NamedNumbers pairs;
  for (std::size_t i = 0; i < names.size(); ++i) pairs.emplace_back(names[i], values[i]);
  return pairs;
}

}  // namespace herglotz::io
