#include "galerkin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "newton.hpp"
#include "quadrature.hpp"

namespace herglotz::integrate {
namespace {

using newton::converged;
using newton::epsilon;
using newton::most_iterations;
using newton::round_off;

/// Conformal factors of a step below this are no step of a dissipative motion any more.
constexpr double least_factor = 1e-3;

std::size_t index(Eigen::Index i) {
  return static_cast<std::size_t>(i);
}

/// l_nu and l'_nu of the nodes d at x.
std::pair<double, double> lagrange(const std::vector<long double>& d, std::size_t nu, long double x) {
  long double value = 1;
  long double slope = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (k == nu) continue;
    const long double scale = 1 / (d[nu] - d[k]);
    slope = slope * (x - d[k]) * scale + value * scale;
    value *= (x - d[k]) * scale;
  }
  return {static_cast<double>(value), static_cast<double>(slope)};
}

void require(const Run& run, const GalerkinRule& rule) {
  const Dynamics& d = run.dynamics;
  if (!d.stage || !d.stage_jacobian)
    throw std::invalid_argument("Galerkin methods need the stage kernel and its Jacobian; the dynamics lacks them");
  if (!d.lagrangian || d.n != d.r || d.m > 0)
    throw std::invalid_argument(
        "Galerkin methods need a Lagrangian of velocities of the base, without constraints; the dynamics is another");
  const std::size_t nodes = rule.c.size();
  const bool square = rule.b.size() == nodes && rule.A.size() == nodes &&
                      std::all_of(rule.A.begin(), rule.A.end(), [&](const auto& row) { return row.size() == nodes; });
  if (rule.degree < 1 || nodes < rule.degree || !square)
    throw std::invalid_argument(fmt::format(
        "a Galerkin rule of degree {} needs at least {} nodes c and as many weights b and rows and columns of A; it "
        "has {} nodes, {} weights and {} rows",
        rule.degree, std::max<std::size_t>(1, rule.degree), nodes, rule.b.size(), rule.A.size()));
}

}  // namespace

ContactGalerkin::ContactGalerkin(const Run& run, const GalerkinRule& rule)
    : run_(run),
      n_(static_cast<Eigen::Index>(run.dynamics.n)),
      degree_(static_cast<Eigen::Index>(rule.degree)),
      nodes_(static_cast<Eigen::Index>(rule.c.size())),
      laws_(run.dynamics.laws),
      rows_(run.dynamics.stage.outputs()),
      saddle_(run.dynamics, run.parameters) {
  interpolate(rule);
  const Dynamics& d = run.dynamics;
  const Eigen::Index size = degree_ * n_ + nodes_;
  state_.resize(2 * d.n + 2 + laws_);
  increments_.resize(2 * d.n + 2 + laws_);
  last_state_.assign(run.state.begin(), run.state.end());
  for (auto* vector : {&unknowns_, &residual_, &update_}) vector->setZero(size);
  matrix_.resize(size, size);
  columns_.resize(2 * n_ + 1, size);
  by_stage_.resize(static_cast<Eigen::Index>(rows_), 2 * n_ + 1);
  L_z_.resize(nodes_);
  v_.resize(d.variables());
  out_.resize(rows_ * rule.c.size());
  jacobian_.resize(d.stage_jacobian.outputs());
  balance_.resize(1 + 3 * laws_);
  work_.resize(std::max(
      {d.stage.work_size(), d.stage_jacobian.work_size(), d.balance ? d.balance.work_size() : std::size_t{0}}));
}

