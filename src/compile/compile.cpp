#include "herglotz/compile/compile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter.hpp"
#include "llvm/cpu.hpp"
#include "llvm/machine_code.hpp"
#include "tape/analytic_tape.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

namespace {

void check(const Options& options) {
  if (options.lanes != 1 && options.lanes != 4 && options.lanes != 8) {
    throw CompileError(fmt::format("a kernel cannot have {} lanes; choose 1, 4 or 8", options.lanes));
  }
  if (options.backend == Backend::llvm && options.lanes > native_lanes()) {
    throw CompileError(
        fmt::format("this machine's vector unit serves {} lane(s), not {}; ask for at most {}, or use the "
                    "interpreter",
                    native_lanes(), options.lanes, native_lanes()));
  }
  if (options.chunk == 0) throw CompileError("a chunk of 0 nodes holds nothing; choose at least 1");
}

kernel::LoopEntries part_of(const kernel::LoopEntries& entries, std::span<const std::size_t> kept) {
  kernel::LoopEntries part = entries;
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

int native_lanes() {
  return cpu_lanes();
}

std::vector<kernel::Kernel> compile(std::span<const symbolic::Program> programs, const Options& options) {
  check(options);
  std::vector<Tape> tapes;
  tapes.reserve(programs.size());
  for (const auto& program : programs) tapes.push_back(lower(program));
  if (options.backend == Backend::llvm) return generate(tapes, options.lanes, options.chunk);
  std::vector<kernel::Kernel> kernels;
  kernels.reserve(tapes.size());
  for (auto& tape : tapes) kernels.push_back(interpret(std::move(tape), options.lanes));
  return kernels;
}

kernel::StepLoop compile_loop(const symbolic::Program& step, std::size_t unread, const Options& options) {
  constexpr std::size_t longest = 4000;  // operations: code generation takes more than linear time beyond
  check(options);
  Tape tape = lower(step);
  if (options.backend == Backend::llvm && tape.operations.size() <= longest)
    return generate_loop(tape, unread, options.lanes);
  return kernel::loop_around(compile(step, options), unread);
}

kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                      const kernel::EmbeddedPair& pair, const Options& options) {
  check(options);
  if (options.backend != Backend::llvm || !cpu_has_fma()) return {};
  Tape start = contracted(lower(motion));
  Tape rates = with_outputs(start, entries.size());
  return generate_adaptive({std::move(start), std::move(rates)}, entries, pair, options.lanes, options.chunk);
}

kernel::RungeKuttaLoop compile_runge_kutta(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                           const kernel::ExplicitTableau& tableau, const Options& options,
                                           std::span<const std::size_t> kept) {
  check(options);
  if (options.backend != Backend::llvm || !cpu_has_fma()) return {};
  Tape all = lower(motion);
  // No error weights are formed here, so the scales of budgets are removed.
  const auto scales = all.outputs.begin() + static_cast<std::ptrdiff_t>(entries.size());
  all.outputs.erase(scales, scales + static_cast<std::ptrdiff_t>(entries.laws));
  Tape start = contracted(with_outputs(all, all.outputs.size()));
  // Entries are chosen after products and sums have been fused, since fusing depends on all uses of a product.
  if (!kept.empty()) start = carrying(start, entries.size(), kept);
  const kernel::LoopEntries carried = kept.empty() ? entries : part_of(entries, kept);
  Tape rates = with_outputs(start, carried.size());
  return generate_runge_kutta({std::move(start), std::move(rates)}, carried, tableau, options.lanes, options.chunk);
}

kernel::AdaptiveLoop compile_taylor(const symbolic::Program& motion, const kernel::LoopEntries& entries,
                                    const Options& options) {
  check(options);
  if (options.backend != Backend::llvm || !cpu_has_fma()) return {};
  const Tape tape = lower(motion);
  if (const auto reason = why_not_analytic(with_outputs(tape, entries.size())); !reason.empty())
    throw CompileError(reason);
  return generate_taylor(analytic(tape), entries, options.lanes);
}

kernel::Kernel compile(const symbolic::Program& program, const Options& options) {
  return compile(std::span(&program, 1), options).front();
}

}  // namespace herglotz::compile
