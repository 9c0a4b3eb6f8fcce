#include "families/site_elements.hpp"

#include <algorithm>
#include <utility>

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

/// The number of sites that stencils reach at most.
constexpr std::int64_t farthest = 256;

[[noreturn]] void fail(const std::string& what, const std::string& remedy) {
  throw Refused(what, remedy);
}

void require_index(const families::Model& model, const std::string& name) {
  const auto own = model.index_names();
  if (std::find(own.begin(), own.end(), name) != own.end()) return;
  fail(in_quotes(name) + " is not an index", own.size() > 1
                                                 ? "the indices of this model are " + own[0] + " and " + own[1]
                                                 : "the index of this model is " + own[0]);
}

void collect_terms(Expr f, std::vector<Expr>& terms) {
  if (f.op() != symbolic::Op::add) {
    terms.push_back(f);
    return;
  }
  for (std::size_t i = 0; i < f.arity(); ++i) collect_terms(f.child(i), terms);
}

}  // namespace

std::size_t place_along(const families::Model& model, std::size_t index, const Subscript& subscript) {
  const auto count = static_cast<std::int64_t>(model.indices[index].count);
  const std::int64_t place = subscript.offset + (subscript.from_the_end ? count : 0);
  if (place < 0 || place >= count)
    fail("there is no site " + std::to_string(place) +
             (model.indices.size() > 1 ? " along " + model.indices[index].name : std::string()),
         "sites are 0 to " + std::to_string(count - 1));
  return static_cast<std::size_t>(place);
}

std::optional<std::size_t> index_of_line(const families::Model& model, std::span<const Subscript> subscripts) {
  if (model.indices.size() < 2 || subscripts[0].index.empty() == subscripts[1].index.empty()) return std::nullopt;
  return subscripts[0].index.empty() ? 0 : 1;
}

std::size_t site_of(const families::Model& model, std::span<const Subscript> subscripts) {
  std::size_t number = 0;
  for (std::size_t k = 0; k < model.indices.size(); ++k)
    number = number * model.indices[k].count + place_along(model, k, subscripts[k]);
  return number;
}

Expr SiteElements::element(std::string_view name, std::span<const Subscript> subscripts) {
  if (name == "count") return count_along(subscripts);
  const std::string index = model_.subscript();
  const auto family = model_.sites.find(name);
  if (!family) {
    std::vector<std::string> known;
    for (const auto& one : model_.sites.families())
      if (one.kind != families::Kind::number) known.push_back(one.name);
    const auto near = symbolic::nearest_names(name, known);
    fail(in_quotes(name) + " is not a family",
         near.empty() ? "families are " + listing(known) : "did you mean " + near.front() + "[" + index + "]?");
  }
  if (model_.indices.size() > 1 && model_.sites.families()[*family].along) return along_one(*family, subscripts);
  if (subscripts.size() != model_.indices.size())
    fail(in_quotes(name) + " has " + std::to_string(subscripts.size()) + " subscripts",
         "write " + std::string(name) + "[" + index + "]");
  if (const auto known = on_a_link(*family, subscripts)) return *known;
  const bool by_number = subscripts.front().index.empty();
  for (std::size_t k = 0; k < subscripts.size(); ++k) {
    const std::string& own = model_.indices[k].name;
    if (subscripts[k].index.empty() != by_number)
      fail("a subscript has an index and a number", "write " + std::string(name) + "[" + index + "]");
    if (by_number || subscripts[k].index == own) continue;
    require_index(model_, subscripts[k].index);
    fail("the indices of " + in_quotes(name) + " are not in their order",
         "write " + std::string(name) + "[" + index + "]");
  }
  if (by_number) {
    const bool in_sum = over_ != Over::nothing;
    if (where_ == Where::site || in_sum)
      fail("a site by its number stands " + std::string(in_sum ? "in a sum" : "in the expression of a site"),
           "write " + std::string(name) + "[" + index + "], or a term outside the sums");
    const std::size_t site = site_of(model_, subscripts);
    const Expr symbol =
        model_.graph->symbol(std::string(name) + "[" + families::site_label(model_.indices, site) + "]");
    single_[symbol.id()] = {*family, site};
    return symbol;
  }
  require_sum(std::string(name) + "[" + index + "]");
  for (std::size_t k = 0; k < subscripts.size(); ++k) require_near(subscripts[k].offset, k);
  return model_.sites.at(*family, {subscripts[0].offset, subscripts.size() > 1 ? subscripts[1].offset : 0});
}

