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
#include "newton.hpp"
#include "saddle_point.hpp"

namespace herglotz::integrate {
namespace {

using newton::converged;
using newton::epsilon;
using newton::most_iterations;
using newton::round_off;

constexpr std::size_t history_length = 4;
/// Conformal factors of a step, or their inverses, below this are no step of a dissipative motion any more.
constexpr double least_factor = 1e-3;

std::size_t index(Eigen::Index i) {
  return static_cast<std::size_t>(i);
}

/// The flow of the discrete Herglotz equations on T*Q x R. [ASMLL20, Eqs. 39-43]. From (x0, p0, z0) a step solves
///   -D1 ell = (1 + D_z0 ell) p0,   z1 = z0 + ell(x0, x1, z0, z1, t0, h)
/// for (x1, z1) by Newton's method to round-off, and ends with p1 = D2 ell/(1 - D_z1 ell). Budgets:
/// g1 = sigma_d (g0 + h/2 source0) + h/2 source1, so that momenta of symmetries are dissipated by sigma_d to round-off.
class DiscreteHerglotz final : public FixedStepper {
 public:
  explicit DiscreteHerglotz(const Run& run)
      : run_(run),
        n_(static_cast<Eigen::Index>(run.dynamics.n)),
        laws_(run.dynamics.laws),
        saddle_(run.dynamics, run.parameters),
        lu_(n_ + 1) {
    const Dynamics& d = run.dynamics;
    state_.resize(2 * d.n + 2 + laws_);
    last_state_.assign(run.state.begin(), run.state.end());
    increments_.resize(2 * d.n + 2 + laws_);
    variables_.resize(2 * d.n + 4);
    v_.resize(d.variables());
    out_.resize(d.discrete.ell.outputs());
    jacobian_.resize(d.discrete.jacobian.outputs());
    stage_.resize(d.stage.outputs());
    balance_.resize(1 + 3 * laws_);
    source_.resize(laws_);
    work_.resize(std::max({d.discrete.ell.work_size(), d.discrete.jacobian.work_size(), d.stage.work_size(),
                           d.balance ? d.balance.work_size() : 0}));
    for (auto* vector : {&ends_, &residual_, &update_}) vector->setZero(n_ + 1);
    matrix_.resize(n_ + 1, n_ + 1);
  }

  Status start() override {
    const Dynamics& d = run_.dynamics;
    for (std::size_t i = 0; i < d.n; ++i) state_.set(i, last_state_[i]);
    state_.set(2 * d.n, last_state_.back());
    load(run_.t0);
    d.stage(v_.data(), run_.parameters.data(), stage_.data(), work_.data());
    for (std::size_t a = 0; a < d.n; ++a) {
      state_.set(d.n + a, stage_[d.n + a]);
      if (!std::isfinite(stage_[d.n + a])) {
        reason_ = "the momentum p(x, w, z, t) is not finite";
        return Status::not_finite;
      }
    }
    if (const Stop stop = singularity(d, run_.parameters, run_.t0, run_.state); stop.status != Status::success) {
      reason_ = stop.reason;
      return stop.status;
    }
    velocity_known_ = true;
    if (laws_ > 0) {
      evaluate_laws(run_.t0);
      for (std::size_t k = 0; k < laws_; ++k) state_.set(2 * d.n + 2 + k, balance_[1 + 3 * k]);
    }
    return Status::success;
  }

  Status step(double t, double h) override {
    if (h != h_) past_.clear();
    h_ = h;
    predict();
    Status status = solve(t);
    if (status != Status::success && !past_.empty()) {
      past_.clear();
      predict();
      status = solve(t);
    }
    return status == Status::success ? finish(t) : explain(status);
  }

  Status sample(double t, Sample& sample) override {
    if (const Status status = know_velocity(t); status != Status::success) return status;
    sample.t = t;
    std::copy_n(last_state_.begin(), sample.state.size(), sample.state.begin());
    sample.log_factor = state_[2 * index(n_) + 1];
    for (std::size_t k = 0; k < laws_; ++k) sample.budget[k] = state_[2 * index(n_) + 2 + k];
    return Status::success;
  }

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override {
    return std::make_unique<DiscreteHerglotz>(*this);
  }
  void follow(const FixedStepper& other) override {
    const auto& leader = static_cast<const DiscreteHerglotz&>(other);
    state_ = leader.state_;
    last_state_ = leader.last_state_;
    velocity_known_ = leader.velocity_known_;
    source_ = leader.source_;
    past_.clear();
    h_ = 0;
  }
  [[nodiscard]] std::span<const double> last_state() override {
    take_positions();
    return last_state_;
  }
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

