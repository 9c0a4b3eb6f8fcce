#include "herglotz/families/equations.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::families {
namespace {

using symbolic::derivative;
using symbolic::print;

/// Derivatives of the sums of a model by the elements of a site.
class Stencils {
 public:
  Stencils(Model& model, Borders borders) : model_(model), borders_(borders) {
    for (std::size_t s = 0; s < model.sums.size(); ++s) {
      const bool ring = std::all_of(model.indices.begin(), model.indices.end(),
                                    [](const Index& index) { return index.ends == Ends::periodic; });
      const bool bounded = borders == Borders::kept && !(ring && is_everywhere(model, model.sums[s]));
      within_.push_back(bounded ? std::optional(within_family(s)) : std::nullopt);
    }
  }

  Expr zero() const { return model_.graph->number(0); }

  /// Returns sum over offsets a of d density_s/d family[i+a], moved back by a, for all sums. `density(s)` gives the
  /// density.
  template <class Density>
  Expr gradient(std::size_t family, const Density& density) {
    Expr total = zero();
    for (std::size_t s = 0; s < model_.sums.size(); ++s) {
      const Expr l = density(s);
      for (const auto& [element, symbol] : model_.sites.elements(l))
        if (element.family == family)
          total += bounded(s, model_.sites.moved(derivative(l, symbol), -element.offset), -element.offset);
    }
    return total;
  }

  /// Returns dL/dq_f[i] of sums with these densities, and of edges and pairs if borders are kept.
  template <class Density>
  Expr force(std::size_t f, const Density& density) {
    const Expr of_sites = symbolic::simplify(gradient(model_.base[f], density));
    if (borders_ == Borders::ignored || !is_pulled(f)) return of_sites;
    return of_sites + model_.sites.at(link_family(model_, f));
  }

  /// Returns what the sum s contributes from `by` sites away: the term where that sum runs, else 0.
  Expr bounded(std::size_t s, Expr term, Offset by) {
    if (!within_[s] || term.is_zero() || (stays_inside(by) && is_everywhere(model_, model_.sums[s]))) return term;
    return symbolic::select(model_.sites.at(*within_[s], by), model_.graph->number(0.5), term, zero());
  }

 private:
  /// Returns whether a sum over edges or pairs depends on a base family, or whether constraints may.
  [[nodiscard]] bool is_pulled(std::size_t f) const {
    if (!model_.constraints.empty()) return true;
    return std::any_of(model_.graph_sums.begin(), model_.graph_sums.end(), [&](const GraphSum& sum) {
      const auto elements = model_.sites.elements(sum.density);
      return std::any_of(elements.begin(), elements.end(),
                         [&](const auto& one) { return one.first.family == model_.base[f]; });
    });
  }

  /// Returns whether an offset leads from every site to a site.
  [[nodiscard]] bool stays_inside(Offset by) const {
    const auto stays = [&](std::size_t k, std::int64_t along) {
      return along == 0 || model_.indices[k].ends == Ends::periodic;
    };
    return stays(0, by.first) && (model_.indices.size() < 2 || stays(1, by.second));
  }

  std::size_t within_family(std::size_t s) {
    const std::string name = "within" + std::to_string(s);
    if (const auto known = model_.sites.find(name)) return *known;
    return model_.sites.add(name, Kind::within);
  }

