#include <algorithm>
#include <iterator>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "programs/programs.hpp"

namespace herglotz::mechanics {
namespace {

bool changes(const Expr& e, const Equations& q) {
  const auto depends = [&](const Expr& s) { return symbolic::depends_on(e, s); };
  return std::any_of(q.u.begin(), q.u.end(), depends) || std::any_of(q.l.begin(), q.l.end(), depends);
}

/// The largest cost of elimination by straight-line code: that of a dense system of `motion_rank` rows.
constexpr std::size_t largest_cost = motion_rank * motion_rank * motion_rank / 3;

/// Returns the number of products that elimination in the order of the rows takes, or a number above `largest_cost` if
/// there are more. Only places that are not zero, or become so, count.
std::size_t elimination_cost(const Matrix& K) {
  std::vector<std::vector<std::size_t>> rows(K.rows);  // the columns right of the diagonal
  std::vector<std::vector<std::size_t>> below(K.cols);
  for (std::size_t i = 0; i < K.rows; ++i)
    for (std::size_t j = 0; j < K.cols; ++j)
      if (!K(i, j).is_zero()) {
        rows[i].push_back(j);
        if (i > j) below[j].push_back(i);
      }
  std::size_t cost = 0;
  for (std::size_t k = 0; k < K.rows && cost <= largest_cost; ++k) {
    const auto right = std::upper_bound(rows[k].begin(), rows[k].end(), k);
    cost += below[k].size() * static_cast<std::size_t>(rows[k].end() - right);
    for (const std::size_t i : below[k]) {
      std::vector<std::size_t> filled;
      std::set_difference(right, rows[k].end(), rows[i].begin(), rows[i].end(), std::back_inserter(filled));
      for (const std::size_t j : filled) {
        rows[i].insert(std::upper_bound(rows[i].begin(), rows[i].end(), j), j);
        if (i > j) below[j].insert(std::upper_bound(below[j].begin(), below[j].end(), i), i);
      }
    }
  }
  return cost;
}

/// Rates (w_dot, ell), and the ratio of each pivot to the diagonal entry of W it comes from, if elimination changed it.
struct Rates {
  std::vector<Expr> values;
  std::vector<Expr> checks;
};

Rates rates_of(const System& system, const Equations& q) {
  Rates rates;
  if (q.b.empty()) return rates;
  const Matrix K = saddle_matrix(system, q);
  if (elimination_cost(K) > largest_cost)
    throw Refused("its accelerations and multipliers are " + std::to_string(K.rows) +
                  ", and straight-line code solves for at most " + std::to_string(motion_rank) +
                  " unless their matrix is sparse");
  auto solved = symbolic::solve_in_order(K, column(saddle_right_side(q)));
  rates.values = std::move(solved.x.entries);
  for (std::size_t a = 0; a < q.b.size(); ++a)
    if (!(solved.pivots[a] == q.W(a, a))) rates.checks.push_back(solved.pivots[a] / q.W(a, a));
  return rates;
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
    variables.push_back(system.graph().symbol("g(" + laws[k].name + ")"));
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
