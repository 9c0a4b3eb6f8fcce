#pragma once
/// Equations of a step that obeys the energy law, of one run or of one in every lane.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/compensated.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/newton.hpp"

namespace herglotz::integrate {

/// Equations of one step. With R the integrating factor relative to the start of the step and pi = R p, the motion in u
/// = (x, pi, z, R) is
///   u_dot = B(u) grad K + (0, R F, 0, 0), K(u) = R H(x, pi/R, z), with the linear almost-Poisson tensor B of E x TR:
///   B = [rho, -sigma^T + c pi] on (x, pi) and z_dot = -K_R, R_dot = K_z. Theory, Sec. 4.
/// A step takes gradients at the middle u_m = (u0 + u1)/2 and corrects them along M (u1 - u0) [Gon96]:
///   x1 - x0   = h (x_dot + alpha sigma M_p d)                      d = pi1 - pi0, R_m = (1 + R1)/2,
///   d         = h (R_m f - alpha (R_m^2 rho^T M_x (x1 - x0) + (c pi_m) M_p d))
///   z1 - z0   = h (L - alpha M_R (R1 - 1)),   R1 - 1 = h (-R_m L_z + alpha R_m^2 M_z (z1 - z0)).
/// Here x_dot, f, L, L_z, rho, sigma and c are taken at (x_m, w_m, z_m, t0 + h/2), at which the momentum is pi_m/R_m,
/// and (c pi)_ij = c^k_ij pi_k. alpha is such that the energy law holds with the quadrature of the middle,
///   R1 E1 = E0 + h R_m source_m;
/// if the source is zero, alpha is Gonzalez' quotient. The correction goes along -B^T, which is B on skew algebroids,
/// so that it changes K at the rate -|u1 - u0|^2_M on general ones too. With a mass mu of the model and the size S of
/// its energy in the middle,
///   M_p = 1/mu,   M_x = mu,   M_z = 1/S,   M_R = S,   S = mu + mu |x_m|^2 + |p_m|^2/mu,
/// so that |u1 - u0|^2_M is measured as energies are, and the step does not depend on the unit of mass. Energy and
/// action of a motion that is many times larger grow with the square of its size: without S they would have all of the
/// correction, also where L vanishes and z does not change. M_x and M_z are
/// multiplied by R_m^2, which makes the step symmetric, and are 0 for coordinates (x, z) that the energy does not
/// depend on, so that their momenta are kept; S leaves such coordinates out. alpha = O(h) is dropped if u1 - u0 is lost
/// in rounding: then the middle alone obeys the law.
///
/// The momenta J_A = pi_a s_A^a of the symmetries in the structure kernel are bilinear in (x, pi), and K does not
/// change along their fields xi_A = B grad J_A. They are kept as well if the correction does not change them: M (u1 -
/// u0) is replaced by its part M (u1 - u0) - c_A M xi_A that annihilates all xi_A(u_m), an equivariant discrete
/// gradient.
template <class P>
class EnergyEquations {
 public:
  using M = MaskOf<P>;

  EnergyEquations(const Dynamics& dynamics, const double* parameters)
      : dynamics_(&dynamics),
        parameters_(parameters),
        n_(dynamics.n),
        r_(dynamics.r),
        base_(n_ + r_ + 1),
        laws_(dynamics.laws) {
    unknowns_.assign(size() + 1, P(0.0));
    for (std::vector<P>* vector : {&residual_, &correction_, &scaled_}) vector->assign(size(), P(0.0));
    moved_.assign(r_, P(0.0));
    metric_.assign(n_ + r_, P(0.0));
    for (std::vector<P>* v : {&v_middle_, &v_end_}) v->assign(base_ + 1, P(0.0));
    for (std::vector<P>* out : {&out_middle_, &out_end_}) out->resize(dynamics.stage.outputs());
    for (std::vector<P>* law : {&law_middle_, &law_end_}) law->resize(3);
    const EnergyKernels& map = dynamics.energy;
    structure_.resize(map.structure.outputs());
    symmetries_ = (structure_.size() - r_ * (2 * n_ + r_)) / (n_ + r_);
    along_.assign(symmetries_ * (n_ + r_), P(0.0));
    inverse_.assign(symmetries_, P(0.0));
    jacobian_.resize(dynamics.stage_jacobian.outputs());
    law_jacobian_.resize(map.jacobian.outputs());
    balance_.resize(laws_ > 0 ? dynamics.balance.outputs() : 0);
    const std::size_t work = std::max({dynamics.stage.work_size(), dynamics.stage_jacobian.work_size(),
                                       laws_ > 0 ? dynamics.balance.work_size() : 0, map.energy.work_size(),
                                       map.jacobian.work_size(), map.structure.work_size()});
    work_.resize(work / LanesOf<P>::width + 1);
  }

