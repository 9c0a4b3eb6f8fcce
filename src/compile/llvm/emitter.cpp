#include "llvm/emitter.hpp"

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "llvm/cpu.hpp"
#include "llvm/functions.hpp"
#include "tape/sine_and_cosine.hpp"

namespace herglotz::compile {

namespace {

llvm::Type* of_lanes(llvm::Type* scalar, unsigned lanes) {
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

/// Operations on all lanes, for sine_and_cosine_near.
struct Lanes {
  using Number = llvm::Value*;
  llvm::IRBuilder<>& ir;
  llvm::Type* type;

  [[nodiscard]] Number constant(double value) const { return llvm::ConstantFP::get(type, value); }
  [[nodiscard]] Number add(Number a, Number b) const { return ir.CreateFAdd(a, b); }
  [[nodiscard]] Number subtract(Number a, Number b) const { return ir.CreateFSub(a, b); }
  [[nodiscard]] Number multiply(Number a, Number b) const { return ir.CreateFMul(a, b); }
  [[nodiscard]] Number negate(Number a) const { return ir.CreateFNeg(a); }
  [[nodiscard]] Number magnitude(Number a) const { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a); }
  [[nodiscard]] Number fused(Number a, Number b, Number c) const {
    return ir.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c});
  }
  [[nodiscard]] Number bits(Number a) const { return ir.CreateBitCast(a, type->getWithNewType(ir.getInt64Ty())); }
  [[nodiscard]] Number is_odd(Number n) const { return ir.CreateIsNotNull(ir.CreateAnd(n, whole(n, 1))); }
  [[nodiscard]] Number plus_one(Number n) const { return ir.CreateAdd(n, whole(n, 1)); }
  [[nodiscard]] Number choose(Number where, Number a, Number b) const { return ir.CreateSelect(where, a, b); }
  [[nodiscard]] Number second_bit_highest(Number n) const { return ir.CreateShl(n, whole(n, 62)); }
  [[nodiscard]] Number exclusive_or(Number a, Number b) const { return ir.CreateXor(a, b); }
  /// Emits a with the opposite sign if the highest bit of n is set.
  [[nodiscard]] Number flipped(Number a, Number n) const {
    constexpr std::uint64_t highest = 1ULL << 63U;
    auto* const sign = ir.CreateAnd(n, whole(n, highest));
    return ir.CreateBitCast(ir.CreateXor(bits(a), sign), type);
  }
  static Number whole(Number like, std::uint64_t value) { return llvm::ConstantInt::get(like->getType(), value); }
};

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
      width_type_(of_lanes(scalar_, width_)) {}

std::size_t Emitter::emit(const std::string& name) {
  plan();
  auto* const entry = function(name, llvm::Function::ExternalLinkage);
  const std::span<const Store> copies = copies_;
  if (first_.size() == 2 && copies.size() <= chunk_) {
    emit_chunk(0, *entry, copies);
    return 0;
  }
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
  emit_calls(*entry, chunks);
  return slots_ * lanes_;
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
    case Code::select:
      return ir_.CreateSelect(ir_.CreateFCmpOGT(a, operand(1)), operand(2), operand(3));
    case Code::fused_add:
      return fused(a, operand(1), operand(2));
    case Code::fused_subtract:
      return fused(a, operand(1), ir_.CreateFNeg(operand(2)));
    case Code::fused_from:
      return fused(ir_.CreateFNeg(a), operand(1), operand(2));
    case Code::sin:
      return sine_and_cosine_of(operation.operands[0]).first;
    case Code::cos:
      return sine_and_cosine_of(operation.operands[0]).second;
    case Code::atan2:
    case Code::pow:
      return call(operation.code, {a, operand(1)});
    default:
      return call(operation.code, {a});
  }
}

llvm::Value* Emitter::fused(Value* a, Value* b, Value* c) {
  return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {a, b, c});
}

llvm::Value* Emitter::sign(Value* a) {
  auto* const zero = constant(0.0);
  auto* const unless_positive = ir_.CreateSelect(ir_.CreateFCmpOLT(a, zero), constant(-1.0), a);
  return ir_.CreateSelect(ir_.CreateFCmpOGT(a, zero), constant(1.0), unless_positive);
}

