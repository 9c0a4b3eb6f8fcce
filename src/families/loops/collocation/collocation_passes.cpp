#include "loops/collocation/collocation_passes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "loops/pass_builder.hpp"

namespace herglotz::families {
namespace {

using symbolic::derivative;

/// Derives the equations, and throws Refused if they are not those of the passes.
Equations stage_equations(Model& model) {
  if (!model.constraints.empty())
    throw Refused("constraints are given", "reference and the Runge-Kutta methods take them");
  Equations q = derive(model, Borders::kept);
  for (std::size_t f = 0; f < model.base.size(); ++f)
    if (!is_quadratic(model, q, f))
      throw Refused("the kinetic energy is not quadratic in " + symbolic::print(model.sites.at(model.fibre[f])),
                    "a Runge-Kutta method takes it");
  return q;
}

class CollocationBuilder {
 public:
  CollocationBuilder(Model& model, const kernel::Quadrature& quadrature, Decay decay)
      : model_(model),
        q_(stage_equations(model)),
        laws_(laws(model, q_)),
        quadrature_(quadrature),
        decay_(decay),
        n_(model.base.size()) {
    const std::size_t stages = quadrature.c.size();
    passes_.arrays = {n_, stages, 0, has_graph_sums(model)};
    for (const Law& law : laws_) passes_.driven.push_back(!law.source.is_zero());
    const std::vector<LinkSum> rates = sums_of_rates(model, -1, 1);
    if (symbolic::depends_on(model.rest, model.t) || !rates.empty()) passes_.driven[0] = true;
    passes_.of_stage = sums_of_lagrangian(model, 1, 0);
    passes_.of_stage.insert(passes_.of_stage.end(), rates.begin(), rates.end());
    for (std::size_t j = 0; j < stages; ++j)
      for (std::size_t f = 0; f < n_; ++f) {
        X_.push_back(family("gauss:q", j, f));
        V_.push_back(family("gauss:v", j, f));
        links_.push_back(family("gauss:links", j, f));
      }
  }

  CollocationPasses build() {
    find_derivatives();
    passes_.shape.changing = passes_.arrays.changing();
    passes_.shape.extra = 2 * n_;
    passes_.positions = positions();
    passes_.stages = stages();
    passes_.derivatives = derivatives();
    passes_.end = end();
    passes_.momenta = momenta();
    passes_.velocities = velocities();
    passes_.look = look();
    return std::move(passes_);
  }

 private:
  std::size_t family(const char* what, std::size_t j, std::size_t f) {
    const std::string name = what + std::to_string(j) + ":" + std::to_string(f);
    if (const auto known = model_.sites.find(name)) return *known;
    return model_.sites.add(name, Kind::momentum);
  }

  [[nodiscard]] std::size_t count() const { return passes_.arrays.stages; }

  PassBuilder pass(const char* name) {
    return {model_, name, passes_.shape.changing + passes_.shape.extra, passes_.fixed};
  }
  kernel::SiteLoop finished(PassBuilder& build) {
    build.end_phase(0);
    kernel::SiteLoop loop = build.compile();
    passes_.shape.radius = std::max(passes_.shape.radius, build.radius());
    passes_.shape.beyond = std::max(passes_.shape.beyond, loop.beyond());
    return loop;
  }
  static Expr at(PassBuilder& build, std::size_t array) {
    return build.value_of("pass:array" + std::to_string(array), array);
  }
  std::vector<Expr> scalars(PassBuilder& build, const char* name) const {
    std::vector<Expr> all;
    for (std::size_t j = 0; j < count(); ++j)
      all.push_back(build.scalar(std::string("pass:") + name + std::to_string(j)));
    return all;
  }
  void place_stages(PassBuilder& build) const {
    for (std::size_t j = 0; j < count(); ++j)
      for (std::size_t f = 0; f < n_; ++f) {
        build.place(X_[j * n_ + f], passes_.arrays.stage_q(j, f));
        build.place(V_[j * n_ + f], passes_.arrays.stage_v(j, f));
        if (passes_.arrays.linked) build.place(links_[j * n_ + f], passes_.arrays.link_force(j, f));
      }
  }
  void place_state(PassBuilder& build) const {
    for (std::size_t f = 0; f < n_; ++f) {
      build.place(model_.base[f], passes_.arrays.q(f));
      build.place(model_.fibre[f], passes_.arrays.v(f));
    }
  }

