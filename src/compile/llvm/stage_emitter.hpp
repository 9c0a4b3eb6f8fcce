#pragma once
/// Code that all explicit Runge-Kutta steps have: y' in every stage.

#include <string>
#include <vector>

#include "llvm/lane_loop_emitter.hpp"
#include "tape/stage_tapes.hpp"

namespace herglotz::compile {

/// Emitter of stages. Short tapes are repeated for every stage, with as many numbers in registers as there is room for;
/// long tapes are functions of their own.
class StageEmitter : public LaneLoopEmitter {
 public:
  StageEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
               const kernel::StateLayout& entries, std::size_t stages, int lanes, int width, std::size_t chunk);

 protected:
  /// Emits the functions of long tapes. Returns the doubles of scratch they need.
  std::size_t emit_functions(const std::string& name);
  /// Returns whether the numbers of a run can stay in registers from step to step: it is one run, and calls no
  /// functions.
  [[nodiscard]] bool stays_in_registers() const { return lanes_ == 1 && repeats_; }
  /// Emits, in the first block, the values that do not change from step to step.
  void emit_before_steps();
  /// Emits y' at (y, t) as slope k. At the start of a step it also emits the scales of budgets and the checks.
  void evaluate(const Values& y, Value* t, std::size_t k, bool start);
  Value* slope(std::size_t k, std::size_t e);
  /// Emits sum_k factors[k] slope(k, e) without the terms whose factor is zero.
  Value* combined(const std::vector<double>& factors, std::size_t e);

  std::vector<Values> slopes_;  // by stage

 private:
  static bool repeats(const StageTapes& tapes, std::size_t stages, int lanes);
  /// Returns whether the function for the start of a step gives the rates of all its stages.
  static bool serves_all_stages(const StageTapes& tapes, std::size_t lanes);

  const StageTapes& tapes_;
  bool repeats_;
  std::vector<bool> of_rates_;  // operations that y' needs

  llvm::Function* start_function_ = nullptr;
  llvm::Function* rates_function_ = nullptr;
  Value* parameter_memory_ = nullptr;
  Value* stage_memory_ = nullptr;  // (y, t) for the functions of long tapes
  Value* slope_memory_ = nullptr;
};

}  // namespace herglotz::compile
