#include "adaptive_emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include <cstddef>
#include <limits>

namespace herglotz::compile {

namespace {

constexpr double safety = 0.9;
constexpr double least_change = 0.2;
constexpr double most_change = 6;
constexpr double change_where_not_finite = 0.25;

}  // namespace

bool AdaptiveEmitter::repeats(const AdaptiveTapes& tapes, int lanes) {
  // Operations: a single run has fewer steps than lanes have to make up for the time that it takes to generate the
  // code.
  const std::size_t longest = lanes == 1 ? 40 : 160;
  return work_of(tapes.rates) <= longest;
}

AdaptiveEmitter::AdaptiveEmitter(llvm::Module& module, const llvm::TargetMachine& target, const AdaptiveTapes& tapes,
                                 const kernel::AdaptiveEntries& entries, const kernel::EmbeddedPair& pair, int lanes,
                                 int width, std::size_t chunk)
    : LaneLoopEmitter(module, target, tapes.start, entries, lanes, width, chunk),
      tapes_(tapes),
      pair_(pair),
      repeats_(repeats(tapes, lanes)),
      of_rates_(needed(tapes.start, size_)),
      slopes_(pair.stages(), Values(size_)) {}

std::size_t AdaptiveEmitter::emit_loop(const std::string& name) {
  std::size_t work = 0;
  if (!repeats_) {
    Emitter start(module_, target_, tapes_.start, static_cast<int>(lanes_), static_cast<int>(width_), chunk_);
    Emitter rates(module_, target_, tapes_.rates, static_cast<int>(lanes_), static_cast<int>(width_), chunk_);
    work = std::max(start.emit(name + ".start"), rates.emit(name + ".rates"));
    start_function_ = module_.getFunction(name + ".start");
    rates_function_ = module_.getFunction(name + ".rates");
  }
  auto* const entry = begin(name);
  auto* const top = block();
  auto* const first = block();
  auto* const attempt = block();
  auto* const exit = block();

  ir_.SetInsertPoint(entry);
  emit_entry();
  ir_.CreateBr(top);

  ir_.SetInsertPoint(top);
  emit_lane();
  evaluate(y_, t_, 0, true);
  Values first_slopes;
  for (std::size_t e = 0; e < size_; ++e) first_slopes.push_back(slope(0, e));
  emit_soundness(first_slopes);
  emit_weights();
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

/// What stays the same from step to step.
void AdaptiveEmitter::emit_entry() {
  emit_controls();
  if (repeats_) {
    emit_fixed();
    return;
  }
  const auto room = [&](std::size_t entries) {
    auto* const made = ir_.CreateAlloca(scalar_, ir_.getInt64(entries * lanes_));
    made->setAlignment(llvm::Align(sizeof(double) * width_));
    return made;
  };
  stage_memory_ = room(size_ + 1);
  slope_memory_ = room(pair_.stages() * size_ + scales_.size() + checks_.size());
}

void AdaptiveEmitter::evaluate(const Values& y, Value* t, std::size_t k, bool scales) {
  if (!repeats_) {
    const auto place = [&](Value* memory, std::size_t i) {
      return ir_.CreateConstInBoundsGEP1_64(scalar_, memory, i * lanes_);
    };
    for (std::size_t e = 0; e < size_; ++e)
      ir_.CreateAlignedStore(y[e], place(stage_memory_, e), llvm::Align(sizeof(double)));
    ir_.CreateAlignedStore(t, place(stage_memory_, size_), llvm::Align(sizeof(double)));
    // Scales and checks come after the slopes of the first stage, in the place of the second, which is not known yet.
    ir_.CreateCall(scales ? start_function_ : rates_function_, {current_->getArg(0), stage_memory_, current_->getArg(2),
                                                                place(slope_memory_, k * size_), current_->getArg(4)});
    for (std::size_t e = 0; e < size_; ++e) slopes_[k][e] = nullptr;
    if (!scales) return;
    const auto extra = [&](std::size_t i) {
      return ir_.CreateAlignedLoad(type_, place(slope_memory_, (k + 1) * size_ + i), llvm::Align(sizeof(double)));
    };
    for (std::size_t i = 0; i < scales_.size(); ++i) scales_[i] = extra(i);
    for (std::size_t i = 0; i < checks_.size(); ++i) checks_[i] = extra(scales_.size() + i);
    return;
  }
  ++chunk_now_;
  pairs_.clear();
  bound_ = y;
  bound_.push_back(t);
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    if (is_leaf(tape_.operations[i].code) || known_in_[i] == anywhere || !(scales || of_rates_[i])) continue;
    remember(i, compute(tape_.operations[i]));
  }
  for (std::size_t e = 0; e < size_; ++e) slopes_[k][e] = get(tape_.outputs[e]);
  if (!scales) return;
  for (std::size_t i = 0; i < scales_.size(); ++i) scales_[i] = get(tape_.outputs[size_ + i]);
  for (std::size_t i = 0; i < checks_.size(); ++i) checks_[i] = get(tape_.outputs[size_ + scales_.size() + i]);
}

llvm::Value* AdaptiveEmitter::slope(std::size_t k, std::size_t e) {
  if (slopes_[k][e] != nullptr) return slopes_[k][e];
  auto* const at = ir_.CreateConstInBoundsGEP1_64(scalar_, slope_memory_, (k * size_ + e) * lanes_);
  return ir_.CreateAlignedLoad(type_, at, llvm::Align(sizeof(double)));
}

llvm::Value* AdaptiveEmitter::combined(const std::vector<double>& factors, std::size_t e) {
  Value* sum = nullptr;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k] == 0) continue;
    auto* const factor = constant(factors[k]);
    sum = sum == nullptr ? ir_.CreateFMul(factor, slope(k, e)) : fused(factor, slope(k, e), sum);
  }
  return sum;
}

