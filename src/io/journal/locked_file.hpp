#pragma once
/// A file that one process at a time may write.

#include <cstdint>
#include <filesystem>
#include <string>

namespace herglotz::io {

/// Owner of an open file and of the lock on it; both end with the object, and with the process however it ends.
class LockedFile {
 public:
  /// Opens the file, or creates an empty one, and locks it. Throws InputError, which calls the work by its `kind`, such
  /// as "sweep", if another process holds the lock or if the file cannot be opened to be written.
  LockedFile(std::filesystem::path file, std::string kind);
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint64_t size() const;
  /// Removes the file; the lock holds until the object ends.
  void remove() const;

 private:
  void open();
  void lock() const;
  /// Returns whether the path still leads to the file that is open.
  [[nodiscard]] bool in_place() const;
  void close();

  std::filesystem::path file_;
  std::string kind_;
  int descriptor_ = -1;
};

}  // namespace herglotz::io
