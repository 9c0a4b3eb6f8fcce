#include "implicit_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_iterations = 40;
constexpr double converged = 4 * std::numeric_limits<double>::epsilon();
/// Relative change below which changes that no longer fall are round-off.
constexpr double round_off = 1e-9;
constexpr double diverged = 1e8;
/// A matrix with which a change falls by less is factorised again.
constexpr double slow = 0.1;

/// Largest change relative to the sizes of the unknowns, which `scale` has per entry of u.
double relative(const VectorXd& change, const VectorXd& scale) {
  double largest = 0;
  for (Index k = 0; k < change.size(); ++k) largest = std::max(largest, std::abs(change[k]) / scale[k % scale.size()]);
  return largest;
}

/// Returns whether the last change, after one of size `last`, leaves nothing but round-off.
bool is_solved(double size, double last) {
  return size <= converged || (size <= round_off && size >= 0.5 * last);
}

}  // namespace

ImplicitStages::ImplicitStages(ImplicitForm form, ImplicitTableau tableau)
    : form_(std::move(form)),
      tableau_(std::move(tableau)),
      size_(static_cast<Index>(form_.of_second_table.size())),
      places_(tableau_.c.size()),
      end_shift_(VectorXd::Zero(size_)),
      residual_(size_ * static_cast<Index>(places_.size())),
      point_(form_.of_second_table.size() + 1),
      values_(form_.kernel.outputs()),
      work_(form_.kernel.work_size()) {}

Weight ImplicitStages::weight(double node, double s) const {
  Weight weight;
  const auto multiply = [&](double other) {
    const double factor = (s - other) / (node - other);
    weight.slope = weight.slope * factor + weight.value / (node - other);
    weight.value *= factor;
  };
  if (node != 0) multiply(0);
  for (const double other : tableau_.c)
    if (other != node) multiply(other);
  return weight;
}

void ImplicitStages::restart() {
  shift_.resize(0);
  end_shift_.setZero();
}

void ImplicitStages::begin(std::span<const double> y, std::vector<double> theta) {
  theta_ = std::move(theta);
  start_.u.resize(size_);
  std::copy(y.begin(), y.end(), start_.u.data());
  std::copy(form_.start.begin(), form_.start.end(), start_.u.data() + y.size());
}

bool ImplicitStages::evaluate(double t, Place& place) {
  std::copy_n(place.u.data(), size_, point_.begin());
  point_.back() = t;
  form_.kernel(point_.data(), theta_.data(), values_.data(), work_.data());
  place.m = Eigen::Map<const VectorXd>(values_.data(), size_);
  place.g = Eigen::Map<const VectorXd>(values_.data() + size_, size_);
  place.slopes.setZero(2 * size_, size_ + static_cast<Index>(theta_.size()) + 1);
  for (std::size_t k = 0; k < form_.row.size(); ++k)
    place.slopes(static_cast<Index>(form_.row[k]), static_cast<Index>(form_.col[k])) =
        values_[static_cast<std::size_t>(2 * size_) + k];
  return finite(values_);
}

bool ImplicitStages::solve(double t, double h) {
  if (!evaluate(t, start_)) return false;
  const bool followed = shift_.size() > 0;
  if (!(followed && iterate(t, h, true)) && !iterate(t, h, false)) {
    shift_.resize(0);
    return false;
  }
  shift_.resize(residual_.size());
  for (std::size_t i = 0; i < count(); ++i) shift_.segment(at(i), size_) = places_[i].u - start_.u;
  return true;
}

