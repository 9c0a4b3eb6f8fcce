#include "scale/sizes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "collocation.hpp"
#include "guess.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;
using linear::index;

constexpr double given_weight = 100;  ///< of a size that the problem gives, beside 1 of a balance
constexpr double hint_weight = 1e-3;  ///< of one that counts where nothing else says how large a state is
constexpr double tiny = 1e-3;         ///< in parts of what the problem asks for; such a given value is no size
constexpr int reweightings = 10;
constexpr std::size_t most_intervals = 40;  ///< of a guess that is measured
constexpr double largest_exponent = 300;

/// Returns the power of two next to exp(logarithm).
double power_of_two(double logarithm) {
  return std::exp2(std::clamp(std::round(logarithm / std::log(2.0)), -largest_exponent, largest_exponent));
}

/// Largest magnitudes along a path: values and derivatives of the rates and of the equations along the path.
struct Magnitudes {
  Vector value;
  Matrix slope;       ///< by (v, w)
  Vector cost_twice;  ///< second derivatives of the rate of the cost, halved, on the diagonal
};

Magnitudes magnitudes_of(const Setup& setup, const Path& path) {
  const Index rows = index(setup.d() + setup.along());
  const Index columns = index(setup.d() + setup.m());
  Magnitudes result{Vector::Zero(rows), Matrix::Zero(rows, columns), Vector::Zero(columns)};
  for (const Interval& interval : path.intervals) {
    std::vector<Stage> stages = interval.stages;
    for (Stage& stage : stages) {
      stage.P.assign(setup.d(), 0.0);
      stage.P[setup.form.cost()] = 1;
      stage.kappa.assign(setup.along(), 0.0);
    }
    const StageDerivatives e = derivatives_at(setup, stages, 1);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      const Matrix slope = e.J[k].leftCols(columns).cwiseAbs();
      const Vector twice = e.H[k].diagonal().head(columns).cwiseAbs() / 2;
      if (!e.f[k].allFinite() || !slope.allFinite() || !twice.allFinite()) continue;
      result.value = result.value.cwiseMax(e.f[k].cwiseAbs());
      result.slope = result.slope.cwiseMax(slope);
      result.cost_twice = result.cost_twice.cwiseMax(twice);
    }
  }
  return result;
}

/// Values and slopes of the functions at the ends of a path.
struct Ends {
  Vector value;
  Matrix slope;  ///< by (v(0), v(T), T)
};

Ends ends_of(const Setup& setup, const Path& path) {
  Values point = path.intervals.front().v0;
  const Values& last = path.intervals.back().v1;
  point.insert(point.end(), last.begin(), last.end());
  point.push_back(path.end() - path.start());
  Values values(setup.ends.functions());
  const auto& places = setup.ends.jacobian();
  Values entries(places.row.size());
  setup.ends.values(point, values);
  setup.ends.jacobian(point, entries);
  Ends result{Eigen::Map<Vector>(values.data(), index(values.size())).cwiseAbs(),
              Matrix::Zero(index(values.size()), index(point.size()))};
  for (std::size_t e = 0; e < entries.size(); ++e)
    result.slope(index(places.row[e]), index(places.col[e])) += std::abs(entries[e]);
  return result;
}

/// Linear equations for logarithms of sizes, which hold in the sense of least squares.
class Balances {
 public:
  /// Rows from `first_equation` on are of equations, in which two terms are the largest ones.
  Balances(std::size_t unknowns, std::size_t first_equation)
      : unknowns_(index(unknowns)), first_equation_(first_equation) {}

  struct Term {
    std::size_t unknown;
    double factor;
  };
  /// Adds sum factor * unknown = value.
  void equal(std::vector<Term> terms, double value, double weight = 1) {
    rows_.push_back({std::move(terms), value, weight, std::nullopt});
  }
  /// Adds that a row is as large as one of its terms: row - sum factor * unknown = log(magnitude). Terms much smaller
  /// than the largest of the row count little. Nothing is added if the magnitude is 0.
  void term(std::size_t row, std::vector<Term> factors, double magnitude) {
    if (!(magnitude > 0) || !std::isfinite(magnitude)) return;
    for (Term& one : factors) one.factor = -one.factor;
    factors.push_back({row, 1});
    rows_.push_back({std::move(factors), std::log(magnitude), 1, row});
  }

