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
using Entries = Eigen::Ref<const VectorXd>;

constexpr int most_stage_iterations = 40;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double converged = 4 * epsilon;
/// Relative change below which changes that no longer fall are round-off.
constexpr double round_off = 1e-9;
constexpr double diverged = 1e8;
/// A matrix with which a change falls by less is factorised again.
constexpr double slow = 0.1;
/// Steps of one size from which the next one is guessed.
constexpr std::size_t most_remembered = 6;

}  // namespace

ImplicitStages::ImplicitStages(ImplicitForm form, ImplicitTableau tableau)
    : form_(std::move(form)),
      tableau_(std::move(tableau)),
      size_(static_cast<Index>(form_.of_second_table.size())),
      places_(tableau_.c.size()),
      solution_(at(places_.size() + ends())),
      residual_(at(places_.size())),
      point_(form_.of_second_table.size() + 1),
      values_(form_.kernel.outputs()),
      work_(form_.kernel.work_size()) {
  for (std::size_t i = 0; i < count(); ++i)
    for (std::size_t j = 0; j < count(); ++j) {
      VectorXd& entries = entries_.emplace_back(size_);
      for (Index k = 0; k < size_; ++k)
        entries[k] = (form_.of_second_table[static_cast<std::size_t>(k)] ? tableau_.A_hat : tableau_.A)[i][j];
    }
  for (std::size_t k = 0; k < form_.row.size(); ++k)
    slots_.push_back(static_cast<Index>(form_.row[k]) + 2 * size_ * static_cast<Index>(form_.col[k]));
}

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
  remembered_.clear();
  of_stages_.forget();
  of_end_.forget();
  h_ = 0;
}

void ImplicitStages::begin(std::span<const double> y, std::span<const double> theta) {
  theta_.assign(theta.begin(), theta.end());
  start_.u.resize(size_);
  std::copy(y.begin(), y.end(), start_.u.data());
  std::copy(form_.start.begin(), form_.start.end(), start_.u.data() + y.size());
}

/// Evaluates all at the point u. Returns false if a number is not finite.
bool ImplicitStages::evaluate(double t, const Entries& u, FormAtPoint& place) {
  place.u = u;
  std::copy_n(place.u.data(), size_, point_.begin());
  point_.back() = t;
  form_.kernel(point_.data(), theta_.data(), values_.data(), work_.data());
  place.m = Eigen::Map<const VectorXd>(values_.data(), size_);
  place.g = Eigen::Map<const VectorXd>(values_.data() + size_, size_);
  const Index columns = size_ + static_cast<Index>(theta_.size()) + 1;
  if (place.slopes.cols() != columns) place.slopes.setZero(2 * size_, columns);
  const double* const slopes = values_.data() + 2 * size_;
  for (std::size_t k = 0; k < slots_.size(); ++k) place.slopes.data()[slots_[k]] = slopes[k];
  return finite(values_);
}

bool ImplicitStages::solve(double t, double h) {
  if (!evaluate(t, start_.u, start_)) return false;
  if (remembered_.empty() || !solve_from(guess(h), t, h)) {
    restart();
    if (!solve_from(start_.u.replicate(static_cast<Index>(count() + ends()), 1), t, h)) {
      restart();
      return false;
    }
  }
  remember(h);
  return true;
}

/// Extrapolates the solutions of the last steps: of steps of one size the differences of order n of n steps vanish.
VectorXd ImplicitStages::guess(double h) const {
  const std::size_t steps = h == h_ ? remembered_.size() : 1;
  VectorXd all = start_.u.replicate(static_cast<Index>(count() + ends()), 1);
  double factor = h == h_ ? -1 : -h / h_;
  for (std::size_t k = 0; k < steps; ++k) {
    factor *= -static_cast<double>(steps - k) / static_cast<double>(k + 1);
    all += factor * remembered_[k];
  }
  return all;
}

void ImplicitStages::remember(double h) {
  if (h == 0) return;
  if (h != h_) remembered_.clear();
  h_ = h;
  if (remembered_.size() < most_remembered) remembered_.emplace_back();
  std::rotate(remembered_.begin(), remembered_.end() - 1, remembered_.end());
  remembered_.front() = solution_ - start_.u.replicate(static_cast<Index>(count() + ends()), 1);
}

/// Solves for the stages and then for the end from a guess of both.
bool ImplicitStages::solve_from(VectorXd guess, double t, double h) {
  solution_ = std::move(guess);
  const auto residuals = [&](const Entries& unknowns) {
    if (!evaluate_stages(unknowns, t, h)) return false;
    for (std::size_t i = 0; i < count(); ++i) {
      auto own = residual_.segment(at(i), size_);
      own = places_[i].m - start_.m;
      for (std::size_t j = 0; j < count(); ++j) own -= h * entries(i, j).cwiseProduct(places_[j].g);
    }
    return true;
  };
  residual_.resize(at(count()));
  if (!iterate(solution_.head(at(count())), of_stages_, residuals, [&] { factorise_stages(h); })) return false;
  factorise_stages(h);
  if (tableau_.dense) return true;
  VectorXd to = start_.m;
  for (std::size_t j = 0; j < count(); ++j) to += h * tableau_.b[j] * places_[j].g;
  const auto residual = [&](const Entries& end) {
    if (!evaluate(t + h, end, end_)) return false;
    residual_ = end_.m - to;
    return true;
  };
  const auto factorise = [&] { of_end_.compute(end_.slopes.topLeftCorner(size_, size_)); };
  if (!iterate(solution_.tail(size_), of_end_, residual, factorise)) return false;
  factorise();
  return true;
}

