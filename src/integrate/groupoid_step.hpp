#pragma once
/// One symmetric step of order 2 of the discrete Hamilton-Pontryagin-Herglotz equations on an action groupoid.

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "compensated.hpp"
#include "elimination.hpp"
#include "group_action.hpp"
#include "method.hpp"
#include "retraction.hpp"

namespace herglotz::integrate {

/// Values and derivatives of the groupoid's stage kernel at one point (x, xi, z, t).
class GroupoidStage {
 public:
  GroupoidStage(const Dynamics& dynamics, std::span<const double> parameters);

  [[nodiscard]] double* x() { return v_.data(); }
  [[nodiscard]] double* xi() { return v_.data() + n_; }
  [[nodiscard]] const double* x() const { return v_.data(); }
  [[nodiscard]] const double* xi() const { return v_.data() + n_; }
  [[nodiscard]] double z() const { return v_[n_ + r_]; }
  [[nodiscard]] double t() const { return v_[n_ + r_ + 1]; }
  void set(double z, double t) {
    v_[n_ + r_] = z;
    v_[n_ + r_ + 1] = t;
  }

  /// False where a value is not finite.
  bool evaluate();
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> mu() const { return values(0, r_); }
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> force() const { return values(r_, r_); }
  [[nodiscard]] double L() const { return out_[2 * r_]; }
  [[nodiscard]] double L_z() const { return out_[2 * r_ + 1]; }
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> Phi() const { return values(2 * r_ + 2, m_); }
  /// Phi_xi^T (r x m).
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> directions() const;

  void differentiate();
  /// d(what starts at `row`, `rows` values)/dx, d/dxi and d/dz.
  [[nodiscard]] auto by_x(std::size_t row, std::size_t rows) const { return block(row, rows, 0, n_); }
  [[nodiscard]] auto by_xi(std::size_t row, std::size_t rows) const { return block(row, rows, n_, r_); }
  [[nodiscard]] auto by_z(std::size_t row, std::size_t rows) const { return block(row, rows, n_ + r_, 1); }

 private:
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> values(std::size_t at, std::size_t size) const;
  [[nodiscard]] Eigen::Block<const Eigen::MatrixXd> block(std::size_t row, std::size_t rows, std::size_t col,
                                                          std::size_t cols) const {
    return jacobian_.block(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(col),
                           static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
  }

  const GroupoidMap* map_;
  std::span<const double> parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::vector<double> v_;
  std::vector<double> out_;
  std::vector<double> entries_;
  std::vector<double> work_;
  Eigen::MatrixXd jacobian_;
};

/// From (x0, mu0, z0), with v = h xi, D = dtau^-1_v, l the Lagrangian in the frame, f = rho^T l_x + F and the indices
/// 0, 1 for values at (x0, xi, z0, t0) and (x1, xi, z1, t1), the unknowns xi, z1 and impulses kappa (m) solve
///   x1 = x0 . tau(v),   z1 = z0 + (h/2)(l_0 + l_1),
///   D^T (1/2)(l_xi,0 + l_xi,1) = M = (1 + h/2 l_z,0) mu0 + (h/2) f_0 + (1/2) Phi_xi,0^T kappa,
/// and for each constraint phi(x1, z1, t1) = 0 if it is velocity-free, (1/2)(Phi_0 + Phi_1) = 0 otherwise. Then
///   (1 - h/2 l_z,1) mu1 = Ad*_tau(v) M + (h/2) f_1 + (1/2) Phi_xi,1^T kappa',
/// kappa' being such that Phi = 0 at (x1, mu1, z1, t1). Exchanging the ends and h with -h changes nothing. Without
/// forces and constraints d z1 - mu1 = sigma (d z0 - mu0) on the groupoid, sigma = (1 + h/2 l_z,0)/(1 - h/2 l_z,1).
/// Newton's method to round-off; mu1 - mu0 = (ad_v^T D^-T M + ..)/(1 - h/2 l_z,1) has no leading part that could lose
/// digits.
class GroupoidStep {
 public:
  /// What a step adds to x (n), mu (r) and z, and what the balance laws need of it.
  struct Result {
    Eigen::VectorXd x;
    Eigen::VectorXd mu;
    double z = 0;
    double rate0 = 0;  ///< l_z at both ends
    double rate1 = 0;
    double log_sigma = 0;
  };

