#include "herglotz/mechanics/constraints.hpp"

#include <algorithm>

#include "generator.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "vanishing.hpp"
#include "velocity_row.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns true if f depends on velocities, or on the momenta of a Hamiltonian model.
bool uses_velocity(const System& system, const Expr& f) {
  const auto symbols = symbolic::free_symbols({&f, 1});
  const auto is_among = [](const std::vector<Expr>& some, const Expr& symbol) {
    return std::find(some.begin(), some.end(), symbol) != some.end();
  };
  return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& symbol) {
    return is_among(system.p, symbol) || is_among(system.algebroid.y, symbol);
  });
}

}  // namespace

std::string_view name(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::holonomic:
      return "holonomic";
    case ConstraintKind::linear:
      return "linear";
    case ConstraintKind::affine:
      return "affine";
    case ConstraintKind::nonlinear:
      break;
  }
  return "nonlinear";
}

ConstraintKind kind_of(const System& system, Expr equation) {
  Expr f = symbolic::expand_lets(equation);
  if (!uses_velocity(system, f)) return ConstraintKind::holonomic;
  std::vector<Expr> velocities = system.algebroid.y;
  velocities.insert(velocities.end(), system.p.begin(), system.p.end());
  const auto is_curved = [&](const Expr& slope) {
    return uses_velocity(system, slope) && uses_velocity(system, symbolic::simplify(slope));
  };
  std::vector<Expr> slopes = symbolic::gradient(f, velocities);
  if (std::any_of(slopes.begin(), slopes.end(), is_curved)) {
    // A constraint that looks curved or moving may turn out otherwise once it is multiplied out.
    f = symbolic::simplify(symbolic::expand(f));
    if (!uses_velocity(system, f)) return ConstraintKind::holonomic;
    slopes = symbolic::gradient(f, velocities);
    if (std::any_of(slopes.begin(), slopes.end(), is_curved)) return ConstraintKind::nonlinear;
  }
  if (std::all_of(slopes.begin(), slopes.end(), vanishes)) return ConstraintKind::holonomic;
  const std::vector<Expr> zero(velocities.size(), system.graph().number(std::int64_t{0}));
  return vanishes(symbolic::substitute(f, velocities, zero)) ? ConstraintKind::linear : ConstraintKind::affine;
}

Expr velocity_constraint(const System& system, Expr equation) {
  if (kind_of(system, equation) != ConstraintKind::holonomic) return equation;
  System without = system;
  without.constraints = {};
  const Generator g = generator_of(without);
  return velocity_row(system, equation, g.x_dot, g.L);
}

Expr velocity_row(const System& system, Expr equation, const std::vector<Expr>& x_dot, Expr L) {
  if (kind_of(system, equation) != ConstraintKind::holonomic) return equation;
  std::vector<Expr> along = system.algebroid.x;
  along.insert(along.end(), {system.z, system.t});
  std::vector<Expr> rate = x_dot;
  rate.insert(rate.end(), {L, system.graph().number(std::int64_t{1})});
  const std::vector<Expr> rows{symbolic::expand_lets(equation)};
  return symbolic::directional_derivative(rows, along, rate).front();
}

}  // namespace herglotz::mechanics
