#include "llvm/adaptive_emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include <cstddef>
#include <limits>

namespace herglotz::compile {

namespace {

constexpr double safety = 0.9;
constexpr double least_change = 0.2;
constexpr double most_change = 6;
constexpr double change_where_not_finite = 0.25;

/// Columns of the room of loops.
enum Column : std::size_t { weights, recent, ends, parts, columns };

}  // namespace

AdaptiveEmitter::AdaptiveEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
                                 const kernel::StateLayout& entries, const kernel::EmbeddedPair& pair, int lanes,
                                 int width, std::size_t chunk)
    : StageEmitter(module, target, tapes, entries, pair.stages(), lanes, width, chunk), pair_(pair) {}

std::size_t AdaptiveEmitter::emit_loop(const std::string& name) {
  const std::size_t work = emit_functions(name);
  auto* const entry = begin(name);
  auto* const top = block();
  auto* const first = block();
  auto* const attempt = block();
  auto* const exit = block();

  ir_.SetInsertPoint(entry);
  emit_controls();
  emit_before_steps();
  ir_.CreateBr(top);

  ir_.SetInsertPoint(top);
  emit_lane();
  evaluate(y_, t_, 0, true);
  Values first_slopes;
  for (std::size_t e = 0; e < size_; ++e) first_slopes.push_back(slope(0, e));
  emit_soundness(first_slopes);
  emit_weights();
  if (rolls()) keep_weights();
  auto* const fresh =
      ir_.CreateAnd(ir_.CreateAnd(running_, defined_), ir_.CreateFCmpOEQ(row(rows_.h()), constant(0.0)));
  ir_.CreateCondBr(any(fresh), first, attempt);

  ir_.SetInsertPoint(first);
  const auto kept_slopes = slopes_;
  emit_first_step();
  slopes_ = kept_slopes;
  ++chunk_now_;
  pairs_.clear();
  ir_.CreateBr(attempt);

  ir_.SetInsertPoint(attempt);
  emit_try();
  ir_.CreateCondBr(leaves(), exit, top);

  ir_.SetInsertPoint(exit);
  ir_.CreateRetVoid();
  return work;
}

/// Emits the choice of the first step. E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
/// II.4.
void AdaptiveEmitter::emit_first_step() {
  auto* const duration = magnitude(ir_.CreateFSub(t_end_, t_));
  auto* const size = norm([&](std::size_t e) { return y_[e]; });
  auto* const steepness = norm([&](std::size_t e) { return slope(0, e); });
  auto* const flat =
      ir_.CreateOr(ir_.CreateFCmpOLT(size, constant(1e-5)), ir_.CreateFCmpOLT(steepness, constant(1e-5)));
  auto* const guess = ir_.CreateSelect(flat, ir_.CreateFMul(constant(1e-6), duration),
                                       ir_.CreateFDiv(ir_.CreateFMul(constant(0.01), size), steepness));
  auto* const small = smaller(guess, duration);
  auto* const direction = ir_.CreateSelect(ir_.CreateFCmpOLT(t_end_, t_), constant(-1.0), constant(1.0));
  auto* const step = ir_.CreateFMul(direction, small);
  Values ahead;
  for (std::size_t e = 0; e < size_; ++e) ahead.push_back(fused(step, slope(0, e), y_[e]));
  evaluate(ahead, ir_.CreateFAdd(t_, step), 1, false);
  auto* const change = norm([&](std::size_t e) { return ir_.CreateFSub(slope(1, e), slope(0, e)); });
  auto* const steepest = larger(ir_.CreateFDiv(change, small), steepness);
  auto* const bent = root(root(root(ir_.CreateFDiv(constant(0.01), steepest))));
  auto* const straight = larger(ir_.CreateFMul(constant(1e-6), duration), ir_.CreateFMul(constant(1e-3), small));
  auto* const next = ir_.CreateSelect(ir_.CreateFCmpOGT(steepest, constant(1e-15)), bent, straight);
  auto* const most = smaller(smaller(ir_.CreateFMul(constant(100.0), small), next), duration);
  auto* const h = ir_.CreateFMul(direction, ir_.CreateSelect(ir_.CreateFCmpOGT(most, constant(0.0)), most,
                                                             ir_.CreateFMul(constant(1e-9), duration)));
  auto* const known = row(rows_.h());
  set_row(rows_.h(), ir_.CreateSelect(ir_.CreateFCmpOEQ(known, constant(0.0)), h, known));
}

