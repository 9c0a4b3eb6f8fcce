#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "programs/held_blocks.hpp"
#include "programs/programs.hpp"

namespace herglotz::mechanics {
namespace {

bool changes(const Expr& e, const Equations& q) {
  const auto depends = [&](const Expr& s) { return symbolic::depends_on(e, s); };
  return std::any_of(q.u.begin(), q.u.end(), depends) || std::any_of(q.l.begin(), q.l.end(), depends);
}

/// The largest cost of elimination by straight-line code: that of a dense system of `motion_rank` rows.
constexpr std::size_t largest_cost = motion_rank * motion_rank * motion_rank / 3;

/// What elimination in the order of the rows takes.
struct Cost {
  std::size_t products = 0;  ///< a number above `largest_cost` if there are more
  bool fills = false;        ///< whether places that are zero are filled
};

/// Returns the cost of elimination. Only places that are not zero, or become so, count.
Cost elimination_cost(const Matrix& K) {
  std::vector<std::vector<std::size_t>> rows(K.rows);  // the columns right of the diagonal
  std::vector<std::vector<std::size_t>> below(K.cols);
  for (std::size_t i = 0; i < K.rows; ++i)
    for (std::size_t j = 0; j < K.cols; ++j)
      if (!K(i, j).is_zero()) {
        rows[i].push_back(j);
        if (i > j) below[j].push_back(i);
      }
  Cost cost;
  for (std::size_t k = 0; k < K.rows && cost.products <= largest_cost; ++k) {
    const auto right = std::upper_bound(rows[k].begin(), rows[k].end(), k);
    cost.products += below[k].size() * static_cast<std::size_t>(rows[k].end() - right);
    for (const std::size_t i : below[k]) {
      std::vector<std::size_t> filled;
      std::set_difference(right, rows[k].end(), rows[i].begin(), rows[i].end(), std::back_inserter(filled));
      cost.fills = cost.fills || !filled.empty();
      for (const std::size_t j : filled) {
        rows[i].insert(std::upper_bound(rows[i].begin(), rows[i].end(), j), j);
        if (i > j) below[j].insert(std::upper_bound(below[j].begin(), below[j].end(), i), i);
      }
    }
  }
  return cost;
}

/// Rates (w_dot, ell), and the ratio of each pivot to the diagonal entry of W it comes from, if elimination changed it.
/// Accelerations that constraints give have no such pivot.
struct Rates {
  std::vector<Expr> values;
  std::vector<Expr> checks;
};

/// Orders in which the rows and columns of a saddle-point matrix are eliminated.
struct Order {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> cols;
  std::size_t held = 0;  ///< accelerations that constraints give; they go first, then their multipliers
};

/// Returns the place of the acceleration that a row gives alone: its only entry, a number or one of parameters. Returns
/// the number of columns if there is none: what depends on the state may vanish where the constraints are singular.
std::size_t given_by(const Matrix& rows, std::size_t row, const Equations& q) {
  std::vector<std::size_t> entries;
  for (std::size_t a = 0; a < rows.cols; ++a)
    if (!rows(row, a).is_zero()) entries.push_back(a);
  return entries.size() == 1 && !changes(rows(row, entries.front()), q) ? entries.front() : rows.cols;
}

/// A constraint, and an acceleration that it gives once those before it are known.
struct Given {
  std::size_t constraint = 0;
  std::size_t acceleration = 0;
};

/// Returns the order in which the constraints that are left give as many accelerations together, with numbers alone:
/// that of elimination with the largest pivots. Returns nothing if they do not give them all.
std::vector<Given> given_together(const Matrix& rows, const std::vector<bool>& placed, const Equations& q) {
  constexpr double least_pivot = 1e-3;  // beside the largest
  std::vector<std::vector<double>> left;
  std::vector<std::size_t> constraints;
  std::set<std::size_t> accelerations;
  for (std::size_t A = 0; A < rows.rows; ++A) {
    const std::span<const Expr> row(&rows.entries[A * rows.cols], rows.cols);
    if (placed[rows.cols + A] || !symbolic::free_symbols(row).empty()) continue;
    // Multipliers are found from the same coefficients, in the same order.
    const auto begin = static_cast<std::ptrdiff_t>(A * rows.cols);
    if (!std::equal(q.Phi_w.entries.begin() + begin,
                    q.Phi_w.entries.begin() + begin + static_cast<std::ptrdiff_t>(rows.cols),
                    q.Phi_y.entries.begin() + begin))
      continue;
    const std::vector<double> values = symbolic::evaluate(row, {}, {});
    for (std::size_t a = 0; a < rows.cols; ++a)
      if (values[a] != 0) accelerations.insert(a);
    left.push_back(values);
    constraints.push_back(A);
  }
  if (constraints.size() < 2 || constraints.size() != accelerations.size()) return {};
  std::vector<Given> order;
  double first = 0;
  while (!left.empty()) {
    std::size_t k = 0;
    std::size_t at = *accelerations.begin();
    for (std::size_t i = 0; i < left.size(); ++i)
      for (const std::size_t a : accelerations)
        if (std::abs(left[i][a]) > std::abs(left[k][at])) {
          k = i;
          at = a;
        }
    const std::vector<double> row = left[k];
    first = std::max(first, std::abs(row[at]));
    if (!(std::abs(row[at]) > least_pivot * first)) return {};
    order.push_back({constraints[k], at});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
    constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(k));
    accelerations.erase(at);
    for (auto& other : left)
      for (const std::size_t a : accelerations) other[a] -= other[at] / row[at] * row[a];
  }
  return order;
}

/// Returns the order in which accelerations that constraints give are found from these alone, and not as sums of forces
/// that cancel: what is held at rest has the acceleration 0 to the last bit, whatever its mass. The other rows and
/// columns keep their order.
Order constraints_first(const Matrix& K, const Equations& q) {
  const std::size_t r = q.b.size();
  const Expr none = K.entries.front().graph().number(std::int64_t{0});
  Matrix rows(K.rows - r, r, none);
  for (std::size_t A = 0; A < rows.rows; ++A)
    for (std::size_t a = 0; a < r; ++a) rows(A, a) = K(r + A, a);
  std::vector<std::size_t> given;  // the constraints, in the order of the accelerations that they give
  std::vector<std::size_t> first;
  std::vector<bool> placed(K.rows, false);
  // A constraint that gives none at first may have one acceleration left in it once others are eliminated.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t A = 0; A < rows.rows; ++A) {
      const std::size_t a = placed[r + A] ? r : given_by(rows, A, q);
      if (a == r) continue;
      given.push_back(r + A);
      first.push_back(a);
      placed[r + A] = placed[a] = more = true;
      for (std::size_t B = 0; B < rows.rows; ++B)
        if (B != A) rows(B, a) = none;
    }
  }
  for (const Given& one : given_together(rows, placed, q)) {
    given.push_back(r + one.constraint);
    first.push_back(one.acceleration);
    placed[r + one.constraint] = placed[one.acceleration] = true;
  }
  Order order{given, first, given.size()};
  order.rows.insert(order.rows.end(), first.begin(), first.end());
  order.cols.insert(order.cols.end(), given.begin(), given.end());
  for (std::size_t i = 0; i < K.rows; ++i)
    if (!placed[i]) {
      order.rows.push_back(i);
      order.cols.push_back(i);
    }
  return order;
}

