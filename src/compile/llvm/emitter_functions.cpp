// The part of the emitter that writes elementary functions.

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <set>
#include <utility>

#include "elementary/functions_of.hpp"
#include "llvm/emitter.hpp"
#include "llvm/functions.hpp"
#include "llvm/lanes.hpp"

namespace herglotz::compile {

void Emitter::repeat_few_functions() {
  constexpr std::size_t few = 12;
  std::set<Index> angles;
  std::size_t others = 0;
  for (const auto& operation : tape_.operations) {
    if (is_sine_or_cosine(operation.code))
      angles.insert(operation.operands[0]);
    else if (is_function(operation.code))
      ++others;
  }
  functions_in_place_ = angles.size() + others <= few;
}

llvm::Value* Emitter::fused(Value* a, Value* b, Value* c) {
  return Lanes{ir_, type_}.fused(a, b, c);
}

llvm::Value* Emitter::function_value(Code code, Value* x, Value* y) {
  const auto called = [&]() -> Value* {
    auto* const f = function_of_module(code);
    return arity(code) == 2 ? ir_.CreateCall(f, {x, y}) : ir_.CreateCall(f, {x});
  };
  if (!functions_in_place_) return called();
  auto* const value = function_of(Lanes{ir_, type_}, code, x, y);
  if (code != Code::tan) return value;
  return unless_far(x, {value}, [&](Value*) { return std::vector{called()}; })[0];
}

Emitter::Pair Emitter::sine_and_cosine_of(Index argument) {
  const auto [entry, fresh] = pairs_.try_emplace(argument);
  if (!fresh) return entry->second;
  auto* const of = get(argument);
  const auto called = [&]() -> std::vector<Value*> {
    auto* const both = ir_.CreateCall(function_of_module(Code::sin), {of});
    return {ir_.CreateExtractValue(both, 0), ir_.CreateExtractValue(both, 1)};
  };
  std::vector<Value*> found;
  if (functions_in_place_) {
    const auto [sine, cosine] = sine_and_cosine_near(Lanes{ir_, type_}, of);
    found = unless_far(of, {sine, cosine}, [&](Value*) { return called(); });
  } else {
    found = called();
  }
  return entry->second = {found[0], found[1]};
}

llvm::Value* Emitter::row_of(const symbolic::Table& table, std::size_t row) {
  const auto name = fmt::format("table{:x}.{}", reinterpret_cast<std::uintptr_t>(&table), row);
  if (auto* const known = module_.getNamedGlobal(name)) return known;
  auto* const data = llvm::ConstantDataArray::get(module_.getContext(), table.rows[row]);
  return new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::InternalLinkage, data, name);
}

llvm::Value* Emitter::gathered(Value* row, Value* places) {
  auto* const address = ir_.CreateInBoundsGEP(scalar_, row, places);
  const llvm::Align align(sizeof(double));
  return lanes_ == 1 ? static_cast<Value*>(ir_.CreateAlignedLoad(type_, address, align))
                     : ir_.CreateMaskedGather(type_, address, align);
}

/// The search halves the pieces left, with the same comparisons in every lane.
llvm::Value* Emitter::piece(const symbolic::Table& table, Value* t) {
  auto* const starts = row_of(table, 0);
  auto* const whole = ir_.getInt32Ty();
  const auto number = [&](std::size_t n) { return everywhere(llvm::ConstantInt::get(whole, n)); };
  Value* found = number(0);
  for (std::size_t left = table.pieces(); left > 1;) {
    const std::size_t half = left / 2;
    auto* const next = ir_.CreateAdd(found, number(half));
    found = ir_.CreateSelect(ir_.CreateFCmpOGE(t, gathered(starts, next)), next, found);
    left -= half;
  }
  return ir_.CreateSIToFP(found, type_);
}

llvm::Value* Emitter::entry(const symbolic::Table& table, std::size_t row, Value* piece) {
  auto* const places = ir_.CreateFPToSI(piece, lanes_ == 1 ? static_cast<llvm::Type*>(ir_.getInt32Ty())
                                                           : llvm::FixedVectorType::get(ir_.getInt32Ty(), lanes_));
  return gathered(row_of(table, row), places);
}