/// The polynomials by their values at Lobatto points, which makes the unknowns well conditioned at any degree.
void ContactGalerkin::interpolate(const GalerkinRule& rule) {
  const std::vector<long double> points = lobatto_quadrature(static_cast<int>(degree_) + 1).c;
  c_ = Eigen::Map<const Eigen::VectorXd>(rule.c.data(), nodes_);
  b_ = Eigen::Map<const Eigen::VectorXd>(rule.b.data(), nodes_);
  A_.resize(nodes_, nodes_);
  control_.resize(degree_ + 1);
  values_.resize(nodes_, degree_ + 1);
  slopes_.resize(nodes_, degree_ + 1);
  ahead_.resize(degree_ + 1, degree_ + 1);
  end_slopes_.resize(degree_ + 1);
  for (Eigen::Index nu = 0; nu <= degree_; ++nu) {
    end_slopes_(nu) = lagrange(points, index(nu), 1).second;
    control_(nu) = static_cast<double>(points[index(nu)]);
    for (Eigen::Index j = 0; j < nodes_; ++j)
      std::tie(values_(j, nu), slopes_(j, nu)) = lagrange(points, index(nu), rule.c[index(j)]);
    for (Eigen::Index mu = 0; mu <= degree_; ++mu)
      ahead_(mu, nu) = lagrange(points, index(nu), 1 + points[index(mu)]).first;
  }
  for (Eigen::Index i = 0; i < nodes_; ++i)
    for (Eigen::Index j = 0; j < nodes_; ++j) A_(i, j) = rule.A[index(i)][index(j)];
}

Status ContactGalerkin::start() {
  const Dynamics& d = run_.dynamics;
  std::copy(last_state_.begin(), last_state_.end(), v_.begin());
  v_[last_state_.size()] = run_.t0;
  d.stage(v_.data(), run_.parameters.data(), out_.data(), work_.data());
  for (std::size_t i = 0; i < d.n; ++i) {
    state_.set(i, last_state_[i]);
    state_.set(d.n + i, out_[d.n + i]);
    if (!std::isfinite(out_[d.n + i])) {
      reason_ = "the momentum p(x, w, z, t) is not finite";
      return Status::not_finite;
    }
  }
  state_.set(2 * d.n, last_state_.back());
  if (const Stop stop = singularity(d, run_.parameters, run_.t0, run_.state); stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  velocity_known_ = true;
  if (laws_ > 0) {
    d.balance(v_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) state_.set(2 * d.n + 2 + k, balance_[1 + 3 * k]);
  }
  return Status::success;
}

Status ContactGalerkin::step(double t, double h) {
  if (h != h_) remembers_ = false;
  h_ = h;
  const bool guessed = remembers_;
  predict();
  Status status = solve(t);
  if (status != Status::success && guessed && know_velocity(t) == Status::success) {
    remembers_ = false;
    predict();
    status = solve(t);
  }
  remembers_ = false;
  return status == Status::success ? finish(t) : explain(status, t);
}

Status ContactGalerkin::sample(double t, Sample& sample) {
  if (const Status status = know_velocity(t); status != Status::success) return status;
  sample.t = t;
  std::copy_n(last_state_.begin(), sample.state.size(), sample.state.begin());
  sample.log_factor = state_[2 * index(n_) + 1];
  for (std::size_t k = 0; k < laws_; ++k) sample.budget[k] = state_[2 * index(n_) + 2 + k];
  return Status::success;
}

void ContactGalerkin::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const ContactGalerkin&>(other);
  state_ = leader.state_;
  last_state_ = leader.last_state_;
  velocity_known_ = leader.velocity_known_;
  remembers_ = false;
  h_ = 0;
}

std::span<const double> ContactGalerkin::last_state() {
  for (std::size_t i = 0; i < index(n_); ++i) last_state_[i] = state_[i];
  last_state_.back() = z0();
  return last_state_;
}

/// The polynomial of the step before, continued; without one, the velocity that is known.
void ContactGalerkin::predict() {
  if (remembers_) {
    const Eigen::Map<const Eigen::MatrixXd> before(unknowns_.data(), n_, degree_);
    const Eigen::MatrixXd continued = before * ahead_.bottomRightCorner(degree_, degree_).transpose();
    const Eigen::VectorXd end = before.col(degree_ - 1);
    Eigen::Map<Eigen::MatrixXd>(unknowns_.data(), n_, degree_) = continued.colwise() - end;
  } else {
    last_dz_ = 0;
    for (Eigen::Index nu = 1; nu <= degree_; ++nu)
      for (Eigen::Index i = 0; i < n_; ++i) unknowns_((nu - 1) * n_ + i) = control_(nu) * last_state_[index(n_ + i)];
  }
  for (Eigen::Index j = 0; j < nodes_; ++j) unknowns_(degree_ * n_ + j) = z0() + c_(j) * last_dz_;
}

