#include "loops/stage_passes.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/families/equations.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "loops/pass_builder.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

/// Blocks by which the state of a stage is ahead of the slopes there.
constexpr std::size_t state_ahead = 4;

/// Places of the arrays.
struct Layout {
  std::size_t n = 0;  ///< families
  std::size_t stages = 0;
  bool pair = false;
  bool linked = false;
  bool constrained = false;

  [[nodiscard]] std::size_t q(std::size_t f) const { return f; }
  [[nodiscard]] std::size_t v(std::size_t f) const { return n + f; }
  [[nodiscard]] std::size_t lost(std::size_t array) const { return 2 * n + array; }
  [[nodiscard]] std::size_t weight(std::size_t array) const { return 4 * n + array; }
  [[nodiscard]] std::size_t changing() const { return pair ? 6 * n : 4 * n; }
  [[nodiscard]] std::size_t stage_q(std::size_t f) const { return changing() + f; }
  /// The velocity at a stage; that of the first is v itself.
  [[nodiscard]] std::size_t stage_v(std::size_t stage, std::size_t f) const {
    return stage == 0 ? v(f) : changing() + stage * n + f;
  }
  [[nodiscard]] std::size_t acceleration(std::size_t stage, std::size_t f) const {
    return changing() + (stages + stage) * n + f;
  }
  [[nodiscard]] std::size_t forces() const { return changing() + 2 * stages * n; }
  [[nodiscard]] std::size_t inverse_inertia(std::size_t f) const { return forces() + n + f; }
  [[nodiscard]] std::size_t reaction_size(std::size_t f) const { return inverse_inertia(n) + f; }
  [[nodiscard]] std::size_t extra() const { return (2 * stages + (linked ? 1U : 0U) + (constrained ? 2U : 0U)) * n; }
};

class Builder {
 public:
  Builder(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference)
      : model_(model),
        tableau_(tableau),
        difference_(difference),
        layout_{model.base.size(), tableau.stages(), !difference.empty(),
                has_graph_sums(model) || !model.constraints.empty(), !model.constraints.empty()},
        q_(derive(model, Borders::kept)),
        laws_(laws(model, q_)),
        read_(q_.acceleration) {
    read_.push_back(q_.lagrangian);
    for (const Law& law : laws_) read_.push_back(law.source);
  }

  StagePasses build() {
    require_reactions(model_, q_);
    for (const Law& law : laws_) passes_.driven.push_back(!law.source.is_zero());
    const std::vector<LinkSum> rates = sums_of_rates(model_, -1, 1);
    if (symbolic::depends_on(model_.rest, model_.t) || !rates.empty()) passes_.driven[0] = true;
    if (layout_.constrained) {
      const std::vector<bool> worked = worked_laws(model_);
      for (std::size_t k = 0; k < worked.size(); ++k)
        if (worked[k]) passes_.driven[k] = true;
      for (std::size_t k = 0, place = 1; k < worked.size(); ++k)
        passes_.sum_of_law.push_back(passes_.driven[k] ? place++ : 0);
      passes_.reactions_of_look = {
          nullptr,         layout_.q(0), layout_.v(0), layout_.acceleration(0, 0), layout_.inverse_inertia(0),
          layout_.forces()};
      passes_.reactions_of_look.size = layout_.reaction_size(0);
      passes_.free_look = free("free look", passes_.reactions_of_look);
    }
    passes_.of_stage = sums_of_lagrangian(model_, 1, 0);
    passes_.of_stage.insert(passes_.of_stage.end(), rates.begin(), rates.end());
    passes_.stage_q = layout_.stage_q(0);
    passes_.forces = layout_.forces();
    for (std::size_t i = 0; i < layout_.stages; ++i) passes_.stages.push_back(stage(i));
    passes_.look = look();
    passes_.shape.changing = layout_.changing();
    passes_.shape.extra = layout_.extra();
    passes_.shape.together = layout_.stages;
    return std::move(passes_);
  }