  /// Returns the number of unknowns (x1 - x0, w_m, z1 - z0, R1 - 1, w1), without alpha, which follows them.
  [[nodiscard]] std::size_t size() const { return base_ + 1 + r_; }
  std::vector<P>& unknowns() { return unknowns_; }
  [[nodiscard]] const std::vector<P>& unknowns() const { return unknowns_; }
  [[nodiscard]] const P* residual() const { return residual_.data(); }
  /// Returns the size of the terms of R1 E1.
  [[nodiscard]] P energy_scale() const { return end_factor() * law_end_[2]; }
  [[nodiscard]] P energy_defect() const { return energy_defect_; }
  /// Returns the correction along M (u1 - u0), and d residual/d alpha.
  [[nodiscard]] const P* correction() const { return correction_.data(); }
  [[nodiscard]] const P* by_alpha() const { return scaled_.data(); }
  /// Returns (x_dot, p, f, L, L_z) at the middle, and the source of the energy there.
  [[nodiscard]] const P* middle() const { return out_middle_.data(); }
  /// Returns (x, w, z, t) at the middle.
  [[nodiscard]] const std::vector<P>& middle_state() const { return v_middle_; }
  [[nodiscard]] P middle_source() const { return law_middle_[1]; }
  [[nodiscard]] P middle_factor() const { return P(1.0) + change_of_R() * P(0.5); }
  [[nodiscard]] P end_factor() const { return P(1.0) + change_of_R(); }

  /// Sets mu in some lanes.
  void set_mass(M lanes, P mass) { put(lanes, mass_, mass); }
  [[nodiscard]] P mass() const { return mass_; }
  void begin(double t, double h) {
    t_ = t;
    h_ = h;
  }
  /// Guesses the unknowns from the rates at the start, (x, w, z), of the step, if there is no step before.
  void guess(M lanes, const std::vector<P>& start) {
    for (std::size_t i = 0; i < base_; ++i) v_end_[i] = start[i];
    v_end_[base_] = P(t_);
    call(dynamics_->stage, v_end_, out_end_);
    const P h(h_);
    for (std::size_t i = 0; i < n_; ++i) put(lanes, unknowns_[i], h * out_end_[i]);
    for (std::size_t a = 0; a < r_; ++a) {
      put(lanes, unknowns_[n_ + a], start[n_ + a]);
      put(lanes, unknowns_[base_ + 1 + a], start[n_ + a]);
    }
    put(lanes, unknowns_[n_ + r_], h * out_end_[n_ + 2 * r_]);
    put(lanes, unknowns_[base_], larger(-h * out_end_[n_ + 2 * r_ + 1], P(-0.5)));
    put(lanes, unknowns_[size()], P(0.0));
  }

  /// Evaluates the equations at the unknowns, with start = (x, p, z, log factor, budgets, energy). Returns the lanes in
  /// which all numbers are finite.
  M evaluate(const CompensatedSums<P>& start) {
    for (std::size_t i = 0; i < base_; ++i) {
      const bool velocity = i >= n_ && i < n_ + r_;
      v_middle_[i] = velocity ? unknowns_[i] : start[i] + unknowns_[i] * P(0.5);
      v_end_[i] = velocity ? unknowns_[base_ + 1 + i - n_] : start[i] + unknowns_[i];
    }
    v_middle_[base_] = P(t_ + h_ / 2);
    v_end_[base_] = P(t_ + h_);
    call(dynamics_->stage, v_middle_, out_middle_);
    call(dynamics_->stage, v_end_, out_end_);
    call(dynamics_->energy.energy, v_middle_, law_middle_);
    call(dynamics_->energy.energy, v_end_, law_end_);
    call(dynamics_->energy.structure, v_middle_, structure_);
    fill_correction(start);
    fill_residual(start);
    return finite_numbers(residual_.data(), residual_.size()) & is_finite(energy_defect_);
  }

