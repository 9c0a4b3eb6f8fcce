#pragma once
/// Symplectic partitioned Runge-Kutta methods of the homogeneous lift, for every algebroid and every regular L. Theory,
/// Sec. 4.

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "compensated.hpp"
#include "fixed_step.hpp"
#include "rates.hpp"
#include "saddle_point.hpp"
#include "tableau.hpp"

namespace herglotz::integrate {

/// One step from (x0, p0, z0), in the implicit Lagrangian form that needs no inverse of w -> p. With R the integrating
/// factor relative to the start of the step, the stages X_i, w_i, Z_i, R_i (n, r, 1, 1 unknowns each) solve
///   X_i = x0 + h sum_j a_ij x_dot_j,     R_i p_i = p0 + h sum_j a^_ij R_j f_j,
///   Z_i = z0 + h sum_j a_ij L_j,         R_i = 1 - h sum_j a^_ij R_j (L_z)_j,
/// x_dot, p, f, L, L_z being those of (X_i, w_i, Z_i, t0 + c_i h). The step ends with the weights b_i in place of a_ij,
/// and p1 = (..)/R1; budgets: g1 = (g0 + h sum b_i R_i source_i)/R1. R is solved for in closed form from the L_z, the
/// rest by Newton's method to round-off. Size is n + r + 1 + m, or Eigen::Dynamic.
/// With constraints the multipliers l_i are unknowns too and Phi = 0 at the stages. Differential ones (vakonomic) only
/// parametrise p; w and l are recovered from (x1, p1, z1). With algebraic ones (nonholonomic) the step ends with the
/// projection of x and p onto the constraints, without which it would lose order [AP91]; its impulse does the work that
/// the budgets miss.
template <class Coefficients, int Size>
class ContactRungeKutta final : public FixedStepper {
 public:
  ContactRungeKutta(const Run& run, const Coefficients& tableau)
      : run_(run),
        tableau_(tableau),
        n_(run.dynamics.n),
        r_(run.dynamics.r),
        m_(run.dynamics.m),
        base_(n_ + r_ + 1),
        size_(base_ + m_),
        laws_(run.dynamics.laws),
        saddle_(run.dynamics, run.parameters),
        lu_(static_cast<Eigen::Index>(S * size_)) {
    const Dynamics& d = run.dynamics;
    if (m_ > 0 && !d.differential()) rates_.emplace(d, run.parameters);
    state_.resize(base_ + 1 + laws_);
    last_state_.assign(run.state.begin(), run.state.end());
    last_state_.resize(size_);
    work_done_.resize(laws_);
    correction_.resize(r_);
    unknowns_.resize(S * size_);
    out_.resize(S * d.stage.outputs());
    jacobian_.resize(d.stage_jacobian.outputs());
    work_.resize(std::max({d.stage.work_size(), d.stage_jacobian.work_size(), d.balance ? d.balance.work_size() : 0}));
    balance_.resize(1 + 3 * laws_);
    u_.resize(size_ + 1);  // v
    coupling_.resize(S * S * r_);
    increments_.resize(base_ + 1 + laws_);
    for (auto& past : history_) past.resize(S * size_);
    const auto dimension = static_cast<Eigen::Index>(S * size_);
    matrix_.resize(dimension, dimension);
    residual_.resize(dimension);
    update_.resize(dimension);
  }

  Status start() override {
    const auto state = run_.state;
    for (std::size_t i = 0; i < base_; ++i) state_.set(i, state[i]);
    load(run_.t0, last_state_.data());
    run_.dynamics.stage(u_.data(), run_.parameters.data(), out_.data(), work_.data());
    if (!std::all_of(out(0) + n_, out(0) + n_ + r_, [](double p) { return std::isfinite(p); })) {
      reason_ = "the momentum p(x, w, z, t) is not finite";
      return Status::not_finite;
    }
    for (std::size_t a = 0; a < r_; ++a) state_.set(n_ + a, out(0)[n_ + a]);
    if (const Stop stop = singularity(run_.dynamics, run_.parameters, run_.t0, state); stop.status != Status::success) {
      reason_ = stop.reason;
      return stop.status;
    }
    if (rates_) {
      (*rates_)(u_.data());
      std::copy_n(rates_->ell(), m_, last_state_.begin() + static_cast<std::ptrdiff_t>(base_));
    }
    velocity_known_ = true;
    if (laws_ > 0) {
      run_.dynamics.balance(u_.data(), run_.parameters.data(), balance_.data(), work_.data());
      for (std::size_t k = 0; k < laws_; ++k) state_.set(base_ + 1 + k, balance_[1 + 3 * k]);
    }
    return Status::success;
  }

