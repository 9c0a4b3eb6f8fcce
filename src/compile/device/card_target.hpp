#pragma once
/// Target for which LLVM compiles the code of a card.

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "herglotz/compile/compile.hpp"

namespace herglotz::compile {

/// Returns the machine that writes code of a kind of card, fusing no operations. Throws CompileError if LLVM does not
/// have it.
inline std::unique_ptr<llvm::TargetMachine> card_target(const char* triple, const char* kind, const char* features) {
  std::string error;
  const auto* const target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) throw CompileError("LLVM: " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, kind, features, options, llvm::Reloc::PIC_, {}, llvm::CodeGenOptLevel::Default));
}

}  // namespace herglotz::compile