  /// Computes d residual/d unknowns at alpha = 0, and d energy defect. The contribution of alpha is O(h^2), and the
  /// iteration makes up for it.
  void linearise(LaneLU<P, 0>& matrix, std::vector<P>& energy_row) {
    matrix.clear();
    for (std::size_t i = 0; i < n_; ++i) matrix.at(i, i) = P(1.0);
    matrix.at(n_ + r_, n_ + r_) = P(1.0);
    matrix.at(base_, base_) = P(1.0);
    add_middle(matrix);
    add_end(matrix);
    for (P& entry : energy_row) entry = P(0.0);
    energy_row[base_] = law_end_[0] - P(h_ / 2) * law_middle_[1];
    add_energy(true, energy_row);
    add_energy(false, energy_row);
  }

  /// Returns the defect of the energy law that rounding of the energy and of the coordinates leaves.
  [[nodiscard]] P energy_rounding(const P* energy_row, const CompensatedSums<P>& start) const {
    P sum = end_factor() * law_end_[2] + magnitude(start[base_ + 1 + laws_]);
    for (std::size_t i = 0; i < base_; ++i) {
      const bool velocity = i >= n_ && i < n_ + r_;
      sum += magnitude(energy_row[velocity ? base_ + 1 + i - n_ : i] * v_end_[i]);
    }
    return P(newton::epsilon) * sum;
  }
  /// Returns (L_z, then quantity, scale, source per law) at the middle.
  const P* balance() {
    call(dynamics_->balance, v_middle_, balance_);
    return balance_.data();
  }

 private:
  void call(const kernel::Kernel& kernel, const std::vector<P>& v, std::vector<P>& out) {
    kernel(plain(v.data()), parameters_, plain(out.data()), plain(work_.data()));
  }
  [[nodiscard]] P change_of_R() const { return unknowns_[base_]; }
  [[nodiscard]] bool is_velocity(std::size_t i) const { return i >= n_ && i < n_ + r_; }