  Status step(double t, double h) override {
    if (h != h_) {
      h_ = h;
      remembered_ = 0;
      factorised_ = false;
    }
    predict();
    Status status = solve(t);
    if (status != Status::success && remembered_ > 0) {
      // An extrapolated guess can leave the region of convergence where the motion bends sharply.
      remembered_ = 0;
      factorised_ = false;
      predict();
      status = solve(t);
    }
    if (status != Status::success) return explain(status, t);
    return finish(t);
  }

  Status sample(double t, Sample& sample) override {
    if (const Status status = know_velocity(t); status != Status::success) return status;
    sample.t = t;
    std::copy_n(last_state_.begin(), sample.state.size(), sample.state.begin());
    sample.log_factor = state_[base_];
    for (std::size_t k = 0; k < laws_; ++k) sample.budget[k] = state_[base_ + 1 + k];
    if (m_ == 0) return Status::success;
    double* l = last_state_.data() + base_;
    if (rates_) {
      load(t, last_state_.data());
      if (!(*rates_)(u_.data())) return explain(Status::not_finite, t);
      std::copy_n(rates_->ell(), m_, l);
    }
    sample.multipliers.assign(l, l + m_);
    return Status::success;
  }

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override {
    return std::make_unique<ContactRungeKutta>(*this);
  }
  void follow(const FixedStepper& other) override {
    const auto& leader = static_cast<const ContactRungeKutta&>(other);
    state_ = leader.state_;
    last_state_ = leader.last_state_;
    velocity_known_ = leader.velocity_known_;
    remembered_ = 0;
    factorised_ = false;
    h_ = 0;
  }
  [[nodiscard]] std::span<const double> last_state() override {
    take_positions();
    return {last_state_.data(), run_.dynamics.dimension()};
  }
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

 private:
  static constexpr int S = Coefficients::stages;
  static constexpr int dimension_bound = Size == Eigen::Dynamic ? Eigen::Dynamic : S * Size;
  using Matrix = Eigen::Matrix<double, dimension_bound, dimension_bound>;
  using Vector = Eigen::Matrix<double, dimension_bound, 1>;
  using StageMatrix = Eigen::Matrix<double, S, S>;
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static constexpr double converged = 4 * epsilon;
  /// Updates that stop falling count as round-off below this, as divergence above.
  static constexpr double round_off = 1e-9;
  static constexpr int most_iterations = 60;
  /// A factorisation is kept while it converges in this many iterations.
  static constexpr int good_iterations = Size == Eigen::Dynamic ? 5 : 3;
  static constexpr int history_length = 7;
  static constexpr std::size_t most_multiplied = 64;

  const double* out(int i) const { return out_.data() + static_cast<std::size_t>(i) * run_.dynamics.stage.outputs(); }
  double* unknowns(int i) { return unknowns_.data() + static_cast<std::size_t>(i) * size_; }
  double rate(int i) const { return out(i)[n_ + 2 * r_ + 1]; }
  double lagrangian(int i) const { return out(i)[n_ + 2 * r_]; }

