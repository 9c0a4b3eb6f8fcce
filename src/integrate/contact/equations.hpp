#pragma once
/// Equations of the stages of a contact Runge-Kutta step, of one run or of one in every lane.

#include <array>
#include <cstddef>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/stage_layout.hpp"
#include "numerics/compensated.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/sparse_lu.hpp"
#include "numerics/tableau.hpp"

namespace herglotz::integrate {

/// Equations of S stages. With R the integrating factor relative to the start of the step, the stages X_i, w_i, Z_i,
/// R_i solve
///   X_i = x0 + h sum_j a_ij x_dot_j,     R_i p_i = p0 + h sum_j a^_ij R_j f_j,
///   Z_i = z0 + h sum_j a_ij L_j,         R_i = 1 - h sum_j a^_ij R_j (L_z)_j,
/// with x_dot, p, f, L, L_z at (X_i, w_i, Z_i, t0 + c_i h), and Phi_i = 0. R follows from the L_z in closed form. Size
/// is n + r + 1 + m if it is known at compile time, and 0 otherwise. Every lane does the same operations as a single
/// run. Jacobians of large systems whose entries are few are eliminated as sparse matrices.
template <class P, int S, int Size>
class StageEquations {
 public:
  using M = MaskOf<P>;

  StageEquations(const Dynamics& dynamics, const double* parameters, const Tableau<S>& tableau)
      : dynamics_(&dynamics), parameters_(parameters), tableau_(&tableau), layout_(dynamics) {
    const std::size_t size = S * layout_.size;
    unknowns_.resize(size);
    out_.resize(S * dynamics.stage.outputs());
    jacobian_.resize(dynamics.stage_jacobian.outputs());
    balance_.resize(dynamics.laws > 0 ? dynamics.balance.outputs() : 0);
    std::size_t work = dynamics.stage.work_size();
    if (dynamics.stage_jacobian.work_size() > work) work = dynamics.stage_jacobian.work_size();
    if (dynamics.laws > 0 && dynamics.balance.work_size() > work) work = dynamics.balance.work_size();
    work_.resize(work / LanesOf<P>::width + 1);
    v_.resize(layout_.size + 1);
    coupling_.resize(S * S * layout_.r);
    factors_.resize(S, false);
    if constexpr (Size == 0) {
      residual_.resize(size);
      update_.resize(size);
      sparse_ = SparseLU::pays(size, entries());
    }
    if (sparse_) {
      sparse_matrix_.resize(size);
      weighed_.resize(size);
    } else {
      matrix_.resize(size, S > 1 && size <= most_multiplied);
    }
  }

  [[nodiscard]] const StageLayout& layout() const { return layout_; }
  [[nodiscard]] const Tableau<S>& tableau() const { return *tableau_; }
  std::vector<P>& unknowns() { return unknowns_; }
  [[nodiscard]] const std::vector<P>& unknowns() const { return unknowns_; }
  const P* stage(std::size_t i) const { return unknowns_.data() + i * layout_.size; }
  [[nodiscard]] std::size_t count() const { return Size > 0 ? static_cast<std::size_t>(S * Size) : unknowns_.size(); }
  /// Returns (x_dot, p, F, L, L_z, Phi) of stage i at the last evaluation.
  const P* out(std::size_t i) const { return out_.data() + i * dynamics_->stage.outputs(); }
  P rate(std::size_t i) const { return out(i)[StageOutputs{layout_.n, layout_.r}.L_z()]; }
  P lagrangian(std::size_t i) const { return out(i)[StageOutputs{layout_.n, layout_.r}.L()]; }
  P factor(std::size_t i) const { return R_[i]; }
  const P* update() const { return update_.data(); }
  /// Effect of multipliers at the last linearisation: the largest entry of Phi_y, and the largest velocity that unit
  /// impulses of all constraints give, sum_A |Phi_y^A_a| / |W_aa|; the largest derivative of x_dot by a velocity.
  struct Levers {
    P force{0.0};
    P velocity{0.0};
    P way{0.0};
  };
  [[nodiscard]] const Levers& levers() const { return levers_; }