llvm::Value* Emitter::part(Value* all, unsigned k) {
  if (lanes_ == width_) return all;
  std::vector<int> lanes;
  for (unsigned lane = 0; lane < width_; ++lane) lanes.push_back(static_cast<int>(k * width_ + lane));
  return ir_.CreateShuffleVector(all, lanes);
}

llvm::Value* Emitter::joined(const std::vector<Value*>& parts) {
  Value* all = parts[0];
  unsigned held = width_;
  for (std::size_t k = 1; k < parts.size(); ++k, held += width_) {
    // Both operands of a shuffle have one width, so the next part is widened first.
    std::vector<int> spread;
    for (unsigned lane = 0; lane < held; ++lane) spread.push_back(lane < width_ ? static_cast<int>(lane) : -1);
    auto* const next = held == width_ ? parts[k] : ir_.CreateShuffleVector(parts[k], spread);
    std::vector<int> lanes;
    for (unsigned lane = 0; lane < held + width_; ++lane) lanes.push_back(static_cast<int>(lane));
    all = ir_.CreateShuffleVector(all, next, lanes);
  }
  return all;
}

llvm::Value* Emitter::call(Code code, const std::vector<Value*>& arguments) {
  std::vector<Value*> results;
  for (unsigned k = 0; k < lanes_ / width_; ++k) {
    std::vector<Value*> parts;
    for (auto* const argument : arguments) parts.push_back(part(argument, k));
    results.push_back(call_width(code, width_type_, parts));
  }
  return joined(results);
}

llvm::CallInst* Emitter::call_width(Code code, llvm::Type* result, const std::vector<Value*>& arguments) {
  std::vector<llvm::Type*> types;
  for (const auto* argument : arguments) types.push_back(argument->getType());
  auto* const signature = llvm::FunctionType::get(result, types, false);
  // The call goes to an address. It needs no relocation, and no stub between the kernel and a library more than 2 GiB
  // away.
  auto* const callee = ir_.CreateIntToPtr(ir_.getInt64(function_address(code)), pointer_);
  auto* const made = ir_.CreateCall(signature, callee, arguments);
  made->setDoesNotThrow();
  if (!result->isVoidTy()) made->setDoesNotAccessMemory();
  return made;
}

std::uint64_t Emitter::function_address(Code code) {
  auto& known = addresses_[code];
  if (known == 0) known = reinterpret_cast<std::uintptr_t>(function_symbol(code, static_cast<int>(width_)).address);
  return known;
}

Emitter::Pair Emitter::sine_and_cosine_of(Index argument) {
  const auto [entry, fresh] = pairs_.try_emplace(argument);
  if (!fresh) return entry->second;
  auto* const of = get(argument);
  return entry->second = cpu_has_fma() ? own_sine_and_cosine(of) : called_sine_and_cosine(of);
}

void Emitter::repeat_few_angles() {
  constexpr std::size_t few = 12;
  std::set<Index> angles;
  for (const auto& operation : tape_.operations)
    if (is_sine_or_cosine(operation.code)) angles.insert(operation.operands[0]);
  angles_in_place_ = angles.size() <= few;
}

Emitter::Pair Emitter::own_sine_and_cosine(Value* argument) {
  const auto called = [&]() -> Pair {
    auto* const both = ir_.CreateCall(sine_and_cosine_function(), {argument});
    return {ir_.CreateExtractValue(both, 0), ir_.CreateExtractValue(both, 1)};
  };
  return angles_in_place_ ? near_sine_and_cosine(argument, [&](auto&&...) { return called(); }) : called();
}

