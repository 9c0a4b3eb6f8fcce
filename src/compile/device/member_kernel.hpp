#pragma once
/// The function that each thread of a device runs: the steps of one run.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "herglotz/kernel/embedded_pair.hpp"
#include "tape/stepped_tapes.hpp"

namespace herglotz::compile {

/// Origin of the number of a run.
enum class RunNumber {
  argument,  ///< the last argument of the function
  thread     ///< the number of the thread, on a card of NVIDIA
};

/// Writes the function `the_loop` with the arguments (state, parameters, t0, h, first, count, width): two pointers, two
/// doubles and three whole numbers of 64 bits. It takes the rows of its run into registers, takes the steps of
/// RungeKuttaLoop::Steps, and writes the rows back. Numbers whose functions a device does not have are NaN, and their
/// run is counted as unsound. Nothing else is left in the module, and the function calls no other. Throws Refused if
/// the steps are too long.
void emit_member_kernel(llvm::Module& module, const llvm::TargetMachine& target, const SteppedTapes& stepped,
                        const kernel::ExplicitTableau& tableau, RunNumber number);

}  // namespace herglotz::compile
