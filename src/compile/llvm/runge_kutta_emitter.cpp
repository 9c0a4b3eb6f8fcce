#include "llvm/runge_kutta_emitter.hpp"

#include <cstddef>

namespace herglotz::compile {

RungeKuttaEmitter::RungeKuttaEmitter(llvm::Module& module, const llvm::TargetMachine& target, const StageTapes& tapes,
                                     const kernel::StateLayout& entries, const kernel::ExplicitTableau& tableau,
                                     int lanes, int width, std::size_t chunk)
    : StageEmitter(module, target, tapes, entries, tableau.stages(), lanes, width, chunk), tableau_(tableau) {}

std::size_t RungeKuttaEmitter::emit_loop(const std::string& name) {
  using Steps = kernel::RungeKuttaLoop::Steps;
  const std::size_t work = emit_functions(name);
  auto* const entry = begin(name);
  auto* const loop = block();
  auto* const last = block();
  auto* const exit = block();
  auto* const index = ir_.getInt64Ty();

  ir_.SetInsertPoint(entry);
  emit_before_steps();
  auto* const t0 = control(offsetof(Steps, t0), scalar_);
  auto* const h = control(offsetof(Steps, h), scalar_);
  auto* const first = control(offsetof(Steps, first), index);
  auto* const end = ir_.CreateAdd(first, control(offsetof(Steps, count), index));
  h_ = everywhere(h);
  auto* const end_in_frame = ir_.CreateAlloca(index);
  end_in_frame->setAlignment(whole_page());
  ir_.CreateStore(end, end_in_frame);
  emit_shares();
  Values begun;
  for (std::size_t i = 0; stays_in_registers() && i < 2 * size_; ++i) begun.push_back(load(1, i));
  auto* const before = ir_.GetInsertBlock();
  ir_.CreateCondBr(ir_.CreateICmpEQ(first, end), exit, loop);

  ir_.SetInsertPoint(loop);
  auto* const k = ir_.CreatePHI(index, 2);
  std::vector<llvm::PHINode*> kept;
  for (std::size_t i = 0; i < begun.size(); ++i) kept.push_back(ir_.CreatePHI(type_, 2));
  state_.assign(kept.begin(), kept.end());
  auto* const later = ir_.CreateFAdd(t0, ir_.CreateFMul(ir_.CreateUIToFP(k, scalar_), h));
  t_ = everywhere(ir_.CreateSelect(ir_.CreateICmpEQ(k, ir_.getInt64(0)), t0, later));
  emit_step();
  auto* const next = ir_.CreateAdd(k, ir_.getInt64(1));
  auto* const back = ir_.GetInsertBlock();
  k->addIncoming(first, before);
  k->addIncoming(next, back);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i]->addIncoming(begun[i], before);
    kept[i]->addIncoming(state_[i], back);
  }
  ir_.CreateCondBr(ir_.CreateICmpEQ(next, ir_.CreateLoad(index, end_in_frame)), last, loop);

  ir_.SetInsertPoint(last);
  for (std::size_t i = 0; i < state_.size(); ++i) store(state_[i], 1, i);
  ir_.CreateBr(exit);

  ir_.SetInsertPoint(exit);
  ir_.CreateRetVoid();
  return work;
}

void RungeKuttaEmitter::emit_step() {
  for (std::size_t e = 0; e < size_; ++e) y_[e] = state(e);
  evaluate(y_, t_, 0, true);
  if (!checks_.empty()) {
    emit_soundness({});
    const std::size_t unsound = 2 * size_;
    store(ir_.CreateFAdd(load(1, unsound), ir_.CreateSelect(defined_, constant(0.0), constant(1.0))), 1, unsound);
  }
  for (std::size_t i = 1; i < tableau_.stages(); ++i)
    evaluate_ahead(h_, tableau_.A[i], fused(constant(tableau_.c[i]), h_, t_), i, shares_[i]);
  for (std::size_t e = 0; rolls() && e < size_; ++e) y_[e] = state(e);
  Values lost;
  for (std::size_t e = 0; e < size_; ++e) lost.push_back(ir_.CreateFNeg(state(size_ + e)));
  const Values corrected = displaced(lost, h_, tableau_.b, shares_[0]);
  for (std::size_t e = 0; e < size_; ++e) {
    auto* const reached = ir_.CreateFAdd(y_[e], corrected[e]);
    set_state(size_ + e, ir_.CreateFSub(ir_.CreateFSub(reached, y_[e]), corrected[e]));
    set_state(e, reached);
  }
}

void RungeKuttaEmitter::emit_shares() {
  shares_.push_back(ir_.CreateFMul(constant(tableau_.b.back()), h_));
  for (std::size_t i = 1; i < tableau_.stages(); ++i)
    shares_.push_back(ir_.CreateFMul(constant(tableau_.A[i].back()), h_));
}

llvm::Value* RungeKuttaEmitter::state(std::size_t i) {
  return state_.empty() ? load(1, i) : state_[i];
}

void RungeKuttaEmitter::set_state(std::size_t i, Value* value) {
  if (state_.empty())
    store(value, 1, i);
  else
    state_[i] = value;
}

}  // namespace herglotz::compile
