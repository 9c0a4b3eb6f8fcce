#include <algorithm>

#include "herglotz/families/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::families {
namespace {

using symbolic::derivative;

/// Returns whether some sum reads at neighbours along an index with fixed ends, which replace them by 0.
bool reads_beyond_fixed_ends(const Model& model) {
  const auto fixed = [&](std::size_t k) { return k < model.indices.size() && model.indices[k].ends == Ends::fixed; };
  return std::any_of(model.sums.begin(), model.sums.end(), [&](const Sum& sum) {
    const auto elements = model.sites.elements(sum.density);
    return std::any_of(elements.begin(), elements.end(), [&](const auto& one) {
      const Offset& offset = one.first.offset;
      return (offset.first != 0 && fixed(0)) || (offset.second != 0 && fixed(1));
    });
  });
}

Law energy_law(Model& model, const Equations& q) {
  const Expr zero = model.graph->number(0);
  Law law{q.energy, zero, zero, -derivative(q.lagrangian, model.t)};
  law.rate = abs(law.source);
  for (std::size_t f = 0; f < model.base.size(); ++f) {
    const Expr v = model.sites.at(model.fibre[f]);
    law.size += q.momentum[f] * v;
    law.rate += abs(v) * (abs(q.force[f]) + abs(q.external[f]) + abs(q.L_z) * abs(q.momentum[f]));
    law.source += q.external[f] * v;
  }
  law.source = symbolic::simplify(law.source);
  return law;
}

Law momentum_law(Model& model, const Equations& q, const Symmetry& symmetry) {
  const Expr zero = model.graph->number(0);
  Law law{zero, zero, zero, zero};
  const bool holds = is_symmetry(model, symmetry);
  for (std::size_t f = 0; f < model.base.size(); ++f) {
    const Expr X = symmetry.section[f];
    const Expr term = q.momentum[f] * X;
    law.quantity += term;
    law.size += abs(term);
    law.rate += abs(X) * (abs(q.force[f]) + abs(q.external[f]) + abs(q.L_z) * abs(q.momentum[f]));
    law.source += q.external[f] * X;
    if (!holds) law.source += q.force[f] * X;
    for (std::size_t g = 0; g < model.base.size(); ++g) {
      const Expr turned = q.momentum[f] * derivative(X, model.sites.at(model.base[g])) * model.sites.at(model.fibre[g]);
      law.rate += abs(turned);
      if (!holds) law.source += turned;
    }
  }
  law.source = symbolic::simplify(law.source);
  return law;
}

}  // namespace

bool keeps_densities(Model& model, const Symmetry& symmetry) {
  const auto kept = [&](const GraphSum& sum) { return lifted(model, symmetry, sum).is_zero(); };
  return lifted(model, symmetry).is_zero() && std::all_of(model.graph_sums.begin(), model.graph_sums.end(), kept);
}

bool is_symmetry(Model& model, const Symmetry& symmetry) {
  return keeps_densities(model, symmetry) && !reads_beyond_fixed_ends(model);
}

std::vector<Law> laws(Model& model, const Equations& equations) {
  std::vector<Law> list{energy_law(model, equations)};
  for (const Symmetry& symmetry : model.symmetries) list.push_back(momentum_law(model, equations, symmetry));
  return list;
}

}  // namespace herglotz::families