/// Emits one try in every lane. Accepted lanes move, but never beyond the time that is due.
void AdaptiveEmitter::emit_try() {
  auto* const due = row(rows_.t_stop());
  auto* const asked = row(rows_.h());
  auto* const left = ir_.CreateFSub(due, t_);
  auto* const distance = magnitude(left);
  auto* const length = magnitude(asked);
  // Two equal steps are better than a long one and a very short one.
  auto* const reaches = ir_.CreateFCmpOGE(ir_.CreateFMul(length, constant(1.000001)), distance);
  auto* const half = ir_.CreateFCmpOGT(ir_.CreateFMul(length, constant(2.0)), distance);
  auto* const h = ir_.CreateSelect(reaches, left, ir_.CreateSelect(half, ir_.CreateFMul(constant(0.5), left), asked));
  auto* const shortened = ir_.CreateOr(reaches, half);
  for (std::size_t k = 1; k < pair_.stages(); ++k) {
    evaluate_ahead(h, pair_.A[k], fused(constant(pair_.c[k]), h, t_), k);
  }
  Values reached;
  Values lost;
  auto* square = emit_end(h, reached, lost);
  square = ir_.CreateFMul(square, constant(1.0 / static_cast<double>(size_)));
  auto* const defined = ir_.CreateFCmpOLT(square, constant(std::numeric_limits<double>::infinity()));
  auto* const small = ir_.CreateFCmpOLE(square, constant(1.0));
  auto* const accepted = ir_.CreateAnd(ir_.CreateAnd(running_, defined_), small);

  auto* const most =
      ir_.CreateSelect(ir_.CreateFCmpOGT(row(rows_.rejected()), constant(0.5)), constant(1.0), constant(most_change));
  auto* const wish = ir_.CreateFMul(constant(safety), inverse_sixteenth_root(square));
  auto* const change =
      ir_.CreateSelect(defined, larger(smaller(wish, most), constant(least_change)), constant(change_where_not_finite));
  auto* const changed = ir_.CreateFMul(change, h);
  // The error of a shortened step must not shorten the steps after it.
  auto* const keeps = ir_.CreateAnd(ir_.CreateAnd(accepted, shortened), ir_.CreateFCmpOLT(magnitude(changed), length));
  auto* const next = ir_.CreateSelect(keeps, asked, changed);
  auto* const t = ir_.CreateSelect(accepted, ir_.CreateSelect(reaches, due, ir_.CreateFAdd(t_, h)), t_);
  set_row(rows_.h(), ir_.CreateSelect(running_, next, asked));
  emit_move(accepted, reached, lost, t, h);
  auto* const rejected = ir_.CreateSelect(accepted, constant(0.0), constant(1.0));
  set_row(rows_.rejected(), ir_.CreateSelect(running_, rejected, row(rows_.rejected())));
  emit_verdict(accepted, defined, reaches, next, t);
}

void AdaptiveEmitter::keep_weights() {
  static_assert(columns == kept_columns);
  for (std::size_t e = 0; e < size_; ++e) keep(weights, e, weights_[e]);
  for (std::size_t e = 0; e < lately_.size(); ++e) keep(recent, e, lately_[e]);
}

llvm::Value* AdaptiveEmitter::weight(std::size_t e) {
  return rolls() ? kept(weights, e) : weights_[e];
}

llvm::Value* AdaptiveEmitter::emit_end(Value* h, Values& reached, Values& lost) {
  struct Of {
    Value* reached;
    Value* lost;
    Value* square;
  };
  const auto end_of = [&](Value* y, Value* before, Value* slope, Value* difference, Value* weight,
                          Value* square) -> Of {
    auto* const corrected = fused(h, slope, ir_.CreateFNeg(before));
    auto* const to = ir_.CreateFAdd(y, corrected);
    auto* const error = ir_.CreateFMul(ir_.CreateFMul(h, difference), weight);
    // A state that is not finite makes the square NaN too.
    return {to, ir_.CreateFSub(ir_.CreateFSub(to, y), corrected),
            fused(error, error, fused(to, constant(0.0), square))};
  };
  Value* square = constant(0.0);
  if (rolls()) {
    square = over_entries(square, [&](Value* e, Value* so_far) {
      const Of of = end_of(y_in_loop(e), lost_in_loop(e), combined_in_loop(pair_.b, e),
                           combined_in_loop(pair_.difference, e), kept_in_loop(weights, e), so_far);
      keep_in_loop(ends, e, of.reached);
      keep_in_loop(parts, e, of.lost);
      return of.square;
    });
    // Values of hundreds of entries are not carried along beside the loops.
    for (std::size_t e = 0; e < size_; ++e) y_[e] = row(rows_.y(e));
    for (std::size_t e = 0; e < lately_.size(); ++e) lately_[e] = kept(recent, e);
  }
  const Values slopes = rolls() ? Values{} : combined(pair_.b);
  const Values differences = rolls() ? Values{} : combined(pair_.difference);
  for (std::size_t e = 0; e < size_; ++e) {
    const Of of = rolls() ? Of{kept(ends, e), kept(parts, e), square}
                          : end_of(y_[e], row(rows_.lost(e)), slopes[e], differences[e], weights_[e], square);
    reached.push_back(of.reached);
    lost.push_back(of.lost);
    square = of.square;
  }
  return square;
}

llvm::Value* AdaptiveEmitter::norm(const std::function<Value*(std::size_t)>& entry) {
  Value* square = constant(0.0);
  for (std::size_t e = 0; e < size_; ++e) {
    auto* const weighed = ir_.CreateFMul(entry(e), weight(e));
    square = fused(weighed, weighed, square);
  }
  return root(ir_.CreateFMul(square, constant(1.0 / static_cast<double>(size_))));
}

llvm::Value* AdaptiveEmitter::inverse_sixteenth_root(Value* a) {
  // The bits of a are about 2^52 (1023 + log2 a): this logarithm is linear between powers of two.
  constexpr std::uint64_t bits_of_one = 1023ULL << 52U;
  auto* const integers = type_->getWithNewType(ir_.getInt64Ty());
  auto* const whole = llvm::ConstantInt::get(integers, bits_of_one + bits_of_one / 16);
  auto* const sixteenth = ir_.CreateLShr(ir_.CreateBitCast(a, integers), llvm::ConstantInt::get(integers, 4));
  return ir_.CreateBitCast(ir_.CreateSub(whole, sixteenth), type_);
}

}  // namespace herglotz::compile
