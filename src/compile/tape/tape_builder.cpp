#include "tape/tape_builder.hpp"

#include <bit>

namespace herglotz::compile {

namespace {

std::size_t hash_of(const Operation& operation) {
  auto hash = std::bit_cast<std::uint64_t>(operation.value) + static_cast<std::uint64_t>(operation.code);
  for (const auto operand : operation.operands) {
    hash = (hash ^ operand) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

bool same(const Operation& a, const Operation& b) {
  // Bits are compared, since 0 and -0 are different constants.
  return a.code == b.code && a.operands == b.operands &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

}  // namespace

std::size_t TapeBuilder::slot_of(const Operation& operation) const {
  const std::size_t last = slots_.size() - 1;  // the number of slots is a power of two
  std::size_t slot = hash_of(operation) & last;
  while (slots_[slot] != 0 && !same(tape_.operations[slots_[slot] - 1], operation)) slot = (slot + 1) & last;
  return slot;
}

void TapeBuilder::grow() {
  constexpr std::size_t fewest = 64;
  slots_.assign(slots_.empty() ? fewest : 2 * slots_.size(), 0);
  for (std::size_t k = 0; k < tape_.operations.size(); ++k)
    slots_[slot_of(tape_.operations[k])] = static_cast<Index>(k + 1);
}

Index TapeBuilder::append(const Operation& operation) {
  if (2 * (tape_.operations.size() + 1) > slots_.size()) grow();
  Index& slot = slots_[slot_of(operation)];
  if (slot == 0) {
    bool varies = operation.code == Code::variable;
    for (int k = 0; k < arity(operation.code); ++k)
      varies = varies || varies_[operation.operands[static_cast<std::size_t>(k)]];
    tape_.operations.push_back(operation);
    varies_.push_back(varies);
    slot = static_cast<Index>(tape_.operations.size());
  }
  return slot - 1;
}

Index TapeBuilder::constant(double value) {
  return append({Code::constant, {}, value});
}

Index TapeBuilder::emit(Code code, Index a, Index b, Index c, Index d) {
  return append({code, {a, b, c, d}, 0.0});
}

Index TapeBuilder::power(Index a, std::int64_t n) {
  std::optional<Index> result;
  for (Index square = a;; square = emit(Code::multiply, square, square)) {
    if ((n & 1) != 0) result = result ? emit(Code::multiply, *result, square) : square;
    n >>= 1;
    if (n == 0) return *result;
  }
}

}  // namespace herglotz::compile
