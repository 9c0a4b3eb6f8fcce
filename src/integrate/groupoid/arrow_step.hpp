#pragma once
/// Steps of the discrete Herglotz equations of a discrete Lagrangian on an action groupoid.

#include <cstddef>
#include <vector>

#include "groupoid/group_action.hpp"
#include "groupoid/retraction.hpp"
#include "herglotz/integrate/dynamics.hpp"
#include "numerics/compensated.hpp"
#include "numerics/extrapolation.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/newton.hpp"
#include "numerics/small_matrix.hpp"

namespace herglotz::integrate {

/// One step along an arrow (x0, e^eta) of the groupoid of GroupoidKernels, from (x0, mu0, z0) to (x1, mu1, z1). The
/// kernels of DiscreteKernels have here the variables (x0, x1, eta (r), z0, z1, t0, h) and the outputs (ell, ell_eta
/// (r), pull0 (r), pull1 (r), D_z0, D_z1) with pull0 = rho(x0)^T ell_x0 + f- and pull1 = rho(x1)^T ell_x1 + f+, and the
/// Jacobian is that by (x1, eta, z1). With D = ad/(e^ad - 1) at eta the step solves
///   D^T ell_eta - pull0 = (1 + D_z0 ell) mu0,   z1 = z0 + ell,   x1 = x0 . e^eta
/// for (eta, z1) by a simplified Newton iteration to round-off, and ends with mu1 = ((D + ad)^T ell_eta + pull1)/(1 -
/// D_z1 ell). A step that fails leaves nothing behind.
class ArrowStep {
 public:
  enum class Failure { none, turned, lost, not_finite, factor, singular, not_converged };

  ArrowStep(const Dynamics& dynamics, const double* parameters);

  /// Sets the group and its action, and the velocity xi (r) to begin with.
  void take(const GroupStructure& group, const ActionNumbers& action) {
    retraction_.take(0, group);
    action_.take(0, action);
  }
  void begin(const std::vector<double>& xi) {
    xi_ = xi;
    past_.forget(true);
  }
  /// Forgets the guesses, as if the size of the step had changed.
  void forget() { past_.forget(true); }

  /// Makes the step from t to t + h of a state (x, mu, z, ..). Returns whether it succeeded.
  bool operator()(const CompensatedVector& state, double t, double h);

  // Increments by the step, and what it did.
  [[nodiscard]] double dx(std::size_t i) const { return action_.displacement()[i]; }
  /// Returns the part of dx that rounding took.
  [[nodiscard]] double rounded(std::size_t i) const { return action_.rounded()[i]; }
  [[nodiscard]] double dmu(std::size_t a) const { return dmu_[a]; }
  [[nodiscard]] double dz() const { return out_[0]; }
  [[nodiscard]] double growth() const { return 1 + out_[D_z0_]; }
  [[nodiscard]] double loss() const { return 1 - out_[D_z0_ + 1]; }
  /// Returns sigma_d - 1.
  [[nodiscard]] double sigma_less_1() const { return (out_[D_z0_] + out_[D_z0_ + 1]) / loss(); }
  /// Returns eta/h of the last step (r).
  [[nodiscard]] const std::vector<double>& xi() const { return xi_; }

  [[nodiscard]] Failure failure() const { return failure_; }
  [[nodiscard]] double last_update() const { return newton_.last_update(); }
  [[nodiscard]] std::size_t iterations() const { return newton_.iterations(); }

 private:
  struct Equations;

  [[nodiscard]] const double* by_eta() const { return out_.data() + 1; }
  [[nodiscard]] double pull0(std::size_t a) const { return out_[1 + r_ + a]; }
  [[nodiscard]] double pull1(std::size_t a) const { return out_[1 + 2 * r_ + a]; }
  bool evaluate();
  void linearise();
  [[nodiscard]] double update_size() const;
  bool solve();
  void find_momentum();

  const DiscreteKernels* map_;
  const double* parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t D_z0_;  // the place of D_z0 among the outputs
  GroupAction<double> action_;
  Retraction<double> retraction_;
  std::vector<double> variables_;  // (x0, x1, eta, z0, z1, t0, h)
  std::vector<double> rest_;       // low-order part of x0
  std::vector<double> mu0_;
  std::vector<double> unknowns_;  // (eta, z1)
  std::vector<double> residual_;
  std::vector<double> update_;
  std::vector<double> out_;
  std::vector<double> entries_;
  std::vector<double> work_;
  std::vector<double> turned_;
  std::vector<double> dmu_;
  std::vector<double> xi_;
  SmallMatrix<double> slopes_;     // d out/d(x1, eta, z1)
  SmallMatrix<double> transport_;  // d x1/d eta
  SmallMatrix<double> inverse_;
  SmallMatrix<double> change_;
  SquareSystem<double> system_;
  LaneLU<double, 0> matrix_;
  Extrapolation<double, 5> past_;  // (eta, z1 - z0) of the last steps
  Failure failure_ = Failure::none;
  bool regular_ = true;  // whether the last matrix was
  Newton<double> newton_;
};

}  // namespace herglotz::integrate
