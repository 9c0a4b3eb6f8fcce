#include "loops/links.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "herglotz/compile/sites.hpp"
#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "loops/motion.hpp"

namespace herglotz::families {
namespace {

using compile::SiteWrite;
using kernel::SiteLoop;

/// Values that a loop may read beyond the last one.
constexpr std::size_t padding = 4 * SiteLoop::block;
/// The number of edges whose ends are gathered at once; they stay in the first cache.
constexpr std::size_t chunk = 1024;
/// Below this number of links the threads would wait for each other longer than they work.
constexpr std::size_t few_links = 20'000;
/// Pairs are cut into groups of first sites, each with forces of its own. A group has at least `least_group` sites.
constexpr std::size_t least_group = 64;
constexpr std::size_t most_groups = 16;

/// Values that a loop reads and writes besides its sums.
struct LinkLoop {
  SiteLoop loop;
  std::vector<Element> arrays;   ///< elements that lie in arrays
  std::vector<Element> scalars;  ///< elements of the first site of a pair
};

Expr density_of(const Model& model, bool pairs) {
  Expr total = model.graph->number(0);
  for (const GraphSum& sum : model.graph_sums)
    if (sum.pairs == pairs) total += sum.density;
  return total;
}

/// Builder of a loop: elements become variables and scalars as they appear in its outputs.
class LinkBuilder {
 public:
  LinkBuilder(Model& model, const char* name) : model_(model) { pass_.values = {name, model.graph, {}, {}, {}}; }

  void store(Expr value, std::size_t array) { output(value, {SiteWrite::How::store, array, 0}); }
  void sum(Expr value) { output(value, {SiteWrite::How::sum, pass_.sums++, 0}); }
  /// Returns the symbol of an array that the loop changes.
  Expr changed(const std::string& name, std::size_t array) {
    const Expr symbol = model_.graph->symbol(name);
    pass_.values.variables.push_back(symbol);
    pass_.reads.push_back({array, 0});
    return symbol;
  }

  /// Compiles a loop whose first arrays, `written` of them, are those that it writes. Elements of `first` are scalars.
  LinkLoop compile(std::size_t written, std::optional<Owner> first) {
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

 private:
  void output(Expr value, SiteWrite write) {
    pass_.values.outputs.push_back(value);
    pass_.writes.push_back(write);
  }

  Model& model_;
  compile::SiteProgram pass_;
};

/// Returns the place of a family in Model::base, or std::nullopt.
std::optional<std::size_t> base_of(const Model& model, std::size_t family) {
  const auto found = std::find(model.base.begin(), model.base.end(), family);
  if (found == model.base.end()) return std::nullopt;
  return static_cast<std::size_t>(found - model.base.begin());
}

/// Returns the values of a family that does not change, at every site or edge.
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

/// Returns the scalars that end every list: time and parameters.
std::vector<double> scalars_of(double t, const std::vector<double>& parameters, std::size_t before) {
  std::vector<double> all(before * SiteLoop::block);
  all.insert(all.end(), SiteLoop::block, t);
  for (const double value : parameters) all.insert(all.end(), SiteLoop::block, value);
  return all;
}

/// Calls `visit` for 0, .., count - 1, on all cores if there are many links.
template <class Visit>
void for_each(std::size_t count, std::size_t links, const Visit& visit) {
  if (links < few_links)
    for (std::size_t k = 0; k < count; ++k) visit(k);
  else
    ensemble::each_in_parallel(count, visit);
}

}  // namespace

std::vector<LinkSum> sums_of_lagrangian(Model& model, double factor, std::size_t sum) {
  std::vector<LinkSum> list;
  for (const GraphSum& own : model.graph_sums)
    list.push_back({{model.graph->number(factor) * own.density, own.pairs}, sum});
  return list;
}

std::vector<LinkSum> sums_of_rates(Model& model, double factor, std::size_t sum) {
  std::vector<LinkSum> list;
  for (const GraphSum& own : model.graph_sums) {
    const Expr rate = symbolic::simplify(symbolic::derivative(own.density, model.t));
    if (!rate.is_zero()) list.push_back({{model.graph->number(factor) * rate, own.pairs}, sum});
  }
  return list;
}

/// The loop over edges writes the forces at both ends of each into arrays over the edges; then each site adds those of
/// its edges in their order.
class Links::Edges {
 public:
  Edges(Model& model, const std::vector<LinkSum>& sums) : sums_(sums), count_(model.edges->from.size()) {
    LinkBuilder build(model, "edges");
    const Expr density = density_of(model, false);
    for (std::size_t f = 0; f < model.base.size(); ++f) {
      const auto force = [&](Owner end) {
        return symbolic::simplify(symbolic::derivative(density, model.sites.of(model.base[f], end)));
      };
      const Expr from = force(Owner::from);
      const Expr to = force(Owner::to);
      if (from.is_zero() && to.is_zero()) continue;
      build.store(from, 2 * pulled_.size());
      build.store(to, 2 * pulled_.size() + 1);
      pulled_.push_back(f);
    }
    for (const LinkSum& sum : sums_) build.sum(sum.of.density);
    code_ = build.compile(2 * pulled_.size(), std::nullopt);
    length_ = in_blocks(count_) + padding;
    forces_.resize(pulled_.size(), std::vector<double>(2 * length_));
    set_ends(model);
  }

