#include "families/site_elements.hpp"

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "quote.hpp"

namespace herglotz::io {

using families::Ends;
using symbolic::Expr;
using symbolic::Subscript;

namespace {

/// Stencils reach at most so many sites.
constexpr std::int64_t farthest = 256;

[[noreturn]] void fail(const std::string& what, const std::string& remedy) {
  throw Refused(what, remedy);
}

void collect_terms(Expr f, std::vector<Expr>& terms) {
  if (f.op() != symbolic::Op::add) {
    terms.push_back(f);
    return;
  }
  for (std::size_t i = 0; i < f.arity(); ++i) collect_terms(f.child(i), terms);
}

}  // namespace

std::size_t site_of(const families::Index& index, const Subscript& subscript) {
  const auto count = static_cast<std::int64_t>(index.count);
  const std::int64_t site = subscript.offset + (subscript.from_the_end ? count : 0);
  if (site < 0 || site >= count)
    fail("there is no site " + std::to_string(site), "sites are 0 to " + std::to_string(count - 1));
  return static_cast<std::size_t>(site);
}

Expr SiteElements::element(std::string_view name, std::span<const Subscript> subscripts) {
  const std::string& index = model_.index.name;
  const auto family = model_.sites.find(name);
  if (!family) {
    std::vector<std::string> known;
    for (const auto& one : model_.sites.families())
      if (one.kind != families::Kind::number) known.push_back(one.name);
    const auto near = symbolic::nearest_names(name, known);
    fail(in_quotes(name) + " is no family",
         near.empty() ? "families are " + listing(known) : "did you mean " + near.front() + "[" + index + "]?");
  }
  if (subscripts.size() != 1)
    fail(in_quotes(name) + " has " + std::to_string(subscripts.size()) + " subscripts",
         "write " + std::string(name) + "[" + index + "]");
  const Subscript& at = subscripts.front();
  if (at.index.empty()) {
    if (where_ != Where::dynamics || in_sum_)
      fail("a site by its number stands " + std::string(in_sum_ ? "in a sum" : "in the expression of a site"),
           "write " + std::string(name) + "[" + index + "], or a term outside the sums");
    const std::size_t site = site_of(model_.index, at);
    const Expr symbol = model_.graph->symbol(std::string(name) + "[" + std::to_string(site) + "]");
    single_[symbol.id()] = {*family, site};
    return symbol;
  }
  if (at.index != index) fail(in_quotes(at.index) + " is no index", "the index of this model is " + index);
  if (where_ == Where::dynamics && !in_sum_)
    fail(std::string(name) + "[" + index + "] stands outside a sum", "write sum(" + index + ", ...)");
  const auto reach = std::min<std::int64_t>(farthest, static_cast<std::int64_t>(model_.index.count) - 1);
  if (std::abs(at.offset) > reach)
    fail("the site is " + std::to_string(std::abs(at.offset)) + " sites away",
         "at most " + std::to_string(reach) + " are possible here");
  return model_.sites.at(*family, at.offset);
}

void SiteElements::open_sum(std::string_view index) {
  if (where_ != Where::dynamics) fail("a sum stands in the expression of a site", "sums stand in the Lagrangian");
  if (in_sum_) fail("a sum stands in a sum", "write one sum with the product of both");
  if (index != model_.index.name)
    fail(in_quotes(index) + " is no index", "the index of this model is " + model_.index.name);
  in_sum_ = true;
}

Expr SiteElements::close_sum(Expr density) {
  in_sum_ = false;
  if (symbolic::depends_on(density, model_.z))
    fail("the action stands in a sum", "write its term outside, such as - gamma*z");
  sums_.emplace_back(model_.graph->symbol(stem_ + "sum:" + std::to_string(sums_.size())), density);
  return sums_.back().first;
}

bool SiteElements::uses_single_sites(Expr f) const {
  for (const Expr& symbol : symbolic::free_symbols(std::span(&f, 1)))
    if (single_.contains(symbol.id())) return true;
  return false;
}

families::Sum SiteElements::sum_of(Expr density) const {
  const std::size_t count = model_.index.count;
  families::Sum sum{density, 0, count};
  if (model_.index.ends == Ends::free) {
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (const auto& [element, symbol] : model_.sites.elements(density)) {
      least = std::min(least, element.offset);
      most = std::max(most, element.offset);
    }
    sum.first = static_cast<std::size_t>(-least);
    sum.last = count - static_cast<std::size_t>(most);
    if (sum.first >= sum.last) fail("a sum has no site at which all in it lies inside", "give the index more sites");
  }
  return sum;
}

std::vector<std::pair<Expr, families::Sum>> SiteElements::sums() {
  std::vector<std::pair<Expr, families::Sum>> list;
  for (const auto& [symbol, density] : sums_) list.emplace_back(symbol, sum_of(density));
  for (const auto& [id, place] : single_) {
    const Expr symbol =
        model_.graph->symbol(model_.sites.families()[place.first].name + "[" + std::to_string(place.second) + "]");
    list.emplace_back(symbol, families::Sum{model_.sites.at(place.first), place.second, place.second + 1});
  }
  return list;
}

void SiteElements::add_single(Expr term) {
  std::size_t first = model_.index.count;
  std::size_t last = 0;
  for (const Expr& symbol : symbolic::free_symbols(std::span(&term, 1))) {
    const auto found = single_.find(symbol.id());
    if (found == single_.end()) continue;
    first = std::min(first, found->second.second);
    last = std::max(last, found->second.second);
  }
  if (symbolic::depends_on(term, model_.z))
    fail("the term " + symbolic::print(term) + " has the action and a site", "the action enters by itself");
  const bool over_the_end = model_.index.ends == Ends::periodic && last - first > model_.index.count / 2;
  const std::size_t base = over_the_end ? last : first;
  model_.sums.push_back({around(term, base), base, base + 1});
}

Expr SiteElements::around(Expr term, std::size_t site) {
  const auto count = static_cast<std::int64_t>(model_.index.count);
  std::vector<Expr> from;
  std::vector<Expr> to;
  for (const Expr& symbol : symbolic::free_symbols(std::span(&term, 1))) {
    const auto found = single_.find(symbol.id());
    if (found == single_.end()) continue;
    const auto& [family, place] = found->second;
    auto offset = static_cast<std::int64_t>(place) - static_cast<std::int64_t>(site);
    if (model_.index.ends == Ends::periodic && 2 * std::abs(offset) > count) offset += offset < 0 ? count : -count;
    if (std::abs(offset) > farthest)
      fail("the term " + symbolic::print(term) + " joins sites that are far from each other",
           "at most " + std::to_string(farthest) + " sites may lie between them");
    from.push_back(symbol);
    to.push_back(model_.sites.at(family, offset));
  }
  return from.empty() ? term : symbolic::substitute(term, from, to);
}

void SiteElements::take(Expr lagrangian) {
  std::vector<Expr> symbols;
  std::vector<Expr> zeros;
  for (const auto& [symbol, density] : sums_) {
    symbols.push_back(symbol);
    zeros.push_back(model_.graph->number(0));
  }
  for (std::size_t s = 0; s < sums_.size(); ++s) {
    const Expr factor = symbolic::simplify(symbolic::derivative(lagrangian, symbols[s]));
    const auto used = symbolic::free_symbols(std::span(&factor, 1));
    for (const Expr& symbol : used)
      if (symbol == model_.z || single_.contains(symbol.id()) ||
          std::find(symbols.begin(), symbols.end(), symbol) != symbols.end())
        fail("a sum does not stand by itself in the Lagrangian", "write it as a term, with a constant factor at most");
    model_.sums.push_back(sum_of(factor.is_one() ? sums_[s].second : factor * sums_[s].second));
  }
  const Expr left = symbols.empty() ? lagrangian : symbolic::substitute(lagrangian, symbols, zeros);
  std::vector<Expr> terms;
  collect_terms(left, terms);
  model_.rest = model_.graph->number(0);
  for (const Expr& term : terms) {
    if (uses_single_sites(term))
      add_single(term);
    else
      model_.rest += term;
  }
}

}  // namespace herglotz::io
