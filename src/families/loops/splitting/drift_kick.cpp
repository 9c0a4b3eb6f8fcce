#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "loops/motion.hpp"
#include "loops/observed_values.hpp"
#include "loops/pass_builder.hpp"
#include "loops/tiles.hpp"

namespace herglotz::families {
namespace {

using kernel::SiteLoop;

/// Blocks by which the drift is ahead of the kick, so that what it stored has reached the cache when it is read.
constexpr std::size_t drift_ahead = 6;

/// Blocks by which the coordinates of a row are ahead of the velocities, and these of the observables that read them.
constexpr std::size_t velocities_behind = 2;
constexpr std::size_t observables_behind = 2;

/// The passes of the motion, compiled, with the sums over edges and pairs, and the families that they read.
struct Passes {
  std::vector<SiteLoop> step;  ///< one pass; with edges or pairs the drift, then the kick
  std::vector<SiteLoop> look;  ///< one pass; with edges or pairs coordinates, velocities, and observables
  std::vector<LinkSum> of_step;
  std::vector<LinkSum> of_look;
  std::size_t radius = 0;
  std::size_t beyond = 0;
  std::vector<std::size_t> fixed;

  /// Compiles a pass.
  void add(std::vector<SiteLoop>& passes, PassBuilder& build) {
    passes.push_back(build.compile());
    radius = std::max(radius, build.radius());
    beyond = std::max(beyond, passes.back().beyond());
  }
};

/// Builder of passes in phases. In a model with edges or pairs each phase is a pass of its own.
class PhaseBuilder {
 public:
  /// `begin` places what all phases read, and gives the scalars.
  PhaseBuilder(Model& model, const char* name, Passes& passes, std::vector<SiteLoop>& list,
               std::function<void(PassBuilder&)> begin)
      : model_(model), name_(name), passes_(passes), list_(list), begin_(std::move(begin)) {
    start();
  }

  PassBuilder* operator->() { return &*build_; }
  PassBuilder& operator*() { return *build_; }
  /// Ends a phase that is this number of blocks ahead of the phases after it.
  void end(std::size_t ahead) {
    if (!has_graph_sums(model_)) {
      build_->end_phase(ahead);
      return;
    }
    build_->end_phase(0);
    passes_.add(list_, *build_);
    start();
  }
  void finish() {
    build_->end_phase(0);
    passes_.add(list_, *build_);
  }

 private:
  void start() {
    const std::size_t n = model_.base.size();
    const bool linked = has_graph_sums(model_);
    build_.emplace(model_, name_, linked ? 7 * n : 6 * n, passes_.fixed);
    if (linked) place_links(model_, *build_, 6 * n);
    begin_(*build_);
  }

