#include "groupoid/arrow_step.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::integrate {
namespace {

/// Least 1 + D_z0 ell and 1 - D_z1 ell of a step. A step with less is not a step of a dissipative motion any more.
constexpr double least_factor = 1e-3;

double largest(const double* numbers, std::size_t count) {
  double size = 0;
  for (std::size_t k = 0; k < count; ++k) size = std::max(size, std::abs(numbers[k]));
  return size;
}

}  // namespace

/// The equations of a step, for Newton's iteration.
struct ArrowStep::Equations : NewtonDefaults<double> {
  explicit Equations(ArrowStep& of) : step(of) {}
  ArrowStep& step;

  bool evaluate(bool) { return step.evaluate(); }
  bool linearise(bool) {
    step.linearise();
    step.regular_ = step.matrix_.compute_regular();
    return finite_numbers(step.entries_.data(), step.entries_.size());
  }
  bool solve(bool) {
    step.matrix_.solve(step.residual_.data(), step.update_.data());
    return finite_numbers(step.update_.data(), step.update_.size());
  }
  [[nodiscard]] double update_size() const { return step.update_size(); }
  std::vector<double>& unknowns() { return step.unknowns_; }
  [[nodiscard]] const double* update() const { return step.update_.data(); }
  [[nodiscard]] std::size_t count() const { return step.update_.size(); }
};

ArrowStep::ArrowStep(const Dynamics& dynamics, const double* parameters)
    : map_(&dynamics.discrete),
      parameters_(parameters),
      n_(dynamics.n),
      r_(dynamics.r),
      D_z0_(1 + 3 * dynamics.r),
      action_(dynamics.groupoid, n_, r_, parameters),
      retraction_(RetractionKind::exponential, r_),
      newton_({.settling_of_fresh = 9, .last_update = NewtonRules::no_forecast}) {
  variables_.resize(map_->ell.variables());
  rest_.resize(n_);
  for (auto* vector : {&mu0_, &turned_, &dmu_, &xi_}) vector->resize(r_);
  for (auto* vector : {&unknowns_, &residual_, &update_}) vector->resize(r_ + 1);
  out_.resize(map_->ell.outputs());
  entries_.resize(map_->jacobian.outputs());
  work_.resize(std::max(map_->ell.work_size(), map_->jacobian.work_size()));
  slopes_.resize(out_.size(), n_ + r_ + 1);
  transport_.resize(n_, r_);
  inverse_.resize(r_, r_);
  change_.resize(r_, r_);
  for (std::size_t a = 0; a < r_; ++a) inverse_(a, a) = 1;
  system_.resize(r_);
  matrix_.resize(r_ + 1);
  past_.resize(r_ + 1);
}

bool ArrowStep::operator()(const CompensatedVector& state, double t, double h) {
  double& size = variables_.back();
  if (size != h) forget();
  size = h;
  for (std::size_t i = 0; i < n_; ++i) {
    variables_[i] = state[i];
    rest_[i] = state.rest(i);
  }
  for (std::size_t a = 0; a < r_; ++a) mu0_[a] = state[n_ + a];
  variables_[2 * n_ + r_] = state[n_ + r_];
  variables_[2 * n_ + r_ + 2] = t;
  const bool remembered = past_.more_than(0);
  if (remembered) {
    past_.extrapolate(unknowns_);
    unknowns_[r_] += state[n_ + r_];
    if (!solve()) forget();
  }
  if (!past_.more_than(0)) {
    for (std::size_t a = 0; a < r_; ++a) unknowns_[a] = h * xi_[a];
    unknowns_[r_] = state[n_ + r_];
    if (!solve()) return false;
  }
  if (!(growth() > least_factor && loss() > least_factor)) {
    failure_ = Failure::factor;
    return false;
  }
  if (!action_.displace(variables_.data(), rest_.data(), retraction_.logarithm(), true)) {
    failure_ = Failure::lost;
    return false;
  }
  find_momentum();
  if (!finite_numbers(dmu_.data(), r_)) {
    failure_ = Failure::not_finite;
    return false;
  }
  for (std::size_t a = 0; a < r_; ++a) xi_[a] = unknowns_[a] / h;
  unknowns_[r_] = dz();
  past_.remember(unknowns_);
  return true;
}

/// Iterates from the unknowns. Returns whether the outputs have been computed at a solution correct to round-off.
bool ArrowStep::solve() {
  failure_ = Failure::none;
  Equations equations(*this);
  bool factorised = false;
  const bool solved = newton_(equations, true, factorised, true);
  if (solved && regular_) return true;
  if (failure_ == Failure::none) failure_ = regular_ ? Failure::not_converged : Failure::singular;
  return false;
}

