#pragma once
/// Journal of a sweep: finished blocks, appended as records with checksums, so that a killed run loses only its
/// unfinished blocks.

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "journal/journal_file.hpp"
#include "sweep/block_source.hpp"
#include "sweep/journal_records.hpp"

namespace herglotz::io {

/// Treatment of a journal that is there when a run begins.
enum class Earlier { refuse, resume };

class SweepJournal : public BlockSource {
 public:
  /// Begins a journal, or continues an existing one if `earlier` says so; a half-written record that a killed run left
  /// at its end is cut off. Throws InputError if a journal is there that must be refused, or if the file belongs to
  /// another sweep (the message names the differences), is in use, is not a journal, or cannot be written.
  SweepJournal(std::filesystem::path file, const JournalHeader& header, Earlier earlier);

  [[nodiscard]] bool has(std::size_t block) const override;
  /// Returns the number of blocks in the journal.
  [[nodiscard]] std::size_t count() const;
  /// Appends a block; any thread may call this. Throws InputError if the disk is full; the journal stays valid.
  void append(std::size_t block, std::string_view payload);
  [[nodiscard]] StoredBlock block(std::size_t index) const override;
  [[noreturn]] void damaged(std::size_t block) const override;
  /// Writes the journal to the disk.
  void flush();
  void remove();

 private:
  void resume(const JournalHeader& header);
  void begin(const JournalHeader& header);

  JournalFile file_;
  mutable std::mutex mutex_;
  std::optional<BlockPlaces> places_;
};

}  // namespace herglotz::io