/// v of a node.
void ContactGalerkin::load(Eigen::Index node, double t) {
  for (Eigen::Index i = 0; i < n_; ++i) {
    double x = 0;
    double velocity = 0;
    for (Eigen::Index nu = 1; nu <= degree_; ++nu) {
      const double y = unknowns_((nu - 1) * n_ + i);
      x += values_(node, nu) * y;
      velocity += slopes_(node, nu) * y;
    }
    v_[index(i)] = state_[index(i)] + h_ * x;
    v_[index(n_ + i)] = velocity;
  }
  v_[2 * index(n_)] = unknowns_(degree_ * n_ + node);
  v_[2 * index(n_) + 1] = t + c_(node) * h_;
}

/// Stages, weights and residuals.
bool ContactGalerkin::evaluate(double t) {
  for (Eigen::Index j = 0; j < nodes_; ++j) {
    load(j, t);
    run_.dynamics.stage(v_.data(), run_.parameters.data(), out_.data() + index(j) * rows_, work_.data());
  }
  take_weights();
  for (Eigen::Index nu = 0; nu < degree_; ++nu) {
    for (Eigen::Index a = 0; a < n_; ++a) {
      double sum = nu == 0 ? (1 + sigma_minus_1_) * p0(a) : 0;
      for (Eigen::Index j = 0; j < nodes_; ++j)
        sum += weights_(j) * (h_ * values_(j, nu) * out(j)[2 * n_ + a] + slopes_(j, nu) * out(j)[n_ + a]);
      residual_(nu * n_ + a) = sum;
    }
  }
  for (Eigen::Index j = 0; j < nodes_; ++j) {
    double dz = 0;
    for (Eigen::Index k = 0; k < nodes_; ++k) dz += A_(j, k) * out(k)[3 * n_];
    const Eigen::Index row = degree_ * n_ + j;
    residual_(row) = unknowns_(row) - z0() - h_ * dz;
  }
  return residual_.allFinite();
}

void ContactGalerkin::take_weights() {
  for (Eigen::Index j = 0; j < nodes_; ++j) L_z_(j) = out(j)[3 * n_ + 1];
  Eigen::MatrixXd rates = -h_ * (L_z_.asDiagonal() * A_);
  rates.diagonal().array() += 1;
  response_ = A_ * rates.inverse();
  // b^T (1 - h D A)^-1 = b^T + h b^T D A (1 - h D A)^-1, by which weights of a conservative step are b to the bit.
  weights_ = b_ + h_ * response_.transpose() * L_z_.cwiseProduct(b_);
  sigma_minus_1_ = h_ * weights_.dot(L_z_);
}

bool ContactGalerkin::factorise(double t) {
  matrix_.setZero();
  matrix_.bottomRightCorner(nodes_, nodes_).setIdentity();
  for (Eigen::Index j = 0; j < nodes_; ++j) {
    load(j, t);
    const Dynamics& d = run_.dynamics;
    d.stage_jacobian(v_.data(), run_.parameters.data(), jacobian_.data(), work_.data());
    by_stage_.setZero();
    for (std::size_t e = 0; e < jacobian_.size(); ++e)
      by_stage_(static_cast<Eigen::Index>(d.stage_pattern.row[e]), static_cast<Eigen::Index>(d.stage_pattern.col[e])) +=
          jacobian_[e];
    add_node(j);
  }
  if (!matrix_.allFinite()) return false;
  lu_.compute(matrix_);
  return true;
}