bool ArrowStep::evaluate() {
  if (!retraction_.at(unknowns_.data())) {
    failure_ = Failure::turned;
    return false;
  }
  if (!action_.displace(variables_.data(), rest_.data(), retraction_.logarithm(), false)) {
    failure_ = Failure::lost;
    return false;
  }
  for (std::size_t i = 0; i < n_; ++i) variables_[n_ + i] = variables_[i] + action_.displacement()[i];
  for (std::size_t a = 0; a < r_; ++a) variables_[2 * n_ + a] = unknowns_[a];
  variables_[2 * n_ + r_ + 1] = unknowns_[r_];
  map_->ell(variables_.data(), parameters_, out_.data(), work_.data());
  multiply_transposed(retraction_.inverse_differential(), by_eta(), residual_.data());
  for (std::size_t a = 0; a < r_; ++a) residual_[a] -= pull0(a) + growth() * mu0_[a];
  residual_[r_] = unknowns_[r_] - variables_[2 * n_ + r_] - dz();
  if (finite_numbers(out_.data(), out_.size()) && finite_numbers(residual_.data(), residual_.size())) return true;
  failure_ = Failure::not_finite;
  return false;
}

/// Writes d residual/d(eta, z1). The dependence of x1 on eta is exact, that of D is without terms of third order.
void ArrowStep::linearise() {
  map_->jacobian(variables_.data(), parameters_, entries_.data(), work_.data());
  slopes_.fill(0);
  for (std::size_t e = 0; e < entries_.size(); ++e) slopes_(map_->pattern.row[e], map_->pattern.col[e]) = entries_[e];
  const SmallMatrix<double>& rho = action_.generators(variables_.data() + n_);
  const SmallMatrix<double>& D = retraction_.inverse_differential();
  const bool trivial = retraction_.trivial();
  if (!trivial) {
    for (std::size_t a = 0; a < r_; ++a)
      for (std::size_t b = 0; b < r_; ++b) system_.at(a, b) = D(a, b) + retraction_.ad()(a, b);
    system_.invert(inverse_);
  }
  multiply(rho, inverse_, transport_);
  change_.fill(0);
  if (!trivial) retraction_.differentiate(by_eta(), change_);
  const std::size_t by_z = n_ + r_;
  for (std::size_t b = 0; b <= r_; ++b) {
    // The derivative of an output by eta^b, through x1 too, or by z1.
    const auto slope = [&](std::size_t row) {
      if (b == r_) return slopes_(row, by_z);
      double sum = slopes_(row, n_ + b);
      for (std::size_t i = 0; i < n_; ++i) sum += slopes_(row, i) * transport_(i, b);
      return sum;
    };
    for (std::size_t c = 0; c < r_; ++c) turned_[c] = slope(1 + c);
    for (std::size_t a = 0; a < r_; ++a) {
      double sum = (b < r_ ? change_(a, b) : 0) - slope(1 + r_ + a) - mu0_[a] * slope(D_z0_);
      for (std::size_t c = 0; c < r_; ++c) sum += D(c, a) * turned_[c];
      matrix_.at(a, b) = sum;
    }
    matrix_.at(r_, b) = (b < r_ ? 0 : 1) - slope(0);
  }
}

/// Returns the largest update of eta and of z1, each relative to the size of its unknowns. Near rest updates are
/// round-off of other terms, which bound the sizes from below in the units of what they bound: x bounds eta, and the
/// action of the momentum over eta bounds z1.
double ArrowStep::update_size() const {
  constexpr double share = 1e-6;
  constexpr double least = 1e-290;
  double action = 0;
  for (std::size_t a = 0; a < r_; ++a) action += std::abs(mu0_[a] * unknowns_[a]);
  const double z = std::max({std::abs(unknowns_[r_]), std::abs(dz()), share * action, least});
  const double eta = std::max({largest(unknowns_.data(), r_), share * largest(variables_.data(), n_), least});
  return std::max(largest(update_.data(), r_) / eta, std::abs(update_[r_]) / z);
}

void ArrowStep::find_momentum() {
  std::fill(turned_.begin(), turned_.end(), 0.0);
  if (!retraction_.trivial()) multiply_transposed(retraction_.ad(), by_eta(), turned_.data());
  const double change = out_[D_z0_] + out_[D_z0_ + 1];
  for (std::size_t a = 0; a < r_; ++a) dmu_[a] = (pull0(a) + pull1(a) + turned_[a] + change * mu0_[a]) / loss();
}

}  // namespace herglotz::integrate
