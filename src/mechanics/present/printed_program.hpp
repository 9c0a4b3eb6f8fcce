#pragma once
/// The program that is printed in C, and the meaning of its outputs.

#include <vector>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

struct PrintedProgram {
  symbolic::Program program;
  std::vector<ProgramOutput> outputs;
};

/// Returns the program with outputs (dx/dt, dw/dt, dz/dt, ell) if it eliminates the accelerations itself, else (dx/dt,
/// dz/dt, W, b, Phi_y, Phi_w, beta). Multipliers and the rows of Phi_y, Phi_w and beta are in the order of the model's
/// constraints; the derived equations have velocity-free constraints first.
PrintedProgram program_to_print(const System& system, const Equations& equations);

}  // namespace herglotz::mechanics
