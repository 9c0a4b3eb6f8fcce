#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "loops/motion.hpp"
#include "loops/reactions/constraint_rows.hpp"
#include "loops/system_state.hpp"

namespace herglotz::families {
namespace {

/// Steps whose passes are made in one call.
constexpr std::size_t steps_at_once = 16;

/// The passes of a step. The changing arrays are q, v, and what the sums of both lost; the extra ones two copies, the
/// accelerations, the forces of edges and pairs, the inverse inertias, and the sizes of reactions.
struct RattlePasses {
  kernel::SiteLoop drift;  ///< half a kick by the forces of the last step, then the drift
  kernel::SiteLoop kick;   ///< new forces and half a kick; sums: potential, kinetic part of l, sources of driven laws
  std::vector<LinkSum> of_kick;
  std::vector<std::size_t> sum_of_law;
};

class RattleBuilder {
 public:
  explicit RattleBuilder(Model& model)
      : model_(model),
        n_(model.base.size()),
        split_(split(model)),
        equations_(derive(model, Borders::kept)),
        rows_(model, {0, n_, 4 * n_, 6 * n_, 6 * n_, 7 * n_, 8 * n_, 9 * n_}, equations_) {}

  std::pair<RowPasses, RattlePasses> build() {
    RattlePasses passes;
    passes.drift = drift();
    passes.kick = kick();
    passes.of_kick = sums_of_lagrangian(model_, -1, 0);
    const std::vector<LinkSum> rates = sums_of_rates(model_, -1, 2);
    passes.of_kick.insert(passes.of_kick.end(), rates.begin(), rates.end());
    for (std::size_t k = 0, place = 2; k < rows_.driven().size(); ++k)
      passes.sum_of_law.push_back(rows_.driven()[k] ? place++ : 0);
    return {rows_.build(), std::move(passes)};
  }

 private:
  /// Scalars of both passes, in this order: h/2, L_z h/2, h, 1/(1 - L_z h/2).
  struct Scalars {
    Expr half;
    Expr decay;
    Expr whole;
    Expr closed;
  };
  Scalars begin(PassBuilder& build) {
    const Scalars own{build.scalar("pass:half"), build.scalar("pass:decay"), build.scalar("pass:h"),
                      build.scalar("pass:closed")};
    build.scalar(std::string(model_.t.name()));
    for (std::size_t f = 0; f < n_; ++f) {
      build.place(model_.base[f], f);
      build.place(model_.fibre[f], n_ + f);
    }
    place_links(model_, build, 7 * n_);
    return own;
  }

  /// Returns M^-1 p, which is v where L has no terms linear in the velocities.
  Expr damped(std::size_t f) {
    const std::vector<Expr> at_rest = momenta_at_rest(model_, equations_);
    return symbolic::simplify(model_.sites.at(model_.fibre[f]) + by_inertia(equations_, f, at_rest));
  }

  kernel::SiteLoop drift() {
    PassBuilder build = rows_.pass("drift");
    const Scalars own = begin(build);
    for (std::size_t f = 0; f < n_; ++f) {
      const Expr acceleration = build.value_of("pass:acceleration" + std::to_string(f), 6 * n_ + f);
      const Expr change = model_.graph->share(own.decay * damped(f) + own.half * acceleration);
      build.accumulate(change, n_ + f, 3 * n_ + f);
      build.accumulate(own.whole * (model_.sites.at(model_.fibre[f]) + change), f, 2 * n_ + f);
    }
    build.end_phase(0);
    return rows_.finished(build);
  }

