#pragma once
/// Parts of a sweep that separate processes run, on one machine or many, and the file that they make together.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/sweep_outline.hpp"

namespace herglotz::io {

/// Part `index` of `count` of a sweep: every block whose number leaves the remainder `index`.
struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;

  [[nodiscard]] bool owns(std::size_t block) const { return block % count == index; }
  /// Returns how many of the first `blocks` blocks belong to the shard.
  [[nodiscard]] std::size_t blocks_of(std::size_t blocks) const { return (blocks + count - 1 - index) / count; }
};

/// Returns the shard that a text such as "3/64" names. Throws Refused.
Shard shard_of(const std::string& text);
/// Returns the path of the shard's journal beside `file`: FILE.3-of-64.journal.
std::filesystem::path journal_of(const std::filesystem::path& file, const Shard& shard);

/// Writer of the blocks of one shard, which begins its journal or continues it.
class ShardWriter {
 public:
  /// Throws InputError if the journal is of another sweep, in use, not a journal, or cannot be written.
  ShardWriter(const ensemble::Plan& plan, const ensemble::Layout& layout, const std::filesystem::path& file,
              const Shard& shard);
  ~ShardWriter();
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;

  /// Returns whether the block belongs to the shard and is still missing.
  [[nodiscard]] bool wants(std::size_t block) const;
  /// Returns the number of blocks that are there.
  [[nodiscard]] std::size_t done() const;
  /// Compresses the block in the calling thread and stores it; any thread may call this. Throws InputError if the disk
  /// is full, and then keeps the blocks that are there.
  void add(const ensemble::Block& block);
  /// Writes the journal to the disk.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct ShardState {
  bool begun = false;
  std::size_t done = 0;    ///< blocks in its journal
  std::size_t blocks = 0;  ///< blocks that belong to it
};

/// Returns the states of all shards of the sweep beside `file`; journals may be in use. Throws InputError if one is
/// damaged or of another sweep.
std::vector<ShardState> shard_states(const ensemble::Plan& plan, const ensemble::Layout& layout,
                                     const std::filesystem::path& file, std::size_t count);

/// Error of a merge to which shards lack blocks; the sentence names the shards.
class IncompleteShards : public Failed {
 public:
  using Failed::Failed;
};

struct Merged {
  SweepOutline outline;
  SweepSummary summary;
};

/// Makes the file from the journals of its shards: byte for byte the file that one process makes. The journals are
/// removed once the complete file is whole. If `partial` is set, missing members hold NaN and the journals stay.
/// Throws IncompleteShards if blocks are missing, and InputError if there are no journals, if they are of different
/// sweeps or divisions, damaged, or written by another version, or if a sweep without shards uses the same name.
Merged merge_shards(const std::filesystem::path& file, bool partial = false);

/// Returns whether `file` is a complete ensemble, and the journals of shards beside it, if any, are of the same sweep.
bool is_merged(const std::filesystem::path& file);
/// Removes the journals of shards beside a complete file, which a merge that was killed left.
void remove_merged_journals(const std::filesystem::path& file);

}  // namespace herglotz::io
