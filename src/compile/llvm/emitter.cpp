#include "llvm/emitter.hpp"

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace herglotz::compile {

namespace {

llvm::Type* of_lanes(llvm::Type* scalar, unsigned lanes) {
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

}  // namespace

Emitter::Emitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape, int lanes, int width,
                 std::size_t chunk)
    : module_(module),
      target_(target),
      tape_(tape),
      lanes_(static_cast<unsigned>(lanes)),
      width_(static_cast<unsigned>(width)),
      chunk_(chunk),
      ir_(module.getContext()),
      scalar_(ir_.getDoubleTy()),
      type_(of_lanes(scalar_, lanes_)),
      pointer_(ir_.getPtrTy()),
      width_type_(of_lanes(scalar_, width_)),
      has_far_functions_(!target.getTargetTriple().isWasm()) {}

std::size_t Emitter::emit(const std::string& name) {
  plan();
  auto* const entry = function(name, llvm::Function::ExternalLinkage);
  if (first_.size() == 2 && copies_.size() <= chunk_) {
    emit_chunk(0, *entry, copies_);
    return 0;
  }
  const auto constants = take_constants();
  const std::span<const Store> copies = copies_;
  std::vector<llvm::Function*> chunks;
  const auto next = [&]() -> llvm::Function& {
    chunks.push_back(function(fmt::format("{}.{}", name, chunks.size()), llvm::Function::InternalLinkage));
    return *chunks.back();
  };
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) emit_chunk(i, next(), {});
  const std::size_t none = first_.size() - 1;  // a chunk without operations
  first_.push_back(first_.back());
  for (std::size_t k = 0; k < copies.size(); k += chunk_)
    emit_chunk(none, next(), copies.subspan(k, std::min(chunk_, copies.size() - k)));
  for (std::size_t k = 0; k < constants.size(); k += chunk_)
    emit_constants(next(), std::span(constants).subspan(k, std::min(chunk_, constants.size() - k)));
  emit_calls(*entry, chunks);
  return slots_ * lanes_;
}

std::vector<Emitter::Constants> Emitter::take_constants() {
  constexpr std::size_t fewest = 8;
  std::vector<Constants> runs;
  std::vector<Store> others;
  for (std::size_t k = 0; k < copies_.size();) {
    Constants run{copies_[k].output, {}};
    std::size_t end = k;
    for (; end < copies_.size() && copies_[end].output == run.first + (end - k); ++end) {
      const auto& operation = tape_.operations[copies_[end].source];
      if (operation.code != Code::constant) break;
      run.values.push_back(operation.value);
    }
    if (run.values.size() >= fewest) {
      runs.push_back(std::move(run));
    } else {
      end = std::max(end, k + 1);
      others.insert(others.end(), copies_.begin() + static_cast<std::ptrdiff_t>(k),
                    copies_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    k = end;
  }
  copies_ = std::move(others);
  return runs;
}

void Emitter::emit_constants(llvm::Function& f, std::span<const Constants> runs) {
  current_ = &f;
  auto* const index = ir_.getInt64Ty();
  ir_.SetInsertPoint(block());
  for (const auto& [first, values] : runs) {
    auto* const data = llvm::ConstantDataArray::get(module_.getContext(), values);
    auto* const table =
        new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data);
    auto* const before = ir_.GetInsertBlock();
    auto* const loop = block();
    auto* const after = block();
    ir_.CreateBr(loop);
    ir_.SetInsertPoint(loop);
    auto* const i = ir_.CreatePHI(index, 2);
    auto* const value = ir_.CreateAlignedLoad(scalar_, ir_.CreateInBoundsGEP(scalar_, table, i), llvm::Align(8));
    auto* const place = ir_.CreateMul(ir_.CreateAdd(i, ir_.getInt64(first)), ir_.getInt64(lanes_));
    ir_.CreateAlignedStore(everywhere(value), ir_.CreateInBoundsGEP(scalar_, f.getArg(3), place), llvm::Align(8));
    auto* const following = ir_.CreateAdd(i, ir_.getInt64(1));
    i->addIncoming(ir_.getInt64(0), before);
    i->addIncoming(following, loop);
    ir_.CreateCondBr(ir_.CreateICmpEQ(following, ir_.getInt64(values.size())), after, loop);
    ir_.SetInsertPoint(after);
  }
  ir_.CreateRetVoid();
}

void Emitter::plan() {
  const auto count = tape_.operations.size();
  std::vector<std::size_t> chunk_of(count);
  slot_.assign(count, nowhere);
  values_.assign(count, nullptr);
  known_in_.assign(count, nowhere);
  stores_.resize(count);
  for (std::size_t k = 0; k < tape_.outputs.size(); ++k) {
    const Index source = tape_.outputs[k];
    if (is_leaf(tape_.operations[source].code))
      copies_.push_back({source, k});
    else
      stores_[source].push_back(k);
  }
  first_ = {0};
  std::size_t done = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& operation = tape_.operations[i];
    if (!is_leaf(operation.code) && done++ == chunk_) {
      first_.push_back(i);
      done = 1;
    }
    chunk_of[i] = first_.size();
    for (int k = 0; k < arity(operation.code); ++k) {
      const auto operand = operation.operands[static_cast<std::size_t>(k)];
      if (is_leaf(tape_.operations[operand].code) || chunk_of[operand] == chunk_of[i]) continue;
      if (slot_[operand] == nowhere) slot_[operand] = slots_++;
    }
  }
  first_.push_back(count);
}