  kernel::SiteLoop kick() {
    PassBuilder build = rows_.pass("kick");
    const Scalars own = begin(build);
    for (std::size_t f = 0; f < n_; ++f) {
      const Expr acceleration = model_.graph->share(by_inertia(equations_, f, split_.force));
      build.store(acceleration, 6 * n_ + f);
      build.accumulate(own.closed * (own.half * acceleration + own.decay * damped(f)), n_ + f, 3 * n_ + f);
    }
    build.sum(split_.potential);
    std::vector<Expr> p;
    for (std::size_t f = 0; f < n_; ++f) p.push_back(model_.sites.at(momentum_family(model_, f)));
    build.sum(symbolic::simplify(symbolic::substitute(split_.along_kinetic, p, equations_.momentum)));
    for (std::size_t k = 0; k < rows_.driven().size(); ++k)
      if (rows_.driven()[k]) build.sum(rows_.laws()[k].source);
    build.end_phase(0);
    return rows_.finished(build);
  }

  Model& model_;
  std::size_t n_;
  Split split_;
  Equations equations_;
  RowBuilder rows_;
};

/// RATTLE for contact systems in loops: with a = M^-1 f the acceleration by the forces, a step solves
///   V = v_0 + (h/2)(L_z M^-1 p_0 + a_0) + M^-1 G_0^T kappa/2,   q_1 = q_0 + h V,
///   v_1 = V + (h/2)(L_z M^-1 p_1 + a_1) + M^-1 G_1^T kappa'/2,   z_1 = z_0 + (h/2)(L_0 + L_1),
/// with L at (q_0, V, z_0) and (q_1, V, z_1). kappa puts q_1, and kappa' v_1, on the constraints.
class Rattle final : public SteppedMotion {
 public:
  Rattle(Model& model, int order) : Rattle(model, RattleBuilder(model).build(), order) {}

  void restart(Model& model) override {
    state_.start(model, [&](const SiteValues& values) {
      if (links_) links_->set(model, values);
    });
  }

  std::size_t advance(double t0, double h, std::size_t first, std::size_t count) override {
    failure_.clear();
    const double L_z = state_.whole().rest(state_.whole().z(), t0).L_z;
    const double largest = *std::max_element(composition_.begin(), composition_.end(),
                                             [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(largest * h * L_z / 2) >= 1) {
      failure_ = fmt::format("a step of {:.6g} is too large for dissipation at the rate {:.6g}; take one below {:.6g}",
                             h, -L_z, 2 / std::abs(largest * L_z));
      return 0;
    }
    std::vector<double> sums = start(t0 + static_cast<double>(first) * h);
    if (!std::isfinite(sums[kick_sums()])) return 0;
    for (std::size_t done = 0; done < count;) {
      const std::size_t end = std::min(done + steps_at_once, count);
      std::vector<Pass> passes;
      for (std::size_t k = done; k < end; ++k)
        for (std::size_t s = 0; s < composition_.size(); ++s)
          add_passes(passes, time(t0, h, first + k, s + 1), composition_[s] * h, L_z);
      const std::vector<double> made = state_.sites().advance(passes);
      for (std::size_t k = done; k < end; ++k)
        for (std::size_t s = 0; s < composition_.size(); ++s) {
          const double* const own = made.data() + ((k - done) * composition_.size() + s) * substep_sums();
          if (!follow(time(t0, h, first + k, s), composition_[s] * h, L_z, sums, own)) return k;
        }
      done = end;
    }
    return count;
  }

  Observed observe(double t, const Take& take) override { return state_.observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return state_.sites().tiling(); }
  [[nodiscard]] std::string failure() const override { return failure_.empty() ? state_.failure() : failure_; }
  [[nodiscard]] std::vector<std::string> start_notes() const override { return state_.start_notes(); }
  void keep() override { state_.keep(); }
  void go_back() override { state_.go_back(); }

 private:
  Rattle(Model& model, std::pair<RowPasses, RattlePasses> passes, int order)
      : n_(model.base.size()),
        composition_(integrate::symmetric_composition(order)),
        passes_(std::move(passes.second)),
        state_(model, std::move(passes.first)) {
    double at = 0;
    for (const double part : composition_) ends_.push_back(at += part);
    ends_.back() = 1;
    if (has_graph_sums(model)) links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), passes_.of_kick);
    restart(model);
  }

  /// Returns the time at which a substep begins: the steps are counted from t0.
  [[nodiscard]] double time(double t0, double h, std::size_t step, std::size_t substep) const {
    return t0 + (static_cast<double>(step) + (substep == 0 ? 0 : ends_[substep - 1])) * h;
  }