/// Newton's iteration from given unknowns. `evaluate` writes residual_ for unknowns, and `factorise` the factors of the
/// matrix there. Factors of earlier steps are kept as long as changes fall quickly. Everything is evaluated at the
/// solution in the end.
template <class Evaluate, class Factorise>
bool ImplicitStages::iterate(Eigen::Ref<VectorXd> unknowns, Factors& factors, const Evaluate& evaluate,
                             const Factorise& factorise) {
  measure(unknowns);
  double last = std::numeric_limits<double>::infinity();
  bool fresh = false;      // whether the factors are those of this step
  bool predicted = false;  // whether the next change is known to be round-off
  for (int round = 0; round < most_stage_iterations; ++round) {
    if (!evaluate(unknowns)) return false;
    if (predicted) return true;
    if (!factors.are_of(unknowns.size())) {
      factorise();
      fresh = true;
    }
    factors.solve(residual_, change_);
    if (round == 0 && is_zero()) measure(unknowns - change_);
    const double size = relative(change_);
    if (!(size < diverged)) return false;
    if (size <= converged || (fresh && size <= round_off && size >= 0.5 * last)) return true;
    predicted = round > 0 && size * (size / last) <= 0.5 * epsilon;
    if (size > slow * last) factors.forget();
    last = size;
    unknowns -= change_;
  }
  return false;
}

/// Sets the sizes by which changes are measured, from the start and from guesses of the unknowns.
void ImplicitStages::measure(const Entries& unknowns) {
  scale_ = start_.u.cwiseAbs();
  for (Index k = 0; k < unknowns.size(); k += size_) scale_ = scale_.cwiseMax(unknowns.segment(k, size_).cwiseAbs());
  // Small entries of the state are measured by a share of the largest one; entries of u behind the state are of another
  // size.
  constexpr double share = 1e-3;
  const double least = share * scale_.head(states()).maxCoeff() + std::numeric_limits<double>::min();
  scale_.head(states()) = scale_.head(states()).cwiseMax(least);
}

bool ImplicitStages::is_zero() const {
  return scale_.head(states()).maxCoeff() <= std::numeric_limits<double>::min();
}

/// Returns the largest change relative to the sizes of the unknowns: infinity if one is not a number, as from a
/// singular matrix.
double ImplicitStages::relative(const VectorXd& change) const {
  if (!change.allFinite()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (Index k = 0; k < change.size(); k += size_)
    largest = std::max(largest, change.segment(k, size_).cwiseAbs().cwiseQuotient(scale_).maxCoeff());
  return largest;
}

bool ImplicitStages::evaluate_stages(const Entries& unknowns, double t, double h) {
  for (std::size_t i = 0; i < count(); ++i)
    if (!evaluate(t + tableau_.c[i] * h, unknowns.segment(at(i), size_), places_[i])) return false;
  return true;
}

void ImplicitStages::factorise_stages(double h) {
  matrix_.resize(at(count()), at(count()));
  for (std::size_t i = 0; i < count(); ++i)
    for (std::size_t j = 0; j < count(); ++j) {
      auto block = matrix_.block(at(i), at(j), size_, size_);
      block = (-h * entries(i, j)).asDiagonal() * places_[j].slopes.block(size_, 0, size_, size_);
      if (i == j) block += places_[i].slopes.topLeftCorner(size_, size_);
    }
  of_stages_.compute(matrix_);
}

std::size_t ImplicitStages::kept() const {
  return static_cast<std::size_t>(solution_.size() + Factors::count(at(count())) +
                                  (tableau_.dense ? 0 : Factors::count(size_)));
}

void ImplicitStages::keep(std::span<double> kept) const {
  double* to = std::copy_n(solution_.data(), solution_.size(), kept.data());
  of_stages_.write(to);
  if (!tableau_.dense) of_end_.write(to + Factors::count(at(count())));
}

bool ImplicitStages::recall(double t, double h, std::span<const double> kept) {
  solution_ = Eigen::Map<const VectorXd>(kept.data(), solution_.size());
  if (!evaluate(t, start_.u, start_) || !evaluate_stages(solution_.head(at(count())), t, h)) return false;
  if (!tableau_.dense && !evaluate(t + h, solution_.tail(size_), end_)) return false;
  const double* from = kept.data() + solution_.size();
  of_stages_.read(from, at(count()));
  if (!tableau_.dense) of_end_.read(from + Factors::count(at(count())), size_);
  return true;
}

}  // namespace herglotz::sensitivity