  Model& model_;
  Borders borders_;
  std::vector<std::optional<std::size_t>> within_;
};

std::string fibre_name(const Model& model, std::size_t f) {
  return model.sites.families()[model.fibre[f]].name;
}

bool uses_kind(const Model& model, Expr f, Kind kind) {
  const auto elements = model.sites.elements(f);
  return std::any_of(elements.begin(), elements.end(),
                     [&](const auto& one) { return model.sites.families()[one.first.family].kind == kind; });
}

/// Returns d rest/dz, which must be free of z.
Expr rate_of_action(const Model& model) {
  const Expr rate = symbolic::simplify(derivative(model.rest, model.z));
  if (symbolic::depends_on(rate, model.z))
    throw Refused("the action enters the Lagrangian as " + print(model.rest),
                  "in a model with an index it enters linearly, such as - gamma*z");
  return rate;
}

Refused without_kinetic_energy(const Model& model, std::size_t f) {
  return Refused(
      "the Lagrangian does not depend on the velocity " + fibre_name(model, f) + "[" + model.subscript() + "]",
      "equations over the sites are written for families with a kinetic energy; with at most 1000 coordinates "
      "'simulate' "
      "writes the model out");
}

/// Returns the derivatives of the momentum of the family f by the velocities of its site. Throws Refused if those of
/// other sites enter.
std::vector<Expr> inertias_of(Model& model, std::size_t f, Expr momentum) {
  std::vector<Expr> row(model.fibre.size(), model.graph->number(0));
  for (const auto& [element, symbol] : model.sites.elements(momentum)) {
    if (model.sites.families()[element.family].kind != Kind::fibre) continue;
    const Expr entry = symbolic::simplify(derivative(momentum, symbol));
    if (entry.is_zero()) continue;
    if (element.offset != Offset{})
      throw Refused("the velocities " + fibre_name(model, f) + "[" + model.subscript() + "] and " +
                        std::string(symbol.name()) + " are coupled by the kinetic energy",
                    "equations over the sites are written for kinetic energies without products of velocities of two "
                    "sites; with at most 1000 coordinates 'simulate' writes the model out");
    row[static_cast<std::size_t>(std::find(model.fibre.begin(), model.fibre.end(), element.family) -
                                 model.fibre.begin())] = entry;
  }
  if (row[f].is_zero()) throw without_kinetic_energy(model, f);
  return row;
}

/// Returns the inverse of a positive matrix, by Gauss's and Jordan's elimination. Throws Refused if a pivot is 0.
std::vector<std::vector<Expr>> inverse_of(Model& model, std::vector<std::vector<Expr>> matrix) {
  const std::size_t n = matrix.size();
  std::vector<std::vector<Expr>> inverse(n, std::vector<Expr>(n, model.graph->number(0)));
  for (std::size_t f = 0; f < n; ++f) inverse[f][f] = model.graph->number(1);
  for (std::size_t k = 0; k < n; ++k) {
    const Expr pivot = symbolic::simplify(matrix[k][k]);
    if (pivot.is_zero())
      throw Refused("the kinetic energy of a site does not determine the velocity " + fibre_name(model, k) + "[" +
                        model.subscript() + "] by the momenta",
                    "with at most 1000 coordinates 'simulate' writes the model out, and analyses singular Lagrangians");
    for (auto* const rows : {&matrix, &inverse})
      for (Expr& entry : (*rows)[k])
        if (!entry.is_zero()) entry = symbolic::simplify(entry / pivot);
    for (std::size_t f = 0; f < n; ++f) {
      const Expr factor = matrix[f][k];
      if (f == k || factor.is_zero()) continue;
      for (auto* const rows : {&matrix, &inverse})
        for (std::size_t g = 0; g < n; ++g)
          if (!(*rows)[k][g].is_zero()) (*rows)[f][g] = symbolic::simplify((*rows)[f][g] - factor * (*rows)[k][g]);
    }
  }
  return inverse;
}

/// A density as a part with velocities and a part without, or the first term that has velocities and coordinates.
struct Parts {
  Expr with_fibre;
  Expr without;
  std::optional<Expr> mixed;
};

void collect_terms(Expr f, std::vector<Expr>& terms) {
  if (f.op() != symbolic::Op::add) {
    terms.push_back(f);
    return;
  }
  for (std::size_t i = 0; i < f.arity(); ++i) collect_terms(f.child(i), terms);
}

Parts parts_of(const Model& model, Expr density) {
  const Expr zero = model.graph->number(0);
  Parts parts{zero, zero, std::nullopt};
  std::vector<Expr> terms;
  collect_terms(density, terms);
  for (const Expr& term : terms) {
    const bool moves = uses_kind(model, term, Kind::fibre);
    if (moves && uses_kind(model, term, Kind::base) && !parts.mixed) parts.mixed = term;
    (moves ? parts.with_fibre : parts.without) += term;
  }
  return parts;
}

/// Throws Refused if the family f has no kinetic energy, or if free ends leave some site without it.
void require_mass(const Model& model, std::size_t f) {
  std::vector<SiteRange> covered;
  for (const Index& index : model.indices) covered.push_back({index.count, 0});
  bool moving = false;
  for (const Sum& sum : model.sums) {
    const auto elements = model.sites.elements(sum.density);
    const bool moves = std::any_of(elements.begin(), elements.end(),
                                   [&](const auto& one) { return one.first.family == model.fibre[f]; });
    if (!moves) continue;
    moving = true;
    for (std::size_t k = 0; k < covered.size(); ++k)
      covered[k] = {std::min(covered[k].first, sum.ranges[k].first), std::max(covered[k].last, sum.ranges[k].last)};
  }
  if (!moving) throw without_kinetic_energy(model, f);
  if (is_everywhere(model, {model.rest, covered})) return;
  throw Refused("the sum with the kinetic energy of " + fibre_name(model, f) + "[" + model.subscript() +
                    "] leaves out a site at a free end",
                "write the terms that reach beyond an end as a sum of their own");
}

/// Returns the given force on the family f, with those at single sites if borders are kept.
Expr external_force(Model& model, std::size_t f, Borders borders) {
  const Expr zero = model.graph->number(0);
  Expr total = model.forces.empty() ? zero : model.forces[f];
  if (borders == Borders::ignored) return total;
  for (const SiteForce& force : model.site_forces) {
    if (force.base != f) continue;
    Expr away = zero;
    for (std::size_t k = 0; k < model.numbers.size(); ++k) {
      const auto place = static_cast<double>(model.along(k, force.site));
      away += abs(model.sites.at(model.numbers[k]) - model.graph->number(place));
    }
    total += symbolic::select(model.graph->number(0.5), away, force.value, zero);
  }
  return total;
}

}  // namespace

