#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/mechanics/singular/implicit.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/factor.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "singular/constraint_set.hpp"
#include "singular/gauge_orbits.hpp"
#include "singular/solved_variables.hpp"

namespace herglotz::mechanics {
namespace {

/// Two branches count as equally near the start if their distances differ by less than this.
constexpr double same_distance = 1e-9;
constexpr std::size_t most_nodes = 20'000;
/// Of what simplification may do during one analysis. Models that people write use a small part of it; where it is
/// spent, constraints and directions are right and longer.
constexpr std::int64_t most_effort = 2'000'000;

/// Rows and columns of dG/dw in the order of elimination.
struct Pivots {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> cols;
};

Row start_of(const System& system, const ImplicitSystem& q, std::span<const double> parameters,
             std::span<const double> start) {
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  if (start.size() < n + r + 2 || parameters.size() != system.parameters.size())
    throw Refused("the start of a singular system: expected values of (x, y, z, t) and of every parameter");
  Row point(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(n));
  point.insert(point.end(), r, 0.0);
  point.push_back(start[n + r]);
  point.insert(point.end(), start.begin() + static_cast<std::ptrdiff_t>(n),
               start.begin() + static_cast<std::ptrdiff_t>(n + r));
  const auto multipliers = start.subspan(n + r + 2);
  for (std::size_t i = r; i < q.w.size(); ++i) point.push_back(i - r < multipliers.size() ? multipliers[i - r] : 0.0);
  point.push_back(start[n + r + 1]);
  return point;
}

/// Returns the variables in the order of solving: momenta and multipliers, then velocities, then x and z.
std::vector<Expr> order_of_solving(const System& system, const ImplicitSystem& q) {
  std::vector<Expr> order = system.p;
  order.insert(order.end(), q.w.begin() + static_cast<std::ptrdiff_t>(system.r()), q.w.end());
  order.insert(order.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  order.insert(order.end(), system.algebroid.x.begin(), system.algebroid.x.end());
  order.push_back(system.z);
  return order;
}

std::vector<Expr> symbols_of(const std::vector<Parameter>& parameters) {
  std::vector<Expr> symbols;
  for (const Parameter& parameter : parameters) symbols.push_back(parameter.symbol);
  return symbols;
}

/// Returns the start with the momenta that belong to its velocities, from which Gauss-Newton's method starts.
Row with_momenta(const System& system, const ImplicitSystem& q, Row point, std::span<const double> parameters) {
  std::vector<Expr> names = q.v;
  names.insert(names.end(), q.w.begin(), q.w.end());
  names.push_back(system.t);
  Row values = point;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    names.push_back(system.parameters[k].symbol);
    values.push_back(parameters[k]);
  }
  const Row rest = symbolic::evaluate({q.g.data(), system.r()}, names, values);
  for (std::size_t a = 0; a < system.r(); ++a)
    if (std::isfinite(rest[a])) point[system.n() + a] -= rest[a];
  return point;
}

class Algorithm {
 public:
  /// Variables are solved for in the given order; `start` is (v, w, t).
  Algorithm(const System& system, ImplicitSystem equations, const std::vector<Expr>& order,
            std::span<const double> parameters, const Row& start, std::uint64_t seed)
      : system_(system),
        equations_(std::move(equations)),
        set_(system, equations_, parameters, start, seed),
        solved_(order, symbols_of(system.parameters), {parameters.begin(), parameters.end()}) {
    result_.equations = equations_;
  }

  SingularAnalysis run(const std::vector<Expr>& gauge) {
    std::vector<Expr> first = equations_.g;
    first.insert(first.end(), gauge.begin(), gauge.end());
    for (const Expr& g : first) {
      if (set_.size() > 0 && set_.vanishes(solved_(g))) continue;
      if (!append(g, 1, {})) return std::move(result_);
    }
    while (differentiate())
      if (result_.contradiction) return std::move(result_);
    conclude();
    return std::move(result_);
  }

 private:
  /// Does one round over all constraints. Returns true if it gave new ones or a contradiction.
  bool differentiate() {
    pivots_ = pivots();
    bool grown = false;
    const std::size_t known = result_.constraints.size();
    for (std::size_t row = 0; row < known; ++row) {
      if (std::find(pivots_.rows.begin(), pivots_.rows.end(), row) != pivots_.rows.end()) continue;
      const std::size_t before = result_.constraints.size();
      if (!consider(solved_(rate_left_over(row)), result_.constraints[row].level + 1)) return true;
      grown = grown || result_.constraints.size() > before;
    }
    return grown;
  }

