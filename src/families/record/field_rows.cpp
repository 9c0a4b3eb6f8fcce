#include "record/field_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::families {
namespace {

using analyse::Role;

/// Returns lambda Q, which is finite if the product is finite even if lambda is not.
double scaled(double quantity, double log_factor) {
  const double factor = std::exp(log_factor);
  if (std::isfinite(factor) && factor != 0) return factor * quantity;
  return quantity == 0 ? 0 : std::copysign(std::exp(log_factor + std::log(std::abs(quantity))), quantity);
}

/// Returns the number of multipliers of the edges that are columns of their own; those of many edges are not kept.
std::size_t kept_multipliers_of_edges(const Model& model, std::size_t constraint) {
  constexpr std::size_t most = 1000;
  if (!std::holds_alternative<GraphSum>(model.constraints[constraint])) return 0;
  return model.edges->from.size() <= most ? model.edges->from.size() : 0;
}

}  // namespace

std::vector<analyse::Column> FieldRows::scalar_columns(const Model& model) {
  std::vector<analyse::Column> columns{{std::string(model.t.name()), Role::time, {}},
                                       {std::string(model.z.name()), Role::action, {}},
                                       {"energy", Role::energy, {}},
                                       {"integrating_factor", Role::factor, {}},
                                       {"energy_invariant", Role::invariant, {}},
                                       {"energy_residual", Role::residual, {}}};
  for (const Symmetry& symmetry : model.symmetries) {
    const auto names = mechanics::law_columns(mechanics::LawKind::momentum, symmetry.name);
    columns.push_back({names[0], Role::momentum, {}});
    columns.push_back({names[1], Role::invariant, {}});
    columns.push_back({names[2], Role::residual, {}});
  }
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    columns.push_back({fmt::format("constraint.{}", k + 1), Role::constraint, {}});
    if (std::holds_alternative<Observable>(model.constraints[k]))
      columns.push_back({multiplier_name(k), Role::multiplier, {}});
    for (std::size_t edge = 0; edge < kept_multipliers_of_edges(model, k); ++edge)
      columns.push_back({fmt::format("{}[{}]", multiplier_name(k), edge), Role::multiplier, {}});
  }
  for (const Observable& observable : model.observables) columns.push_back({observable.name, Role::observable, {}});
  return columns;
}

std::vector<std::string> FieldRows::scalar_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& column : scalar_columns(model)) names.push_back(column.name);
  return names;
}

FieldRows::FieldRows(const Model& model, Chosen chosen)
    : base_(model.base.size()),
      indices_(model.indices),
      chosen_(std::move(chosen)),
      columns_(scalar_columns(model)),
      ledgers_(1 + model.symmetries.size()) {
  for (const Symmetry& symmetry : model.symmetries) symmetries_.push_back(symmetry.name);
  for (const auto* families : {&model.base, &model.fibre})
    for (const std::size_t family : *families) names_.push_back(model.sites.families()[family].name);
  for (std::size_t k = 0; k < model.constraints.size(); ++k)
    scalar_multipliers_.push_back(
        std::holds_alternative<Observable>(model.constraints[k]) ? 1 : kept_multipliers_of_edges(model, k));
  for (std::size_t k = 0; k < chosen_.fields.size(); ++k) {
    if (chosen_.fields[k].role != Role::multiplier) continue;
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
      const auto* const of_sites = std::get_if<Sum>(&model.constraints[c]);
      if (of_sites == nullptr || chosen_.fields[k].name != multiplier_name(c)) continue;
      OfConstraint own{k, c, {}};
      const std::vector<std::size_t> sites = sites_of(model, *of_sites);
      for (const std::size_t site : chosen_.fields[k].sites)
        own.rows.push_back(
            static_cast<std::size_t>(std::lower_bound(sites.begin(), sites.end(), site) - sites.begin()));
      of_constraints_.push_back(std::move(own));
    }
  }
}