std::vector<double> parameter_values(const Model& model) {
  std::vector<double> values;
  for (const auto& parameter : model.parameters) values.push_back(parameter.value);
  return values;
}

Equations derive(Model& model, Borders borders) {
  Stencils stencils(model, borders);
  Equations q;
  q.L_z = rate_of_action(model);
  q.energy = stencils.zero();
  q.lagrangian = stencils.zero();
  const auto density = [&](std::size_t s) { return model.sums[s].density; };
  for (std::size_t s = 0; s < model.sums.size(); ++s) {
    const Expr l = density(s);
    const Parts parts = parts_of(model, l);
    Expr kinetic = -parts.with_fibre;
    for (const auto& [element, symbol] : model.sites.elements(l))
      if (model.sites.families()[element.family].kind == Kind::fibre)
        kinetic += symbol * derivative(parts.with_fibre, symbol);
    q.energy += stencils.bounded(s, symbolic::simplify(kinetic) - parts.without, {});
    q.lagrangian += stencils.bounded(s, l, {});
  }
  std::vector<std::vector<Expr>> mass;
  std::vector<Expr> rates;  // of p_f, less those of momenta that change with q and t
  bool coupled = false;
  for (std::size_t f = 0; f < model.base.size(); ++f) {
    require_mass(model, f);
    q.force.push_back(stencils.force(f, density));
    const Expr momentum = symbolic::simplify(stencils.gradient(model.fibre[f], density));
    q.momentum.push_back(momentum);
    mass.push_back(inertias_of(model, f, momentum));
    q.inertia.push_back(mass[f][f]);
    for (std::size_t g = 0; g < mass[f].size(); ++g) coupled = coupled || (g != f && !mass[f][g].is_zero());
    q.external.push_back(external_force(model, f, borders));
    Expr rate = q.force[f] + q.external[f] + q.L_z * momentum - derivative(momentum, model.t);
    for (const auto& [element, symbol] : model.sites.elements(momentum)) {
      const auto family = std::find(model.base.begin(), model.base.end(), element.family);
      if (family == model.base.end()) continue;
      const std::size_t velocity = model.fibre[static_cast<std::size_t>(family - model.base.begin())];
      rate -= derivative(momentum, symbol) * model.sites.at(velocity, element.offset);
    }
    rates.push_back(rate);
  }
  if (coupled) q.inverse = inverse_of(model, std::move(mass));
  for (std::size_t f = 0; f < model.base.size(); ++f)
    q.acceleration.push_back(symbolic::simplify(by_inertia(q, f, rates)));
  return q;
}