llvm::Function* Emitter::sine_and_cosine_function() {
  const auto name = fmt::format("sine_and_cosine.{}", lanes_);
  if (auto* const known = module_.getFunction(name)) return known;
  auto* const both = llvm::StructType::get(type_, type_);
  auto* const signature = llvm::FunctionType::get(both, {type_}, false);
  auto* const f = llvm::Function::Create(signature, llvm::Function::InternalLinkage, name, module_);
  set_attributes(*f);
  f->setDoesNotAccessMemory();

  const llvm::IRBuilderBase::InsertPointGuard back(ir_);
  auto* const caller = std::exchange(current_, f);
  auto* const result_of_caller = std::exchange(joint_result_, nullptr);
  auto* const argument = f->getArg(0);
  ir_.SetInsertPoint(block());
  const auto [sine, cosine] = near_sine_and_cosine(argument, [&](Value* far, const Pair& near) -> Pair {
    const auto [far_sine, far_cosine] = called_sine_and_cosine(argument);
    // The choice is made for each lane, so that no lane's bits depend on its neighbours.
    return {ir_.CreateSelect(far, far_sine, near.first), ir_.CreateSelect(far, far_cosine, near.second)};
  });
  ir_.CreateAggregateRet(std::array{sine, cosine}.data(), 2);
  current_ = caller;
  joint_result_ = result_of_caller;
  return f;
}

Emitter::Pair Emitter::near_sine_and_cosine(Value* argument,
                                            const std::function<Pair(Value* far, const Pair& near)>& otherwise) {
  const Lanes lanes{ir_, type_};
  const Pair near = sine_and_cosine_near(lanes, argument);
  auto* const far = ir_.CreateFCmpUGT(lanes.magnitude(argument), constant(largest_reduced_angle));
  auto* const somewhere = lanes_ == 1 ? far : ir_.CreateIsNotNull(ir_.CreateBitCast(far, ir_.getIntNTy(lanes_)));
  auto* const usual = ir_.GetInsertBlock();
  auto* const rare = block();
  auto* const end = block();
  ir_.CreateCondBr(somewhere, rare, end, llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
  ir_.SetInsertPoint(rare);
  const Pair other = otherwise(far, near);
  ir_.CreateBr(end);
  ir_.SetInsertPoint(end);
  const auto either = [&](Value* a, Value* b) {
    auto* const value = ir_.CreatePHI(type_, 2);
    value->addIncoming(a, usual);
    value->addIncoming(b, rare);
    return value;
  };
  return {either(near.first, other.first), either(near.second, other.second)};
}

Emitter::Pair Emitter::called_sine_and_cosine(Value* of) {
  std::vector<Value*> sines;
  std::vector<Value*> cosines;
  for (unsigned k = 0; k < lanes_ / width_; ++k) {
    const auto [sine, cosine] = width_ == 1 ? joint_in_registers(part(of, k)) : joint_in_memory(part(of, k));
    sines.push_back(sine);
    cosines.push_back(cosine);
  }
  return {joined(sines), joined(cosines)};
}

/// Calls with the convention for a pair of doubles.
Emitter::Pair Emitter::joint_in_registers(Value* argument) {
  auto* const both = call_width(Code::sin, llvm::StructType::get(scalar_, scalar_), {argument});
  return {ir_.CreateExtractValue(both, 0), ir_.CreateExtractValue(both, 1)};
}

/// Calls with the convention for a pair of vectors: a hidden pointer to the result.
Emitter::Pair Emitter::joint_in_memory(Value* argument) {
  auto* const both = llvm::StructType::get(width_type_, width_type_);
  const llvm::Align align(sizeof(double) * width_);
  if (joint_result_ == nullptr) {
    auto& entry = current_->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    joint_result_ = at_entry.CreateAlloca(both);
    joint_result_->setAlignment(align);
  }
  auto* const made = call_width(Code::sin, ir_.getVoidTy(), {joint_result_, argument});
  made->addParamAttr(0, llvm::Attribute::getWithStructRetType(module_.getContext(), both));
  made->addParamAttr(0, llvm::Attribute::getWithAlignment(module_.getContext(), align));
  made->setOnlyAccessesArgMemory();
  auto* const cosine = ir_.CreateStructGEP(both, joint_result_, 1);
  return {ir_.CreateAlignedLoad(width_type_, joint_result_, align), ir_.CreateAlignedLoad(width_type_, cosine, align)};
}

}  // namespace herglotz::compile
