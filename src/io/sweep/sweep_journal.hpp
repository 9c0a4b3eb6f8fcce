#pragma once
/// Journal of a sweep: finished blocks, appended as records with checksums, so that a killed run loses only its
/// unfinished blocks.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/sweep_block.hpp"

namespace herglotz::io {

/// Everything that determines the results, as names and texts.
using SweepIdentity = std::vector<std::pair<std::string, std::string>>;

class SweepJournal {
 public:
  /// Begins a journal, or continues an existing one if `resume` is true; a half-written record that a killed run left
  /// at its end is cut off. Throws InputError if a journal exists and `resume` is false, or if the file belongs to
  /// another sweep (the message names the differences), is in use, is not a journal, or cannot be written.
  SweepJournal(std::filesystem::path file, const SweepIdentity& identity, std::size_t blocks, bool resume);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  [[nodiscard]] bool has(std::size_t block) const;
  /// Returns the number of blocks in the journal.
  [[nodiscard]] std::size_t count() const;
  /// Appends a block; any thread may call this. Throws InputError if the disk is full; the journal stays valid.
  void append(std::size_t block, std::string_view payload);
  /// Returns a block of the journal. Throws InputError if the block is damaged.
  [[nodiscard]] StoredBlock block(std::size_t index) const;
  /// Throws the InputError for a damaged journal.
  [[noreturn]] void damaged() const;
  /// Writes the journal to the disk.
  void flush();
  void remove();

 private:
  struct Place {
    std::uint64_t offset = 0;  ///< offset of the record; 0 if there is none
    std::uint64_t size = 0;    ///< size of its payload
  };

  void lock() const;
  void begin(const SweepIdentity& identity);
  void resume(const SweepIdentity& identity);
  void compare(const SweepIdentity& stored, const SweepIdentity& identity) const;
  void scan();
  void write_at_end(const std::string& bytes);
  void flush_now_and_then();
  [[noreturn]] void cannot_write() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
  mutable std::mutex mutex_;
  std::uint64_t end_ = 0;
  std::vector<Place> places_;
  std::size_t count_ = 0;
  std::chrono::steady_clock::time_point next_flush_;
};

}  // namespace herglotz::io
