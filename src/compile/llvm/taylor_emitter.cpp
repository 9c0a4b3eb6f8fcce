#include "llvm/taylor_emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cstddef>

#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {

namespace {

using Control = kernel::AdaptiveLoop::Control;

constexpr std::size_t most_orders = kernel::AdaptiveLoop::most_order + 1;
constexpr std::size_t alignment = 64;

/// Returns the operations that the outputs need, with the operations that their derivatives need.
std::vector<bool> needed_with_changes(const AnalyticTape& analytic, std::size_t outputs) {
  const Tape& tape = analytic.tape;
  auto need = needed(tape, outputs);
  // A factor may come after its function.
  for (bool grew = true; grew;) {
    grew = false;
    const auto want = [&](std::size_t i) {
      if (!need[i]) need[i] = grew = true;
    };
    for (std::size_t i = need.size(); i-- > 0;) {
      if (!need[i]) continue;
      for (int k = 0; k < arity(tape.operations[i].code); ++k)
        want(tape.operations[i].operands[static_cast<std::size_t>(k)]);
      for (const auto& change : analytic.changes[i]) want(change.factor);
    }
  }
  return need;
}

}  // namespace

TaylorEmitter::TaylorEmitter(llvm::Module& module, const llvm::TargetMachine& target, const AnalyticTape& analytic,
                             const kernel::StateLayout& entries, int lanes, int width)
    : LaneLoopEmitter(module, target, analytic.tape, entries, lanes, width, analytic.tape.operations.size() + 1),
      analytic_(analytic),
      varies_(varying(analytic.tape)),
      of_rates_(needed_with_changes(analytic, size_)),
      kept_(analytic.tape.operations.size()),
      interior_of_(analytic.tape.operations.size()),
      now_(analytic.tape.operations.size()),
      zeroth_(analytic.tape.operations.size()),
      reciprocal_(analytic.tape.operations.size()) {
  choose_arrays();
}

void TaylorEmitter::choose_arrays() {
  arrays_ = size_;
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    const Operation& operation = tape_.operations[i];
    if (operation.code == Code::variable && operation.operands[0] < size_) kept_[i].plain = operation.operands[0];
  }
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    const Operation& operation = tape_.operations[i];
    if (!of_rates_[i] || !varies_[i]) continue;
    const auto a = operation.operands[0];
    const auto b = operation.operands[1];
    for (const auto& change : analytic_.changes[i]) {
      keep_derivative(change.operand);
      keep(change.factor);
      interior_of_[i].push_back(interior(kept_[change.operand].times_order, kept_[change.factor].plain));
    }
    if (operation.code == Code::multiply && varies_[a] && varies_[b]) {
      keep(a);
      keep(b);
      interior_of_[i] = {interior(kept_[a].plain, kept_[b].plain)};
    } else if (operation.code == Code::divide && varies_[b]) {
      keep(b);
      keep(i);
      interior_of_[i] = {interior(kept_[b].plain, kept_[i].plain)};
    } else if (operation.code == Code::square_root) {
      keep(i);
      interior_of_[i] = {interior(kept_[i].plain, kept_[i].plain)};
    }
  }
  sums_.resize(interiors_.size());
}

std::size_t TaylorEmitter::interior(std::size_t a, std::size_t b) {
  const auto arrays = std::minmax(a, b);
  const auto known = std::find(interiors_.begin(), interiors_.end(), std::pair<std::size_t, std::size_t>(arrays));
  if (known != interiors_.end()) return static_cast<std::size_t>(known - interiors_.begin());
  interiors_.emplace_back(arrays);
  return interiors_.size() - 1;
}

std::size_t TaylorEmitter::emit_loop(const std::string& name) {
  auto* const entry = begin(name);
  auto* const top = block();
  auto* const exit = block();
  ir_.SetInsertPoint(entry);
  emit_entry();
  ir_.CreateBr(top);

  ir_.SetInsertPoint(top);
  emit_lane();
  emit_order_zero();
  emit_weights();
  emit_orders();
  emit_step();
  ir_.CreateCondBr(leaves(), exit, top);

  ir_.SetInsertPoint(exit);
  ir_.CreateRetVoid();
  return arrays_ * most_orders * lanes_ + alignment / sizeof(double);
}

void TaylorEmitter::emit_entry() {
  emit_controls();
  order_ = control(offsetof(Control, order), ir_.getInt64Ty());
  auto* const address = ir_.CreatePtrToInt(current_->getArg(4), ir_.getInt64Ty());
  auto* const aligned = ir_.CreateAnd(ir_.CreateAdd(address, whole(alignment - 1)), whole(~(alignment - 1)));
  memory_ = ir_.CreateIntToPtr(aligned, pointer_);
  emit_fixed();
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    const Operation& operation = tape_.operations[i];
    if (operation.code == Code::divide && varies_[i] && !varies_[operation.operands[1]])
      reciprocal_[i] = ir_.CreateFDiv(constant(1.0), get(operation.operands[1]));
  }
}

