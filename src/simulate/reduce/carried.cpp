#include "carried.hpp"

#include <algorithm>

namespace herglotz::simulate {

Settings carried(const Settings& settings) {
  Settings to = settings;
  to.columns.clear();
  to.fixed.clear();
  to.project = false;
  to.galerkin.reset();
  return to;
}

InitialState full_start(const Problem& problem) {
  const auto& p = problem.system.p;
  const bool momenta =
      std::any_of(p.begin(), p.end(), [&](const symbolic::Expr& one) { return problem.initial.contains(one.name()); });
  if (!momenta && !problem.settings.project) return problem.initial;
  const Simulator simulator(problem.system, {}, problem.initial);
  InitialState start = simulator.start(problem.initial, problem.settings);
  if (!problem.settings.project) return start;
  Settings at_once = problem.settings;
  at_once.columns.clear();
  const auto t = start.find(problem.system.t.name());
  at_once.t_end = t == start.end() ? 0 : t->second;
  const auto projected = simulator.run(problem.initial, at_once);
  for (auto& [name, value] : start)
    if (const auto* column = projected.find(name)) value = column->values.front();
  return start;
}

}  // namespace herglotz::simulate
