#pragma once
/// Interpreter that runs a tape one operation after the other; its results are the reference for the machine code.

#include "herglotz/kernel/kernel.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

kernel::Kernel interpret(Tape tape, int lanes);
/// Runs a tape once, in one lane. `work` has as many doubles as the tape has operations.
void run_interpreted(const Tape& tape, const double* u, const double* p, double* out, double* work);

}  // namespace herglotz::compile