llvm::Function* Emitter::function_of_module(Code code) {
  const bool joint = is_sine_or_cosine(code);
  const auto name = fmt::format("function{}.{}", static_cast<int>(joint ? Code::sin : code), lanes_);
  if (auto* const known = module_.getFunction(name)) return known;
  llvm::Type* const result = joint ? llvm::StructType::get(type_, type_) : type_;
  const std::vector<llvm::Type*> arguments(static_cast<std::size_t>(arity(code)), type_);
  auto* const f = llvm::Function::Create(llvm::FunctionType::get(result, arguments, false),
                                         llvm::Function::InternalLinkage, name, module_);
  set_attributes(*f);
  f->setDoesNotAccessMemory();

  const llvm::IRBuilderBase::InsertPointGuard back(ir_);
  auto* const caller = std::exchange(current_, f);
  auto* const result_of_caller = std::exchange(joint_result_, nullptr);
  ir_.SetInsertPoint(block());
  const Lanes lanes{ir_, type_};
  auto* const x = f->getArg(0);
  // The choice is made for each lane, so that no lane's bits depend on its neighbours.
  if (joint) {
    const auto [sine, cosine] = sine_and_cosine_near(lanes, x);
    const std::vector<Value*> near{sine, cosine};
    const auto found = unless_far(x, near, [&](Value* far) -> std::vector<Value*> {
      const auto [far_sine, far_cosine] = called_sine_and_cosine(x);
      return {ir_.CreateSelect(far, far_sine, near[0]), ir_.CreateSelect(far, far_cosine, near[1])};
    });
    ir_.CreateAggregateRet(found.data(), 2);
  } else {
    auto* const near = function_of(lanes, code, x, f->getArg(static_cast<unsigned>(arity(code)) - 1));
    const auto chosen = [&](Value* far) { return std::vector{ir_.CreateSelect(far, called_tangent(x), near)}; };
    ir_.CreateRet(code == Code::tan ? unless_far(x, {near}, chosen)[0] : near);
  }
  current_ = caller;
  joint_result_ = result_of_caller;
  return f;
}

std::vector<llvm::Value*> Emitter::unless_far(Value* argument, const std::vector<Value*>& near,
                                              const std::function<std::vector<Value*>(Value* far)>& far_from) {
  auto* const far = ir_.CreateFCmpUGT(Lanes{ir_, type_}.magnitude(argument), constant(largest_reduced_angle));
  auto* const somewhere = lanes_ == 1 ? far : ir_.CreateIsNotNull(ir_.CreateBitCast(far, ir_.getIntNTy(lanes_)));
  auto* const usual = ir_.GetInsertBlock();
  auto* const rare = block();
  auto* const end = block();
  ir_.CreateCondBr(somewhere, rare, end, llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
  ir_.SetInsertPoint(rare);
  const auto others = far_from(far);
  ir_.CreateBr(end);
  ir_.SetInsertPoint(end);
  std::vector<Value*> found;
  for (std::size_t k = 0; k < near.size(); ++k) {
    auto* const value = ir_.CreatePHI(type_, 2);
    value->addIncoming(near[k], usual);
    value->addIncoming(others[k], rare);
    found.push_back(value);
  }
  return found;
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

llvm::Value* Emitter::called_tangent(Value* of) {
  if (!has_far_functions_) return constant(undefined);
  std::vector<Value*> results;
  for (unsigned k = 0; k < lanes_ / width_; ++k) {
    auto* const made = call_width(Code::tan, width_type_, {part(of, k)});
    made->setDoesNotAccessMemory();
    results.push_back(made);
  }
  return joined(results);
}

Emitter::Pair Emitter::called_sine_and_cosine(Value* of) {
  if (!has_far_functions_) return {constant(undefined), constant(undefined)};
  std::vector<Value*> sines;
  std::vector<Value*> cosines;
  for (unsigned k = 0; k < lanes_ / width_; ++k) {
    const auto [sine, cosine] = width_ == 1 ? joint_in_registers(part(of, k)) : joint_in_memory(part(of, k));
    sines.push_back(sine);
    cosines.push_back(cosine);
  }
  return {joined(sines), joined(cosines)};
}

llvm::CallInst* Emitter::call_width(Code code, llvm::Type* result, const std::vector<Value*>& arguments) {
  std::vector<llvm::Type*> types;
  for (const auto* argument : arguments) types.push_back(argument->getType());
  auto* const signature = llvm::FunctionType::get(result, types, false);
  // The call goes to an address. It needs no relocation, and no stub between the kernel and a library more than 2 GiB
  // away.
  const auto address = reinterpret_cast<std::uintptr_t>(far_function(code, static_cast<int>(width_)));
  auto* const made = ir_.CreateCall(signature, ir_.CreateIntToPtr(ir_.getInt64(address), pointer_), arguments);
  made->setDoesNotThrow();
  return made;
}

/// Calls with the convention for a pair of doubles.
Emitter::Pair Emitter::joint_in_registers(Value* argument) {
  auto* const both = call_width(Code::sin, llvm::StructType::get(scalar_, scalar_), {argument});
  both->setDoesNotAccessMemory();
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
