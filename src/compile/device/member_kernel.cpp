#include "device/member_kernel.hpp"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "llvm/one_loop.hpp"

namespace herglotz::compile {

namespace {

/// Operations of all stages, written out one after the other, beyond which code generation takes minutes.
constexpr std::size_t longest = 20'000;

/// Writer of the function around the loop of an emitter.
class MemberKernel {
 public:
  MemberKernel(llvm::Module& module, const MemberLoop& loop, RunNumber number)
      : module_(module),
        ir_(module.getContext()),
        number_(number),
        loop_(loop),
        amd_(llvm::Triple(module.getTargetTriple()).isAMDGCN()) {}

  void write(llvm::Function& loop, std::size_t work_size) {
    begin();
    auto* const inside = llvm::BasicBlock::Create(module_.getContext(), "", kernel_);
    auto* const end = llvm::BasicBlock::Create(module_.getContext(), "", kernel_);
    auto* const thread = number();
    auto* const rows = room(moved());
    auto* const parameters = room(loop_.parameters + 1);
    auto* const control = room(loop_.control.size());
    auto* const work = room(work_size + 1);
    auto* const lacking = ir_.CreateAlloca(ir_.getInt64Ty());
    ir_.CreateStore(ir_.getInt64(0), lacking);
    const bool listed = number_ == RunNumber::listed;
    ir_.CreateCondBr(ir_.CreateICmpULT(thread, argument(listed ? after_width() + 1 : after_width() - 1)), inside, end);

    ir_.SetInsertPoint(inside);
    auto* const run = listed ? listed_run(thread) : thread;
    for (std::size_t i = 0; i < moved(); ++i) copy(at(rows, i), place(state, i, run));
    for (std::size_t i = 0; i < loop_.parameters; ++i) copy(at(parameters, i), place(p, i, run));
    for (std::size_t i = 0; i < loop_.control.size(); ++i) ir_.CreateStore(argument(first_field + i), at(control, i));
    auto* const nothing = llvm::ConstantPointerNull::get(ir_.getPtrTy());
    auto* const call = ir_.CreateCall(&loop, {nothing, rows, parameters, control, work});
    write_back(rows, lacking, run);
    if (loop_.steps) count_steps(run);
    ir_.CreateBr(end);
    ir_.SetInsertPoint(end);
    ir_.CreateRetVoid();

    write_calls_out(*call);
    replace_lacking(lacking);
  }

 private:
  static constexpr std::size_t state = 0;
  static constexpr std::size_t p = 1;
  static constexpr std::size_t first_field = 2;

  /// Returns the place of the argument after the width.
  [[nodiscard]] std::size_t after_width() const { return first_field + loop_.control.size() + 1; }

  /// Returns the number of rows that are moved to registers.
  [[nodiscard]] std::size_t moved() const { return loop_.rows - (loop_.steps ? 1 : 0); }

