#pragma once
/// Stages and ends of the steps of implicit Runge-Kutta methods.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "factors.hpp"
#include "herglotz/sensitivity/implicit_steps.hpp"

namespace herglotz::sensitivity {

/// Values and derivatives of (m, g) at one point.
struct FormAtPoint {
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

/// The equations m(U_i) = m(u0) + h sum_j a_ij g(U_j) of the stages of one step, m(u1) = m(u0) + h sum_j b_j g(U_j) of
/// its end, and their solution. A step with a polynomial has no end of its own.
class ImplicitStages {
 public:
  ImplicitStages(ImplicitForm form, ImplicitTableau tableau);

  /// Entries of u, and those of them that are the state.
  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] Eigen::Index states() const { return static_cast<Eigen::Index>(form_.states); }
  [[nodiscard]] std::size_t count() const { return places_.size(); }
  [[nodiscard]] const ImplicitTableau& tableau() const { return tableau_; }

  [[nodiscard]] const FormAtPoint& start() const { return start_; }
  [[nodiscard]] const FormAtPoint& stage(std::size_t i) const { return places_[i]; }
  [[nodiscard]] const FormAtPoint& end() const { return end_; }
  /// Returns the block of stage i in a vector or in the rows of a matrix of all stages.
  [[nodiscard]] Eigen::Index at(std::size_t i) const { return static_cast<Eigen::Index>(i) * size_; }
  /// Returns a_ij for every entry of m.
  [[nodiscard]] const Eigen::VectorXd& entries(std::size_t i, std::size_t j) const { return entries_[i * count() + j]; }
  /// Returns Lagrange's polynomial of one of the nodes 0 and c_i at s.
  [[nodiscard]] Weight weight(double node, double s) const;

  /// Guesses the next step without the steps so far.
  void restart();
  /// Begins a step from the state y.
  void begin(std::span<const double> y, std::span<const double> theta);
  /// Solves for the stages and the end by Newton's method, to round-off, and factorises the equations linearised there.
  /// Returns false if that fails.
  bool solve(double t, double h);
  /// Returns how many numbers a solution is: stages, end, and factors.
  [[nodiscard]] std::size_t kept() const;
  /// Writes the solution, or takes one for that of the step from the state y. Returns false if a number is not finite.
  void keep(std::span<double> kept) const;
  bool recall(double t, double h, std::span<const double> kept);
  /// Returns the matrix of the linearised equations of the stages, whose block (i, j) is m_u(U_i) delta_ij - h a_ij
  /// g_u(U_j), and that of the end, m_u(u1).
  [[nodiscard]] const Factors& of_stages() const { return of_stages_; }
  [[nodiscard]] const Factors& of_end() const { return of_end_; }

 private:
  [[nodiscard]] std::size_t ends() const { return tableau_.dense ? 0 : 1; }
  bool solve_from(Eigen::VectorXd guess, double t, double h);
  template <class Evaluate, class Factorise>
  bool iterate(Eigen::Ref<Eigen::VectorXd> unknowns, Factors& factors, const Evaluate& evaluate,
               const Factorise& factorise);
  bool evaluate(double t, const Eigen::Ref<const Eigen::VectorXd>& u, FormAtPoint& place);
  bool evaluate_stages(const Eigen::Ref<const Eigen::VectorXd>& unknowns, double t, double h);
  void factorise_stages(double h);
  [[nodiscard]] Eigen::VectorXd guess(double h) const;
  void remember(double h);
  void measure(const Eigen::Ref<const Eigen::VectorXd>& unknowns);
  [[nodiscard]] double relative(const Eigen::VectorXd& change) const;
  /// Returns whether all entries of the state are 0, which measure no change.
  [[nodiscard]] bool is_zero() const;

  ImplicitForm form_;
  ImplicitTableau tableau_;
  Eigen::Index size_;
  FormAtPoint start_;
  std::vector<FormAtPoint> places_;
  FormAtPoint end_;
  std::vector<Eigen::VectorXd> entries_;
  std::vector<double> theta_;
  Eigen::VectorXd solution_;                 // the stages, then the end
  std::vector<Eigen::VectorXd> remembered_;  // the solutions of the last steps less their starts, the last one first
  double h_ = 0;                             // of these steps
  Eigen::VectorXd residual_;
  Eigen::VectorXd change_;
  Eigen::VectorXd scale_;  // sizes of the unknowns, per entry of u
  Eigen::MatrixXd matrix_;
  Factors of_stages_;
  Factors of_end_;
  std::vector<Eigen::Index> slots_;  // of the derivatives among the numbers of FormAtPoint::slopes
  std::vector<double> point_;
  std::vector<double> values_;
  std::vector<double> work_;
};

}  // namespace herglotz::sensitivity
