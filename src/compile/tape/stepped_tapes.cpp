#include "tape/stepped_tapes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace herglotz::compile {

namespace {

kernel::StateLayout part_of(const kernel::StateLayout& entries, std::span<const std::size_t> kept) {
  kernel::StateLayout part = entries;
  const auto below = [&](std::size_t end) {
    return static_cast<std::size_t>(std::count_if(kept.begin(), kept.end(), [&](std::size_t e) { return e < end; }));
  };
  for (std::size_t& bound : part.bounds) bound = below(bound);
  const std::size_t state = entries.bounds.back();
  part.factor = entries.factor && below(state + 1) > below(state);
  part.laws = kept.size() - below(state + (entries.factor ? 1 : 0));
  return part;
}

/// Returns a tape with variables (y, t) and outputs y' and more, for some entries of y.
Tape carrying(const Tape& tape, std::size_t size, std::span<const std::size_t> kept) {
  Tape part = tape;
  std::vector<std::uint32_t> place(size + 1);
  part.outputs.clear();
  for (const std::size_t e : kept) {
    place[e] = static_cast<std::uint32_t>(part.outputs.size());
    part.outputs.push_back(tape.outputs[e]);
  }
  place[size] = static_cast<std::uint32_t>(kept.size());
  part.outputs.insert(part.outputs.end(), tape.outputs.begin() + static_cast<std::ptrdiff_t>(size), tape.outputs.end());
  part = with_outputs(part, part.outputs.size());
  part.variables = kept.size() + 1;
  for (auto& operation : part.operations)
    if (operation.code == Code::variable) operation.operands[0] = place[operation.operands[0]];
  return part;
}

}  // namespace

SteppedTapes stepped_tapes(const symbolic::Program& motion, const kernel::StateLayout& entries,
                           std::span<const std::size_t> kept) {
  Tape all = lower(motion);
  // No error weights are formed here, so the scales of budgets are removed.
  const auto scales = all.outputs.begin() + static_cast<std::ptrdiff_t>(entries.size());
  all.outputs.erase(scales, scales + static_cast<std::ptrdiff_t>(entries.laws));
  Tape start = contracted(with_outputs(all, all.outputs.size()));
  // Entries are chosen after products and sums have been fused, since fusing depends on all uses of a product.
  if (!kept.empty()) start = carrying(start, entries.size(), kept);
  const kernel::StateLayout carried = kept.empty() ? entries : part_of(entries, kept);
  Tape rates = with_outputs(start, carried.size());
  return {{std::move(start), std::move(rates)}, carried};
}

}  // namespace herglotz::compile
