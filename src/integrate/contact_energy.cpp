#include "contact_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "newton.hpp"
#include "saddle_point.hpp"

namespace herglotz::integrate {
namespace {

using newton::converged;
using newton::epsilon;
using newton::most_iterations;
using newton::round_off;

constexpr int good_iterations = 5;
/// alpha is determined where rounding of the energy moves the step by less than 1/clearance of itself.
constexpr double clearance = 1e3;
/// Multiples of the estimated rounding: an energy defect that ends the iteration, and the largest one that is let pass.
constexpr double settled = 4;
constexpr double negligible = 100;

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::size_t index(Eigen::Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

ContactEnergy::ContactEnergy(const Run& run, const std::vector<double>& fractions)
    : run_(run),
      n_(static_cast<Eigen::Index>(run.dynamics.n)),
      r_(static_cast<Eigen::Index>(run.dynamics.r)),
      base_(n_ + r_ + 1),
      size_(base_ + 1 + r_),
      laws_(run.dynamics.laws) {
  const Dynamics& d = run.dynamics;
  for (const double fraction : fractions) {
    Part part;
    part.fraction = fraction;
    part.lu = Eigen::PartialPivLU<Eigen::MatrixXd>(size_);
    part.energy_row.resize(size_);
    parts_.push_back(std::move(part));
  }
  state_.resize(index(base_) + 2 + laws_);
  increments_.resize(index(base_) + 2 + laws_);
  last_state_.assign(run.state.begin(), run.state.end());
  for (auto* vector : {&u_, &residual_, &update_, &direction_, &correction_, &scaled_}) vector->setZero(size_);
  moved_.setZero(r_);
  for (auto* v : {&v_middle_, &v_end_}) v->resize(index(base_) + 1);
  for (auto* out : {&out_middle_, &out_end_}) out->resize(d.stage.outputs());
  for (auto* law : {&law_middle_, &law_end_}) law->resize(3);
  structure_.resize(d.energy.structure.outputs());
  jacobian_.resize(d.stage_jacobian.outputs());
  law_jacobian_.resize(d.energy.jacobian.outputs());
  balance_.resize(1 + 3 * laws_);
  work_.resize(std::max({d.stage.work_size(), d.stage_jacobian.work_size(), d.balance ? d.balance.work_size() : 0,
                         d.energy.energy.work_size(), d.energy.jacobian.work_size(), d.energy.structure.work_size()}));
}

Status ContactEnergy::start() {
  const Dynamics& d = run_.dynamics;
  for (std::size_t i = 0; i < last_state_.size(); ++i) state_.set(i, last_state_[i]);
  std::copy(last_state_.begin(), last_state_.end(), v_end_.begin());
  v_end_.back() = run_.t0;
  d.stage(v_end_.data(), run_.parameters.data(), out_end_.data(), work_.data());
  d.energy.energy(v_end_.data(), run_.parameters.data(), law_end_.data(), work_.data());
  if (!finite(out_end_) || !finite(law_end_)) {
    reason_ = "the momentum or the energy is not finite";
    return Status::not_finite;
  }
  for (std::size_t a = 0; a < d.r; ++a) state_.set(d.n + a, out_end_[d.n + a]);
  if (const Stop stop = singularity(d, run_.parameters, run_.t0, run_.state); stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  if (laws_ > 0) {
    d.balance(v_end_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k) state_.set(index(base_) + 1 + k, balance_[1 + 3 * k]);
  }
  state_.set(index(base_) + 1 + laws_, law_end_[0]);
  return Status::success;
}

Status ContactEnergy::step(double t, double h) {
  if (h != whole_) {
    whole_ = h;
    for (Part& part : parts_) {
      part.past.clear();
      part.factorised = false;
    }
  }
  before_ = state_;
  state_before_ = last_state_;
  double from = 0;
  for (Part& part : parts_) {
    h_ = part.fraction * h;
    const Status status = part_step(t + from * h, part);
    if (status != Status::success) {
      state_ = before_;
      last_state_ = state_before_;
      return status;
    }
    from += part.fraction;
  }
  return Status::success;
}

Status ContactEnergy::part_step(double t, Part& part) {
  predict(t, part);
  Status status = solve(t, part);
  if (status != Status::success && !part.past.empty()) {
    // An extrapolated guess can leave the region of convergence where the motion bends sharply.
    part.past.clear();
    part.factorised = false;
    predict(t, part);
    status = solve(t, part);
  }
  if (status == Status::success) status = finish(part);
  if (status != Status::success) {
    part.factorised = false;
    return reason_.empty() ? explain(status, t) : status;
  }
  if (part.past.size() == history_length) {
    std::rotate(part.past.begin(), part.past.end() - 1, part.past.end());
  } else {
    part.past.insert(part.past.begin(), Vector(size_ + 1));
  }
  part.past.front() << u_, alpha_;
  return Status::success;
}

/// Extrapolation through the last steps; without any, the rates at the start of the step.
void ContactEnergy::predict(double t, const Part& part) {
  static constexpr double weights[history_length][history_length] = {
      {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
  reason_.clear();
  if (part.past.empty()) {
    std::copy(last_state_.begin(), last_state_.end(), v_end_.begin());
    v_end_.back() = t;
    run_.dynamics.stage(v_end_.data(), run_.parameters.data(), out_end_.data(), work_.data());
    for (Eigen::Index i = 0; i < n_; ++i) u_(i) = h_ * out_end_[index(i)];
    for (Eigen::Index a = 0; a < r_; ++a) u_(n_ + a) = u_(base_ + 1 + a) = last_state_[index(n_ + a)];
    u_(n_ + r_) = h_ * out_end_[index(n_ + 2 * r_)];
    u_(base_) = std::max(-0.5, -h_ * out_end_[index(n_ + 2 * r_) + 1]);
    alpha_ = 0;
    return;
  }
  const double* weight = weights[part.past.size() - 1];
  u_ = weight[0] * part.past[0].head(size_);
  alpha_ = weight[0] * part.past[0](size_);
  for (std::size_t back = 1; back < part.past.size(); ++back) {
    u_ += weight[back] * part.past[back].head(size_);
    alpha_ += weight[back] * part.past[back](size_);
  }
}

/// The middle and the end of the step as v = (x, w, z, t).
void ContactEnergy::load_points(double t) {
  for (Eigen::Index i = 0; i < base_; ++i) {
    const std::size_t k = index(i);
    const bool velocity = i >= n_ && i < n_ + r_;
    v_middle_[k] = velocity ? u_(i) : state_[k] + u_(i) / 2;
    v_end_[k] = velocity ? u_(base_ + 1 + i - n_) : state_[k] + u_(i);
  }
  v_middle_.back() = t + h_ / 2;
  v_end_.back() = t + h_;
}

bool ContactEnergy::evaluate(double t) {
  const Dynamics& d = run_.dynamics;
  const double* parameters = run_.parameters.data();
  load_points(t);
  d.stage(v_middle_.data(), parameters, out_middle_.data(), work_.data());
  d.stage(v_end_.data(), parameters, out_end_.data(), work_.data());
  d.energy.energy(v_middle_.data(), parameters, law_middle_.data(), work_.data());
  d.energy.energy(v_end_.data(), parameters, law_end_.data(), work_.data());
  d.energy.structure(v_middle_.data(), parameters, structure_.data(), work_.data());
  fill_residual();
  return residual_.allFinite() && std::isfinite(energy_defect_);
}

void ContactEnergy::fill_residual() {
  const double R = middle_factor();
  const double* o = middle();
  const auto p0 = Eigen::Map<const Vector>(state_.data() + n_, r_);
  const Eigen::Map<const Vector> p(o + n_, r_);
  const Eigen::Map<const Vector> f(o + n_ + r_, r_);
  moved_.noalias() = 2 * R * p;
  moved_ -= 2 * p0;
  using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  const Rows rho(structure_.data(), n_, r_);
  const Rows sigma(structure_.data() + n_ * r_, n_, r_);
  const Rows bracket(structure_.data() + 2 * n_ * r_, r_, r_);
  const auto& uses = run_.dynamics.energy.uses;
  correction_.setZero();
  correction_.head(n_).noalias() = sigma * moved_;
  correction_.segment(n_, r_).noalias() = -R * (bracket * moved_);
  for (Eigen::Index i = 0; i < n_; ++i)
    if (uses[index(i)]) correction_.segment(n_, r_) -= R * R * u_(i) * rho.row(i).transpose();
  correction_(n_ + r_) = -rho_R();
  if (uses.back()) correction_(base_) = R * R * u_(n_ + r_);

  residual_.head(n_) = u_.head(n_) - h_ * Eigen::Map<const Vector>(o, n_);
  residual_.segment(n_, r_) = moved_ - h_ * R * f;
  residual_(n_ + r_) = u_(n_ + r_) - h_ * o[n_ + 2 * r_];
  residual_(base_) = rho_R() + h_ * R * o[n_ + 2 * r_ + 1];
  residual_.tail(r_) = (1 + rho_R()) * Eigen::Map<const Vector>(out_end_.data() + n_, r_) - p0 - moved_;
  residual_ -= h_ * alpha_ * correction_;
  energy_defect_ = (1 + rho_R()) * law_end_[0] - state_[index(base_) + 1 + laws_] - h_ * R * law_middle_[1];
}

/// d residual/d unknowns at alpha = 0: what alpha adds is O(h^2), and the iteration sees it.
bool ContactEnergy::factorise(Part& part) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size_, size_);
  matrix.topLeftCorner(n_, n_).setIdentity();
  matrix(n_ + r_, n_ + r_) = 1;
  matrix(base_, base_) = 1;
  add_middle(matrix);
  add_end(matrix);
  add_energy(part.energy_row);
  if (!matrix.allFinite() || !part.energy_row.allFinite()) return false;
  part.lu.compute(matrix);
  part.factorised = true;
  return true;
}

void ContactEnergy::add_middle(Eigen::MatrixXd& matrix) {
  const Dynamics& d = run_.dynamics;
  const double R = middle_factor();
  const double* o = middle();
  const Eigen::Index z = n_ + r_;
  d.stage_jacobian(v_middle_.data(), run_.parameters.data(), jacobian_.data(), work_.data());
  for (std::size_t e = 0; e < jacobian_.size(); ++e) {
    const auto row = static_cast<Eigen::Index>(d.stage_pattern.row[e]);
    const auto col = static_cast<Eigen::Index>(d.stage_pattern.col[e]);
    const double value = (col < n_ || col == z ? 0.5 : 1.0) * jacobian_[e];
    if (row < n_) {
      matrix(row, col) -= h_ * value;
    } else if (row < z) {
      matrix(row, col) += 2 * R * value;
      matrix(base_ + 1 + row - n_, col) -= 2 * R * value;
    } else if (row < z + r_) {
      matrix(row - r_, col) -= h_ * R * value;
    } else if (row == z + r_) {
      matrix(z, col) -= h_ * value;
    } else {
      matrix(base_, col) += h_ * R * value;
    }
  }
  for (Eigen::Index a = 0; a < r_; ++a) {
    matrix(n_ + a, base_) += o[n_ + a] - h_ * o[n_ + r_ + a] / 2;
    matrix(base_ + 1 + a, base_) += out_end_[index(n_ + a)] - o[n_ + a];
  }
  matrix(base_, base_) += h_ * o[z + r_ + 1] / 2;
}

void ContactEnergy::add_end(Eigen::MatrixXd& matrix) {
  const Dynamics& d = run_.dynamics;
  d.stage_jacobian(v_end_.data(), run_.parameters.data(), jacobian_.data(), work_.data());
  for (std::size_t e = 0; e < jacobian_.size(); ++e) {
    const auto row = static_cast<Eigen::Index>(d.stage_pattern.row[e]);
    if (row < n_ || row >= n_ + r_) continue;
    const auto col = static_cast<Eigen::Index>(d.stage_pattern.col[e]);
    const bool velocity = col >= n_ && col < n_ + r_;
    matrix(base_ + 1 + row - n_, velocity ? base_ + 1 + col - n_ : col) += (1 + rho_R()) * jacobian_[e];
  }
}

void ContactEnergy::add_energy(Vector& row) {
  const EnergyMap& map = run_.dynamics.energy;
  row.setZero();
  row(base_) = law_end_[0] - h_ * law_middle_[1] / 2;
  for (const bool end : {true, false}) {
    map.jacobian((end ? v_end_ : v_middle_).data(), run_.parameters.data(), law_jacobian_.data(), work_.data());
    for (std::size_t e = 0; e < law_jacobian_.size(); ++e) {
      if ((map.pattern.row[e] == 0) != end) continue;
      const auto col = static_cast<Eigen::Index>(map.pattern.col[e]);
      const bool velocity = col >= n_ && col < n_ + r_;
      if (end) {
        row(velocity ? base_ + 1 + col - n_ : col) += (1 + rho_R()) * law_jacobian_[e];
      } else {
        row(col) -= h_ * middle_factor() * (velocity ? 1.0 : 0.5) * law_jacobian_[e];
      }
    }
  }
}

/// What rounding of the energy and of the coordinates leaves of the energy law.
double ContactEnergy::energy_rounding(const Part& part) const {
  double size = (1 + rho_R()) * law_end_[2] + std::abs(state_[index(base_) + 1 + laws_]);
  for (Eigen::Index i = 0; i < base_; ++i) {
    const bool velocity = i >= n_ && i < n_ + r_;
    size += std::abs(part.energy_row(velocity ? base_ + 1 + i - n_ : i) * v_end_[index(i)]);
  }
  return epsilon * size;
}

/// One Newton step of the bordered system: the unknowns by the linear system, alpha by the energy. False where that is
/// not finite.
bool ContactEnergy::correct(const Part& part, bool moves_alpha) {
  update_ = part.lu.solve(residual_);
  if (moves_alpha) {
    scaled_.noalias() = -h_ * correction_;
    direction_ = part.lu.solve(scaled_);
    const double rate = part.energy_row.dot(direction_);
    double change = -alpha_;
    if (std::abs(rate) > clearance * std::abs(h_) * energy_rounding(part))
      change = (energy_defect_ - part.energy_row.dot(update_)) / rate;
    update_ += change * direction_;
    alpha_ += change;
  }
  return update_.allFinite() && std::isfinite(alpha_);
}

/// Largest entry of x, of w, of z and of R.
std::array<double, 4> ContactEnergy::group_sizes(const Vector& entries) const {
  const auto largest = [](const auto& part) { return part.size() == 0 ? 0.0 : part.cwiseAbs().maxCoeff(); };
  return {largest(entries.head(n_)), std::max(largest(entries.segment(n_, r_)), largest(entries.tail(r_))),
          std::abs(entries(n_ + r_)), std::abs(entries(base_))};
}

/// Sizes by which updates are measured.
void ContactEnergy::measure() {
  std::array<double, 4> size = group_sizes(u_);
  for (Eigen::Index i = 0; i < n_; ++i) size[0] = std::max(size[0], std::abs(state_[index(i)]));
  size[2] = std::max(size[2], std::abs(state_[index(n_ + r_)]));
  const double least = 1e-6 * std::max({size[0], size[1], size[2], 1e-290});
  for (std::size_t g = 0; g < 3; ++g) inverse_size_[g] = 1 / std::max(size[g], least);
  inverse_size_[3] = 1;
}

double ContactEnergy::update_size() const {
  const std::array<double, 4> size = group_sizes(update_);
  double largest = 0;
  for (std::size_t g = 0; g < size.size(); ++g) largest = std::max(largest, size[g] * inverse_size_[g]);
  return largest;
}

/// Simplified Newton iteration until the kernels have been evaluated at a solution correct to round-off.
Status ContactEnergy::solve(double t, Part& part) {
  double previous = std::numeric_limits<double>::infinity();
  int since_factorised = 0;
  bool fresh = false;
  bool last = false;
  const auto accept = [&] {
    if (since_factorised > good_iterations) part.factorised = false;
    return Status::success;
  };
  const auto settles = [&] { return std::abs(energy_defect_) <= settled * energy_rounding(part); };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!evaluate(t)) return Status::not_finite;
    if (iteration == 0) measure();
    if (last && settles()) return accept();
    if (!part.factorised) {
      if (!factorise(part)) return Status::not_finite;
      fresh = true;
    }
    // Without history the first guess says little about u1 - u0.
    if (!correct(part, iteration > 0 || !part.past.empty())) break;
    ++iterations_;
    ++since_factorised;
    const double size = update_size();
    last_update_ = size;
    if (size <= converged && iteration > 0 && (fresh || settles())) return accept();
    if (size >= previous) {
      if (previous <= round_off && (fresh || settles())) return accept();
      if (fresh && since_factorised > 4 && size > 2 * previous) break;
      part.factorised = false;
      since_factorised = 0;
    }
    u_ -= update_;
    last = iteration > 0 && size * (size / previous) <= 0.5 * epsilon;
    previous = size;
  }
  part.factorised = false;
  return Status::not_converged;
}

/// x1, p1, z1, R1 and the budgets by the right-hand sides, whose rounding is that of the increments.
Status ContactEnergy::finish(const Part& part) {
  const Dynamics& d = run_.dynamics;
  const double R_middle = middle_factor();
  const double R_end = 1 + rho_R();
  if (!(R_middle > 0) || !(R_end > 0)) return refuse_factor(middle()[n_ + 2 * r_ + 1]);
  if (!(std::abs(energy_defect_) <= negligible * energy_rounding(part))) {
    reason_ =
        fmt::format("no correction of a step of {:.3g} restores the energy law (defect {:.2g}); take a smaller step",
                    std::abs(h_), energy_defect_);
    return Status::not_converged;
  }
  const double* o = middle();
  const auto by_alpha = [this](Eigen::Index i) { return alpha_ * correction_(i); };
  const double one_minus_R = h_ * (R_middle * o[n_ + 2 * r_ + 1] - by_alpha(base_));
  const auto discounted = [&](std::size_t at, double gain) { return (h_ * gain + state_[at] * one_minus_R) / R_end; };
  for (Eigen::Index i = 0; i < n_; ++i) increments_[index(i)] = h_ * (o[i] + by_alpha(i));
  for (Eigen::Index a = n_; a < n_ + r_; ++a)
    increments_[index(a)] = discounted(index(a), R_middle * o[r_ + a] + by_alpha(a));
  increments_[index(n_ + r_)] = h_ * (o[n_ + 2 * r_] + by_alpha(n_ + r_));
  increments_[index(base_)] = std::log1p(-one_minus_R);
  const std::size_t first = index(base_) + 1;
  if (laws_ > 0) {
    d.balance(v_middle_.data(), run_.parameters.data(), balance_.data(), work_.data());
    for (std::size_t k = 0; k < laws_; ++k)
      increments_[first + k] = discounted(first + k, R_middle * balance_[3 + 3 * k]);
  }
  increments_[first + laws_] = discounted(first + laws_, R_middle * law_middle_[1]);
  if (!finite(increments_)) return Status::not_finite;
  for (std::size_t k = 0; k < increments_.size(); ++k) state_.add(k, increments_[k]);
  for (Eigen::Index i = 0; i < base_; ++i) {
    const bool velocity = i >= n_ && i < n_ + r_;
    last_state_[index(i)] = velocity ? u_(base_ + 1 + i - n_) : state_[index(i)];
  }
  return Status::success;
}

Status ContactEnergy::sample(double t, Sample& sample) {
  sample.t = t;
  std::copy(last_state_.begin(), last_state_.end(), sample.state.begin());
  sample.log_factor = state_[index(base_)];
  for (std::size_t k = 0; k < laws_; ++k) sample.budget[k] = state_[index(base_) + 1 + k];
  return Status::success;
}

void ContactEnergy::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const ContactEnergy&>(other);
  state_ = leader.state_;
  last_state_ = leader.last_state_;
  whole_ = 0;
}

Status ContactEnergy::refuse_factor(double rate) {
  reason_ = fmt::format(
      "the step {:.3g} is too large for the dissipation: the integrating factor of one step is not positive; take a "
      "step "
      "below {:.2g}",
      std::abs(whole_), std::abs(whole_ / (h_ * rate)));
  return Status::not_converged;
}

Status ContactEnergy::explain(Status status, double t) {
  if (status == Status::not_finite) {
    reason_ = "the equations of motion are not finite in the step";
    return status;
  }
  std::copy(last_state_.begin(), last_state_.end(), v_end_.begin());
  v_end_.back() = t;
  const Stop stop = singularity(run_.dynamics, run_.parameters, t, last_state_);
  if (stop.status != Status::success) {
    reason_ = stop.reason + " in the step";
    return stop.status;
  }
  run_.dynamics.stage(v_end_.data(), run_.parameters.data(), out_end_.data(), work_.data());
  if (const double rate = out_end_.back(); std::abs(h_ * rate) > 1) return refuse_factor(rate);
  reason_ = fmt::format(
      "Newton's method did not converge in a step of {:.3g} (last relative update {:.2g}); take a smaller step",
      std::abs(h_), last_update_);
  return status;
}

namespace {

Outcome run_contact_energy(const Run& run, const std::vector<double>& fractions) {
  if (!run.dynamics.stage || !run.dynamics.stage_jacobian || !run.dynamics.energy) {
    throw std::invalid_argument(
        "contact energy methods need the stage kernel with its Jacobian and the energy kernels; the dynamics lacks "
        "them");
  }
  ContactEnergy stepper(run, fractions);
  return follow_fixed(run, stepper);
}

MethodInfo contact_energy_info(int order, std::string summary) {
  return {.name = fmt::format("contact-energy-{}", order),
          .order = order,
          .adaptive = false,
          .algebroids = {"any"},
          .constraints = {},
          .preserves = {"the energy balance law to round-off: lambda E is constant where its source is zero",
                        "dissipated momenta of cyclic coordinates on tangent bundles without forces",
                        "quadratic Casimirs of lambda p on Lie algebras without forces"},
          .summary = std::move(summary),
          .needs = Ingredient::energy};
}

}  // namespace

Method contact_energy_2_method() {
  return {contact_energy_info(2, "discrete gradient of the homogeneous lift, fixed step, order 2"),
          [](const Run& run) { return run_contact_energy(run, {1}); }};
}

Method contact_energy_4_method() {
  return {contact_energy_info(4, "symmetric composition of five steps of contact-energy-2, fixed step, order 4"),
          [](const Run& run) {
            const double part = 1 / (4 - std::cbrt(4.0));  // M. Suzuki, Phys. Lett. A 146 (1990)
            return run_contact_energy(run, {part, part, 1 - 4 * part, part, part});
          }};
}

}  // namespace herglotz::integrate