void TaylorEmitter::emit_order_zero() {
  ++chunk_now_;
  pairs_.clear();
  bound_ = y_;
  bound_.push_back(t_);
  auto* const zero = whole(0);
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    if (!varies_[i]) continue;
    auto* const value = is_leaf(tape_.operations[i].code) ? get(i) : compute(tape_.operations[i]);
    remember(i, value);
    zeroth_[i] = value;
    if (!of_rates_[i]) continue;
    if (kept_[i].plain != nowhere) set_coefficient(kept_[i].plain, zero, value);
    const bool inverted = (tape_.operations[i].code == Code::divide && varies_[tape_.operations[i].operands[1]]) ||
                          tape_.operations[i].code == Code::square_root;
    if (!inverted) continue;
    auto* const divisor = tape_.operations[i].code == Code::divide ? get(tape_.operations[i].operands[1])
                                                                   : ir_.CreateFMul(constant(2.0), value);
    reciprocal_[i] = ir_.CreateFDiv(constant(1.0), divisor);
  }
  Values rates;
  for (std::size_t e = 0; e < size_; ++e) {
    rates.push_back(get(tape_.outputs[e]));
    set_coefficient(e, zero, y_[e]);
    set_coefficient(e, whole(1), rates[e]);
  }
  for (std::size_t i = 0; i < scales_.size(); ++i) scales_[i] = get(tape_.outputs[size_ + i]);
  for (std::size_t i = 0; i < checks_.size(); ++i) checks_[i] = get(tape_.outputs[size_ + scales_.size() + i]);
  emit_soundness(rates);
}

/// Emits orders 1 .. order - 1 of f, which give orders up to `order` of y.
void TaylorEmitter::emit_orders() {
  auto* const last = ir_.CreateSub(order_, whole(1));
  loop(whole(1), last, 1, {}, [&](Value* k, const Values&) {
    auto* const inverse = everywhere(ir_.CreateFDiv(llvm::ConstantFP::get(scalar_, 1.0), ir_.CreateUIToFP(k, scalar_)));
    emit_interiors(k);
    for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
      if (!of_rates_[i] || !varies_[i]) continue;
      now_[i] = recurrence(i, k, inverse);
      file(i, now_[i], k);
    }
    auto* const next = ir_.CreateAdd(k, whole(1));
    auto* const share =
        everywhere(ir_.CreateFDiv(llvm::ConstantFP::get(scalar_, 1.0), ir_.CreateUIToFP(next, scalar_)));
    for (std::size_t e = 0; e < size_; ++e) set_coefficient(e, next, ir_.CreateFMul(current(tape_.outputs[e]), share));
    return Values{};
  });
}

void TaylorEmitter::file(std::size_t i, Value* value, Value* k) {
  const bool entry = tape_.operations[i].code == Code::variable && tape_.operations[i].operands[0] < size_;
  if (kept_[i].plain != nowhere && !entry) set_coefficient(kept_[i].plain, k, value);
  if (kept_[i].times_order == nowhere) return;
  set_coefficient(kept_[i].times_order, k, ir_.CreateFMul(everywhere(ir_.CreateUIToFP(k, scalar_)), value));
}

/// Returns the coefficient of the current order, zero for an operation that does not vary.
llvm::Value* TaylorEmitter::current(std::size_t i) {
  return varies_[i] ? now_[i] : constant(0.0);
}