  /// Returns an expression at the stage j, whose time is t.
  Expr at_stage(Expr f, std::size_t j, Expr t) {
    const Expr moved = model_.sites.replaced(f, [&](const Element& element) {
      std::size_t family = element.family;
      for (std::size_t g = 0; g < n_; ++g) {
        if (element.family == model_.base[g]) family = X_[j * n_ + g];
        if (element.family == model_.fibre[g]) family = V_[j * n_ + g];
        if (passes_.arrays.linked && element.family == link_family(model_, g)) family = links_[j * n_ + g];
      }
      return model_.sites.at(family, element.offset);
    });
    return model_.graph->share(symbolic::substitute(moved, std::vector{model_.t}, std::vector{t}));
  }
  [[nodiscard]] Expr number(long double value) const { return model_.graph->number(static_cast<double>(value)); }

  kernel::SiteLoop positions() {
    PassBuilder build = pass("positions");
    const Expr h = build.scalar("pass:h");
    for (std::size_t j = 0; j < count(); ++j)
      for (std::size_t f = 0; f < n_; ++f) {
        Expr way = number(0);
        for (std::size_t k = 0; k < count(); ++k)
          way += number(quadrature_.A[j][k]) * at(build, passes_.arrays.stage_v(k, f));
        build.store(at(build, passes_.arrays.q(f)) + h * way, passes_.arrays.stage_q(j, f));
      }
    return finished(build);
  }

  kernel::SiteLoop stages() {
    PassBuilder build = pass("stages");
    const Expr h = build.scalar("pass:h");
    const std::vector<Expr> decays = scalars(build, "R");
    const std::vector<Expr> t = scalars(build, "t");
    place_stages(build);
    for (std::size_t f = 0; f < n_; ++f) {
      std::vector<Expr> impulses;
      for (std::size_t k = 0; k < count(); ++k) {
        Expr force = at_stage(q_.force[f] + q_.external[f], k, t[k]);
        if (decay_ == Decay::by_rate) force += decays[k] * at_stage(q_.momentum[f], k, t[k]);
        build.store(force, passes_.arrays.stage_force(k, f));
        impulses.push_back(model_.graph->share(decay_ == Decay::by_factor ? decays[k] * force : force));
      }
      for (std::size_t j = 0; j < count(); ++j) {
        Expr impulse = number(0);
        for (std::size_t k = 0; k < count(); ++k) impulse += number(quadrature_.A[j][k]) * impulses[k];
        Expr p = at_stage(q_.momentum[f], j, t[j]);
        if (decay_ == Decay::by_factor) p = decays[j] * p;
        build.store(p - at(build, passes_.arrays.p(f)) - h * impulse, passes_.arrays.residual(j, f));
      }
    }
    for (std::size_t j = 0; j < count(); ++j) {
      build.sum(at_stage(q_.lagrangian, j, t[j]));
      for (std::size_t k = 0; k < laws_.size(); ++k)
        if (passes_.driven[k]) build.sum(at_stage(laws_[k].source, j, t[j]));
    }
    return finished(build);
  }

  /// Finds which derivatives of momenta and forces do not vanish.
  void find_derivatives() {
    for (std::size_t f = 0; f < n_; ++f)
      for (const bool of_force : {false, true}) {
        const Expr of = of_force ? q_.force[f] + q_.external[f] : q_.momentum[f];
        for (const auto& [element, symbol] : model_.sites.elements(of))
          for (std::size_t g = 0; g < n_; ++g) {
            const bool by_velocity = element.family == model_.fibre[g];
            if (!by_velocity && element.family != model_.base[g]) continue;
            const Expr slope = symbolic::simplify(derivative(of, symbol));
            if (slope.is_zero()) continue;
            passes_.entries.push_back({f, g, element.offset, of_force, by_velocity});
            slopes_.push_back(slope);
          }
      }
    passes_.arrays.derivatives = slopes_.size();
  }