 private:
  PassBuilder pass(const char* name) { return {model_, name, layout_.changing() + layout_.extra(), passes_.fixed}; }
  SiteLoop finished(PassBuilder& build) {
    SiteLoop loop = build.compile();
    passes_.shape.radius = std::max(passes_.shape.radius, build.radius());
    passes_.shape.beyond = std::max(passes_.shape.beyond, loop.beyond());
    return loop;
  }
  static Expr at(PassBuilder& build, std::size_t array) {
    return build.value_of("pass:array" + std::to_string(array), array);
  }
  /// Returns the sum of numbers times what the function gives for a stage.
  template <class Term>
  Expr combined(std::span<const double> factors, const Term& term) {
    Expr total = model_.graph->number(0);
    for (std::size_t j = 0; j < factors.size(); ++j)
      if (factors[j] != 0) total += model_.graph->number(factors[j]) * term(j);
    return total;
  }

  /// Begins a pass of a stage; returns h.
  Expr begin_stage(PassBuilder& build, std::size_t i) {
    const Expr h = build.scalar("pass:h");
    build.scalar(std::string(model_.t.name()));
    for (std::size_t f = 0; f < layout_.n; ++f) {
      build.place(model_.base[f], i == 0 ? layout_.q(f) : layout_.stage_q(f));
      build.place(model_.fibre[f], layout_.stage_v(i, f));
    }
    if (layout_.linked) place_links(model_, build, layout_.forces());
    return h;
  }

  /// Stores the state of a stage after the first.
  void store_state(PassBuilder& build, Expr h, std::size_t i) {
    const std::span<const double> before(tableau_.A[i].data(), std::min(i, tableau_.A[i].size()));
    for (std::size_t f = 0; f < layout_.n; ++f) {
      const auto slope_q = [&](std::size_t j) { return at(build, layout_.stage_v(j, f)); };
      const auto slope_v = [&](std::size_t j) { return at(build, layout_.acceleration(j, f)); };
      build.store(at(build, layout_.q(f)) + h * combined(before, slope_q), layout_.stage_q(f));
      build.store(at(build, layout_.v(f)) + h * combined(before, slope_v), layout_.stage_v(i, f));
    }
  }

  SiteLoop stage(std::size_t i) {
    if (i > 0 && layout_.linked) {
      PassBuilder build = pass("state");
      store_state(build, begin_stage(build, i), i);
      build.end_phase(0);
      passes_.states.push_back(finished(build));
    }
    PassBuilder build = pass("stage");
    const Expr h = begin_stage(build, i);
    if (i > 0 && !layout_.linked) {
      store_state(build, h, i);
      build.end_phase(blocks_ahead(model_, read_, state_ahead));
    }
    const bool last = i + 1 == layout_.stages;
    if (layout_.constrained) {
      const ReactionCall at{nullptr,
                            i == 0 ? layout_.q(0) : layout_.stage_q(0),
                            layout_.stage_v(i, 0),
                            layout_.acceleration(i, 0),
                            layout_.inverse_inertia(0),
                            layout_.forces()};
      passes_.reactions.push_back(at);
      passes_.free.push_back(free("free", at));
    }
    if (!last)
      for (std::size_t f = 0; f < layout_.n; ++f) build.store(q_.acceleration[f], layout_.acceleration(i, f));
    build.sum(q_.lagrangian);
    for (std::size_t k = 0; k < laws_.size(); ++k)
      if (passes_.driven[k]) build.sum(laws_[k].source);
    if (last) conclude(build, h, i);
    build.end_phase(0);
    return finished(build);
  }

