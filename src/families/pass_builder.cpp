#include "pass_builder.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

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

kernel::SiteLoop PassBuilder::compile() {
  for (const auto& parameter : model_.parameters) pass_.values.parameters.push_back(parameter.symbol);
  std::set<symbolic::NodeId> scalars;
  for (const Expr& scalar : pass_.values.parameters) scalars.insert(scalar.id());
  std::map<symbolic::NodeId, Element> elements;
  for (const Expr& output : pass_.values.outputs)
    for (const auto& [element, symbol] : model_.sites.elements(output)) elements.emplace(symbol.id(), element);
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

void sum_observables(Model& model, PassBuilder& build) {
  const Expr zero = model.graph->number(0);
  const auto number = [&](double value) { return model.graph->number(value); };
  for (const Observable& observable : model.observables)
    for (const auto& [symbol, sum] : observable.sums) {
      Expr density = sum.density;
      const Expr site = model.sites.at(model.number);
      if (sum.first > 0) density = symbolic::select(site, number(static_cast<double>(sum.first) - 0.5), density, zero);
      if (sum.last < model.index.count)
        density = symbolic::select(number(static_cast<double>(sum.last) - 0.5), site, density, zero);
      build.sum(density);
    }
}

std::vector<std::vector<double>> fixed_values(Model& model, const SiteValues& values,
                                              const std::vector<std::size_t>& fixed) {
  const std::size_t count = model.index.count;
  std::vector<std::vector<double>> result;
  for (const std::size_t family : fixed) {
    const Family& of = model.sites.families()[family];
    if (of.kind == Kind::parameter) {
      result.push_back(values.parameters.at(family));
      continue;
    }
    result.emplace_back(count, 0.0);
    if (of.kind == Kind::number) {
      std::iota(result.back().begin(), result.back().end(), 0.0);
    } else {
      const Sum& sum =
          model.sums[static_cast<std::size_t>(std::stoul(of.name.substr(of.name.find_first_of("0123456789"))))];
      std::fill(result.back().begin() + static_cast<std::ptrdiff_t>(sum.first),
                result.back().begin() + static_cast<std::ptrdiff_t>(sum.last), 1.0);
    }
  }
  return result;
}

}  // namespace herglotz::families
