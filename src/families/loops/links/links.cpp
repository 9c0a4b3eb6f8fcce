#include "loops/links/links.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "herglotz/families/equations.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "loops/arrays/arrays.hpp"
#include "loops/links/edge_loop.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

/// Pairs are cut into groups of first sites, each with forces of its own. A group has at least `least_group` sites.
constexpr std::size_t least_group = 64;
constexpr std::size_t most_groups = 16;

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

LinkForces forces_of_lagrangian(const Model& model) {
  return {model.graph_sums, model.base};
}

LinkForces slopes_of_pairs(Model& model) {
  LinkForces slopes{{}, model.base};
  Expr along = model.graph->number(0);
  const Expr density = link_density(model, model.graph_sums, true);
  for (const std::size_t q : model.base) {
    const std::string name = "along:" + model.sites.families()[q].name;
    const auto known = model.sites.find(name);
    const std::size_t w = known ? *known : model.sites.add(name, Kind::momentum);
    slopes.moving.push_back(w);
    for (const Owner owner : {Owner::site, Owner::second})
      along += model.sites.of(w, owner) * symbolic::derivative(density, model.sites.of(q, owner));
  }
  slopes.potential.push_back({along, true});
  return slopes;
}

/// The loop over edges writes the forces at both ends of each into arrays over the edges; then each site adds those of
/// its edges in their order.
class Links::Edges {
 public:
  Edges(Model& model, const LinkForces& forces, const std::vector<LinkSum>& sums)
      : sums_(sums), loop_(model, code(model, forces.potential), forces.moving) {
    forces_.resize(pulled_.size(), std::vector<double>(2 * loop_.length()));
    for (std::vector<double>& forces : forces_)
      for (const std::size_t end : {std::size_t{0}, loop_.length()}) written_.push_back(forces.data() + end);
    list_places(model.count());
  }

  void set(const Model& model, const SiteValues& values) { loop_.set(model, values); }

  /// Adds the forces, and the values of the sums to `found`.
  void add(const double* const* moving, double* const* force, double t,
           std::vector<std::pair<std::size_t, double>>& found) {
    const std::vector<double> values = loop_.visit(moving, t, written_);
    for (std::size_t s = 0; s < sums_.size(); ++s) found.emplace_back(sums_[s].sum, values[s]);
    constexpr std::size_t some = 2048;  // sites
    const std::size_t sites = first_.size() - 1;
    for_each_part((sites + some - 1) / some, loop_.count(), [&](std::size_t k) {
      for (std::size_t p = 0; p < pulled_.size(); ++p)
        collect(forces_[p].data(), force[pulled_[p]], k * some, std::min(sites, (k + 1) * some));
    });
  }

 private:
  LinkLoop code(Model& model, const std::vector<GraphSum>& potential) {
    LinkBuilder build(model, "edges");
    const Expr density = link_density(model, potential, false);
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
    return build.compile(2 * pulled_.size(), std::nullopt);
  }