  void set(const Model& model, const SiteValues& values) {
    parameters_ = parameter_values(model);
    columns_.clear();
    set_columns(model, values);
  }

  /// Adds the forces, and the values of the sums to `found`.
  void add(const double* const* base, double* const* force, double t,
           std::vector<std::pair<std::size_t, double>>& found) {
    const std::size_t chunks = (count_ + chunk - 1) / chunk;
    const std::vector<double> scalars = scalars_of(t, parameters_, 0);
    std::vector<double> parts(chunks * sums_.size() * SiteLoop::block);
    for_each(chunks, count_,
             [&](std::size_t k) { visit(base, scalars, k, parts.data() + k * sums_.size() * SiteLoop::block); });
    std::vector<double> of_chunks(chunks);
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      for (std::size_t k = 0; k < chunks; ++k)
        of_chunks[k] = pairwise(parts.data() + (k * sums_.size() + s) * SiteLoop::block, SiteLoop::block);
      found.emplace_back(sums_[s].sum, pairwise(of_chunks.data(), chunks));
    }
    constexpr std::size_t some = 2048;  // sites
    const std::size_t sites = first_.size() - 1;
    for_each((sites + some - 1) / some, count_, [&](std::size_t k) {
      for (std::size_t p = 0; p < pulled_.size(); ++p)
        collect(forces_[p].data(), force[pulled_[p]], k * some, std::min(sites, (k + 1) * some));
    });
  }

 private:
  /// An array that the loop reads: coordinates at one end of each edge, or values that do not change.
  struct Column {
    std::optional<std::size_t> base{};
    const std::vector<std::uint32_t>* ends = nullptr;
    std::vector<double> values{};
  };