/// Newton's matrix: dw^T = h w^T dD A (1 - h D A)^-1 makes it exact.
void ContactGalerkin::add_node(Eigen::Index node) {
  // (x, w, z) of the node by the unknowns, then its stage by them.
  columns_.setZero();
  for (Eigen::Index nu = 1; nu <= degree_; ++nu) {
    for (Eigen::Index i = 0; i < n_; ++i) {
      columns_(i, (nu - 1) * n_ + i) = h_ * values_(node, nu);
      columns_(n_ + i, (nu - 1) * n_ + i) = slopes_(node, nu);
    }
  }
  columns_(2 * n_, degree_ * n_ + node) = 1;
  const Eigen::MatrixXd stage = by_stage_ * columns_;
  const double w = weights_(node);
  const double answer = response_.row(node).dot(L_z_);
  for (Eigen::Index nu = 0; nu < degree_; ++nu) {
    for (Eigen::Index a = 0; a < n_; ++a) {
      double by_L_z = nu == 0 ? p0(a) * (1 + h_ * answer) : 0;
      for (Eigen::Index k = 0; k < nodes_; ++k)
        by_L_z += response_(node, k) * (h_ * values_(k, nu) * out(k)[2 * n_ + a] + slopes_(k, nu) * out(k)[n_ + a]);
      matrix_.row(nu * n_ + a) += w * (h_ * values_(node, nu) * stage.row(2 * n_ + a) +
                                       slopes_(node, nu) * stage.row(n_ + a) + h_ * by_L_z * stage.row(3 * n_ + 1));
    }
  }
  for (Eigen::Index j = 0; j < nodes_; ++j) matrix_.row(degree_ * n_ + j) -= h_ * A_(j, node) * stage.row(3 * n_);
}

/// The update relative to the sizes of velocities and positions, and of z.
double ContactGalerkin::update_size() const {
  double x = 1e-290;
  for (Eigen::Index i = 0; i < n_; ++i) x = std::max(x, std::abs(state_[index(i)]));
  double dz = std::abs(z0());
  for (Eigen::Index j = 0; j < nodes_; ++j) dz = std::max(dz, std::abs(h_ * out(j)[3 * n_]));
  const double step = std::abs(h_);
  const double speed = unknowns_.head(degree_ * n_).cwiseAbs().maxCoeff();
  const double size = std::max({speed, 1e-3 * x / step, 1e-6 * dz / step});
  return std::max(update_.head(degree_ * n_).cwiseAbs().maxCoeff() / size,
                  update_.tail(nodes_).cwiseAbs().maxCoeff() / std::max(dz, 1e-6 * std::max(x, step * speed)));
}

/// Newton's method until the kernels have been evaluated at stages correct to round-off.
Status ContactGalerkin::solve(double t) {
  double previous = std::numeric_limits<double>::infinity();
  bool last = false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!evaluate(t)) return Status::not_finite;
    if (last) return Status::success;
    if (!factorise(t)) return Status::not_finite;
    update_ = lu_.solve(residual_);
    ++iterations_;
    last_update_ = update_size();
    if (!std::isfinite(last_update_)) return Status::singular_hessian;
    if (last_update_ <= converged || (last_update_ >= previous && previous <= round_off)) return Status::success;
    if (iteration > 8 && last_update_ > 2 * previous) return Status::not_converged;
    unknowns_ -= update_;
    const double fall = last_update_ / previous;
    last = iteration > 0 && last_update_ * fall * fall <= 0.1 * epsilon;
    previous = last_update_;
  }
  return Status::not_converged;
}

Status ContactGalerkin::finish(double t) {
  const bool positive = ((weights_.array() * b_.array() > 0) || (b_.array() == 0)).all();
  if (!(1 + sigma_minus_1_ > least_factor) || !positive) return refuse_factor();
  std::fill(increments_.begin(), increments_.end(), 0.0);
  for (Eigen::Index a = 0; a < n_; ++a) {
    double push = 0;
    for (Eigen::Index j = 0; j < nodes_; ++j) push += weights_(j) * out(j)[2 * n_ + a];
    increments_[index(a)] = h_ * unknowns_((degree_ - 1) * n_ + a);
    increments_[index(n_ + a)] = sigma_minus_1_ * p0(a) + h_ * push;
  }
  double& dz = increments_[2 * index(n_)];
  for (Eigen::Index j = 0; j < nodes_; ++j) dz += h_ * b_(j) * out(j)[3 * n_];
  increments_[2 * index(n_) + 1] = -std::log1p(sigma_minus_1_);
  if (laws_ > 0) add_sources(t);
  if (!std::all_of(increments_.begin(), increments_.end(), [](double x) { return std::isfinite(x); }))
    return explain(Status::not_finite, t);
  last_dz_ = dz;
  remembers_ = true;
  velocity_known_ = false;
  // A first guess of the velocity at the end: the slope of the polynomial there.
  for (Eigen::Index i = 0; i < n_; ++i) {
    double velocity = 0;
    for (Eigen::Index nu = 1; nu <= degree_; ++nu) velocity += end_slopes_(nu) * unknowns_((nu - 1) * n_ + i);
    last_state_[index(n_ + i)] = velocity;
  }
  for (std::size_t k = 0; k < increments_.size(); ++k) state_.add(k, increments_[k]);
  return Status::success;
}

