#include "sites/site_emitter.hpp"

#include <algorithm>
#include <cstddef>

namespace herglotz::compile {

using kernel::SiteLoop;

SiteEmitter::SiteEmitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape,
                         const SiteProgram& program, int width)
    : Emitter(module, target, tape, static_cast<int>(SiteLoop::block), width, tape.operations.size() + 1),
      program_(program) {
  std::size_t at = 0;
  for (const SitePhase& phase : program.phases) {
    first_output_.push_back(at);
    at += phase.outputs;
  }
  first_output_.push_back(at);
  for (std::size_t k = 0; k < program.phases.size(); ++k) {
    Tape part = tape;
    part.outputs.assign(tape.outputs.begin() + static_cast<std::ptrdiff_t>(first_output_[k]),
                        tape.outputs.begin() + static_cast<std::ptrdiff_t>(first_output_[k + 1]));
    of_phase_.push_back(needed(part, part.outputs.size()));
  }
}

llvm::Value* SiteEmitter::field(std::size_t offset) {
  auto* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), current_->getArg(4), offset);
  return ir_.CreateAlignedLoad(ir_.getInt64Ty(), at, llvm::Align(8));
}

llvm::Value* SiteEmitter::place(std::size_t array, Value* at, std::int64_t offset) {
  auto* const site = offset == 0 ? at : ir_.CreateAdd(at, ir_.getInt64(static_cast<std::uint64_t>(offset)));
  return ir_.CreateInBoundsGEP(scalar_, arrays_[array], site);
}

void SiteEmitter::write(const SiteWrite& how, Value* value, Value* at, bool partly) {
  const llvm::Align align(sizeof(double));
  const auto splat = [&](Value* scalar) { return ir_.CreateVectorSplat(lanes_, scalar); };
  const auto sites = [&] { return ir_.CreateAdd(splat(at), sites_); };
  const auto put = [&](std::size_t array, Value* what) {
    auto* const to = place(array, at, 0);
    if (!partly)
      ir_.CreateAlignedStore(what, to, align);
    else
      ir_.CreateMaskedStore(what, to, align, ir_.CreateICmpULT(sites(), splat(last_)));
  };
  if (how.how == SiteWrite::How::store) {
    put(how.array, value);
    return;
  }
  if (how.how == SiteWrite::How::sum) {
    auto* const from_first = ir_.CreateSub(sites(), splat(inside_first_));
    auto* const inside = ir_.CreateICmpULT(from_first, splat(ir_.CreateSub(inside_last_, inside_first_)));
    auto* const to = address(3, how.array);
    auto* const before = ir_.CreateAlignedLoad(type_, to, align);
    auto* const term = ir_.CreateSelect(inside, value, llvm::Constant::getNullValue(type_));
    ir_.CreateAlignedStore(ir_.CreateFAdd(before, term), to, align);
    return;
  }
  auto* const before = ir_.CreateAlignedLoad(type_, place(how.array, at, 0), align);
  auto* const lost = ir_.CreateAlignedLoad(type_, place(how.lost, at, 0), align);
  auto* const corrected = ir_.CreateFSub(value, lost);
  auto* const after = ir_.CreateFAdd(before, corrected);
  put(how.array, after);
  put(how.lost, ir_.CreateFSub(ir_.CreateFSub(after, before), corrected));
}

void SiteEmitter::emit_phase(std::size_t phase, Value* at, bool partly) {
  chunk_now_ = ++chunks_;
  pairs_.clear();
  bound_.assign(tape_.variables, nullptr);
  const auto& used = of_phase_[phase];
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    const auto& operation = tape_.operations[i];
    if (!used[i] || operation.code != Code::variable) continue;
    const SiteRead& read = program_.reads[operation.operands[0]];
    bound_[operation.operands[0]] =
        ir_.CreateAlignedLoad(type_, place(read.array, at, read.offset), llvm::Align(sizeof(double)));
  }
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    if (!used[i] || is_leaf(tape_.operations[i].code) || known_in_[i] == anywhere) continue;
    remember(i, compute(tape_.operations[i]));
  }
  for (std::size_t k = first_output_[phase]; k < first_output_[phase + 1]; ++k)
    write(program_.writes[k], get(tape_.outputs[k]), at, partly);
}

template <class Body>
llvm::Value* SiteEmitter::emit_blocks(Value* begin, Value* end, const Body& body) {
  auto* const before = ir_.GetInsertBlock();
  auto* const head = block();
  auto* const inner = block();
  auto* const after = block();
  ir_.CreateBr(head);
  ir_.SetInsertPoint(head);
  auto* const at = ir_.CreatePHI(ir_.getInt64Ty(), 2);
  at->addIncoming(begin, before);
  ir_.CreateCondBr(ir_.CreateICmpSLT(at, end), inner, after);
  ir_.SetInsertPoint(inner);
  body(at);
  at->addIncoming(ir_.CreateAdd(at, ir_.getInt64(SiteLoop::block)), ir_.GetInsertBlock());
  ir_.CreateBr(head);
  ir_.SetInsertPoint(after);
  return at;
}

void SiteEmitter::emit_loop(const std::string& name) {
  plan();
  repeat_few_functions();
  current_ = function(name, llvm::Function::ExternalLinkage);
  ir_.SetInsertPoint(block());
  using Range = SiteLoop::Range;
  auto* const first = field(offsetof(Range, first));
  last_ = field(offsetof(Range, last));
  inside_first_ = field(offsetof(Range, inside_first));
  inside_last_ = field(offsetof(Range, inside_last));
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes_; ++lane) numbers.push_back(ir_.getInt64(lane));
  sites_ = llvm::ConstantVector::get(numbers);
  for (std::size_t k = 0; k < program_.arrays; ++k)
    arrays_.push_back(ir_.CreateAlignedLoad(pointer_, ir_.CreateConstInBoundsGEP1_64(pointer_, current_->getArg(1), k),
                                            llvm::Align(sizeof(void*))));
  emit_fixed();

  const auto sites_ahead = [&](std::size_t phase) {
    return ir_.getInt64(program_.phases[phase].ahead * SiteLoop::block);
  };
  std::size_t most = 0;
  for (std::size_t k = 0; k < program_.phases.size(); ++k) {
    most = std::max(most, program_.phases[k].ahead);
    if (program_.phases[k].ahead == 0) continue;
    emit_blocks(first, ir_.CreateAdd(first, sites_ahead(k)), [&](Value* at) { emit_phase(k, at, true); });
  }
  const auto all = [&](bool partly) {
    return [this, partly, &sites_ahead](Value* at) {
      for (std::size_t k = 0; k < program_.phases.size(); ++k) emit_phase(k, ir_.CreateAdd(at, sites_ahead(k)), partly);
    };
  };
  // Blocks that are visited as a whole in every phase come first.
  auto* const whole = ir_.CreateSub(last_, ir_.getInt64((most + 1) * SiteLoop::block - 1));
  auto* const reached = emit_blocks(first, whole, all(false));
  emit_blocks(reached, last_, all(true));
  ir_.CreateRetVoid();
}

}  // namespace herglotz::compile
