#pragma once
/// The function that each thread of a device runs: the steps of one run.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "device/member_loop.hpp"

namespace herglotz::compile {

/// Threads of a block; with up to 255 registers each they find room on every card.
constexpr unsigned threads_of_block = 128;

/// Writes the function `the_loop` with the arguments (state, parameters, fields of the control, width): two pointers,
/// then doubles and whole numbers of 64 bits. It takes the rows of its run into registers, takes the steps, and writes
/// the rows back. For a list there follow its address and its length. Numbers whose functions a device does not have
/// are NaN, and their run is marked. Nothing else is left in the module, and the function calls no other. Throws
/// Refused if the steps are too long.
void emit_member_kernel(llvm::Module& module, const llvm::TargetMachine& target, const MemberLoop& loop,
                        RunNumber number);

}  // namespace herglotz::compile
