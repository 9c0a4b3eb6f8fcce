#include "start/branches.hpp"

#include <algorithm>
#include <cmath>

#include "extremal.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::solve {
namespace {

constexpr double same = 1e-6;        ///< relative difference of controls on one branch
constexpr double no_higher = 1e-10;  ///< relative difference of K

/// Returns the size of the terms of K.
double size_of(const Stage& stage, const Point& point) {
  double size = 1e-300;
  for (std::size_t a = 0; a < point.F.size(); ++a) size = std::max(size, std::abs(stage.P[a] * point.F[a]));
  return size;
}

bool within_bounds(const Setup& setup, const Stage& stage) {
  for (std::size_t j = 0; j < setup.m(); ++j)
    if (stage.w[j] < setup.lower[j] || stage.w[j] > setup.upper[j]) return false;
  return true;
}

bool differ(const Values& a, const Values& b) {
  for (std::size_t j = 0; j < a.size(); ++j)
    if (std::abs(a[j] - b[j]) > same * std::max(1.0, std::abs(a[j]))) return true;
  return false;
}

/// Puts a stage on the branch of its neighbour, and returns whether that changed it.
bool follow(const Setup& setup, const Stage& neighbour, Stage& stage, const std::vector<Hold>& held) {
  Stage start = stage;
  start.w = neighbour.w;
  start.kappa = neighbour.kappa;
  const auto other = stationary(setup, start, held);
  if (!other || !within_bounds(setup, *other) || !differ(stage.w, other->w)) return false;
  const Point here = evaluate(setup, stage);
  const Point there = evaluate(setup, *other);
  if (!(there.K <= here.K + no_higher * size_of(stage, here))) return false;
  stage.w = other->w;
  stage.kappa = other->kappa;
  return true;
}

/// Returns whether the conditions on w are linear in (w, kappa) at given states and costates, so that there is one
/// branch.
bool is_linear(const control::FirstOrder& form) {
  const auto second = [&](const control::Expr& f, const auto& judge) {
    for (const auto& w : form.w) {
      const auto slope = symbolic::derivative(f, w);
      for (const auto& other : form.w)
        if (!judge(symbolic::derivative(slope, other))) return false;
    }
    return true;
  };
  const auto vanishes = [](const control::Expr& f) { return f.is_zero(); };
  const auto is_constant = [&](const control::Expr& f) {
    return std::none_of(form.w.begin(), form.w.end(), [&](const auto& w) { return symbolic::depends_on(f, w); });
  };
  return std::all_of(form.equations.begin(), form.equations.end(),
                     [&](const auto& f) { return second(f, vanishes); }) &&
         std::all_of(form.rates.begin(), form.rates.end(), [&](const auto& f) { return second(f, is_constant); });
}

}  // namespace

std::optional<Path> on_one_branch(const Setup& setup, const Path& path) {
  if (is_linear(setup.form)) return std::nullopt;
  Path result = path;
  std::vector<std::pair<Stage*, const std::vector<Hold>*>> stages;
  for (Interval& interval : result.intervals)
    for (Stage& stage : interval.stages) stages.emplace_back(&stage, &interval.held);
  bool changed = false;
  for (std::size_t k = 1; k < stages.size(); ++k)
    changed = follow(setup, *stages[k - 1].first, *stages[k].first, *stages[k].second) || changed;
  for (std::size_t k = stages.size() - 1; k-- > 0;)
    changed = follow(setup, *stages[k + 1].first, *stages[k].first, *stages[k].second) || changed;
  if (!changed) return std::nullopt;
  return result;
}

}  // namespace herglotz::solve