  /// Stage by stage extrapolation through the last steps; without any, the state itself.
  void predict() {
    static constexpr double weights[history_length][history_length] = {{1},
                                                                       {2, -1},
                                                                       {3, -3, 1},
                                                                       {4, -6, 4, -1},
                                                                       {5, -10, 10, -5, 1},
                                                                       {6, -15, 20, -15, 6, -1},
                                                                       {7, -21, 35, -35, 21, -7, 1}};
    if (remembered_ == 0) {
      for (int i = 0; i < S; ++i) {
        for (std::size_t j = 0; j < size_; ++j) unknowns(i)[j] = is_carried(j) ? state_[j] : last_state_[j];
      }
      return;
    }
    const double* weight = weights[remembered_ - 1];
    for (std::size_t k = 0; k < unknowns_.size(); ++k) unknowns_[k] = weight[0] * past(0)[k];
    for (int back = 1; back < remembered_; ++back) {
      for (std::size_t k = 0; k < unknowns_.size(); ++k) unknowns_[k] += weight[back] * past(back)[k];
    }
  }
  const std::vector<double>& past(int back) const {
    return history_[static_cast<std::size_t>((newest_ + history_length - back) % history_length)];
  }
  void remember() {
    newest_ = (newest_ + 1) % history_length;
    history_[static_cast<std::size_t>(newest_)] = unknowns_;
    remembered_ = std::min(remembered_ + 1, history_length);
    for (std::size_t j = n_; j < size_; ++j) {
      if (!is_carried(j)) last_state_[j] = unknowns(S - 1)[j];
    }
  }
  /// Whether entry j of (x, w, z, l) is carried from step to step as it is: x and z.
  [[nodiscard]] bool is_carried(std::size_t j) const { return j < n_ || j + 1 == base_; }
  void take_positions() {
    for (std::size_t i = 0; i < base_; ++i) {
      if (is_carried(i)) last_state_[i] = state_[i];
    }
  }
  /// w and l at the end of a step, extrapolated from those of the last stage in this step and the ones before.
  void guess_velocity() {
    if (remembered_ == 0) return;
    const double a = 1 - tableau_.c[S - 1];
    const std::array<double, 3> weight =
        remembered_ < 2   ? std::array<double, 3>{1, 0, 0}
        : remembered_ < 3 ? std::array<double, 3>{1 + a, -a, 0}
                          : std::array<double, 3>{(1 + a) * (2 + a) / 2, -a * (2 + a), a * (1 + a) / 2};
    for (std::size_t j = n_; j < size_; ++j) {
      if (is_carried(j)) continue;
      const std::size_t k = (S - 1) * size_ + j;
      last_state_[j] = weight[0] * past(0)[k];
      for (int back = 1; back < std::min(remembered_, 3); ++back)
        last_state_[j] += weight[static_cast<std::size_t>(back)] * past(back)[k];
    }
  }
  /// The end of the step as a state: w (and a differential l) from the momenta.
  Status know_velocity(double t) {
    take_positions();
    if (velocity_known_) return Status::success;
    guess_velocity();
    load_saddle(t);
    Status status = saddle_.factorise();
    if (status == Status::success) status = saddle_.recover(state_.data() + n_);
    if (status != Status::success) {
      reason_ = saddle_.reason();
      return status;
    }
    take_from_saddle();
    velocity_known_ = true;
    return Status::success;
  }
  void load_saddle(double t) {
    load(t, last_state_.data());
    if (!run_.dynamics.differential()) std::fill(u_.begin() + static_cast<std::ptrdiff_t>(base_) + 1, u_.end(), 0.0);
    std::copy(u_.begin(), u_.end(), saddle_.v());
  }
  /// (w, l) of the saddle point.
  void take_from_saddle() {
    const double* v = saddle_.v();
    std::copy_n(v + n_, r_, last_state_.begin() + static_cast<std::ptrdiff_t>(n_));
    if (run_.dynamics.differential())
      std::copy_n(v + base_ + 1, m_, last_state_.begin() + static_cast<std::ptrdiff_t>(base_));
  }
  /// With the blocks of the saddle-point system as numbers: velocity-free constraints, and whatever else comes.
  Status project_numerically() {
    const bool differential = run_.dynamics.differential();
    Status status = saddle_.factorise();
    if (run_.dynamics.positions > 0) {
      if (status == Status::success && differential) status = saddle_.recover(state_.data() + n_);
      if (status == Status::success) status = saddle_.project_positions();
      for (std::size_t i = 0; i < n_; ++i) state_.add(i, saddle_.v()[i] - state_[i]);
      if (run_.dynamics.position_uses_action) state_.add(base_ - 1, saddle_.v()[base_ - 1] - state_[base_ - 1]);
    }
    if (status != Status::success) return status;
    return differential ? saddle_.recover(state_.data() + n_) : saddle_.project_velocities(state_.data() + n_);
  }
  /// Moves the end of a step onto the constraints: x for velocity-free ones, then algebraically constrained momenta.
  Status project(double t) {
    take_positions();
    guess_velocity();
    // Stages are less exact than ends of steps, by nearly as much in this step as in the last one.
    if (remembered_ < 3) std::fill(correction_.begin(), correction_.end(), 0.0);
    for (std::size_t a = 0; a < r_; ++a) {
      const double guess = last_state_[n_ + a];
      last_state_[n_ + a] += correction_[a];
      correction_[a] = guess;
    }
    load_saddle(t);
    const Status status = saddle_.project_directly(state_.data() + n_) ? Status::success : project_numerically();
    if (status != Status::success) {
      reason_ = saddle_.reason();
      return status;
    }
    take_positions();
    take_from_saddle();
    velocity_known_ = true;
    for (std::size_t a = 0; a < r_; ++a) correction_[a] = last_state_[n_ + a] - correction_[a];
    if (run_.dynamics.differential()) return status;
    for (std::size_t a = 0; a < r_; ++a) state_.add(n_ + a, saddle_.impulse_momentum()(static_cast<Eigen::Index>(a)));
    if (laws_ > 0 && run_.dynamics.laws_use_multipliers) {
      impulse_work(run_.dynamics, run_.parameters, saddle_, work_done_);
      for (std::size_t k = 0; k < laws_; ++k) state_.add(base_ + 1 + k, work_done_[k]);
    }
    return status;
  }

