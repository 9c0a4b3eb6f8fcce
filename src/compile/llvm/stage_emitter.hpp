#pragma once
/// What the code of explicit Runge-Kutta steps has in common: y' in every stage.

#include <string>
#include <vector>

#include "llvm/lane_loop_emitter.hpp"
#include "tape/stage_tapes.hpp"

namespace herglotz::compile {

/// Short tapes are repeated for every stage, with all numbers in registers as far as these go; long ones are functions
/// of their own.
class StageEmitter : public LaneLoopEmitter {
 public:
  StageEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
               const kernel::LoopEntries& entries, std::size_t stages, int lanes, int width, std::size_t chunk);

 protected:
  /// The functions of long tapes. Returns the doubles of scratch they need.
  std::size_t emit_functions(const std::string& name);
  /// What stays the same from step to step; in the first block.
  void emit_before_steps();
  /// y' at (y, t), into slope k; at the start of a step with the scales of budgets and the checks as well.
  void evaluate(const Values& y, Value* t, std::size_t k, bool start);
  Value* slope(std::size_t k, std::size_t e);
  /// sum_k factors[k] slope(k, e), zeros left out.
  Value* combined(const std::vector<double>& factors, std::size_t e);

  std::vector<Values> slopes_;  // by stage

 private:
  static bool repeats(const StageTapes& tapes, std::size_t stages, int lanes);

  const StageTapes& tapes_;
  bool repeats_;
  std::vector<bool> of_rates_;  // operations that y' needs

  llvm::Function* start_function_ = nullptr;
  llvm::Function* rates_function_ = nullptr;
  Value* parameter_memory_ = nullptr;
  Value* stage_memory_ = nullptr;  // (y, t) for those functions
  Value* slope_memory_ = nullptr;
};

}  // namespace herglotz::compile
