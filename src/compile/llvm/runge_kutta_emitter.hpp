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
  /// Emits, before the loop, h times the last factor of every stage and of the weights: what waits for the slope of the
  /// stage before is then one operation.
  void emit_shares();
  /// Returns entry i of (y, the low-order parts of its sums).
  Value* state(std::size_t i);
  void set_state(std::size_t i, Value* value);

  const kernel::ExplicitTableau& tableau_;
  Value* h_ = nullptr;
  Values shares_;  // of the weights, then of the stages from the second one on
  Values state_;   // empty if it lies in memory
};

}  // namespace herglotz::compile