  kernel::SiteLoop derivatives() {
    PassBuilder build = pass("derivatives");
    const Expr t = build.scalar("pass:t");
    place_stages(build);
    for (std::size_t e = 0; e < slopes_.size(); ++e)
      build.store(at_stage(slopes_[e], (count() - 1) / 2, t), passes_.arrays.derivative(e));
    return finished(build);
  }

  kernel::SiteLoop end() {
    PassBuilder build = pass("end");
    const Expr decay = build.scalar("pass:decay");
    const std::vector<Expr> ways = scalars(build, "way");
    const std::vector<Expr> kicks = scalars(build, "kick");
    Expr total = number(0);
    for (std::size_t f = 0; f < n_; ++f) {
      Expr way = number(0);
      Expr kick = decay * at(build, passes_.arrays.p(f));
      for (std::size_t j = 0; j < count(); ++j) {
        way += ways[j] * at(build, passes_.arrays.stage_v(j, f));
        kick += kicks[j] * at(build, passes_.arrays.stage_force(j, f));
      }
      for (const auto& [change, array] : {std::pair{way, passes_.arrays.q(f)}, std::pair{kick, passes_.arrays.p(f)}}) {
        const Expr shared = model_.graph->share(change);
        build.accumulate(shared, array, passes_.arrays.lost(array));
        total += shared;
      }
    }
    build.sum(total);
    return finished(build);
  }

  kernel::SiteLoop momenta() {
    PassBuilder build = pass("momenta");
    build.scalar(std::string(model_.t.name()));
    place_state(build);
    for (std::size_t f = 0; f < n_; ++f) build.store(q_.momentum[f], passes_.arrays.p(f));
    return finished(build);
  }

  kernel::SiteLoop velocities() {
    PassBuilder build = pass("velocities");
    build.scalar(std::string(model_.t.name()));
    place_state(build);
    std::vector<Expr> moved = momenta_at_rest(model_, q_);  // p less the momenta at rest
    for (std::size_t f = 0; f < n_; ++f) moved[f] = at(build, passes_.arrays.p(f)) - moved[f];
    for (std::size_t f = 0; f < n_; ++f) build.store(symbolic::simplify(by_inertia(q_, f, moved)), passes_.arrays.v(f));
    return finished(build);
  }

  kernel::SiteLoop look() {
    PassBuilder build = pass("look");
    build.scalar(std::string(model_.t.name()));
    place_state(build);
    if (passes_.arrays.linked) place_links(model_, build, passes_.arrays.link_force(0, 0));
    for (std::size_t f = 0; f < n_; ++f) {
      build.store(model_.sites.at(model_.base[f]), passes_.shape.changing + f);
      build.store(model_.sites.at(model_.fibre[f]), passes_.shape.changing + n_ + f);
    }
    sum_laws(laws_, build);
    passes_.of_look = sums_of_lagrangian(model_, -1, 0);
    const std::vector<LinkSum> watched = sum_watched(model_, build);
    passes_.of_look.insert(passes_.of_look.end(), watched.begin(), watched.end());
    return finished(build);
  }

  Model& model_;
  Equations q_;
  std::vector<Law> laws_;
  kernel::Quadrature quadrature_;
  Decay decay_;
  std::size_t n_;
  std::vector<std::size_t> X_;      // families of the coordinates of the stages
  std::vector<std::size_t> V_;      // families of their velocities
  std::vector<std::size_t> links_;  // families of the forces of edges and pairs there
  std::vector<Expr> slopes_;
  CollocationPasses passes_;
};

}  // namespace

CollocationPasses collocation_passes(Model& model, const kernel::Quadrature& quadrature, Decay decay) {
  return CollocationBuilder(model, quadrature, decay).build();
}

void require_collocation(Model& model) {
  stage_equations(model);
}

}  // namespace herglotz::families
