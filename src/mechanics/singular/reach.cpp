#include "herglotz/mechanics/singular/reach.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "singular/ranks.hpp"

namespace herglotz::mechanics {
namespace {

constexpr int most_reach_draws = 12;
constexpr int most_reach_steps = 60;
constexpr double spread = 1;
constexpr double longest_reach_step = 1;
constexpr double small_reach_step = 1e-13;
constexpr double small_reach_value = 1e-9;  ///< relative to the gradient and the value at the start of the search

/// Search for a state (v, w) of the final set with some entries of v fixed.
class Search {
 public:
  Search(const System& system, const SingularAnalysis& analysis, std::span<const double> parameters,
         const std::vector<std::optional<double>>& given, double t)
      : system_(system), state_(analysis.equations.v) {
    state_.insert(state_.end(), analysis.equations.w.begin(), analysis.equations.w.end());
    names_ = state_;
    names_.push_back(system.t);
    for (const Parameter& parameter : system.parameters) names_.push_back(parameter.symbol);
    for (const LevelConstraint& constraint : analysis.constraints) {
      outputs_.push_back(constraint.expression);
      const auto gradient = symbolic::gradient(constraint.expression, state_);
      outputs_.insert(outputs_.end(), gradient.begin(), gradient.end());
    }
    point_.assign(state_.size(), 0.0);
    fixed_.assign(state_.size(), false);
    for (std::size_t k = 0; k < given.size(); ++k) {
      // `given` is (x, z); v is (x, p, z).
      const std::size_t at = k < system.n() ? k : k + system.r();
      if (!given[k]) continue;
      point_[at] = *given[k];
      fixed_[at] = true;
    }
    point_.push_back(t);
    point_.insert(point_.end(), parameters.begin(), parameters.end());
  }

  Reach operator()() {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> uniform(-spread, spread);
    const Row start = point_;
    std::optional<Row> nearest;
    double least = 0;
    for (int draw = 0; draw < most_reach_draws; ++draw) {
      Row point = start;
      for (std::size_t i = 0; i < state_.size(); ++i)
        if (!fixed_[i]) point[i] += uniform(engine) * std::max(1.0, std::abs(point[i]));
      if (const auto distance = approach(point); distance && (!nearest || *distance < least)) {
        nearest = point;
        least = *distance;
      }
      if (nearest && least <= small_reach_value) return {std::nullopt, 0, independent(*nearest), state_of(*nearest)};
    }
    Reach result;
    if (!nearest) nearest = start;
    result.missed = worst(*nearest);
    result.value = symbolic::evaluate(outputs_[*result.missed * stride()], names_, *nearest);
    return result;
  }

  /// Returns the entries at `places` that no entries before them determine on the set near one of its states.
  [[nodiscard]] std::vector<std::size_t> independent_at(Row point, const std::vector<std::size_t>& places) const {
    point.resize(state_.size());
    point.insert(point.end(), point_.begin() + static_cast<std::ptrdiff_t>(state_.size()), point_.end());
    const Row v = symbolic::evaluate(outputs_, names_, point);
    std::vector<Row> rows;
    for (std::size_t k = 0; k < count(); ++k) {
      const auto first = v.begin() + static_cast<std::ptrdiff_t>(k * stride());
      rows.emplace_back(first + 1, first + static_cast<std::ptrdiff_t>(stride()));
    }
    const auto rank = [&] { return rank_of(rows, Row(rows.size(), 1.0)).value; };
    std::size_t known = rank();
    std::vector<std::size_t> found;
    for (const std::size_t place : places) {
      rows.emplace_back(state_.size(), 0.0);
      rows.back()[place] = 1;
      if (rank() == known) {
        rows.pop_back();
        continue;
      }
      ++known;
      found.push_back(place);
    }
    return found;
  }

 private:
  [[nodiscard]] std::size_t stride() const { return state_.size() + 1; }
  [[nodiscard]] std::size_t count() const { return outputs_.size() / stride(); }