  /// Evaluates the kernels at the stages of a step from `start` = (x, p, z, ...), R_i and the residuals. Returns the
  /// lanes in which the residuals are finite.
  M evaluate(const CompensatedSums<P>& start, double t, double h) {
    h_ = h;
    for (std::size_t i = 0; i < S; ++i) {
      load(i, t);
      dynamics_->stage(plain(v_.data()), parameters_, plain(out_.data() + i * dynamics_->stage.outputs()),
                       plain(work_.data()));
    }
    find_factors();
    fill_residual(start);
    return finite_numbers(residual_.data(), count());
  }

  /// Computes d residual / d unknowns at the last evaluation, with dR = G dL_z eliminated, G = -(1 + hA L_z)^{-1} hA R.
  /// Lanes in `keep` keep the matrix they have. Returns the lanes in which it is finite.
  M linearise(M keep, double t) {
    couple();
    if (sparse_)
      sparse_matrix_.clear();
    else
      matrix_.clear();
    for (std::size_t i = 0; i < S; ++i) {
      const std::size_t first = i * layout_.size;
      for (std::size_t k = 0; k < layout_.n; ++k) add(first + k, first + k, P(1.0));
      add(first + layout_.base - 1, first + layout_.base - 1, P(1.0));
    }
    Levers levers;
    for (std::size_t k = 0; k < S; ++k) {
      add_stage(k, t);
      if (layout_.m > 0) raise(levers);
    }
    put(!keep, levers_.force, levers.force);
    put(!keep, levers_.velocity, levers.velocity);
    put(!keep, levers_.way, levers.way);
    return sparse_ ? sparse_matrix_.compute(keep) : matrix_.compute(keep);
  }
  /// Computes the update of Newton's method, to be subtracted. Returns the lanes in which it is finite.
  M solve() {
    if (sparse_) {
      for (std::size_t k = 0; k < count(); ++k) weighed_[k] = weight(k) * residual_[k];
      sparse_matrix_.solve(weighed_.data(), update_.data());
    } else {
      matrix_.solve(residual_.data(), update_.data());
    }
    return finite_numbers(update_.data(), count());
  }
  /// Returns (L_z, then quantity, scale, source per law) at stage i.
  const P* balance(std::size_t i, double t) {
    load(i, t);
    dynamics_->balance(plain(v_.data()), parameters_, plain(balance_.data()), plain(work_.data()));
    return balance_.data();
  }

 private:
  static constexpr std::size_t most_multiplied = 64;
  using Square = std::array<std::array<P, S>, S>;

  /// Returns an upper bound of the number of entries of the Jacobian.
  [[nodiscard]] std::size_t entries() const {
    const StageOutputs outputs{layout_.n, layout_.r};
    std::size_t found = S * layout_.size;
    for (const std::size_t row : dynamics_->stage_pattern.row) {
      const bool in_own_stage = (row >= outputs.p(0) && row < outputs.F(0)) || row >= outputs.Phi(0);
      found += in_own_stage ? S : row <= outputs.L() ? S * S : S * S * layout_.r;
    }
    return found;
  }
  /// Returns the weight of a row of the sparse matrix. The rows of the action have entries in all columns: were they
  /// chosen as pivots before the others, they would fill the matrix.
  [[nodiscard]] P weight(std::size_t row) const {
    constexpr double last = 0x1p-100;
    return P(row % layout_.size == layout_.base - 1 ? last : 1.0);
  }
  void add(std::size_t i, std::size_t j, const P& value) {
    if constexpr (Size == 0) {
      if (sparse_) {
        sparse_matrix_.add(i, j, weight(i) * value);
        return;
      }
    }
    matrix_.at(i, j) += value;
  }

  /// Sets v to stage i.
  void load(std::size_t i, double t) {
    const P* const entries = stage(i);
    for (std::size_t k = 0; k < layout_.base; ++k) v_[k] = entries[k];
    v_[layout_.base] = P(t + tableau_->c[i] * h_);
    for (std::size_t A = 0; A < layout_.m; ++A) v_[layout_.base + 1 + A] = entries[layout_.base + A];
  }

