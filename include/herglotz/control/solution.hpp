#pragma once
/// The facts of a solution, and the iterate from which another solve may start.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace herglotz::control {

enum class Status { solved, infeasible, not_converged, stopped };

/// Path that a solver reached, on its mesh of N intervals with s stages each, with its multipliers. Values with several
/// indices are flat; the last index runs fastest. Lists of stages are empty if a method has no stages.
struct Iterate {
  std::vector<std::string> states;     ///< names (d); the last state is the action of the cost
  std::vector<std::string> algebraic;  ///< names of the variables w along the path (m), controls first
  std::size_t controls = 0;
  std::size_t stages = 0;
  std::vector<double> points;        ///< places of the stages in an interval of length 1 (s)
  std::size_t equations = 0;         ///< equations and inequalities along the path (e)
  std::vector<double> times;         ///< nodes of the mesh (N + 1)
  std::vector<double> errors;        ///< estimated error of each interval (N), or empty if it was not estimated
  std::vector<std::int64_t> arcs;    ///< arc of each interval (N)
  std::vector<std::int64_t> active;  ///< bound at which a control is (N x controls): -1 lower, 0 none, 1 upper
  bool settled = false;              ///< true if the nodes contain the junctions of all controls
  std::vector<double> v;             ///< states at the nodes ((N + 1) x d)
  std::vector<double> P;             ///< homogeneous costates at the nodes ((N + 1) x d); the last is R
  std::vector<double> stage_v;       ///< (N x s x d)
  std::vector<double> stage_P;       ///< (N x s x d)
  std::vector<double> stage_w;       ///< (N x s x m)
  std::vector<double> stage_kappa;   ///< multipliers of the equations along the path (N x s x e)
  std::vector<double> stage_bound;   ///< dK/dw of controls at their bounds (N x s x m)
  std::vector<double> ends;          ///< multipliers of the conditions of [boundary]

  [[nodiscard]] std::size_t intervals() const { return times.empty() ? 0 : times.size() - 1; }
};

/// Facts of a solution, with its certificate.
struct SolutionFacts {
  Status status = Status::not_converged;
  std::string reason;  ///< in words
  bool abnormal = false;
  double cost = 0;
  /// estimated: the local errors weighed by the costates; NaN where no solution was found
  double cost_error = std::numeric_limits<double>::quiet_NaN();
  /// estimated: the sum of the local errors, relative; NaN where no mesh was judged
  double mesh_error = std::numeric_limits<double>::quiet_NaN();
  double duration = 0;
  std::string structure;  ///< the structure of controls with bounds, such as "u: max, min; switches at 1.85"
  std::map<std::string, std::vector<double>> switching_times;
  std::vector<std::pair<std::string, double>> residuals;
  std::vector<std::string> notes;
  std::size_t intervals = 0;
  std::size_t iterations = 0;
  std::string method;
  std::string solvers;  ///< libraries with versions
  Iterate iterate;      ///< the last iterate, also of a solve that did not converge
};

/// Returns the word for a status: solved, infeasible, not converged, or stopped.
std::string word_for(Status status);
/// Returns the kind of the extremal: normal or abnormal, or none if the problem was not solved.
std::string extremal_of(const SolutionFacts& solution);

}  // namespace herglotz::control