  /// Lists for each site the places of the forces of its edges.
  void list_places(std::size_t sites) {
    const auto& from = loop_.from();
    const auto& to = loop_.to();
    first_.assign(sites + 1, 0);
    for (std::size_t e = 0; e < loop_.count(); ++e) {
      ++first_[from[e] + 1];
      ++first_[to[e] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    places_.resize(2 * loop_.count());
    for (std::size_t e = 0; e < loop_.count(); ++e) {
      places_[next[from[e]]++] = static_cast<std::uint32_t>(e);
      places_[next[to[e]]++] = static_cast<std::uint32_t>(loop_.length() + e);
    }
  }

  /// Adds the forces of the edges of some sites.
  void collect(const double* forces, double* to, std::size_t begin, std::size_t end) const {
    for (std::size_t site = begin; site < end; ++site) {
      double total = 0;
      for (std::size_t k = first_[site]; k < first_[site + 1]; ++k) total += forces[places_[k]];
      to[site] += total;
    }
  }

  std::vector<LinkSum> sums_;
  std::vector<std::size_t> pulled_;  // the base families that edges pull at
  EdgeLoop loop_;
  std::vector<std::vector<double>> forces_;  // for each pulled family: at the beginnings, then at the ends of edges
  std::vector<double*> written_;
  std::vector<std::size_t> first_;  // of each site in `places_`
  std::vector<std::uint32_t> places_;
};

/// The loop over pairs visits for each first site i the second ones 0, .., i - 1: it adds up the force on the first,
/// and adds to the forces on the second ones. Groups of first sites have forces of their own, which are added at the
/// end.
class Links::Pairs {
 public:
  Pairs(Model& model, const LinkForces& forces, const std::vector<LinkSum>& sums)
      : moving_(forces.moving), sums_(sums), count_(model.count()) {
    LinkBuilder build(model, "pairs");
    const Expr density = link_density(model, forces.potential, true);
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

  void add(const double* const* moving, double* const* force, double t,
           std::vector<std::pair<std::size_t, double>>& found) {
    const std::size_t groups = begins_.size() - 1;
    std::vector<std::vector<Compensated>> sums(groups, std::vector<Compensated>(sums_.size()));
    for_each_part(groups, count_ * count_ / 2, [&](std::size_t g) { visit(moving, t, g, sums[g]); });
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
  /// Values at the sites: those that are given, or values that do not change.
  struct Column {
    std::optional<std::size_t> moving{};
    std::vector<double> values{};

    [[nodiscard]] const double* at(const double* const* given) const { return moving ? given[*moving] : values.data(); }
  };

  [[nodiscard]] Column column(const Model& model, const SiteValues& values, const Element& element) const {
    const auto moving = place_among(moving_, element.family);
    return moving ? Column{moving} : Column{{}, constants(model, values, element.family)};
  }

  /// Makes the loops for the first sites of a group.
  void visit(const double* const* moving, double t, std::size_t g, std::vector<Compensated>& found) {
    std::vector<double*> arrays;
    for (std::size_t p = 0; p < pulled_.size(); ++p) {
      std::vector<double>& forces = forces_[g * pulled_.size() + p];
      std::fill_n(forces.begin(), begins_[g + 1], 0.0);
      arrays.push_back(forces.data());
    }
    for (const Column& column : columns_)
      arrays.push_back(const_cast<double*>(column.at(moving)));  // loops only read it
    std::vector<double> scalars = scalars_of(t, parameters_, scalars_.size());
    std::vector<double> sums((pulled_.size() + sums_.size()) * SiteLoop::block);
    for (std::size_t i = begins_[g]; i < begins_[g + 1]; ++i) {
      for (std::size_t k = 0; k < scalars_.size(); ++k)
        std::fill_n(scalars.data() + k * SiteLoop::block, SiteLoop::block, scalars_[k].at(moving)[i]);
      std::fill(sums.begin(), sums.end(), 0.0);
      code_.loop(arrays.data(), scalars.data(), sums.data(), {0, i, 0, i});
      for (std::size_t p = 0; p < pulled_.size(); ++p)
        arrays[p][i] += pairwise(sums.data() + p * SiteLoop::block, SiteLoop::block);
      for (std::size_t s = 0; s < sums_.size(); ++s)
        found[s].add(pairwise(sums.data() + (pulled_.size() + s) * SiteLoop::block, SiteLoop::block));
    }
  }

  std::vector<std::size_t> moving_;
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

Links::Links(Model& model, const LinkForces& forces, std::span<const LinkSum> sums)
    : families_(model.base.size()), sites_(model.count()) {
  const auto own = [&](bool pairs) {
    std::vector<LinkSum> list;
    for (const LinkSum& sum : sums)
      if (sum.of.pairs == pairs) list.push_back(sum);
    return list;
  };
  const auto pulls = [&](bool pairs) { return !link_density(model, forces.potential, pairs).is_zero(); };
  const std::vector<LinkSum> edges = own(false);
  const std::vector<LinkSum> pairs = own(true);
  if (!edges.empty() || pulls(false)) edges_ = std::make_unique<Edges>(model, forces, edges);
  if (!pairs.empty() || pulls(true)) pairs_ = std::make_unique<Pairs>(model, forces, pairs);
}

Links::~Links() = default;

void Links::set(const Model& model, const SiteValues& values) {
  if (edges_) edges_->set(model, values);
  if (pairs_) pairs_->set(model, values);
}

std::vector<std::pair<std::size_t, double>> Links::find(const double* const* moving, double* const* force, double t) {
  for (std::size_t f = 0; f < families_; ++f) std::fill_n(force[f], sites_, 0.0);
  std::vector<std::pair<std::size_t, double>> found;
  if (edges_) edges_->add(moving, force, t, found);
  if (pairs_) pairs_->add(moving, force, t, found);
  return found;
}

}  // namespace herglotz::families