Expr by_inertia(const Equations& equations, std::size_t f, const std::vector<Expr>& changes) {
  if (equations.inverse.empty()) return changes[f] / equations.inertia[f];
  Expr total = equations.inverse[f][f] * changes[f];
  for (std::size_t g = 0; g < changes.size(); ++g)
    if (g != f && !equations.inverse[f][g].is_zero()) total += equations.inverse[f][g] * changes[g];
  return total;
}

std::vector<Expr> momenta_at_rest(Model& model, const Equations& equations) {
  std::vector<Expr> velocities;
  for (const std::size_t v : model.fibre) velocities.push_back(model.sites.at(v));
  const std::vector<Expr> zeros(velocities.size(), model.graph->number(0));
  std::vector<Expr> momenta;
  for (const Expr& momentum : equations.momentum) momenta.push_back(symbolic::substitute(momentum, velocities, zeros));
  return momenta;
}

bool is_quadratic(const Model& model, const Equations& equations, std::size_t f) {
  if (uses_kind(model, equations.inertia[f], Kind::fibre)) return false;
  return equations.inverse.empty() || std::none_of(equations.inverse[f].begin(), equations.inverse[f].end(),
                                                   [&](Expr entry) { return uses_kind(model, entry, Kind::fibre); });
}

std::size_t momentum_family(Model& model, std::size_t base) {
  const std::string name = "p_" + fibre_name(model, base);
  if (const auto known = model.sites.find(name)) return *known;
  return model.sites.add(name, Kind::momentum);
}

std::size_t link_family(Model& model, std::size_t base) {
  const std::string name = "links:" + model.sites.families()[model.base[base]].name;
  if (const auto known = model.sites.find(name)) return *known;
  return model.sites.add(name, Kind::link);
}

