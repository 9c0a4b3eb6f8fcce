#pragma once
/// Search for a solution: the problem in the units in which it is solved, and the path that was reached.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "certificate/dependent_ends.hpp"
#include "collocation.hpp"
#include "gauss_nlp.hpp"
#include "herglotz/control/solution.hpp"
#include "herglotz/optimise/minimise.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

using control::Status;

struct Search {
  /// Throws Refused for a problem that is not well posed, or that its method cannot honour.
  Search(const control::Problem& problem, const std::function<bool()>& continues);

  [[nodiscard]] const Setup& setup() const { return *in_units; }
  [[nodiscard]] const Units& units() const { return in_units->units; }

  /// The result of one solve, to go back to if the next one fails.
  struct State {
    Mesh mesh;
    Path path;
    Status status;
    std::string reason;
    double defect, stationarity;
  };
  [[nodiscard]] State state() const { return {mesh, path, status, reason, defect, stationarity}; }
  void go_back_to(const State& before);

  [[nodiscard]] bool solved() const { return status == Status::solved; }
  [[nodiscard]] bool stopped() const { return status == Status::stopped; }
  [[nodiscard]] bool is_abnormal() const;
  /// Returns whether the arcs of the mesh are those of the path.
  [[nodiscard]] bool has_its_arcs() const;
  /// Takes a reason why there is no solution, if there is one, and returns whether there is.
  bool ends_with(Status without, const std::string& why);
  void fail(std::string why);

  void use_units(const Units& units);
  [[nodiscard]] optimise::MinimiseOptions options(double tolerance, int most, bool warm = false) const;
  /// Takes the result of a programme on the present mesh.
  void accept(GaussNlp& nlp, const optimise::Minimum& found);
  /// Solves on a mesh, starting from the present path. Controls come so near to their limits that the cost is right to
  /// `limits`, if that is not 0. Where none comes to a bound, the barrier begins `nearness` times as high as usual.
  void solve_on(const Mesh& next, double limits = 0, double nearness = 1);
  /// Takes the stationary point near the present path, to rounding. Returns whether there is one.
  bool solve_stationary(int most_iterations);
  /// Solves to rounding unless controls come to their bounds inside intervals.
  void polish();
  /// Solves with the duration at its limit if it came to one.
  void keep_at_limit();
  /// Returns false, with the reason, if the cost becomes better as long as the duration or a control grows.
  bool has_best_growth();
  /// Returns whether better controls would save less of the cost than the tolerance.
  [[nodiscard]] bool misses_little() const;
  /// Makes the times at which controls come to their bounds or leave them nodes of the mesh, if that can be done.
  void settle_junctions();

  Setup model;                    ///< in the units of the model
  std::optional<Setup> in_units;  ///< in the units in which the problem is solved
  Collocation method;
  const std::function<bool()>& go_on;
  /// Barrier from which a path is solved again that comes to bounds: high enough to move stages away from a wrong
  /// bound.
  double barrier_at_bounds = 1e-3;
  ReleasedEnds released;
  Mesh mesh;
  Path path;
  Status status = Status::not_converged;
  std::string reason;
  std::vector<std::string> notes;
  std::size_t iterations = 0;
  double defect = 0;
  double stationarity = 0;
};

}  // namespace herglotz::solve
