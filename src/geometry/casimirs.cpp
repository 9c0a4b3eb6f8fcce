#include "herglotz/geometry/casimirs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "herglotz/geometry/null_space.hpp"
#include "herglotz/geometry/subspace.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::geometry {
namespace {

using Vector = std::vector<double>;
using Term = QuadraticCasimir::Term;

constexpr std::size_t most_coordinates = 12;
constexpr double casimir_tolerance = 1e-9;

/// A point of the base and the columns of the anchor there.
struct AnchorAt {
  Vector x;
  std::vector<Vector> columns;  // r vectors of n components
};

std::vector<AnchorAt> anchors_around(const Algebroid& e, std::span<const Expr> symbols, std::span<const double> values,
                                     std::span<const double> centre, std::size_t wanted) {
  std::vector<Expr> all = e.x;
  all.insert(all.end(), symbols.begin(), symbols.end());
  std::mt19937_64 random(3);
  std::vector<AnchorAt> found;
  for (std::size_t draw = 0; draw < 4 * wanted && found.size() < wanted; ++draw) {
    AnchorAt at;
    for (const double c : centre)
      at.x.push_back(c + (1 + std::abs(c)) * (std::ldexp(static_cast<double>(random() >> 11U), -52) - 1));
    Vector point = at.x;
    point.insert(point.end(), values.begin(), values.end());
    const auto rho = symbolic::evaluate(e.rho.entries, all, point);
    if (!std::all_of(rho.begin(), rho.end(), [](double v) { return std::isfinite(v); })) continue;
    for (std::size_t a = 0; a < e.r(); ++a) {
      at.columns.emplace_back();
      for (std::size_t i = 0; i < e.n(); ++i) at.columns.back().push_back(rho[i * e.r() + a]);
    }
    found.push_back(std::move(at));
  }
  if (found.size() < wanted) found.clear();
  return found;
}

/// Returns the quadratic form with these coefficients of x^i x^j, i <= j, or `std::nullopt` if they are not rational.
std::optional<QuadraticCasimir> form_of(const Algebroid& e, const Vector& coefficients) {
  QuadraticCasimir casimir;
  std::vector<Expr> terms;
  std::size_t at = 0;
  for (std::size_t i = 0; i < e.n(); ++i)
    for (std::size_t j = i; j < e.n(); ++j, ++at) {
      const auto coefficient = near_rational(coefficients[at]);
      if (!coefficient) return std::nullopt;
      if (coefficient->to_double() == 0) continue;
      casimir.terms.push_back({i, j, coefficient->to_double()});
      terms.push_back(e.graph->number(*coefficient) * e.x[i] * e.x[j]);
    }
  casimir.form = e.graph->add(terms);
  return casimir;
}

/// Returns true if rho^i_a dQ/dx^i is zero as an expression for every a.
bool is_kept(const Algebroid& e, Expr form) {
  constexpr std::size_t longest = 4000;
  for (std::size_t a = 0; a < e.r(); ++a) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < e.n(); ++i)
      if (!e.rho(i, a).is_zero()) terms.push_back(e.rho(i, a) * symbolic::derivative(form, e.x[i]));
    if (terms.empty()) continue;
    const Expr rate = symbolic::expand_lets(e.graph->add(terms));
    if (symbolic::printed_size(rate) > longest || !symbolic::simplify(symbolic::expand(rate)).is_zero()) return false;
  }
  return true;
}

/// Returns true if the gradient is a combination of the covectors at every point.
bool depends_on_linear(const QuadraticCasimir& casimir, const std::vector<Vector>& covectors,
                       const std::vector<AnchorAt>& points, std::size_t n) {
  const Subspace linear = Subspace::spanned_by(covectors, n);
  return std::all_of(points.begin(), points.end(),
                     [&](const AnchorAt& at) { return linear.distance(casimir.gradient(at.x)) <= casimir_tolerance; });
}

}  // namespace

double QuadraticCasimir::value(std::span<const double> x) const {
  double sum = 0;
  for (const Term& term : terms) sum += term.coefficient * x[term.i] * x[term.j];
  return sum;
}

std::vector<double> QuadraticCasimir::gradient(std::span<const double> x) const {
  std::vector<double> slopes(x.size(), 0.0);
  for (const Term& term : terms) {
    slopes[term.i] += term.coefficient * x[term.j];
    slopes[term.j] += term.coefficient * x[term.i];
  }
  return slopes;
}

std::vector<QuadraticCasimir> quadratic_casimirs(const Algebroid& e, std::span<const Expr> symbols,
                                                 std::span<const double> values, std::span<const double> centre) {
  const std::size_t n = e.n();
  const std::size_t r = e.r();
  if (n == 0 || r == 0 || n > most_coordinates) return {};
  const auto one = anchors_around(e, symbols, values, centre, 1);
  if (one.empty() || Subspace::spanned_by(one.front().columns, n).dimension() == n) return {};
  const std::size_t unknowns = n * (n + 1) / 2;
  const auto points = anchors_around(e, symbols, values, centre, unknowns / r + 4);
  std::vector<Vector> linear_rows;
  std::vector<Vector> rows;
  for (const AnchorAt& at : points)
    for (const Vector& column : at.columns) {
      linear_rows.push_back(column);
      Vector row;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) row.push_back(column[i] * at.x[j] + at.x[i] * column[j]);
      rows.push_back(std::move(row));
    }
  if (rows.empty()) return {};
  const auto linear = null_space(std::move(linear_rows), n);
  std::vector<QuadraticCasimir> found;
  for (const Vector& coefficients : null_space(std::move(rows), unknowns)) {
    auto casimir = form_of(e, coefficients);
    if (casimir && !depends_on_linear(*casimir, linear, points, n) && is_kept(e, casimir->form))
      found.push_back(std::move(*casimir));
  }
  return found;
}

}  // namespace herglotz::geometry
