#pragma once
/// Journals of shards that lie beside the file of a sweep, as they are read without writing to them.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "herglotz/io/sweep_shards.hpp"
#include "sweep/block_source.hpp"
#include "sweep/journal_records.hpp"

namespace herglotz::io {

/// Journal that is open to be read; another process may append to it meanwhile.
class ReadJournal {
 public:
  /// Throws InputError if the file is not a journal, or damaged.
  ReadJournal(std::filesystem::path path, const Shard& shard);
  ~ReadJournal();
  ReadJournal(const ReadJournal&) = delete;
  ReadJournal& operator=(const ReadJournal&) = delete;

  /// Returns whether its header is there; without a header it has no block.
  [[nodiscard]] bool begun() const { return header_.has_value(); }
  [[nodiscard]] const JournalHeader& header() const { return header_->header; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] bool has(std::size_t block) const { return places_ && places_->has(block); }
  [[nodiscard]] std::size_t count() const { return places_ ? places_->count() : 0; }
  [[nodiscard]] StoredBlock block(std::size_t index) const;

 private:
  void require_own_blocks(const Shard& shard) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::optional<StoredHeader> header_;
  std::optional<BlockPlaces> places_;
};

/// Returns the shards whose journals lie beside `file`, ordered by count and index.
std::vector<Shard> shards_beside(const std::filesystem::path& file);

/// Journals of all shards of one sweep.
class ShardJournals : public BlockSource {
 public:
  /// Opens the journals beside `file`. Throws InputError if they are of different sweeps or divisions, or damaged.
  ShardJournals(const std::filesystem::path& file, std::size_t count);

  /// Returns the header that the journals share, or nullptr if none has begun.
  [[nodiscard]] const JournalHeader* header() const;
  [[nodiscard]] bool has(std::size_t block) const override;
  [[nodiscard]] StoredBlock block(std::size_t index) const override;
  [[noreturn]] void damaged(std::size_t block) const override;
  /// Returns the state of a shard, given how many blocks the sweep has.
  [[nodiscard]] ShardState state(std::size_t shard, std::size_t blocks) const;
  /// Removes the journals.
  void remove() const;

 private:
  std::vector<std::unique_ptr<ReadJournal>> journals_;  ///< nullptr for a shard that has none
};

}  // namespace herglotz::io
