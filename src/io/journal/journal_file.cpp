#include "journal/journal_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

JournalFile::JournalFile(std::filesystem::path file, std::string kind)
    : path_(std::move(file)), kind_(std::move(kind)), file_(path_, kind_) {}

void JournalFile::write_at(std::uint64_t offset, std::string_view bytes) const {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t put =
        ::pwrite(descriptor(), bytes.data() + written, bytes.size() - written, static_cast<off_t>(offset + written));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      // If this fails, the next run cuts off the half-written record.
      cut(offset);
      cannot_write();
    }
    written += static_cast<std::size_t>(put);
  }
}

void JournalFile::cut(std::uint64_t size) const {
  if (::ftruncate(descriptor(), static_cast<off_t>(size)) != 0) cannot_write();
}

void JournalFile::flush_now_and_then() {
  {
    const std::scoped_lock guard(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_flush_) return;
    next_flush_ = now + std::chrono::seconds(1);
  }
  flush();
}

void JournalFile::flush() const {
  ::fdatasync(descriptor());
}

void JournalFile::cannot_write() const {
  throw InputError(path_.string(), 0, 0, fmt::format("the journal of the {} cannot be written", kind_),
                   "check the permissions of the folder and the space on the disk; --resume continues");
}

}  // namespace herglotz::io
