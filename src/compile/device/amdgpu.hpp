#pragma once
/// Code for cards of AMD. No driver of this version loads its object, so that it has never run on a card.

#include <string>

#include "device/member_loop.hpp"

namespace herglotz::compile {

/// Code of one function for a card: what the assembler reads, and what it writes.
struct AmdCode {
  std::string assembly;
  std::string object;  ///< an ELF file that a linker makes loadable
};

/// Returns whether this build's LLVM writes code for cards of AMD.
bool writes_amdgpu();

/// Returns the function `the_loop` of emit_member_kernel() for cards of the kind gfx90a (Instinct MI200). Throws
/// CompileError if LLVM does not write such code, and as emit_member_kernel() does.
AmdCode amdgpu_of(const MemberLoop& loop, RunNumber number);

}  // namespace herglotz::compile