  [[nodiscard]] Vector solve() const {
    Vector solution = Vector::Zero(unknowns_);
    const auto excess_of = [&](const Row& row) {
      double excess = -row.value;
      for (const Term& one : row.terms) excess += one.factor * solution[index(one.unknown)];
      return excess;
    };
    for (int pass = 0; pass < reweightings; ++pass) {
      std::vector<Values> excesses(static_cast<std::size_t>(unknowns_));
      for (const Row& row : rows_)
        if (row.above) excesses[*row.above].push_back(excess_of(row));
      for (Values& one : excesses) std::sort(one.begin(), one.end());
      const auto least_of_large = [&](std::size_t row) {
        const Values& sorted = excesses[row];
        return sorted[std::min<std::size_t>(row < first_equation_ ? 0 : 1, sorted.size() - 1)];
      };
      Matrix A = Matrix::Zero(index(rows_.size()), unknowns_);
      Vector b(index(rows_.size()));
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        const Row& row = rows_[k];
        double weight = row.weight;
        if (row.above && pass > 0)
          weight /= 1 + std::max(0.0, excess_of(row) - std::max(0.0, least_of_large(*row.above)));
        for (const Term& one : row.terms) A(index(k), index(one.unknown)) += weight * one.factor;
        b[index(k)] = weight * row.value;
      }
      solution = linear::least_squares(A, b, 1e-8);
    }
    return solution;
  }

 private:
  struct Row {
    std::vector<Term> terms;
    double value;
    double weight;
    std::optional<std::size_t> above;  ///< the row of which this is a term
  };
  Index unknowns_;
  std::size_t first_equation_;
  std::vector<Row> rows_;
};

double largest(const Values& values) {
  double result = 0;
  for (const double value : values)
    if (std::isfinite(value)) result = std::max(result, std::abs(value));
  return result;
}

/// Sizes that the problem gives: by end values, bounds, and guessed values; 0 where it gives none.
struct Given {
  Values v;
  Values w;
  double time = 0;
};

Given given_by(const Setup& setup, const Path& guess) {
  Given given{Values(setup.d(), 0.0), Values(setup.m(), 0.0), 0};
  const control::Guess& from = setup.problem.guess;
  const auto is_guessed = [&](const control::Expr& symbol) {
    return from.values.contains(symbol.name()) || from.columns.contains(symbol.name()) || from.iterate.has_value();
  };
  for (std::size_t i = 0; i < setup.d(); ++i) {
    given.v[i] = largest({setup.initial[i].value_or(0), setup.final[i].value_or(0)});
    if (!is_guessed(setup.form.v[i])) continue;
    for (const Interval& interval : guess.intervals) given.v[i] = largest({given.v[i], interval.v0[i], interval.v1[i]});
  }
  for (std::size_t j = 0; j < setup.m(); ++j) {
    given.w[j] = largest({setup.lower[j], setup.upper[j]});
    if (given.w[j] > 0 || !is_guessed(setup.form.w[j])) continue;
    for (const Interval& interval : guess.intervals)
      for (const Stage& stage : interval.stages) given.w[j] = largest({given.w[j], stage.w[j]});
  }
  if (setup.duration || from.duration || std::isfinite(setup.longest)) given.time = guessed_duration(setup);
  return given;
}

/// Returns the weights of the sizes that the problem gives to states. A value that is tiny beside what the other values
/// and the equations ask for, as of a coordinate that returns almost to 0, says no more of a size than 0 does, and has
/// none. The balances of sizes by given weights are asked with little weight of all values that may be tiny.
/// If the duration is free, its guess may ask for too much of all, so that not all values lose their weight.
template <class Balanced>
Values weights_of_given(const Values& given, bool is_free, const Balanced& balanced) {
  Values weight(given.size(), hint_weight);
  const double most = std::log(1 / tiny);
  for (bool settled = false; !settled;) {
    const Vector sizes = balanced(weight);
    const auto excess = [&](std::size_t i) { return sizes[index(i)] - std::log(given[i]); };
    settled = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i] == 0 || weight[i] == given_weight || excess(i) > 1) continue;
      weight[i] = given_weight;
      settled = false;
    }
    if (!settled) continue;
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i] > 0 && weight[i] != given_weight) weight[i] = excess(i) < most ? given_weight : 0;
  }
  const bool has_size = std::find(weight.begin(), weight.end(), given_weight) != weight.end();
  return is_free && !has_size ? Values(given.size(), given_weight) : weight;
}

/// Returns the setup with 0 in place of end values that have no weight. A guess between such values would have tiny
/// slopes. Returns `std::nullopt` if all end values have a weight.
std::optional<Setup> without_tiny_ends(const Setup& setup, const Values& given, const Values& weights) {
  std::optional<Setup> result;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == 0 || weights[i] > 0 || largest({setup.initial[i].value_or(0), setup.final[i].value_or(0)}) == 0)
      continue;
    if (!result) result.emplace(setup);
    if (setup.initial[i]) result->initial[i] = 0;
    if (setup.final[i]) result->final[i] = 0;
  }
  return result;
}

/// Returns for each function of the path or the ends the largest of its terms.
double row_size(const Vector& slopes, const Vector& sizes, double otherwise) {
  const double size = slopes.cwiseProduct(sizes).maxCoeff();
  return size > 0 && std::isfinite(size) ? power_of_two(std::log(size)) : otherwise;
}

Vector joined(const Values& a, const Values& b) {
  Vector result(index(a.size() + b.size()));
  std::copy(a.begin(), a.end(), result.data());
  std::copy(b.begin(), b.end(), result.data() + a.size());
  return result;
}