Expr SiteElements::count_along(std::span<const Subscript> subscripts) {
  const auto own = model_.index_names();
  const auto index = std::find(own.begin(), own.end(), subscripts.front().index);
  if (subscripts.size() != 1 || index == own.end() || subscripts.front().offset != 0)
    fail("the number of sites is asked for along no index", "write count[" + own.front() + "]");
  return model_.graph->number(static_cast<double>(model_.indices[static_cast<std::size_t>(index - own.begin())].count));
}

Expr SiteElements::along_one(std::size_t family, std::span<const Subscript> subscripts) {
  const families::Family& of = model_.sites.families()[family];
  const std::string element = of.name + "[" + model_.indices[*of.along].name + "]";
  if (subscripts.size() != 1 || subscripts.front().index != model_.indices[*of.along].name)
    fail(in_quotes(of.name) + " depends on " + model_.indices[*of.along].name + " alone", "write " + element);
  const std::int64_t offset = subscripts.front().offset;
  require_sum(element);
  require_near(offset, *of.along);
  return model_.sites.at(family, *of.along == 0 ? families::Offset{offset, 0} : families::Offset{0, offset});
}

void SiteElements::require_sum(const std::string& element) const {
  if (where_ == Where::dynamics && over_ == Over::nothing)
    fail(element + " stands outside a sum", "write " + model_.sum_example());
}

void SiteElements::require_near(std::int64_t offset, std::size_t index) const {
  const auto reach = std::min<std::int64_t>(farthest, static_cast<std::int64_t>(model_.indices[index].count) - 1);
  if (std::abs(offset) > reach)
    fail("the site is " + std::to_string(std::abs(offset)) + " sites away",
         "at most " + std::to_string(reach) + " are possible here");
}

void SiteElements::open_sum(std::span<const symbolic::SumIndex> indices) {
  if (where_ != Where::dynamics && where_ != Where::equation)
    fail("a sum stands in the expression of a site", "sums stand in the Lagrangian");
  if (over_ != Over::nothing) fail("a sum stands in a sum", "write one sum with the product of both");
  if (model_.edges && indices.size() == 1 && indices.front().name == model_.edges->name) {
    over_ = Over::edges;
    return;
  }
  const auto own = model_.index_names();
  if (indices.size() == 2 && !indices[1].below.empty()) {
    if (own.size() > 1 || indices[0].name != own[0] || indices[1].below != own[0] || !indices[0].below.empty())
      fail("a sum over pairs has one index", "write sum(" + own[0] + ", j < " + own[0] + ", ...)");
    if (indices[1].name == own[0] || model_.sites.find(indices[1].name))
      fail(in_quotes(indices[1].name) + " stands for something else", "choose another name for the second site");
    if (!model_.sites.second().empty() && model_.sites.second() != indices[1].name)
      fail("the second sites of pairs have two names",
           "write " + model_.sites.second() + " < " + own[0] + " here, too");
    model_.sites.set_second(indices[1].name);
    over_ = Over::pairs;
    return;
  }
  std::vector<std::string> names;
  for (const auto& index : indices) {
    require_index(model_, index.name);
    if (!index.below.empty())
      fail("a sum over pairs has two indices", "write sum(" + own[0] + ", j < " + own[0] + ", ...)");
    names.push_back(index.name);
  }
  if (names != own)
    fail("a sum does not run over the indices of the grid in their order",
         "write sum(" + own[0] + ", " + own[1] + ", ...)");
  over_ = Over::sites;
}

