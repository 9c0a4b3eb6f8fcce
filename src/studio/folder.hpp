#pragma once
/// Folder for the files of a computation.

#include <filesystem>

namespace herglotz::studio {

/// A new folder that only this user reads. It is removed, with what it holds, when this object goes.
class Folder {
 public:
  /// Throws Failed if the system has no place for it.
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace herglotz::studio
