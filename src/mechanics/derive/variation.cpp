#include "herglotz/mechanics/variation.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Matrix;

/// Returns independent rows of the columns `unknown` of rho at the path, one for each column if there are as many. They
/// are chosen by elimination at the first of a few times at which rho is finite.
std::vector<std::size_t> pivot_rows(const System& system, const Matrix& rho, const std::vector<std::size_t>& unknown) {
  std::vector<Expr> symbols{system.t};
  std::vector<double> values{0};
  for (const Parameter& parameter : system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  constexpr double smallest = 1e-9;
  std::vector<std::size_t> best;
  for (const double t : {0.3711, 1.2345, 0.0617, 2.7013, -0.4159}) {
    values.front() = t;
    const auto entries = symbolic::evaluate(rho.entries, symbols, values);
    if (!std::all_of(entries.begin(), entries.end(), [](double v) { return std::isfinite(v); })) continue;
    auto a = entries;
    std::vector<std::size_t> rows;
    for (const std::size_t column : unknown) {
      std::size_t row = rho.rows;
      for (std::size_t i = 0; i < rho.rows; ++i) {
        if (std::find(rows.begin(), rows.end(), i) != rows.end()) continue;
        if (row == rho.rows || std::abs(a[i * rho.cols + column]) > std::abs(a[row * rho.cols + column])) row = i;
      }
      if (row == rho.rows || std::abs(a[row * rho.cols + column]) < smallest) break;
      for (std::size_t i = 0; i < rho.rows; ++i) {
        if (i == row || std::find(rows.begin(), rows.end(), i) != rows.end()) continue;
        const double factor = a[i * rho.cols + column] / a[row * rho.cols + column];
        for (std::size_t j = 0; j < rho.cols; ++j) a[i * rho.cols + j] -= factor * a[row * rho.cols + j];
      }
      rows.push_back(row);
    }
    if (rows.size() > best.size()) best = rows;
    if (best.size() == unknown.size()) break;
  }
  std::sort(best.begin(), best.end());
  return best;
}

std::string listed(const System& system, const std::vector<std::size_t>& fibre) {
  std::string text;
  for (const std::size_t a : fibre) text += (text.empty() ? "" : ", ") + std::string(system.algebroid.y[a].name());
  return text;
}

}  // namespace

AlgebroidPath complete_path(const System& system, const std::vector<Expr>& x,
                            const std::vector<std::optional<Expr>>& y) {
  const auto& e = system.algebroid;
  if (x.size() != e.n() || (!y.empty() && y.size() != e.r()))
    throw Refused("path: one expression for each coordinate is needed");
  AlgebroidPath path{x, std::vector<Expr>(e.r(), system.graph().number(std::int64_t{0}))};
  std::vector<std::size_t> unknown;
  for (std::size_t a = 0; a < e.r(); ++a)
    if (!y.empty() && y[a])
      path.y[a] = *y[a];
    else
      unknown.push_back(a);
  if (unknown.empty()) return path;
  Matrix rho = e.rho;
  for (Expr& entry : rho.entries) entry = symbolic::substitute(symbolic::expand_lets(entry), e.x, x);
  const auto rows = pivot_rows(system, rho, unknown);
  if (rows.size() != unknown.size())
    throw Refused("the anchor does not give " + listed(system, unknown) + " from the base coordinates",
                  "add expressions for " + listed(system, unknown));
  Matrix square(rows.size(), rows.size(), system.graph().number(std::int64_t{0}));
  Matrix right(rows.size(), 1, square.entries.front());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    right(i, 0) = derivative(x[rows[i]], system.t);
    for (std::size_t a = 0; a < e.r(); ++a) right(i, 0) -= rho(rows[i], a) * path.y[a];
    for (std::size_t j = 0; j < unknown.size(); ++j) square(i, j) = rho(rows[i], unknown[j]);
  }
  const auto inverse = square.rows <= geometry::cofactor_size ? geometry::inverse_if_regular(square) : std::nullopt;
  const Matrix solved = inverse ? multiply(*inverse, right) : symbolic::solve(square, right);
  for (std::size_t j = 0; j < unknown.size(); ++j) path.y[unknown[j]] = solved(j, 0);
  return path;
}

std::vector<Expr> admissibility_defects(const System& system, const std::vector<Expr>& x_dot) {
  std::vector<Expr> defects = x_dot;
  if (system.n() == 0) return defects;
  const auto velocity = multiply(system.algebroid.rho, system.algebroid.y);
  for (std::size_t i = 0; i < defects.size(); ++i) defects[i] -= velocity[i];
  return defects;
}

Variation variation(const System& system, const std::vector<Expr>& s, const std::vector<Expr>& s_dot) {
  const auto& e = system.algebroid;
  Variation v;
  if (e.n() > 0) v.x = multiply(e.sigma, s);
  v.y = s_dot;
  for (const auto& [place, value] : e.c.nonzero()) {
    const auto& [k, i, j] = place;
    v.y[k] += value * e.y[i] * s[j];
  }
  return v;
}

Expr varied(const System& system, const Expr& f, const Variation& variation) {
  std::vector<Expr> along = system.algebroid.x;
  along.insert(along.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  std::vector<Expr> rates = variation.x;
  rates.insert(rates.end(), variation.y.begin(), variation.y.end());
  return symbolic::directional_derivative(std::vector<Expr>{f}, along, rates).front();
}

EulerLagrange euler_lagrange(const System& system) {
  if (system.formulation == Formulation::hamiltonian)
    throw Refused("the Euler-Lagrange operator needs a Lagrangian, and this system has a Hamiltonian");
  System free = system;
  free.constraints = {};
  const Equations q = derive(free);
  EulerLagrange operator_;
  for (const Expr& y : system.algebroid.y) {
    const std::string name = std::string(y.name()) + "_dot";
    for (const auto* names : {&system.algebroid.x, &system.algebroid.y})
      for (const Expr& taken : *names)
        if (taken.name() == name) throw Refused("the name " + name + " of a rate is taken", "rename it");
    for (const Parameter& parameter : system.parameters)
      if (parameter.symbol.name() == name)
        throw Refused("the name " + name + " of a rate is taken", "rename the parameter");
    operator_.y_dot.push_back(system.graph().symbol(name));
  }
  operator_.rows = multiply(q.W, operator_.y_dot);
  for (std::size_t j = 0; j < system.r(); ++j) operator_.rows[j] -= q.b[j];
  return operator_;
}

}  // namespace herglotz::mechanics