  /// Lists for each site the places of the forces of its edges.
  void set_ends(const Model& model) {
    const auto& from = model.edges->from;
    const auto& to = model.edges->to;
    from_.assign(from.begin(), from.end());
    to_.assign(to.begin(), to.end());
    first_.assign(model.count() + 1, 0);
    for (std::size_t e = 0; e < count_; ++e) {
      ++first_[from[e] + 1];
      ++first_[to[e] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    places_.resize(2 * count_);
    for (std::size_t e = 0; e < count_; ++e) {
      places_[next[from[e]]++] = static_cast<std::uint32_t>(e);
      places_[next[to[e]]++] = static_cast<std::uint32_t>(length_ + e);
    }
  }

  void set_columns(const Model& model, const SiteValues& values) {
    for (const Element& element : code_.arrays) {
      Column column;
      const auto* const ends = element.owner == Owner::from ? &from_ : &to_;
      column.base = base_of(model, element.family);
      if (column.base) {
        column.ends = ends;
      } else if (element.owner == Owner::edge) {
        column.values = constants(model, values, element.family);
      } else {
        const std::vector<double> of_sites = constants(model, values, element.family);
        for (const std::uint32_t site : *ends) column.values.push_back(of_sites[site]);
        column.values.resize(count_ + padding);
      }
      columns_.push_back(std::move(column));
    }
  }

  /// Makes the loop over one chunk of edges.
  void visit(const double* const* base, const std::vector<double>& scalars, std::size_t k, double* sums) {
    const std::size_t first = k * chunk;
    const std::size_t own = std::min(chunk, count_ - first);
    std::vector<double*> arrays;
    for (std::vector<double>& forces : forces_)
      for (const std::size_t end : {std::size_t{0}, length_}) arrays.push_back(forces.data() + end + first);
    std::vector<Doubles> gathered;
    for (Column& column : columns_) {
      if (!column.base) {
        arrays.push_back(column.values.data() + first);
        continue;
      }
      double* const to = gathered.emplace_back(chunk + padding).data();
      const double* const q = base[*column.base];
      const std::uint32_t* const ends = column.ends->data() + first;
      for (std::size_t e = 0; e < own; ++e) to[e] = q[ends[e]];
      arrays.push_back(to);
    }
    code_.loop(arrays.data(), scalars.data(), sums, {0, own, 0, own});
  }

  /// Adds the forces of the edges of some sites.
  void collect(const double* forces, double* to, std::size_t begin, std::size_t end) const {
    for (std::size_t site = begin; site < end; ++site) {
      double total = 0;
      for (std::size_t k = first_[site]; k < first_[site + 1]; ++k) total += forces[places_[k]];
      to[site] += total;
    }
  }

  std::vector<double> parameters_;
  std::vector<LinkSum> sums_;
  std::size_t count_;
  std::vector<std::size_t> pulled_;  // the base families that edges pull at
  LinkLoop code_;
  std::size_t length_ = 0;
  std::vector<std::vector<double>> forces_;  // for each pulled family: at the beginnings, then at the ends of edges
  std::vector<std::uint32_t> from_;
  std::vector<std::uint32_t> to_;
  std::vector<std::size_t> first_;  // of each site in `places_`
  std::vector<std::uint32_t> places_;
  std::vector<Column> columns_;
};

/// The loop over pairs visits for each first site i the second ones 0, .., i - 1: it adds up the force on the first,
/// and adds to the forces on the second ones. Groups of first sites have forces of their own, which are added at the
/// end.
class Links::Pairs {
 public:
  Pairs(Model& model, const std::vector<LinkSum>& sums) : sums_(sums), count_(model.count()) {
    LinkBuilder build(model, "pairs");
    const Expr density = density_of(model, true);
    const auto force = [&](std::size_t f, Owner owner) {
      return symbolic::simplify(symbolic::derivative(density, model.sites.of(model.base[f], owner)));
    };
    std::vector<Expr> on_first;
    for (std::size_t f = 0; f < model.base.size(); ++f) {
      const Expr first = force(f, Owner::site);
      const Expr second = force(f, Owner::second);
      if (first.is_zero() && second.is_zero()) continue;
      const std::size_t array = pulled_.size();
      build.store(build.changed("pairs:force" + std::to_string(f), array) + second, array);
      on_first.push_back(first);
      pulled_.push_back(f);
    }
    for (const Expr& first : on_first) build.sum(first);
    for (const LinkSum& sum : sums_) build.sum(sum.of.density);
    code_ = build.compile(pulled_.size(), Owner::site);
    const std::size_t groups = std::clamp<std::size_t>(count_ / least_group, 1, most_groups);
    // Each group has about the same number of pairs.
    for (std::size_t g = 0; g <= groups; ++g)
      begins_.push_back(static_cast<std::size_t>(
          std::lround(static_cast<double>(count_) * std::sqrt(static_cast<double>(g) / static_cast<double>(groups)))));
    forces_.resize(groups * pulled_.size(), std::vector<double>(count_ + padding));
  }

  void set(const Model& model, const SiteValues& values) {
    parameters_ = parameter_values(model);
    columns_.clear();
    scalars_.clear();
    for (const Element& element : code_.arrays) columns_.push_back(column(model, values, element));
    for (const Element& element : code_.scalars) scalars_.push_back(column(model, values, element));
  }

  void add(const double* const* base, double* const* force, double t,
           std::vector<std::pair<std::size_t, double>>& found) {
    const std::size_t groups = begins_.size() - 1;
    std::vector<std::vector<Compensated>> sums(groups, std::vector<Compensated>(sums_.size()));
    for_each(groups, count_ * count_ / 2, [&](std::size_t g) { visit(base, t, g, sums[g]); });
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      Compensated total;
      for (const auto& of_group : sums) total.add(of_group[s].value);
      found.emplace_back(sums_[s].sum, total.value);
    }
    for (std::size_t p = 0; p < pulled_.size(); ++p) {
      double* const to = force[pulled_[p]];
      for (std::size_t g = 0; g < groups; ++g) {
        const double* const from = forces_[g * pulled_.size() + p].data();
        for (std::size_t i = 0; i < begins_[g + 1]; ++i) to[i] += from[i];
      }
    }
  }

 private:
  /// Values at the sites: coordinates, or values that do not change.
  struct Column {
    std::optional<std::size_t> base{};
    std::vector<double> values{};

    [[nodiscard]] const double* at(const double* const* of_base) const { return base ? of_base[*base] : values.data(); }
  };

  static Column column(const Model& model, const SiteValues& values, const Element& element) {
    const auto base = base_of(model, element.family);
    return base ? Column{base} : Column{{}, constants(model, values, element.family)};
  }

  /// Makes the loops for the first sites of a group.
  void visit(const double* const* base, double t, std::size_t g, std::vector<Compensated>& found) {
    std::vector<double*> arrays;
    for (std::size_t p = 0; p < pulled_.size(); ++p) {
      std::vector<double>& forces = forces_[g * pulled_.size() + p];
      std::fill_n(forces.begin(), begins_[g + 1], 0.0);
      arrays.push_back(forces.data());
    }
    for (const Column& column : columns_) arrays.push_back(const_cast<double*>(column.at(base)));  // loops only read it
    std::vector<double> scalars = scalars_of(t, parameters_, scalars_.size());
    std::vector<double> sums((pulled_.size() + sums_.size()) * SiteLoop::block);
    for (std::size_t i = begins_[g]; i < begins_[g + 1]; ++i) {
      for (std::size_t k = 0; k < scalars_.size(); ++k)
        std::fill_n(scalars.data() + k * SiteLoop::block, SiteLoop::block, scalars_[k].at(base)[i]);
      std::fill(sums.begin(), sums.end(), 0.0);
      code_.loop(arrays.data(), scalars.data(), sums.data(), {0, i, 0, i});
      for (std::size_t p = 0; p < pulled_.size(); ++p)
        arrays[p][i] += pairwise(sums.data() + p * SiteLoop::block, SiteLoop::block);
      for (std::size_t s = 0; s < sums_.size(); ++s)
        found[s].add(pairwise(sums.data() + (pulled_.size() + s) * SiteLoop::block, SiteLoop::block));
    }
  }

  std::vector<double> parameters_;
  std::vector<LinkSum> sums_;
  std::size_t count_;
  std::vector<std::size_t> pulled_;  // the base families that pairs pull at
  LinkLoop code_;
  std::vector<Column> columns_;
  std::vector<Column> scalars_;
  std::vector<std::size_t> begins_;          // of the groups; the number of sites ends the list
  std::vector<std::vector<double>> forces_;  // for each group, for each pulled family
};

Links::Links(Model& model, std::span<const LinkSum> sums) : families_(model.base.size()), sites_(model.count()) {
  const auto own = [&](bool pairs) {
    std::vector<LinkSum> list;
    for (const LinkSum& sum : sums)
      if (sum.of.pairs == pairs) list.push_back(sum);
    return list;
  };
  const std::vector<LinkSum> edges = own(false);
  const std::vector<LinkSum> pairs = own(true);
  if (!edges.empty() || !density_of(model, false).is_zero()) edges_ = std::make_unique<Edges>(model, edges);
  if (!pairs.empty() || !density_of(model, true).is_zero()) pairs_ = std::make_unique<Pairs>(model, pairs);
}

Links::~Links() = default;

void Links::set(const Model& model, const SiteValues& values) {
  if (edges_) edges_->set(model, values);
  if (pairs_) pairs_->set(model, values);
}

std::vector<std::pair<std::size_t, double>> Links::find(const double* const* base, double* const* force, double t) {
  for (std::size_t f = 0; f < families_; ++f) std::fill_n(force[f], sites_, 0.0);
  std::vector<std::pair<std::size_t, double>> found;
  if (edges_) edges_->add(base, force, t, found);
  if (pairs_) pairs_->add(base, force, t, found);
  return found;
}

}  // namespace herglotz::families
