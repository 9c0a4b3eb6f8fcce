#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "chain_factors.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::optimise {
namespace {

using Vector = Eigen::VectorXd;

constexpr double at_limit = 1e-9;  ///< a constraint that is nearer to its limit, relative, is active

constexpr double flat_curvature = 1e-8;  ///< an eigenvalue that is smaller in magnitude counts as zero

constexpr double rounding_gain = 0.1;  ///< a residual within the tolerance that shrinks by less is rounding

constexpr double fast_gain = 0.01;  ///< a step that leaves less of the residual has derivatives that serve again
constexpr double kept_gain = 0.1;   ///< a step with such derivatives leaves at most this

constexpr double near_bound = 1e-7;  ///< a variable that is nearer to its bound, relative, is at it

/// A variable is pressed against its bound if the slope of the Lagrange function there exceeds this share of the
/// distance. Interior points stop before such variables reach their bounds.
constexpr double pressed_slope = 1e-5;

/// Choice whether all variables with a range are free (`inactive`), only those that are not at a bound (`held`), or
/// only those that are neither at a bound nor pressed against one (`pressed`).
enum class Bounds { inactive, held, pressed };

/// Returns the derivatives of the Lagrange function without the multipliers of the bounds.
std::vector<double> lagrange_slopes(Nlp& nlp, const PrimalDualPoint& at) {
  std::vector<double> slopes(at.x.size());
  nlp.gradient(at.x, slopes);
  const Places& places = nlp.jacobian_places();
  std::vector<double> entries(places.size());
  nlp.jacobian(at.x, entries);
  for (std::size_t k = 0; k < entries.size(); ++k)
    slopes[static_cast<std::size_t>(places.col[k])] += entries[k] * at.mu[static_cast<std::size_t>(places.row[k])];
  return slopes;
}

/// Karush, Kuhn and Tucker's equations in the free variables and in the multipliers of the constraints.
class Conditions {
 public:
  Conditions(Nlp& nlp, const PrimalDualPoint& start, Bounds bounds = Bounds::inactive)
      : nlp_(nlp), n_(nlp.lower().size()), m_(nlp.g_lower().size()), place_(n_, -1) {
    bound_.assign(nlp.g_lower().begin(), nlp.g_lower().end());
    const std::vector<double> slopes = bounds == Bounds::pressed ? lagrange_slopes(nlp, start) : std::vector<double>{};
    for (std::size_t i = 0; i < n_; ++i)
      if (nlp.lower()[i] < nlp.upper()[i] && (bounds == Bounds::inactive || !is_at_bound(i, start.x[i])) &&
          (slopes.empty() || !is_pressed(i, start.x[i], slopes[i])))
        place_[i] = static_cast<int>(free_++);
    std::vector<double> g(m_);
    nlp.constraints(start.x, g);
    for (std::size_t j = 0; j < m_; ++j) {
      if (nlp.g_lower()[j] == nlp.g_upper()[j]) continue;
      const double margin = at_limit * std::max(1.0, std::abs(g[j]));
      bound_[j] = g[j] <= nlp.g_lower()[j] + margin   ? std::optional(nlp.g_lower()[j])
                  : g[j] >= nlp.g_upper()[j] - margin ? std::optional(nlp.g_upper()[j])
                                                      : std::nullopt;
      has_inactive_ = has_inactive_ || !bound_[j];
    }
  }

  [[nodiscard]] std::size_t size() const { return free_ + m_; }

  /// Sets the multipliers of constraints that are not active to zero, and keeps them there.
  void leave_out_inactive(PrimalDualPoint& at) const {
    for (std::size_t j = 0; j < m_; ++j)
      if (!bound_[j]) at.mu[j] = 0;
  }

  /// Returns (dL/dx of the free variables, g - bound); of a constraint that is not active its multiplier instead.
  Vector residual(const PrimalDualPoint& at) {
    const std::vector<double> gradient = lagrange_slopes(nlp_, at);
    std::vector<double> g(m_);
    nlp_.constraints(at.x, g);
    Vector value(static_cast<Eigen::Index>(size()));
    for (std::size_t i = 0; i < n_; ++i)
      if (place_[i] >= 0) value[place_[i]] = gradient[i];
    for (std::size_t j = 0; j < m_; ++j)
      value[static_cast<Eigen::Index>(free_ + j)] = bound_[j] ? g[j] - *bound_[j] : at.mu[j];
    return value;
  }

