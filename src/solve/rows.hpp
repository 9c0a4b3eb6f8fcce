#pragma once
/// The rows that a solution shows: at the nodes and at the times asked for.

#include "herglotz/analyse/trajectory.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// What follows from the rows on the way.
struct Rows {
  std::vector<analyse::Column> columns;
  double largest_hamiltonian_residual = 0;
};

/// Columns: docs/solve.md. With `abnormal`, R is 0 and costates are -P with |P| = 1 at the start.
Rows rows_of(const Setup& setup, const Path& path, bool abnormal);

}  // namespace herglotz::solve
