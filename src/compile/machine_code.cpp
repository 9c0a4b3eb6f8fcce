#include "machine_code.hpp"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "functions.hpp"
#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {

namespace {

using llvm::Value;
using Index = std::uint32_t;

template <class T>
T checked(llvm::Expected<T> result) {
  if (!result) throw CompileError("LLVM: " + llvm::toString(result.takeError()));
  return std::move(*result);
}

void checked(llvm::Error error) {
  if (error) throw CompileError("LLVM: " + llvm::toString(std::move(error)));
}

/// The IR of one tape: an entry function, and chunks that it calls when there is more than one.
class Emitter {
 public:
  Emitter(llvm::Module& module, const llvm::TargetMachine& target, const Tape& tape, int lanes, std::size_t chunk)
      : module_(module),
        target_(target),
        tape_(tape),
        lanes_(static_cast<unsigned>(lanes)),
        chunk_(chunk),
        ir_(module.getContext()),
        scalar_(ir_.getDoubleTy()),
        type_(lanes == 1 ? scalar_ : llvm::FixedVectorType::get(scalar_, lanes_)),
        pointer_(ir_.getPtrTy()) {}

  /// void (context, state, p, substeps, steps): see kernel::StepLoop. The state is in registers along the loop.
  void emit_loop(const std::string& name, std::size_t unread) {
    plan();
    current_ = function(name, llvm::Function::ExternalLinkage);
    current_->getArg(1)->removeAttr(llvm::Attribute::ReadOnly);
    auto& context = module_.getContext();
    auto* const entry = llvm::BasicBlock::Create(context, "", current_);
    auto* const loop = llvm::BasicBlock::Create(context, "", current_);
    auto* const exit = llvm::BasicBlock::Create(context, "", current_);
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
    auto* const everywhere = lanes_ == 1 ? t_step : ir_.CreateVectorSplat(lanes_, t_step);
    bound_[read] = ir_.CreateFAdd(everywhere, bound_[read]);
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

  /// Returns the doubles of scratch the code needs.
  std::size_t emit(const std::string& name) {
    plan();
    auto* const entry = function(name, llvm::Function::ExternalLinkage);
    if (first_.size() == 2) {
      emit_chunk(0, *entry);
      return 0;
    }
    std::vector<llvm::Function*> chunks;
    for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
      chunks.push_back(function(fmt::format("{}.{}", name, i), llvm::Function::InternalLinkage));
      emit_chunk(i, *chunks.back());
    }
    emit_calls(*entry, chunks);
    return slots_ * lanes_;
  }

 private:
  static constexpr auto nowhere = std::numeric_limits<std::size_t>::max();

  /// Cuts the tape into chunks, and gives every value used in a later chunk a slot of the work buffer.
  void plan() {
    const auto count = tape_.operations.size();
    std::vector<std::size_t> chunk_of(count);
    slot_.assign(count, nowhere);
    values_.assign(count, nullptr);
    known_in_.assign(count, nowhere);
    stores_.resize(count);
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
    for (std::size_t k = 0; k < tape_.outputs.size(); ++k) stores_[tape_.outputs[k]].push_back(k);
  }

  llvm::Function* function(const std::string& name, llvm::Function::LinkageTypes linkage) {
    // (context, u, p, out, work)
    auto* const signature = llvm::FunctionType::get(ir_.getVoidTy(), std::vector<llvm::Type*>(5, pointer_), false);
    auto* const f = llvm::Function::Create(signature, linkage, name, module_);
    f->setDSOLocal(true);
    f->setDoesNotThrow();
    f->addFnAttr(llvm::Attribute::NoInline);
    f->addFnAttr("target-cpu", target_.getTargetCPU());
    f->addFnAttr("target-features", target_.getTargetFeatureString());
    if (lanes_ == 8) f->addFnAttr("prefer-vector-width", "512");
    for (auto& argument : f->args()) argument.addAttr(llvm::Attribute::NoAlias);
    for (const unsigned input : {1U, 2U}) f->getArg(input)->addAttr(llvm::Attribute::ReadOnly);
    return f;
  }

  void emit_calls(llvm::Function& entry, std::span<llvm::Function* const> chunks) {
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", &entry));
    std::vector<Value*> arguments;
    for (auto& argument : entry.args()) arguments.push_back(&argument);
    for (auto* const chunk : chunks) ir_.CreateCall(chunk, arguments);
    ir_.CreateRetVoid();
  }