  /// Returns the places of the entries of the matrix of Newton's method, one triangle, diagonal last. Constraints that
  /// are not active have nothing but a diagonal.
  Places places() {
    Places result;
    const Places& h = nlp_.hessian_places();
    for (std::size_t k = 0; k < h.size(); ++k)
      if (is_free(h.row[k]) && is_free(h.col[k])) result.add(place_of(h.row[k]), place_of(h.col[k]));
    const Places& a = nlp_.jacobian_places();
    for (std::size_t k = 0; k < a.size(); ++k)
      if (is_active(a.row[k]) && is_free(a.col[k]))
        result.add(free_ + static_cast<std::size_t>(a.row[k]), place_of(a.col[k]));
    for (std::size_t i = 0; i < size(); ++i) result.add(i, i);
    return result;
  }

  /// Returns these entries, with `curvature` added to the Hessian and `shift` subtracted beside the constraints.
  std::vector<double> matrix(const PrimalDualPoint& at, double curvature, double shift) {
    std::vector<double> result;
    const Places& h = nlp_.hessian_places();
    std::vector<double> entries(h.size());
    nlp_.hessian(at.x, 1, at.mu, entries);
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (is_free(h.row[k]) && is_free(h.col[k])) result.push_back(entries[k]);
    const Places& a = nlp_.jacobian_places();
    entries.resize(a.size());
    nlp_.jacobian(at.x, entries);
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (is_active(a.row[k]) && is_free(a.col[k])) result.push_back(entries[k]);
    result.insert(result.end(), free_, curvature);
    for (const auto& bound : bound_) result.push_back(bound ? -shift : -1);
    return result;
  }

  /// Returns the place in the chain of each row; all are on the border if the programme has no chain.
  std::vector<int> chain() {
    const Chain chain = nlp_.chain();
    if (chain.unknown.empty()) return std::vector<int>(size(), -1);
    std::vector<int> result;
    for (std::size_t i = 0; i < n_; ++i)
      if (place_[i] >= 0) result.push_back(chain.unknown[i]);
    result.insert(result.end(), chain.constraint.begin(), chain.constraint.end());
    return result;
  }

  [[nodiscard]] PrimalDualPoint moved(const PrimalDualPoint& at, const Vector& step, double length) const {
    PrimalDualPoint next = at;
    for (std::size_t i = 0; i < n_; ++i)
      if (place_[i] >= 0) next.x[i] += length * step[place_[i]];
    for (std::size_t j = 0; j < m_; ++j) next.mu[j] += length * step[static_cast<Eigen::Index>(free_ + j)];
    return next;
  }

  [[nodiscard]] bool inside(const PrimalDualPoint& at) {
    if (has_inactive_) {
      std::vector<double> g(m_);
      nlp_.constraints(at.x, g);
      for (std::size_t j = 0; j < m_; ++j)
        if (!bound_[j] && (g[j] < nlp_.g_lower()[j] || g[j] > nlp_.g_upper()[j])) return false;
    }
    for (std::size_t i = 0; i < n_; ++i)
      if (place_[i] >= 0 && (at.x[i] < nlp_.lower()[i] || at.x[i] > nlp_.upper()[i])) return false;
    return true;
  }

 private:
  [[nodiscard]] bool is_at_bound(std::size_t i, double x) const {
    const double margin = near_bound * std::max(1.0, std::abs(x));
    return x <= nlp_.lower()[i] + margin || x >= nlp_.upper()[i] - margin;
  }
  /// Returns whether a variable would have to move against the slope to leave the bound that it is near to.
  [[nodiscard]] bool is_pressed(std::size_t i, double x, double slope) const {
    return pressed_slope * (x - nlp_.lower()[i]) < slope || pressed_slope * (nlp_.upper()[i] - x) < -slope;
  }
  [[nodiscard]] bool is_free(int i) const { return place_[static_cast<std::size_t>(i)] >= 0; }
  [[nodiscard]] bool is_active(int j) const { return bound_[static_cast<std::size_t>(j)].has_value(); }
  [[nodiscard]] std::size_t place_of(int i) const {
    return static_cast<std::size_t>(place_[static_cast<std::size_t>(i)]);
  }

