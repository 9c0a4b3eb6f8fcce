#pragma once
/// Rows of a solution: at the nodes and at the output times of the settings.

#include "herglotz/analyse/trajectory.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Columns of a solution, and the largest residual found while they are made.
struct Rows {
  std::vector<analyse::Column> columns;
  double largest_hamiltonian_residual = 0;
};

/// Returns the columns that docs/solve.md describes. If `abnormal` is true, R is 0 and the costates are -P with |P| = 1
/// at the start. `setup` is the problem in the units of the path, `model` the same in its own units, which the rows
/// have.
Rows rows_of(const Setup& model, const Setup& setup, const Path& path, bool abnormal);

}  // namespace herglotz::solve
