#pragma once
/// The journal of a sweep: finished blocks, appended as checked records, so that a killed run loses only what it was
/// at.

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
  /// Begins a journal, or with `resume` goes on with the one that is there; what a killed run left half-written at its
  /// end is cut off. Throws InputError where there is a journal that is not to be resumed, where it is of another
  /// sweep (naming what differs), in use, no journal, or cannot be written.
  SweepJournal(std::filesystem::path file, const SweepIdentity& identity, std::size_t blocks, bool resume);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  [[nodiscard]] bool has(std::size_t block) const;
  /// Blocks that are there.
  [[nodiscard]] std::size_t count() const;
  /// From any thread. Throws InputError where the disk is full; the journal stays valid.
  void append(std::size_t block, std::string_view payload);
  /// A block that is there. Throws InputError if it is damaged.
  [[nodiscard]] StoredBlock block(std::size_t index) const;
  /// Throws the InputError of a journal that is damaged.
  [[noreturn]] void damaged() const;
  /// To the disk.
  void flush();
  void remove();

 private:
  struct Place {
    std::uint64_t offset = 0;  ///< of the record; 0: none
    std::uint64_t size = 0;    ///< of its payload
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
