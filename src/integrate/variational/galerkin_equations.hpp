#pragma once
/// Equations of a Galerkin step, of one run or of one in every lane.

#include <cstddef>
#include <vector>

#include "numerics/lane_lu.hpp"
#include "variational/carried_state.hpp"
#include "variational/galerkin_polynomials.hpp"

namespace herglotz::integrate {

/// The discrete Herglotz equations of the discrete action z1 - z0 = h sum_j b_j L(Q_j, Qdot_j, Z_j, t_j), which is
/// stationary among polynomials Q = sum_nu l_nu q^nu of degree s with q^0 = x0, q^s = x1. With D = diag(L_z,j), the
/// weights w^T = b^T (1 - h D A)^-1 and sigma = 1 + h sum_j w_j L_z,j, a step solves
///   sum_j w_j (h f_j l_nu(c_j) + p_j l'_nu(c_j)) = -sigma p0 (nu = 0), 0 (0 < nu < s),   Z_j = z0 + h sum_k A_jk L_k
/// for Y^nu = (q^nu - x0)/h and Z; the sum over nu = 0..s is p1 = sigma p0 + h sum_j w_j f_j. [ASMLL20, Eqs. 39-43];
/// J. Hall, M. Leok, Numer. Math. 130 (2015). With forces f = L_x + F it is the discrete Lagrange-d'Alembert principle.
template <class P>
class GalerkinEquations {
 public:
  using M = MaskOf<P>;

  GalerkinEquations(const Dynamics& dynamics, const double* parameters, const GalerkinPolynomials& polynomials)
      : dynamics_(&dynamics),
        parameters_(parameters),
        rule_(&polynomials),
        n_(dynamics.n),
        s_(polynomials.degree),
        nodes_(polynomials.nodes) {
    const std::size_t size = s_ * n_ + nodes_;
    unknowns_.resize(size);
    residual_.resize(size);
    update_.resize(size);
    matrix_.resize(size, false);
    v_.resize(dynamics.variables());
    out_.resize(nodes_ * dynamics.stage.outputs());
    jacobian_.resize(dynamics.stage_jacobian.outputs());
    std::size_t work = dynamics.stage.work_size();
    if (dynamics.stage_jacobian.work_size() > work) work = dynamics.stage_jacobian.work_size();
    work_.resize(work / LanesOf<P>::width + 1);
    rates_.resize(nodes_, false);
    weights_.resize(nodes_);
    right_.resize(nodes_);
    response_.resize(nodes_ * nodes_);
    by_rate_.resize(s_ * n_);
  }

  [[nodiscard]] const GalerkinPolynomials& rule() const { return *rule_; }
  /// Returns (Y^1..Y^s, Z_1..Z_u).
  std::vector<P>& unknowns() { return unknowns_; }
  [[nodiscard]] std::size_t count() const { return unknowns_.size(); }
  /// Returns Y^nu_i, nu = 1..s.
  P& Y(std::size_t nu, std::size_t i) { return unknowns_[(nu - 1) * n_ + i]; }
  [[nodiscard]] P Y(std::size_t nu, std::size_t i) const { return unknowns_[(nu - 1) * n_ + i]; }
  P& Z(std::size_t node) { return unknowns_[s_ * n_ + node]; }
  /// Returns the update of the unknowns.
  [[nodiscard]] const std::vector<P>& update() const { return update_; }

  // Numbers of the last evaluation:
  [[nodiscard]] P force(std::size_t node, std::size_t a) const { return out(node)[2 * n_ + a]; }
  [[nodiscard]] P lagrangian(std::size_t node) const { return out(node)[3 * n_]; }
  [[nodiscard]] P rate(std::size_t node) const { return out(node)[3 * n_ + 1]; }
  [[nodiscard]] P weight(std::size_t node) const { return weights_[node]; }
  [[nodiscard]] P sigma_minus_1() const { return sigma_minus_1_; }

