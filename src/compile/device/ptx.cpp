#include "device/ptx.hpp"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "device/card_target.hpp"
#include "device/member_kernel.hpp"
#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {

#ifdef HERGLOTZ_LLVM_WRITES_PTX

namespace {

constexpr const char* triple = "nvptx64-nvidia-cuda";
constexpr const char* oldest_card = "sm_70";
constexpr const char* oldest_version = "+ptx63";

std::unique_ptr<llvm::TargetMachine> target_machine() {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  static_cast<void>(initialised);
  return card_target(triple, oldest_card, oldest_version);
}

}  // namespace

bool writes_ptx() {
  return true;
}

std::string ptx_of(const MemberLoop& loop, RunNumber number) {
  const auto target = target_machine();
  llvm::LLVMContext context;
  llvm::Module module("herglotz", context);
  module.setTargetTriple(triple);
  module.setDataLayout(target->createDataLayout());
  emit_member_kernel(module, *target, loop, number);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  if (target->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw CompileError("LLVM writes no PTX");
  passes.run(module);
  return {text.begin(), text.end()};
}

#else

bool writes_ptx() {
  return false;
}

std::string ptx_of(const MemberLoop&, RunNumber) {
  throw CompileError("LLVM was built without its target for cards of NVIDIA");
}

#endif

}  // namespace herglotz::compile