  Nlp& nlp_;
  std::size_t n_;
  std::size_t m_;
  std::size_t free_ = 0;
  std::vector<int> place_;  ///< the place of each variable among the free ones, or -1 if it is fixed
  std::vector<std::optional<double>>
      bound_;  ///< the value that each constraint has; `std::nullopt` if it is not active
  bool has_inactive_ = false;
};

double size_of(const Vector& residual) {
  return residual.allFinite() ? residual.lpNorm<Eigen::Infinity>() : infinity;
}

/// Steps of Newton's method on the conditions.
class Newton {
 public:
  Newton(Conditions& conditions, const std::function<bool()>& go_on)
      : conditions_(conditions), places_(conditions.places()), chain_(conditions.chain(), places_), go_on_(go_on) {}

  /// Returns the step, with a small shift if the matrix is singular, or an empty vector if there is no such step or the
  /// caller stopped it.
  Vector step(const PrimalDualPoint& at, const Vector& residual) {
    if (!are_large(at.mu)) {
      const std::vector<double> matrix = conditions_.matrix(at, 0, 0);
      chain_.factor(matrix);
      Vector step = -residual;
      if (!chain_.is_singular()) {
        chain_.solve({step.data(), conditions_.size()});
        if (is_solution(matrix, step, residual) && !are_large(conditions_.moved(at, step, 1).mu)) {
          has_factors_ = true;
          return step;
        }
      }
    }
    has_factors_ = false;
    for (const double shift : {0.0, 1e-10, 1e-7, 1e-4}) {
      if (go_on_ && !go_on_()) return {};
      const std::vector<double> matrix = conditions_.matrix(at, shift, shift);
      const Vector step =
          conditions_.size() > most_rows ? along_chain(matrix, residual) : by_any_pivots(matrix, residual);
      if (is_solution(matrix, step, residual)) return step;
    }
    return {};
  }

  /// Returns whether the last step left factors behind.
  [[nodiscard]] bool has_factors() const { return has_factors_; }
  /// Returns the step with the derivatives of the last one.
  [[nodiscard]] Vector step_again(const Vector& residual) const {
    Vector step = -residual;
    chain_.solve({step.data(), static_cast<std::size_t>(step.size())});
    return step;
  }

 private:
  /// Rows beyond which pivots among all rows may fill the memory: exchanges with rows of the border undo any order.
  static constexpr std::size_t most_rows = 8000;

  [[nodiscard]] Vector by_any_pivots(const std::vector<double>& matrix, const Vector& residual) const {
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(symmetric(matrix));
    if (factors.info() != Eigen::Success) return {};
    return factors.solve(-residual);
  }
  /// Has as many operations as the chain is long.
  [[nodiscard]] Vector along_chain(const std::vector<double>& matrix, const Vector& residual) {
    chain_.factor(matrix);
    if (chain_.is_singular()) return {};
    return step_again(residual);
  }

  [[nodiscard]] Eigen::SparseMatrix<double> symmetric(const std::vector<double>& matrix) const {
    std::vector<Eigen::Triplet<double>> triplets;
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      triplets.emplace_back(places_.row[k], places_.col[k], matrix[k]);
      if (places_.row[k] != places_.col[k]) triplets.emplace_back(places_.col[k], places_.row[k], matrix[k]);
    }
    const auto size = static_cast<int>(conditions_.size());
    Eigen::SparseMatrix<double> result(size, size);
    result.setFromTriplets(triplets.begin(), triplets.end());
    return result;
  }

  [[nodiscard]] bool is_solution(const std::vector<double>& matrix, const Vector& step, const Vector& residual) const {
    if (step.size() == 0 || !step.allFinite()) return false;
    Vector rest = residual;
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      const int i = places_.row[k];
      const int j = places_.col[k];
      rest[i] += matrix[k] * step[j];
      if (i != j) rest[j] += matrix[k] * step[i];
    }
    return rest.norm() <= 1e-6 * residual.norm();
  }

  Conditions& conditions_;
  Places places_;
  ChainFactors chain_;
  const std::function<bool()>& go_on_;
  bool has_factors_ = false;
};

}  // namespace