  [[nodiscard]] std::size_t kick_sums() const { return passes_.kick.sums(); }
  [[nodiscard]] std::size_t keep_sums() const { return 1 + state_.laws(); }
  [[nodiscard]] std::size_t substep_sums() const { return kick_sums() + 2 * keep_sums(); }

  [[nodiscard]] ReactionCall keep_call(ReactionAct act, double t, double h) const {
    ReactionCall own = state_.call(state_.passes().reactions, t);
    own.act = act;
    own.lost = 2 * n_;
    own.h = h;
    return own;
  }

  [[nodiscard]] Pass kick(double t, double h, double L_z) const {
    const double decay = h / 2 * L_z;
    return {&passes_.kick, state_.scalars({h / 2, decay, h, 1 / (1 - decay), t}),
            with_forces({links_.get(), 0, state_.passes().arrays.forces, t}, n_)};
  }

  /// Finds the forces and the slopes of the constraints at the present state. Returns the sums of the kick.
  std::vector<double> start(double t) {
    const std::vector<Pass> passes{kick(t, 0, 0),
                                   {nullptr, {}, {}, keep_call(ReactionAct::begin, t, 0), passes_.sum_of_law}};
    return state_.sites().advance(passes);
  }

  /// Appends the passes of a substep of size h to the time t.
  void add_passes(std::vector<Pass>& passes, double t, double h, double L_z) const {
    const double decay = h / 2 * L_z;
    passes.push_back({&passes_.drift, state_.scalars({h / 2, decay, h, 1 / (1 - decay), t})});
    passes.push_back({nullptr, {}, {}, keep_call(ReactionAct::keep_coordinates, t, h), passes_.sum_of_law});
    passes.push_back(kick(t, h, L_z));
    passes.push_back({nullptr, {}, {}, keep_call(ReactionAct::keep_velocities, t, h), passes_.sum_of_law});
  }

  /// Carries the numbers of the whole over a substep from the time t. `before` has the sums of the kick at its start,
  /// which become those at its end. Returns whether the substep has succeeded.
  bool follow(double t, double h, double L_z, std::vector<double>& before, const double* sums) {
    const double* const at_start = sums;
    const double* const after = sums + keep_sums();
    const double* const at_end = after + kick_sums();
    Whole& whole = state_.whole();
    Whole::Halves halves{{after[1] - before[0], after[1] - after[0]}, {}, {}};
    for (std::size_t k = 0; k < state_.laws(); ++k) {
      const std::size_t place = passes_.sum_of_law[k];
      halves.sources.push_back(place == 0 ? 0 : (before[place] + after[place]) / 2);
      halves.works.push_back({at_start[1 + k], at_end[1 + k]});
    }
    whole.attempt(halves, L_z, t, h);
    const double z = whole.tried().front().value;
    if (!std::isfinite(z) || !std::isfinite(at_start[0] + at_end[0])) return false;
    whole.accept();
    before.assign(after, after + kick_sums());
    return true;
  }

  std::size_t n_;
  std::span<const double> composition_;
  std::vector<double> ends_;  // of substeps, as parts of a step
  RattlePasses passes_;
  SystemState state_;
  std::unique_ptr<Links> links_;  // of a kick, in a model with edges or pairs
  std::string failure_;
};

}  // namespace

void require_rattle(Model& model) {
  if (model.constraints.empty()) throw Refused("there are no constraints", "take a contact-splitting method");
  if (const auto k = constraint_on_velocities(model))
    throw Refused(fmt::format("constraint {} depends on velocities", *k + 1),
                  "contact-rattle methods take constraints on coordinates; reference and the Runge-Kutta methods take "
                  "this one");
  split(model);
}

std::unique_ptr<SteppedMotion> rattle_motion(Model& model, int order) {
  require_rattle(model);
  return std::make_unique<Rattle>(model, order);
}

}  // namespace herglotz::families
