#pragma once
/// The equations of multiple shooting. Theory: docs/solve.md, Shooting.

#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <vector>

#include "shooting/extremal_system.hpp"

namespace herglotz::solve {

/// Part of an extremal on which the same controls are held, cut into segments.
struct ShootingArc {
  std::vector<Hold> held;
  Values nodes;                           ///< starts and ends of the segments, from 0 to 1 in parts of its duration
  const SingularArc* singular = nullptr;  ///< if a control is singular on the arc
};

/// Conditions at the ends of arcs and of the path.
struct ShootingProblem {
  std::vector<ShootingArc> arcs;
  std::optional<double> duration;  ///< without a value it is free, and the Hamiltonian decides it
  bool abnormal = false;           ///< the price is an unknown, and |(P, R)| = 1 at the end
  Values sizes;                    ///< sizes of (v, P)
  double span = 1;                 ///< size of durations
};

/// Unknowns: x = (v, P) at the start of every segment and at the end, the durations of arcs, the multipliers of the
/// conditions, and the price; and a guess of w at the start of every segment.
struct Trial {
  std::vector<Eigen::VectorXd> x;
  std::vector<Values> w;
  Values durations;
  Values ends;
  double price = 1;
};

/// Equations in the unknowns: segments join; given end values; P(0) = -G_v(0) and P(T) = G_v(T) for the others with
/// G = price (zeta + m) + kappa psi; psi = 0; at the end of an arc the switching function of the control that changes
/// its hold vanishes, or H is continuous if several do; where a singular arc begins, that function and its rate vanish,
/// and there is no condition where it ends; the sum of the durations is given, or K(T) + G_T = 0. If the price is an
/// unknown, |P(T)| = 1.
class BoundarySystem {
 public:
  BoundarySystem(const Setup& setup, ShootingProblem problem);

  /// Equations at a trial, divided by their sizes.
  struct Equations {
    Eigen::VectorXd residual;
    Eigen::SparseMatrix<double> jacobian;  ///< by the unknowns divided by their sizes
    double flow_error = 0;                 ///< the sum of the estimated errors of the flow, relative
    double cost_error = 0;                 ///< the sum of local errors and gaps of the states, weighed by the costates
    double growth = 0;                     ///< the largest factor by which a variation grows along a segment
  };
  /// Returns `std::nullopt` if an extremal of the trial cannot be followed. Updates the guesses of w.
  [[nodiscard]] std::optional<Equations> equations(Trial& trial) const;
  /// Adds `length` times a step, which is in unknowns divided by their sizes.
  [[nodiscard]] Trial moved(const Trial& trial, const Eigen::VectorXd& step, double length) const;
  /// Returns an estimate of how much a small step changes the cost: to first order, and the size to second order.
  [[nodiscard]] double cost_change(const Trial& trial, const Eigen::VectorXd& step) const;

  [[nodiscard]] std::size_t size() const;
  /// Returns whether an unknown is a state at a node.
  [[nodiscard]] bool is_state(std::size_t unknown) const;
  [[nodiscard]] const ShootingProblem& problem() const { return problem_; }
  [[nodiscard]] const ExtremalSystem& system(std::size_t arc) const { return *systems_[arc]; }
  /// Returns the time of a node of an arc.
  [[nodiscard]] double time(const Trial& trial, std::size_t arc, double sigma) const;

 private:
  struct Assembly;
  struct Segment {
    std::size_t arc;
    double from;
    double to;
  };

  [[nodiscard]] bool free_times() const { return problem_.arcs.size() > 1 || !problem_.duration; }
  [[nodiscard]] std::size_t first_duration() const { return (segments_.size() + 1) * 2 * setup_.d(); }
  [[nodiscard]] std::size_t first_multiplier() const {
    return first_duration() + (free_times() ? problem_.arcs.size() : 0);
  }
  bool add_segments(Trial& trial, Assembly& to) const;
  bool add_junctions(Trial& trial, Assembly& to) const;
  bool add_ends(Trial& trial, Assembly& to) const;

  const Setup& setup_;
  ShootingProblem problem_;
  std::vector<std::unique_ptr<ExtremalSystem>> systems_;
  std::vector<Segment> segments_;
  Values sizes_;       ///< sizes of the unknowns
  double K_size_ = 0;  ///< size of K
};

}  // namespace herglotz::solve