  Model& model_;
  const char* name_;
  Passes& passes_;
  std::vector<SiteLoop>& list_;
  std::function<void(PassBuilder&)> begin_;
  std::optional<PassBuilder> build_;
};

std::vector<Expr> momenta(Model& model) {
  std::vector<Expr> p;
  for (std::size_t f = 0; f < model.base.size(); ++f) p.push_back(model.sites.at(momentum_family(model, f)));
  return p;
}

/// Builds the pass of a substep: q += drift v(p), then p += decay p + kick force(q). It adds up the potential energy
/// between the two, the rate of the action by the kinetic energy after them, and the source of the energy if there is
/// one. Arrays: q, p, then what the sums of both lost, then two scratch arrays and the forces of edges and pairs.
void build_step(Model& model, const Split& split, Passes& passes) {
  const std::size_t n = model.base.size();
  Expr drift;
  Expr decay;
  Expr kick;
  PhaseBuilder build(model, "drift_and_kick", passes, passes.step, [&](PassBuilder& phase) {
    drift = phase.scalar("pass:drift");
    decay = phase.scalar("pass:decay");
    kick = phase.scalar("pass:kick");
    phase.scalar(std::string(model.t.name()));
    for (std::size_t f = 0; f < n; ++f) {
      phase.place(model.base[f], f);
      phase.place(momentum_family(model, f), n + f);
    }
  });
  const std::vector<Expr> p = momenta(model);
  std::vector<Expr> after;
  for (std::size_t f = 0; f < n; ++f) build->accumulate(drift * split.velocity[f], f, 2 * n + f);
  build.end(blocks_ahead(model, split.force, drift_ahead));
  for (std::size_t f = 0; f < n; ++f) {
    const Expr change = model.graph->share(decay * p[f] + kick * split.force[f]);
    after.push_back(model.graph->share(p[f] + change));
    build->accumulate(change, n + f, 3 * n + f);
  }
  passes.of_step = sums_of_lagrangian(model, -1, build->sum(split.potential));
  build->sum(symbolic::substitute(split.along_kinetic, p, after));
  const std::vector<LinkSum> rates = sums_of_rates(model, -1, 2);
  if (!split.source.is_zero() || !rates.empty()) build->sum(split.source);
  passes.of_step.insert(passes.of_step.end(), rates.begin(), rates.end());
  build.finish();
}

/// Builds the pass of a row: the pending drift and kick into arrays of their own, which come after the state: q, then
/// v. Sums: potential and kinetic energy, terms of dE/dt, the rate of the action by the kinetic energy, and for each
/// symmetry its momentum, the |terms| of it and of
/// its rate.
void build_look(Model& model, const Split& split, Passes& passes) {
  const std::size_t n = model.base.size();
  Expr drift;
  Expr decay;
  Expr kick;
  Expr gamma;
  PhaseBuilder build(model, "look", passes, passes.look, [&](PassBuilder& phase) {
    drift = phase.scalar("pass:drift");
    decay = phase.scalar("pass:decay");
    kick = phase.scalar("pass:kick");
    gamma = phase.scalar("pass:gamma");
    phase.scalar(std::string(model.t.name()));
    for (std::size_t f = 0; f < n; ++f) {
      phase.place(momentum_family(model, f), n + f);
      phase.place(model.base[f], 4 * n + f);
    }
  });
  const std::vector<Expr> p = momenta(model);
  for (std::size_t f = 0; f < n; ++f) {
    const Expr q = build->value_of("pass:q" + std::to_string(f), f);
    const Expr lost = build->value_of("pass:lost" + std::to_string(f), 2 * n + f);
    build->store(q + (drift * split.velocity[f] - lost), 4 * n + f);
  }
  const std::size_t behind = blocks_ahead(model, watched_densities(model), observables_behind);
  build.end(behind + blocks_ahead(model, split.force, velocities_behind));
  std::vector<Expr> now;
  for (std::size_t f = 0; f < n; ++f) {
    const Expr lost = build->value_of("pass:lost_p" + std::to_string(f), 3 * n + f);
    now.push_back(model.graph->share(p[f] + (decay * p[f] + kick * split.force[f] - lost)));
  }
  std::vector<Expr> velocity;
  for (std::size_t f = 0; f < n; ++f) {
    velocity.push_back(model.graph->share(symbolic::substitute(split.velocity[f], p, now)));
    build->store(velocity[f], 5 * n + f);
  }
  Expr rates = model.graph->number(0);
  std::vector<Expr> of_momentum;
  for (std::size_t f = 0; f < n; ++f) {
    of_momentum.push_back(model.graph->share(abs(split.force[f]) + gamma * abs(now[f])));
    rates += abs(velocity[f]) * of_momentum[f];
  }
  passes.of_look = sums_of_lagrangian(model, -1, build->sum(split.potential));
  build->sum(symbolic::substitute(split.kinetic, p, now));
  build->sum(rates);
  build->sum(symbolic::substitute(split.along_kinetic, p, now));
  for (const Symmetry& symmetry : model.symmetries) {
    Expr quantity = model.graph->number(0);
    Expr size = quantity;
    Expr rate = quantity;
    for (std::size_t f = 0; f < n; ++f) {
      const Expr term = model.graph->share(now[f] * symmetry.section[f]);
      quantity += term;
      size += abs(term);
      rate += abs(symmetry.section[f]) * of_momentum[f];
      for (std::size_t g = 0; g < n; ++g)
        rate += abs(now[f] * symbolic::derivative(symmetry.section[f], model.sites.at(model.base[g])) * velocity[g]);
    }
    build->sum(quantity);
    build->sum(size);
    build->sum(rate);
  }
  build.end(behind);
  for (std::size_t f = 0; f < n; ++f) build->place(model.fibre[f], 5 * n + f);
  const std::size_t before = 4 + 3 * model.symmetries.size();
  for (const LinkSum& watched : sum_watched(model, *build))
    passes.of_look.push_back({watched.of, watched.sum + (has_graph_sums(model) ? before : 0)});
  build.finish();
}

class DriftKick final : public SteppedMotion {
 public:
  DriftKick(Model& model, const Split& split, Scheme scheme, std::span<const double> composition)
      : observables_(model),
        L_z_(split.L_z),
        scheme_(scheme),
        composition_(composition),
        symmetries_(model.symmetries.size()),
        n_(model.base.size()) {
    build_step(model, split, passes_);
    build_look(model, split, passes_);
    build_momenta(model);
    if (has_graph_sums(model)) {
      links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_step);
      look_links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_look);
    }
    for (std::size_t k = 0; k < composition.size(); ++k) ends_.push_back(ends_.back() + composition[k]);
    restart(model);
  }

