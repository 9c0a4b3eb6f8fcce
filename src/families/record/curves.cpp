#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/families/pictures.hpp"
#include "record/columns.hpp"

namespace herglotz::families {
namespace {

/// The curves of a family where nobody chose.
constexpr std::size_t usual = 3;

Refused not_kept(const std::string& family, std::size_t site, const std::vector<Index>& indices) {
  return Refused(fmt::format("the run did not keep {}[{}]", family, site_label(indices, site)),
                 "name it in 'columns' of [simulation], or choose another site", "columns");
}

/// Returns the places of the chosen sites among those that a run stored.
std::vector<std::size_t> places_in(const Field& stored, const std::vector<std::size_t>& sites,
                                   const std::vector<Index>& indices) {
  std::vector<std::size_t> places;
  for (const std::size_t site : sites) {
    const auto found = std::lower_bound(stored.sites.begin(), stored.sites.end(), site);
    if (found == stored.sites.end() || *found != site) throw not_kept(stored.name, site, indices);
    places.push_back(static_cast<std::size_t>(found - stored.sites.begin()));
  }
  return places;
}

/// Returns the run with columns for the sites at some places among those that it stored, for each family.
template <class Places>
analyse::Trajectory with_columns_at(const FieldRun& run, const Places& places_of) {
  FieldRun part{run.trajectory, {}, run.indices, {}};
  for (const Field& stored : run.fields) {
    const std::vector<std::size_t> places = places_of(stored);
    Field some{stored.name, stored.role, {}, {}};
    for (const std::size_t place : places) some.sites.push_back(stored.sites[place]);
    for (std::size_t row = 0; row < run.trajectory.rows(); ++row)
      for (const std::size_t place : places) some.values.push_back(stored.values[row * stored.sites.size() + place]);
    part.fields.push_back(std::move(some));
  }
  return in_columns(part);
}

double largest(const analyse::Column& column) {
  double most = 0;
  for (const double value : column.values) most = std::max(most, std::abs(value));
  return most;
}

/// Keeps a few of the columns of constraints: multipliers at equal distances, and the largest residuals.
void thin_out_constraints(analyse::Trajectory& run) {
  for (const analyse::Role role : {analyse::Role::multiplier, analyse::Role::constraint}) {
    std::vector<std::size_t> own;
    for (std::size_t c = 0; c < run.columns.size(); ++c)
      if (run.columns[c].role == role) own.push_back(c);
    if (own.size() <= usual) continue;
    std::vector<std::size_t> kept;
    for (const std::size_t place : spread(own.size(), usual)) kept.push_back(own[place]);
    if (role == analyse::Role::constraint) {
      std::stable_sort(own.begin(), own.end(),
                       [&](std::size_t a, std::size_t b) { return largest(run.columns[a]) > largest(run.columns[b]); });
      kept.assign(own.begin(), own.begin() + usual);
    }
    std::vector<analyse::Column> columns;
    for (std::size_t c = 0; c < run.columns.size(); ++c)
      if (run.columns[c].role != role || std::find(kept.begin(), kept.end(), c) != kept.end())
        columns.push_back(std::move(run.columns[c]));
    run.columns = std::move(columns);
  }
}

}  // namespace

analyse::Trajectory with_curves(const FieldRun& run) {
  analyse::Trajectory curves =
      with_columns_at(run, [](const Field& stored) { return spread(stored.sites.size(), usual); });
  thin_out_constraints(curves);
  return curves;
}

analyse::Trajectory with_curves(const Model& model, const FieldRun& run, const std::vector<std::string>& names) {
  if (names.empty()) return with_curves(run);
  std::vector<std::string> scalars;
  for (const auto& column : run.trajectory.columns) scalars.push_back(column.name);
  const bool in_loops = std::any_of(run.fields.begin(), run.fields.end(),
                                    [](const Field& field) { return field.role == analyse::Role::multiplier; });
  const Chosen chosen = in_loops ? chosen_in_loops(model, names, scalars) : chosen_columns(model, names, scalars);
  if (chosen.numbers() > most_curves)
    throw Refused(fmt::format("these are {} curves", chosen.numbers()),
                  fmt::format("choose at most {}, as in {}[::{}]", most_curves, chosen.fields.front().name,
                              chosen.numbers() / most_curves + 1),
                  "columns");
  for (const Field& family : chosen.fields)
    if (std::none_of(run.fields.begin(), run.fields.end(), [&](const Field& one) { return one.name == family.name; }))
      throw not_kept(family.name, family.sites.front(), run.indices);
  return with_columns_at(run, [&](const Field& stored) {
    const auto own = std::find_if(chosen.fields.begin(), chosen.fields.end(),
                                  [&](const Field& one) { return one.name == stored.name; });
    return own == chosen.fields.end() ? std::vector<std::size_t>() : places_in(stored, own->sites, run.indices);
  });
}

}  // namespace herglotz::families
