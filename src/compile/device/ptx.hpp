#pragma once
/// Code for cards of NVIDIA, as the text (PTX) that their driver compiles.

#include <string>

#include "device/member_loop.hpp"

namespace herglotz::compile {

/// Returns whether this build's LLVM writes PTX.
bool writes_ptx();

/// Returns the text with the function `the_loop` of emit_member_kernel(), for cards of compute capability 7.0 or later.
/// Every addition, product, quotient, root and fused multiply-add in it is rounded to nearest, and none may be fused
/// later. Throws CompileError if LLVM does not write PTX, and as emit_member_kernel() does.
std::string ptx_of(const MemberLoop& loop, RunNumber number);

}  // namespace herglotz::compile
