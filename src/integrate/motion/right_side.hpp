#pragma once
/// Motion as an ordinary differential equation, together with its integrating factor and budgets.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/rates.hpp"
#include "motion/run.hpp"
#include "motion/saddle_point.hpp"
#include "numerics/short_array.hpp"

namespace herglotz::integrate {

struct FinalSet;

/// Right side of the equation for y = (x, w, z, nu if multipliers are differential, log lambda, g_1, ..), with d(log
/// lambda)/dt = -L_z and dg_k/dt = L_z g_k + source_k. Theory, Sec. 3.
class RightSide {
 public:
  /// States are moved onto `final_set` unless it is nullptr. Throws Refused if kernels that it needs are
  /// missing.
  RightSide(const Dynamics& dynamics, std::span<const double> parameters, const FinalSet* final_set = nullptr);

  [[nodiscard]] std::size_t size() const { return dimension_ + 1 + dynamics_->laws; }
  /// Returns y at the start: (x, w, z, nu) of the state, log lambda = 0, g = Q.
  [[nodiscard]] std::vector<double> initial(double t0, std::span<const double> state);
  /// Writes y at the start, of size().
  void initial(double t0, std::span<const double> state, double* y);
  /// Returns dL/dz at that start.
  [[nodiscard]] double dissipation() const { return dissipation_; }
  /// Computes y_dot. Returns false if it is not finite; stop() then says why.
  bool operator()(double t, const double* y, double* y_dot);
  /// Computes d y_dot / d y, column-major, size() x size(): exactly for the state, and by forward differences for the
  /// rows of the factor and the budgets, whose kernel has no compiled derivative. Returns false as above.
  bool jacobian(double t, const double* y, double* columns);
  /// Moves y onto the final set, or onto the constraints, and adds the work of that impulse to the budgets. Returns
  /// false as above.
  bool project(double t, double* y);
  /// Computes the multipliers at (t, y): lambda, or nu. Returns false as above.
  bool multipliers(double t, const double* y, std::vector<double>& l);
  /// Returns the largest |term| of each law's quantity at (t, y), for error weights.
  std::span<const double> law_scales(double t, const double* y);
  /// Returns these terms at the point at which y_dot was evaluated last.
  std::span<const double> law_scales();
  /// Returns whether states have to be moved onto constraints or onto a final set.
  [[nodiscard]] bool projects() const { return saddle_ || final_set_ != nullptr; }
  [[nodiscard]] const Stop& stop() const { return stop_; }
  /// Throws Refused if there is no compiled Jacobian.
  void require_jacobian() const { rates_.require_jacobian(); }
  /// Returns whether there is a compiled Jacobian, and the system is small enough to have it as a dense matrix for the
  /// sake of a single look.
  [[nodiscard]] bool has_small_jacobian() const {
    constexpr std::size_t most_entries = 100;
    return size() <= most_entries && rates_.has_jacobian();
  }

 private:
  void load(double t, const double* y);
  bool evaluate_rates();
  void balance(const double* v);
  void budget_rows(const double* y, const Eigen::MatrixXd& state_rows, Eigen::Map<Eigen::MatrixXd>& matrix);
  bool fail(double t, const double* y);
  bool independent(double t);

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  const FinalSet* final_set_;
  std::size_t dimension_;
  Rates rates_;
  std::optional<SaddlePoint> saddle_;
  ShortArray v_;  // (x, w, z, t, l)
  ShortArray out_;
  ShortArray balance_;
  ShortArray shifted_;
  ShortArray scales_;
  std::vector<double> momentum_;
  ShortArray work_;
  double dissipation_ = 0;
  std::vector<double> inverse_;        // the diagonal of C^-1
  std::vector<double> first_inverse_;  // the diagonal at the first projection
  double first_dependence_ = 0;
  double t0_ = 0;
  double t_projected_ = 0;  // time of the last projection
  int small_steps_ = 0;     // small steps in a row between projections
  Stop stop_;
};

}  // namespace herglotz::integrate
