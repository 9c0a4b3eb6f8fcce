#pragma once
/// The spine of problems of boundary values and control: from a problem to a solution with its certificate.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/control/problem.hpp"
#include "herglotz/control/solution.hpp"

namespace herglotz::solve {

using control::Status;

/// Arcs of a control in words, such as max and singular, and the times between them.
struct ControlArcs {
  std::string control;
  std::vector<std::string> words;
  std::vector<double> times;
};

/// Comparison of H along a path with H for other controls, by Pontryagin's principle.
struct ControlComparison {
  bool of_all = false;    ///< true if H was compared with its greatest value over all controls, at every stage
  std::size_t times = 0;  ///< at which that value was found
  double saved = 0;       ///< of the cost, in parts of it, by the best controls at all these times, to first order
  std::string why{};      ///< why other controls were not all compared
};

/// Solution of a problem, with its certificate.
struct Solution : control::SolutionFacts {
  analyse::Trajectory trajectory;
  std::vector<ControlArcs> arcs{};  ///< of the controls in the structure
  /// The reason for which a path would be solved if H were largest among near controls, to second order, at all of its
  /// stages; empty where that is not all that it misses.
  std::string but_for_near_controls{};
  std::optional<ControlComparison> comparison{};  ///< of a problem with controls that is solved
};

/// Control in which the Hamiltonian is linear: at a bound, or singular where its switching function vanishes.
struct LinearControl {
  std::string name;
  std::optional<int> order;  ///< order of its singular arcs if that is 1, the only one that shooting takes
  std::string why_not;       ///< why there is no order, or empty
};

/// The parts of a problem, named.
struct Description {
  control::Kind kind = control::Kind::two_point;
  std::string kind_in_words;
  std::vector<std::string> states;  ///< the last one is the action of the cost
  std::vector<std::string> controls;
  std::vector<std::string> variables;  ///< algebraic variables that are not controls
  std::vector<std::string> costates;   ///< names of the columns; the last one is R, the price of cost
  std::vector<std::string> given_initial;
  std::vector<std::string> free_initial;
  std::vector<std::string> given_final;
  std::vector<std::string> free_final;
  std::size_t conditions = 0;
  std::size_t inequalities = 0;    ///< along the path
  std::optional<double> duration;  ///< `std::nullopt` if it is free
  std::vector<std::string> bounded;
  std::vector<std::pair<double, double>> bounds;  ///< of the bounded controls, perhaps infinite
  std::vector<LinearControl> linear;
  bool constant_cost = false;  ///< true if no path that meets the conditions is better than another

  /// Returns the number of values at the ends, and of durations, that the problem does not give.
  [[nodiscard]] std::size_t unknowns() const { return free_initial.size() + free_final.size() + (duration ? 0 : 1); }
};
/// Describes a problem. Throws as `solve` does.
Description describe(const control::Problem& problem);

/// Solves from the guess of the problem. Throws Refused, with the table that is wrong, for a
/// problem that is not well posed, or that the method cannot honour.
Solution solve(const control::Problem& problem, const std::function<bool()>& go_on = {});

}  // namespace herglotz::solve