/// E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.4.
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

/// One try in every lane; lanes that are accepted move, none of them beyond the time that is due.
void AdaptiveEmitter::emit_try() {
  auto* const due = row(rows_.due());
  auto* const asked = row(rows_.h());
  auto* const left = ir_.CreateFSub(due, t_);
  auto* const distance = magnitude(left);
  auto* const length = magnitude(asked);
  // Two equal steps rather than a whole one and a sliver.
  auto* const reaches = ir_.CreateFCmpOGE(ir_.CreateFMul(length, constant(1.000001)), distance);
  auto* const half = ir_.CreateFCmpOGT(ir_.CreateFMul(length, constant(2.0)), distance);
  auto* const h = ir_.CreateSelect(reaches, left, ir_.CreateSelect(half, ir_.CreateFMul(constant(0.5), left), asked));
  auto* const shortened = ir_.CreateOr(reaches, half);
  for (std::size_t k = 1; k < pair_.stages(); ++k) {
    Values stage;
    for (std::size_t e = 0; e < size_; ++e) stage.push_back(fused(h, combined(pair_.A[k], e), y_[e]));
    evaluate(stage, fused(constant(pair_.c[k]), h, t_), k, false);
  }
  Values reached;
  Values lost;
  Value* square = constant(0.0);
  for (std::size_t e = 0; e < size_; ++e) {
    auto* const corrected = fused(h, combined(pair_.b, e), ir_.CreateFNeg(row(rows_.lost(e))));
    reached.push_back(ir_.CreateFAdd(y_[e], corrected));
    lost.push_back(ir_.CreateFSub(ir_.CreateFSub(reached[e], y_[e]), corrected));
    auto* const error = ir_.CreateFMul(ir_.CreateFMul(h, combined(pair_.difference, e)), weights_[e]);
    // Not a number either where only the state is not finite.
    square = fused(error, error, fused(reached[e], constant(0.0), square));
  }
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
  // What a shortened step tells does not shorten the steps after it.
  auto* const keeps = ir_.CreateAnd(ir_.CreateAnd(accepted, shortened), ir_.CreateFCmpOLT(magnitude(changed), length));
  auto* const next = ir_.CreateSelect(keeps, asked, changed);
  auto* const t = ir_.CreateSelect(accepted, ir_.CreateSelect(reaches, due, ir_.CreateFAdd(t_, h)), t_);
  set_row(rows_.h(), ir_.CreateSelect(running_, next, asked));
  emit_move(accepted, reached, lost, t, h);
  auto* const rejected = ir_.CreateSelect(accepted, constant(0.0), constant(1.0));
  set_row(rows_.rejected(), ir_.CreateSelect(running_, rejected, row(rows_.rejected())));
  emit_verdict(accepted, defined, reaches, next, t);
}

llvm::Value* AdaptiveEmitter::norm(const std::function<Value*(std::size_t)>& entry) {
  Value* square = constant(0.0);
  for (std::size_t e = 0; e < size_; ++e) {
    auto* const weighed = ir_.CreateFMul(entry(e), weights_[e]);
    square = fused(weighed, weighed, square);
  }
  return root(ir_.CreateFMul(square, constant(1.0 / static_cast<double>(size_))));
}

llvm::Value* AdaptiveEmitter::inverse_sixteenth_root(Value* a) {
  // The bits of a are 2^52 (1023 + log2 a), nearly: the logarithm is linear between powers of two.
  constexpr std::uint64_t bits_of_one = 1023ULL << 52U;
  auto* const integers = type_->getWithNewType(ir_.getInt64Ty());
  auto* const whole = llvm::ConstantInt::get(integers, bits_of_one + bits_of_one / 16);
  auto* const sixteenth = ir_.CreateLShr(ir_.CreateBitCast(a, integers), llvm::ConstantInt::get(integers, 4));
  return ir_.CreateBitCast(ir_.CreateSub(whole, sixteenth), type_);
}

}  // namespace herglotz::compile
