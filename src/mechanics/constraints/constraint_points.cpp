#include "constraints/constraint_points.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::mechanics {
namespace {

constexpr std::size_t wanted_draws = 12;
constexpr std::size_t draws_per_spread = 80;
/// Spreads relative to max(unit, |coordinate|). A smaller spread is used if the domain around the start is too small
/// for a larger one.
constexpr double spreads[] = {0.25, 0.025, 0.0025};
constexpr double close_spread = 1e-4;
/// These are enough for a zero of order five, which Newton's method approaches by a factor 4/5 a step.
constexpr int most_steps = 150;
constexpr double small_step = 1e-12;
constexpr double small_value = 1e-10;

/// Size of the coordinates of a group (positions, velocities) below which the largest of them is their unit.
constexpr double small_group = 1e-3;

/// Returns the unit of numbers: 1, or the largest of them if all are far below 1, as lengths of atoms in metres are.
double unit_of(std::span<const double> numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  return largest > 0 && largest < small_group ? largest : 1;
}

void expect(const char* what, std::size_t expected, std::size_t got, bool at_least = false) {
  if (got == expected || (at_least && got > expected)) return;
  throw Refused(std::string(what) + ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
}

/// Returns the entry with which each row begins, and the number of entries behind them.
std::vector<std::size_t> beginnings(const std::vector<symbolic::Entry>& entries, std::size_t rows) {
  std::vector<std::size_t> first(rows + 1, 0);
  for (const symbolic::Entry& entry : entries) ++first[entry.row + 1];
  for (std::size_t row = 0; row < rows; ++row) first[row + 1] += first[row];
  return first;
}

std::vector<symbolic::Entry> nonzero(const Matrix& m) {
  std::vector<symbolic::Entry> entries;
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.cols; ++j)
      if (!m(i, j).is_zero()) entries.push_back({i, j, m(i, j)});
  return entries;
}

}  // namespace

ConstraintPoints::ConstraintPoints(const System& system, const Generator& generator, std::span<const double> parameters,
                                   std::span<const double> start, std::uint64_t seed)
    : n_(system.n()), r_(system.r()), k_(generator.phi.size()), m_(generator.Phi.size()) {
  const std::size_t size = n_ + r_ + 2;
  expect("parameter values", system.parameters.size(), parameters.size());
  expect("values of the start (x, w, z, t)", size, start.size(), true);
  names_ = system.algebroid.x;
  names_.insert(names_.end(), system.w().begin(), system.w().end());
  names_.push_back(system.z);
  const std::vector<Expr> movable = names_;
  names_.push_back(system.t);
  for (const Parameter& parameter : system.parameters) names_.push_back(parameter.symbol);
  phi_xwz_ = symbolic::jacobian(generator.phi, movable).entries;
  Phi_xwz_ = symbolic::jacobian(generator.Phi, movable).entries;
  Phi_y_ = nonzero(generator.Phi_y);
  std::vector<Expr> outputs = generator.phi;
  outputs.insert(outputs.end(), generator.Phi.begin(), generator.Phi.end());
  for (const auto* slopes : {&phi_xwz_, &Phi_xwz_, &Phi_y_})
    for (const symbolic::Entry& slope : *slopes) outputs.push_back(slope.value);
  outputs_.emplace(outputs, names_);
  first_phi_ = beginnings(phi_xwz_, k_);
  first_Phi_ = beginnings(Phi_xwz_, m_);

  unit_.assign(size, 1.0);
  std::fill_n(unit_.begin(), n_, unit_of(start.first(n_)));
  std::fill_n(unit_.begin() + static_cast<std::ptrdiff_t>(n_), r_, unit_of(start.subspan(n_, r_)));
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto draw = [&](double spread, std::vector<Row>& into) {
    Row point(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(size));
    for (std::size_t i = 0; i < size; ++i)
      point[i] += spread * uniform(engine) * std::max(unit_[i], std::abs(point[i]));
    point.insert(point.end(), parameters.begin(), parameters.end());
    if (at(point)) into.push_back(std::move(point));
  };
  for (const double spread : spreads)
    for (std::size_t k = 0; k < draws_per_spread && drawn_.size() < wanted_draws; ++k) draw(spread, drawn_);
  for (std::size_t k = 0; k < wanted_draws; ++k) draw(close_spread, close_);
  if (2 * drawn_.size() < wanted_draws)
    throw Failed("constraints: the equations and their derivatives are finite at only " +
                     std::to_string(drawn_.size()) + " of " + std::to_string(std::size(spreads) * draws_per_spread) +
                     " points around the start",
                 "give a start inside their domain");
}