  void fill_correction(const CompensatedSums<P>& start) {
    const P R = middle_factor();
    const std::vector<bool>& uses = dynamics_->energy.uses;
    const P M_p = P(1.0) / mass_;
    const P M_x = R * R * mass_;
    for (std::size_t a = 0; a < r_; ++a) moved_[a] = P(2.0) * R * out_middle_[n_ + a] - P(2.0) * start[n_ + a];
    for (std::size_t i = 0; i < n_; ++i) metric_[i] = uses[i] ? M_x * unknowns_[i] : P(0.0);
    for (std::size_t a = 0; a < r_; ++a) metric_[n_ + a] = M_p * moved_[a];
    turn(metric_, correction_.data());
    const P size = energy_size();
    correction_[n_ + r_] = -size * change_of_R();
    correction_[base_] = uses.back() ? R * R / size * unknowns_[n_ + r_] : P(0.0);
    for (std::size_t s = 0; s < symmetries_; ++s) keep_momentum(s);
  }
  /// Returns S at the middle.
  [[nodiscard]] P energy_size() const {
    const std::vector<bool>& uses = dynamics_->energy.uses;
    P by_mass(1.0);
    P by_inverse(0.0);
    for (std::size_t i = 0; i < n_; ++i)
      if (uses[i]) by_mass += v_middle_[i] * v_middle_[i];
    for (std::size_t a = 0; a < r_; ++a) by_inverse += out_middle_[n_ + a] * out_middle_[n_ + a];
    return mass_ * by_mass + by_inverse / mass_;
  }
  /// Writes the (x, pi) part of -B^T m for a covector m = (m_x, m_pi) at the middle.
  void turn(const std::vector<P>& m, P* out) const {
    const P* const rho = structure_.data();
    const P* const sigma = rho + n_ * r_;
    const P* const bracket = sigma + n_ * r_;
    for (std::size_t i = 0; i < n_; ++i) {
      P sum(0.0);
      for (std::size_t a = 0; a < r_; ++a) sum += sigma[i * r_ + a] * m[n_ + a];
      out[i] = sum;
    }
    for (std::size_t a = 0; a < r_; ++a) {
      P sum(0.0);
      for (std::size_t b = 0; b < r_; ++b) sum -= bracket[a * r_ + b] * m[n_ + b];
      sum *= middle_factor();
      for (std::size_t i = 0; i < n_; ++i) sum -= m[i] * rho[i * r_ + a];
      out[n_ + a] = sum;
    }
  }
  /// Returns (p_a ds^a/dx^i (n), s (r)) of a symmetry at the middle.
  [[nodiscard]] const P* slopes(std::size_t symmetry) const {
    return structure_.data() + r_ * (2 * n_ + r_) + symmetry * (n_ + r_);
  }
  /// Returns grad J . v of a symmetry at the middle.
  P change_of_momentum(std::size_t symmetry, const P* v) const {
    const P* const slope = slopes(symmetry);
    P by_x(0.0);
    P by_pi(0.0);
    for (std::size_t i = 0; i < n_; ++i) by_x += slope[i] * v[i];
    for (std::size_t a = 0; a < r_; ++a) by_pi += slope[n_ + a] * v[n_ + a];
    return middle_factor() * by_x + by_pi;
  }
  /// Takes out of the correction what would change the momentum of a symmetry, along -B^T M xi, from which those of the
  /// symmetries before it are taken out first. A field that depends on theirs there is passed over, and so is one that
  /// vanishes up to the rounding of its terms, whose momentum is a Casimir that the step keeps anyway.
  void keep_momentum(std::size_t symmetry) {
    constexpr double dependent = 1e-12;
    constexpr double vanishing = 1e-20;  // of squares
    const P R = middle_factor();
    const P M_p = P(1.0) / mass_;
    const P M_x = R * R * mass_;
    const P* const rho = structure_.data();
    const P* const sigma = rho + n_ * r_;
    const P* const bracket = sigma + n_ * r_;
    const P* const slope = slopes(symmetry);
    const P* const s = slope + n_;
    P squares(0.0);  // of the sizes of the terms of xi, in the metric M
    for (std::size_t i = 0; i < n_; ++i) {
      P xi(0.0);
      P size(0.0);
      for (std::size_t a = 0; a < r_; ++a) {
        xi += rho[i * r_ + a] * s[a];
        size += magnitude(rho[i * r_ + a] * s[a]);
      }
      metric_[i] = dynamics_->energy.uses[i] ? M_x * xi : P(0.0);
      if (dynamics_->energy.uses[i]) squares += M_x * size * size;
    }
    for (std::size_t a = 0; a < r_; ++a) {
      P xi(0.0);
      P size(0.0);
      for (std::size_t b = 0; b < r_; ++b) {
        xi += bracket[b * r_ + a] * s[b];
        size += magnitude(bracket[b * r_ + a] * s[b]);
      }
      for (std::size_t i = 0; i < n_; ++i) {
        xi -= sigma[i * r_ + a] * slope[i];
        size += magnitude(sigma[i * r_ + a] * slope[i]);
      }
      metric_[n_ + a] = M_p * R * xi;
      squares += M_p * R * R * size * size;
    }
    P* const along = along_.data() + symmetry * (n_ + r_);
    turn(metric_, along);
    const P whole = change_of_momentum(symmetry, along);
    for (std::size_t before = 0; before < symmetry; ++before) take_out(before, along);
    const P left = change_of_momentum(symmetry, along);
    const P least = larger(P(dependent) * magnitude(whole), P(vanishing) * squares);
    inverse_[symmetry] = select(magnitude(left) > least, P(1.0) / left, P(0.0));
    take_out(symmetry, correction_.data());
  }
  void take_out(std::size_t symmetry, P* v) const {
    const P* const along = along_.data() + symmetry * (n_ + r_);
    const P share = change_of_momentum(symmetry, v) * inverse_[symmetry];
    for (std::size_t k = 0; k < n_ + r_; ++k) v[k] -= share * along[k];
  }
  void fill_residual(const CompensatedSums<P>& start) {
    const P h(h_);
    const P R = middle_factor();
    const P* const o = out_middle_.data();
    for (std::size_t i = 0; i < n_; ++i) residual_[i] = unknowns_[i] - h * o[i];
    for (std::size_t a = 0; a < r_; ++a) {
      residual_[n_ + a] = moved_[a] - h * R * o[n_ + r_ + a];
      residual_[base_ + 1 + a] = end_factor() * out_end_[n_ + a] - start[n_ + a] - moved_[a];
    }
    residual_[n_ + r_] = unknowns_[n_ + r_] - h * o[n_ + 2 * r_];
    residual_[base_] = change_of_R() + h * R * o[n_ + 2 * r_ + 1];
    for (std::size_t k = 0; k <= base_; ++k) {
      scaled_[k] = -h * correction_[k];
      residual_[k] += unknowns_[size()] * scaled_[k];
    }
    energy_defect_ = end_factor() * law_end_[0] - start[base_ + 1 + laws_] - h * R * law_middle_[1];
  }

