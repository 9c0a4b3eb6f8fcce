#pragma once
/// Gauss collocation of the homogeneous lift, for every algebroid and every regular L. Theory, Sec. 4.

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "compensated.hpp"
#include "fixed_step.hpp"
#include "gauss.hpp"
#include "momentum.hpp"

namespace herglotz::integrate {

/// One step from (x0, p0, z0), in the implicit Lagrangian form that needs no inverse of w -> p. With R the integrating
/// factor relative to the start of the step, the stages X_i, w_i, Z_i, R_i (n, r, 1, 1 unknowns each) solve
///   X_i = x0 + h sum_j a_ij x_dot_j,     R_i p_i = p0 + h sum_j a_ij R_j f_j,
///   Z_i = z0 + h sum_j a_ij L_j,         R_i = 1 - h sum_j a_ij R_j (L_z)_j,
/// x_dot, p, f, L, L_z being those of (X_i, w_i, Z_i, t0 + c_i h). The step ends with the weights b_i in place of a_ij,
/// and p1 = (..)/R1; budgets: g1 = (g0 + h sum b_i R_i source_i)/R1. R is solved for in closed form from the L_z, the
/// rest by Newton's method to round-off. Size is n + r + 1, or Eigen::Dynamic.
template <int S, int Size>
class ContactGauss final : public FixedStepper {
 public:
  explicit ContactGauss(const Run& run)
      : run_(run),
        n_(run.dynamics.n),
        r_(run.dynamics.r),
        size_(run.dynamics.dimension()),
        laws_(run.dynamics.laws),
        momentum_map_(run.dynamics, run.parameters),
        lu_(static_cast<Eigen::Index>(S * size_)) {
    const Dynamics& d = run.dynamics;
    state_.resize(size_ + 1 + laws_);
    last_state_.assign(run.state.begin(), run.state.end());
    unknowns_.resize(S * size_);
    out_.resize(S * d.stage.outputs());
    jacobian_.resize(d.stage_jacobian.outputs());
    work_.resize(std::max({d.stage.work_size(), d.stage_jacobian.work_size(), d.balance ? d.balance.work_size() : 0}));
    balance_.resize(1 + 3 * laws_);
    u_.resize(size_ + 1);
    coupling_.resize(S * S * r_);
    increments_.resize(size_ + 1 + laws_);
    for (auto& past : history_) past.resize(S * size_);
    const auto dimension = static_cast<Eigen::Index>(S * size_);
    matrix_.resize(dimension, dimension);
    residual_.resize(dimension);
    update_.resize(dimension);
  }

  Status start() override {
    const auto state = run_.state;
    std::vector<double> p(r_);
    for (std::size_t i = 0; i < size_; ++i) state_.set(i, state[i]);
    if (!momentum_map_.momentum(run_.t0, state, p.data())) {
      reason_ = "the momentum p(x, w, z, t) is not finite";
      return Status::not_finite;
    }
    if (momentum_map_.is_singular(run_.t0, state)) {
      reason_ = "the velocity Hessian W is singular";
      return Status::singular_hessian;
    }
    for (std::size_t a = 0; a < r_; ++a) state_.set(n_ + a, p[a]);
    if (laws_ > 0) {
      std::copy(state.begin(), state.end(), u_.begin());
      u_[size_] = run_.t0;
      run_.dynamics.balance(u_.data(), run_.parameters.data(), balance_.data(), work_.data());
      for (std::size_t k = 0; k < laws_; ++k) state_.set(size_ + 1 + k, balance_[1 + 3 * k]);
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
    for (std::size_t i = 0; i < size_; ++i) {
      if (i < n_ || i + 1 == size_) last_state_[i] = state_[i];
    }
    guess_velocity();
    const Status status = momentum_map_.invert(t, last_state_, state_.data() + n_);
    if (status != Status::success) {
      reason_ = momentum_map_.reason();
      return status;
    }
    sample.t = t;
    sample.state = last_state_;
    sample.log_factor = state_[size_];
    for (std::size_t k = 0; k < laws_; ++k) sample.budget[k] = state_[size_ + 1 + k];
    return Status::success;
  }

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactGauss>(*this); }
  void follow(const FixedStepper& other) override {
    const auto& leader = static_cast<const ContactGauss&>(other);
    state_ = leader.state_;
    last_state_ = leader.last_state_;
    remembered_ = 0;
    factorised_ = false;
    h_ = 0;
  }
  [[nodiscard]] std::span<const double> last_state() override {
    for (std::size_t i = 0; i < size_; ++i) {
      if (i < n_ || i + 1 == size_) last_state_[i] = state_[i];
    }
    return last_state_;
  }
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

 private:
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
  static constexpr int history_length = 4;

  const double* out(int i) const { return out_.data() + static_cast<std::size_t>(i) * run_.dynamics.stage.outputs(); }
  double* unknowns(int i) { return unknowns_.data() + static_cast<std::size_t>(i) * size_; }
  double rate(int i) const { return out(i)[n_ + 2 * r_ + 1]; }
  double lagrangian(int i) const { return out(i)[n_ + 2 * r_]; }

