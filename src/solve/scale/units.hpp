#pragma once
/// Units in which a problem is solved: every state, variable and time is divided by one of them.

#include <cstddef>

#include "path.hpp"

namespace herglotz::solve {

/// Sizes of states v, algebraic variables w, equations and inequalities along the path, conditions at the ends, and
/// time. The unit of the cost is that of the last state. Costates P have the units cost/v, K has cost/time.
struct Units {
  Values v;
  Values w;
  Values along;
  Values conditions;
  double time = 1;

  [[nodiscard]] double cost() const { return v.back(); }
};

/// Returns units that change nothing.
Units no_units(std::size_t d, std::size_t m, std::size_t along, std::size_t conditions);

/// Returns whether units of states, variables or time differ from 1 by more than a factor of 10.
bool differ_much(const Units& units);

/// Returns the units of the model for what is measured by `more` in problems that were divided by `units`.
Units product(const Units& units, Units more);

/// Returns a path or mesh of the model divided by the units.
Path in_units(const Units& units, Path path);
Mesh in_units(const Units& units, Mesh mesh);
/// Returns a path or stage in the units of the model.
Path in_model(const Units& units, Path path);
Stage in_model(const Units& units, Stage stage);

}  // namespace herglotz::solve