Split split(Model& model) {
  if (!model.forces.empty() || !model.site_forces.empty())
    throw Refused("forces are given", "a Runge-Kutta method takes them");
  Stencils stencils(model, Borders::kept);
  Split parts;
  std::vector<Expr> with_fibre;
  std::vector<Expr> without;
  for (const Sum& sum : model.sums) {
    Parts own = parts_of(model, sum.density);
    if (own.mixed) own = parts_of(model, symbolic::expand(sum.density));
    if (own.mixed)
      throw Refused("the term " + print(*own.mixed) + " of the Lagrangian is neither T(v) nor U(q)",
                    "a Runge-Kutta method takes it");
    with_fibre.push_back(own.with_fibre);
    without.push_back(own.without);
  }
  const Equations q = derive(model, Borders::kept);
  for (const Expr& l : with_fibre)
    if (symbolic::depends_on(l, model.t))
      throw Refused("the kinetic energy depends on time", "a Runge-Kutta method takes it");
  std::vector<Expr> moved = momenta_at_rest(model, q);  // p less the momenta at rest
  for (std::size_t f = 0; f < model.base.size(); ++f) {
    if (!is_quadratic(model, q, f))
      throw Refused("the kinetic energy is not quadratic in " + std::string(model.sites.at(model.fibre[f]).name()),
                    "a Runge-Kutta method takes it");
    moved[f] = model.sites.at(momentum_family(model, f)) - moved[f];
  }
  for (std::size_t f = 0; f < model.base.size(); ++f) {
    parts.velocity.push_back(symbolic::simplify(by_inertia(q, f, moved)));
    parts.force.push_back(stencils.force(f, [&](std::size_t s) { return without[s]; }));
  }
  parts.kinetic = stencils.zero();
  parts.potential = stencils.zero();
  for (std::size_t s = 0; s < model.sums.size(); ++s) {
    parts.kinetic -= stencils.bounded(s, with_fibre[s], {});
    parts.potential -= stencils.bounded(s, without[s], {});
  }
  parts.kinetic = model.sites.replaced(parts.kinetic, [&](const Element& element) {
    const auto fibre = std::find(model.fibre.begin(), model.fibre.end(), element.family);
    if (fibre == model.fibre.end()) return model.sites.at(element.family, element.offset);
    return model.sites.moved(parts.velocity[static_cast<std::size_t>(fibre - model.fibre.begin())], element.offset);
  });
  parts.source = symbolic::simplify(derivative(parts.potential, model.t));
  for (std::size_t f = 0; f < model.base.size(); ++f)
    parts.kinetic += model.sites.at(momentum_family(model, f)) * parts.velocity[f];
  parts.kinetic = symbolic::simplify(parts.kinetic);
  // Where p = 0 at rest the kinetic energy is homogeneous of degree 2.
  const std::vector<Expr> at_rest = momenta_at_rest(model, q);
  parts.along_kinetic = parts.kinetic;
  if (std::any_of(at_rest.begin(), at_rest.end(), [](Expr p) { return !p.is_zero(); })) {
    parts.along_kinetic = -parts.kinetic;
    for (std::size_t f = 0; f < model.base.size(); ++f)
      parts.along_kinetic += model.sites.at(momentum_family(model, f)) * parts.velocity[f];
    parts.along_kinetic = symbolic::simplify(parts.along_kinetic);
  }
  for (const auto& [element, symbol] : model.sites.elements(parts.kinetic))
    if (model.sites.families()[element.family].kind == Kind::momentum && element.offset != Offset{})
      throw Refused("the kinetic energy of a site is written with the velocity of another one",
                    "move its index so that it reads " + fibre_name(model, 0) + "[" + model.subscript() + "]");
  if (symbolic::depends_on(model.rest, model.t))
    throw Refused("the term " + print(model.rest) + " depends on time", "a Runge-Kutta method takes it");
  parts.L_z = q.L_z;
  return parts;
}

Expr lifted(Model& model, const Symmetry& symmetry) {
  Expr total = model.graph->number(0);
  for (const Sum& sum : model.sums) {
    const auto elements = model.sites.elements(sum.density);
    for (const auto& [element, symbol] : elements) {
      const auto base = std::find(model.base.begin(), model.base.end(), element.family);
      const auto fibre = std::find(model.fibre.begin(), model.fibre.end(), element.family);
      if (base != model.base.end()) {
        const auto f = static_cast<std::size_t>(base - model.base.begin());
        total += derivative(sum.density, symbol) * model.sites.moved(symmetry.section[f], element.offset);
      } else if (fibre != model.fibre.end()) {
        const auto f = static_cast<std::size_t>(fibre - model.fibre.begin());
        Expr rate = model.graph->number(0);
        for (std::size_t g = 0; g < model.base.size(); ++g)
          rate += derivative(symmetry.section[f], model.sites.at(model.base[g])) * model.sites.at(model.fibre[g]);
        total += derivative(sum.density, symbol) * model.sites.moved(rate, element.offset);
      }
    }
  }
  return symbolic::simplify(symbolic::expand(total));
}

Expr lifted(Model& model, const Symmetry& symmetry, const GraphSum& sum) {
  Expr total = model.graph->number(0);
  for (const auto& [element, symbol] : model.sites.elements(sum.density)) {
    const auto base = std::find(model.base.begin(), model.base.end(), element.family);
    if (base == model.base.end()) continue;
    const Owner owner = element.owner;
    const Expr component = model.sites.replaced(
        symmetry.section[static_cast<std::size_t>(base - model.base.begin())], [&](const Element& own) {
          return owner == Owner::site ? model.sites.at(own.family) : model.sites.of(own.family, owner);
        });
    total += derivative(sum.density, symbol) * component;
  }
  return symbolic::simplify(symbolic::expand(total));
}

}  // namespace herglotz::families
