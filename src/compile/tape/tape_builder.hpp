#pragma once
/// Builder that appends operations to a tape, each distinct operation once.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tape/tape.hpp"

namespace herglotz::compile {

using Index = std::uint32_t;

class TapeBuilder {
 public:
  explicit TapeBuilder(Tape& tape) : tape_(tape) {}

  Index constant(double value);
  Index emit(Code code, Index a = 0, Index b = 0, Index c = 0, Index d = 0);
  /// Returns a^n for n > 0 by repeated squaring.
  Index power(Index a, std::int64_t n);
  /// Returns false if the operation depends on parameters and constants alone.
  [[nodiscard]] bool varies(Index a) const { return varies_[a]; }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    Index number = 0;
  };

  Index append(const Operation& operation);
  /// Returns the slot of an operation with this hash, or the free one where it belongs.
  [[nodiscard]] std::size_t slot_of(const Operation& operation, std::uint32_t hash) const;
  void grow();

  Tape& tape_;
  std::vector<bool> varies_;
  /// Hash table with open addressing of the operations by their number plus 1; 0 marks a free slot. Large systems have
  /// millions of operations, for which a table that allocates each entry takes most of the time of lowering. Parts of
  /// the hashes beside the numbers tell most operations apart without a look at them.
  std::vector<Slot> slots_;
};

}  // namespace herglotz::compile
