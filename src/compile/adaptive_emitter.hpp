#pragma once
/// The LLVM IR of a kernel::AdaptiveLoop that steps by an embedded Runge-Kutta pair.

#include <functional>

#include "adaptive_tapes.hpp"
#include "herglotz/kernel/embedded_pair.hpp"
#include "lane_loop_emitter.hpp"

namespace herglotz::compile {

/// Short tapes are repeated for every stage, with all numbers in registers as far as these go; long ones are functions
/// of their own.
class AdaptiveEmitter : public LaneLoopEmitter {
 public:
  AdaptiveEmitter(llvm::Module& module, const llvm::TargetMachine& target, const AdaptiveTapes& tapes,
                  const kernel::AdaptiveEntries& entries, const kernel::EmbeddedPair& pair, int lanes, int width,
                  std::size_t chunk);

  /// void (context, lanes, p, control, work). Returns the doubles of scratch the code needs.
  std::size_t emit_loop(const std::string& name);

 private:
  static bool repeats(const AdaptiveTapes& tapes, int lanes);

  void emit_entry();
  void emit_first_step();
  void emit_try();

  /// f at (y, t), into slope k; with the scales of the budgets as well where asked for.
  void evaluate(const Values& y, Value* t, std::size_t k, bool scales);
  Value* slope(std::size_t k, std::size_t e);
  /// sum_k factors[k] slope(k, e), zeros left out.
  Value* combined(const std::vector<double>& factors, std::size_t e);
  Value* norm(const std::function<Value*(std::size_t)>& entry);

  /// Near a^(-1/16), to a part in 200, from the bits of a.
  Value* inverse_sixteenth_root(Value* a);

  const AdaptiveTapes& tapes_;
  const kernel::EmbeddedPair& pair_;
  bool repeats_;
  std::vector<bool> of_rates_;  // operations that y' needs

  llvm::Function* start_function_ = nullptr;
  llvm::Function* rates_function_ = nullptr;
  Value* stage_memory_ = nullptr;  // (y, t) for those functions
  Value* slope_memory_ = nullptr;

  std::vector<Values> slopes_;  // by stage
};

}  // namespace herglotz::compile
