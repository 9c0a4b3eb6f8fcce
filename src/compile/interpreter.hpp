#pragma once
/// Runs a tape one operation after the other: the oracle of the machine code.

#include "herglotz/kernel/kernel.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

kernel::Kernel interpret(Tape tape, int lanes);

}  // namespace herglotz::compile
