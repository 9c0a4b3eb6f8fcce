#pragma once
/// Builder that appends operations to a tape, each distinct operation once.

#include <cstdint>
#include <optional>
#include <unordered_map>
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
  struct Hash {
    std::size_t operator()(const Operation& operation) const;
  };
  struct Same {
    bool operator()(const Operation& a, const Operation& b) const;
  };

  Index append(const Operation& operation);

  Tape& tape_;
  std::vector<bool> varies_;
  std::unordered_map<Operation, Index, Hash, Same> known_;
};

}  // namespace herglotz::compile
