#include "groupoid/extrapolated_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

ExtrapolatedFlow::ExtrapolatedFlow(const kernel::Kernel& generators, std::size_t n, std::size_t r,
                                   std::span<const double> parameters)
    : generators_(&generators), parameters_(parameters), n_(n), r_(r) {
  rho_.resize(n * r);
  work_.resize(generators.work_size());
  psi_.resize(r);
  for (auto* vector : {&x_, &field_}) vector->resize(n);
  for (auto* vector : {&point_, &moved_, &previous_, &current_, &next_, &piece_}) vector->resize(n);
  table_.resize(n * columns);
}
ExtrapolatedFlow::ExtrapolatedFlow(const ExtrapolatedFlow&) = default;
ExtrapolatedFlow::ExtrapolatedFlow(ExtrapolatedFlow&&) noexcept = default;
ExtrapolatedFlow& ExtrapolatedFlow::operator=(const ExtrapolatedFlow&) = default;
ExtrapolatedFlow& ExtrapolatedFlow::operator=(ExtrapolatedFlow&&) noexcept = default;
ExtrapolatedFlow::~ExtrapolatedFlow() = default;

bool ExtrapolatedFlow::displace(const double* x, const double* rest, const double* psi, double* displacement,
                                double* rounded) {
  std::copy_n(psi, r_, psi_.begin());
  for (std::size_t i = 0; i < n_; ++i) point_[i] = static_cast<long double>(x[i]) + rest[i];
  if (!move()) return false;
  bool finite = true;
  for (std::size_t i = 0; i < n_; ++i) {
    displacement[i] = static_cast<double>(moved_[i]);
    rounded[i] = static_cast<double>(moved_[i] - displacement[i]);
    finite = finite && std::isfinite(displacement[i]);
  }
  return finite;
}

bool ExtrapolatedFlow::move() {
  for (int pieces = 1; pieces <= 64; pieces *= 2) {
    std::fill(moved_.begin(), moved_.end(), 0.0L);
    int k = 0;
    while (k < pieces && extrapolate(1.0 / pieces)) {
      for (std::size_t i = 0; i < n_; ++i) moved_[i] += piece_[i];
      ++k;
    }
    if (k == pieces) return true;
  }
  return false;
}

/// Computes field = rho psi at point + moved + displacement.
void ExtrapolatedFlow::take_field(const std::vector<long double>& displacement) {
  for (std::size_t i = 0; i < n_; ++i) x_[i] = static_cast<double>(point_[i] + moved_[i] + displacement[i]);
  (*generators_)(x_.data(), parameters_.data(), rho_.data(), work_.data());
  for (std::size_t i = 0; i < n_; ++i) {
    field_[i] = 0;
    for (std::size_t a = 0; a < r_; ++a) field_[i] += rho_[i * r_ + a] * psi_[a];
  }
}

/// Computes the displacement of the next piece. Returns false if it is not finite or does not reach round-off.
bool ExtrapolatedFlow::extrapolate(double fraction) {
  const auto largest = [this](auto entry) {
    long double size = 0;
    for (std::size_t i = 0; i < n_; ++i) size = std::max(size, std::abs(entry(i)));
    return size;
  };
  long double previous_change = std::numeric_limits<long double>::infinity();
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t steps = 2 * (column + 1);
    const long double h = static_cast<long double>(fraction) / static_cast<long double>(steps);
    std::fill(previous_.begin(), previous_.end(), 0.0L);
    take_field(previous_);
    for (std::size_t i = 0; i < n_; ++i) current_[i] = h * field_[i];
    for (std::size_t k = 1; k < steps; ++k) {
      take_field(current_);
      for (std::size_t i = 0; i < n_; ++i) next_[i] = previous_[i] + 2 * h * field_[i];
      previous_.swap(current_);
      current_.swap(next_);
    }
    for (std::size_t k = 1; k <= column; ++k) {
      const long double ratio = static_cast<long double>(steps) / static_cast<long double>(steps - 2 * k);
      for (std::size_t i = 0; i < n_; ++i) {
        long double& entry = table_[(k - 1) * n_ + i];
        const long double change = (current_[i] - entry) / (ratio * ratio - 1);
        entry = current_[i];
        current_[i] += change;
      }
    }
    std::copy(current_.begin(), current_.end(), table_.begin() + static_cast<std::ptrdiff_t>(column * n_));
    if (!std::all_of(current_.begin(), current_.end(), [](long double x) { return std::isfinite(x); })) return false;
    const long double size = largest([this](std::size_t i) { return current_[i]; });
    const long double change = column == 0 ? size : largest([this](std::size_t i) { return current_[i] - piece_[i]; });
    piece_ = current_;
    // The error of this column is the error of the column before times another power of the step.
    if (size == 0 || (column > 1 && change <= 16 * epsilon * size)) return true;
    // If terms of the field cancel, the round-off of the field is the round-off of the point.
    const long double whole = std::max(size, largest([this](std::size_t i) { return point_[i] + moved_[i]; }));
    if (change >= previous_change && change <= 16 * epsilon * whole) return true;
    previous_change = change;
  }
  return false;
}

LaneFlows::LaneFlows() = default;
LaneFlows::LaneFlows(const LaneFlows&) = default;
LaneFlows& LaneFlows::operator=(const LaneFlows&) = default;
LaneFlows::~LaneFlows() = default;

void LaneFlows::set(std::size_t lane, std::size_t width, const ExtrapolatedFlow& flow) {
  flows_.resize(width, flow);
  flows_[lane] = flow;
}

bool LaneFlows::empty() const {
  return flows_.empty();
}

ExtrapolatedFlow& LaneFlows::operator[](std::size_t lane) {
  return flows_[lane];
}

}  // namespace herglotz::integrate