  /// Steps of these fractions of a method's step come in turn; guesses are remembered for each.
  GroupoidStep(const Dynamics& dynamics, std::span<const double> parameters, RetractionKind kind,
               std::span<const double> fractions);

  /// xi to begin with, and multipliers, where they are known.
  void begin(const Eigen::VectorXd& xi, const double* multipliers);
  /// The step of fraction `slot` from t to t + h; state is (x, mu, z, ..). On failure reason() says why.
  Status operator()(std::size_t slot, const CompensatedVector& state, double t, double h);
  /// Forgets guesses, as when the step changes.
  void forget();

  [[nodiscard]] const Result& result() const { return result_; }
  [[nodiscard]] const GroupoidStage& first() const { return first_; }
  [[nodiscard]] const GroupoidStage& second() const { return second_; }
  /// Impulses kappa and kappa' (m); divided by h they are multipliers.
  [[nodiscard]] const Eigen::VectorXd& impulse() const { return impulse_; }
  [[nodiscard]] const Eigen::VectorXd& end_impulse() const { return end_impulse_; }
  /// What rounding took from result().x.
  [[nodiscard]] const Eigen::VectorXd& rounded() const { return action_.rounded(); }
  /// The best known xi at the end of the step.
  [[nodiscard]] const Eigen::VectorXd& xi() const { return xi_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }

 private:
  static constexpr int history_length = 6;
  /// Solutions of past steps of a kind, newest first from `newest`, to extrapolate from.
  struct Memory {
    std::array<Eigen::VectorXd, history_length> solutions;
    int newest = 0;
    int remembered = 0;
    Elimination elimination;
    bool factorised = false;
  };
  struct Slot {
    double fraction = 1;
    double h = 0;
    Memory step;
    Memory end;
  };

  static void predict(const Memory& memory, Eigen::VectorXd& guess);
  static void remember(Memory& memory, const Eigen::VectorXd& solution);
  void guess(const Slot& slot, const CompensatedVector& state);
  Status solve(Memory& memory, bool carefully);
  Status finish(Slot& slot);
  bool evaluate();
  void fill_residual();
  void factorise(Memory& memory);
  void add_constraint_rows(Eigen::Index row);
  double action_slope(std::size_t k);
  [[nodiscard]] double velocity_size(double xi, double z) const;
  [[nodiscard]] double update_size() const;
  Status solve_end(Memory& memory);
  bool iterate_end(Memory& memory, bool carefully);
  void factorise_end(Memory& memory);
  Status refuse_factor();
  [[nodiscard]] double whole_step() const { return std::abs(h_ / fraction_); }
  Status fail();

  const Dynamics* dynamics_;
  std::span<const double> parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t positions_;
  GroupAction action_;
  Retraction retraction_;
  GroupoidStage first_;
  GroupoidStage second_;
  GroupoidStage end_;
  std::vector<Slot> slots_;
  double h_ = 0;
  double h_before_ = 0;
  double fraction_ = 1;  // of the method's step that h is
  Eigen::VectorXd mu0_;
  std::vector<double> rest_;  // of x0
  Eigen::VectorXd v_;
  Eigen::VectorXd unknowns_;  // xi, z1, kappa
  Eigen::VectorXd residual_;
  Eigen::VectorXd update_;
  Eigen::VectorXd mean_;  // of l_xi
  Eigen::VectorXd total_;
  Eigen::VectorXd phi_;
  Eigen::MatrixXd matrix_;
  Eigen::MatrixXd transport_;  // d x1/d xi
  Eigen::MatrixXd inverse_left_;
  Eigen::MatrixXd block_;
  Eigen::MatrixXd change_;
  Eigen::VectorXd end_unknowns_;  // xi1, kappa'
  Eigen::VectorXd end_residual_;
  Eigen::VectorXd end_update_;
  Eigen::VectorXd end_target_;
  Eigen::MatrixXd end_matrix_;
  Elimination transposed_;
  Eigen::VectorXd xi_;
  Eigen::VectorXd impulse_;
  Eigen::VectorXd end_impulse_;
  std::vector<double> position_values_;
  std::vector<double> position_point_;
  std::vector<double> work_;
  Result result_;
  double last_update_ = 0;
  std::size_t iterations_ = 0;
  std::string reason_;
};

}  // namespace herglotz::integrate
