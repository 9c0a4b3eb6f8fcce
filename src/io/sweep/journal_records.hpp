#pragma once
/// What the records of a sweep's journal are: a header, then blocks of members in any order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/io/record_journal.hpp"
#include "herglotz/io/sweep_outline.hpp"
#include "journal/records.hpp"
#include "sweep/sweep_block.hpp"

namespace herglotz::io {

/// Everything that determines the results, as names and texts.
using SweepIdentity = Identity;

/// First record of a journal.
struct JournalHeader {
  SweepIdentity identity;
  SweepOutline outline;
};

/// Returns the bytes with which a journal begins.
std::string encoded_header(const JournalHeader& header);

/// Header of an open journal, and the offset of what follows it.
struct StoredHeader {
  JournalHeader header;
  std::uint64_t end = 0;
};

/// Reads the header of an open file; `header` is set if it is whole.
Beginning read_header(int descriptor, std::optional<StoredHeader>& header);

/// Places of the blocks in an open journal.
class BlockPlaces {
 public:
  /// Finds the blocks with numbers below `blocks` from `begin` on, up to the first record that is torn or damaged.
  BlockPlaces(int descriptor, std::uint64_t begin, std::size_t blocks);

  [[nodiscard]] bool has(std::size_t block) const { return places_.at(block).offset != 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Returns the offset after the last whole record.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Notes that the record of a block with this payload was written at the end.
  void append(std::size_t block, std::size_t payload_size);
  /// Reads a block. Returns `std::nullopt` if it is missing or damaged.
  [[nodiscard]] std::optional<StoredBlock> read(int descriptor, std::size_t block) const;

 private:
  struct Place {
    std::uint64_t offset = 0;  ///< offset of the record; 0 if there is none
    std::uint64_t size = 0;    ///< size of its payload
  };

  std::vector<Place> places_;
  std::size_t count_ = 0;
  std::uint64_t end_;
};

}  // namespace herglotz::io
