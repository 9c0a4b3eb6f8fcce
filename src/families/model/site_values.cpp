#include "herglotz/families/site_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/compile/sites.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

/// Returns values along one index of a grid at every site.
std::vector<double> spread(const Model& model, std::size_t index, const std::vector<double>& along) {
  std::vector<double> all(model.count());
  for (std::size_t site = 0; site < all.size(); ++site) all[site] = along[model.along(index, site)];
  return all;
}

}  // namespace

std::vector<double> SiteFormulas::evaluated(Model& model, Expr value, const SiteValues& known) {
  compile::SiteProgram pass;
  pass.values = {"values", model.graph, {}, {}, {value}};
  for (const auto& parameter : model.parameters) pass.values.parameters.push_back(parameter.symbol);
  const std::size_t count = model.count();
  std::vector<std::vector<double>> room;
  for (const auto& [element, symbol] : model.sites.elements(value)) {
    const auto found = known.parameters.find(element.family);
    const auto number = std::find(model.numbers.begin(), model.numbers.end(), element.family);
    if (number == model.numbers.end() && found == known.parameters.end())
      throw Refused(fmt::format("{} is not known where it is used", symbol.name()),
                    "values use parameters, families of parameters given above, and the number of the site");
    pass.values.variables.push_back(symbol);
    pass.reads.push_back({room.size(), 0});
    room.emplace_back(count + 4 * SiteLoop::block);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = place_of(model, i, element.offset);
      if (place == count) continue;
      room.back()[i] =
          number == model.numbers.end()
              ? found->second[place]
              : static_cast<double>(model.along(static_cast<std::size_t>(number - model.numbers.begin()), place));
    }
  }
  pass.writes = {{compile::SiteWrite::How::store, room.size(), 0}};
  room.emplace_back(count + 4 * SiteLoop::block);
  pass.arrays = room.size();
  pass.phases = {{1, 0}};
  std::vector<double*> arrays;
  for (auto& one : room) arrays.push_back(one.data());
  std::vector<double> scalars;
  for (const double parameter : parameter_values(model)) scalars.insert(scalars.end(), SiteLoop::block, parameter);
  SiteLoop& loop = loops_[value.id()];
  if (!loop) loop = compile::compile_sites(pass);
  loop(arrays.data(), scalars.data(), nullptr, {0, count, 0, count});
  room.back().resize(count);
  return std::move(room.back());
}

std::vector<double> SiteFormulas::of_family(Model& model, std::size_t family, const Values& values,
                                            const SiteValues& known) {
  const Kind kind = model.sites.families()[family].kind;
  std::vector<double> result;
  if (const auto* list = std::get_if<std::vector<double>>(&values.all)) {
    const auto along = model.sites.families()[family].along;
    result = along ? spread(model, *along, *list) : *list;
  } else if (const Expr all = std::get<Expr>(values.all); all.is_number()) {
    result.assign(kind == Kind::edge ? model.edges->from.size() : model.count(), all.value());
  } else if (kind == Kind::edge) {
    std::vector<Expr> constants;
    for (const auto& parameter : model.parameters) constants.push_back(parameter.symbol);
    result.assign(model.edges->from.size(), symbolic::evaluate(all, constants, parameter_values(model)));
  } else {
    result = evaluated(model, all, known);
  }
  for (const LineValues& line : values.lines) {
    const std::vector<double> of_all =
        line.value.is_number() ? std::vector(result.size(), line.value.value()) : evaluated(model, line.value, known);
    for (std::size_t site = 0; site < result.size(); ++site)
      if (model.along(line.index, site) == line.place) result[site] = of_all[site];
  }
  std::vector<Expr> symbols;
  for (const auto& parameter : model.parameters) symbols.push_back(parameter.symbol);
  const auto numbers = parameter_values(model);
  for (const auto& [site, value] : values.single) result[site] = symbolic::evaluate(value, symbols, numbers);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!std::isfinite(result[i]))
      throw Refused(
          fmt::format("{}[{}] is {}", model.sites.families()[family].name, site_label(model.indices, i), result[i]),
          "a finite number is needed");
  return result;
}

std::size_t place_of(const Index& index, std::size_t at, std::int64_t offset) {
  const auto count = static_cast<std::int64_t>(index.count);
  std::int64_t place = static_cast<std::int64_t>(at) + offset;
  if (index.ends == Ends::periodic) place = (place % count + count) % count;
  return place < 0 || place >= count ? index.count : static_cast<std::size_t>(place);
}

std::size_t place_of(const Model& model, std::size_t at, Offset offset) {
  const std::size_t row = place_of(model.indices[0], model.along(0, at), offset.first);
  if (row == model.indices[0].count) return model.count();
  if (model.indices.size() < 2) return row;
  const std::size_t column = place_of(model.indices[1], model.along(1, at), offset.second);
  return column == model.width() ? model.count() : row * model.width() + column;
}

std::map<std::size_t, std::vector<double>> SiteFormulas::parameters(Model& model) {
  SiteValues known;
  for (const auto& [family, values] : model.parameter_families)
    known.parameters.emplace(family, of_family(model, family, values, known));
  return std::move(known.parameters);
}

SiteValues SiteFormulas::values(Model& model) {
  SiteValues result{parameters(model), {}, {}};
  const auto start = [&](std::size_t family) {
    const auto given = model.initial.find(family);
    return given == model.initial.end() ? std::vector<double>(model.count())
                                        : of_family(model, family, given->second, result);
  };
  for (const std::size_t family : model.base) result.base.push_back(start(family));
  for (const std::size_t family : model.fibre) result.fibre.push_back(start(family));
  return result;
}

SiteValues site_values(Model& model) {
  return SiteFormulas().values(model);
}

}  // namespace herglotz::families
