#include "replacement.hpp"

#include <unistd.h>

#include <atomic>
#include <string>
#include <utility>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

Replacement::Replacement(std::filesystem::path file) : file_(std::move(file)) {
  static std::atomic<unsigned> serial{0};
  std::error_code ignored;
  if (std::filesystem::is_directory(file_, ignored)) {
    throw InputError(file_.string(), 0, 0, "this is a folder", "name a file in it");
  }
  const auto folder = file_.has_parent_path() ? file_.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw InputError(file_.string(), 0, 0, "there is no folder '" + folder.string() + "'", "create it first");
  }
  temporary_ = file_;
  temporary_ += ".part" + std::to_string(::getpid()) + "-" + std::to_string(serial++);
}

Replacement::~Replacement() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void Replacement::commit() {
  std::error_code problem;
  std::filesystem::rename(temporary_, file_, problem);
  if (problem) cannot_write();
  committed_ = true;
}

void Replacement::cannot_write() const {
  throw InputError(file_.string(), 0, 0, "the file cannot be written",
                   "check the permissions of the folder and the space on the disk");
}

}  // namespace herglotz::io