std::optional<Row> ConstraintPoints::values_at(const Row& point) const {
  auto values = (*outputs_)(point);
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) return std::nullopt;
  return values;
}

std::optional<PointValues> ConstraintPoints::at(const Row& point) const {
  const auto values = values_at(point);
  if (!values) return std::nullopt;
  auto next = values->begin();
  const auto take = [&](std::size_t count) {
    const auto first = next;
    next += static_cast<std::ptrdiff_t>(count);
    return Row(first, next);
  };
  const auto take_rows = [&](std::size_t count, std::size_t size, const std::vector<symbolic::Entry>& slopes) {
    std::vector<Row> rows(count, Row(size, 0.0));
    for (const symbolic::Entry& slope : slopes) rows[slope.row][slope.col] = *next++;
    return rows;
  };
  PointValues result;
  result.phi = take(k_);
  result.Phi = take(m_);
  result.phi_xwz = take_rows(k_, n_ + r_ + 1, phi_xwz_);
  result.Phi_xwz = take_rows(m_, n_ + r_ + 1, Phi_xwz_);
  result.Phi_y = take_rows(m_, r_, Phi_y_);
  return result;
}

SparseRow ConstraintPoints::slopes(const Equation& equation, const Row& values) const {
  const auto& entries = equation.velocity_free ? phi_xwz_ : Phi_xwz_;
  const auto& first = equation.velocity_free ? first_phi_ : first_Phi_;
  const std::size_t before = k_ + m_ + (equation.velocity_free ? 0 : phi_xwz_.size());
  SparseRow row;
  for (std::size_t e = first[equation.row]; e < first[equation.row + 1]; ++e) {
    row.col.push_back(entries[e].col);
    row.value.push_back(values[before + e]);
  }
  return row;
}

std::optional<Row> ConstraintPoints::solved(Row point, const std::vector<Equation>& equations, std::size_t first,
                                            std::size_t last, bool with_z) const {
  Row scale;
  for (int step = 0; step < most_steps; ++step) {
    const auto values = values_at(point);
    if (!values) return std::nullopt;
    std::vector<SparseRow> rows;
    Row target;
    double worst = 0;
    for (std::size_t k = 0; k < equations.size(); ++k) {
      SparseRow row = slopes(equations[k], *values);
      const double value = (*values)[equations[k].row + (equations[k].velocity_free ? 0 : k_)];
      for (std::size_t e = 0; e < row.col.size(); ++e)
        if ((row.col[e] < first || row.col[e] >= last) && !(with_z && row.col[e] == n_ + r_)) row.value[e] = 0;
      if (step == 0) scale.push_back(std::abs(value) + norm(row.value));
      if (value != 0) worst = std::max(worst, std::abs(value) / scale[k]);
      rows.push_back(std::move(row));
      target.push_back(-value);
    }
    const Row change = shortest_solution(rows, target, n_ + r_ + 1);
    double length = 0;
    for (std::size_t i = 0; i < change.size(); ++i) {
      length = std::max(length, std::abs(change[i]) / std::max(unit_[i], std::abs(point[i])));
      point[i] += change[i];
    }
    if (!std::isfinite(length)) return std::nullopt;
    if (length > small_step) continue;
    if (worst <= small_value) return point;
    return std::nullopt;  // stuck: no direction improves the remaining defect
  }
  return std::nullopt;
}

std::optional<Row> ConstraintPoints::moved(Row point, const std::vector<std::size_t>& rows, Freedom freedom,
                                           const std::vector<std::size_t>& positions) const {
  std::vector<Equation> free;
  std::vector<Equation> velocity;
  for (const std::size_t A : rows) {
    if (A < k_) free.push_back({A, true});
    velocity.push_back({A, false});
  }
  for (const std::size_t A : positions) free.push_back({A, true});
  if (freedom == Freedom::everything) {
    free.insert(free.end(), velocity.begin(), velocity.end());
    return solved(std::move(point), free, 0, n_ + r_, true);
  }
  const auto there = solved(std::move(point), free, 0, n_, true);
  return there ? solved(*there, velocity, n_, n_ + r_, false) : there;
}

}  // namespace herglotz::mechanics