  void emit_chunk(std::size_t chunk, llvm::Function& f) {
    current_ = &f;
    chunk_now_ = chunk;
    pairs_.clear();
    joint_result_ = nullptr;
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", &f));
    for (auto i = first_[chunk]; i < first_[chunk + 1]; ++i) {
      const bool leaf = is_leaf(tape_.operations[i].code);
      if (leaf && stores_[i].empty()) continue;  // loaded where it is first used
      auto* const value = leaf ? get(i) : compute(tape_.operations[i]);
      remember(i, value);
      if (slot_[i] != nowhere) store(value, 4, slot_[i]);
      for (const auto output : stores_[i]) store(value, 3, output);
    }
    ir_.CreateRetVoid();
  }

  void remember(std::size_t i, Value* value) {
    values_[i] = value;
    known_in_[i] = chunk_now_;
  }

  Value* get(std::size_t i) {
    if (known_in_[i] == chunk_now_) return values_[i];
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

  Value* address(unsigned argument, std::size_t entry) {
    return ir_.CreateConstInBoundsGEP1_64(scalar_, current_->getArg(argument), entry * lanes_);
  }

  Value* load(unsigned argument, std::size_t entry) {
    return ir_.CreateAlignedLoad(type_, address(argument, entry), llvm::Align(sizeof(double)));
  }

  void store(Value* value, unsigned argument, std::size_t entry) {
    ir_.CreateAlignedStore(value, address(argument, entry), llvm::Align(sizeof(double)));
  }

  Value* constant(double value) { return llvm::ConstantFP::get(type_, value); }

  Value* compute(const Operation& operation) {
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
      case Code::sin:
        return sine_and_cosine_of(operation.operands[0]).first;
      case Code::cos:
        return sine_and_cosine_of(operation.operands[0]).second;
      case Code::atan2:
      case Code::pow:
        return call(operation.code, type_, {a, operand(1)});
      default:
        return call(operation.code, type_, {a});
    }
  }

  Value* sign(Value* a) {
    auto* const zero = constant(0.0);
    auto* const unless_positive = ir_.CreateSelect(ir_.CreateFCmpOLT(a, zero), constant(-1.0), a);
    return ir_.CreateSelect(ir_.CreateFCmpOGT(a, zero), constant(1.0), unless_positive);
  }

  llvm::CallInst* call(Code code, llvm::Type* result, const std::vector<Value*>& arguments) {
    std::vector<llvm::Type*> types;
    for (const auto* argument : arguments) types.push_back(argument->getType());
    auto* const signature = llvm::FunctionType::get(result, types, false);
    // By address: no relocation, and no stub between the kernel and a library further than 2 GiB away.
    auto* const callee = ir_.CreateIntToPtr(ir_.getInt64(function_address(code)), pointer_);
    auto* const made = ir_.CreateCall(signature, callee, arguments);
    made->setDoesNotThrow();
    if (!result->isVoidTy()) made->setDoesNotAccessMemory();
    return made;
  }

  std::uint64_t function_address(Code code) {
    auto& known = addresses_[code];
    if (known == 0) known = reinterpret_cast<std::uintptr_t>(function_symbol(code, static_cast<int>(lanes_)).address);
    return known;
  }

  std::pair<Value*, Value*> sine_and_cosine_of(Index argument) {
    const auto [entry, fresh] = pairs_.try_emplace(argument);
    if (fresh) entry->second = lanes_ == 1 ? joint_in_registers(get(argument)) : joint_in_memory(get(argument));
    return entry->second;
  }

  /// The calling convention of a pair of doubles.
  std::pair<Value*, Value*> joint_in_registers(Value* argument) {
    auto* const both = call(Code::sin, llvm::StructType::get(scalar_, scalar_), {argument});
    return {ir_.CreateExtractValue(both, 0), ir_.CreateExtractValue(both, 1)};
  }

