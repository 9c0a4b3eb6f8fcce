#pragma once
/// Galerkin variational integrators of contact Lagrangian systems.

#include <Eigen/Dense>
#include <vector>

#include "compensated.hpp"
#include "fixed_step.hpp"
#include "herglotz/integrate/galerkin_rule.hpp"
#include "saddle_point.hpp"

namespace herglotz::integrate {

/// The discrete Herglotz equations of the discrete action z1 - z0 = h sum_j b_j L(Q_j, Qdot_j, Z_j, t_j), which is
/// stationary among polynomials Q = sum_nu l_nu q^nu of degree s with q^0 = x0, q^s = x1. With D = diag(L_z,j), the
/// weights w^T = b^T (1 - h D A)^-1 and sigma = 1 + h sum_j w_j L_z,j, a step solves
///   sum_j w_j (h f_j l_nu(c_j) + p_j l'_nu(c_j)) = -sigma p0 (nu = 0), 0 (0 < nu < s),   Z_j = z0 + h sum_k A_jk L_k
/// by Newton's method for Y^nu = (q^nu - x0)/h and Z; the sum over nu = 0..s is p1 = sigma p0 + h sum_j w_j f_j.
/// [ASMLL20, Eqs. 39-43]; J. Hall, M. Leok, Numer. Math. 130 (2015). With forces f = L_x + F it is the discrete
/// Lagrange-d'Alembert principle. Budgets: g1 = sigma g0 + h sum_j w_j source_j.
class ContactGalerkin final : public FixedStepper {
 public:
  ContactGalerkin(const Run& run, const GalerkinRule& rule);

  Status start() override;
  Status step(double t, double h) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactGalerkin>(*this); }
  void follow(const FixedStepper& other) override;
  [[nodiscard]] std::span<const double> last_state() override;
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

 private:
  const double* out(Eigen::Index node) const { return out_.data() + static_cast<std::size_t>(node) * rows_; }
  double p0(Eigen::Index a) const { return state_[static_cast<std::size_t>(n_ + a)]; }
  double z0() const { return state_[2 * static_cast<std::size_t>(n_)]; }

  void interpolate(const GalerkinRule& rule);
  void predict();
  void load(Eigen::Index node, double t);
  bool evaluate(double t);
  void take_weights();
  bool factorise(double t);
  void add_node(Eigen::Index node);
  [[nodiscard]] double update_size() const;
  Status solve(double t);
  Status finish(double t);
  void add_sources(double t);
  Status know_velocity(double t);
  Status refuse_factor();
  Status explain(Status status, double t);

  const Run run_;
  Eigen::Index n_;
  Eigen::Index degree_;
  Eigen::Index nodes_;
  std::size_t laws_;
  std::size_t rows_;  // outputs of the stage kernel
  Eigen::VectorXd c_, b_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd control_;          // positions of q^0..q^s in the step
  Eigen::MatrixXd values_, slopes_;  // l_nu(c_j), l'_nu(c_j), node by node
  Eigen::MatrixXd ahead_;            // l_nu(1 + control_mu), for the guess of the next step
  Eigen::VectorXd end_slopes_;       // l'_nu(1)
  SaddlePoint saddle_;
  double h_ = 0;
  CompensatedVector state_;  // x, p, z, log factor, budgets
  std::vector<double> last_state_;
  bool velocity_known_ = false;
  bool remembers_ = false;                        // whether the unknowns are those of the step before
  Eigen::VectorXd unknowns_, residual_, update_;  // (Y^1..Y^s, Z_1..Z_u)
  double last_dz_ = 0;
  Eigen::VectorXd weights_, L_z_;
  double sigma_minus_1_ = 0;
  Eigen::MatrixXd response_;  // A (1 - h D A)^-1
  Eigen::MatrixXd matrix_, by_stage_, columns_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  std::vector<double> v_, out_, jacobian_, balance_, increments_, work_;
  double last_update_ = 0;
  std::size_t iterations_ = 0;
  std::string reason_;
};

}  // namespace herglotz::integrate