  void begin() {
    auto* const memory = ir_.getPtrTy(number_ == RunNumber::argument ? 0 : 1);
    auto* const real = ir_.getDoubleTy();
    auto* const whole = ir_.getInt64Ty();
    std::vector<llvm::Type*> types{memory, memory};
    for (const bool is_whole : loop_.control) types.push_back(is_whole ? static_cast<llvm::Type*>(whole) : real);
    types.push_back(whole);
    if (number_ == RunNumber::argument) types.push_back(whole);
    if (number_ == RunNumber::listed) types.insert(types.end(), {memory, whole});
    auto* const signature = llvm::FunctionType::get(ir_.getVoidTy(), types, false);
    kernel_ = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, the_loop, module_);
    kernel_->setDoesNotThrow();
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", kernel_));
    if (number_ == RunNumber::argument) return;
    if (amd_) {
      kernel_->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
      kernel_->addFnAttr("amdgpu-flat-work-group-size", fmt::format("{0},{0}", threads_of_block));
      return;
    }
    kernel_->setCallingConv(llvm::CallingConv::PTX_Kernel);
    auto* const yes = llvm::ConstantAsMetadata::get(ir_.getInt32(1));
    module_.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            module_.getContext(),
            {llvm::ValueAsMetadata::get(kernel_), llvm::MDString::get(module_.getContext(), "kernel"), yes}));
  }

  [[nodiscard]] llvm::Value* argument(std::size_t which) const { return kernel_->getArg(static_cast<unsigned>(which)); }

  llvm::Value* number() {
    if (number_ == RunNumber::argument) return argument(after_width());
    const auto read = [&](llvm::Intrinsic::ID id) {
      return ir_.CreateZExt(ir_.CreateIntrinsic(id, {}, {}), ir_.getInt64Ty());
    };
    if (amd_) {
      auto* const before = ir_.CreateMul(read(llvm::Intrinsic::amdgcn_workgroup_id_x), ir_.getInt64(threads_of_block));
      return ir_.CreateAdd(before, read(llvm::Intrinsic::amdgcn_workitem_id_x));
    }
    auto* const block = ir_.CreateMul(read(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                      read(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x));
    return ir_.CreateAdd(block, read(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x));
  }

  llvm::Value* listed_run(llvm::Value* thread) {
    auto* const whole = ir_.getInt64Ty();
    return ir_.CreateLoad(whole, ir_.CreateInBoundsGEP(whole, argument(after_width()), thread));
  }

  llvm::Value* room(std::size_t doubles) { return ir_.CreateAlloca(ir_.getDoubleTy(), ir_.getInt64(doubles)); }
  llvm::Value* at(llvm::Value* memory, std::size_t i) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getDoubleTy(), memory, i);
  }
  llvm::Value* place(std::size_t memory, std::size_t row, llvm::Value* run) {
    auto* const index = ir_.CreateAdd(ir_.CreateMul(argument(after_width() - 1), ir_.getInt64(row)), run);
    return ir_.CreateInBoundsGEP(ir_.getDoubleTy(), argument(memory), index);
  }
  void copy(llvm::Value* to, llvm::Value* from) { ir_.CreateStore(ir_.CreateLoad(ir_.getDoubleTy(), from), to); }

  /// Adds the steps of this call to the last row. It stays in memory during the steps, where it costs no register.
  void count_steps(llvm::Value* run) {
    auto* const real = ir_.getDoubleTy();
    auto* const row = place(state, loop_.rows - 1, run);
    auto* const steps = ir_.CreateUIToFP(argument(first_field + *loop_.steps), real);
    ir_.CreateStore(ir_.CreateFAdd(ir_.CreateLoad(real, row), steps), row);
  }

  void write_back(llvm::Value* rows, llvm::Value* lacking, llvm::Value* run) {
    auto* const needed = ir_.CreateICmpNE(ir_.CreateLoad(ir_.getInt64Ty(), lacking), ir_.getInt64(0));
    auto* const row = at(rows, loop_.marked_row);
    auto* const mark = llvm::ConstantFP::get(ir_.getDoubleTy(), loop_.mark);
    ir_.CreateStore(ir_.CreateSelect(needed, mark, ir_.CreateLoad(ir_.getDoubleTy(), row)), row);
    for (std::size_t i = 0; i < moved(); ++i) copy(place(state, i, run), at(rows, i));
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
  const MemberLoop& loop_;
  bool amd_;  // whether the card is one of AMD
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

void emit_member_kernel(llvm::Module& module, const llvm::TargetMachine& target, const MemberLoop& loop,
                        RunNumber number) {
  if (loop.operations > longest)
    throw Refused(
        fmt::format("a step takes {} operations, and the code of a device has room for {}", loop.operations, longest),
        "run this ensemble without a device", "device");
  const std::size_t work = loop.emit(module, target, "steps");
  MemberKernel(module, loop, number).write(*module.getFunction("steps"), work);
  simplify(module);
}

}  // namespace herglotz::compile
