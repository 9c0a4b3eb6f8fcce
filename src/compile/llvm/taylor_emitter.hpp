#pragma once
/// The LLVM IR of a kernel::AdaptiveLoop that steps by Taylor polynomials.

#include <functional>

#include "llvm/lane_loop_emitter.hpp"
#include "tape/analytic_tape.hpp"

namespace herglotz::compile {

/// Emitter of Taylor steps. The coefficients of y(t + s) in s come from the coefficients of f, order by order: every
/// operation of the tape has a recurrence for its coefficients. The step is the one at which the last two terms are as
/// large as the allowed error; no step is rejected unless the motion ends in it. A. Jorba, M. Zou, A software package
/// for the numerical integration of ODEs by means of high-order Taylor methods, Experimental Mathematics 14 (2005).
class TaylorEmitter : public LaneLoopEmitter {
 public:
  /// `tape` has variables (y, t), and as outputs y' and the scale of every budget. Only y' must be analytic.
  TaylorEmitter(llvm::Module& module, const llvm::TargetMachine& target, const AnalyticTape& tape,
                const kernel::StateLayout& entries, int lanes, int width);

  /// Returns the number of sums of products that an order takes.
  [[nodiscard]] std::size_t sums() const { return interiors_.size(); }
  /// Emits void (context, lanes, p, control, work). Returns the doubles of scratch the code needs.
  std::size_t emit_loop(const std::string& name);

 private:
  /// Arrays of coefficients a_j that later orders read; `times_order` has the coefficients j a_j of the derivative.
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
  /// Emits coefficient k of an operation from the coefficients of lower orders, and from coefficients k of its
  /// operands.
  Value* recurrence(std::size_t i, Value* k, Value* inverse);
  /// Registers the sum over 0 < j < k of a_j b_{k - j} and returns its index.
  std::size_t interior(std::size_t a, std::size_t b);
  void emit_interiors(Value* k);
  Value* current(std::size_t i);
  void file(std::size_t i, Value* value, Value* k);

  Value* coefficient(std::size_t array, Value* k);
  void set_coefficient(std::size_t array, Value* k, Value* value);
  /// Emits the largest coefficient of order k among the entries of y, each in units of its allowed error.
  Value* size_of_term(Value* k);
  /// Emits a value near a^(-1/k), to a part in 100, computed from the bits of a.
  Value* inverse_root(Value* a, Value* k);
  /// Runs body(j, values) for j = first .. last in steps of `by`, with values that it changes. Returns the last values.
  Values loop(Value* first, Value* last, std::int64_t by, const Values& begin,
              const std::function<Values(Value* j, const Values& values)>& body);
  Value* whole(std::uint64_t value) { return ir_.getInt64(value); }
  /// Returns the alignment of an array's numbers, in bytes.
  [[nodiscard]] std::uint64_t alignment_of_lanes() const { return sizeof(double) * width_; }

  const AnalyticTape& analytic_;
  std::vector<bool> varies_;
  std::vector<bool> of_rates_;                                  // operations that y' needs
  std::vector<Kept> kept_;                                      // by operation
  std::vector<std::pair<std::size_t, std::size_t>> interiors_;  // the two arrays of each sum
  std::vector<std::vector<std::size_t>> interior_of_;           // by operation
  std::size_t arrays_ = 0;                                      // the arrays of y come first

  Value* order_ = nullptr;
  Value* memory_ = nullptr;
  Values now_;         // coefficients of the current order
  Values zeroth_;      // coefficients of order zero
  Values sums_;        // the interiors of the current order
  Values reciprocal_;  // reciprocals of fixed divisors, and of other divisors' order zero
};

}  // namespace herglotz::compile
