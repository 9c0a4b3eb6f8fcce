#pragma once
/// The LLVM IR of a kernel::AdaptiveLoop that steps by Taylor polynomials.

#include <functional>

#include "llvm/lane_loop_emitter.hpp"
#include "tape/analytic_tape.hpp"

namespace herglotz::compile {

/// The coefficients of y(t + s) in s come from those of f, order by order: every operation of the tape has a recurrence
/// for its own. The step is the one at which the last two terms are as large as the error that is allowed; none is
/// rejected unless the motion ends in it. A. Jorba, M. Zou, A software package for the numerical integration of ODEs by
/// means of high-order Taylor methods, Experimental Mathematics 14 (2005).
class TaylorEmitter : public LaneLoopEmitter {
 public:
  /// A tape with variables (y, t), outputs y' and the scale of every budget, of which y' alone must be analytic.
  TaylorEmitter(llvm::Module& module, const llvm::TargetMachine& target, const AnalyticTape& tape,
                const kernel::LoopEntries& entries, int lanes, int width);

  /// How many sums of products an order takes.
  [[nodiscard]] std::size_t sums() const { return interiors_.size(); }
  /// void (context, lanes, p, control, work). Returns the doubles of scratch the code needs.
  std::size_t emit_loop(const std::string& name);

 private:
  /// Coefficients that later orders read; `times_order`: those of the derivative, j a_j.
  struct Kept {
    std::size_t plain = nowhere;
    std::size_t times_order = nowhere;
  };

  void choose_arrays();
  void keep(std::size_t i) { claim(kept_[i].plain); }
  void keep_derivative(std::size_t i) { claim(kept_[i].times_order); }
  void claim(std::size_t& array) {
    if (array == nowhere) array = arrays_++;
  }

  void emit_entry();
  void emit_order_zero();
  void emit_orders();
  void emit_step();
  /// Coefficient k of an operation from the coefficients of lower orders, and those of order k of its operands.
  Value* recurrence(std::size_t i, Value* k, Value* inverse);
  /// The sum over 0 < j < k of a_j b_{k - j}, with a number of its own.
  std::size_t interior(std::size_t a, std::size_t b);
  void emit_interiors(Value* k);
  Value* current(std::size_t i);
  void file(std::size_t i, Value* value, Value* k);

  Value* coefficient(std::size_t array, Value* k);
  void set_coefficient(std::size_t array, Value* k, Value* value);
  /// The largest coefficient of order k among the entries of y, each in the units of the error it may have.
  Value* size_of_term(Value* k);
  /// Near a^(-1/k), to a part in 100, from the bits of a.
  Value* inverse_root(Value* a, Value* k);
  /// Runs body(j, values) for j = first .. last in steps of `by`, with values that it changes; gives the last ones.
  Values loop(Value* first, Value* last, std::int64_t by, const Values& begin,
              const std::function<Values(Value* j, const Values& values)>& body);
  Value* whole(std::uint64_t value) { return ir_.getInt64(value); }
  /// Of an array's numbers, in bytes.
  [[nodiscard]] std::uint64_t alignment_of_lanes() const { return sizeof(double) * width_; }

  const AnalyticTape& analytic_;
  std::vector<bool> varies_;
  std::vector<bool> of_rates_;                                  // operations that y' needs
  std::vector<Kept> kept_;                                      // by operation
  std::vector<std::pair<std::size_t, std::size_t>> interiors_;  // the arrays of each
  std::vector<std::vector<std::size_t>> interior_of_;           // by operation
  std::size_t arrays_ = 0;                                      // those of y come first

  Value* order_ = nullptr;
  Value* memory_ = nullptr;
  Values now_;         // coefficients of the current order
  Values zeroth_;      // and of order zero
  Values sums_;        // the interiors of the current order
  Values reciprocal_;  // of fixed divisors, and of the order zero of others
};

}  // namespace herglotz::compile