  Expr rate(std::size_t k) const {
    std::vector<Expr> along = equations_.v;
    along.push_back(system_.t);
    std::vector<Expr> rates = equations_.X;
    rates.push_back(system_.graph().number(std::int64_t{1}));
    const std::array<Expr, 1> f{result_.constraints[k].expression};
    return symbolic::directional_derivative(f, along, rates).front();
  }

  Expr slope(std::size_t row, std::size_t col) const { return set_.gradient(row)[equations_.v.size() + col]; }

  /// Returns dG_row/dt without the rates of w, which are eliminated by the pivots of the row's level and of lower
  /// levels.
  Expr rate_left_over(std::size_t row) const {
    Expr rest = rate(row);
    std::size_t count = 0;
    while (count < pivots_.rows.size() &&
           result_.constraints[pivots_.rows[count]].level <= result_.constraints[row].level)
      ++count;
    if (count == 0) return rest;
    Matrix transposed(count, count, system_.graph().number(std::int64_t{0}));
    Matrix right(count, 1, system_.graph().number(std::int64_t{0}));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) transposed(j, i) = slope(pivots_.rows[i], pivots_.cols[j]);
      right(i, 0) = slope(row, pivots_.cols[i]);
    }
    const auto factors = symbolic::solve_in_order(transposed, right).x;
    for (std::size_t i = 0; i < count; ++i)
      if (!factors(i, 0).is_zero()) rest -= factors(i, 0) * rate(pivots_.rows[i]);
    return rest;
  }

