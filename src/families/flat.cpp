#include "herglotz/families/flat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "herglotz/error.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/singular.hpp"
#include "record/columns.hpp"

namespace herglotz::families {
namespace {

std::vector<std::vector<Expr>> symbols_of(const Model& model, const std::vector<std::size_t>& families) {
  std::vector<std::vector<Expr>> symbols;
  for (const std::size_t family : families) {
    symbols.emplace_back();
    for (std::size_t i = 0; i < model.count(); ++i)
      symbols.back().push_back(model.graph->symbol(
          fmt::format("{}[{}]", model.sites.families()[family].name, site_label(model.indices, i))));
  }
  return symbols;
}

std::vector<Expr> joined(const std::vector<std::vector<Expr>>& lists) {
  std::vector<Expr> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// Returns the start by the names of the model written out.
simulate::InitialState start_of(const Model& model, const SiteValues& values) {
  simulate::InitialState start{{std::string(model.z.name()), model.z0}, {std::string(model.t.name()), model.t0}};
  const auto add = [&](const std::vector<std::size_t>& families, const std::vector<std::vector<double>>& of_sites) {
    for (std::size_t f = 0; f < families.size(); ++f)
      for (std::size_t i = 0; i < model.count(); ++i)
        start[fmt::format("{}[{}]", model.sites.families()[families[f]].name, site_label(model.indices, i))] =
            of_sites[f][i];
  };
  add(model.base, values.base);
  add(model.fibre, values.fibre);
  return start;
}

/// Returns the value of a family of parameters at a site or edge.
using ParameterAt = std::function<Expr(std::size_t family, std::size_t place)>;

/// Values of families as expressions in the parameters, but for those that are numbers of sites.
class SymbolicValues {
 public:
  explicit SymbolicValues(Model& model) : model_(model) {
    for (const auto& parameter : model.parameters) {
      if (std::find(model.counts.begin(), model.counts.end(), parameter.symbol.name()) == model.counts.end()) continue;
      counts_.push_back(parameter.symbol);
      numbers_.push_back(model.graph->number(parameter.value));
    }
  }

  /// Returns f with the numbers of sites in place of the parameters that are such numbers.
  Expr fixed(Expr f) const { return counts_.empty() ? f : symbolic::substitute(f, counts_, numbers_); }

  Expr at(std::size_t family, const Values& values, std::size_t place) {
    if (const auto single = values.single.find(place); single != values.single.end()) return fixed(single->second);
    for (auto line = values.lines.rbegin(); line != values.lines.rend(); ++line)
      if (model_.along(line->index, place) == line->place) return at_site(line->value, place);
    if (const auto* all = std::get_if<Expr>(&values.all)) return at_site(*all, place);
    const auto along = model_.sites.families()[family].along;
    return model_.graph->number(std::get<std::vector<double>>(values.all)[along ? model_.along(*along, place) : place]);
  }
  Expr parameter(std::size_t family, std::size_t place) {
    return at(family, model_.parameter_families.at(family), place);
  }

 private:
  Expr at_site(Expr f, std::size_t site) {
    const Expr here = model_.sites.replaced(f, [&](const Element& element) -> Expr {
      const std::size_t place = place_of(model_, site, element.offset);
      if (place == model_.count()) return model_.graph->number(0);
      for (std::size_t k = 0; k < model_.numbers.size(); ++k)
        if (element.family == model_.numbers[k])
          return model_.graph->number(static_cast<double>(model_.along(k, place)));
      return parameter(element.family, place);
    });
    return fixed(here);
  }

  Model& model_;
  std::vector<Expr> counts_;
  std::vector<Expr> numbers_;
};

/// Writes the model out with these values of its families of parameters.
simulate::Problem written(Model& model, const ParameterAt& parameter_at) {
  const std::size_t count = model.count();
  const std::size_t size = model.base.size() * count;
  if (size > most_flat)
    throw Refused(
        fmt::format("written out flat this model has {} coordinates, and at most {} are possible", size, most_flat),
        "take fewer sites, or simulate by a method that runs in loops over the sites");
  const auto base = symbols_of(model, model.base);
  const auto fibre = symbols_of(model, model.fibre);
  const auto at_site = [&](Expr density, std::size_t site) {
    return model.sites.replaced(density, [&](const Element& element) -> Expr {
      const std::size_t place = place_of(model, site, element.offset);
      const bool inside = place < count;
      for (std::size_t f = 0; f < model.base.size(); ++f) {
        if (element.family == model.base[f]) return inside ? base[f][place] : model.graph->number(0);
        if (element.family == model.fibre[f]) return inside ? fibre[f][place] : model.graph->number(0);
      }
      for (std::size_t k = 0; k < model.numbers.size(); ++k) {
        if (element.family != model.numbers[k]) continue;
        const std::int64_t by = k == 0 ? element.offset.first : element.offset.second;
        return model.graph->number(inside ? static_cast<double>(model.along(k, place))
                                          : static_cast<double>(model.along(k, site)) + static_cast<double>(by));
      }
      return inside ? parameter_at(element.family, place) : model.graph->number(0);
    });
  };
  const auto at_link = [&](Expr density, std::size_t number, const std::pair<std::size_t, std::size_t>& link) {
    return model.sites.replaced(density, [&](const Element& element) -> Expr {
      const bool second = element.owner == Owner::to || element.owner == Owner::second;
      const std::size_t site = second ? link.second : link.first;
      for (std::size_t f = 0; f < model.base.size(); ++f) {
        if (element.family == model.base[f]) return base[f][site];
        if (element.family == model.fibre[f]) return fibre[f][site];
      }
      if (element.family == model.numbers.front()) return model.graph->number(static_cast<double>(site));
      return parameter_at(element.family, element.owner == Owner::edge ? number : site);
    });
  };
  const auto at_links = [&](const GraphSum& sum) {
    std::vector<Expr> terms;
    const auto links = links_of(model, sum);
    for (std::size_t k = 0; k < links.size(); ++k) terms.push_back(at_link(sum.density, k, links[k]));
    return terms;
  };
  mechanics::System system = mechanics::make_system(geometry::tangent(model.graph, {joined(base), joined(fibre)}),
                                                    model.z.name(), model.t.name());
  system.name = model.name;
  system.title = model.title;
  system.reference = model.reference;
  system.parameters = model.parameters;
  std::vector<Expr> terms{model.rest};
  for (const Sum& sum : model.sums)
    for (const std::size_t i : sites_of(model, sum)) terms.push_back(at_site(sum.density, i));
  for (const GraphSum& sum : model.graph_sums) {
    const std::vector<Expr> of_links = at_links(sum);
    terms.insert(terms.end(), of_links.begin(), of_links.end());
  }
  system.generator = symbolic::sum(terms);
  for (std::size_t f = 0; f < model.forces.size(); ++f)
    for (std::size_t i = 0; i < count; ++i) system.forces[f * count + i] += at_site(model.forces[f], i);
  for (const SiteForce& force : model.site_forces)
    system.forces[force.base * count + force.site] += at_site(force.value, force.site);
  for (const Symmetry& symmetry : model.symmetries) {
    mechanics::Symmetry written{symmetry.name, {}};
    for (const Expr& component : symmetry.section)
      for (std::size_t i = 0; i < count; ++i) written.section.push_back(at_site(component, i));
    system.symmetries.push_back(std::move(written));
  }
  const auto at_sites = [&](const Sum& sum) {
    std::vector<Expr> values;
    for (const std::size_t i : sites_of(model, sum)) values.push_back(at_site(sum.density, i));
    return values;
  };
  const auto of_all_sites = [&](const Observable& observable) {
    std::vector<Expr> symbols;
    std::vector<Expr> written;
    for (const auto& [symbol, sum] : observable.sums) {
      symbols.push_back(symbol);
      written.push_back(symbolic::sum(at_sites(sum)));
    }
    for (const auto& [symbol, sum] : observable.graph_sums) {
      symbols.push_back(symbol);
      written.push_back(symbolic::sum(at_links(sum)));
    }
    return symbols.empty() ? observable.value : symbolic::substitute(observable.value, symbols, written);
  };
  for (const Observable& observable : model.observables)
    system.observables.push_back({observable.name, of_all_sites(observable)});
  for (const Event& event : model.events) {
    mechanics::Event written;
    written.name = event.function.name;
    written.value = of_all_sites(event.function);
    written.direction = event.direction;
    written.stop = event.stop;
    system.events.push_back(std::move(written));
  }
  std::vector<Expr> equations;
  for (const Constraint& constraint : model.constraints) {
    std::vector<Expr> rows;
    if (const auto* of_sites = std::get_if<Sum>(&constraint)) rows = at_sites(*of_sites);
    if (const auto* of_edges = std::get_if<GraphSum>(&constraint)) rows = at_links(*of_edges);
    if (const auto* of_whole = std::get_if<Observable>(&constraint)) rows = {of_all_sites(*of_whole)};
    equations.insert(equations.end(), rows.begin(), rows.end());
  }
  if (!equations.empty()) mechanics::constrain(system, model.rule, std::move(equations));
  return {std::move(system), {}, model.settings, model.text, std::nullopt, {}};
}

}  // namespace

simulate::Problem flat(Model& model) {
  const SiteValues values = site_values(model);
  simulate::Problem problem = written(model, [&](std::size_t family, std::size_t place) {
    return model.graph->number(values.parameters.at(family)[place]);
  });
  problem.initial = start_of(model, values);
  return problem;
}

simulate::Problem written_out(Model& model) {
  SymbolicValues symbols(model);
  simulate::Problem problem =
      written(model, [&](std::size_t family, std::size_t place) { return symbols.parameter(family, place); });
  problem.initial = start_of(model, site_values(model));
  mechanics::System& system = problem.system;
  // Numbers of sites are numbers of this text.
  for (auto* const list : {&system.forces, &system.constraints.equations})
    for (Expr& f : *list) f = symbols.fixed(f);
  system.generator = symbols.fixed(system.generator);
  for (mechanics::Symmetry& symmetry : system.symmetries)
    for (Expr& component : symmetry.section) component = symbols.fixed(component);
  for (mechanics::Observable& observable : system.observables) observable.value = symbols.fixed(observable.value);
  for (mechanics::Event& event : system.events) event.value = symbols.fixed(event.value);
  std::erase_if(system.parameters, [&](const mechanics::Parameter& parameter) {
    return std::find(model.counts.begin(), model.counts.end(), parameter.symbol.name()) != model.counts.end();
  });
  std::vector<simulate::StartExpression> starts;
  for (const auto* const families : {&model.base, &model.fibre})
    for (const std::size_t family : *families) {
      const auto given = model.initial.find(family);
      if (given == model.initial.end()) continue;
      for (std::size_t site = 0; site < model.count(); ++site) {
        const Expr value = symbols.at(family, given->second, site);
        if (!symbolic::free_symbols(std::span(&value, 1)).empty())
          starts.push_back(
              {fmt::format("{}[{}]", model.sites.families()[family].name, site_label(model.indices, site)), value});
      }
    }
  if (!starts.empty()) problem.expressions = simulate::StartExpressions(system, std::move(starts));
  problem.settings.columns.clear();
  return problem;
}

struct FlatRuns::Impl {
  Model& model;
  SiteFormulas formulas{};
  std::map<std::size_t, std::vector<double>> constants{};
  std::optional<simulate::Simulator> simulator{};

