#include "device/member_kernel.hpp"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"
#include "llvm/one_loop.hpp"
#include "llvm/runge_kutta_emitter.hpp"

namespace herglotz::compile {

namespace {

using Steps = kernel::RungeKuttaLoop::Steps;

/// Operations of all stages, written out one after the other, beyond which code generation takes minutes.
constexpr std::size_t longest = 20'000;

/// Returns the operations of a tape with those that its functions consist of.
std::size_t operations_of(const Tape& tape) {
  constexpr std::size_t of_a_function = 40;
  std::size_t count = work_of(tape);
  for (const auto& operation : tape.operations) count += is_function(operation.code) ? of_a_function : 0;
  return count;
}

/// Writer of the function around the loop of an emitter.
class MemberKernel {
 public:
  MemberKernel(llvm::Module& module, const SteppedTapes& stepped, RunNumber number)
      : module_(module),
        ir_(module.getContext()),
        number_(number),
        rows_(2 * stepped.carried.size() + 1),
        parameters_(stepped.tapes.start.parameters) {}

  void write(llvm::Function& loop) {
    begin();
    auto* const inside = llvm::BasicBlock::Create(module_.getContext(), "", kernel_);
    auto* const end = llvm::BasicBlock::Create(module_.getContext(), "", kernel_);
    auto* const run = number();
    auto* const rows = room(rows_);
    auto* const parameters = room(parameters_ + 1);
    auto* const steps = room(sizeof(Steps) / sizeof(double));
    auto* const lacking = ir_.CreateAlloca(ir_.getInt64Ty());
    ir_.CreateStore(ir_.getInt64(0), lacking);
    ir_.CreateCondBr(ir_.CreateICmpULT(run, argument(width)), inside, end);

    ir_.SetInsertPoint(inside);
    for (std::size_t i = 0; i < rows_; ++i) copy(at(rows, i), place(state, i, run));
    for (std::size_t i = 0; i < parameters_; ++i) copy(at(parameters, i), place(p, i, run));
    const auto set = [&](std::size_t offset, llvm::Value* value) {
      ir_.CreateStore(value, at(steps, offset / sizeof(double)));
    };
    set(offsetof(Steps, t0), argument(t0));
    set(offsetof(Steps, h), argument(h));
    set(offsetof(Steps, first), argument(first));
    set(offsetof(Steps, count), argument(count));
    auto* const nothing = llvm::ConstantPointerNull::get(ir_.getPtrTy());
    auto* const call = ir_.CreateCall(&loop, {nothing, rows, parameters, steps, nothing});
    write_back(rows, lacking, run);
    ir_.CreateBr(end);
    ir_.SetInsertPoint(end);
    ir_.CreateRetVoid();

    write_calls_out(*call);
    replace_lacking(lacking);
  }

 private:
  enum Argument : unsigned { state, p, t0, h, first, count, width, member };