/// Sets the sizes of equations, inequalities and conditions from those of states, variables and time.
void size_rows(const Setup& setup, const Magnitudes& path, const Ends& ends, Units& units) {
  const Vector inputs = joined(units.v, units.w);
  for (std::size_t j = 0; j < setup.along(); ++j)
    units.along[j] = row_size(path.slope.row(index(setup.d() + j)).transpose(), inputs, 1);
  Vector at_ends(2 * index(setup.d()) + 1);
  at_ends << joined(units.v, units.v), units.time;
  for (std::size_t j = 0; j < setup.conditions(); ++j)
    units.conditions[j] = row_size(ends.slope.row(index(j + 1)).transpose(), at_ends, 1);
}

}  // namespace

Units sizes_of(const Setup& setup) {
  const Path guess = guessed_path(setup, Collocation(2), uniform_mesh(setup, most_intervals));
  const Magnitudes path = magnitudes_of(setup, guess);
  const Ends ends = ends_of(setup, guess);
  const Given given = given_by(setup, guess);
  const std::size_t d = setup.d();
  const std::size_t inputs = d + setup.m();
  const std::size_t rows = inputs;  // the rows of rates, then of what holds along the path, follow the inputs
  const std::size_t time = rows + d + setup.equations();
  const std::size_t cost = setup.form.cost();
  const auto balanced = [&](const Values& weight) {
    Balances balances(time + 1, rows + d);
    for (std::size_t i = 0; i < d + setup.equations(); ++i) {
      if (i < d) {
        balances.equal({{rows + i, 1}, {i, -1}, {time, 1}}, 0);
        balances.term(rows + i, {}, path.value[index(i)]);
      }
      for (std::size_t j = 0; j < inputs; ++j) balances.term(rows + i, {{j, 1}}, path.slope(index(i), index(j)));
    }
    for (std::size_t j = 0; j < inputs; ++j) balances.term(rows + cost, {{j, 2}}, path.cost_twice[index(j)]);
    for (std::size_t j = 0; j < d; ++j)
      balances.term(cost, {{j, 1}}, std::max(ends.slope(0, index(j)), ends.slope(0, index(d + j))));
    balances.term(cost, {{time, 1}}, ends.slope(0, index(2 * d)));
    for (std::size_t i = 0; i < d; ++i)
      if (given.v[i] > 0 && weight[i] > 0) balances.equal({{i, 1}}, std::log(given.v[i]), weight[i]);
    for (std::size_t j = 0; j < setup.m(); ++j)
      if (given.w[j] > 0) balances.equal({{d + j, 1}}, std::log(given.w[j]), given_weight);
    if (given.time > 0) balances.equal({{time, 1}}, std::log(given.time), given_weight);
    return balances.solve();
  };
  const Values weights = weights_of_given(given.v, !setup.duration, balanced);
  if (const auto with_zeros = without_tiny_ends(setup, given.v, weights)) return sizes_of(*with_zeros);
  const Vector sizes = balanced(weights);
  Units units = no_units(d, setup.m(), setup.along(), setup.conditions());
  for (std::size_t i = 0; i < d; ++i) units.v[i] = power_of_two(sizes[index(i)]);
  for (std::size_t j = 0; j < setup.m(); ++j) units.w[j] = power_of_two(sizes[index(d + j)]);
  units.time = power_of_two(sizes[index(time)]);
  size_rows(setup, path, ends, units);
  return units;
}

Units sizes_along(const Setup& setup, const Path& path, double least) {
  Units units = no_units(setup.d(), setup.m(), setup.along(), setup.conditions());
  const auto measure = [least](double& unit, double size) {
    if (size > least && std::isfinite(size)) unit = power_of_two(std::log(size));
  };
  Values v(setup.d(), 0.0);
  Values w(setup.m(), 0.0);
  for (const Interval& interval : path.intervals) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = largest({v[i], interval.v0[i], interval.v1[i]});
    for (const Stage& stage : interval.stages)
      for (std::size_t j = 0; j < w.size(); ++j) w[j] = largest({w[j], stage.w[j]});
  }
  for (std::size_t j = 0; j < w.size(); ++j)
    if (setup.is_linear(j) && std::isfinite(setup.upper[j] - setup.lower[j]))
      w[j] = largest({w[j], setup.lower[j], setup.upper[j]});
  const Ends ends = ends_of(setup, path);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double slope = std::max(ends.slope(0, index(i)), ends.slope(0, index(setup.d() + i)));
    if (i != setup.form.cost() && setup.has_bounds()) v.back() = largest({v.back(), slope * v[i]});
  }
  for (std::size_t i = 0; i < v.size(); ++i) measure(units.v[i], v[i]);
  for (std::size_t j = 0; j < w.size(); ++j) measure(units.w[j], w[j]);
  measure(units.time, path.end() - path.start());
  size_rows(setup, magnitudes_of(setup, path), ends, units);
  return units;
}

}  // namespace herglotz::solve