  /// Returns (x, w, z, t) of a node in a step from `start`.
  const P* node(std::size_t j, const CarriedState<P>& start, double t) {
    for (std::size_t i = 0; i < n_; ++i) {
      P x(0.0);
      P velocity(0.0);
      for (std::size_t nu = 1; nu <= s_; ++nu) {
        x += P(rule_->value(j, nu)) * Y(nu, i);
        velocity += P(rule_->slope(j, nu)) * Y(nu, i);
      }
      v_[i] = start.x(i) + P(h_) * x;
      v_[n_ + i] = velocity;
    }
    v_[2 * n_] = Z(j);
    v_[2 * n_ + 1] = P(t + rule_->c[j] * h_);
    return v_.data();
  }

  /// Computes stages, weights and residuals. Returns the lanes in which the residuals are finite.
  M evaluate(const CarriedState<P>& start, double t, double h) {
    h_ = h;
    const std::size_t rows = dynamics_->stage.outputs();
    for (std::size_t j = 0; j < nodes_; ++j) {
      node(j, start, t);
      dynamics_->stage(plain(v_.data()), parameters_, plain(out_.data() + j * rows), plain(work_.data()));
    }
    find_weights();
    const P sigma = P(1.0) + sigma_minus_1_;
    for (std::size_t k = 0; k < s_ * n_; ++k) residual_[k] = k < n_ ? sigma * start.p(k) : P(0.0);
    for (std::size_t j = 0; j < nodes_; ++j) {
      residual_[s_ * n_ + j] = Z(j) - start.z();
      for (std::size_t a = 0; a < n_; ++a) {
        const P impulse = P(h_) * weights_[j] * force(j, a);
        const P momentum = weights_[j] * this->momentum(j, a);
        for (std::size_t nu = 0; nu < s_; ++nu)
          residual_[nu * n_ + a] += P(rule_->value(j, nu)) * impulse + P(rule_->slope(j, nu)) * momentum;
      }
    }
    for (std::size_t k = 0; k < nodes_; ++k) {
      const P dz = P(h_) * lagrangian(k);
      for (std::size_t j = 0; j < nodes_; ++j) residual_[s_ * n_ + j] -= P(rule_->A_of(j, k)) * dz;
    }
    return finite_numbers(residual_.data(), residual_.size());
  }

  /// Computes Newton's matrix at the last evaluation; dw^T = h w^T dD A (1 - h D A)^-1 makes it exact. Returns the
  /// lanes in which it is finite.
  M linearise(const CarriedState<P>& start, double t) {
    find_response();
    matrix_.clear();
    for (std::size_t k = s_ * n_; k < count(); ++k) matrix_.at(k, k) = P(1.0);
    for (std::size_t j = 0; j < nodes_; ++j) {
      node(j, start, t);
      dynamics_->stage_jacobian(plain(v_.data()), parameters_, plain(jacobian_.data()), plain(work_.data()));
      find_effect_of_rate(j, start);
      for (std::size_t e = 0; e < jacobian_.size(); ++e)
        add(j, dynamics_->stage_pattern.row[e], dynamics_->stage_pattern.col[e], jacobian_[e]);
    }
    return matrix_.compute(!all());
  }
  /// Computes the update of Newton's method, to be subtracted. Returns the lanes in which it is finite.
  M solve() {
    matrix_.solve(residual_.data(), update_.data());
    return finite_numbers(update_.data(), update_.size());
  }

 private:
  static M all() { return P(0.0) <= P(0.0); }
  /// Returns (x_dot, p, F, L, L_z).
  [[nodiscard]] const P* out(std::size_t node) const { return out_.data() + node * dynamics_->stage.outputs(); }
  [[nodiscard]] P momentum(std::size_t node, std::size_t a) const { return out(node)[n_ + a]; }