  /// Computes R and the inverse of 1 + hA L_z, which gives R.
  void find_factors() {
    Square factor;
    for (std::size_t i = 0; i < S; ++i) {
      for (std::size_t j = 0; j < S; ++j) {
        factor[i][j] = P(h_ * tableau_->A_hat[i][j]) * rate(j);
        if (i == j) factor[i][j] += P(1.0);
      }
    }
    if constexpr (S == 1) {
      inverse_[0][0] = P(1.0) / factor[0][0];
    } else if constexpr (S == 2) {
      const P over = P(1.0) / (factor[0][0] * factor[1][1] - factor[0][1] * factor[1][0]);
      inverse_ = {{{factor[1][1] * over, -(factor[0][1] * over)}, {-(factor[1][0] * over), factor[0][0] * over}}};
    } else if constexpr (S == 3) {
      invert_by_cofactors(factor);
    } else {
      for (std::size_t i = 0; i < S; ++i)
        for (std::size_t j = 0; j < S; ++j) factors_.at(i, j) = factor[i][j];
      factors_.compute(P(0.0) > P(0.0));
    }
    std::array<P, S> ones;
    ones.fill(P(1.0));
    R_ = unmultiply(ones);
  }
  /// Returns (1 + hA L_z)^{-1} b.
  std::array<P, S> unmultiply(const std::array<P, S>& b) const {
    std::array<P, S> x;
    if constexpr (S > 3) {
      factors_.solve(b.data(), x.data());
    } else {
      for (std::size_t i = 0; i < S; ++i) {
        x[i] = inverse_[i][0] * b[0];
        for (std::size_t j = 1; j < S; ++j) x[i] += inverse_[i][j] * b[j];
      }
    }
    return x;
  }
  void invert_by_cofactors(const Square& a)
    requires(S == 3)
  {
    const auto minor = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
      return a[i][j] * a[k][l] - a[i][l] * a[k][j];
    };
    const P c0 = minor(1, 1, 2, 2);
    const P c1 = minor(1, 2, 2, 0);
    const P c2 = minor(1, 0, 2, 1);
    const P over = P(1.0) / (a[0][0] * c0 + a[0][1] * c1 + a[0][2] * c2);
    inverse_ = {{{c0 * over, minor(0, 2, 2, 1) * over, minor(0, 1, 1, 2) * over},
                 {c1 * over, minor(0, 0, 2, 2) * over, minor(0, 2, 1, 0) * over},
                 {c2 * over, minor(0, 1, 2, 0) * over, minor(0, 0, 1, 1) * over}}};
  }

  void fill_residual(const CompensatedSums<P>& start) {
    const std::size_t n = layout_.n;
    const std::size_t r = layout_.r;
    const std::size_t z = layout_.base - 1;
    const StageOutputs outputs{n, r};
    for (std::size_t i = 0; i < S; ++i) {
      P* const res = residual_.data() + i * layout_.size;
      const P* const V = stage(i);
      for (std::size_t k = 0; k < n; ++k) res[k] = V[k] - start[k];
      for (std::size_t a = 0; a < r; ++a) res[n + a] = R_[i] * out(i)[outputs.p(a)] - start[n + a];
      res[z] = V[z] - start[z];
      for (std::size_t j = 0; j < S; ++j) {
        const P ha(h_ * tableau_->A[i][j]);
        const P ha_hat(h_ * tableau_->A_hat[i][j]);
        const P* const o = out(j);
        for (std::size_t k = 0; k < n; ++k) res[k] -= ha * o[k];
        for (std::size_t a = 0; a < r; ++a) res[n + a] -= ha_hat * R_[j] * o[outputs.F(a)];
        res[z] -= ha * lagrangian(j);
      }
      for (std::size_t A = 0; A < layout_.m; ++A) res[layout_.base + A] = out(i)[outputs.Phi(A)];
    }
  }