  /// v of (x, w, z, l).
  void load(double t, const double* entries) {
    std::copy_n(entries, base_, u_.begin());
    u_[base_] = t;
    std::copy_n(entries + base_, m_, u_.begin() + static_cast<std::ptrdiff_t>(base_) + 1);
  }
  void load(int i, double t) { load(t + tableau_.c[static_cast<std::size_t>(i)] * h_, unknowns(i)); }
  /// Kernels at the stages, and R_i from them.
  bool evaluate(double t) {
    const Dynamics& d = run_.dynamics;
    for (int i = 0; i < S; ++i) {
      load(i, t);
      d.stage(u_.data(), run_.parameters.data(), out_.data() + static_cast<std::size_t>(i) * d.stage.outputs(),
              work_.data());
    }
    if constexpr (S == 1) {
      inverse_(0, 0) = 1 / (1 + h_ * tableau_.A_hat[0][0] * rate(0));
      R_(0) = inverse_(0, 0);
    } else {
      StageMatrix factor = StageMatrix::Identity();
      for (int i = 0; i < S; ++i) {
        for (int j = 0; j < S; ++j) factor(i, j) += h_ * tableau_.A_hat[i][j] * rate(j);
      }
      inverse_ = factor.inverse();
      R_ = inverse_.rowwise().sum();
    }
    fill_residual();
    return residual_.allFinite();
  }
  void fill_residual() {
    for (int i = 0; i < S; ++i) {
      double* res = residual_.data() + static_cast<std::size_t>(i) * size_;
      const double* V = unknowns(i);
      for (std::size_t k = 0; k < n_; ++k) res[k] = V[k] - state_[k];
      for (std::size_t a = 0; a < r_; ++a) res[n_ + a] = R_(i) * out(i)[n_ + a] - state_[n_ + a];
      res[base_ - 1] = V[base_ - 1] - state_[base_ - 1];
      for (int j = 0; j < S; ++j) {
        const double ha = h_ * tableau_.A[i][j];
        const double ha_hat = h_ * tableau_.A_hat[i][j];
        const double* o = out(j);
        for (std::size_t k = 0; k < n_; ++k) res[k] -= ha * o[k];
        for (std::size_t a = 0; a < r_; ++a) res[n_ + a] -= ha_hat * R_(j) * o[n_ + r_ + a];
        res[base_ - 1] -= ha * lagrangian(j);
      }
      for (std::size_t A = 0; A < m_; ++A) res[base_ + A] = out(i)[n_ + 2 * r_ + 2 + A];
    }
  }