  /// Chooses pivots: rows of low level first, within a level by complete pivoting at the first point. All points must
  /// agree.
  Pivots pivots() const {
    const Point& at = set_.points().front();
    std::vector<Row> rows = set_.rows(at, true);
    const Row lengths = set_.lengths(at);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (lengths[k] > 0)
        for (double& entry : rows[k]) entry /= lengths[k];
    constexpr double zero = 1e-8;
    Pivots found;
    std::vector<bool> used(rows.size(), false);
    std::vector<bool> taken(equations_.w.size(), false);
    for (std::size_t level = 1; level <= result_.levels(); ++level) {
      while (true) {
        double largest = zero;
        std::size_t best_row = 0;
        std::size_t best_col = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (used[i] || result_.constraints[i].level != level) continue;
          for (std::size_t j = 0; j < taken.size(); ++j)
            if (!taken[j] && std::abs(rows[i][j]) > largest) {
              largest = std::abs(rows[i][j]);
              best_row = i;
              best_col = j;
            }
        }
        if (largest == zero) break;
        used[best_row] = taken[best_col] = true;
        found.rows.push_back(best_row);
        found.cols.push_back(best_col);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (used[i]) continue;
          const double share = rows[i][best_col] / rows[best_row][best_col];
          for (std::size_t j = 0; j < taken.size(); ++j) rows[i][j] -= share * rows[best_row][j];
        }
      }
    }
    for (const Point& point : set_.points()) {
      const Rank rank = rank_of(set_.rows(point, true), set_.lengths(point));
      if (!rank.clear || rank.value != found.rows.size())
        throw Undecided(
            "the rank of the constraints' derivatives by the velocities changes near " + set_.place(set_.start()),
            "start elsewhere");
    }
    return found;
  }

  bool contradict(Expr e, std::size_t level) {
    const Expr shown = symbolic::simplify(e);
    result_.contradiction = {level, shown, set_.value(shown, set_.points().front())};
    return false;
  }

  /// Adds the consequences of e = 0 to the set. Returns false if no point satisfies e = 0.
  bool consider(Expr e, std::size_t level) {
    const std::array<Expr, 1> output{e};
    if (system_.graph().reachable(output).size() > most_nodes)
      throw Undecided("the constraints of level " + std::to_string(level) + " are too long to be analysed");
    if (e.is_zero() || set_.vanishes(e)) return true;
    std::vector<std::pair<double, Expr>> candidates;
    std::vector<Expr> factors;
    for (const Expr& factor : symbolic::factors_of_numerator(symbolic::simplify(e, effort_)))
      if (depends_on_state(factor)) factors.push_back(factor);
    for (const Expr& factor : factors) {
      if (factors.size() == 1) {
        candidates.emplace_back(0.0, factor);
      } else if (const auto distance = set_.distance(factor)) {
        candidates.emplace_back(*distance, factor);
      }
    }
    if (candidates.empty()) return contradict(e, level);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (candidates.size() > 1 && candidates[1].first - candidates[0].first < same_distance)
      throw Undecided("the motion has branches, and the start is as near to " + symbolic::print(candidates[0].second) +
                          " = 0 as to " + symbolic::print(candidates[1].second) + " = 0",
                      "start on one of them alone");
    std::vector<Expr> branches;
    for (std::size_t k = 1; k < candidates.size(); ++k) branches.push_back(candidates[k].second);
    return append(candidates.front().second, level, branches);
  }

  bool append(Expr expression, std::size_t level, std::vector<Expr> branches) {
    const auto addition = set_.add(expression);
    if (addition == ConstraintSet::Addition::no_points) return contradict(expression, level);
    if (addition == ConstraintSet::Addition::ineffective)
      throw Undecided("constraint " + std::to_string(result_.constraints.size() + 1) + ", " +
                      symbolic::print(symbolic::simplify(expression)) +
                      " = 0, has no differential where it holds near " + set_.place(set_.start()) +
                      ": it is a square that was not factored");
    solved_.solve(expression);
    result_.constraints.push_back({level, expression, std::move(branches)});
    return true;
  }

  bool depends_on_state(Expr f) const {
    const auto depends = [&](const Expr& s) { return symbolic::depends_on(f, s); };
    return std::any_of(equations_.v.begin(), equations_.v.end(), depends) ||
           std::any_of(equations_.w.begin(), equations_.w.end(), depends);
  }

  void conclude() {
    const std::size_t m = equations_.w.size();
    const std::size_t rank = pivots_.rows.size();
    const Expr zero = system_.graph().number(std::int64_t{0});
    result_.dim_final = result_.dim_total() - result_.constraints.size();
    result_.pivots = pivots_.rows;
    std::vector<std::size_t> free;
    for (std::size_t j = 0; j < m; ++j)
      if (std::find(pivots_.cols.begin(), pivots_.cols.end(), j) == pivots_.cols.end()) free.push_back(j);
    Matrix pivot(rank, rank, zero);
    Matrix right(rank, 1 + free.size(), zero);
    for (std::size_t i = 0; i < rank; ++i) {
      for (std::size_t j = 0; j < rank; ++j) pivot(i, j) = slope(pivots_.rows[i], pivots_.cols[j]);
      right(i, 0) = -rate(pivots_.rows[i]);
      for (std::size_t k = 0; k < free.size(); ++k) right(i, 1 + k) = -slope(pivots_.rows[i], free[k]);
    }
    const Matrix rates = rank == 0 ? right : symbolic::solve_in_order(pivot, right).x;
    std::vector<Expr> w_dot(m, zero);
    for (std::size_t i = 0; i < rank; ++i) w_dot[pivots_.cols[i]] = rates(i, 0);
    for (std::size_t k = 0; k < free.size(); ++k) {
      result_.undetermined.push_back(equations_.w[free[k]]);
      std::vector<Expr> direction(m, zero);
      direction[free[k]] = system_.graph().number(std::int64_t{1});
      for (std::size_t i = 0; i < rank; ++i)
        direction[pivots_.cols[i]] = symbolic::simplify(solved_(rates(i, 1 + k)), effort_);
      result_.free.push_back(std::move(direction));
    }
    result_.dim_gauge_orbits = gauge_orbit_dimension(system_, result_, w_dot, set_, solved_);
  }

  const System& system_;
  ImplicitSystem equations_;
  ConstraintSet set_;
  SolvedVariables solved_;
  Pivots pivots_;
  symbolic::Effort effort_{most_effort};
  SingularAnalysis result_;
};

}  // namespace

std::size_t SingularAnalysis::levels() const {
  std::size_t most = contradiction ? contradiction->level : 0;
  for (const LevelConstraint& constraint : constraints) most = std::max(most, constraint.level);
  return most;
}

SingularAnalysis analyse_singular(const System& system, std::span<const double> parameters,
                                  std::span<const double> start, const std::vector<Expr>& gauge, std::uint64_t seed) {
  const ImplicitSystem q = implicit_system(system);
  const Row point = with_momenta(system, q, start_of(system, q, parameters, start), parameters);
  return Algorithm(system, q, order_of_solving(system, q), parameters, point, seed).run(gauge);
}

SingularAnalysis analyse_implicit(const System& system, const ImplicitSystem& equations, const std::vector<Expr>& order,
                                  std::span<const double> parameters, const std::vector<double>& start,
                                  std::uint64_t seed) {
  if (parameters.size() != system.parameters.size() || start.size() != equations.v.size() + equations.w.size() + 1)
    throw Refused("the start of implicit equations: expected values of (v, w, t) and of every parameter");
  return Algorithm(system, equations, order, parameters, start, seed).run({});
}

}  // namespace herglotz::mechanics
