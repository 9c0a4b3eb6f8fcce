#include "loops/stage_passes.hpp"

#include <algorithm>
#include <utility>

#include "herglotz/families/equations.hpp"
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
  [[nodiscard]] RowArrays of_rows() const {
    return {q(0), v(0), changing(), extra(), acceleration(0, 0), forces(), inverse_inertia(0), reaction_size(0)};
  }
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
        rows_(model, layout_.of_rows(), q_),
        read_(q_.acceleration) {
    read_.push_back(q_.lagrangian);
    for (const Law& law : rows_.laws()) read_.push_back(law.source);
  }

  std::pair<RowPasses, StagePasses> build() {
    if (layout_.constrained)
      for (std::size_t k = 0, place = 1; k < rows_.driven().size(); ++k)
        passes_.sum_of_law.push_back(rows_.driven()[k] ? place++ : 0);
    const std::vector<LinkSum> rates = sums_of_rates(model_, -1, 1);
    passes_.of_stage = sums_of_lagrangian(model_, 1, 0);
    passes_.of_stage.insert(passes_.of_stage.end(), rates.begin(), rates.end());
    passes_.stage_q = layout_.stage_q(0);
    for (std::size_t i = 0; i < layout_.stages; ++i) passes_.stages.push_back(stage(i));
    RowPasses rows = rows_.build();
    rows.shape.together = layout_.stages;
    return {std::move(rows), std::move(passes_)};
  }

 private:
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
      PassBuilder build = rows_.pass("state");
      store_state(build, begin_stage(build, i), i);
      build.end_phase(0);
      passes_.states.push_back(rows_.finished(build));
    }
    PassBuilder build = rows_.pass("stage");
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
      passes_.free.push_back(rows_.free("free", at));
    }
    if (!last)
      for (std::size_t f = 0; f < layout_.n; ++f) build.store(q_.acceleration[f], layout_.acceleration(i, f));
    build.sum(q_.lagrangian);
    for (std::size_t k = 0; k < rows_.driven().size(); ++k)
      if (rows_.driven()[k]) build.sum(rows_.laws()[k].source);
    if (last) conclude(build, h, i);
    build.end_phase(0);
    return rows_.finished(build);
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

  Model& model_;
  const kernel::ExplicitTableau& tableau_;
  std::span<const double> difference_;
  Layout layout_;
  Equations q_;
  RowBuilder rows_;
  std::vector<Expr> read_;  // expressions that read the state of a stage
  StagePasses passes_;
};

}  // namespace

std::pair<RowPasses, StagePasses> stage_passes(Model& model, const kernel::ExplicitTableau& tableau,
                                               std::span<const double> difference) {
  return Builder(model, tableau, difference).build();
}

StagedState::StagedState(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference)
    : StagedState(model, tableau, difference, stage_passes(model, tableau, difference)) {}

StagedState::StagedState(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference,
                         std::pair<RowPasses, StagePasses> passes)
    : SystemState(model, std::move(passes.first)),
      n_(model.base.size()),
      tableau_(tableau),
      difference_(difference.begin(), difference.end()),
      stages_(std::move(passes.second)) {
  if (has_graph_sums(model)) links_ = std::make_unique<Links>(model, forces_of_lagrangian(model), stages_.of_stage);
  start(model);
}

void StagedState::start(Model& model) {
  SystemState::start(model, [&](const SiteValues& values) {
    if (links_) links_->set(model, values);
  });
}

double StagedState::last_sum(const double* sums) const {
  const double last = sums[stages() * stride()];
  return constrained() ? last + sums[stages() * stride() + 1] : last;
}

void StagedState::add_passes(std::vector<Pass>& passes, double t, double h) const {
  for (std::size_t i = 0; i < stages(); ++i) {
    const double at = t + tableau_.c[i] * h;
    const std::vector<double> all = scalars({h, at});
    if (i > 0 && (links_ || constrained())) passes.push_back({&stages_.states[i - 1], all});
    const LinkCall links{links_.get(), i == 0 ? 0 : stages_.stage_q, SystemState::passes().arrays.forces, at};
    if (!constrained()) {
      passes.push_back({&stages_.stages[i], all, links});
      continue;
    }
    passes.push_back({&stages_.free[i], scalars({at}), with_forces(links, n_)});
    passes.push_back({&stages_.stages[i], all, {}, call(stages_.reactions[i], at), stages_.sum_of_law});
  }
  if (!constrained()) return;
  ReactionCall way_back = call(SystemState::passes().reactions, t + h);
  way_back.act = ReactionAct::project;
  passes.push_back({nullptr, {}, {}, way_back, stages_.sum_of_law});
}

void StagedState::attempt(double t, double h, const double* sums) {
  whole().attempt(tableau_, difference_, t, h, sums, stride());
  if (!constrained()) return;
  const double* const works = sums + stages() * stride() + 2;
  for (std::size_t k = 0; k < laws(); ++k)
    if (whole().driven()[k]) whole().add_to_budget(k, works[k]);
}

}  // namespace herglotz::families