 private:
  double D_z0() const { return out_[out_.size() - 2]; }
  double D_z1() const { return out_[out_.size() - 1]; }
  double D1(Eigen::Index i) const { return out_[index(1 + i)]; }
  double D2(Eigen::Index i) const { return out_[index(1 + n_ + i)]; }
  double p(Eigen::Index i) const { return state_[index(n_ + i)]; }
  double z() const { return state_[2 * index(n_)]; }

  void take_positions() {
    for (std::size_t i = 0; i < index(n_); ++i) last_state_[i] = state_[i];
    last_state_.back() = z();
  }
  /// v of the last state.
  void load(double t) {
    std::copy(last_state_.begin(), last_state_.end(), v_.begin());
    v_[last_state_.size()] = t;
  }

  /// Extrapolation through the last steps; without any, the velocity at the start.
  void predict() {
    static constexpr double weights[history_length][history_length + 1] = {
        {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
    if (past_.empty()) {
      for (Eigen::Index i = 0; i < n_; ++i) ends_(i) = state_[index(i)] + h_ * last_state_[index(n_ + i)];
      ends_(n_) = z();
      return;
    }
    const double* weight = weights[past_.size() - 1];
    for (Eigen::Index i = 0; i < n_; ++i) ends_(i) = weight[0] * state_[index(i)];
    ends_(n_) = weight[0] * z();
    for (std::size_t back = 0; back < past_.size(); ++back) ends_ += weight[back + 1] * past_[back];
  }

  bool evaluate(double t) {
    const std::size_t n = index(n_);
    for (std::size_t i = 0; i < n; ++i) variables_[i] = state_[i];
    std::copy_n(ends_.data(), n, variables_.begin() + static_cast<std::ptrdiff_t>(n));
    variables_[2 * n] = z();
    variables_[2 * n + 1] = ends_(n_);
    variables_[2 * n + 2] = t;
    variables_[2 * n + 3] = h_;
    run_.dynamics.discrete.ell(variables_.data(), run_.parameters.data(), out_.data(), work_.data());
    for (Eigen::Index i = 0; i < n_; ++i) residual_(i) = -D1(i) - (1 + D_z0()) * p(i);
    residual_(n_) = ends_(n_) - z() - out_[0];
    return residual_.allFinite() && std::isfinite(D_z1());
  }

  bool factorise() {
    const Dynamics& d = run_.dynamics;
    d.discrete.jacobian(variables_.data(), run_.parameters.data(), jacobian_.data(), work_.data());
    matrix_.setZero();
    matrix_(n_, n_) = 1;
    const auto first_end = static_cast<std::size_t>(1 + n_);
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = d.discrete.pattern.row[e];
      const auto col = static_cast<Eigen::Index>(d.discrete.pattern.col[e]);
      if (row == 0) {
        matrix_(n_, col) -= jacobian_[e];
      } else if (row < first_end) {
        matrix_(static_cast<Eigen::Index>(row) - 1, col) -= jacobian_[e];
      } else if (row == out_.size() - 2) {
        for (Eigen::Index i = 0; i < n_; ++i) matrix_(i, col) -= p(i) * jacobian_[e];
      }
    }
    if (!matrix_.allFinite()) return false;
    lu_.compute(matrix_);
    return true;
  }

  /// The update relative to the sizes of x and of z.
  double update_size() const {
    const double x = std::max(ends_.head(n_).cwiseAbs().maxCoeff(), 1e-290);
    const double z_size = std::max({std::abs(ends_(n_)), std::abs(out_[0]), 1e-6 * x});
    return std::max(update_.head(n_).cwiseAbs().maxCoeff() / std::max(x, 1e-6 * z_size),
                    std::abs(update_(n_)) / z_size);
  }

  Status solve(double t) {
    double previous = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (!evaluate(t) || !factorise()) return Status::not_finite;
      update_ = lu_.solve(residual_);
      ++iterations_;
      last_update_ = update_size();
      if (!std::isfinite(last_update_)) return Status::singular_hessian;
      if (last_update_ <= converged || (last_update_ >= previous && previous <= round_off)) return Status::success;
      if (iteration > 8 && last_update_ > 2 * previous) return Status::not_converged;
      ends_ -= update_;
      previous = last_update_;
    }
    return Status::not_converged;
  }