llvm::Value* TaylorEmitter::recurrence(std::size_t i, Value* k, Value* inverse) {
  const Operation& operation = tape_.operations[i];
  const auto a = operation.operands[0];
  const auto b = operation.operands[1];
  if (!analytic_.changes[i].empty()) {
    // The term j = k has j a_j = k a_k, so the factor 1/k in front of the sum cancels for it.
    Value* sum = nullptr;
    Value* last = nullptr;
    for (std::size_t m = 0; m < analytic_.changes[i].size(); ++m) {
      const auto& change = analytic_.changes[i][m];
      auto* const inside = sums_[interior_of_[i][m]];
      sum = sum == nullptr ? inside : ir_.CreateFAdd(sum, inside);
      last = last == nullptr ? ir_.CreateFMul(now_[change.operand], zeroth_[change.factor])
                             : fused(now_[change.operand], zeroth_[change.factor], last);
    }
    return fused(sum, inverse, last);
  }
  switch (operation.code) {
    case Code::variable:
      if (a < size_) return coefficient(a, k);
      return everywhere(ir_.CreateUIToFP(ir_.CreateICmpEQ(k, whole(1)), scalar_));
    case Code::add:
      if (!varies_[a]) return now_[b];
      return varies_[b] ? ir_.CreateFAdd(now_[a], now_[b]) : now_[a];
    case Code::subtract:
      if (!varies_[a]) return ir_.CreateFNeg(now_[b]);
      return varies_[b] ? ir_.CreateFSub(now_[a], now_[b]) : now_[a];
    case Code::negate:
      return ir_.CreateFNeg(now_[a]);
    case Code::multiply:
      if (!varies_[a]) return ir_.CreateFMul(get(a), now_[b]);
      if (!varies_[b]) return ir_.CreateFMul(now_[a], get(b));
      return fused(zeroth_[a], now_[b], fused(now_[a], zeroth_[b], sums_[interior_of_[i][0]]));
    case Code::divide: {
      if (!varies_[b]) return ir_.CreateFMul(now_[a], reciprocal_[i]);
      auto* const known = fused(now_[b], zeroth_[i], sums_[interior_of_[i][0]]);
      return ir_.CreateFMul(ir_.CreateFSub(current(a), known), reciprocal_[i]);
    }
    case Code::square_root:
      return ir_.CreateFMul(ir_.CreateFSub(now_[a], sums_[interior_of_[i][0]]), reciprocal_[i]);
    default:
      throw CompileError("an operation has no recurrence");
  }
}

