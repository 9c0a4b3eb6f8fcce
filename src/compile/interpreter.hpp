#pragma once
/// Interpreter that runs a tape one operation after the other; its results are the reference for the machine code.

#include "herglotz/kernel/kernel.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

kernel::Kernel interpret(Tape tape, int lanes);

}  // namespace herglotz::compile