  void add_middle(LaneLU<P, 0>& matrix) {
    const P h(h_);
    const P R = middle_factor();
    const P* const o = out_middle_.data();
    const std::size_t z = n_ + r_;
    call(dynamics_->stage_jacobian, v_middle_, jacobian_);
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = dynamics_->stage_pattern.row[e];
      const std::size_t col = dynamics_->stage_pattern.col[e];
      const P value = P(is_velocity(col) ? 1.0 : 0.5) * jacobian_[e];
      if (row < n_) {
        matrix.at(row, col) -= h * value;
      } else if (row < z) {
        matrix.at(row, col) += P(2.0) * R * value;
        matrix.at(base_ + 1 + row - n_, col) -= P(2.0) * R * value;
      } else if (row < z + r_) {
        matrix.at(row - r_, col) -= h * R * value;
      } else if (row == z + r_) {
        matrix.at(z, col) -= h * value;
      } else {
        matrix.at(base_, col) += h * R * value;
      }
    }
    for (std::size_t a = 0; a < r_; ++a) {
      matrix.at(n_ + a, base_) += o[n_ + a] - P(h_ / 2) * o[n_ + r_ + a];
      matrix.at(base_ + 1 + a, base_) += out_end_[n_ + a] - o[n_ + a];
    }
    matrix.at(base_, base_) += P(h_ / 2) * o[z + r_ + 1];
  }
  void add_end(LaneLU<P, 0>& matrix) {
    call(dynamics_->stage_jacobian, v_end_, jacobian_);
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = dynamics_->stage_pattern.row[e];
      const std::size_t col = dynamics_->stage_pattern.col[e];
      if (!is_velocity(row)) continue;
      matrix.at(base_ + 1 + row - n_, is_velocity(col) ? base_ + 1 + col - n_ : col) += end_factor() * jacobian_[e];
    }
  }
  void add_energy(bool end, std::vector<P>& row) {
    const EnergyKernels& map = dynamics_->energy;
    call(map.jacobian, end ? v_end_ : v_middle_, law_jacobian_);
    for (std::size_t e = 0; e < law_jacobian_.size(); ++e) {
      if ((map.pattern.row[e] == 0) != end) continue;
      const std::size_t col = map.pattern.col[e];
      if (end)
        row[is_velocity(col) ? base_ + 1 + col - n_ : col] += end_factor() * law_jacobian_[e];
      else
        row[col] -= P(h_) * middle_factor() * P(is_velocity(col) ? 1.0 : 0.5) * law_jacobian_[e];
    }
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t base_;  // n + r + 1
  std::size_t laws_;
  std::size_t symmetries_ = 0;
  double t_ = 0;
  double h_ = 0;
  P mass_ = P(1.0);
  std::vector<P> unknowns_;
  P energy_defect_{};
  std::vector<P> residual_, correction_, scaled_;
  std::vector<P> moved_;    // pi1 - pi0
  std::vector<P> metric_;   // M times a vector of (x, pi)
  std::vector<P> along_;    // the directions -B^T M xi of the symmetries (n + r each)
  std::vector<P> inverse_;  // 1/(grad J . direction) of each, or 0
  std::vector<P> v_middle_, v_end_, out_middle_, out_end_, law_middle_, law_end_, structure_;
  std::vector<P> jacobian_, law_jacobian_, balance_, work_;
};

}  // namespace herglotz::integrate
