#pragma once
/// The LLVM IR of a kernel::StepLoop.

#include "llvm/emitter.hpp"

namespace herglotz::compile {

class StepLoopEmitter : public Emitter {
 public:
  StepLoopEmitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& step, int lanes)
      : Emitter(module, target, step, lanes, lanes, step.operations.size() + 1) {}

  /// Emits void (context, state, p, substeps, steps). The state is in registers along the loop.
  void emit_loop(const std::string& name, std::size_t unread);
};

}  // namespace herglotz::compile