Expr SiteElements::close_sum(Expr density) {
  const Over over = std::exchange(over_, Over::nothing);
  if (over != Over::sites) require_link(density, over);
  if (symbolic::depends_on(density, model_.z))
    fail("the action stands in a sum", "write its term outside, such as - gamma*z");
  sums_.push_back({model_.graph->symbol(stem_ + "sum:" + std::to_string(sums_.size())), density, over});
  return sums_.back().symbol;
}

std::optional<Expr> SiteElements::on_a_link(std::size_t family, std::span<const Subscript> subscripts) {
  using families::Owner;
  const Subscript& at = subscripts.front();
  if (at.index.empty()) return std::nullopt;
  const bool of_edges = model_.sites.families()[family].kind == families::Kind::edge;
  const std::string name = model_.sites.families()[family].name;
  if (over_ == Over::pairs) {
    if (of_edges) fail(in_quotes(name) + " belongs to edges", "use it in a sum over them");
    if (at.offset != 0) fail("a neighbour stands in a sum over pairs", "write " + name + "[" + at.index + "]");
    if (at.index == model_.sites.second()) return model_.sites.of(family, Owner::second);
    return std::nullopt;
  }
  const bool edge = model_.edges && at.index == model_.edges->name;
  if (!edge) {
    if (over_ == Over::edges || of_edges)
      fail(name + "[" + at.index + "] does not belong to an edge",
           "write " + name + "[" + model_.edges->name +
               (of_edges ? "]" : ".from] or " + name + "[" + model_.edges->name + ".to]"));
    if (!at.end.empty())
      fail(in_quotes(at.index) + " is not an index of edges", "write " + name + "[" + at.index + "]");
    return std::nullopt;
  }
  if (over_ != Over::edges && where_ != Where::view && where_ != Where::equation)
    fail("an edge stands outside a sum over edges", "write sum(" + model_.edges->name + ", ...)");
  if (at.offset != 0) fail("edges have no neighbours", "write " + name + "[" + at.index + "]");
  if (of_edges != at.end.empty())
    fail(in_quotes(name) + (of_edges ? " belongs to the edge itself" : " belongs to sites"),
         of_edges ? "write " + name + "[" + at.index + "]"
                  : "write " + name + "[" + at.index + ".from] or " + name + "[" + at.index + ".to]");
  if (of_edges) return model_.sites.of(family, Owner::edge);
  if (at.end != "from" && at.end != "to") fail("an edge has no end " + in_quotes(at.end), "its ends are from and to");
  return model_.sites.of(family, at.end == "from" ? Owner::from : Owner::to);
}

void SiteElements::require_link(Expr density, Over over) const {
  for (const auto& [element, symbol] : model_.sites.elements(density)) {
    const auto kind = model_.sites.families()[element.family].kind;
    if (kind == families::Kind::fibre)
      fail("the velocity " + std::string(symbol.name()) + " stands in a sum over edges or pairs",
           "use coordinates there");
    if (over == Over::edges && element.owner == families::Owner::site)
      fail("the index " + std::string(symbol.name()) + " stands in a sum over edges", "use families there");
  }
}

std::vector<std::pair<Expr, families::GraphSum>> SiteElements::graph_sums() const {
  std::vector<std::pair<Expr, families::GraphSum>> list;
  for (const auto& [symbol, density, over] : sums_)
    if (over != Over::sites) list.emplace_back(symbol, families::GraphSum{density, over == Over::pairs});
  return list;
}

bool SiteElements::uses_single_sites(Expr f) const {
  for (const Expr& symbol : symbolic::free_symbols(std::span(&f, 1)))
    if (single_.contains(symbol.id())) return true;
  return false;
}