  /// d residual / d unknowns with dR = G dL_z eliminated, G = -(1 + hA L_z)^{-1} hA R.
  bool factorise(double t) {
    StageMatrix G;
    for (int i = 0; i < S; ++i) {
      for (int j = 0; j < S; ++j) G(i, j) = -h_ * tableau_.A_hat[i][j] * R_(j);
    }
    G = (inverse_ * G).eval();
    for (int i = 0; i < S; ++i) {
      for (int k = 0; k < S; ++k) {
        for (std::size_t a = 0; a < r_; ++a) {
          double q = out(i)[n_ + a] * G(i, k);
          for (int j = 0; j < S; ++j) q -= h_ * tableau_.A_hat[i][j] * out(j)[n_ + r_ + a] * G(j, k);
          coupling_[(static_cast<std::size_t>(i * S + k)) * r_ + a] = q;
        }
      }
    }
    matrix_.setZero();
    for (int i = 0; i < S; ++i) {
      const Eigen::Index base = i * static_cast<Eigen::Index>(size_);
      for (std::size_t k = 0; k < n_; ++k)
        matrix_(base + static_cast<Eigen::Index>(k), base + static_cast<Eigen::Index>(k)) = 1;
      matrix_(base + static_cast<Eigen::Index>(base_) - 1, base + static_cast<Eigen::Index>(base_) - 1) = 1;
    }
    for (int k = 0; k < S; ++k) add_stage(k, t);
    if (!matrix_.allFinite()) return false;
    lu_.compute(matrix_);
    if (multiplies_) newton_inverse_ = lu_.inverse();
    factorised_ = true;
    fresh_ = true;
    return true;
  }
  /// The columns of stage k.
  void add_stage(int k, double t) {
    const Dynamics& d = run_.dynamics;
    load(k, t);
    d.stage_jacobian(u_.data(), run_.parameters.data(), jacobian_.data(), work_.data());
    const auto stride = static_cast<Eigen::Index>(size_);
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = d.stage_pattern.row[e];
      const Eigen::Index col = k * stride + static_cast<Eigen::Index>(d.stage_pattern.col[e]);
      const double value = jacobian_[e];
      if (row >= n_ && row < n_ + r_) {
        matrix_(k * stride + static_cast<Eigen::Index>(row), col) += R_(k) * value;
      } else if (row <= n_ + 2 * r_) {
        const bool force = row >= n_ + r_ && row < n_ + 2 * r_;
        const std::size_t at = row < n_ ? row : force ? row - r_ : base_ - 1;
        const double factor = h_ * (force ? R_(k) : 1.0) * value;
        const auto& A = force ? tableau_.A_hat : tableau_.A;
        for (int i = 0; i < S; ++i) {
          matrix_(i * stride + static_cast<Eigen::Index>(at), col) -= A[i][k] * factor;
        }
      } else if (row >= n_ + 2 * r_ + 2) {
        matrix_(k * stride + static_cast<Eigen::Index>(base_ + row - (n_ + 2 * r_ + 2)), col) += value;
      } else {
        for (int i = 0; i < S; ++i) {
          const double* q = coupling_.data() + static_cast<std::size_t>(i * S + k) * r_;
          for (std::size_t a = 0; a < r_; ++a)
            matrix_(i * stride + static_cast<Eigen::Index>(n_ + a), col) += q[a] * value;
        }
      }
    }
  }

  /// Largest |entry| of x, of w, of z and of l in the stages. An algebraic l acts through h l on the momenta.
  std::array<double, 4> group_sizes(const double* stages) const {
    std::array<double, 4> size{};
    for (int i = 0; i < S; ++i) {
      const double* V = stages + static_cast<std::size_t>(i) * size_;
      for (std::size_t k = 0; k < n_; ++k) size[0] = std::max(size[0], std::abs(V[k]));
      for (std::size_t a = n_; a < n_ + r_; ++a) size[1] = std::max(size[1], std::abs(V[a]));
      size[2] = std::max(size[2], std::abs(V[base_ - 1]));
      for (std::size_t A = base_; A < size_; ++A) size[3] = std::max(size[3], std::abs(V[A]));
    }
    if (m_ > 0 && !run_.dynamics.differential()) size[3] *= std::abs(h_);
    return size;
  }
  /// Sizes by which updates are measured.
  void measure() {
    std::array<double, 4> size = group_sizes(unknowns_.data());
    for (int i = 0; i < S; ++i) size[2] = std::max(size[2], std::abs(h_ * lagrangian(i)));
    const double least = 1e-6 * std::max({size[0], size[1], size[2], 1e-290});
    size[3] = std::max(size[3], size[1]);
    for (std::size_t g = 0; g < size.size(); ++g) inverse_size_[g] = 1 / std::max(size[g], least);
  }
  double update_size() const {
    const std::array<double, 4> size = group_sizes(update_.data());
    double largest = 0;
    for (std::size_t g = 0; g < size.size(); ++g) largest = std::max(largest, size[g] * inverse_size_[g]);
    return largest;
  }

