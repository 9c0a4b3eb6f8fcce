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
/// at the start.
Rows rows_of(const Setup& setup, const Path& path, bool abnormal);

}  // namespace herglotz::solve
