#include "loops/links/link_loop.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace herglotz::families {

using compile::SiteWrite;
using kernel::SiteLoop;

Expr LinkBuilder::changed(const std::string& name, std::size_t array) {
  const Expr symbol = model_.graph->symbol(name);
  pass_.values.variables.push_back(symbol);
  pass_.reads.push_back({array, 0});
  return symbol;
}

LinkLoop LinkBuilder::compile(std::size_t written, std::optional<Owner> first) {
  LinkLoop made;
  std::map<Element, Expr> found;
  for (const Expr& value : pass_.values.outputs)
    for (const auto& [element, symbol] : model_.sites.elements(value)) found.emplace(element, symbol);
  for (const auto& [element, symbol] : found) {
    if (element.owner == first) {
      made.scalars.push_back(element);
      pass_.values.parameters.push_back(symbol);
    } else {
      pass_.values.variables.push_back(symbol);
      pass_.reads.push_back({written + made.arrays.size(), 0});
      made.arrays.push_back(element);
    }
  }
  pass_.values.parameters.push_back(model_.t);
  for (const auto& parameter : model_.parameters) pass_.values.parameters.push_back(parameter.symbol);
  pass_.arrays = written + made.arrays.size();
  pass_.phases = {{pass_.writes.size(), 0}};
  made.loop = compile::compile_sites(pass_);
  return made;
}

void LinkBuilder::output(Expr value, SiteWrite write) {
  pass_.values.outputs.push_back(value);
  pass_.writes.push_back(write);
}

Expr link_density(const Model& model, const std::vector<GraphSum>& sums, bool pairs) {
  Expr total = model.graph->number(0);
  for (const GraphSum& sum : sums)
    if (sum.pairs == pairs) total += sum.density;
  return total;
}

std::optional<std::size_t> place_among(const std::vector<std::size_t>& families, std::size_t family) {
  const auto found = std::find(families.begin(), families.end(), family);
  if (found == families.end()) return std::nullopt;
  return static_cast<std::size_t>(found - families.begin());
}

std::vector<double> constants(const Model& model, const SiteValues& values, std::size_t family) {
  std::vector<double> all;
  if (family == model.numbers.front()) {
    all.resize(model.count());
    std::iota(all.begin(), all.end(), 0.0);
  } else {
    all = values.parameters.at(family);
  }
  all.resize(all.size() + padding);
  return all;
}

std::vector<double> scalars_of(double t, const std::vector<double>& parameters, std::size_t before) {
  std::vector<double> all(before * SiteLoop::block);
  all.insert(all.end(), SiteLoop::block, t);
  for (const double value : parameters) all.insert(all.end(), SiteLoop::block, value);
  return all;
}

}  // namespace herglotz::families
