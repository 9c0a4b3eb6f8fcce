#include "journal/locked_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

LockedFile::LockedFile(std::filesystem::path file, std::string kind) : file_(std::move(file)), kind_(std::move(kind)) {
  // Another process may remove the file after it was opened here and before it was locked.
  do {
    close();
    open();
    try {
      lock();
    } catch (...) {
      close();
      throw;
    }
  } while (!in_place());
}

LockedFile::~LockedFile() {
  close();
}

void LockedFile::open() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw InputError(file_.string(), 0, 0, fmt::format("the journal of the {} cannot be written", kind_),
                     "check the permissions of the folder and the space on the disk");
}

void LockedFile::lock() const {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw InputError(file_.string(), 0, 0, fmt::format("another run is writing this {}", kind_),
                   "wait for it, or give another --out");
}

bool LockedFile::in_place() const {
  struct stat opened{};
  struct stat named{};
  return ::fstat(descriptor_, &opened) == 0 && ::stat(file_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

void LockedFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

std::uint64_t LockedFile::size() const {
  struct stat state{};
  return ::fstat(descriptor_, &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
}

void LockedFile::remove() const {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

}  // namespace herglotz::io
