#pragma once
/// Stages and ends of the steps of implicit Runge-Kutta methods.

#include <Eigen/LU>
#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/sensitivity/implicit_steps.hpp"

namespace herglotz::sensitivity {

/// Values and derivatives of (m, g) at one point.
struct Place {
  Eigen::VectorXd u;
  Eigen::VectorXd m;
  Eigen::VectorXd g;
  Eigen::MatrixXd slopes;  ///< of (m, g) by (u, theta, t)
};

/// Value and derivative of a polynomial.
struct Weight {
  double value = 1;
  double slope = 0;
};

/// The equations m(U_i) = m(u0) + h sum_j a_ij g(U_j) of the stages of one step, and their solution.
class ImplicitStages {
 public:
  ImplicitStages(ImplicitForm form, ImplicitTableau tableau);

  /// Entries of u, and those of them that are the state.
  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] Eigen::Index states() const { return static_cast<Eigen::Index>(form_.states); }
  [[nodiscard]] std::size_t count() const { return places_.size(); }
  [[nodiscard]] const ImplicitTableau& tableau() const { return tableau_; }
  [[nodiscard]] const std::vector<double>& theta() const { return theta_; }

  [[nodiscard]] const Place& start() const { return start_; }
  [[nodiscard]] const Place& stage(std::size_t i) const { return places_[i]; }
  /// Returns the block of stage i in a vector or in the rows of a matrix of all stages.
  [[nodiscard]] Eigen::Index at(std::size_t i) const { return static_cast<Eigen::Index>(i) * size_; }
  /// Returns a_ij for an entry of m.
  [[nodiscard]] double entry(std::size_t i, std::size_t j, Eigen::Index row) const {
    return (form_.of_second_table[static_cast<std::size_t>(row)] ? tableau_.A_hat : tableau_.A)[i][j];
  }
  /// Returns Lagrange's polynomial of one of the nodes 0 and c_i at s.
  [[nodiscard]] Weight weight(double node, double s) const;

  /// Guesses the stages of the next step without those of the steps so far.
  void restart();
  /// Begins a step from the state y.
  void begin(std::span<const double> y, std::vector<double> theta);
  /// Solves for the stages by Newton's method, to round-off. Returns false if that fails.
  bool solve(double t, double h);
  /// Takes given stages, one after the other, in place of those of solve(). Returns false if a number is not finite.
  bool take(double t, double h, std::span<const double> stages);
  /// Factorises the matrix of the equations linearised at the stages: block (i, j) has m_u(U_i) delta_ij - h a_ij
  /// g_u(U_j).
  void factorise(double h);
  [[nodiscard]] const Eigen::PartialPivLU<Eigen::MatrixXd>& matrix() const { return lu_; }
  /// Solves m(u1, t + h) = m(u0) + h sum_j b_j g(U_j) for the end u1 of a step whose stages are known.
  bool find_end(double t, double h, Place& end);
  /// Evaluates all at the point with this u. Returns false if a number is not finite.
  bool evaluate(double t, Place& place);

 private:
  bool iterate(double t, double h, bool moved);
  bool approach_end(double t, const Eigen::VectorXd& to, Place& end);
  void floor_scale();
  /// Returns whether all entries of the state are 0, which measure no change.
  [[nodiscard]] bool is_zero() const;

  ImplicitForm form_;
  ImplicitTableau tableau_;
  Eigen::Index size_;
  Place start_;
  std::vector<Place> places_;
  std::vector<double> theta_;
  Eigen::VectorXd shift_;      // stages of the last step less its start; empty if there is none
  Eigen::VectorXd end_shift_;  // end of the last step less its start
  Eigen::VectorXd residual_;
  Eigen::VectorXd change_;
  Eigen::VectorXd scale_;  // sizes of the unknowns, per entry of u
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::PartialPivLU<Eigen::MatrixXd> end_lu_;
  std::vector<double> point_;
  std::vector<double> values_;
  std::vector<double> work_;
};

}  // namespace herglotz::sensitivity
