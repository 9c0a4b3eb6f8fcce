#include "loops/system_state.hpp"

#include <algorithm>
#include <utility>

#include "herglotz/families/equations.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::families {

using kernel::SiteLoop;

RowBuilder::RowBuilder(Model& model, const RowArrays& arrays, const Equations& equations)
    : model_(model), equations_(equations), laws_(families::laws(model, equations)) {
  passes_.arrays = arrays;
  passes_.shape.changing = arrays.changing;
  passes_.shape.extra = arrays.extra;
  require_reactions(model_, equations_);
  for (const Law& law : laws_) passes_.driven.push_back(!law.source.is_zero());
  if (symbolic::depends_on(model_.rest, model_.t) || !sums_of_rates(model_, -1, 1).empty()) passes_.driven[0] = true;
  if (!constrained()) return;
  const std::vector<bool> worked = worked_laws(model_);
  for (std::size_t k = 0; k < worked.size(); ++k)
    if (worked[k]) passes_.driven[k] = true;
  passes_.reactions = {
      nullptr, arrays.q, arrays.v, arrays.acceleration, arrays.inverse_inertia, arrays.forces, arrays.reaction_size};
  passes_.free = free("free look", passes_.reactions);
}

PassBuilder RowBuilder::pass(const char* name) {
  return {model_, name, passes_.arrays.changing + passes_.arrays.extra, passes_.fixed};
}

SiteLoop RowBuilder::finished(PassBuilder& build) {
  SiteLoop loop = build.compile();
  passes_.shape.radius = std::max(passes_.shape.radius, build.radius());
  passes_.shape.beyond = std::max(passes_.shape.beyond, loop.beyond());
  return loop;
}

SiteLoop RowBuilder::free(const char* name, const ReactionCall& at) {
  PassBuilder build = pass(name);
  build.scalar(std::string(model_.t.name()));
  place_links(model_, build, passes_.arrays.forces);
  for (std::size_t f = 0; f < model_.base.size(); ++f) {
    build.place(model_.base[f], at.q + f);
    build.place(model_.fibre[f], at.v + f);
    build.store(equations_.acceleration[f], at.acceleration + f);
    build.store(symbolic::simplify(model_.graph->number(1) / equations_.inertia[f]),
                passes_.arrays.inverse_inertia + f);
  }
  build.end_phase(0);
  return finished(build);
}

/// Returns the laws with the |terms| of the reactions among those of their rates: at rest the forces and reactions of
/// a site cancel, but not what rounding makes of them.
std::vector<Law> RowBuilder::laws_with_reactions(PassBuilder& build) {
  std::vector<Law> all = laws_;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t f = 0; f < model_.base.size(); ++f) {
      const Expr way = k == 0 ? model_.sites.at(model_.fibre[f]) : model_.symmetries[k - 1].section[f];
      const std::size_t array = passes_.arrays.reaction_size + f;
      all[k].rate += abs(way) * build.value_of("pass:array" + std::to_string(array), array);
    }
  return all;
}

RowPasses RowBuilder::build() {
  const RowArrays& arrays = passes_.arrays;
  const std::size_t n = model_.base.size();
  PassBuilder build = pass("look");
  build.scalar(std::string(model_.t.name()));
  if (linked()) place_links(model_, build, arrays.forces);
  for (std::size_t f = 0; f < n; ++f) {
    build.place(model_.base[f], arrays.q + f);
    build.place(model_.fibre[f], arrays.v + f);
    build.store(model_.sites.at(model_.base[f]), arrays.changing + f);
    build.store(model_.sites.at(model_.fibre[f]), arrays.changing + n + f);
  }
  sum_laws(constrained() ? laws_with_reactions(build) : laws_, build);
  passes_.of_look = sums_of_lagrangian(model_, -1, 0);
  const std::vector<LinkSum> watched = sum_watched(model_, build);
  passes_.of_look.insert(passes_.of_look.end(), watched.begin(), watched.end());
  build.end_phase(0);
  passes_.look = finished(build);
  return std::move(passes_);
}

LinkCall with_forces(LinkCall call, std::size_t families) {
  if (call.links == nullptr) call.forces = families;
  return call;
}