  /// Moves the point by Gauss-Newton's method. Returns the largest value of a constraint that is left, relative to the
  /// values and slopes at the start of the search; `std::nullopt` if numbers are not finite.
  std::optional<double> approach(Row& point) const {
    Row scale;
    double left = 0;
    for (int step = 0; step < most_reach_steps; ++step) {
      const Row v = symbolic::evaluate(outputs_, names_, point);
      if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) return std::nullopt;
      std::vector<Row> rows;
      Row target;
      left = 0;
      for (std::size_t k = 0; k < count(); ++k) {
        const auto first = v.begin() + static_cast<std::ptrdiff_t>(k * stride());
        rows.emplace_back(first + 1, first + static_cast<std::ptrdiff_t>(stride()));
        target.push_back(-*first);
        if (step == 0) scale.push_back(std::abs(*first) + norm(rows.back()));
        if (*first != 0) left = std::max(left, std::abs(*first) / scale[k]);
        for (std::size_t i = 0; i < state_.size(); ++i)
          if (fixed_[i]) rows.back()[i] = 0;
      }
      const Row change = shortest_solution(rows, target, state_.size());
      double length = 0;
      for (std::size_t i = 0; i < change.size(); ++i)
        length = std::max(length, std::abs(change[i]) / std::max(1.0, std::abs(point[i])));
      if (!std::isfinite(length)) return std::nullopt;
      const double damped = length > longest_reach_step ? longest_reach_step / length : 1;
      for (std::size_t i = 0; i < change.size(); ++i) point[i] += damped * change[i];
      if (length <= small_reach_step) return left;
    }
    return left;
  }

  /// Returns the constraint that cannot be met: one that given entries alone determine, or the one farthest from zero.
  [[nodiscard]] std::size_t worst(const Row& point) const {
    const Row v = symbolic::evaluate(outputs_, names_, point);
    std::size_t farthest = 0;
    double largest = -1;
    for (std::size_t k = 0; k < count(); ++k) {
      bool free = false;
      for (std::size_t i = 0; i < state_.size(); ++i)
        free = free || (!fixed_[i] && !outputs_[k * stride() + 1 + i].is_zero());
      const double value = std::abs(v[k * stride()]);
      if (!free && !(value <= small_reach_value)) return k;
      if (value > largest) {
        largest = value;
        farthest = k;
      }
    }
    return farthest;
  }

  /// Returns the number of given entries whose differentials are independent on the set.
  [[nodiscard]] std::size_t independent(const Row& point) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < state_.size(); ++i)
      if (fixed_[i]) places.push_back(i);
    return independent_at(point, places).size();
  }

  [[nodiscard]] Row state_of(const Row& point) const {
    return {point.begin(), point.begin() + static_cast<std::ptrdiff_t>(state_.size())};
  }

  const System& system_;
  std::vector<Expr> state_;  ///< (v, w)
  std::vector<Expr> names_;
  std::vector<Expr> outputs_;  ///< each constraint, then its gradient
  Row point_;
  std::vector<bool> fixed_;
};

}  // namespace

std::string text_of(const LevelConstraint& constraint) {
  const auto equation = [](Expr f) { return symbolic::print(symbolic::simplify(f)) + " = 0"; };
  std::string text = equation(constraint.expression);
  for (const Expr& other : constraint.branches) text += "; another branch has " + equation(other);
  return text;
}

std::string text_of(const Contradiction& contradiction) {
  std::ostringstream text;
  text.precision(6);
  text << "its equations have no solution: level " << contradiction.level << " of its constraints demands "
       << symbolic::print(contradiction.expression) << " = 0";
  if (!contradiction.expression.is_number()) text << ", which is " << contradiction.value << " near the start";
  return text.str();
}

Reach reach_final_set(const System& system, const SingularAnalysis& analysis, std::span<const double> parameters,
                      const std::vector<std::optional<double>>& given, double t) {
  return Search(system, analysis, parameters, given, t)();
}

std::vector<std::size_t> independent_entries(const System& system, const SingularAnalysis& analysis,
                                             std::span<const double> parameters, const std::vector<double>& point,
                                             double t, const std::vector<std::size_t>& places) {
  return Search(system, analysis, parameters, {}, t).independent_at(point, places);
}

}  // namespace herglotz::mechanics