families::Sum SiteElements::sum_of(Expr density) const {
  families::Sum sum{density, {}};
  for (std::size_t k = 0; k < model_.indices.size(); ++k) {
    const families::Index& index = model_.indices[k];
    families::SiteRange range{0, index.count};
    if (index.ends == Ends::free) {
      std::int64_t least = 0;
      std::int64_t most = 0;
      for (const auto& [element, symbol] : model_.sites.elements(density)) {
        const std::int64_t along = k == 0 ? element.offset.first : element.offset.second;
        least = std::min(least, along);
        most = std::max(most, along);
      }
      range = {static_cast<std::size_t>(-least), index.count - static_cast<std::size_t>(most)};
      if (range.first >= range.last)
        fail("a sum has no site at which all in it lies inside", "give the index more sites");
    }
    sum.ranges.push_back(range);
  }
  return sum;
}

std::vector<std::pair<Expr, families::Sum>> SiteElements::sums() {
  std::vector<std::pair<Expr, families::Sum>> list;
  for (const auto& [symbol, density, over] : sums_)
    if (over == Over::sites) list.emplace_back(symbol, sum_of(density));
  for (const auto& [id, place] : single_) {
    const Expr symbol = model_.graph->symbol(model_.sites.families()[place.first].name + "[" +
                                             families::site_label(model_.indices, place.second) + "]");
    list.emplace_back(symbol, families::Sum{model_.sites.at(place.first), families::only_site(model_, place.second)});
  }
  return list;
}

std::vector<FamilyView::Single> SiteElements::single_sites() const {
  std::vector<FamilyView::Single> list;
  for (const auto& [id, place] : single_) list.push_back({Expr(*model_.graph, id), place.first, place.second});
  return list;
}

void SiteElements::add_single(Expr term) {
  if (symbolic::depends_on(term, model_.z))
    fail("the term " + symbolic::print(term) + " has the action and a site", "the action enters by itself");
  std::size_t base = 0;
  for (std::size_t k = 0; k < model_.indices.size(); ++k) {
    const families::Index& index = model_.indices[k];
    std::size_t first = index.count;
    std::size_t last = 0;
    for (const Expr& symbol : symbolic::free_symbols(std::span(&term, 1))) {
      const auto found = single_.find(symbol.id());
      if (found == single_.end()) continue;
      const std::size_t place = model_.along(k, found->second.second);
      first = std::min(first, place);
      last = std::max(last, place);
    }
    const bool over_the_end = index.ends == Ends::periodic && last - first > index.count / 2;
    base = base * index.count + (over_the_end ? last : first);
  }
  model_.sums.push_back({around(term, base), families::only_site(model_, base)});
}

Expr SiteElements::around(Expr term, std::size_t site) {
  std::vector<Expr> from;
  std::vector<Expr> to;
  for (const Expr& symbol : symbolic::free_symbols(std::span(&term, 1))) {
    const auto found = single_.find(symbol.id());
    if (found == single_.end()) continue;
    const auto& [family, place] = found->second;
    families::Offset by;
    for (std::size_t k = 0; k < model_.indices.size(); ++k) {
      const auto count = static_cast<std::int64_t>(model_.indices[k].count);
      auto offset =
          static_cast<std::int64_t>(model_.along(k, place)) - static_cast<std::int64_t>(model_.along(k, site));
      if (model_.indices[k].ends == Ends::periodic && 2 * std::abs(offset) > count)
        offset += offset < 0 ? count : -count;
      if (std::abs(offset) > farthest)
        fail("the term " + symbolic::print(term) + " joins sites that are far from each other",
             "at most " + std::to_string(farthest) + " sites may lie between them");
      (k == 0 ? by.first : by.second) = offset;
    }
    from.push_back(symbol);
    to.push_back(model_.sites.at(family, by));
  }
  return from.empty() ? term : symbolic::substitute(term, from, to);
}

void SiteElements::take(Expr lagrangian) {
  std::vector<Expr> symbols;
  std::vector<Expr> zeros;
  for (const auto& [symbol, density, over] : sums_) {
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
    const Expr density = factor.is_one() ? sums_[s].density : factor * sums_[s].density;
    if (sums_[s].over == Over::sites)
      model_.sums.push_back(sum_of(density));
    else
      model_.graph_sums.push_back({density, sums_[s].over == Over::pairs});
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
