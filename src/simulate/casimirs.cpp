#include "casimirs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>

#include "herglotz/geometry/subspace.hpp"
#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::simulate {
namespace {

using geometry::QuadraticCasimir;
using symbolic::Expr;

double value_or_zero(const InitialState& given, std::string_view name) {
  const auto it = given.find(name);
  return it == given.end() ? 0 : it->second;
}

/// Returns the functions of base and time that are zero along a run.
std::vector<Expr> declared(const mechanics::System& system) {
  std::vector<Expr> functions;
  for (const auto& invariant : system.invariants) functions.push_back(invariant.value);
  for (const Expr& equation : system.constraints.equations)
    if (mechanics::kind_of(system, equation) == mechanics::ConstraintKind::holonomic) functions.push_back(equation);
  return functions;
}

}  // namespace

std::vector<QuadraticCasimir> undeclared_casimirs(const mechanics::System& system, const InitialState& near) {
  constexpr int points = 4;
  constexpr double dependent = 1e-9;
  const auto& e = system.algebroid;
  std::vector<Expr> symbols = e.x;
  std::vector<double> values;
  for (const Expr& x : e.x) values.push_back(value_or_zero(near, x.name()));
  const std::vector<double> centre = values;
  std::vector<Expr> parameters;
  std::vector<double> given;
  for (const auto& parameter : system.parameters) {
    parameters.push_back(parameter.symbol);
    given.push_back(parameter.value);
  }
  auto found = geometry::quadratic_casimirs(e, parameters, given, centre);
  if (found.empty()) return found;
  std::vector<Expr> slopes;
  for (const Expr& function : declared(system))
    for (const Expr& x : e.x) slopes.push_back(symbolic::derivative(symbolic::expand_lets(function), x));
  if (slopes.empty()) return found;
  symbols.insert(symbols.end(), {system.z, system.t});
  values.insert(values.end(), {value_or_zero(near, system.z.name()), value_or_zero(near, system.t.name())});
  symbols.insert(symbols.end(), parameters.begin(), parameters.end());
  values.insert(values.end(), given.begin(), given.end());
  std::mt19937_64 random(5);
  std::vector<bool> covered(found.size(), true);
  for (int k = 0; k < points; ++k) {
    for (std::size_t i = 0; i < e.n(); ++i)
      values[i] = centre[i] + (1 + std::abs(centre[i])) * (std::ldexp(static_cast<double>(random() >> 11U), -52) - 1);
    const auto v = symbolic::evaluate(slopes, symbols, values);
    std::vector<std::vector<double>> covectors;
    for (std::size_t at = 0; at < v.size(); at += e.n())
      covectors.emplace_back(v.begin() + static_cast<std::ptrdiff_t>(at),
                             v.begin() + static_cast<std::ptrdiff_t>(at + e.n()));
    const auto span = geometry::Subspace::spanned_by(covectors, e.n());
    for (std::size_t c = 0; c < found.size(); ++c)
      covered[c] = covered[c] && span.distance(found[c].gradient(std::span(values).first(e.n()))) <= dependent;
  }
  std::vector<QuadraticCasimir> undeclared;
  for (std::size_t c = 0; c < found.size(); ++c)
    if (!covered[c]) undeclared.push_back(std::move(found[c]));
  return undeclared;
}

std::string note_of(const std::vector<QuadraticCasimir>& casimirs, std::span<const double> x) {
  constexpr double usual = 1e-9;
  constexpr std::size_t most_named = 2;
  std::vector<std::string> named;
  std::size_t count = 0;
  for (const QuadraticCasimir& casimir : casimirs) {
    const double value = casimir.value(x);
    if (std::abs(value) <= usual || std::abs(value - 1) <= usual) continue;
    if (++count <= most_named) named.push_back(fmt::format("{} = {:.9g}", symbolic::print(casimir.form), value));
  }
  if (count == 0) return {};
  const std::string more = count > most_named ? fmt::format(" and {} more quadratic forms", count - most_named) : "";
  return fmt::format("every motion keeps {}{}; declare {} in [invariants] to have {} checked", fmt::join(named, ", "),
                     more, count == 1 ? "it" : "them", count == 1 ? "it" : "them");
}

}  // namespace herglotz::simulate
