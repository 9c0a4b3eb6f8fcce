#include "llvm/step_loop_emitter.hpp"

#include <cstddef>

#include "herglotz/kernel/step_loop.hpp"

namespace herglotz::compile {

void StepLoopEmitter::emit_loop(const std::string& name, std::size_t unread) {
  plan();
  current_ = function(name, llvm::Function::ExternalLinkage);
  current_->getArg(1)->removeAttr(llvm::Attribute::ReadOnly);
  auto* const entry = block();
  auto* const loop = block();
  auto* const exit = block();
  const std::size_t sums = tape_.outputs.size();
  const std::size_t read = sums - unread;
  auto* const index = ir_.getInt64Ty();

  ir_.SetInsertPoint(entry);
  std::vector<Value*> begin;
  for (std::size_t i = 0; i < 2 * sums; ++i) begin.push_back(load(1, i));
  const auto field = [&](std::size_t offset, llvm::Type* type) {
    auto* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), current_->getArg(4), offset);
    return ir_.CreateAlignedLoad(type, at, llvm::Align(8));
  };
  using Steps = kernel::StepLoop::Steps;
  auto* const t0 = field(offsetof(Steps, t0), scalar_);
  auto* const h = field(offsetof(Steps, h), scalar_);
  auto* const first = field(offsetof(Steps, first), index);
  auto* const end = ir_.CreateAdd(first, field(offsetof(Steps, count), index));
  auto* const substeps = field(offsetof(Steps, substeps), index);
  auto* const idle = ir_.CreateOr(ir_.CreateICmpEQ(first, end), ir_.CreateICmpEQ(substeps, ir_.getInt64(0)));
  ir_.CreateCondBr(idle, exit, loop);

  ir_.SetInsertPoint(loop);
  auto* const k = ir_.CreatePHI(index, 2);
  auto* const s = ir_.CreatePHI(index, 2);
  std::vector<llvm::PHINode*> state;
  for (std::size_t i = 0; i < 2 * sums; ++i) state.push_back(ir_.CreatePHI(type_, 2));
  auto* const later = ir_.CreateFAdd(t0, ir_.CreateFMul(ir_.CreateUIToFP(k, scalar_), h));
  auto* const t_step = ir_.CreateSelect(ir_.CreateICmpEQ(k, ir_.getInt64(0)), t0, later);
  const std::size_t entries = tape_.variables - read;
  auto* const row =
      ir_.CreateInBoundsGEP(scalar_, current_->getArg(3), ir_.CreateMul(s, ir_.getInt64(entries * lanes_)));
  bound_.assign(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(read));
  for (std::size_t i = 0; i < entries; ++i)
    bound_.push_back(ir_.CreateAlignedLoad(type_, ir_.CreateConstInBoundsGEP1_64(scalar_, row, i * lanes_),
                                           llvm::Align(sizeof(double))));
  bound_[read] = ir_.CreateFAdd(everywhere(t_step), bound_[read]);
  for (std::size_t i = 0; i < tape_.operations.size(); ++i)
    if (!is_leaf(tape_.operations[i].code)) remember(i, compute(tape_.operations[i]));
  std::vector<Value*> next(2 * sums);
  for (std::size_t i = 0; i < sums; ++i) {
    auto* const corrected = ir_.CreateFSub(get(tape_.outputs[i]), state[sums + i]);
    next[i] = ir_.CreateFAdd(state[i], corrected);
    next[sums + i] = ir_.CreateFSub(ir_.CreateFSub(next[i], state[i]), corrected);
  }
  auto* const following = ir_.CreateAdd(s, ir_.getInt64(1));
  auto* const wraps = ir_.CreateICmpEQ(following, substeps);
  auto* const next_s = ir_.CreateSelect(wraps, ir_.getInt64(0), following);
  auto* const next_k = ir_.CreateAdd(k, ir_.CreateZExt(wraps, index));
  auto* const back = ir_.GetInsertBlock();
  ir_.CreateCondBr(ir_.CreateICmpEQ(next_k, end), exit, loop);
  k->addIncoming(first, entry);
  k->addIncoming(next_k, back);
  s->addIncoming(ir_.getInt64(0), entry);
  s->addIncoming(next_s, back);

  ir_.SetInsertPoint(exit);
  for (std::size_t i = 0; i < 2 * sums; ++i) {
    state[i]->addIncoming(begin[i], entry);
    state[i]->addIncoming(next[i], back);
    auto* const last = ir_.CreatePHI(type_, 2);
    last->addIncoming(begin[i], entry);
    last->addIncoming(next[i], back);
    next[i] = last;
  }
  for (std::size_t i = 0; i < 2 * sums; ++i) store(next[i], 1, i);
  ir_.CreateRetVoid();
}

}  // namespace herglotz::compile