/// Newton's iteration for the stages, from the start, moved as those of the last step were if `moved`. A matrix is kept
/// as long as changes fall quickly.
bool ImplicitStages::iterate(double t, double h, bool moved) {
  scale_ = start_.u.cwiseAbs();
  for (std::size_t i = 0; i < count(); ++i) {
    places_[i].u = start_.u;
    if (moved) places_[i].u += shift_.segment(at(i), size_);
    scale_ = scale_.cwiseMax(places_[i].u.cwiseAbs());
  }
  floor_scale();
  double last = std::numeric_limits<double>::infinity();
  bool factorised = false;
  for (int round = 0; round < most_iterations; ++round) {
    for (std::size_t i = 0; i < count(); ++i)
      if (!evaluate(t + tableau_.c[i] * h, places_[i])) return false;
    for (std::size_t i = 0; i < count(); ++i) {
      auto own = residual_.segment(at(i), size_);
      own = places_[i].m - start_.m;
      for (std::size_t j = 0; j < count(); ++j)
        for (Index k = 0; k < size_; ++k) own[k] -= h * entry(i, j, k) * places_[j].g[k];
    }
    if (!factorised) factorise(h);
    change_ = lu_.solve(residual_);
    if (round == 0 && is_zero()) {
      for (std::size_t i = 0; i < count(); ++i)
        scale_ = scale_.cwiseMax((places_[i].u - change_.segment(at(i), size_)).cwiseAbs());
      floor_scale();
    }
    const double size = relative(change_, scale_);
    if (!(size < diverged)) return false;
    if (is_solved(size, last)) return true;
    factorised = size <= slow * last;
    last = size;
    for (std::size_t i = 0; i < count(); ++i) places_[i].u -= change_.segment(at(i), size_);
  }
  return false;
}

/// Measures small entries of the state by a share of the largest one: entries of u behind the state are of another
/// size.
void ImplicitStages::floor_scale() {
  constexpr double share = 1e-3;
  const double least = share * scale_.head(states()).maxCoeff() + std::numeric_limits<double>::min();
  scale_.head(states()) = scale_.head(states()).cwiseMax(least);
}

bool ImplicitStages::is_zero() const {
  return scale_.head(states()).maxCoeff() <= std::numeric_limits<double>::min();
}

void ImplicitStages::factorise(double h) {
  matrix_.resize(residual_.size(), residual_.size());
  for (std::size_t i = 0; i < count(); ++i)
    for (std::size_t j = 0; j < count(); ++j) {
      auto block = matrix_.block(at(i), at(j), size_, size_);
      for (Index k = 0; k < size_; ++k)
        block.row(k) = -h * entry(i, j, k) * places_[j].slopes.row(size_ + k).head(size_);
      if (i == j) block += places_[i].slopes.topLeftCorner(size_, size_);
    }
  lu_.compute(matrix_);
}

bool ImplicitStages::take(double t, double h, std::span<const double> stages) {
  bool all = evaluate(t, start_);
  for (std::size_t i = 0; i < count(); ++i) {
    places_[i].u = Eigen::Map<const VectorXd>(stages.data() + at(i), size_);
    all = evaluate(t + tableau_.c[i] * h, places_[i]) && all;
  }
  return all;
}

bool ImplicitStages::find_end(double from, double h, Place& end) {
  VectorXd to = start_.m;
  for (std::size_t j = 0; j < count(); ++j) to += h * tableau_.b[j] * places_[j].g;
  end.u = start_.u + end_shift_;
  if (!approach_end(from + h, to, end)) {
    end.u = places_.back().u;
    if (!approach_end(from + h, to, end)) return false;
  }
  end_shift_ = end.u - start_.u;
  return true;
}

/// Newton's iteration for m(u, t) = `to` from the u of `end`.
bool ImplicitStages::approach_end(double t, const VectorXd& to, Place& end) {
  scale_ = end.u.cwiseAbs().cwiseMax(start_.u.cwiseAbs());
  floor_scale();
  double last = std::numeric_limits<double>::infinity();
  bool factorised = false;
  for (int round = 0; round < most_iterations; ++round) {
    if (!evaluate(t, end)) return false;
    if (!factorised) end_lu_.compute(end.slopes.topLeftCorner(size_, size_));
    change_ = end_lu_.solve(end.m - to);
    const double size = relative(change_, scale_);
    if (!(size < diverged)) return false;
    end.u -= change_;
    if (is_solved(size, last)) return true;
    factorised = size <= slow * last;
    last = size;
  }
  return false;
}

}  // namespace herglotz::sensitivity