  Status finish(double t) {
    const std::size_t n = index(n_);
    const double growth = 1 + D_z0();
    const double loss = 1 - D_z1();
    if (!(growth > least_factor) || !(loss > least_factor)) return refuse_factor();
    if (lu_.rcond() < epsilon) return explain(Status::singular_hessian);
    const double sigma = growth / loss;
    const double sigma_minus_1 = (D_z0() + D_z1()) / loss;
    for (std::size_t i = 0; i < n; ++i) {
      const auto a = static_cast<Eigen::Index>(i);
      increments_[i] = ends_(a) - state_[i];
      increments_[n + i] = D2(a) / loss - state_[n + i];
    }
    increments_[2 * n] = out_[0];
    increments_[2 * n + 1] = -std::log1p(sigma_minus_1);
    if (laws_ > 0) {
      if (const Status status = know_velocity(t); status != Status::success) return status;
      evaluate_laws(t);
      for (std::size_t k = 0; k < laws_; ++k) {
        const std::size_t at = 2 * n + 2 + k;
        increments_[at] = sigma_minus_1 * state_[at] + sigma * h_ / 2 * source_[k];
      }
    }
    if (!std::all_of(increments_.begin(), increments_.end(), [](double x) { return std::isfinite(x); }))
      return explain(Status::not_finite);
    remember();
    for (std::size_t k = 0; k < increments_.size(); ++k) state_.add(k, increments_[k]);
    velocity_known_ = false;
    return laws_ > 0 ? add_end_sources(t + h_) : Status::success;
  }
  Status add_end_sources(double t) {
    if (const Status status = know_velocity(t); status != Status::success) return status;
    evaluate_laws(t);
    for (std::size_t k = 0; k < laws_; ++k) state_.add(2 * index(n_) + 2 + k, h_ / 2 * source_[k]);
    return Status::success;
  }
  void remember() {
    if (past_.size() == history_length) past_.pop_back();
    Eigen::VectorXd start(n_ + 1);
    for (Eigen::Index i = 0; i < n_; ++i) start(i) = state_[index(i)];
    start(n_) = z();
    past_.insert(past_.begin(), std::move(start));
  }

  /// w from p(x, w, z, t) = p at the state.
  Status know_velocity(double t) {
    take_positions();
    if (velocity_known_) return Status::success;
    saddle_.load(t, last_state_);
    Status status = saddle_.factorise();
    if (status == Status::success) status = saddle_.recover(state_.data() + n_);
    if (status != Status::success) {
      reason_ = saddle_.reason();
      return status;
    }
    std::copy_n(saddle_.v() + n_, n_, last_state_.begin() + n_);
    velocity_known_ = true;
    return Status::success;
  }
  void evaluate_laws(double t) {
    load(t);
    run_.dynamics.balance(v_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) source_[k] = balance_[3 + 3 * k];
  }

  Status refuse_factor() {
    const double rate = std::max({-D_z0(), D_z1(), 1e-300}) / std::abs(h_);
    reason_ = fmt::format(
        "the step {:.3g} is too large for the dissipation: sigma_d = (1 + D_z0 L_d)/(1 - D_z1 L_d) = {:.3g}/{:.3g} "
        "must be "
        "positive; take a step below {:.2g}",
        std::abs(h_), 1 + D_z0(), 1 - D_z1(), 1 / rate);
    return Status::not_converged;
  }
  Status explain(Status status) {
    switch (status) {
      case Status::not_finite:
        reason_ = "the discrete Lagrangian is not finite in the step";
        break;
      case Status::singular_hessian:
        reason_ = "the discrete Lagrangian is not regular: its Legendre transform F- is singular in the step";
        break;
      default:
        reason_ = fmt::format(
            "Newton's method did not solve the discrete Herglotz equations in a step of {:.3g} (last relative update "
            "{:.2g}); take a smaller step",
            std::abs(h_), last_update_);
    }
    return status;
  }

  const Run run_;
  Eigen::Index n_;
  std::size_t laws_;
  SaddlePoint saddle_;
  double h_ = 0;
  CompensatedVector state_;  // x, p, z, log factor, budgets
  std::vector<double> last_state_;
  bool velocity_known_ = false;
  Eigen::VectorXd ends_, residual_, update_;  // (x1, z1)
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  std::vector<Eigen::VectorXd> past_;  // (x, z) at the starts of the last steps, newest first
  std::vector<double> variables_, v_, out_, jacobian_, stage_, balance_, source_, increments_, work_;
  double last_update_ = 0;
  std::size_t iterations_ = 0;
  std::string reason_;
};

Outcome run_discrete_herglotz(const Run& run) {
  if (!run.dynamics.discrete || !run.dynamics.stage || !run.dynamics.stage_jacobian)
    throw std::invalid_argument(
        "method discrete-herglotz needs the kernels of a discrete Lagrangian; the dynamics lacks them");
  DiscreteHerglotz stepper(run);
  return follow_fixed(run, stepper);
}

}  // namespace

Method discrete_herglotz_method() {
  return {
      {.name = "discrete-herglotz",
       .order = 0,
       .adaptive = false,
       .algebroids = {"tangent"},
       .constraints = {},
       .preserves = {"contact form up to the conformal factor sigma_d", "dissipated momenta of discrete symmetries"},
       .summary = "flow of the discrete Herglotz equations of the model's [discrete] Lagrangian",
       .needs = Ingredient::discrete_lagrangian},
      run_discrete_herglotz};
}

}  // namespace herglotz::integrate