  /// Runs with other settings than those of the model.
  FieldRun run(simulate::Settings settings, const Progress& progress);

  /// Derives and compiles the model where its equations have other numbers than before.
  void prepare(const SiteValues& values, const simulate::Settings& settings) {
    if (simulator && values.parameters == constants) return;
    simulate::Problem problem = flat(model);
    problem.settings = settings;
    simulate::require_singular_method(problem);
    simulator.emplace(std::move(problem.system), compile::Options{}, problem.initial);
    constants = values.parameters;
  }
};

FlatRuns::FlatRuns(Model& model) : impl_(new Impl{model}) {}
FlatRuns::~FlatRuns() = default;

FieldRun FlatRuns::Impl::run(simulate::Settings settings, const Progress& progress) {
  const SiteValues values = formulas.values(model);
  prepare(values, settings);
  settings.columns.clear();
  simulate::InitialState parameters;
  for (const auto& parameter : model.parameters) parameters[std::string(parameter.symbol.name())] = parameter.value;
  FieldRun run;
  run.indices = model.indices;
  try {
    run.trajectory = simulator->run(start_of(model, values), settings, parameters, progress);
  } catch (simulate::RunFailed& failed) {
    run.failure = failed.what();
    run.trajectory = std::move(failed.partial);
  }
  run.trajectory.facts.model_text = model.text;
  run.trajectory.facts.notes.push_back(
      fmt::format("{}: the model is written out with {} coordinates",
                  model.constraints.empty() ? "this method does not run in loops over the sites"
                                            : "with these constraints it does not run in loops over the sites",
                  model.base.size() * model.count()));
  collect_fields(model, run);
  return run;
}

FieldRun FlatRuns::run(const Progress& progress) {
  return impl_->run(impl_->model.settings, progress);
}

FieldRun FlatRuns::first_steps() {
  const Model& model = impl_->model;
  // Rows that there cannot be are refused here, where the run ends at its start.
  FieldRun begun = impl_->run(model.settings, [](double) { return false; });
  if (!begun.failure.empty() || model.settings.t_end == model.t0) return begun;
  simulate::Settings settings = model.settings;
  settings.output_step.reset();
  settings.output_times.clear();
  settings.output_every = 1;
  // With a row after every step of a long run there would be too many rows.
  const double step = settings.time_scale ? 0 : begun.trajectory.facts.step;
  if (step > 0 && step < std::abs(settings.t_end - model.t0))
    settings.t_end = model.t0 + std::copysign(step, settings.t_end - model.t0);
  return impl_->run(settings, [](double fraction) { return fraction <= 0; });
}

FieldRun run_flat(Model& model, const Progress& progress) {
  return FlatRuns(model).run(progress);
}

}  // namespace herglotz::families
