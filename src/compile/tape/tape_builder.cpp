#include "tape/tape_builder.hpp"

#include <bit>

namespace herglotz::compile {

namespace {

std::uint32_t hash_of(const Operation& operation) {
  auto hash = std::bit_cast<std::uint64_t>(operation.value) + static_cast<std::uint64_t>(operation.code);
  for (const auto operand : operation.operands) {
    hash = (hash ^ operand) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return static_cast<std::uint32_t>(hash);
}

bool same(const Operation& a, const Operation& b) {
  // Bits are compared, since 0 and -0 are different constants.
  return a.code == b.code && a.operands == b.operands &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

}  // namespace

std::size_t TapeBuilder::slot_of(const Operation& operation, std::uint32_t hash) const {
  const std::size_t last = slots_.size() - 1;  // the number of slots is a power of two
  const auto is_other = [&](const Slot& slot) {
    return slot.number != 0 && (slot.hash != hash || !same(tape_.operations[slot.number - 1], operation));
  };
  std::size_t slot = hash & last;
  while (is_other(slots_[slot])) slot = (slot + 1) & last;
  return slot;
}

void TapeBuilder::grow() {
  constexpr std::size_t fewest = 64;
  std::vector<Slot> former(slots_.empty() ? fewest : 2 * slots_.size());
  former.swap(slots_);
  const std::size_t last = slots_.size() - 1;
  for (const Slot& one : former) {
    if (one.number == 0) continue;
    std::size_t slot = one.hash & last;
    while (slots_[slot].number != 0) slot = (slot + 1) & last;
    slots_[slot] = one;
  }
}

Index TapeBuilder::append(const Operation& operation) {
  if (2 * (tape_.operations.size() + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(operation);
  Slot& slot = slots_[slot_of(operation, hash)];
  if (slot.number == 0) {
    bool varies = operation.code == Code::variable;
    for (int k = 0; k < arity(operation.code); ++k)
      varies = varies || varies_[operation.operands[static_cast<std::size_t>(k)]];
    tape_.operations.push_back(operation);
    varies_.push_back(varies);
    slot = {hash, static_cast<Index>(tape_.operations.size())};
  }
  return slot.number - 1;
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
