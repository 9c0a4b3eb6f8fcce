#include "device/amdgpu.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <memory>
#include <vector>

#include "device/card_target.hpp"
#include "device/member_kernel.hpp"
#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {

#ifdef HERGLOTZ_LLVM_WRITES_AMDGPU

namespace {

constexpr const char* triple = "amdgcn-amd-amdhsa";
constexpr const char* kind = "gfx90a";
/// Address space of the memory of a thread.
constexpr unsigned memory_of_thread = 5;

std::unique_ptr<llvm::TargetMachine> target_machine() {
  static const bool initialised = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  static_cast<void>(initialised);
  return card_target(triple, kind, "");
}

/// Moves the frames that are left to the memory of the thread. Emitters write pointers without an address space, as
/// processors and cards of NVIDIA have them.
void move_frames(llvm::Module& module) {
  std::vector<llvm::AllocaInst*> frames;
  std::vector<llvm::Instruction*> lifetimes;
  for (auto& function : module)
    for (auto& block : function)
      for (auto& instruction : block) {
        if (auto* const frame = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) frames.push_back(frame);
        if (llvm::isa<llvm::LifetimeIntrinsic>(instruction)) lifetimes.push_back(&instruction);
      }
  for (auto* const lifetime : lifetimes) lifetime->eraseFromParent();
  for (auto* const frame : frames) {
    llvm::IRBuilder<> ir(frame);
    auto* const moved = ir.CreateAlloca(frame->getAllocatedType(), memory_of_thread, frame->getArraySize());
    moved->setAlignment(frame->getAlign());
    frame->replaceAllUsesWith(ir.CreateAddrSpaceCast(moved, frame->getType()));
    frame->eraseFromParent();
  }
}

std::string written(llvm::Module& module, llvm::TargetMachine& target, llvm::CodeGenFileType type) {
  const auto copy = llvm::CloneModule(module);  // writing changes the module
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, out, nullptr, type)) throw CompileError("LLVM writes no code for AMD");
  passes.run(*copy);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

bool writes_amdgpu() {
  return true;
}

AmdCode amdgpu_of(const MemberLoop& loop, RunNumber number) {
  const auto target = target_machine();
  llvm::LLVMContext context;
  llvm::Module module("herglotz", context);
  module.setTargetTriple(triple);
  emit_member_kernel(module, *target, loop, number);
  module.setDataLayout(target->createDataLayout());
  move_frames(module);
  return {written(module, *target, llvm::CodeGenFileType::AssemblyFile),
          written(module, *target, llvm::CodeGenFileType::ObjectFile)};
}

#else

bool writes_amdgpu() {
  return false;
}

AmdCode amdgpu_of(const MemberLoop&, RunNumber) {
  throw CompileError("LLVM was built without its target for cards of AMD");
}

#endif

}  // namespace herglotz::compile