  void restart(Model& model) override {
    set_parameters(model);
    const SiteValues values = formulas_.values(model);
    const std::size_t extra = (has_graph_sums(model) ? 3 : 2) * n_;
    sites_ =
        site_state(model, {4 * n_, extra, passes_.radius, passes_.beyond}, fixed_values(model, values, passes_.fixed));
    for (Links* const links : {links_.get(), look_links_.get()})
      if (links != nullptr) links->set(model, values);
    start(model, values);
    last_ = 0;
    z_ = {model.z0, 0};
    log_factor_ = {};
    budget_ = {};
    const std::vector<double> sums = look({0, 0, 0, gamma_, model.t0}, [](auto&&...) {});
    along_kinetic_ = sums[3];
    potential_ = sums[0];
    budget_.value = sums[1] + potential_ + gamma_ * model.z0 - constant_;
  }

  std::size_t advance(double t0, double h, std::size_t first, std::size_t count) override {
    const std::size_t substeps = composition_.size();
    const std::size_t all = count * substeps;
    const std::size_t rounds = (all + sites_->tiling().passes - 1) / sites_->tiling().passes;
    for (std::size_t round = 0, done = 0; round < rounds; ++round) {
      const std::size_t end = all * (round + 1) / rounds;
      std::vector<Pass> passes;
      std::vector<double> sizes;
      double before = last_;
      for (std::size_t k = done; k < end; ++k) {
        const std::size_t substep = k % substeps;
        sizes.push_back(composition_[substep] * h);
        std::vector<double> own = pass(before, sizes.back());
        const double middle = (ends_[substep] + ends_[substep + 1]) / 2;
        const std::size_t step = first + k / substeps;
        own.push_back(t0 + (static_cast<double>(step) + middle) * h);
        const LinkCall call{links_.get(), 0, 6 * n_, own.back()};
        if (links_) passes.push_back({&passes_.step.front(), scalars(own)});
        passes.push_back({&passes_.step.back(), scalars(own), call});
        before = sizes.back();
      }
      const std::vector<double> sums = sites_->advance(passes);
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        follow(sizes[k], sums.data() + k * passes_.step.back().sums());
        if (!std::isfinite(z_.value) || !std::isfinite(along_kinetic_)) return (done + k) / substeps;
      }
      done = end;
    }
    return count;
  }

  Observed observe(double t, const Take& take) override {
    std::vector<double> pending{scheme_ == Scheme::splitting ? last_ / 2 : last_, 0, 0, gamma_, t};
    if (scheme_ == Scheme::lobatto) {
      pending[1] = -gamma_ * last_ / 2 / (1 + gamma_ * last_ / 2);
      pending[2] = last_ / 2 / (1 + gamma_ * last_ / 2);
    }
    const std::vector<double> sums = look(pending, take);
    Observed row{z_.value, log_factor_.value, {}};
    if (scheme_ == Scheme::lobatto) {
      Compensated z = z_;
      z.add(closing(sums[0]));
      row.z = z.value;
      row.log_factor += closing_factor();
    }
    const double by_action = gamma_ * row.z - constant_;
    const double scale = std::max({2 * std::abs(sums[1]), std::abs(sums[0]), std::abs(by_action)});
    row.laws.push_back({sums[1] + sums[0] + by_action, scale, sums[2], {}});
    if (driven()) row.laws[0].budget = budget_.value;
    observables_.put(row, std::span(sums).subspan(4 + 3 * symmetries_), t);
    for (std::size_t k = 0; k < symmetries_; ++k)
      row.laws.push_back({sums[4 + 3 * k], sums[5 + 3 * k], sums[6 + 3 * k], {}});
    return row;
  }

  [[nodiscard]] const Tiling& tiling() const override { return sites_->tiling(); }

  void keep() override {
    sites_->keep();
    kept_ = {last_, z_, log_factor_, budget_, along_kinetic_, potential_};
  }

  void go_back() override {
    sites_->go_back();
    std::tie(last_, z_, log_factor_, budget_, along_kinetic_, potential_) = kept_;
  }

 private:
  /// The pass that gives the momenta of one family at the start.
  struct MomentumPass {
    SiteLoop loop;
    std::size_t radius = 0;
    std::vector<std::size_t> fixed;
  };

  void build_momenta(Model& model) {
    const Equations q = derive(model, Borders::kept);
    for (std::size_t f = 0; f < n_; ++f) {
      MomentumPass pass;
      PassBuilder build(model, "momentum", 2 * n_, pass.fixed);
      for (std::size_t g = 0; g < n_; ++g) build.place(model.fibre[g], g);
      build.store(q.momentum[f], n_ + f);
      build.end_phase(0);
      pass.loop = build.compile();
      pass.radius = build.radius();
      momenta_.push_back(std::move(pass));
    }
  }

  void set_parameters(const Model& model) {
    parameters_ = parameter_values(model);
    observables_.set_parameters(parameters_);
    std::vector<Expr> symbols;
    for (const auto& parameter : model.parameters) symbols.push_back(parameter.symbol);
    symbols.push_back(model.z);
    std::vector<double> values = parameters_;
    values.push_back(0);
    gamma_ = -symbolic::evaluate(L_z_, symbols, values);
    constant_ = symbolic::evaluate(model.rest, symbols, values);
  }

  /// Sets q and p at the start.
  void start(Model& model, const SiteValues& values) {
    for (std::size_t f = 0; f < n_; ++f) {
      const MomentumPass& momentum = momenta_[f];
      Tiles once(model.line(), {n_, n_, momentum.radius, momentum.loop.beyond()},
                 fixed_values(model, values, momentum.fixed));
      for (std::size_t g = 0; g < n_; ++g) std::copy(values.fibre[g].begin(), values.fibre[g].end(), once.state(g));
      const Pass only{&momentum.loop, scalars({})};
      once.observe(std::span(&only, 1), [&](std::size_t tile, double* const* extra) {
        std::copy_n(extra[f], once.tiling().own(tile), sites_->state(n_ + f) + once.tiling().first(tile));
      });
      std::copy(values.base[f].begin(), values.base[f].end(), sites_->state(f));
    }
  }

  /// Returns drift, decay and kick of a substep of size h after one of size `before`.
  [[nodiscard]] std::vector<double> pass(double before, double h) const {
    if (scheme_ == Scheme::splitting)
      return {(before + h) / 2, std::expm1(-gamma_ * h), gamma_ == 0 ? h : -std::expm1(-gamma_ * h) / gamma_};
    const double closed = 1 / (1 + gamma_ * before / 2);
    return {before, -gamma_ * (before + h) / 2 * closed, closed * before / 2 * (1 - gamma_ * h / 2) + h / 2};
  }

  /// Returns the scalars of a pass: the given ones, then the parameters.
  [[nodiscard]] std::vector<double> scalars(const std::vector<double>& own) const {
    std::vector<double> all;
    for (const double value : own) all.insert(all.end(), SiteLoop::block, value);
    for (const double value : parameters_) all.insert(all.end(), SiteLoop::block, value);
    return all;
  }

  /// Makes the passes of a row. The last of the scalars is the time.
  std::vector<double> look(const std::vector<double>& own, const Take& take) {
    std::vector<Pass> passes;
    for (const SiteLoop& loop : passes_.look) passes.push_back({&loop, scalars(own)});
    // The second pass reads the forces at the coordinates of the first.
    if (look_links_) passes[1].call = {look_links_.get(), 4 * n_, 6 * n_, own.back()};
    return sites_->observe(passes, take);
  }

  [[nodiscard]] bool driven() const { return passes_.step.back().sums() > 2; }

  /// Carries the action, the integrating factor and the budget of the energy over a substep h, whose pass has found the
  /// potential energy and the rate of the action by the kinetic one, and the source if there is one.
  void follow(double h, const double* sums) {
    const double potential = sums[0];
    const double along_kinetic = sums[1];
    if (scheme_ == Scheme::splitting) {
      z_.add(h / 2 * along_kinetic_);
      const double time = gamma_ == 0 ? h : -std::expm1(-gamma_ * h) / gamma_;
      z_.add(-time * (potential + gamma_ * z_.value - constant_));
      z_.add(h / 2 * along_kinetic);
      log_factor_.add(gamma_ * h);
      if (driven()) budget_.add(std::expm1(-gamma_ * h) * budget_.value + time * sums[2]);
    } else {
      const double change = closing(potential);
      log_factor_.add(closing_factor());
      z_.add(change);
    }
    along_kinetic_ = along_kinetic;
    potential_ = potential;
    last_ = h;
  }

  /// Returns what the action gains in the last step of the Lobatto pair, at whose end the potential energy is this.
  [[nodiscard]] double closing(double potential) const {
    const double h = last_;
    return (h * along_kinetic_ - h / 2 * (potential_ + potential + 2 * (gamma_ * z_.value - constant_))) /
           (1 + gamma_ * h / 2);
  }
  [[nodiscard]] double closing_factor() const {
    return std::log1p(gamma_ * last_ / 2) - std::log1p(-gamma_ * last_ / 2);
  }

  std::vector<double> parameters_;
  ObservedValues observables_;
  Expr L_z_;
  double gamma_ = 0;     // -d rest/dz
  double constant_ = 0;  // rest at z = 0
  Scheme scheme_;
  std::span<const double> composition_;
  std::vector<double> ends_{0.0};  // where substeps begin and end, as parts of a step
  std::size_t symmetries_;
  std::size_t n_;
  Passes passes_;
  std::vector<MomentumPass> momenta_;
  SiteFormulas formulas_;
  std::unique_ptr<SiteState> sites_;
  std::unique_ptr<Links> links_;       // of a substep, in a model with edges or pairs
  std::unique_ptr<Links> look_links_;  // of a row
  double last_ = 0;                    // size of the last substep, whose end is still to come
  Compensated z_;
  Compensated log_factor_;
  Compensated budget_;  // of the energy, if it has a source
  double along_kinetic_ = 0;
  double potential_ = 0;
  /// A copy of the six numbers above.
  std::tuple<double, Compensated, Compensated, Compensated, double, double> kept_;
};

}  // namespace

void require_drift_kick(Model& model) {
  if (!model.constraints.empty())
    throw Refused("constraints are given",
                  "contact-rattle-2, contact-rattle-4, reference and the Runge-Kutta methods take them");
  split(model);
}

std::unique_ptr<SteppedMotion> drift_kick_motion(Model& model, Scheme scheme, int order) {
  require_drift_kick(model);
  const Split parts = split(model);
  if (scheme == Scheme::lobatto && (!parts.source.is_zero() || !sums_of_rates(model, 1, 0).empty()))
    throw Refused("the Lagrangian depends on time",
                  "contact-splitting-4 and Runge-Kutta methods take it in loops over the sites");
  return std::make_unique<DriftKick>(model, parts, scheme, integrate::symmetric_composition(order));
}

}  // namespace herglotz::families
