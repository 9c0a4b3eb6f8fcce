#pragma once
/// A discrete gradient in the homogeneous lift: steps that obey the energy law to round-off, on every algebroid.

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "compensated.hpp"
#include "fixed_step.hpp"

namespace herglotz::integrate {

/// With R the integrating factor relative to the start of the step and pi = R p, the motion in u = (x, pi, z, R) is
/// u_dot = B(u) grad K + (0, R F, 0, 0), K(u) = R H(x, pi/R, z), with the linear almost-Poisson tensor B of E x TR:
///   B = [rho, -sigma^T + c pi] on (x, pi) and z_dot = -K_R, R_dot = K_z. Theory, Sec. 4.
/// A step takes gradients at the middle u_m = (u0 + u1)/2 and corrects them along M (u1 - u0) [Gon96]:
///   x1 - x0   = h (x_dot + alpha sigma d)                          d = pi1 - pi0, R_m = (1 + R1)/2,
///   d         = h (R_m f - alpha (R_m^2 rho^T M_x (x1 - x0) + (c pi_m) d))
///   z1 - z0   = h (L - alpha (R1 - 1)),   R1 - 1 = h (-R_m L_z + alpha R_m^2 M_z (z1 - z0)),
/// where x_dot, f, L, L_z, rho, sigma, c are those of (x_m, w_m, z_m, t0 + h/2), p(there) = pi_m/R_m, and (c pi)_ij =
/// c^k_ij pi_k. alpha is such that the energy law holds with the quadrature of the middle,
///   R1 E1 = E0 + h R_m source_m;
/// where the source is zero, alpha is Gonzalez' quotient. The correction goes along -B^T, which is B on skew
/// algebroids, so that it changes K at the rate -|u1 - u0|^2_M on general ones too. M is 1 for d and R and, for the
/// coordinates (x, z) that the energy depends on, R_m^2, which makes the step symmetric; for the others it is 0, so
/// that their momenta are kept. alpha = O(h) falls out where u1 - u0 is lost in rounding: there the middle alone obeys
/// the law. The energy carried is the one that the law gives from the start of the run on, so that rounding does not
/// add up. A step of the method is one such step for each of the fractions, which add up to 1.
class ContactEnergy final : public FixedStepper {
 public:
  ContactEnergy(const Run& run, const std::vector<double>& fractions);

  Status start() override;
  Status step(double t, double h) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactEnergy>(*this); }
  void follow(const FixedStepper& other) override;
  [[nodiscard]] std::span<const double> last_state() override { return last_state_; }
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

 private:
  using Vector = Eigen::VectorXd;
  static constexpr std::size_t history_length = 5;

  /// What one of the fractions remembers: the solutions of the last steps, newest first, and the linear system.
  struct Part {
    double fraction = 1;
    std::vector<Vector> past;  // (unknowns, alpha)
    bool factorised = false;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    Vector energy_row;  // d(energy defect)/d(unknowns)
  };

  Status part_step(double t, Part& part);
  void predict(double t, const Part& part);
  void load_points(double t);
  bool evaluate(double t);
  void fill_residual();
  bool factorise(Part& part);
  void add_middle(Eigen::MatrixXd& matrix);
  void add_end(Eigen::MatrixXd& matrix);
  void add_energy(Vector& row);
  Status solve(double t, Part& part);
  bool correct(const Part& part, bool moves_alpha);
  std::array<double, 4> group_sizes(const Vector& entries) const;
  void measure();
  double update_size() const;
  Status finish(const Part& part);
  Status refuse_factor(double rate);
  Status explain(Status status, double t);

  const double* middle() const { return out_middle_.data(); }
  double rho_R() const { return u_(n_ + r_ + 1); }  // R1 - 1
  double middle_factor() const { return 1 + rho_R() / 2; }
  double energy_rounding(const Part& part) const;

  const Run run_;
  Eigen::Index n_;
  Eigen::Index r_;
  Eigen::Index base_;  // n + r + 1
  Eigen::Index size_;  // of the unknowns (x1 - x0, w_m, z1 - z0, R1 - 1, w1)
  std::size_t laws_;
  std::vector<Part> parts_;
  double h_ = 0;             // of the part
  double whole_ = 0;         // of the step
  CompensatedVector state_;  // x, p, z, log factor, budgets, energy by its law
  std::vector<double> last_state_;
  CompensatedVector before_;
  std::vector<double> state_before_;
  Vector u_;
  double alpha_ = 0;
  double energy_defect_ = 0;
  Vector residual_, update_, direction_, correction_, scaled_;
  Vector moved_;  // pi1 - pi0
  std::vector<double> v_middle_, v_end_, out_middle_, out_end_, law_middle_, law_end_, structure_;
  std::vector<double> jacobian_, law_jacobian_, balance_, increments_, work_;
  std::array<double, 4> inverse_size_{};
  double last_update_ = 0;
  std::size_t iterations_ = 0;
  std::string reason_;
};

}  // namespace herglotz::integrate