/// Returns rows of the symmetric matrix W so that each is one with the fewest others in its equation when it is
/// eliminated (minimum degree [GL89]), up to where this takes more than `largest_cost` products. Machines that branch
/// are so eliminated from the tips of their limbs, which fills nothing.
std::vector<std::size_t> fewest_neighbours_first(const Matrix& W, const std::vector<std::size_t>& rows) {
  std::vector<std::set<std::size_t>> neighbours(W.rows);
  for (const std::size_t i : rows)
    for (const std::size_t j : rows)
      if (i != j && !W(i, j).is_zero()) neighbours[i].insert(neighbours[i].end(), j);
  std::set<std::size_t> left(rows.begin(), rows.end());
  std::vector<std::size_t> result;
  for (std::size_t products = 0; !left.empty() && products <= largest_cost;) {
    const std::size_t next = *std::min_element(left.begin(), left.end(), [&](std::size_t i, std::size_t j) {
      return neighbours[i].size() < neighbours[j].size();
    });
    left.erase(next);
    result.push_back(next);
    products += neighbours[next].size() * neighbours[next].size();
    for (const std::size_t i : neighbours[next]) {
      neighbours[i].insert(neighbours[next].begin(), neighbours[next].end());
      neighbours[i].erase(i);
      neighbours[i].erase(next);
    }
  }
  result.insert(result.end(), left.begin(), left.end());
  return result;
}

/// Returns the order with the free accelerations so that elimination takes fewer products.
Order with_fewest_neighbours_first(const Order& order, const Equations& q) {
  const auto first = static_cast<std::ptrdiff_t>(2 * order.held);
  const auto last = first + static_cast<std::ptrdiff_t>(q.b.size() - order.held);
  const auto sorted = fewest_neighbours_first(q.W, {order.rows.begin() + first, order.rows.begin() + last});
  Order result = order;
  std::copy(sorted.begin(), sorted.end(), result.rows.begin() + first);
  std::copy(sorted.begin(), sorted.end(), result.cols.begin() + first);
  return result;
}

Matrix ordered(const Matrix& K, const Order& order) {
  Matrix result = K;
  for (std::size_t i = 0; i < K.rows; ++i)
    for (std::size_t j = 0; j < K.cols; ++j) result(i, j) = K(order.rows[i], order.cols[j]);
  return result;
}