/// Emits all sums of an order. They depend on lower orders only, so they are summed side by side.
void TaylorEmitter::emit_interiors(Value* k) {
  const std::size_t at_once = lanes_ > width_ ? 10 : 20;  // as many sums as there are registers for
  auto* const last = ir_.CreateSub(k, whole(1));
  for (std::size_t first = 0; first < interiors_.size(); first += at_once) {
    const std::size_t end = std::min(first + at_once, interiors_.size());
    const auto sums = loop(whole(1), last, 1, Values(end - first, constant(0.0)), [&](Value* j, const Values& at) {
      auto* const opposite = ir_.CreateSub(k, j);
      std::map<std::size_t, Value*> left;
      std::map<std::size_t, Value*> right;
      const auto read = [&](std::map<std::size_t, Value*>& known, std::size_t array, Value* order) {
        auto& value = known[array];
        if (value == nullptr) value = coefficient(array, order);
        return value;
      };
      Values next;
      for (std::size_t n = first; n < end; ++n) {
        auto* const a = read(left, interiors_[n].first, j);
        next.push_back(fused(a, read(right, interiors_[n].second, opposite), at[n - first]));
      }
      return next;
    });
    std::copy(sums.begin(), sums.end(), sums_.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

void TaylorEmitter::emit_step() {
  auto* const before = ir_.CreateSub(order_, whole(1));
  auto* const last = size_of_term(order_);
  auto* const by_last = inverse_root(last, order_);
  auto* const by_second = inverse_root(size_of_term(before), before);
  auto* const length = smaller(by_last, by_second);
  auto* const due = row(rows_.t_stop());
  auto* const left = ir_.CreateFSub(due, t_);
  auto* const distance = magnitude(left);
  auto* const reaches = ir_.CreateFCmpOGE(ir_.CreateFMul(length, constant(1.000001)), distance);
  auto* const half = ir_.CreateFCmpOGT(ir_.CreateFMul(length, constant(2.0)), distance);
  auto* const forward = ir_.CreateSelect(ir_.CreateFCmpOLT(left, constant(0.0)), ir_.CreateFNeg(length), length);
  // Two equal steps are better than a long one and a very short one.
  auto* const h = ir_.CreateSelect(reaches, left, ir_.CreateSelect(half, ir_.CreateFMul(constant(0.5), left), forward));

  Values sums;
  for (std::size_t e = 0; e < size_; ++e) sums.push_back(coefficient(e, order_));
  sums = loop(whole(1), before, 1, sums, [&](Value* j, const Values& at) {
    auto* const k = ir_.CreateSub(order_, j);
    Values next;
    for (std::size_t e = 0; e < size_; ++e) next.push_back(fused(at[e], h, coefficient(e, k)));
    return next;
  });
  Values reached;
  Values lost;
  Value* finite = ir_.CreateFMul(last, constant(0.0));
  for (std::size_t e = 0; e < size_; ++e) {
    auto* const corrected = fused(h, sums[e], ir_.CreateFNeg(row(rows_.lost(e))));
    reached.push_back(ir_.CreateFAdd(y_[e], corrected));
    lost.push_back(ir_.CreateFSub(ir_.CreateFSub(reached[e], y_[e]), corrected));
    finite = fused(reached[e], constant(0.0), finite);
  }
  auto* const fine = ir_.CreateFCmpOLE(finite, constant(0.0));
  auto* const accepted = ir_.CreateAnd(ir_.CreateAnd(running_, defined_), fine);
  auto* const t = ir_.CreateSelect(accepted, ir_.CreateSelect(reaches, due, ir_.CreateFAdd(t_, h)), t_);
  emit_move(accepted, reached, lost, t, h);
  // A smaller step would not help if a step is not accepted: the polynomials themselves are not finite.
  emit_verdict(accepted, fine, reaches, constant(0.0), t);
}

llvm::Value* TaylorEmitter::size_of_term(Value* k) {
  Value* size = constant(0.0);
  for (std::size_t e = 0; e < size_; ++e)
    size = larger(ir_.CreateFMul(magnitude(coefficient(e, k)), weights_[e]), size);
  return size;
}

llvm::Value* TaylorEmitter::inverse_root(Value* a, Value* k) {
  // The bits of a are about 2^52 (1023 + log2 a): this logarithm is linear between powers of two.
  constexpr double unit = 1.0 / 4503599627370496.0;
  constexpr double bias = 1023;
  auto* const integers = type_->getWithNewType(ir_.getInt64Ty());
  auto* const logarithm =
      fused(ir_.CreateSIToFP(ir_.CreateBitCast(a, integers), type_), constant(unit), constant(-bias));
  auto* const share = ir_.CreateFDiv(llvm::ConstantFP::get(scalar_, -1.0), ir_.CreateUIToFP(k, scalar_));
  auto* const exponent = ir_.CreateFMul(logarithm, everywhere(share));
  auto* const power = ir_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, exponent);
  auto* const rest = ir_.CreateFSub(exponent, power);
  auto* const shifted = ir_.CreateFPToSI(ir_.CreateFAdd(power, constant(bias)), integers);
  auto* const two = ir_.CreateBitCast(ir_.CreateShl(shifted, llvm::ConstantInt::get(integers, 52)), type_);
  auto* const curved = fused(fused(constant(0.3435), rest, constant(0.6565)), rest, constant(1.0));
  return ir_.CreateFMul(two, curved);
}

llvm::Value* TaylorEmitter::coefficient(std::size_t array, Value* k) {
  auto* const at = ir_.CreateMul(ir_.CreateAdd(whole(array * most_orders), k), whole(lanes_));
  return ir_.CreateAlignedLoad(type_, ir_.CreateInBoundsGEP(scalar_, memory_, at), llvm::Align(alignment_of_lanes()));
}

void TaylorEmitter::set_coefficient(std::size_t array, Value* k, Value* value) {
  auto* const at = ir_.CreateMul(ir_.CreateAdd(whole(array * most_orders), k), whole(lanes_));
  ir_.CreateAlignedStore(value, ir_.CreateInBoundsGEP(scalar_, memory_, at), llvm::Align(alignment_of_lanes()));
}

LaneLoopEmitter::Values TaylorEmitter::loop(Value* first, Value* last, std::int64_t by, const Values& begin,
                                            const std::function<Values(Value*, const Values&)>& body) {
  auto* const before = ir_.GetInsertBlock();
  auto* const inside = block();
  auto* const after = block();
  ir_.CreateCondBr(ir_.CreateICmpSLE(first, last), inside, after);
  ir_.SetInsertPoint(inside);
  auto* const j = ir_.CreatePHI(ir_.getInt64Ty(), 2);
  j->addIncoming(first, before);
  std::vector<llvm::PHINode*> values;
  for (auto* const value : begin) {
    values.push_back(ir_.CreatePHI(value->getType(), 2));
    values.back()->addIncoming(value, before);
  }
  const Values next = body(j, Values(values.begin(), values.end()));
  auto* const following = ir_.CreateAdd(j, ir_.getInt64(static_cast<std::uint64_t>(by)));
  auto* const back = ir_.GetInsertBlock();
  ir_.CreateCondBr(ir_.CreateICmpSLE(following, last), inside, after);
  j->addIncoming(following, back);
  ir_.SetInsertPoint(after);
  Values result;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    values[i]->addIncoming(next[i], back);
    auto* const end = ir_.CreatePHI(begin[i]->getType(), 2);
    end->addIncoming(begin[i], before);
    end->addIncoming(next[i], back);
    result.push_back(end);
  }
  return result;
}

}  // namespace herglotz::compile
