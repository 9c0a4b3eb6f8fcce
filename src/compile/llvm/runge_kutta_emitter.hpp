#pragma once
/// The LLVM IR of a kernel::RungeKuttaLoop.

#include "herglotz/kernel/explicit_tableau.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "llvm/stage_emitter.hpp"

namespace herglotz::compile {

class RungeKuttaEmitter : public StageEmitter {
 public:
  RungeKuttaEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
                    const kernel::StateLayout& entries, const kernel::ExplicitTableau& tableau, int lanes, int width,
                    std::size_t chunk);

  /// Emits void (context, state, p, steps, work). Returns the doubles of scratch the code needs.
  std::size_t emit_loop(const std::string& name);

 private:
  void emit_step();

  const kernel::ExplicitTableau& tableau_;
  Value* h_ = nullptr;
};

}  // namespace herglotz::compile
