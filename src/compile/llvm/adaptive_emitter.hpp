#pragma once
/// The LLVM IR of a kernel::AdaptiveLoop that steps by an embedded Runge-Kutta pair.

#include <functional>

#include "herglotz/kernel/embedded_pair.hpp"
#include "llvm/stage_emitter.hpp"

namespace herglotz::compile {

class AdaptiveEmitter : public StageEmitter {
 public:
  AdaptiveEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
                  const kernel::StateLayout& entries, const kernel::EmbeddedPair& pair, int lanes, int width,
                  std::size_t chunk);

  /// Emits void (context, lanes, p, control, work). Returns the doubles of scratch the code needs.
  std::size_t emit_loop(const std::string& name);

 private:
  void emit_first_step();
  void emit_try();
  /// Emits what a try reaches with a step h, and the sum of the squares of its weighed errors, which it returns.
  Value* emit_end(Value* h, Values& reached, Values& lost);
  /// Puts the weights and the recent sizes, which are needed at the end of a try, into the room of loops.
  void keep_weights();
  Value* weight(std::size_t e);

  Value* norm(const std::function<Value*(std::size_t)>& entry);

  /// Emits a value near a^(-1/16), to a part in 200, computed from the bits of a.
  Value* inverse_sixteenth_root(Value* a);

  const kernel::EmbeddedPair& pair_;
};

}  // namespace herglotz::compile
