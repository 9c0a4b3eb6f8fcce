#pragma once
/// The LLVM IR of a kernel::AdaptiveLoop.

#include <functional>

#include "adaptive_tapes.hpp"
#include "emitter.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/embedded_pair.hpp"

namespace herglotz::compile {

/// Short tapes are repeated for every stage, with all numbers in registers as far as these go; long ones are functions
/// of their own.
class AdaptiveEmitter : public Emitter {
 public:
  AdaptiveEmitter(llvm::Module& module, const llvm::TargetMachine& target, const AdaptiveTapes& tapes,
                  const kernel::AdaptiveEntries& entries, const kernel::EmbeddedPair& pair, int lanes, int width,
                  std::size_t chunk);

  /// void (context, lanes, p, control, work). Returns the doubles of scratch the code needs.
  std::size_t emit_loop(const std::string& name);

 private:
  static bool repeats(const AdaptiveTapes& tapes, int lanes);

  using Values = std::vector<Value*>;

  void emit_entry();
  void emit_weights();
  void emit_first_step();
  void emit_try();
  void emit_verdict(Value* accepted, Value* defined, Value* reaches, Value* next, Value* t);

  /// f at (y, t), into slope k; with the scales of the budgets as well where asked for.
  void evaluate(const Values& y, Value* t, std::size_t k, bool scales);
  Value* slope(std::size_t k, std::size_t e);
  /// sum_k factors[k] slope(k, e), zeros left out.
  Value* combined(const std::vector<double>& factors, std::size_t e);
  Value* norm(const std::function<Value*(std::size_t)>& entry);

  Value* row(std::size_t i) { return load(1, i); }
  void set_row(std::size_t i, Value* value) { store(value, 1, i); }
  Value* control(std::size_t offset, llvm::Type* type);
  Value* fused(Value* a, Value* b, Value* c);
  Value* magnitude(Value* a);
  Value* larger(Value* a, Value* b);
  Value* smaller(Value* a, Value* b);
  Value* root(Value* a);
  /// Near a^(-1/16), to a part in 200, from the bits of a.
  Value* inverse_sixteenth_root(Value* a);
  Value* state_is(kernel::LaneState state);
  Value* any(Value* mask);
  Value* how_many(Value* mask);
  Value* bits(Value* mask);

  const AdaptiveTapes& tapes_;
  const kernel::AdaptiveEntries entries_;
  const kernel::AdaptiveRows rows_;
  const kernel::EmbeddedPair& pair_;
  std::size_t size_;
  bool repeats_;
  std::vector<bool> of_rates_;  // operations that y' needs

  llvm::Function* start_function_ = nullptr;
  llvm::Function* rates_function_ = nullptr;
  Value* stage_memory_ = nullptr;  // (y, t) for those functions
  Value* slope_memory_ = nullptr;

  std::vector<Values> slopes_;  // by stage
  Values scales_;
  Value* local_ = nullptr;
  Value* t_end_ = nullptr;
  Value* most_steps_ = nullptr;
  Values y_;
  Value* t_ = nullptr;
  Value* running_ = nullptr;
  Value* defined_ = nullptr;  // f is finite at y
  Values weights_;
  Values lately_;
};

}  // namespace herglotz::compile