Minimum find_stationary(Nlp& nlp, const PrimalDualPoint& start, const MinimiseOptions& options) {
  Minimum result{start, Verdict::not_converged, "Newton's method found no step", 0};
  result.at.mu.resize(nlp.g_lower().size(), 0.0);
  result.at.at_lower.assign(nlp.lower().size(), 0.0);
  result.at.at_upper.assign(nlp.lower().size(), 0.0);
  Conditions conditions(nlp, start);
  conditions.leave_out_inactive(result.at);
  Newton newton(conditions, options.go_on);
  Vector residual = conditions.residual(result.at);
  double size = size_of(residual);
  if (!std::isfinite(size)) return {start, Verdict::undefined, "a function of the problem is not finite", 0};
  double gain = 1;  // by the last step; after a large one, the derivatives at the last iterate serve at this one
  for (; result.iterations < options.most_iterations; ++result.iterations) {
    double scale = 1;
    for (const double mu : result.at.mu) scale = std::max(scale, std::abs(mu));
    const bool small = size <= options.tolerance * scale;
    if (small) {
      result.verdict = Verdict::solved;
      result.reason = "the conditions of a stationary point hold";
    }
    if (options.go_on && !options.go_on()) return {result.at, Verdict::stopped, "stopped", result.iterations};
    // The distance that is left to a solution is soon rounding, for which the derivatives need not be better.
    const bool again = newton.has_factors() && gain <= (small ? kept_gain : fast_gain);
    const Vector step = again ? newton.step_again(residual) : newton.step(result.at, residual);
    if (step.size() == 0) {
      if (options.go_on && !options.go_on()) return {result.at, Verdict::stopped, "stopped", result.iterations};
      break;
    }
    const double before = size;
    double length = 1;
    bool better = false;
    // The distance that is left to a solution is rounding, and shorter steps leave as much of it.
    const int most_lengths = again || small ? 1 : 30;
    for (int k = 0; k < most_lengths && !better; ++k, length /= 2) {
      const PrimalDualPoint next = conditions.moved(result.at, step, length);
      if (!conditions.inside(next)) continue;
      const Vector there = conditions.residual(next);
      const double new_size = size_of(there);
      if (new_size > (again ? kept_gain : 1 - 1e-4 * length) * size) continue;
      better = true;
      gain = k == 0 ? new_size / size : 1;
      result.at = next;
      residual = there;
      size = new_size;
    }
    if (!better && again && !small) {
      gain = 1;
      continue;
    }
    if (!better) {
      if (!small) result.reason = "Newton's method makes no progress";
      break;
    }
    if (small && size > rounding_gain * before) break;
  }
  return result;
}

namespace {

/// Counts directions in the variables that `bounds` leaves free.
std::optional<Directions> directions(Nlp& nlp, const PrimalDualPoint& at, Bounds bounds) {
  Conditions conditions(nlp, at, bounds);
  ChainFactors factors(conditions.chain(), conditions.places());
  // Each constraint adds one negative eigenvalue to those of the second derivatives along the constraints, also if it
  // depends on others, because something is subtracted beside it.
  const auto below = [&](double eigenvalue) -> std::optional<std::size_t> {
    factors.factor(conditions.matrix(at, -eigenvalue, flat_curvature));
    if (factors.is_singular() || factors.negative() < nlp.g_lower().size()) return std::nullopt;
    return factors.negative() - nlp.g_lower().size();
  };
  const auto not_positive = below(flat_curvature);
  if (!not_positive) return std::nullopt;
  // Fewer eigenvalues are below a lower bound.
  if (*not_positive == 0) return Directions{};
  const auto negative = below(-flat_curvature);
  if (!negative || *not_positive < *negative) return std::nullopt;
  return Directions{*negative, *not_positive - *negative};
}

}  // namespace

std::optional<Directions> directions(Nlp& nlp, const PrimalDualPoint& at) {
  const auto all = directions(nlp, at, Bounds::held);
  if (!all || all->negative == 0) return all;
  // Directions that move variables away from bounds against the slope there do not count. If no other is left, the
  // count depends on whether these bounds are active.
  const auto certain = directions(nlp, at, Bounds::pressed);
  return certain && certain->negative > 0 ? certain : std::nullopt;
}

}  // namespace herglotz::optimise