Rates eliminated(const System& system, const Equations& q) {
  Rates rates;
  const Matrix saddle = saddle_matrix(system, q);
  Order order = constraints_first(saddle, q);
  Matrix K = ordered(saddle, order);
  Cost cost = elimination_cost(K);
  const auto take_if_cheaper = [&](const Order& other) {
    Matrix again = ordered(saddle, other);
    const Cost its = elimination_cost(again);
    if (its.products >= cost.products) return;
    order = other;
    K = std::move(again);
    cost = its;
  };
  // Every order that fills nothing takes the same number of products, so others are of no use then.
  if (cost.fills) take_if_cheaper(with_fewest_neighbours_first(order, q));
  if (cost.products > largest_cost) {
    std::vector<std::size_t> natural = order.cols;
    std::sort(natural.begin(), natural.end());
    take_if_cheaper({natural, natural, 0});
  }
  if (cost.products > largest_cost)
    throw Refused("its accelerations and multipliers are " + std::to_string(K.rows) +
                  ", and straight-line code solves for at most " + std::to_string(motion_rank) +
                  " unless their matrix is sparse");
  const std::vector<Expr> right = saddle_right_side(q);
  std::vector<Expr> sides;
  for (const std::size_t row : order.rows) sides.push_back(right[row]);
  const auto solved = symbolic::solve_in_order(K, column(sides));
  rates.values = right;
  for (std::size_t i = 0; i < K.cols; ++i) rates.values[order.cols[i]] = solved.x.entries[i];
  for (std::size_t i = 2 * order.held; i < K.cols; ++i) {
    const std::size_t a = order.cols[i];
    if (a < q.b.size() && !(solved.pivots[i] == q.W(a, a))) rates.checks.push_back(solved.pivots[i] / q.W(a, a));
  }
  return rates;
}

Rates rates_of(const System& system, const Equations& q) {
  if (q.b.empty()) return {};
  std::vector<Expr> checks;
  const auto of_block = [&](const Matrix& A, const Matrix& b) { return solve_by_minors(A, b, checks); };
  const auto of_rest = [&](const Equations& rest) {
    const Rates rates = eliminated(system, rest);
    checks.insert(checks.end(), rates.checks.begin(), rates.checks.end());
    return rates.values;
  };
  std::vector<Expr> values = rates_by_blocks(q, moving_blocks(q), of_block, of_rest);
  return {std::move(values), std::move(checks)};
}

}  // namespace

MotionProgram motion_program(const System& system, const Equations& q, const std::vector<BalanceLaw>& laws) {
  MotionProgram motion;
  const auto rates = rates_of(system, q);
  const std::vector<Expr> ell(rates.values.end() - static_cast<std::ptrdiff_t>(q.m()), rates.values.end());
  std::vector<Expr> variables(q.u.begin(), q.u.end() - 1);
  std::vector<Expr> outputs = q.x_dot;
  outputs.insert(outputs.end(), rates.values.begin(), rates.values.end() - static_cast<std::ptrdiff_t>(q.m()));
  outputs.push_back(q.L);
  if (q.rule == Rule::vakonomic) {
    variables.insert(variables.end(), q.l.begin(), q.l.end());
    outputs.insert(outputs.end(), ell.begin(), ell.end());
  }
  const auto on_motion = [&](const Expr& e) {
    return q.rule == Rule::nonholonomic ? symbolic::substitute(std::vector<Expr>{e}, q.l, ell).front() : e;
  };
  motion.factor = changes(q.L_z, q);
  if (motion.factor) {
    variables.push_back(system.graph().symbol("log(lambda)"));
    outputs.push_back(-on_motion(q.L_z));
  }
  std::vector<Expr> scales;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].source.is_zero()) continue;
    motion.laws.push_back(k);
    // Work, loss and drive of a contact have one name.
    Expr budget = system.graph().symbol("g(" + laws[k].name + ")");
    if (std::find(variables.begin(), variables.end(), budget) != variables.end())
      budget = system.graph().symbol("g_" + std::to_string(k) + "(" + laws[k].name + ")");
    variables.push_back(budget);
    outputs.push_back(on_motion(q.L_z) * variables.back() + on_motion(laws[k].source));
    scales.push_back(on_motion(laws[k].scale));
  }
  variables.push_back(q.u.back());
  outputs.insert(outputs.end(), scales.begin(), scales.end());
  outputs.insert(outputs.end(), rates.checks.begin(), rates.checks.end());
  motion.checks = rates.checks.size();
  motion.program = program(system, q, "motion", std::move(outputs));
  motion.program.variables = std::move(variables);
  return motion;
}

std::vector<std::size_t> needed_entries(const MotionProgram& motion, std::vector<bool> wanted) {
  const auto& [name, graph, variables, parameters, outputs] = motion.program;
  const std::size_t size = variables.size() - 1;
  const auto need = [&](const Expr& e) {
    bool more = false;
    for (std::size_t j = 0; j < size; ++j) {
      if (wanted[j] || !symbolic::depends_on(e, variables[j])) continue;
      wanted[j] = true;
      more = true;
    }
    return more;
  };
  for (std::size_t k = outputs.size() - motion.checks; k < outputs.size(); ++k) need(outputs[k]);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t e = 0; e < size; ++e) more = (wanted[e] && need(outputs[e])) || more;
  }
  std::vector<std::size_t> places;
  for (std::size_t e = 0; e < size; ++e)
    if (wanted[e]) places.push_back(e);
  return places;
}

}  // namespace herglotz::mechanics
