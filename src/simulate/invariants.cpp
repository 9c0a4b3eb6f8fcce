#include "invariants.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "herglotz/error.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/simulate/check.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/magnitude.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

/// Share of its largest term by which an invariant may be off at the start.
constexpr double off_by = 1e-9;

/// Returns I_t, then for each velocity its coefficient in dI/dt.
std::vector<Expr> rates(const mechanics::System& system, Expr value) {
  const auto& e = system.algebroid;
  std::vector<Expr> all{symbolic::derivative(value, system.t)};
  for (std::size_t a = 0; a < e.r(); ++a) {
    Expr rate = system.graph().number(0);
    for (std::size_t i = 0; i < e.n(); ++i) rate += e.rho(i, a) * symbolic::derivative(value, e.x[i]);
    all.push_back(rate);
  }
  return all;
}

double value_or(const InitialState& given, std::string_view name, double otherwise) {
  const auto it = given.find(name);
  return it == given.end() ? otherwise : it->second;
}

/// Returns the summands of f.
std::vector<Expr> terms_of(Expr f) {
  if (f.op() != symbolic::Op::add) return {f};
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < f.arity(); ++i) terms.push_back(f.child(i));
  return terms;
}

/// Values of invariants_program by invariant.
struct Values {
  std::vector<double> all;
  std::size_t n;

  Values(const kernel::Kernel& kernel, const mechanics::System& system, const Start& start,
         std::span<const double> parameters)
      : all(values_at(kernel, system, start, parameters)), n(system.n()) {}
  [[nodiscard]] std::size_t count() const { return all.size() / (n + 2); }
  [[nodiscard]] double value(std::size_t k) const { return all[k * (n + 2)]; }
  [[nodiscard]] double largest_term(std::size_t k) const { return all[k * (n + 2) + 1]; }
  [[nodiscard]] double slope(std::size_t k, std::size_t i) const { return all[k * (n + 2) + 2 + i]; }
  [[nodiscard]] bool off(std::size_t k, double share) const { return !(std::abs(value(k)) <= share * largest_term(k)); }
};

}  // namespace

double conservation_defect(const mechanics::System& system, const mechanics::Invariant& invariant,
                           const InitialState& near) {
  constexpr int points = 16;
  std::vector<Expr> outputs;
  for (const Expr& rate : rates(system, symbolic::expand_lets(invariant.value))) {
    if (symbolic::simplify(symbolic::expand(rate)).is_zero()) continue;
    outputs.insert(outputs.end(), {rate, symbolic::magnitude(rate)});
  }
  if (outputs.empty()) return 0;
  std::vector<Expr> symbols = system.algebroid.x;
  symbols.push_back(system.t);
  const std::size_t drawn = symbols.size();
  std::vector<double> start;
  for (const Expr& symbol : symbols) start.push_back(value_or(near, symbol.name(), 0));
  for (const auto& parameter : system.parameters) {
    symbols.push_back(parameter.symbol);
    start.push_back(parameter.value);
  }
  std::mt19937_64 random(20);
  double largest = 0;
  bool met = false;
  for (int k = 0; k < points; ++k) {
    std::vector<double> point = start;
    for (std::size_t i = 0; i < drawn; ++i)
      point[i] += 0.5 * (1 + std::abs(point[i])) * (std::ldexp(static_cast<double>(random() >> 11U), -52) - 1);
    const auto v = symbolic::evaluate(outputs, symbols, point);
    for (std::size_t i = 0; i < v.size(); i += 2) {
      if (!std::isfinite(v[i]) || !(v[i + 1] > 0)) continue;
      met = true;
      largest = std::max(largest, std::abs(v[i]) / v[i + 1]);
    }
  }
  return met ? largest : 1;
}

void require_conserved(const mechanics::System& system, const InitialState& near) {
  for (const auto& invariant : system.invariants) {
    const double defect = conservation_defect(system, invariant, near);
    if (defect <= rounding) continue;
    throw Refused(fmt::format("[invariants] '{}' is not kept by every motion: its rate along the anchor does not "
                              "vanish (largest defect {:.1e})",
                              invariant.name, defect),
                  "correct it or the algebroid, or make it an observable", "[invariants]");
  }
}

symbolic::Program invariants_program(const mechanics::System& system, const mechanics::Equations& equations) {
  symbolic::Program program;
  program.name = "invariants";
  program.graph = system.algebroid.graph;
  program.variables = equations.u;
  program.variables.insert(program.variables.end(), equations.l.begin(), equations.l.end());
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  for (const auto& invariant : system.invariants) {
    const Expr value = symbolic::expand_lets(invariant.value);
    Expr largest = system.graph().number(0);
    for (const Expr& term : terms_of(value)) largest = select(abs(term), largest, abs(term), largest);
    program.outputs.insert(program.outputs.end(), {value, largest});
    for (const Expr& x : system.algebroid.x) program.outputs.push_back(symbolic::derivative(value, x));
  }
  return program;
}

std::optional<OffInvariant> off_invariant(const kernel::Kernel& invariants, const mechanics::System& system,
                                          const Start& start, std::span<const double> parameters) {
  if (!invariants) return std::nullopt;
  const Values values(invariants, system, start, parameters);
  for (std::size_t k = 0; k < values.count(); ++k)
    if (values.off(k, off_by)) return OffInvariant{k, values.value(k)};
  return std::nullopt;
}

std::string move_onto_invariants(const kernel::Kernel& invariants, const mechanics::System& system,
                                 const std::vector<std::string>& fixed, Start& start,
                                 std::span<const double> parameters) {
  constexpr int most_steps = 50;
  constexpr double arrived = 4e-16;
  Start at = start;
  for (int step = 0; step < most_steps; ++step) {
    const Values values(invariants, system, at, parameters);
    const auto m = static_cast<Eigen::Index>(values.count());
    const auto n = static_cast<Eigen::Index>(values.n);
    Eigen::VectorXd value(m);
    Eigen::MatrixXd slopes(m, n);
    bool there = true;
    for (Eigen::Index k = 0; k < m; ++k) {
      const auto index = static_cast<std::size_t>(k);
      value(k) = values.value(index);
      there = there && !values.off(index, arrived);
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto& x = system.algebroid.x[static_cast<std::size_t>(i)];
        const bool kept = std::find(fixed.begin(), fixed.end(), x.name()) != fixed.end();
        slopes(k, i) = kept ? 0 : values.slope(index, static_cast<std::size_t>(i));
      }
    }
    if (there) break;
    if (!value.allFinite() || !slopes.allFinite()) break;
    const Eigen::VectorXd move = linear::least_squares(slopes, value);
    for (Eigen::Index i = 0; i < n; ++i) at.state[static_cast<std::size_t>(i)] -= move(i);
  }
  if (const auto off = off_invariant(invariants, system, at, parameters))
    return fmt::format("the start cannot be moved onto the invariant '{}'{}, which stays at {:.6g}",
                       system.invariants[off->index].name,
                       fixed.empty() ? "" : fmt::format(" with {} fixed", fmt::join(fixed, ", ")), off->value);
  start.state = at.state;
  return {};
}

}  // namespace herglotz::simulate
