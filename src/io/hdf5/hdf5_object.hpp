#pragma once
/// Owned HDF5 handles, and attributes by type. Every failure throws Hdf5Failure with the attempted operation.

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace herglotz::io {

class Hdf5Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Identifier that is closed by the function given to its constructor.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Hdf5Failure if the call that made the identifier failed.
  Handle(hid_t id, Close close, std::string_view tried);
  ~Handle();
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  // NOLINTNEXTLINE(google-explicit-constructor): a handle stands for its identifier in the C interface.
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Throws Hdf5Failure if the status reports a failure.
void check(herr_t status, std::string_view tried);

/// Opens a file to read it. Closing the handle closes every object that the library has left open in a damaged file.
Handle open_to_read(const std::filesystem::path& file);

/// Returns the properties of links whose names are UTF-8.
Handle utf8_names();

/// Throws Hdf5Failure unless the name belongs to an object in the same file: links may lead into other files.
void require_own(hid_t parent, const std::string& name);

/// Guard that keeps the HDF5 library from printing its error stack while the guard lives.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

void write_attribute(hid_t object, const char* name, const std::string& value);
void write_attribute(hid_t object, const char* name, double value);
void write_attribute(hid_t object, const char* name, std::int64_t value);
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& values);
void write_attribute(hid_t object, const char* name, const std::vector<double>& values);
void write_attribute(hid_t object, const char* name, const std::vector<std::int64_t>& values);

/// The readers below throw Hdf5Failure if the attribute is missing or has another type.
std::string read_string(hid_t object, const char* name);
double read_double(hid_t object, const char* name);
std::int64_t read_integer(hid_t object, const char* name);
std::vector<std::string> read_strings(hid_t object, const char* name);
std::vector<double> read_doubles(hid_t object, const char* name);
std::vector<std::int64_t> read_integers(hid_t object, const char* name);

using NamedNumbers = std::vector<std::pair<std::string, double>>;
/// Writes names and values as the attributes <what>_names and <what>_values.
void write_named(hid_t object, const std::string& what, const NamedNumbers& pairs);
/// Reads what write_named wrote, with the errors of the readers above.
NamedNumbers read_named(hid_t object, const std::string& what);

}  // namespace herglotz::io