  /// Simplified Newton iteration until the kernels have been evaluated at stages correct to round-off.
  Status solve(double t) {
    double previous = std::numeric_limits<double>::infinity();
    int since_factorised = 0;
    fresh_ = false;
    bool last = false;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (!evaluate(t)) return Status::not_finite;
      if (iteration == 0) measure();
      if (last) return accept(since_factorised);
      if (!factorised_ && !factorise(t)) return Status::not_finite;
      if (multiplies_) {
        update_.noalias() = newton_inverse_ * residual_;
      } else {
        update_ = lu_.solve(residual_);
      }
      ++iterations_;
      ++since_factorised;
      if (!update_.allFinite()) return fail(previous);
      const double size = update_size();
      if (size <= converged) return accept(since_factorised);
      if (size >= previous) {
        if (previous <= round_off) return accept(since_factorised);
        if (fresh_ && since_factorised > 2 && size > 2 * previous) return fail(size);
        factorised_ = false;
        since_factorised = 0;
      }
      for (std::size_t k = 0; k < unknowns_.size(); ++k) unknowns_[k] -= update_.data()[k];
      last = iteration > 0 && size * (size / previous) <= 0.5 * epsilon;
      previous = size;
    }
    return fail(previous);
  }
  Status accept(int iterations) {
    if (iterations > good_iterations) factorised_ = false;
    return Status::success;
  }
  Status fail(double size) {
    last_update_ = size;
    factorised_ = false;
    return Status::not_converged;
  }

  /// x1, p1, z1, R1 and the budgets from the stages.
  Status finish(double t) {
    double one_minus_R = 0;
    for (int i = 0; i < S; ++i) one_minus_R += h_ * tableau_.b[i] * R_(i) * rate(i);
    const double R = 1 - one_minus_R;
    if (!(R > 0) || !(R_.minCoeff() > 0)) return refuse_factor(R);
    std::fill(increments_.begin(), increments_.end(), 0.0);
    for (int i = 0; i < S; ++i) {
      const double hb = h_ * tableau_.b[i];
      const double* o = out(i);
      for (std::size_t k = 0; k < n_; ++k) increments_[k] += hb * o[k];
      for (std::size_t a = 0; a < r_; ++a) increments_[n_ + a] += hb * R_(i) * o[n_ + r_ + a];
      increments_[base_ - 1] += hb * lagrangian(i);
      if (laws_ > 0) add_sources(i, t, hb);
    }
    const auto discount = [&](std::size_t at) { return (increments_[at] + state_[at] * one_minus_R) / R; };
    for (std::size_t a = n_; a < n_ + r_; ++a) increments_[a] = discount(a);
    for (std::size_t k = base_ + 1; k <= base_ + laws_; ++k) increments_[k] = discount(k);
    increments_[base_] = std::log1p(-one_minus_R);
    for (const double increment : increments_) {
      if (!std::isfinite(increment)) return explain(Status::not_finite, t);
    }
    for (std::size_t k = 0; k < increments_.size(); ++k) state_.add(k, increments_[k]);
    remember();
    velocity_known_ = false;
    const bool projects = m_ > 0 && (!run_.dynamics.differential() || run_.dynamics.positions > 0);
    return projects ? project(t + h_) : Status::success;
  }
  void add_sources(int i, double t, double hb) {
    load(i, t);
    run_.dynamics.balance(u_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) increments_[base_ + 1 + k] += hb * R_(i) * balance_[3 + 3 * k];
  }

  Status refuse_factor(double R) {
    double largest = 0;
    for (int i = 0; i < S; ++i) largest = std::max(largest, std::abs(rate(i)));
    reason_ = fmt::format(
        "the step {:.3g} is too large for the dissipation: the integrating factor of one step is not positive (R = "
        "{:.3g}); take a step below {:.2g}",
        std::abs(h_), R, 1 / largest);
    return Status::not_converged;
  }
  Status explain(Status status, double t) {
    if (status == Status::not_finite) {
      reason_ = "the equations of motion are not finite in the step";
    } else {
      const std::size_t dimension = run_.dynamics.dimension();
      for (const auto& [time, state] :
           {std::pair{t + tableau_.c[0] * h_, std::span<const double>(unknowns_)}, std::pair{t, last_state()}}) {
        const Stop stop = singularity(run_.dynamics, run_.parameters, time, state.first(dimension));
        if (stop.status == Status::success) continue;
        reason_ = stop.reason + " in the step";
        return stop.status;
      }
      reason_ = fmt::format(
          "Newton's method did not converge in a step of {:.3g} (last relative update {:.2g}); take a smaller step",
          std::abs(h_), last_update_);
    }
    return status;
  }

  const Run run_;
  const Coefficients tableau_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t base_;  // n + r + 1
  std::size_t size_;  // unknowns of a stage
  std::size_t laws_;
  SaddlePoint saddle_;
  std::optional<Rates> rates_;
  double h_ = 0;
  CompensatedVector state_;         // x, p, z, log factor, budgets
  std::vector<double> last_state_;  // (x, w, z, l) with w and l the last ones known
  bool velocity_known_ = false;     // whether these are at the end of the last step
  std::vector<double> unknowns_;    // (X, w, Z, l) stage by stage
  std::vector<double> out_;
  std::vector<double> jacobian_;
  std::vector<double> work_;
  std::vector<double> balance_;
  std::vector<double> u_;
  std::vector<double> coupling_;
  std::vector<double> increments_;
  std::vector<double> work_done_;
  std::vector<double> correction_;  // of the guessed velocity at the end of the last step
  std::array<std::vector<double>, history_length> history_;
  int newest_ = 0;
  int remembered_ = 0;
  StageMatrix inverse_;
  Eigen::Matrix<double, S, 1> R_;
  Matrix matrix_;
  Vector residual_;
  Vector update_;
  Eigen::PartialPivLU<Matrix> lu_;
  Matrix newton_inverse_;
  /// One product with an inverse that serves many steps beats two triangular solves of medium size.
  bool multiplies_ = S > 1 && S* size_ <= most_multiplied;
  bool factorised_ = false;
  bool fresh_ = false;
  std::array<double, 4> inverse_size_{};
  double last_update_ = 0;
  std::size_t iterations_ = 0;
  std::string reason_;
};

