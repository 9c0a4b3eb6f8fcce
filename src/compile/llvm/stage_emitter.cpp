#include "llvm/stage_emitter.hpp"

#include <algorithm>

#include "llvm/cpu.hpp"
#include "llvm/lanes.hpp"

namespace herglotz::compile {

bool StageEmitter::repeats(const StageTapes& tapes, std::size_t stages, int lanes) {
  const std::size_t operations = work_of(tapes.rates);
  // A single run has fewer steps than lanes have to make up for the time that code generation takes. If all stages
  // together do not stay in the nearest cache, they are slower than calls; a function is a list of operations there.
  constexpr std::size_t quickly_generated = 40;
  constexpr std::size_t near = 840;
  constexpr std::size_t of_function = 8;
  if (lanes == 1) return operations <= quickly_generated;
  const auto functions =
      static_cast<std::size_t>(std::count_if(tapes.rates.operations.begin(), tapes.rates.operations.end(),
                                             [](const Operation& operation) { return is_function(operation.code); }));
  return (operations + (of_function - 1) * functions) * stages <= near;
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
      of_rates_(needed(tapes.start, size_)),
      together_(stages, Values(size_)) {
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
  const std::size_t kept = rolls() ? kept_columns * size_ : 0;
  auto* const room = ir_.CreateAlloca(scalar_, ir_.getInt64((tape_.parameters + size_ + 1 + slopes + kept) * lanes_));
  room->setAlignment(whole_page());
  parameter_memory_ = room;
  const auto place = [&](std::size_t i) {
    return ir_.CreateConstInBoundsGEP1_64(scalar_, parameter_memory_, i * lanes_);
  };
  for (std::size_t i = 0; i < tape_.parameters; ++i)
    ir_.CreateAlignedStore(load(2, i), place(i), llvm::Align(sizeof(double)));
  stage_memory_ = place(tape_.parameters);
  slope_memory_ = place(tape_.parameters + size_ + 1);
  kept_memory_ = place(tape_.parameters + size_ + 1 + slopes);
}

void StageEmitter::evaluate(const Values& y, Value* t, std::size_t k, bool start) {
  if (!repeats_) {
    const auto place = [&](Value* memory, std::size_t i) {
      return ir_.CreateConstInBoundsGEP1_64(scalar_, memory, i * lanes_);
    };
    for (std::size_t e = 0; e < size_; ++e)
      ir_.CreateAlignedStore(y[e], place(stage_memory_, e), llvm::Align(sizeof(double)));
    call_function(t, k, start);
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
  together_[k].assign(size_, nullptr);
  if (!start) return;
  for (std::size_t i = 0; i < scales_.size(); ++i) scales_[i] = get(tape_.outputs[size_ + i]);
  for (std::size_t i = 0; i < checks_.size(); ++i) checks_[i] = get(tape_.outputs[size_ + scales_.size() + i]);
}

void StageEmitter::call_function(Value* t, std::size_t k, bool start) {
  const auto place = [&](Value* memory, std::size_t i) {
    return ir_.CreateConstInBoundsGEP1_64(scalar_, memory, i * lanes_);
  };
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
}

llvm::Value* StageEmitter::slope(std::size_t k, std::size_t e) {
  if (slopes_[k][e] != nullptr) return slopes_[k][e];
  auto* const at = ir_.CreateConstInBoundsGEP1_64(scalar_, slope_memory_, (k * size_ + e) * lanes_);
  return ir_.CreateAlignedLoad(type_, at, llvm::Align(sizeof(double)));
}

StageEmitter::Values StageEmitter::combined(const std::vector<double>& factors) {
  const Partial partial = summed_in_registers(factors, 1);
  Values sums;
  for (std::size_t e = 0; e < size_; ++e)
    sums.push_back(sum_of(factors, [&](std::size_t k) { return slope(k, e); }, partial.of(e)));
  return sums;
}

llvm::Value* StageEmitter::combined_in_loop(const std::vector<double>& factors, Value* e) {
  return sum_of(factors, [&](std::size_t k) { return slope_in_loop(k, e); });
}

llvm::Value* StageEmitter::sum_of(std::span<const double> factors, const std::function<Value*(std::size_t k)>& slope_of,
                                  Begun begun) {
  Value* sum = begun.sum;
  for (std::size_t k = begun.slopes; k < factors.size(); ++k) {
    if (factors[k] == 0) continue;
    auto* const factor = constant(factors[k]);
    sum = sum == nullptr ? ir_.CreateFMul(factor, slope_of(k)) : fused(factor, slope_of(k), sum);
  }
  return sum;
}

llvm::Value* StageEmitter::displaced(Value* y, Value* h, std::span<const double> factors, Value* last,
                                     const std::function<Value*(std::size_t k)>& slope_of, Begun begun) {
  if (last == nullptr) return fused(h, sum_of(factors, slope_of, begun), y);
  auto* const before = sum_of(factors.first(factors.size() - 1), slope_of, begun);
  return fused(last, slope_of(factors.size() - 1), before == nullptr ? y : fused(h, before, y));
}

StageEmitter::Values StageEmitter::displaced(const Values& y, Value* h, const std::vector<double>& factors,
                                             Value* last) {
  const Partial partial = summed_in_registers(factors, last == nullptr ? 1 : 2);
  Values reached;
  for (std::size_t e = 0; e < size_; ++e)
    reached.push_back(displaced(y[e], h, factors, last, [&](std::size_t k) { return slope(k, e); }, partial.of(e)));
  return reached;
}

/// Returns the number of entries that go through one register, if so many are left.
std::size_t StageEmitter::entries_in_register(std::size_t left) const {
  constexpr std::size_t whole = 4;
  return left + (repeats_ ? 1 : 0) >= whole ? whole : std::min<std::size_t>(left, 2);
}

/// Returns the entries in the order in which they share registers. Rates do not read the factor, so that it has few
/// sums.
std::size_t StageEmitter::entry_in_registers(std::size_t i) const {
  const std::size_t factor = entries_.bounds[kernel::StateLayout::groups];
  if (!repeats_ || !entries_.factor || i < factor) return i;
  return i + 1 < size_ ? i + 1 : factor;
}

StageEmitter::Partial StageEmitter::summed_in_registers(const std::vector<double>& factors, std::size_t late) {
  Partial partial{std::max(factors.size(), late) - late, Values(size_)};
  const auto terms =
      partial.slopes - static_cast<std::size_t>(std::count(
                           factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(partial.slopes), 0.0));
  constexpr std::size_t few = 2;
  const bool pays = lanes_ == 1 && !rolls() && terms > few;
  if (!pays || !target_.getTargetTriple().isX86() || cpu_lanes() == 1) return partial;
  for (std::size_t first = 0; first + 1 < size_;) {
    const std::size_t lanes = entries_in_register(size_ - first);
    auto* const type = llvm::FixedVectorType::get(scalar_, static_cast<unsigned>(lanes));
    Value* sum = nullptr;
    for (std::size_t k = 0; k < partial.slopes; ++k) {
      if (factors[k] == 0) continue;
      auto* const factor = llvm::ConstantFP::get(type, factors[k]);
      auto* const slopes = slopes_together(k, first, type);
      sum = sum == nullptr ? ir_.CreateFMul(factor, slopes) : Lanes{ir_, type}.fused(factor, slopes, sum);
    }
    for (std::size_t i = 0; first + i < size_ && i < lanes; ++i)
      partial.sums[entry_in_registers(first + i)] = ir_.CreateExtractElement(sum, i);
    first += lanes;
  }
  return partial;
}

llvm::Value* StageEmitter::slopes_together(std::size_t k, std::size_t first, llvm::FixedVectorType* type) {
  if (slopes_[k][first] == nullptr) {
    auto* const at = ir_.CreateConstInBoundsGEP1_64(scalar_, slope_memory_, k * size_ + first);
    return ir_.CreateAlignedLoad(type, at, llvm::Align(sizeof(double)));
  }
  Value*& together = together_[k][first];
  if (together != nullptr) return together;
  together = llvm::PoisonValue::get(type);
  // A lane without an entry repeats the last one: what happens to lie in a register may be slow to compute with.
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    const std::size_t e = entry_in_registers(std::min(first + i, size_ - 1));
    together = ir_.CreateInsertElement(together, slopes_[k][e], i);
  }
  return together;
}

void StageEmitter::evaluate_ahead(Value* h, const std::vector<double>& factors, Value* t, std::size_t k, Value* last) {
  if (!rolls()) {
    evaluate(displaced(y_, h, factors, last), t, k, false);
    return;
  }
  over_entries(nullptr, [&](Value* e, Value*) -> Value* {
    auto* const stage = displaced(y_in_loop(e), h, factors, last, [&](std::size_t j) { return slope_in_loop(j, e); });
    ir_.CreateAlignedStore(stage, ir_.CreateGEP(scalar_, stage_memory_, e), llvm::Align(sizeof(double)));
    return nullptr;
  });
  call_function(t, k, false);
}

bool StageEmitter::rolls() const {
  constexpr std::size_t many = 64;
  return lanes_ == 1 && !repeats_ && size_ > many;
}

llvm::Value* StageEmitter::over_entries(Value* carried, const std::function<Value*(Value*, Value*)>& body) {
  auto* const before = ir_.GetInsertBlock();
  auto* const loop = block();
  auto* const after = block();
  ir_.CreateBr(loop);
  ir_.SetInsertPoint(loop);
  auto* const e = ir_.CreatePHI(ir_.getInt64Ty(), 2);
  e->addIncoming(ir_.getInt64(0), before);
  llvm::PHINode* so_far = nullptr;
  if (carried != nullptr) {
    so_far = ir_.CreatePHI(carried->getType(), 2);
    so_far->addIncoming(carried, before);
  }
  auto* const result = body(e, so_far);
  auto* const back = ir_.GetInsertBlock();
  auto* const next = ir_.CreateAdd(e, ir_.getInt64(1));
  e->addIncoming(next, back);
  if (so_far != nullptr) so_far->addIncoming(result, back);
  ir_.CreateCondBr(ir_.CreateICmpEQ(next, ir_.getInt64(size_)), after, loop);
  ir_.SetInsertPoint(after);
  return result;
}

llvm::Value* StageEmitter::at(Value* memory, std::size_t entry, Value* e) {
  auto* const first = ir_.CreateConstInBoundsGEP1_64(scalar_, memory, entry);
  return ir_.CreateAlignedLoad(type_, ir_.CreateGEP(scalar_, first, e), llvm::Align(sizeof(double)));
}

llvm::Value* StageEmitter::kept(std::size_t c, std::size_t e) {
  auto* const place = ir_.CreateConstInBoundsGEP1_64(scalar_, kept_memory_, c * size_ + e);
  return ir_.CreateAlignedLoad(type_, place, llvm::Align(sizeof(double)));
}

void StageEmitter::keep(std::size_t c, std::size_t e, Value* value) {
  auto* const place = ir_.CreateConstInBoundsGEP1_64(scalar_, kept_memory_, c * size_ + e);
  ir_.CreateAlignedStore(value, place, llvm::Align(sizeof(double)));
}

void StageEmitter::keep_in_loop(std::size_t c, Value* e, Value* value) {
  auto* const first = ir_.CreateConstInBoundsGEP1_64(scalar_, kept_memory_, c * size_);
  ir_.CreateAlignedStore(value, ir_.CreateGEP(scalar_, first, e), llvm::Align(sizeof(double)));
}

}  // namespace herglotz::compile