SystemState::SystemState(Model& model, RowPasses passes)
    : n_(model.base.size()), observables_(model), passes_(std::move(passes)), whole_(model, passes_.driven) {
  if (!model.constraints.empty()) reactions_ = std::make_unique<Reactions>(model);
  if (has_graph_sums(model)) links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_look);
}

void SystemState::start(Model& model, const std::function<void(const SiteValues&)>& set_links) {
  parameters_ = parameter_values(model);
  observables_.set_parameters(parameters_);
  whole_.set_parameters(parameters_);
  const SiteValues values = formulas_.values(model);
  sites_ = site_state(model, passes_.shape, fixed_values(model, values, passes_.fixed));
  if (links_) links_->set(model, values);
  set_links(values);
  for (std::size_t f = 0; f < n_; ++f) {
    std::copy(values.base[f].begin(), values.base[f].end(), sites_->state(passes_.arrays.q + f));
    std::copy(values.fibre[f].begin(), values.fibre[f].end(), sites_->state(passes_.arrays.v + f));
  }
  if (reactions_) {
    reactions_->set(model, values);
    settle(model);
  }
  whole_.begin(model.z0, [&] { return observe(model.t0, [](auto&&...) {}); });
}

std::vector<double> SystemState::scalars(std::initializer_list<double> own) const {
  std::vector<double> all;
  for (const double value : own) all.insert(all.end(), SiteLoop::block, value);
  for (const double value : parameters_) all.insert(all.end(), SiteLoop::block, value);
  return all;
}

ReactionCall SystemState::call(const ReactionCall& at, double t) const {
  ReactionCall own = at;
  own.reactions = reactions_.get();
  own.t = t;
  return own;
}

void SystemState::settle(const Model& model) {
  const RowArrays& arrays = passes_.arrays;
  const Pass free{&passes_.free, scalars({model.t0}), with_forces({nullptr, arrays.q, arrays.forces, model.t0}, n_)};
  const std::size_t inertia = arrays.inverse_inertia - arrays.changing;  // among the extra arrays
  const auto find_inertia = [&](std::vector<std::vector<double>>& inverse_inertia) {
    sites_->observe(std::span(&free, 1), [&](std::size_t tile, double* const* extra) {
      const Tiling& tiling = sites_->tiling();
      for (std::size_t f = 0; f < n_; ++f)
        std::copy_n(extra[inertia + f], tiling.own(tile), inverse_inertia[f].data() + tiling.first(tile));
    });
  };
  const std::vector<double> none(model.count());
  std::vector<double*> q;
  std::vector<double*> v;
  std::vector<const double*> acceleration;
  for (std::size_t f = 0; f < n_; ++f) {
    q.push_back(sites_->state(arrays.q + f));
    v.push_back(sites_->state(arrays.v + f));
    acceleration.push_back(none.data());
  }
  start_notes_ = reactions_->settle(model, {q.data(), v.data(), acceleration.data()}, find_inertia);
}

void SystemState::keep() {
  sites_->keep();
  whole_.keep();
}

void SystemState::go_back() {
  sites_->go_back();
  whole_.go_back();
}

Observed SystemState::observe(double t, const Motion::Take& take) {
  const LinkCall links{links_.get(), passes_.arrays.q, passes_.arrays.forces, t};
  std::vector<Pass> passes;
  if (reactions_) {
    passes.push_back({&passes_.free, scalars({t}), with_forces(links, n_)});
    passes.push_back({&passes_.look, scalars({t}), {}, call(passes_.reactions, t)});
  } else {
    passes.push_back({&passes_.look, scalars({t}), links});
  }
  const std::vector<double> sums = sites_->observe(passes, take);
  Observed row = whole_.row(sums, t);
  observables_.put(row, std::span(sums).subspan(3 * passes_.driven.size()), t);
  if (reactions_) {
    row.constraints = reactions_->residuals();
    row.largest_constraint = reactions_->largest_residual();
    for (const std::span<const double> own : reactions_->multipliers())
      row.multipliers.emplace_back(own.begin(), own.end());
  }
  return row;
}

}  // namespace herglotz::families
