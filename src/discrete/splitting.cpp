#include "herglotz/discrete/splitting.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/legendre.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::discrete {
namespace {

using mechanics::Formulation;
using mechanics::System;

void collect_terms(Expr f, std::vector<Expr>& terms) {
  if (f.op() != symbolic::Op::add) {
    terms.push_back(f);
    return;
  }
  for (std::size_t i = 0; i < f.arity(); ++i) collect_terms(f.child(i), terms);
}

/// The generator as a part with fibre variables and a part without, or the first term that mixes them with (q, z).
struct Parts {
  Expr with_fibre;
  Expr without;
  std::optional<Expr> mixed;
};

Parts parts_of(const System& system, Expr generator) {
  const Expr zero = system.graph().number(std::int64_t{0});
  Parts parts{zero, zero, std::nullopt};
  std::vector<Expr> terms;
  collect_terms(generator, terms);
  for (const Expr& term : terms) {
    const bool fibre = symbolic::depends_on_any(term, system.w());
    const bool state = symbolic::depends_on_any(term, system.algebroid.x) || symbolic::depends_on(term, system.z);
    if (fibre && state && !parts.mixed) parts.mixed = term;
    (fibre ? parts.with_fibre : parts.without) += term;
  }
  return parts;
}

void require_no_forces(const System& system) {
  for (std::size_t a = 0; a < system.forces.size(); ++a) {
    if (symbolic::simplify(symbolic::expand_lets(system.forces[a])).is_zero()) continue;
    throw Refused("the force " + std::string(system.p[a].name()) + " = " + symbolic::print(system.forces[a]) +
                      " has no place in H = T(p, t) + U(q, z, t)",
                  "linear friction has, as a term of the action variable " + std::string(system.z.name()));
  }
}

}  // namespace

SplitHamiltonian split(const System& system) {
  if (!geometry::is_tangent(system.algebroid))
    throw Refused("fibre coordinates that are the velocities of the base are needed, and those of this " +
                  system.algebroid.kind + " algebroid are not");
  require_no_forces(system);
  const Expr generator = symbolic::expand_lets(system.generator);
  Parts parts = parts_of(system, generator);
  if (parts.mixed) parts = parts_of(system, symbolic::expand(generator));
  const bool lagrangian = system.formulation == Formulation::lagrangian;
  if (parts.mixed)
    throw Refused("the term " + symbolic::print(*parts.mixed) + " of the " +
                  (lagrangian ? "Lagrangian is neither T(y, t)" : "Hamiltonian is neither T(p, t)") +
                  " nor U(q, z, t)");
  if (!lagrangian) return {parts.with_fibre, parts.without};
  System kinetic = system;
  kinetic.generator = parts.with_fibre;
  const auto dual = mechanics::legendre_transform(kinetic);
  if (!dual)
    throw Refused(
        "the kinetic energy " + symbolic::print(parts.with_fibre) + " has no Legendre transform in closed form",
        "it must be quadratic in the velocities with a regular matrix");
  return {dual->generator, -parts.without};
}

}  // namespace herglotz::discrete