llvm::Function* Emitter::function(const std::string& name, llvm::Function::LinkageTypes linkage) {
  // (context, u, p, out, work)
  auto* const signature = llvm::FunctionType::get(ir_.getVoidTy(), std::vector<llvm::Type*>(5, pointer_), false);
  auto* const f = llvm::Function::Create(signature, linkage, name, module_);
  set_attributes(*f);
  for (auto& argument : f->args()) argument.addAttr(llvm::Attribute::NoAlias);
  for (const unsigned input : {1U, 2U}) f->getArg(input)->addAttr(llvm::Attribute::ReadOnly);
  return f;
}

void Emitter::set_attributes(llvm::Function& f) {
  f.setDSOLocal(true);
  f.setDoesNotThrow();
  f.addFnAttr(llvm::Attribute::NoInline);
  f.addFnAttr("target-cpu", target_.getTargetCPU());
  f.addFnAttr("target-features", target_.getTargetFeatureString());
  if (width_ == 8) f.addFnAttr("prefer-vector-width", "512");
}

llvm::BasicBlock* Emitter::block() {
  return llvm::BasicBlock::Create(module_.getContext(), "", current_);
}

void Emitter::emit_calls(llvm::Function& entry, std::span<llvm::Function* const> chunks) {
  ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", &entry));
  std::vector<Value*> arguments;
  for (auto& argument : entry.args()) arguments.push_back(&argument);
  for (auto* const chunk : chunks) ir_.CreateCall(chunk, arguments);
  ir_.CreateRetVoid();
}

void Emitter::emit_chunk(std::size_t chunk, llvm::Function& f, std::span<const Store> copies) {
  current_ = &f;
  // Each function has a number of its own, since it cannot use the values of another function.
  chunk_now_ = functions_++;
  pairs_.clear();
  joint_result_ = nullptr;
  ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", &f));
  for (auto i = first_[chunk]; i < first_[chunk + 1]; ++i) {
    if (is_leaf(tape_.operations[i].code)) continue;  // loaded where it is first used
    auto* const value = compute(tape_.operations[i]);
    remember(i, value);
    if (slot_[i] != nowhere) store(value, 4, slot_[i]);
    for (const auto output : stores_[i]) store(value, 3, output);
  }
  for (const auto& [source, output] : copies) store(get(source), 3, output);
  ir_.CreateRetVoid();
}

void Emitter::emit_fixed() {
  const auto varies = varying(tape_);
  chunk_now_ = anywhere;
  for (std::size_t i = 0; i < tape_.operations.size(); ++i) {
    if (varies[i] || tape_.operations[i].code == Code::constant) continue;
    remember(i, is_leaf(tape_.operations[i].code) ? get(i) : compute(tape_.operations[i]));
  }
  pairs_.clear();
  chunk_now_ = 0;
}

llvm::Value* Emitter::get(std::size_t i) {
  if (known_in_[i] == chunk_now_ || known_in_[i] == anywhere) return values_[i];
  const auto& operation = tape_.operations[i];
  Value* value = nullptr;
  switch (operation.code) {
    case Code::constant:
      value = constant(operation.value);
      break;
    case Code::variable:
      value = bound_.empty() ? load(1, operation.operands[0]) : bound_[operation.operands[0]];
      break;
    case Code::parameter:
      value = load(2, operation.operands[0]);
      break;
    default:
      value = load(4, slot_[i]);
  }
  remember(i, value);
  return value;
}

llvm::Value* Emitter::address(unsigned argument, std::size_t entry) {
  return ir_.CreateConstInBoundsGEP1_64(scalar_, current_->getArg(argument), entry * lanes_);
}

llvm::Value* Emitter::load(unsigned argument, std::size_t entry) {
  return ir_.CreateAlignedLoad(type_, address(argument, entry), llvm::Align(sizeof(double)));
}

void Emitter::store(Value* value, unsigned argument, std::size_t entry) {
  ir_.CreateAlignedStore(value, address(argument, entry), llvm::Align(sizeof(double)));
}

llvm::Value* Emitter::compute(const Operation& operation) {
  const auto operand = [&](std::size_t k) { return get(operation.operands[k]); };
  auto* const a = operand(0);
  switch (operation.code) {
    case Code::add:
      return ir_.CreateFAdd(a, operand(1));
    case Code::subtract:
      return ir_.CreateFSub(a, operand(1));
    case Code::multiply:
      return ir_.CreateFMul(a, operand(1));
    case Code::divide:
      return ir_.CreateFDiv(a, operand(1));
    case Code::negate:
      return ir_.CreateFNeg(a);
    case Code::square_root:
      return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    case Code::absolute:
      return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
    case Code::sign:
      return sign(a);
    case Code::floor:
      return ir_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, a);
    case Code::select:
      return ir_.CreateSelect(ir_.CreateFCmpOGT(a, operand(1)), operand(2), operand(3));
    case Code::fused_add:
      return fused(a, operand(1), operand(2));
    case Code::fused_subtract:
      return fused(a, operand(1), ir_.CreateFNeg(operand(2)));
    case Code::fused_from:
      return fused(ir_.CreateFNeg(a), operand(1), operand(2));
    case Code::piece:
      return piece(*tape_.tables[operation.operands[1]], a);
    case Code::entry:
      return entry(*tape_.tables[operation.operands[1]], operation.operands[2], a);
    case Code::sin:
      return sine_and_cosine_of(operation.operands[0]).first;
    case Code::cos:
      return sine_and_cosine_of(operation.operands[0]).second;
    default:
      return function_value(operation.code, a, arity(operation.code) == 2 ? operand(1) : a);
  }
}

llvm::Value* Emitter::sign(Value* a) {
  auto* const zero = constant(0.0);
  auto* const unless_positive = ir_.CreateSelect(ir_.CreateFCmpOLT(a, zero), constant(-1.0), a);
  return ir_.CreateSelect(ir_.CreateFCmpOGT(a, zero), constant(1.0), unless_positive);
}

}  // namespace herglotz::compile