void ContactGalerkin::add_sources(double t) {
  const std::size_t first = 2 * index(n_) + 2;
  for (std::size_t k = 0; k < laws_; ++k) increments_[first + k] = sigma_minus_1_ * state_[first + k];
  for (Eigen::Index j = 0; j < nodes_; ++j) {
    load(j, t);
    run_.dynamics.balance(v_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) increments_[first + k] += h_ * weights_(j) * balance_[3 + 3 * k];
  }
}

/// w from p(x, w, z, t) = p at the state.
Status ContactGalerkin::know_velocity(double t) {
  const std::span<const double> state = last_state();
  if (velocity_known_) return Status::success;
  saddle_.load(t, state);
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

Status ContactGalerkin::refuse_factor() {
  reason_ = fmt::format(
      "the step {:.3g} is too large for the dissipation: the conformal factor sigma_d = {:.3g} of the step and the "
      "weights of its nodes must be positive; take a step below {:.2g}",
      std::abs(h_), 1 + sigma_minus_1_, 1 / std::max(L_z_.cwiseAbs().maxCoeff(), 1e-300));
  return Status::not_converged;
}

Status ContactGalerkin::explain(Status status, double t) {
  if (status == Status::not_finite) {
    reason_ = "the Lagrangian or a derivative of it is not finite in the step";
    return status;
  }
  if (const Stop stop = singularity(run_.dynamics, run_.parameters, t, last_state()); stop.status != Status::success) {
    reason_ = stop.reason + " in the step";
    return stop.status;
  }
  reason_ = fmt::format(
      "Newton's method did not solve the discrete Herglotz equations in a step of {:.3g} (last relative update "
      "{:.2g}); "
      "take a smaller step",
      std::abs(h_), last_update_);
  return Status::not_converged;
}

namespace {

MethodInfo info_of(std::string name, int order, std::string summary) {
  return {.name = std::move(name),
          .order = order,
          .adaptive = false,
          .algebroids = {"tangent"},
          .constraints = {},
          .preserves = {"conformal contact structure on tangent bundles without forces",
                        "dissipated momenta of symmetries affine in the base coordinates"},
          .summary = std::move(summary),
          .needs = Ingredient::velocities};
}

Outcome follow_rule(const Run& run, const GalerkinRule& rule) {
  require(run, rule);
  ContactGalerkin stepper(run, rule);
  return follow_fixed(run, stepper);
}

template <int Degree>
Method contact_galerkin() {
  return {info_of(fmt::format("contact-galerkin-{}", 2 * Degree), 2 * Degree,
                  fmt::format("discrete Herglotz equations of polynomials of degree {} with {} Gauss nodes, fixed "
                              "step, order {}",
                              Degree, Degree + 1, 2 * Degree)),
          [](const Run& run) {
            static const GalerkinRule rule = galerkin_rule(Degree, fmt::format("gauss-{}", Degree + 1));
            return follow_rule(run, rule);
          }};
}

}  // namespace

Method contact_galerkin_2_method() {
  return contact_galerkin<1>();
}
Method contact_galerkin_4_method() {
  return contact_galerkin<2>();
}
Method contact_galerkin_6_method() {
  return contact_galerkin<3>();
}
Method contact_galerkin_8_method() {
  return contact_galerkin<4>();
}
Method discrete_galerkin_method() {
  return {info_of("discrete-galerkin", 0,
                  "discrete Herglotz equations of the model's [discrete] polynomials and quadrature"),
          [](const Run& run) {
            if (!run.settings.galerkin)
              throw std::invalid_argument(
                  "method discrete-galerkin needs a degree and a quadrature; add [discrete] with rule = \"galerkin\" "
                  "to the model, or choose contact-galerkin-4");
            return follow_rule(run, *run.settings.galerkin);
          }};
}

}  // namespace herglotz::integrate
