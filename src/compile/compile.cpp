#include "herglotz/compile/compile.hpp"

#include <fmt/format.h>

#include "interpreter.hpp"
#include "llvm/cpu.hpp"
#include "llvm/machine_code.hpp"
#include "tape/analytic_tape.hpp"
#include "tape/stepped_tapes.hpp"
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

kernel::AdaptiveLoop compile_adaptive(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                      const kernel::EmbeddedPair& pair, const Options& options) {
  check(options);
  if (options.backend != Backend::llvm || !cpu_has_fma()) return {};
  return generate_adaptive(adaptive_tapes(motion, entries), entries, pair, options.lanes, options.chunk);
}

kernel::RungeKuttaLoop compile_runge_kutta(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                           const kernel::ExplicitTableau& tableau, const Options& options,
                                           std::span<const std::size_t> kept) {
  check(options);
  if (options.backend != Backend::llvm || !cpu_has_fma()) return {};
  const SteppedTapes stepped = stepped_tapes(motion, entries, kept);
  return generate_runge_kutta(stepped.tapes, stepped.carried, tableau, options.lanes, options.chunk);
}

kernel::AdaptiveLoop compile_taylor(const symbolic::Program& motion, const kernel::StateLayout& entries,
                                    const Options& options) {
  check(options);
  if (options.backend != Backend::llvm || !cpu_has_fma()) return {};
  return generate_taylor(taylor_tape(motion, entries), entries, options.lanes);
}

kernel::Kernel compile(const symbolic::Program& program, const Options& options) {
  return compile(std::span(&program, 1), options).front();
}

}  // namespace herglotz::compile