  /// Adds the step to q and v, and the last sum.
  void conclude(PassBuilder& build, Expr h, std::size_t i) {
    Expr total = model_.graph->number(0);
    for (std::size_t f = 0; f < layout_.n; ++f) {
      const Expr own = model_.graph->share(q_.acceleration[f]);
      const auto slope_q = [&](std::size_t j) {
        return j == i ? model_.sites.at(model_.fibre[f]) : at(build, layout_.stage_v(j, f));
      };
      const auto slope_v = [&](std::size_t j) { return j == i ? own : at(build, layout_.acceleration(j, f)); };
      const Expr change_q = model_.graph->share(h * combined(tableau_.b, slope_q));
      const Expr change_v = model_.graph->share(h * combined(tableau_.b, slope_v));
      build.accumulate(change_q, layout_.q(f), layout_.lost(layout_.q(f)));
      build.accumulate(change_v, layout_.v(f), layout_.lost(layout_.v(f)));
      if (difference_.empty()) {
        total += change_q + change_v;
        continue;
      }
      const auto square = [&](Expr error, std::size_t array) {
        const Expr weighted = model_.graph->share(h * error * at(build, layout_.weight(array)));
        total += weighted * weighted;
      };
      square(combined(difference_, slope_q), layout_.q(f));
      square(combined(difference_, slope_v), layout_.v(f));
    }
    build.sum(total);
  }

  /// Returns the pass of the accelerations without reactions and of the inverse inertias at the state in these arrays.
  SiteLoop free(const char* name, ReactionCall at) {
    PassBuilder build = pass(name);
    build.scalar(std::string(model_.t.name()));
    place_links(model_, build, layout_.forces());
    for (std::size_t f = 0; f < layout_.n; ++f) {
      build.place(model_.base[f], at.q + f);
      build.place(model_.fibre[f], at.v + f);
      build.store(q_.acceleration[f], at.acceleration + f);
      build.store(symbolic::simplify(model_.graph->number(1) / q_.inertia[f]), layout_.inverse_inertia(f));
    }
    build.end_phase(0);
    return finished(build);
  }

  /// Returns the laws with the |terms| of the reactions among those of their rates: at rest the forces and reactions of
  /// a site cancel, but not what rounding makes of them.
  std::vector<Law> laws_with_reactions(PassBuilder& build) {
    std::vector<Law> all = laws_;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t f = 0; f < layout_.n; ++f) {
        const Expr way = k == 0 ? model_.sites.at(model_.fibre[f]) : model_.symmetries[k - 1].section[f];
        all[k].rate += abs(way) * at(build, layout_.reaction_size(f));
      }
    return all;
  }

  SiteLoop look() {
    PassBuilder build = pass("look");
    build.scalar(std::string(model_.t.name()));
    if (layout_.linked) place_links(model_, build, layout_.forces());
    for (std::size_t f = 0; f < layout_.n; ++f) {
      build.place(model_.base[f], layout_.q(f));
      build.place(model_.fibre[f], layout_.v(f));
      build.store(model_.sites.at(model_.base[f]), layout_.changing() + f);
      build.store(model_.sites.at(model_.fibre[f]), layout_.changing() + layout_.n + f);
    }
    sum_laws(layout_.constrained ? laws_with_reactions(build) : laws_, build);
    passes_.of_look = sums_of_lagrangian(model_, -1, 0);
    const std::vector<LinkSum> watched = sum_watched(model_, build);
    passes_.of_look.insert(passes_.of_look.end(), watched.begin(), watched.end());
    build.end_phase(0);
    return finished(build);
  }

  Model& model_;
  const kernel::ExplicitTableau& tableau_;
  std::span<const double> difference_;
  Layout layout_;
  Equations q_;
  std::vector<Law> laws_;
  std::vector<Expr> read_;  // expressions that read the state of a stage
  StagePasses passes_;
};

/// Returns the call with forces of 0 on each base family if there are no links.
LinkCall with_forces(LinkCall call, std::size_t families) {
  if (call.links == nullptr) call.forces = families;
  return call;
}

}  // namespace

StagePasses stage_passes(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference) {
  return Builder(model, tableau, difference).build();
}

StagedState::StagedState(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference)
    : n_(model.base.size()),
      tableau_(tableau),
      difference_(difference.begin(), difference.end()),
      observables_(model),
      passes_(stage_passes(model, tableau, difference)),
      whole_(model, passes_.driven) {
  if (!model.constraints.empty()) reactions_ = std::make_unique<Reactions>(model);
  if (has_graph_sums(model)) {
    links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_stage);
    look_links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_look);
  }
  start(model);
}