  /// Computes the weights b^T (1 - h D A)^-1 as b^T + h b^T D A (1 - h D A)^-1, so that the weights of a conservative
  /// step are b to the bit.
  void find_weights() {
    for (std::size_t i = 0; i < nodes_; ++i)
      for (std::size_t k = 0; k < nodes_; ++k)
        rates_.at(k, i) = P(i == k ? 1.0 : 0.0) - P(h_ * rule_->A_of(i, k)) * rate(i);
    rates_.compute(!all());
    for (std::size_t k = 0; k < nodes_; ++k) right_[k] = P(0.0);
    for (std::size_t i = 0; i < nodes_; ++i) {
      const P term = P(h_ * rule_->b[i]) * rate(i);
      for (std::size_t k = 0; k < nodes_; ++k) right_[k] += term * P(rule_->A_of(i, k));
    }
    rates_.solve(right_.data(), weights_.data());
    P sum(0.0);
    for (std::size_t k = 0; k < nodes_; ++k) {
      weights_[k] = P(rule_->b[k]) + weights_[k];
      sum += weights_[k] * rate(k);
    }
    sigma_minus_1_ = P(h_) * sum;
  }
  /// Computes A (1 - h D A)^-1, row by row.
  void find_response() {
    for (std::size_t i = 0; i < nodes_; ++i) {
      for (std::size_t k = 0; k < nodes_; ++k) right_[k] = P(rule_->A_of(i, k));
      rates_.solve(right_.data(), response_.data() + i * nodes_);
    }
  }
  /// Computes the effect of dL_z of a node on the equations of momenta, through sigma and the weights.
  void find_effect_of_rate(std::size_t j, const CarriedState<P>& start) {
    const P* const response = response_.data() + j * nodes_;
    P answer(0.0);
    for (std::size_t k = 0; k < nodes_; ++k) answer += response[k] * rate(k);
    const P growth = P(1.0) + P(h_) * answer;
    for (std::size_t k = 0; k < s_ * n_; ++k) by_rate_[k] = k < n_ ? start.p(k) * growth : P(0.0);
    for (std::size_t k = 0; k < nodes_; ++k) {
      for (std::size_t a = 0; a < n_; ++a) {
        const P impulse = P(h_) * response[k] * force(k, a);
        const P momentum = response[k] * this->momentum(k, a);
        for (std::size_t nu = 0; nu < s_; ++nu)
          by_rate_[nu * n_ + a] += P(rule_->value(k, nu)) * impulse + P(rule_->slope(k, nu)) * momentum;
      }
    }
    const P weight = P(h_) * weights_[j];
    for (P& effect : by_rate_) effect *= weight;
  }

  /// Adds one entry of the derivative of stage j by its (x, w, z).
  void add(std::size_t j, std::size_t row, std::size_t col, P value) {
    if (row < n_) return;  // x_dot, which is w
    if (row < 3 * n_) {
      const bool force = row >= 2 * n_;
      const std::size_t a = row - (force ? 2 * n_ : n_);
      const P weighted = (force ? P(h_) * weights_[j] : weights_[j]) * value;
      for (std::size_t mu = 0; mu < s_; ++mu)
        add_to(j, mu * n_ + a, col, P(force ? rule_->value(j, mu) : rule_->slope(j, mu)) * weighted);
    } else if (row == 3 * n_) {
      for (std::size_t k = 0; k < nodes_; ++k) add_to(j, s_ * n_ + k, col, P(-h_ * rule_->A_of(k, j)) * value);
    } else {
      for (std::size_t k = 0; k < s_ * n_; ++k) add_to(j, k, col, by_rate_[k] * value);
    }
  }
  /// Adds a value to the columns of the unknowns that entry `col` of (x, w, z) depends on.
  void add_to(std::size_t j, std::size_t row, std::size_t col, P value) {
    if (col == 2 * n_) {
      matrix_.at(row, s_ * n_ + j) += value;
    } else if (col < n_) {
      for (std::size_t nu = 1; nu <= s_; ++nu)
        matrix_.at(row, (nu - 1) * n_ + col) += P(h_ * rule_->value(j, nu)) * value;
    } else {
      for (std::size_t nu = 1; nu <= s_; ++nu)
        matrix_.at(row, (nu - 1) * n_ + col - n_) += P(rule_->slope(j, nu)) * value;
    }
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  const GalerkinPolynomials* rule_;
  std::size_t n_;
  std::size_t s_;
  std::size_t nodes_;
  double h_ = 0;
  std::vector<P> unknowns_;
  std::vector<P> residual_;
  std::vector<P> update_;
  std::vector<P> v_;
  std::vector<P> out_;
  std::vector<P> jacobian_;
  std::vector<P> work_;
  LaneLU<P, 0> rates_;  // the transpose of 1 - h D A
  std::vector<P> weights_;
  P sigma_minus_1_{};
  std::vector<P> right_;
  std::vector<P> response_;
  std::vector<P> by_rate_;
  LaneLU<P, 0> matrix_;
};

}  // namespace herglotz::integrate