void FieldRows::add(double t, Motion& motion) {
  const Tiling& tiling = motion.tiling();
  std::vector<std::size_t> begins;
  std::vector<std::size_t> from;
  for (Field& field : chosen_.fields) {
    begins.push_back(field.values.size());
    field.values.resize(field.values.size() + field.sites.size());
    from.push_back(static_cast<std::size_t>(std::find(names_.begin(), names_.end(), field.name) - names_.begin()));
  }
  const auto take = [&](std::size_t tile, double* const* values) {
    const std::size_t first = tiling.first(tile);
    const std::size_t end = first + tiling.own(tile);
    for (std::size_t k = 0; k < chosen_.fields.size(); ++k) {
      Field& field = chosen_.fields[k];
      if (field.role == Role::multiplier) continue;
      auto site = std::lower_bound(field.sites.begin(), field.sites.end(), first);
      double* to = field.values.data() + begins[k] + (site - field.sites.begin());
      for (; site != field.sites.end() && *site < end; ++site) *to++ = values[from[k]][*site - first];
    }
  };
  const Observed row = motion.observe(t, take);
  for (const OfConstraint& own : of_constraints_)
    for (std::size_t k = 0; k < own.rows.size(); ++k)
      chosen_.fields[own.field].values[begins[own.field] + k] = row.multipliers[own.constraint][own.rows[k]];
  columns_[0].values.push_back(t);
  columns_[1].values.push_back(row.z);
  columns_[3].values.push_back(std::exp(row.log_factor));
  add_laws(t, row);
  if (!(row.largest_constraint <= largest_constraint_) && !std::isnan(largest_constraint_))
    largest_constraint_ = row.largest_constraint;
  std::size_t column = 3 + 3 * ledgers_.size();
  for (std::size_t k = 0; k < row.constraints.size(); ++k) {
    columns_[column++].values.push_back(row.constraints[k]);
    for (std::size_t own = 0; own < scalar_multipliers_[k]; ++own)
      columns_[column++].values.push_back(row.multipliers[k][own]);
  }
  const std::size_t first = columns_.size() - row.observables.size();
  for (std::size_t k = 0; k < row.observables.size(); ++k) columns_[first + k].values.push_back(row.observables[k]);
}

void FieldRows::add_laws(double t, const Observed& row) {
  for (std::size_t k = 0; k < ledgers_.size(); ++k) {
    const LawRow& law = row.laws[k];
    if (initial_.size() == k) initial_.push_back(law.quantity);
    const double budget = law.budget.value_or(initial_[k] * std::exp(-row.log_factor));
    const double residual = ledgers_[k].residual({t, law.quantity, law.scale, budget, row.log_factor, law.rate_terms});
    const std::size_t at = k == 0 ? 2 : 3 + 3 * k;
    columns_[at].values.push_back(law.quantity);
    columns_[k == 0 ? 4 : at + 1].values.push_back(scaled(law.quantity, row.log_factor));
    columns_[k == 0 ? 5 : at + 2].values.push_back(residual);
  }
}

FieldRows FieldRows::without_rows() const {
  FieldRows empty = *this;
  for (analyse::Column& column : empty.columns_) column.values.clear();
  for (Field& field : empty.chosen_.fields) field.values.clear();
  if (chosen_.all) {
    empty.chosen_.fields.clear();
    empty.of_constraints_.clear();
  }
  return empty;
}

FieldRun FieldRows::finish(analyse::RunFacts facts) && {
  for (std::size_t k = 0; k < ledgers_.size(); ++k) {
    if (k == 0)
      facts.largest_energy_residual = ledgers_[k].largest();
    else
      facts.largest_momentum_residuals.emplace_back(symmetries_[k - 1], ledgers_[k].largest());
    if (const auto since = ledgers_[k].at_round_off())
      facts.at_round_off.emplace_back(k == 0 ? "energy" : symmetries_[k - 1], *since);
  }
  if (!scalar_multipliers_.empty()) facts.largest_constraint_residual = largest_constraint_;
  if (!chosen_.all)
    std::erase_if(columns_, [&](const analyse::Column& column) {
      return column.role != Role::time &&
             std::find(chosen_.scalars.begin(), chosen_.scalars.end(), column.name) == chosen_.scalars.end();
    });
  return {{std::move(columns_), std::move(facts)}, std::move(chosen_.fields), std::move(indices_), {}};
}

}  // namespace herglotz::families
