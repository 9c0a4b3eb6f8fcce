#pragma once
/// File of a journal, which one process at a time writes.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "journal/locked_file.hpp"

namespace herglotz::io {

class JournalFile {
 public:
  /// Opens the file and locks it. `kind` is what messages call the work, such as "sweep". Throws InputError as
  /// LockedFile does.
  JournalFile(std::filesystem::path file, std::string kind);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return file_.descriptor(); }
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }
  /// Writes bytes at an offset. Throws InputError if the disk is full; what was written of them is cut off then.
  void write_at(std::uint64_t offset, std::string_view bytes) const;
  /// Cuts the file off.
  void cut(std::uint64_t size) const;
  /// Writes the file to the disk.
  void flush() const;
  /// Writes it about once a second; any thread may call this. Only a crash of the machine, not of the program, loses
  /// that last second; only one thread waits for the disk.
  void flush_now_and_then();
  void remove() const { file_.remove(); }

 private:
  [[noreturn]] void cannot_write() const;

  std::filesystem::path path_;
  std::string kind_;
  LockedFile file_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_flush_ = std::chrono::steady_clock::now();
};

}  // namespace herglotz::io
