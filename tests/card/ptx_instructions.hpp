#pragma once
/// The instructions that the machine of PTX knows.

#include <string_view>

#include "card/ptx_machine.hpp"

namespace herglotz::card {

/// State of a thread that runs.
struct Thread {
  std::uint64_t* registers = nullptr;
  std::size_t next = 0;  ///< the next instruction
  bool done = false;
  std::span<const Range> memory;
  Range last{};  ///< where memory was found last
};

/// Returns what an instruction does by its name without spaces, like `add.rn.f64`, or nullptr if it is unknown.
Action action_of(std::string_view name);

void branch(Thread& thread, const Instruction& instruction);
void move(Thread& thread, const Instruction& instruction);
void load(Thread& thread, const Instruction& instruction);
void store(Thread& thread, const Instruction& instruction);

}  // namespace herglotz::card
