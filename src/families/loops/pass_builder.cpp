#include "loops/pass_builder.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "herglotz/families/equations.hpp"

namespace herglotz::families {

using compile::SiteWrite;

PassBuilder::PassBuilder(Model& model, std::string name, std::size_t first_fixed, std::vector<std::size_t>& fixed)
    : model_(model), first_fixed_(first_fixed), fixed_(fixed) {
  pass_.values = {std::move(name), model.graph, {}, {}, {}};
}

Expr PassBuilder::value_of(const std::string& name, std::size_t array) {
  const Expr symbol = model_.graph->symbol(name);
  symbols_[symbol.id()] = array;
  return symbol;
}

Expr PassBuilder::scalar(const std::string& name) {
  pass_.values.parameters.push_back(model_.graph->symbol(name));
  return pass_.values.parameters.back();
}

void PassBuilder::output(Expr value, SiteWrite write) {
  pass_.values.outputs.push_back(value);
  pass_.writes.push_back(write);
}

void PassBuilder::store(Expr value, std::size_t array) {
  output(value, {SiteWrite::How::store, array, 0});
}

void PassBuilder::accumulate(Expr value, std::size_t array, std::size_t lost) {
  output(value, {SiteWrite::How::accumulate, array, lost});
}

std::size_t PassBuilder::sum(Expr value) {
  output(value, {SiteWrite::How::sum, pass_.sums, 0});
  return pass_.sums++;
}

void PassBuilder::end_phase(std::size_t ahead) {
  pass_.phases.push_back({pass_.writes.size() - ended_, ahead});
  ended_ = pass_.writes.size();
}

Expr PassBuilder::in_memory(const Element& element, std::map<symbolic::NodeId, Read>& reads) {
  const auto width = static_cast<std::int64_t>(model_.width());
  const auto at = [&](std::int64_t offset) {
    const Expr symbol = model_.graph->symbol("memory:" + std::to_string(element.family) + ":" + std::to_string(offset));
    reads.insert_or_assign(symbol.id(), Read{element.family, offset});
    return symbol;
  };
  const std::int64_t by = element.offset.second;
  const std::int64_t near = element.offset.first * width + by;
  if (by == 0) return at(near);
  const Expr beyond =
      model_.indices[1].ends == Ends::periodic ? at(by > 0 ? near - width : near + width) : model_.graph->number(0);
  const Expr column = model_.sites.at(model_.numbers[1]);
  reads.insert_or_assign(column.id(), Read{model_.numbers[1], 0});
  const Expr rim = model_.graph->number(static_cast<double>(by > 0 ? width - by : -by) - 0.5);
  return by > 0 ? symbolic::select(column, rim, beyond, at(near)) : symbolic::select(rim, column, beyond, at(near));
}

kernel::SiteLoop PassBuilder::compile() {
  for (const auto& parameter : model_.parameters) pass_.values.parameters.push_back(parameter.symbol);
  std::set<symbolic::NodeId> scalars;
  for (const Expr& scalar : pass_.values.parameters) scalars.insert(scalar.id());
  std::map<symbolic::NodeId, Read> elements;
  for (Expr& output : pass_.values.outputs) {
    if (model_.indices.size() > 1) {
      output = model_.sites.replaced(output, [&](const Element& element) { return in_memory(element, elements); });
      continue;
    }
    for (const auto& [element, symbol] : model_.sites.elements(output))
      elements.insert_or_assign(symbol.id(), Read{element.family, element.offset.first});
  }
  for (const Expr& symbol : symbolic::free_symbols(pass_.values.outputs)) {
    if (scalars.contains(symbol.id())) continue;
    compile::SiteRead read;
    if (const auto own = symbols_.find(symbol.id()); own != symbols_.end()) {
      read.array = own->second;
    } else if (const auto element = elements.find(symbol.id()); element != elements.end()) {
      read.offset = element->second.offset;
      const std::size_t family = element->second.family;
      if (const auto known = arrays_.find(family); known != arrays_.end()) {
        read.array = known->second;
        radius_ = std::max(radius_, static_cast<std::size_t>(std::abs(read.offset)));
      } else {
        auto place = std::find(fixed_.begin(), fixed_.end(), family);
        if (place == fixed_.end()) place = fixed_.insert(fixed_.end(), family);
        read.array = first_fixed_ + static_cast<std::size_t>(place - fixed_.begin());
      }
    } else {
      continue;  // `lower` names a symbol that nothing gives
    }
    pass_.values.variables.push_back(symbol);
    pass_.reads.push_back(read);
  }
  pass_.arrays = first_fixed_ + fixed_.size();
  return compile::compile_sites(pass_);
}

std::size_t blocks_ahead(const Model& model, std::span<const Expr> values, std::size_t least) {
  constexpr std::size_t block = kernel::SiteLoop::block;
  std::size_t most = 0;
  for (const Expr& value : values)
    for (const auto& [element, symbol] : model.sites.elements(value)) {
      const auto rows = static_cast<std::size_t>(std::abs(element.offset.first));
      const std::size_t columns = element.offset.second == 0 ? 0 : model.width();
      most = std::max(most, rows * model.width() + columns);
    }
  return std::max(least, (most + block - 1) / block);
}

std::vector<Expr> watched_densities(const Model& model) {
  std::vector<Expr> densities;
  for (const Observable& observable : model.watched())
    for (const auto& [symbol, sum] : observable.sums) densities.push_back(sum.density);
  return densities;
}

void sum_laws(const std::vector<Law>& laws, PassBuilder& build) {
  for (const Law& law : laws) {
    build.sum(law.quantity);
    build.sum(law.size);
    build.sum(law.rate);
  }
}

std::vector<LinkSum> sum_watched(Model& model, PassBuilder& build) {
  std::vector<LinkSum> of_links;
  const Expr zero = model.graph->number(0);
  const auto before = [&](std::size_t place) { return model.graph->number(static_cast<double>(place) - 0.5); };
  for (const Observable& observable : model.watched()) {
    for (const auto& [symbol, sum] : observable.sums) {
      Expr density = sum.density;
      for (std::size_t k = 0; k < model.indices.size(); ++k) {
        const Expr site = model.sites.at(model.numbers[k]);
        const SiteRange& range = sum.ranges[k];
        if (range.first > 0) density = symbolic::select(site, before(range.first), density, zero);
        if (range.last < model.indices[k].count) density = symbolic::select(before(range.last), site, density, zero);
      }
      build.sum(density);
    }
    for (const auto& [symbol, sum] : observable.graph_sums) of_links.push_back({sum, build.sum(zero)});
  }
  return of_links;
}

void place_links(Model& model, PassBuilder& build, std::size_t first) {
  for (std::size_t f = 0; f < model.base.size(); ++f) build.place(link_family(model, f), first + f);
}

std::vector<std::vector<double>> fixed_values(Model& model, const SiteValues& values,
                                              const std::vector<std::size_t>& fixed) {
  const std::size_t count = model.count();
  std::vector<std::vector<double>> result;
  for (const std::size_t family : fixed) {
    const Family& of = model.sites.families()[family];
    if (of.kind == Kind::parameter) {
      result.push_back(values.parameters.at(family));
      continue;
    }
    result.emplace_back(count, 0.0);
    if (of.kind == Kind::number) {
      const std::size_t index = family == model.numbers.front() ? 0 : 1;
      for (std::size_t site = 0; site < count; ++site)
        result.back()[site] = static_cast<double>(model.along(index, site));
    } else {
      const Sum& sum =
          model.sums[static_cast<std::size_t>(std::stoul(of.name.substr(of.name.find_first_of("0123456789"))))];
      for (std::size_t site = 0; site < count; ++site) {
        bool inside = true;
        for (std::size_t k = 0; k < model.indices.size(); ++k) {
          const std::size_t place = model.along(k, site);
          inside = inside && sum.ranges[k].first <= place && place < sum.ranges[k].last;
        }
        result.back()[site] = inside ? 1 : 0;
      }
    }
  }
  return result;
}

}  // namespace herglotz::families
