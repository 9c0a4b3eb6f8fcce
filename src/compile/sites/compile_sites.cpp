#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "herglotz/compile/sites.hpp"
#include "llvm/cpu.hpp"
#include "llvm/one_loop.hpp"
#include "sites/site_emitter.hpp"

namespace herglotz::compile {

kernel::SiteLoop compile_sites(const SiteProgram& program) {
  Tape tape = lower(program.values);
  if (tape.variables != program.reads.size() || tape.outputs.size() != program.writes.size())
    throw CompileError(fmt::format("the pass '{}' has {} variables with {} reads, and {} outputs with {} writes",
                                   tape.name, tape.variables, program.reads.size(), tape.outputs.size(),
                                   program.writes.size()));
  if (cpu_has_fma()) tape = contracted(tape);
  std::size_t beyond = 0;
  for (const SiteRead& read : program.reads) beyond = std::max(beyond, static_cast<std::size_t>(std::abs(read.offset)));
  std::size_t ahead = 0;
  for (const SitePhase& phase : program.phases) ahead = std::max(ahead, phase.ahead);
  beyond += (ahead + 2) * kernel::SiteLoop::block;
  const auto made = generate_one([&](llvm::Module& module, const llvm::TargetMachine& target) {
    SiteEmitter(module, target, tape, program, cpu_lanes()).emit_loop(the_loop);
    return std::size_t{0};
  });
  return {
      made.entry.toPtr<kernel::SiteLoop::Entry>(), made.code, program.arrays, tape.parameters, program.sums, beyond};
}

}  // namespace herglotz::compile