/// Runs a tableau, specialised for small systems where `specialised`.
template <bool specialised, class Coefficients>
Outcome run_contact_runge_kutta(const Run& run, const Coefficients& tableau) {
  if (!run.dynamics.stage || !run.dynamics.stage_jacobian) {
    throw std::invalid_argument(
        "contact Runge-Kutta methods need the stage kernel and its Jacobian; the dynamics lacks them");
  }
  const auto follow_as = [&]<int Size>(std::integral_constant<int, Size>) {
    ContactRungeKutta<Coefficients, Size> stepper(run, tableau);
    return follow_fixed(run, stepper);
  };
  if constexpr (specialised) {
    switch (run.dynamics.variables() - 1) {
      case 3:
        return follow_as(std::integral_constant<int, 3>{});
      case 4:
        return follow_as(std::integral_constant<int, 4>{});
      case 5:
        return follow_as(std::integral_constant<int, 5>{});
      default:
        break;
    }
  }
  return follow_as(std::integral_constant<int, Eigen::Dynamic>{});
}

/// Gauss collocation with S stages.
template <int S>
Outcome run_contact_gauss(const Run& run) {
  static const Tableau<S> tableau = gauss<S>();
  return run_contact_runge_kutta<(S <= 3)>(run, tableau);
}

/// Lobatto IIIA-IIIB with S stages.
template <int S>
Outcome run_contact_lobatto(const Run& run) {
  static const Tableau<S> tableau = lobatto<S>();
  return run_contact_runge_kutta<false>(run, tableau);
}

/// What every contact Gauss method declares.
MethodInfo contact_gauss_info(int stages);
/// What every contact Lobatto method declares.
MethodInfo contact_lobatto_info(int stages);

}  // namespace herglotz::integrate
