#pragma once
/// File that appears whole or not at all: it is written beside its place, then renamed.

#include <filesystem>

namespace herglotz::io {

class Replacement {
 public:
  /// Throws InputError if the folder is missing or `file` is a folder.
  explicit Replacement(std::filesystem::path file);
  /// Removes the temporary file unless it was committed.
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  void commit();
  /// Throws InputError saying that the place cannot be written.
  [[noreturn]] void cannot_write() const;

 private:
  std::filesystem::path file_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

}  // namespace herglotz::io
