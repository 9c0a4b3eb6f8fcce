#include "llvm/stage_emitter.hpp"

#include <algorithm>

namespace herglotz::compile {

bool StageEmitter::repeats(const StageTapes& tapes, std::size_t stages, int lanes) {
  const std::size_t operations = work_of(tapes.rates);
  // A single run has fewer steps than lanes have to make up for the time that code generation takes. If all stages
  // together do not stay in the nearest cache, they are slower than calls.
  constexpr std::size_t quickly_generated = 40;
  constexpr std::size_t near = 360;
  return lanes == 1 ? operations <= quickly_generated : operations * stages <= near;
}

bool StageEmitter::serves_all_stages(const StageTapes& tapes, std::size_t lanes) {
  // The code of a robot with 29 joints takes longer to generate than a short run. What the start of a step has beside
  // the rates is then small.
  constexpr std::size_t slowly_generated = 1000;
  constexpr std::size_t share = 8;
  const std::size_t rates = tapes.rates.operations.size();
  return lanes == 1 && rates > slowly_generated && tapes.start.operations.size() <= rates + rates / share;
}

StageEmitter::StageEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
                           const kernel::StateLayout& entries, std::size_t stages, int lanes, int width,
                           std::size_t chunk)
    : LaneLoopEmitter(module, target, tapes.start, entries, lanes, width, chunk),
      slopes_(stages, Values(size_)),
      tapes_(tapes),
      repeats_(repeats(tapes, stages, lanes)),
      of_rates_(needed(tapes.start, size_)) {
  scales_.resize(tapes.start.outputs.size() - size_ - checks_.size());
}

std::size_t StageEmitter::emit_functions(const std::string& name) {
  if (repeats_) return 0;
  const auto emit = [&](const Tape& tape, const std::string& as) {
    Emitter function(module_, target_, tape, static_cast<int>(lanes_), static_cast<int>(width_), chunk_);
    if (lanes_ > 1) function.repeat_few_functions();
    return function.emit(as);
  };
  const std::size_t work = emit(tapes_.start, name + ".start");
  start_function_ = module_.getFunction(name + ".start");
  rates_function_ = start_function_;
  if (serves_all_stages(tapes_, lanes_)) return work;
  const std::size_t work_of_rates = emit(tapes_.rates, name + ".rates");
  rates_function_ = module_.getFunction(name + ".rates");
  return std::max(work, work_of_rates);
}

void StageEmitter::emit_before_steps() {
  if (repeats_) {
    emit_fixed();
    return;
  }
  // Parameters are copied next to the memory that the functions write, so that their distance is always equal.
  const std::size_t slopes = slopes_.size() * size_ + scales_.size() + checks_.size();
  auto* const room = ir_.CreateAlloca(scalar_, ir_.getInt64((tape_.parameters + size_ + 1 + slopes) * lanes_));
  room->setAlignment(whole_page());
  parameter_memory_ = room;
  const auto place = [&](std::size_t i) {
    return ir_.CreateConstInBoundsGEP1_64(scalar_, parameter_memory_, i * lanes_);
  };
  for (std::size_t i = 0; i < tape_.parameters; ++i)
    ir_.CreateAlignedStore(load(2, i), place(i), llvm::Align(sizeof(double)));
  stage_memory_ = place(tape_.parameters);
  slope_memory_ = place(tape_.parameters + size_ + 1);
}

void StageEmitter::evaluate(const Values& y, Value* t, std::size_t k, bool start) {
  if (!repeats_) {
    const auto place = [&](Value* memory, std::size_t i) {
      return ir_.CreateConstInBoundsGEP1_64(scalar_, memory, i * lanes_);
    };
    for (std::size_t e = 0; e < size_; ++e)
      ir_.CreateAlignedStore(y[e], place(stage_memory_, e), llvm::Align(sizeof(double)));
    ir_.CreateAlignedStore(t, place(stage_memory_, size_), llvm::Align(sizeof(double)));
    // Scales and checks come after the slopes of the stage, in the place of later stages, which are not known yet.
    ir_.CreateCall(start ? start_function_ : rates_function_, {current_->getArg(0), stage_memory_, parameter_memory_,
                                                               place(slope_memory_, k * size_), current_->getArg(4)});
    for (std::size_t e = 0; e < size_; ++e) slopes_[k][e] = nullptr;
    if (!start) return;
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
    if (is_leaf(tape_.operations[i].code) || known_in_[i] == anywhere || !(start || of_rates_[i])) continue;
    remember(i, compute(tape_.operations[i]));
  }
  for (std::size_t e = 0; e < size_; ++e) slopes_[k][e] = get(tape_.outputs[e]);
  if (!start) return;
  for (std::size_t i = 0; i < scales_.size(); ++i) scales_[i] = get(tape_.outputs[size_ + i]);
  for (std::size_t i = 0; i < checks_.size(); ++i) checks_[i] = get(tape_.outputs[size_ + scales_.size() + i]);
}

llvm::Value* StageEmitter::slope(std::size_t k, std::size_t e) {
  if (slopes_[k][e] != nullptr) return slopes_[k][e];
  auto* const at = ir_.CreateConstInBoundsGEP1_64(scalar_, slope_memory_, (k * size_ + e) * lanes_);
  return ir_.CreateAlignedLoad(type_, at, llvm::Align(sizeof(double)));
}

llvm::Value* StageEmitter::combined(const std::vector<double>& factors, std::size_t e) {
  Value* sum = nullptr;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k] == 0) continue;
    auto* const factor = constant(factors[k]);
    sum = sum == nullptr ? ir_.CreateFMul(factor, slope(k, e)) : fused(factor, slope(k, e), sum);
  }
  return sum;
}

}  // namespace herglotz::compile