  /// The calling convention of a pair of vectors: a hidden pointer to the result.
  std::pair<Value*, Value*> joint_in_memory(Value* argument) {
    auto* const both = llvm::StructType::get(type_, type_);
    const llvm::Align align(sizeof(double) * lanes_);
    if (joint_result_ == nullptr) {
      auto& block = current_->getEntryBlock();
      llvm::IRBuilder<> at_entry(&block, block.begin());
      joint_result_ = at_entry.CreateAlloca(both);
      joint_result_->setAlignment(align);
    }
    auto* const made = call(Code::sin, ir_.getVoidTy(), {joint_result_, argument});
    made->addParamAttr(0, llvm::Attribute::getWithStructRetType(module_.getContext(), both));
    made->addParamAttr(0, llvm::Attribute::getWithAlignment(module_.getContext(), align));
    made->setOnlyAccessesArgMemory();
    auto* const cosine = ir_.CreateStructGEP(both, joint_result_, 1);
    return {ir_.CreateAlignedLoad(type_, joint_result_, align), ir_.CreateAlignedLoad(type_, cosine, align)};
  }

  llvm::Module& module_;
  const llvm::TargetMachine& target_;
  const Tape& tape_;
  unsigned lanes_;
  std::size_t chunk_;
  llvm::IRBuilder<> ir_;
  llvm::Type* scalar_;
  llvm::Type* type_;
  llvm::PointerType* pointer_;

  std::vector<std::size_t> first_;                // the first operation of each chunk, then the end
  std::vector<std::size_t> slot_;                 // of each operation's value in the work buffer
  std::vector<std::vector<std::size_t>> stores_;  // the outputs each operation is
  std::size_t slots_ = 0;
  std::map<Code, std::uint64_t> addresses_;

  llvm::Function* current_ = nullptr;
  std::size_t chunk_now_ = 0;
  std::vector<Value*> values_;
  std::vector<std::size_t> known_in_;  // the chunk in which values_[i] is valid
  std::map<Index, std::pair<Value*, Value*>> pairs_;
  llvm::AllocaInst* joint_result_ = nullptr;
  std::vector<Value*> bound_;  // the variables, where they are values of a loop
};

/// Owns the machine code of one compilation; kernels share it.
struct MachineCode {
  std::unique_ptr<llvm::TargetMachine> target;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

std::shared_ptr<MachineCode> start_jit() {
  static const bool initialised = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  if (!initialised) throw CompileError("LLVM was built without the target of this machine; install a native LLVM 19");
  auto builder = checked(llvm::orc::JITTargetMachineBuilder::detectHost());
  // Level 1: level 0 compiles ten times faster, but large kernels then run up to 1.4 times slower; level 2 gains
  // nothing.
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  // Constants next to the code, not behind 64-bit addresses.
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  auto code = std::make_shared<MachineCode>();
  code->target = checked(builder.createTargetMachine());
  auto& target = *code->target;
  code->jit =
      checked(llvm::orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(std::move(builder))
                  .setLinkProcessSymbolsByDefault(false)
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .setCompileFunctionCreator(
                      [&target](const auto&) -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
                        return std::make_unique<llvm::orc::SimpleCompiler>(target);
                      })
                  .create());
  return code;
}

std::unique_ptr<llvm::Module> new_module(llvm::orc::LLJIT& jit, llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>("herglotz", context);
  module->setDataLayout(jit.getDataLayout());
  module->setTargetTriple(jit.getTargetTriple().str());
  return module;
}

}  // namespace

kernel::StepLoop generate_loop(const Tape& tape, std::size_t unread, int lanes) {
  const auto code = start_jit();
  auto& jit = *code->jit;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = new_module(jit, *context);
  Emitter(*module, *code->target, tape, lanes, tape.operations.size() + 1).emit_loop("loop", unread);
  checked(jit.addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  const auto entry = checked(jit.lookup("loop")).toPtr<kernel::StepLoop::Entry>();
  const std::size_t sums = tape.outputs.size();
  return {entry, code, sums, tape.variables - (sums - unread) - 2, lanes};
}

std::vector<kernel::Kernel> generate(std::span<const Tape> tapes, int lanes, std::size_t chunk) {
  const auto code = start_jit();
  auto& jit = *code->jit;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = new_module(jit, *context);
  std::vector<std::size_t> work;
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    work.push_back(Emitter(*module, *code->target, tapes[i], lanes, chunk).emit(fmt::format("kernel{}", i)));
  }
  checked(jit.addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  std::vector<kernel::Kernel> kernels;
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    const auto& tape = tapes[i];
    const auto entry = checked(jit.lookup(fmt::format("kernel{}", i))).toPtr<kernel::Kernel::Entry>();
    kernels.emplace_back(tape.name, entry, code, tape.variables, tape.parameters, tape.outputs.size(), work[i], lanes);
  }
  return kernels;
}

}  // namespace herglotz::compile
