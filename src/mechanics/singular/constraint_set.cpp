#include "singular/constraint_set.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/magnitude.hpp"

namespace herglotz::mechanics {
namespace {

constexpr std::size_t wanted_points = 4;
constexpr std::size_t least_points = 3;
constexpr std::size_t most_draws = 40;
/// Spreads relative to max(1, |coordinate|). Smaller spreads are used if the domain around the start is too small for
/// larger ones.
constexpr double spreads[] = {0.4, 0.1, 0.02};
/// These are enough for a zero of order five, which Newton's method approaches by a factor 4/5 a step.
constexpr int most_steps = 150;
constexpr double longest_step = 1;
constexpr double small_step = 1e-13;
constexpr double small_value = 1e-9;
/// A value smaller than this share of a function's terms is rounding.
constexpr double rounding = 1e-9;
/// The share of a gradient that must be independent of the other gradients at a zero of the function.
constexpr double least_share = 1e-5;

bool all_finite(const Row& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

ConstraintSet::ConstraintSet(const System& system, const ImplicitSystem& equations, std::span<const double> parameters,
                             const Row& start, std::uint64_t seed)
    : state_(equations.v), first_w_(equations.v.size()), start_(start), engine_(seed) {
  state_.insert(state_.end(), equations.w.begin(), equations.w.end());
  names_ = state_;
  names_.push_back(system.t);
  for (const Parameter& parameter : system.parameters) names_.push_back(parameter.symbol);
  start_.insert(start_.end(), parameters.begin(), parameters.end());
  for (const double spread : spreads)
    for (std::size_t k = 0; k < wanted_points; ++k) points_.push_back(drawn(spread));
}

Point ConstraintSet::drawn(double spread) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Point point = start_;
  for (std::size_t i = 0; i <= state_.size(); ++i)
    point[i] += spread * uniform(engine_) * std::max(1.0, std::abs(point[i]));
  return point;
}

Row ConstraintSet::values(std::span<const Expr> f, const Point& at) const {
  return symbolic::evaluate(f, names_, at);
}

ConstraintSet::Function ConstraintSet::function_of(Expr f) const {
  return {f, symbolic::gradient(f, state_)};
}

ConstraintSet::Moved ConstraintSet::moved(Point point, const std::vector<Function>& functions) const {
  std::vector<Expr> outputs;
  for (const Function& function : functions) {
    outputs.push_back(function.value);
    outputs.insert(outputs.end(), function.gradient.begin(), function.gradient.end());
  }
  const std::size_t stride = state_.size() + 1;
  Row scale;
  for (int step = 0; step < most_steps; ++step) {
    const Row v = values(outputs, point);
    if (!all_finite(v)) return {};
    std::vector<Row> rows;
    Row target;
    double worst = 0;
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const auto first = v.begin() + static_cast<std::ptrdiff_t>(k * stride);
      target.push_back(-*first);
      rows.emplace_back(first + 1, first + static_cast<std::ptrdiff_t>(stride));
      if (step == 0) scale.push_back(std::abs(*first) + norm(rows.back()));
      if (*first != 0) worst = std::max(worst, std::abs(*first) / scale[k]);
    }
    Row change = shortest_solution(rows, target, state_.size());
    double length = 0;
    for (std::size_t i = 0; i < change.size(); ++i)
      length = std::max(length, std::abs(change[i]) / std::max(1.0, std::abs(point[i])));
    if (!std::isfinite(length)) return {};
    const double damped = length > longest_step ? longest_step / length : 1;
    for (std::size_t i = 0; i < change.size(); ++i) point[i] += damped * change[i];
    if (length <= small_step) return {std::move(point), worst <= small_value};
  }
  return {};
}

std::vector<Point> ConstraintSet::found(const std::vector<Point>& from, const std::vector<Function>& functions) {
  std::vector<Point> points;
  const auto take = [&](const Point& point) {
    if (points.size() == wanted_points) return;
    Moved there = moved(point, functions);
    if (there.found) points.push_back(std::move(there.point));
  };
  for (const Point& point : from) take(point);
  for (const double spread : spreads)
    for (std::size_t k = 0; k < most_draws && points.size() < wanted_points; ++k) take(drawn(spread));
  if (points.size() < least_points) points.clear();
  return points;
}

bool ConstraintSet::is_effective(const Function& function, const std::vector<Point>& before,
                                 const std::vector<Point>& after) const {
  double usual = 0;
  for (const Point& point : before)
    if (const Row row = values(function.gradient, point); all_finite(row)) usual = std::max(usual, norm(row));
  for (const Point& point : after) {
    Span span(state_.size());
    for (const Row& row : rows(point, false)) {
      const Row rest = span.rest(row);
      if (norm(rest) > least_share * norm(row)) span.add(rest);
    }
    if (norm(span.rest(values(function.gradient, point))) > least_share * usual) return true;
  }
  return false;
}

ConstraintSet::Addition ConstraintSet::add(Expr f) {
  std::vector<Function> functions = functions_;
  functions.push_back(function_of(f));
  std::vector<Point> there = found(points_, functions);
  if (there.empty()) return Addition::no_points;
  if (!is_effective(functions.back(), points_, there)) return Addition::ineffective;
  functions_ = std::move(functions);
  points_ = std::move(there);
  return Addition::added;
}

std::optional<double> ConstraintSet::distance(Expr f) {
  std::vector<Function> functions = functions_;
  functions.push_back(function_of(f));
  Moved nearest = moved(start_, functions);
  // If the gradient vanishes at the start, Newton's method needs another point to begin with.
  constexpr double close = 1e-4;
  for (std::size_t k = 0; k < most_draws && !nearest.found; ++k) nearest = moved(drawn(close), functions);
  if (!nearest.found)
    for (Point& point : found(points_, functions)) {
      nearest = {std::move(point), true};
      break;
    }
  if (!nearest.found) return std::nullopt;
  double square = 0;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double change = (nearest.point[i] - start_[i]) / std::max(1.0, std::abs(start_[i]));
    square += change * change;
  }
  return std::sqrt(square);
}

bool ConstraintSet::vanishes(Expr f) const {
  const Expr both[] = {f, symbolic::magnitude(f)};
  std::size_t zeros = 0;
  std::size_t others = 0;
  for (const Point& point : points_) {
    const Row v = values(both, point);
    if (!all_finite(v)) continue;
    ++(std::abs(v[0]) <= rounding * v[1] ? zeros : others);
  }
  if (zeros + others == 0)
    throw Undecided("an expression of the constraints is finite at no point near the start", "start elsewhere");
  if (zeros > 0 && others > 0)
    throw Undecided("whether the constraints close depends on the point near the start", "start elsewhere");
  return others == 0;
}

std::vector<Row> ConstraintSet::rows(const Point& at, bool by_w) const {
  std::vector<Row> result;
  for (const Function& function : functions_) {
    const auto first = function.gradient.begin() + static_cast<std::ptrdiff_t>(by_w ? first_w_ : 0);
    result.push_back(values({first, function.gradient.end()}, at));
  }
  return result;
}

Row ConstraintSet::lengths(const Point& at) const {
  Row result;
  for (const Row& row : rows(at, false)) result.push_back(norm(row));
  return result;
}

std::string ConstraintSet::place(const Point& at) const {
  std::ostringstream text;
  text.precision(4);
  for (std::size_t i = 0; i < state_.size(); ++i) text << (i == 0 ? "" : ", ") << state_[i].name() << " = " << at[i];
  return text.str();
}

}  // namespace herglotz::mechanics
