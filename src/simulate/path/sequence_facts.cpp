#include "path/sequence_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"

namespace herglotz::simulate {
namespace {

using discrete::Components;
using discrete::LegendreTransforms;
using mechanics::System;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

analyse::Trajectory columns_of(const System& system, const Sequence& of, const std::vector<LegendreTransforms>& steps,
                               const Components& rows) {
  using analyse::Role;
  const std::size_t n = system.n();
  const std::size_t N = steps.size();
  analyse::Trajectory along;
  const auto add = [&](const std::string& name, Role role, const auto& value) {
    analyse::Column column{name, role, {}};
    for (std::size_t k = 0; k <= N; ++k) column.values.push_back(value(k));
    along.columns.push_back(std::move(column));
  };
  add(std::string(system.t.name()), Role::time, [&](std::size_t k) { return of.t0 + static_cast<double>(k) * of.h; });
  for (std::size_t i = 0; i < n; ++i)
    add(std::string(system.algebroid.x[i].name()), Role::base, [&](std::size_t k) { return of.q[k][i]; });
  add(std::string(system.z.name()), Role::action, [&](std::size_t k) { return k == 0 ? of.z0 : steps[k - 1].z1; });
  add("sigma_d", Role::observable, [&](std::size_t k) { return k < N ? steps[k].sigma : none; });
  for (std::size_t i = 0; i < system.p.size(); ++i) {
    const std::string p(system.p[i].name());
    add("minus." + p, Role::observable, [&](std::size_t k) { return k < N ? steps[k].p0[i] : none; });
    add("plus." + p, Role::observable, [&](std::size_t k) { return k > 0 ? steps[k - 1].p1[i] : none; });
  }
  for (std::size_t i = 0; i < system.p.size(); ++i)
    add("row." + std::string(system.algebroid.y[i].name()), Role::observable,
        [&](std::size_t k) { return k > 0 && k < N ? rows[k - 1][i] : none; });
  along.facts.model_name = system.name;
  along.facts.title = system.title;
  return along;
}

bool is_finite(const LegendreTransforms& step) {
  const auto finite = [](double value) { return std::isfinite(value); };
  return finite(step.z1) && finite(step.sigma) && std::all_of(step.p0.begin(), step.p0.end(), finite) &&
         std::all_of(step.p1.begin(), step.p1.end(), finite);
}

}  // namespace

SequenceFacts facts_of_steps(const System& system, const std::vector<LegendreTransforms>& steps,
                             const Components& variation, const Sequence& of) {
  const Components rows = discrete::herglotz_rows(steps);
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (!is_finite(steps[k]))
      throw Failed(fmt::format("the action, sigma_d or a momentum of step {} is not finite", k + 1));
  SequenceFacts facts;
  facts.z_end = steps.back().z1;
  if (!variation.empty()) facts.variation = discrete::action_variation(steps, variation);
  const auto [least, largest] =
      std::minmax_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.sigma < b.sigma; });
  facts.least_sigma = least->sigma;
  facts.largest_sigma = largest->sigma;
  for (const auto& row : rows)
    for (const double one : row) facts.largest_row = std::max(facts.largest_row, std::abs(one));
  facts.along = columns_of(system, of, steps, rows);
  return facts;
}

}  // namespace herglotz::simulate
