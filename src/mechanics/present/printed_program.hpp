#pragma once
/// The program that is printed in C, and what its outputs are.

#include <vector>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

struct PrintedProgram {
  symbolic::Program program;
  std::vector<ProgramOutput> outputs;
};

/// (dx/dt, dw/dt, dz/dt, ell) where the accelerations are eliminated inside, else (dx/dt, dz/dt, W, b, Phi_y, Phi_w,
/// beta). Multipliers, and with them the rows of Phi_y, Phi_w and beta, are in the order of the model's constraints;
/// the derived equations have velocity-free constraints first.
PrintedProgram program_to_print(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
