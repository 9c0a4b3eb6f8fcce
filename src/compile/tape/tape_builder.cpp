#include "tape/tape_builder.hpp"

#include <bit>

namespace herglotz::compile {

std::size_t TapeBuilder::Hash::operator()(const Operation& operation) const {
  auto hash = std::bit_cast<std::uint64_t>(operation.value) + static_cast<std::uint64_t>(operation.code);
  for (const auto operand : operation.operands) {
    hash = (hash ^ operand) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

bool TapeBuilder::Same::operator()(const Operation& a, const Operation& b) const {
  // Bits are compared, since 0 and -0 are different constants.
  return a.code == b.code && a.operands == b.operands &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

Index TapeBuilder::append(const Operation& operation) {
  const auto [entry, fresh] = known_.try_emplace(operation, static_cast<Index>(tape_.operations.size()));
  if (fresh) {
    bool varies = operation.code == Code::variable;
    for (int k = 0; k < arity(operation.code); ++k)
      varies = varies || varies_[operation.operands[static_cast<std::size_t>(k)]];
    tape_.operations.push_back(operation);
    varies_.push_back(varies);
  }
  return entry->second;
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
