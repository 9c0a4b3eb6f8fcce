#include "herglotz/mechanics/verification.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/magnitude.hpp"
#include "programs/programs.hpp"

namespace herglotz::mechanics {
namespace {

/// dp_a/dt = f_a + L_z p_a + lambda_A Phi^A_a, and the sum of the |terms|.
struct Force {
  Expr value;
  Expr terms;
};

std::vector<Force> forces_on(const System& system, const Equations& q) {
  std::vector<Force> forces;
  const std::vector<Expr> sizes = symbolic::magnitudes(q.f);
  for (std::size_t a = 0; a < system.r(); ++a) {
    Expr value = q.f[a] + q.L_z * q.p[a];
    Expr terms = sizes[a] + abs(q.L_z * q.p[a]);
    if (q.rule == Rule::nonholonomic)
      for (std::size_t A = 0; A < q.m(); ++A) {
        value += q.l[A] * q.Phi_y(A, a);
        terms += abs(q.l[A] * q.Phi_y(A, a));
      }
    forces.push_back({value, system.graph().share(terms)});
  }
  return forces;
}

/// Returns the sum of the |terms| of df/dt = f_x x' + f_p p' + f_z L + f_t, and of the source.
Expr dissipated_terms(const System& system, const Equations& q, const BalanceLaw& law,
                      const std::vector<Force>& forces) {
  const auto f = std::find_if(system.dissipated.begin(), system.dissipated.end(),
                              [&](const Dissipated& one) { return one.name == law.name; });
  const auto slope = [&](const Expr& by) {
    const Expr value = symbolic::expand_lets(symbolic::derivative(f->value, by));
    return symbolic::substitute(value, system.p, q.p);
  };
  const auto size = [&](const Expr& by) { return symbolic::magnitude(slope(by)); };
  Expr total = symbolic::magnitude(law.source) + size(system.z) * abs(q.L) + size(system.t);
  for (std::size_t a = 0; a < system.r(); ++a)
    total += abs(slope(system.p[a])) * forces[a].terms + size(system.p[a]) * abs(forces[a].value);
  for (std::size_t i = 0; i < system.n(); ++i) total += size(system.algebroid.x[i]) * abs(q.x_dot[i]);
  return total;
}

/// Returns the entries of a section that depend on base coordinates, in groups that share some of them.
std::vector<std::vector<std::size_t>> entries_of_shared_coordinates(const System& system,
                                                                    const std::vector<Expr>& section) {
  struct Group {
    std::vector<std::size_t> entries;
    std::set<symbolic::NodeId> coordinates;
  };
  std::set<symbolic::NodeId> base;
  for (const Expr& x : system.algebroid.x) base.insert(x.id());
  std::vector<Group> groups;
  for (std::size_t a = 0; a < section.size(); ++a) {
    Group joined{{a}, {}};
    for (const Expr& symbol : symbolic::free_symbols(std::span(&section[a], 1)))
      if (base.contains(symbol.id())) joined.coordinates.insert(symbol.id());
    if (joined.coordinates.empty()) continue;
    for (auto group = groups.begin(); group != groups.end();) {
      const auto shared = [&](symbolic::NodeId id) { return group->coordinates.contains(id); };
      if (std::none_of(joined.coordinates.begin(), joined.coordinates.end(), shared)) {
        ++group;
        continue;
      }
      joined.entries.insert(joined.entries.end(), group->entries.begin(), group->entries.end());
      joined.coordinates.insert(group->coordinates.begin(), group->coordinates.end());
      group = groups.erase(group);
    }
    groups.push_back(std::move(joined));
  }
  std::vector<std::vector<std::size_t>> result;
  for (Group& group : groups) result.push_back(std::move(group.entries));
  return result;
}

/// Returns sum_a |s_a| sum_b |c_b| over the entries of a section that share coordinates. Rounding of these mixes them:
/// an entry that is 0 at an attitude is known there only to the rounding of the others.
Expr mixed(const System& system, const std::vector<Expr>& section, const std::vector<Expr>& components) {
  Expr total = system.graph().number(0);
  for (const auto& entries : entries_of_shared_coordinates(system, section)) {
    if (entries.size() == 1) continue;
    Expr sizes = system.graph().number(0);
    Expr others = system.graph().number(0);
    for (const std::size_t a : entries) {
      sizes += abs(section[a]);
      others += abs(components[a]);
    }
    total += sizes * others;
  }
  return total;
}

}  // namespace

std::vector<Expr> rate_terms(const System& system, const Equations& q, const std::vector<BalanceLaw>& laws) {
  const std::vector<Force> forces = forces_on(system, q);
  std::vector<Expr> terms;
  for (const Force& force : forces) terms.push_back(force.terms);
  std::vector<Expr> result;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].kind == LawKind::dissipated) {
      result.push_back(dissipated_terms(system, q, laws[k], forces));
      continue;
    }
    const bool energy = k == 0;
    const auto& section = energy ? q.y : system.symmetries[k - 1].section;
    Expr total = symbolic::magnitude(laws[k].source);
    for (std::size_t a = 0; a < system.r(); ++a) {
      total += abs(section[a]) * forces[a].terms;
      if (energy) continue;
      for (std::size_t i = 0; i < system.n(); ++i) {
        const Expr slope = symbolic::derivative(section[a], system.algebroid.x[i]);
        if (!slope.is_zero()) total += abs(q.p[a]) * symbolic::magnitude(slope * q.x_dot[i]);
      }
    }
    if (!energy) total += mixed(system, section, terms);
    result.push_back(total);
  }
  return result;
}

std::vector<Expr> value_terms(const System& system, const Equations& q, const std::vector<BalanceLaw>& laws) {
  std::vector<Expr> result;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    Expr total = system.graph().number(0);
    if (laws[k].kind == LawKind::momentum) {
      const auto& section = system.symmetries[k - 1].section;
      for (std::size_t a = 0; a < system.r(); ++a)
        if (!section[a].is_zero()) total += symbolic::magnitude(section[a] * q.p[a]);
      total += mixed(system, section, q.p);
    }
    result.push_back(total);
  }
  return result;
}

symbolic::Program verification_program(const System& system, const Equations& equations,
                                       const std::vector<BalanceLaw>& laws) {
  std::vector<Expr> outputs = rate_terms(system, equations, laws);
  const std::vector<Expr> of_values = value_terms(system, equations, laws);
  outputs.insert(outputs.end(), of_values.begin(), of_values.end());
  for (const Invariant& invariant : system.invariants) outputs.push_back(symbolic::expand_lets(invariant.value));
  if (equations.m() > 0 || !system.frictions.empty()) {
    for (const Force& force : forces_on(system, equations)) outputs.push_back(force.terms);
    for (std::size_t a = 0; a < system.r(); ++a) outputs.push_back(equations.W(a, a));
  }
  return program(system, equations, "verification", std::move(outputs));
}

}  // namespace herglotz::mechanics