  /// Computes the effect of dL_z of stage k on the momenta of stage i, through R.
  void couple() {
    const std::size_t r = layout_.r;
    const StageOutputs outputs{layout_.n, r};
    Square G;
    for (std::size_t k = 0; k < S; ++k) {
      std::array<P, S> b;
      for (std::size_t j = 0; j < S; ++j) b[j] = -(P(h_ * tableau_->A_hat[j][k]) * R_[k]);
      const std::array<P, S> column = unmultiply(b);
      for (std::size_t i = 0; i < S; ++i) G[i][k] = column[i];
    }
    for (std::size_t i = 0; i < S; ++i) {
      for (std::size_t k = 0; k < S; ++k) {
        for (std::size_t a = 0; a < r; ++a) {
          P q = out(i)[outputs.p(a)] * G[i][k];
          for (std::size_t j = 0; j < S; ++j) q -= P(h_ * tableau_->A_hat[i][j]) * out(j)[outputs.F(a)] * G[j][k];
          coupling_[(i * S + k) * r + a] = q;
        }
      }
    }
  }
  /// Adds the columns of stage k to the matrix.
  void add_stage(std::size_t k, double t) {
    const std::size_t n = layout_.n;
    const std::size_t r = layout_.r;
    const std::size_t stride = layout_.size;
    const StageOutputs outputs{n, r};
    load(k, t);
    dynamics_->stage_jacobian(plain(v_.data()), parameters_, plain(jacobian_.data()), plain(work_.data()));
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = dynamics_->stage_pattern.row[e];
      const std::size_t col = k * stride + dynamics_->stage_pattern.col[e];
      const P value = jacobian_[e];
      if (row >= outputs.p(0) && row < outputs.F(0)) {
        add(k * stride + row, col, R_[k] * value);
      } else if (row <= outputs.L()) {
        const bool force = row >= outputs.F(0) && row < outputs.L();
        const std::size_t at = row < n ? row : force ? row - r : layout_.base - 1;
        const P factor = P(h_) * (force ? R_[k] : P(1.0)) * value;
        const auto& A = force ? tableau_->A_hat : tableau_->A;
        for (std::size_t i = 0; i < S; ++i) add(i * stride + at, col, -(P(A[i][k]) * factor));
      } else if (row >= outputs.Phi(0)) {
        add(k * stride + layout_.base + row - outputs.Phi(0), col, value);
      } else {
        for (std::size_t i = 0; i < S; ++i) {
          const P* const q = coupling_.data() + (i * S + k) * r;
          for (std::size_t a = 0; a < r; ++a) add(i * stride + n + a, col, q[a] * value);
        }
      }
    }
  }

  /// Raises levers to those of the stage that was linearised last.
  void raise(Levers& levers) {
    const StageOutputs outputs{layout_.n, layout_.r};
    mass_.assign(layout_.r, P(0.0));
    unit_impulse_.assign(layout_.r, P(0.0));
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = dynamics_->stage_pattern.row[e];
      const std::size_t col = dynamics_->stage_pattern.col[e];
      const P entry = magnitude(jacobian_[e]);
      const bool by_velocity = col >= layout_.n && col < layout_.n + layout_.r;
      if (row < layout_.n && by_velocity) levers.way = larger(entry, levers.way);
      if (row >= outputs.p(0) && row < outputs.F(0) && row - outputs.p(0) + layout_.n == col)
        mass_[row - outputs.p(0)] = entry;
      if (row >= outputs.F(0) && row < outputs.L() && col >= layout_.base) {
        unit_impulse_[row - outputs.F(0)] += entry;
        levers.force = larger(entry, levers.force);
      }
    }
    for (std::size_t a = 0; a < layout_.r; ++a)
      levers.velocity = larger(select(mass_[a] > P(0.0), unit_impulse_[a] / mass_[a], P(0.0)), levers.velocity);
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  const Tableau<S>* tableau_;
  StageLayout layout_;
  Levers levers_;
  std::vector<P> mass_;
  std::vector<P> unit_impulse_;
  double h_ = 0;
  std::vector<P> unknowns_;  // (X, w, Z, l) stage by stage
  std::vector<P> out_;
  std::vector<P> jacobian_;
  std::vector<P> balance_;
  std::vector<P> work_;
  std::vector<P> v_;
  std::vector<P> coupling_;
  Square inverse_{};
  std::array<P, S> R_{};
  LaneLU<P, S> factors_;  // 1 + hA L_z of more than three stages
  LaneLU<P, S * Size> matrix_;
  bool sparse_ = false;  // true if sparse_matrix_ takes the place of matrix_
  LaneSparseLU<P> sparse_matrix_;
  std::vector<P> weighed_;  // the residual with the weights of the rows
  Numbers<P, S * Size> residual_{};
  Numbers<P, S * Size> update_{};
};

}  // namespace herglotz::integrate