  /// Stage by stage extrapolation through the last steps; without any, the state itself.
  void predict() {
    static constexpr double weights[history_length][history_length] = {
        {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    if (remembered_ == 0) {
      for (int i = 0; i < S; ++i) {
        for (std::size_t j = 0; j < size_; ++j) unknowns(i)[j] = j >= n_ && j < n_ + r_ ? last_state_[j] : state_[j];
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
    for (std::size_t j = n_; j < n_ + r_; ++j) last_state_[j] = unknowns(S - 1)[j];
  }
  /// w at the end of a step, from the collocation values around it.
  void guess_velocity() {
    if (remembered_ < 2) return;
    for (std::size_t j = n_; j < n_ + r_; ++j) {
      const std::size_t k = (S - 1) * size_ + j;
      last_state_[j] = past(0)[k] + (1 - tableau_.c[S - 1]) * (past(0)[k] - past(1)[k]);
    }
  }

  void load(int i, double t) {
    std::copy_n(unknowns(i), size_, u_.begin());
    u_[size_] = t + tableau_.c[static_cast<std::size_t>(i)] * h_;
  }
  /// Kernels at the stages, and R_i from them.
  bool evaluate(double t) {
    const Dynamics& d = run_.dynamics;
    for (int i = 0; i < S; ++i) {
      load(i, t);
      d.stage(u_.data(), run_.parameters.data(), out_.data() + static_cast<std::size_t>(i) * d.stage.outputs(),
              work_.data());
    }
    if constexpr (S == 1) {
      inverse_(0, 0) = 1 / (1 + h_ * tableau_.A[0][0] * rate(0));
      R_(0) = inverse_(0, 0);
    } else {
      StageMatrix factor = StageMatrix::Identity();
      for (int i = 0; i < S; ++i) {
        for (int j = 0; j < S; ++j) factor(i, j) += h_ * tableau_.A[i][j] * rate(j);
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
      res[size_ - 1] = V[size_ - 1] - state_[size_ - 1];
      for (int j = 0; j < S; ++j) {
        const double ha = h_ * tableau_.A[i][j];
        const double* o = out(j);
        for (std::size_t k = 0; k < n_; ++k) res[k] -= ha * o[k];
        for (std::size_t a = 0; a < r_; ++a) res[n_ + a] -= ha * R_(j) * o[n_ + r_ + a];
        res[size_ - 1] -= ha * lagrangian(j);
      }
    }
  }

  /// d residual / d unknowns with dR = G dL_z eliminated, G = -(1 + hA L_z)^{-1} hA R.
  bool factorise(double t) {
    StageMatrix G;
    for (int i = 0; i < S; ++i) {
      for (int j = 0; j < S; ++j) G(i, j) = -h_ * tableau_.A[i][j] * R_(j);
    }
    G = (inverse_ * G).eval();
    for (int i = 0; i < S; ++i) {
      for (int k = 0; k < S; ++k) {
        for (std::size_t a = 0; a < r_; ++a) {
          double q = out(i)[n_ + a] * G(i, k);
          for (int j = 0; j < S; ++j) q -= h_ * tableau_.A[i][j] * out(j)[n_ + r_ + a] * G(j, k);
          coupling_[(static_cast<std::size_t>(i * S + k)) * r_ + a] = q;
        }
      }
    }
    matrix_.setZero();
    for (int i = 0; i < S; ++i) {
      const Eigen::Index base = i * static_cast<Eigen::Index>(size_);
      for (std::size_t k = 0; k < n_; ++k)
        matrix_(base + static_cast<Eigen::Index>(k), base + static_cast<Eigen::Index>(k)) = 1;
      matrix_(base + static_cast<Eigen::Index>(size_) - 1, base + static_cast<Eigen::Index>(size_) - 1) = 1;
    }
    for (int k = 0; k < S; ++k) add_stage(k, t);
    if (!matrix_.allFinite()) return false;
    lu_.compute(matrix_);
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
        const std::size_t at = row < n_ ? row : force ? row - r_ : size_ - 1;
        const double factor = h_ * (force ? R_(k) : 1.0) * value;
        for (int i = 0; i < S; ++i) {
          matrix_(i * stride + static_cast<Eigen::Index>(at), col) -= tableau_.A[i][k] * factor;
        }
      } else {
        for (int i = 0; i < S; ++i) {
          const double* q = coupling_.data() + static_cast<std::size_t>(i * S + k) * r_;
          for (std::size_t a = 0; a < r_; ++a)
            matrix_(i * stride + static_cast<Eigen::Index>(n_ + a), col) += q[a] * value;
        }
      }
    }
  }

  /// Sizes by which updates of x, w and z are measured.
  void measure() {
    double x = 0;
    double w = 0;
    double z = 0;
    for (int i = 0; i < S; ++i) {
      const double* V = unknowns(i);
      for (std::size_t k = 0; k < n_; ++k) x = std::max(x, std::abs(V[k]));
      for (std::size_t a = n_; a < n_ + r_; ++a) w = std::max(w, std::abs(V[a]));
      z = std::max({z, std::abs(V[size_ - 1]), std::abs(h_ * lagrangian(i))});
    }
    const double least = 1e-6 * std::max({x, w, z, 1e-290});
    inverse_size_ = {1 / std::max(x, least), 1 / std::max(w, least), 1 / std::max(z, least)};
  }
  double update_size() const {
    double x = 0;
    double w = 0;
    double z = 0;
    for (int i = 0; i < S; ++i) {
      const double* d = update_.data() + static_cast<std::size_t>(i) * size_;
      for (std::size_t k = 0; k < n_; ++k) x = std::max(x, std::abs(d[k]));
      for (std::size_t a = n_; a < n_ + r_; ++a) w = std::max(w, std::abs(d[a]));
      z = std::max(z, std::abs(d[size_ - 1]));
    }
    return std::max({x * inverse_size_[0], w * inverse_size_[1], z * inverse_size_[2]});
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
      update_ = lu_.solve(residual_);
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
      increments_[size_ - 1] += hb * lagrangian(i);
      if (laws_ > 0) add_sources(i, t, hb);
    }
    const auto discount = [&](std::size_t at) { return (increments_[at] + state_[at] * one_minus_R) / R; };
    for (std::size_t a = n_; a < n_ + r_; ++a) increments_[a] = discount(a);
    for (std::size_t k = size_ + 1; k <= size_ + laws_; ++k) increments_[k] = discount(k);
    increments_[size_] = std::log1p(-one_minus_R);
    for (const double increment : increments_) {
      if (!std::isfinite(increment)) return explain(Status::not_finite, t);
    }
    for (std::size_t k = 0; k < increments_.size(); ++k) state_.add(k, increments_[k]);
    remember();
    return Status::success;
  }
  void add_sources(int i, double t, double hb) {
    load(i, t);
    run_.dynamics.balance(u_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) increments_[size_ + 1 + k] += hb * R_(i) * balance_[3 + 3 * k];
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
      const std::span<const double> stage(unknowns_.data(), size_);
      const bool finite = std::all_of(stage.begin(), stage.end(), [](double v) { return std::isfinite(v); });
      if ((finite && momentum_map_.is_singular(t + tableau_.c[0] * h_, stage)) ||
          momentum_map_.is_singular(t, last_state())) {
        reason_ = "the velocity Hessian W is singular in the step";
        return Status::singular_hessian;
      }
      reason_ = fmt::format(
          "Newton's method did not converge in a step of {:.3g} (last relative update {:.2g}); take a smaller step",
          std::abs(h_), last_update_);
    }
    return status;
  }

  const Run run_;
  const Gauss<S> tableau_ = gauss<S>();
  std::size_t n_;
  std::size_t r_;
  std::size_t size_;
  std::size_t laws_;
  MomentumMap momentum_map_;
  double h_ = 0;
  CompensatedVector state_;         // x, p, z, log factor, budgets
  std::vector<double> last_state_;  // x, w, z with w the last one known
  std::vector<double> unknowns_;    // (X, w, Z) stage by stage
  std::vector<double> out_;
  std::vector<double> jacobian_;
  std::vector<double> work_;
  std::vector<double> balance_;
  std::vector<double> u_;
  std::vector<double> coupling_;
  std::vector<double> increments_;
  std::array<std::vector<double>, history_length> history_;
  int newest_ = 0;
  int remembered_ = 0;
  StageMatrix inverse_;
  Eigen::Matrix<double, S, 1> R_;
  Matrix matrix_;
  Vector residual_;
  Vector update_;
  Eigen::PartialPivLU<Matrix> lu_;
  bool factorised_ = false;
  bool fresh_ = false;
  std::array<double, 3> inverse_size_{};
  double last_update_ = 0;
  std::size_t iterations_ = 0;
  std::string reason_;
};

/// Runs ContactGauss with S stages, specialised for small systems.
template <int S>
Outcome run_contact_gauss(const Run& run) {
  if (!run.dynamics.stage || !run.dynamics.stage_jacobian) {
    throw std::invalid_argument(
        "contact Gauss methods need the stage kernel and its Jacobian; the dynamics lacks them");
  }
  const auto follow_as = [&]<int Size>(std::integral_constant<int, Size>) {
    ContactGauss<S, Size> stepper(run);
    return follow_fixed(run, stepper);
  };
  switch (run.dynamics.dimension()) {
    case 3:
      return follow_as(std::integral_constant<int, 3>{});
    case 4:
      return follow_as(std::integral_constant<int, 4>{});
    case 5:
      return follow_as(std::integral_constant<int, 5>{});
    default:
      return follow_as(std::integral_constant<int, Eigen::Dynamic>{});
  }
}

/// What every contact Gauss method declares.
MethodInfo contact_gauss_info(int stages);

}  // namespace herglotz::integrate