  void begin() {
    auto* const memory = ir_.getPtrTy(number_ == RunNumber::thread ? 1 : 0);
    auto* const real = ir_.getDoubleTy();
    auto* const whole = ir_.getInt64Ty();
    std::vector<llvm::Type*> types{memory, memory, real, real, whole, whole, whole};
    if (number_ == RunNumber::argument) types.push_back(whole);
    auto* const signature = llvm::FunctionType::get(ir_.getVoidTy(), types, false);
    kernel_ = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, the_loop, module_);
    kernel_->setDoesNotThrow();
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", kernel_));
    if (number_ == RunNumber::argument) return;
    kernel_->setCallingConv(llvm::CallingConv::PTX_Kernel);
    auto* const yes = llvm::ConstantAsMetadata::get(ir_.getInt32(1));
    module_.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            module_.getContext(),
            {llvm::ValueAsMetadata::get(kernel_), llvm::MDString::get(module_.getContext(), "kernel"), yes}));
  }

  [[nodiscard]] llvm::Value* argument(Argument which) const { return kernel_->getArg(which); }

  llvm::Value* number() {
    if (number_ == RunNumber::argument) return argument(member);
    const auto read = [&](llvm::Intrinsic::ID id) {
      return ir_.CreateZExt(ir_.CreateIntrinsic(id, {}, {}), ir_.getInt64Ty());
    };
    auto* const block = ir_.CreateMul(read(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                      read(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x));
    return ir_.CreateAdd(block, read(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x));
  }

  llvm::Value* room(std::size_t doubles) { return ir_.CreateAlloca(ir_.getDoubleTy(), ir_.getInt64(doubles)); }
  llvm::Value* at(llvm::Value* memory, std::size_t i) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getDoubleTy(), memory, i);
  }
  llvm::Value* place(Argument memory, std::size_t row, llvm::Value* run) {
    auto* const index = ir_.CreateAdd(ir_.CreateMul(argument(width), ir_.getInt64(row)), run);
    return ir_.CreateInBoundsGEP(ir_.getDoubleTy(), argument(memory), index);
  }
  void copy(llvm::Value* to, llvm::Value* from) { ir_.CreateStore(ir_.CreateLoad(ir_.getDoubleTy(), from), to); }

  void write_back(llvm::Value* rows, llvm::Value* lacking, llvm::Value* run) {
    const std::size_t unsound = rows_ - 1;
    auto* const one_more = ir_.CreateUIToFP(ir_.CreateLoad(ir_.getInt64Ty(), lacking), ir_.getDoubleTy());
    auto* const so_far = ir_.CreateLoad(ir_.getDoubleTy(), at(rows, unsound));
    ir_.CreateStore(ir_.CreateFAdd(so_far, one_more), at(rows, unsound));
    for (std::size_t i = 0; i < rows_; ++i) copy(place(state, i, run), at(rows, i));
  }

  /// Replaces calls of functions of the module by their bodies, and removes these functions.
  void write_calls_out(llvm::CallInst& loop) {
    std::vector<llvm::CallBase*> calls{&loop};
    while (!calls.empty()) {
      for (auto* const call : calls) {
        llvm::InlineFunctionInfo info;
        if (!llvm::InlineFunction(*call, info).isSuccess())
          throw CompileError("LLVM cannot write the steps of a device as one function");
      }
      calls.clear();
      for (auto& block : *kernel_)
        for (auto& instruction : block)
          if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
            if (call->getCalledFunction() != nullptr && !call->getCalledFunction()->isDeclaration())
              calls.push_back(call);
    }
    std::vector<llvm::Function*> others;
    for (auto& function : module_)
      if (&function != kernel_ && !function.isDeclaration()) others.push_back(&function);
    for (auto* const function : others) function->dropAllReferences();
    for (auto* const function : others) function->eraseFromParent();
    // Frames of loops on a processor are aligned to its pages, which costs a device memory in every thread.
    for (auto& block : *kernel_)
      for (auto& instruction : block)
        if (auto* const frame = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
          frame->setAlignment(llvm::Align(sizeof(double)));
  }

  /// Replaces calls of functions of a library by NaN, and notes in `lacking` that one was needed.
  void replace_lacking(llvm::Value* lacking) {
    std::vector<llvm::CallInst*> calls;
    for (auto& block : *kernel_)
      for (auto& instruction : block)
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (call->getCalledFunction() == nullptr) calls.push_back(call);
    for (auto* const call : calls) {
      llvm::IRBuilder<> before(call);
      before.CreateStore(before.getInt64(1), lacking);
      auto* const pair = llvm::dyn_cast<llvm::StructType>(call->getType());
      auto* const nan = llvm::ConstantFP::getNaN(before.getDoubleTy());
      call->replaceAllUsesWith(pair == nullptr ? static_cast<llvm::Constant*>(nan)
                                               : llvm::ConstantStruct::get(pair, {nan, nan}));
      call->eraseFromParent();
    }
  }

  llvm::Module& module_;
  llvm::IRBuilder<> ir_;
  RunNumber number_;
  std::size_t rows_;
  std::size_t parameters_;
  llvm::Function* kernel_ = nullptr;
};

/// Moves what is in memory to registers, and simplifies the code. No pass changes a bit of a result, since no operation
/// carries a flag that would allow it.
void simplify(llvm::Module& module) {
  llvm::legacy::PassManager passes;
  passes.add(llvm::createSROAPass());
  passes.add(llvm::createEarlyCSEPass());
  passes.add(llvm::createInstructionCombiningPass());
  passes.add(llvm::createCFGSimplificationPass());
  passes.add(llvm::createLICMPass());
  passes.run(module);
}

}  // namespace

void emit_member_kernel(llvm::Module& module, const llvm::TargetMachine& target, const SteppedTapes& stepped,
                        const kernel::ExplicitTableau& tableau, RunNumber number) {
  const std::size_t operations = operations_of(stepped.tapes.rates) * tableau.stages();
  if (operations > longest)
    throw Refused(
        fmt::format("a step takes {} operations, and the code of a device has room for {}", operations, longest),
        "run this ensemble without a device", "device");
  constexpr auto in_one_function = std::numeric_limits<int>::max();
  RungeKuttaEmitter emitter(module, target, stepped.tapes, stepped.carried, tableau, 1, 1, in_one_function);
  emitter.emit_loop("steps");
  MemberKernel(module, stepped, number).write(*module.getFunction("steps"));
  simplify(module);
}

}  // namespace herglotz::compile
