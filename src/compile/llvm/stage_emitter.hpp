#pragma once
/// Code that all explicit Runge-Kutta steps have: y' in every stage.

#include <functional>
#include <span>
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
  /// Emits y' at (y + h sum_j factors[j] slope(j), t) as slope k, where `last` is that of displaced().
  void evaluate_ahead(Value* h, const std::vector<double>& factors, Value* t, std::size_t k, Value* last = nullptr);
  /// Emits y + h sum_j factors[j] slope(j) for every entry. If `last` is given, it is h times the last factor: the sum
  /// over the slopes before comes first, so that only one operation waits for the last slope.
  Values displaced(const Values& y, Value* h, const std::vector<double>& factors, Value* last);
  /// Returns whether the entries of y go one after the other through loops of their own. What is emitted for each of
  /// hundreds of entries is a function that takes longer to generate than most runs.
  [[nodiscard]] bool rolls() const;
  /// Emits a loop over the entries e of y. `body` returns what `carried` becomes, which the loop returns at its end;
  /// both may be null.
  Value* over_entries(Value* carried, const std::function<Value*(Value* e, Value* carried)>& body);
  /// Returns entry e of y in such a loop, or of the parts that its sums lost.
  Value* y_in_loop(Value* e) { return at(current_->getArg(1), rows_.y(0), e); }
  Value* lost_in_loop(Value* e) { return at(current_->getArg(1), rows_.lost(0), e); }
  /// Emits sum_k factors[k] slope(k, e) in such a loop.
  Value* combined_in_loop(const std::vector<double>& factors, Value* e);
  /// Room for numbers of every entry, which loops fill: entry e of column c.
  Value* kept(std::size_t c, std::size_t e);
  Value* kept_in_loop(std::size_t c, Value* e) { return at(kept_memory_, c * size_, e); }
  void keep(std::size_t c, std::size_t e, Value* value);
  void keep_in_loop(std::size_t c, Value* e, Value* value);
  Value* slope(std::size_t k, std::size_t e);
  /// Emits sum_k factors[k] slope(k, e) for every entry e, without the terms whose factor is zero.
  Values combined(const std::vector<double>& factors);

  static constexpr std::size_t kept_columns = 4;
  std::vector<Values> slopes_;  // by stage

 private:
  /// The terms of a sum over slopes that are added already: those of so many slopes.
  struct Begun {
    Value* sum;
    std::size_t slopes;
  };
  /// Sums over the first slopes of every entry; null for entries whose sums have not begun.
  struct Partial {
    std::size_t slopes;
    Values sums;
    [[nodiscard]] Begun of(std::size_t e) const {
      return sums[e] == nullptr ? Begun{nullptr, 0} : Begun{sums[e], slopes};
    }
  };
  /// Emits the call of the function of long tapes for y in stage_memory_, whose slopes are in memory behind it.
  void call_function(Value* t, std::size_t k, bool start);
  Value* slope_in_loop(std::size_t k, Value* e) { return at(slope_memory_, k * size_, e); }
  /// Returns the number `e` places behind an entry.
  Value* at(Value* memory, std::size_t entry, Value* e);
  /// Emits sum_k factors[k] slope_of(k) without the terms whose factor is zero.
  Value* sum_of(std::span<const double> factors, const std::function<Value*(std::size_t k)>& slope_of,
                Begun begun = {nullptr, 0});
  Value* displaced(Value* y, Value* h, std::span<const double> factors, Value* last,
                   const std::function<Value*(std::size_t k)>& slope_of, Begun begun = {nullptr, 0});
  /// Emits the sums over all slopes but the last `late` ones, several entries in one register: a single run is bound by
  /// the number of its operations. The last slopes are waited for, and getting in and out of registers takes as long as
  /// an operation.
  Partial summed_in_registers(const std::vector<double>& factors, std::size_t late);
  [[nodiscard]] std::size_t entries_in_register(std::size_t left) const;
  [[nodiscard]] std::size_t entry_in_registers(std::size_t i) const;
  /// Emits the slopes k of the entries of one register.
  Value* slopes_together(std::size_t k, std::size_t first, llvm::FixedVectorType* type);

  static bool repeats(const StageTapes& tapes, std::size_t stages, int lanes);
  /// Returns whether the function for the start of a step gives the rates of all its stages.
  static bool serves_all_stages(const StageTapes& tapes, std::size_t lanes);

  const StageTapes& tapes_;
  bool repeats_;
  std::vector<bool> of_rates_;    // operations that y' needs
  std::vector<Values> together_;  // by stage, at the first of the entries that share a register

  llvm::Function* start_function_ = nullptr;
  llvm::Function* rates_function_ = nullptr;
  Value* parameter_memory_ = nullptr;
  Value* stage_memory_ = nullptr;  // (y, t) for the functions of long tapes
  Value* slope_memory_ = nullptr;
  Value* kept_memory_ = nullptr;
};

}  // namespace herglotz::compile
