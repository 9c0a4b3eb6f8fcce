#pragma once
/// The spine of problems of boundary values and control: from a problem to a solution with its certificate.

#include <functional>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/control/problem.hpp"
#include "herglotz/control/solution.hpp"

namespace herglotz::solve {

using control::Status;

/// Solution of a problem, with its certificate.
struct Solution : control::SolutionFacts {
  analyse::Trajectory trajectory;
};

/// The parts of a problem, counted and named.
struct Description {
  std::string kind;  ///< in words
  std::size_t states = 0;
  std::size_t controls = 0;
  std::size_t others = 0;  ///< algebraic variables that are not controls
  std::size_t given_initial = 0;
  std::size_t given_final = 0;
  std::size_t conditions = 0;
  bool free_duration = false;
  std::vector<std::string> bounded;  ///< controls with a bound
  std::vector<std::string> linear;   ///< controls that the Hamiltonian is linear in
};
/// Describes a problem. Throws as `solve` does.
Description describe(const control::Problem& problem);

/// Solves from the guess of the problem. Throws Refused, with the table that is wrong, for a
/// problem that is not well posed, or that the method cannot honour.
Solution solve(const control::Problem& problem, const std::function<bool()>& go_on = {});

}  // namespace herglotz::solve