void StagedState::start(Model& model) {
  parameters_ = parameter_values(model);
  observables_.set_parameters(parameters_);
  whole_.set_parameters(parameters_);
  const SiteValues values = formulas_.values(model);
  sites_ = site_state(model, passes_.shape, fixed_values(model, values, passes_.fixed));
  for (Links* const links : {links_.get(), look_links_.get()})
    if (links != nullptr) links->set(model, values);
  const std::size_t n = model.base.size();
  for (std::size_t f = 0; f < n; ++f) {
    std::copy(values.base[f].begin(), values.base[f].end(), sites_->state(f));
    std::copy(values.fibre[f].begin(), values.fibre[f].end(), sites_->state(n + f));
  }
  if (reactions_) {
    reactions_->set(model, values);
    settle(model);
  }
  whole_.begin(model.z0, [&] { return observe(model.t0, [](auto&&...) {}); });
}

std::vector<double> StagedState::scalars(std::initializer_list<double> own) const {
  std::vector<double> all;
  for (const double value : own) all.insert(all.end(), SiteLoop::block, value);
  for (const double value : parameters_) all.insert(all.end(), SiteLoop::block, value);
  return all;
}

ReactionCall StagedState::call(const ReactionCall& at, double t) const {
  ReactionCall own = at;
  own.reactions = reactions_.get();
  own.t = t;
  return own;
}

void StagedState::settle(const Model& model) {
  const Pass free{&passes_.free_look, scalars({model.t0}), with_forces({nullptr, 0, passes_.forces, model.t0}, n_)};
  const std::size_t inertia = passes_.reactions_of_look.inverse_inertia - passes_.stage_q;  // among the extra arrays
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
    q.push_back(sites_->state(f));
    v.push_back(sites_->state(n_ + f));
    acceleration.push_back(none.data());
  }
  start_notes_ = reactions_->settle(model, {q.data(), v.data(), acceleration.data()}, find_inertia);
}

double StagedState::last_sum(const double* sums) const {
  const double last = sums[stages() * stride()];
  return reactions_ ? last + sums[stages() * stride() + 1] : last;
}

void StagedState::add_passes(std::vector<Pass>& passes, double t, double h) const {
  for (std::size_t i = 0; i < stages(); ++i) {
    const double at = t + tableau_.c[i] * h;
    const std::vector<double> all = scalars({h, at});
    if (i > 0 && (links_ || reactions_)) passes.push_back({&passes_.states[i - 1], all});
    const LinkCall links{links_.get(), i == 0 ? 0 : passes_.stage_q, passes_.forces, at};
    if (!reactions_) {
      passes.push_back({&passes_.stages[i], all, links});
      continue;
    }
    passes.push_back({&passes_.free[i], scalars({at}), with_forces(links, n_)});
    passes.push_back({&passes_.stages[i], all, {}, call(passes_.reactions[i], at), passes_.sum_of_law});
  }
  if (!reactions_) return;
  ReactionCall end = call(passes_.reactions_of_look, t + h);
  passes.push_back({nullptr, {}, {}, end, passes_.sum_of_law});
}

void StagedState::attempt(double t, double h, const double* sums) {
  whole_.attempt(tableau_, difference_, t, h, sums, stride());
  if (!reactions_) return;
  const double* const works = sums + stages() * stride() + 2;
  for (std::size_t k = 0; k < laws(); ++k)
    if (passes_.driven[k]) whole_.add_to_budget(k, works[k]);
}

void StagedState::keep() {
  sites_->keep();
  whole_.keep();
}

void StagedState::go_back() {
  sites_->go_back();
  whole_.go_back();
}

Observed StagedState::observe(double t, const Motion::Take& take) {
  const LinkCall links{look_links_.get(), 0, passes_.forces, t};
  std::vector<Pass> passes;
  if (reactions_) {
    passes.push_back({&passes_.free_look, scalars({t}), with_forces(links, n_)});
    passes.push_back({&passes_.look, scalars({t}), {}, call(passes_.reactions_of_look, t)});
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
