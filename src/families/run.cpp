#include "herglotz/families/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/integrate/counts.hpp"
#include "loops/collocation/collocation_passes.hpp"
#include "loops/motion.hpp"
#include "loops/reactions/constraint_rows.hpp"
#include "record/columns.hpp"
#include "record/event_watch.hpp"
#include "record/field_rows.hpp"
#include "record/row_plan.hpp"

namespace herglotz::families {
namespace {

enum class Form { drift_kick, rattle, runge_kutta, contact_gauss, reference, radau, by_stiffness };

struct Method {
  const char* name;
  int order;
  Form form;
  Scheme scheme = Scheme::splitting;
};
constexpr Method methods[] = {{"contact-splitting-2", 2, Form::drift_kick},
                              {"contact-splitting-4", 4, Form::drift_kick},
                              {"contact-splitting-6", 6, Form::drift_kick},
                              {"contact-splitting-8", 8, Form::drift_kick},
                              {"contact-lobatto-2", 2, Form::drift_kick, Scheme::lobatto},
                              {"contact-rattle-2", 2, Form::rattle},
                              {"contact-rattle-4", 4, Form::rattle},
                              {"contact-gauss-2", 2, Form::contact_gauss},
                              {"contact-gauss-4", 4, Form::contact_gauss},
                              {"contact-gauss-6", 6, Form::contact_gauss},
                              {"runge-kutta-4", 4, Form::runge_kutta},
                              {"runge-kutta-8", 8, Form::runge_kutta},
                              {"reference", 8, Form::reference},
                              {"radau-5", 5, Form::radau}};

/// What `auto` takes without a step.
constexpr Method by_stiffness = {"reference", 8, Form::by_stiffness};

bool is_adaptive(const Method& method) {
  return method.form == Form::reference || method.form == Form::radau || method.form == Form::by_stiffness;
}

const Method* find(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(methods), std::end(methods), [&](const Method& method) { return method.name == name; });
  return found == std::end(methods) ? nullptr : found;
}

bool fits_flat(const Model& model) {
  return model.base.size() * model.count() <= most_flat;
}

std::string in_loops() {
  return fmt::format("methods that run in loops over the sites are {}", fmt::join(loop_methods(), ", "));
}

constexpr double default_tolerance = 1e-10;

/// The method that runs in loops, with the reason if `auto` chose it.
struct Choice {
  const Method* method = nullptr;
  std::string reason{};
};

/// Returns the method of the settings. `auto` takes explicit flows where the Hamiltonian splits.
Choice choose(Model& model) {
  const simulate::Settings& settings = model.settings;
  if (settings.method != "auto") return {find(settings.method)};
  if (!settings.step && !model.constraints.empty())
    return {find("reference"), "no step is given, and there are constraints: adaptive explicit method of order 8"};
  if (!settings.step || settings.tolerance)
    return {&by_stiffness, settings.tolerance ? "a tolerance is given: adaptive explicit method of order 8"
                                              : "no step is given: adaptive explicit method of order 8"};
  const bool constrained = !model.constraints.empty();
  try {
    if (constrained)
      require_rattle(model);
    else
      require_drift_kick(model);
  } catch (const Refused& error) {
    return {find("runge-kutta-8"), fmt::format("a step is given, and {}", error.what())};
  }
  if (constrained) return {find("contact-rattle-4"), "a step is given: explicit flows and constraints on coordinates"};
  return {find("contact-splitting-4"), "a step is given: explicit flows in loops over the sites"};
}

/// Splittings follow only what a symmetry gives.
void require_symmetries(Model& model) {
  for (const Symmetry& symmetry : model.symmetries) {
    if (is_symmetry(model, symmetry)) continue;
    throw Refused(fmt::format("[symmetries] {} is not a symmetry of the Lagrangian{}", symmetry.name,
                              keeps_densities(model, symmetry) ? " with fixed ends" : ""),
                  "in loops over the sites Runge-Kutta methods follow its momentum nevertheless", "[symmetries]");
  }
}

analyse::RunFacts facts_of(const Model& model) {
  analyse::RunFacts facts;
  facts.model_name = model.name;
  facts.title = model.title;
  facts.reference = model.reference;
  facts.model_text = model.text;
  for (const auto& parameter : model.parameters)
    facts.parameters.emplace_back(parameter.symbol.name(), parameter.value);
  facts.initial = {{std::string(model.z.name()), model.z0}, {std::string(model.t.name()), model.t0}};
  facts.t_end = model.settings.t_end;
  facts.version = HERGLOTZ_VERSION;
  return facts;
}

}  // namespace

const std::vector<std::string>& loop_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Method& method : methods) list.emplace_back(method.name);
    return list;
  }();
  return names;
}

LoopMethod loop_method(Model& model) {
  const Choice choice = choose(model);
  return {choice.method->name, choice.method->order, is_adaptive(*choice.method), choice.reason};
}

bool runs_in_loops(Model& model) {
  const std::string& method = model.settings.method;
  if (!model.constraints.empty() && method == "auto" && fits_flat(model)) return false;
  const Method* const own = choose(model).method;
  const bool follows_constraints =
      own != nullptr && (own->form == Form::runge_kutta || own->form == Form::rattle || own->form == Form::reference);
  if (!model.constraints.empty() && !follows_constraints && !fits_flat(model))
    throw Refused(
        fmt::format("method {} writes a model with constraints out, with at most {} coordinates; this one has {}",
                    method, most_flat, model.base.size() * model.count()),
        "reference, the Runge-Kutta and the contact-rattle methods run in loops over the sites");
  if (own != nullptr) {
    try {
      require_reactions(model);
      if (own->form == Form::drift_kick)
        require_drift_kick(model);
      else if (own->form == Form::contact_gauss || own->form == Form::radau)
        require_collocation(model);
      else
        require_reactions(model, derive(model, Borders::kept));
      if (own->form == Form::rattle) {
        require_rattle(model);
        require_symmetries(model);
      }
      return true;
    } catch (const Refused&) {
      if (!fits_flat(model)) throw;
      return false;
    }
  }
  if (fits_flat(model)) return false;
  throw Refused(fmt::format("method {} takes a model of at most {} coordinates, written out flat", method, most_flat),
                fmt::format("{}", in_loops()));
}

namespace {

/// A run on its way.
class Runner {
 public:
  Runner(const Model& model, const RowPlan& plan, FieldRows rows, analyse::RunFacts facts, const Progress& progress)
      : model_(model),
        plan_(plan),
        rows_(std::move(rows)),
        facts_(std::move(facts)),
        progress_(progress),
        began_(std::chrono::steady_clock::now()) {}

  FieldRun follow(SteppedMotion& motion) {
    const double t_end = model_.settings.t_end;
    const double h = std::copysign(*model_.settings.step, t_end - model_.t0);
    begin(motion);
    while (facts_.steps < plan_.whole && goes_on()) {
      const std::size_t done = facts_.steps;
      const std::size_t target = std::min(plan_.whole, (done / plan_.every + 1) * plan_.every);
      if (!step(motion, h, h, done, target - done)) break;
      const bool all = target == plan_.whole;
      if (all && plan_.last != 0) break;
      rows_.add(all ? t_end : model_.t0 + static_cast<double>(target) * h, motion);
      ask(static_cast<double>(target) / static_cast<double>(plan_.whole));
    }
    const bool one_left = goes_on() && plan_.last != 0;
    if (one_left && step(motion, h, std::copysign(plan_.last, h), facts_.steps, 1)) rows_.add(t_end, motion);
    facts_.newton_iterations = motion.newton_iterations();
    return finish(t_end);
  }

  FieldRun follow(AdaptiveMotion& motion) {
    const double t_end = model_.settings.t_end;
    const double direction = t_end < model_.t0 ? -1 : 1;
    begin(motion);
    for (std::size_t row = 1; motion.t() != t_end && goes_on(); ++row) {
      const double due = model_.t0 + direction * static_cast<double>(row) * plan_.interval;
      const bool at_end = plan_.every != 0 || direction * (t_end - due) <= 1e-9 * plan_.interval;
      const std::size_t most = plan_.every != 0 ? plan_.every : std::numeric_limits<std::size_t>::max() / 2;
      advance(motion, at_end ? t_end : due, most);
      if (!goes_on()) break;
      rows_.add(motion.t(), motion);
      ask((motion.t() - model_.t0) / (t_end - model_.t0));
    }
    facts_.steps = motion.steps();
    facts_.rejected_steps = motion.rejected();
    facts_.newton_iterations = motion.newton_iterations();
    if (!motion.note().empty()) facts_.notes.push_back(motion.note());
    return finish(t_end);
  }

 private:
  [[nodiscard]] bool goes_on() const { return failure_.empty() && !stopped_ && !ended_; }

  void begin(Motion& motion) {
    for (std::string& note : motion.start_notes()) facts_.notes.push_back(std::move(note));
    rows_.add(model_.t0, motion);
    if (model_.events.empty()) return;
    watch_.emplace(model_, rows_);
    watch_->begin(model_.t0, motion);
  }

  /// Takes a step under watch.
  void take(Motion& motion, const WatchedStep& step) {
    ended_ = watch_->take(motion, step);
    if (ended_) rows_.add(ended_->time, motion);
  }

  /// Continues to the time t_stop in at most `most` steps.
  void advance(AdaptiveMotion& motion, double t_stop, std::size_t most) {
    std::string why;
    if (!watch_) why = motion.advance(t_stop, most);
    for (std::size_t taken = 0; watch_ && why.empty() && motion.t() != t_stop && taken < most && !ended_; ++taken) {
      const double begin = motion.t();
      const auto whole = [&] {
        why = motion.advance(t_stop, 1);
        return why.empty() ? motion.t() : std::numeric_limits<double>::quiet_NaN();
      };
      take(motion, {begin, whole, [&](double time) { motion.take(time - begin); }});
    }
    if (!why.empty()) failure_ = fmt::format("{} at t = {:.6g}", why, motion.t());
  }

  /// Takes steps of size h under watch, the first of which is number `first`, until one does not end in a finite state
  /// or an event ends the run. Returns how many were taken.
  std::size_t watched(SteppedMotion& motion, double t0, double h, std::size_t first, std::size_t count) {
    bool finite = true;
    std::size_t made = 0;
    for (; made < count && finite && !ended_; made += finite ? 1 : 0) {
      const std::size_t number = first + made;
      const double begin = t0 + static_cast<double>(number) * h;
      const auto whole = [&] {
        finite = motion.advance(t0, h, number, 1) == 1;
        return finite ? t0 + static_cast<double>(number + 1) * h : std::numeric_limits<double>::quiet_NaN();
      };
      take(motion, {begin, whole, [&](double time) { motion.advance(begin, time - begin, 0, 1); }});
    }
    return made;
  }

  /// Takes steps of size h, the first of which is number `first` of steps of size `usual`.
  bool step(SteppedMotion& motion, double usual, double h, std::size_t first, std::size_t count) {
    const double t0 = h == usual ? model_.t0 : model_.t0 + static_cast<double>(first) * usual;
    const std::size_t number = h == usual ? first : 0;
    const std::size_t made = watch_ ? watched(motion, t0, h, number, count) : motion.advance(t0, h, number, count);
    facts_.steps += made;
    if (ended_) return false;
    if (made == count) return true;
    failure_ = motion.failure();
    if (failure_.empty())
      failure_ = fmt::format(
          "the state after a step of {:.6g} is not finite at t = {:.6g}; take a smaller step, or "
          "contact-gauss-4 if fast waves make it so short",
          h, model_.t0 + static_cast<double>(facts_.steps) * usual);
    return false;
  }

  void ask(double fraction) { stopped_ = progress_ && !progress_(fraction); }

  FieldRun finish(double t_end) {
    facts_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    facts_.complete = failure_.empty() && (ended_ || rows_.last_time() == t_end);
    if (ended_)
      facts_.notes.push_back(fmt::format("ended by the event '{}' at t = {:.9g}", ended_->event, ended_->time));
    if (!failure_.empty())
      facts_.status = failure_;
    else if (!facts_.complete)
      facts_.status = fmt::format("stopped by the user at t = {:.6g}", rows_.last_time());
    FieldRun result = std::move(rows_).finish(std::move(facts_));
    if (watch_) result.trajectory.events = std::move(*watch_).finish();
    result.failure = failure_;
    return result;
  }

  const Model& model_;
  const RowPlan& plan_;
  FieldRows rows_;
  analyse::RunFacts facts_;
  const Progress& progress_;
  std::chrono::steady_clock::time_point began_;
  std::string failure_;
  bool stopped_ = false;
  std::optional<EventWatch> watch_;
  std::optional<Ended> ended_;
};

/// Makes what is derived from here on free of what was derived from the model before, so that runs have equal bits.
void forget_derivations(Model& model) {
  std::vector<Expr> kept{model.rest};
  for (const Sum& sum : model.sums) kept.push_back(sum.density);
  for (const GraphSum& sum : model.graph_sums) kept.push_back(sum.density);
  kept.insert(kept.end(), model.forces.begin(), model.forces.end());
  for (const SiteForce& force : model.site_forces) kept.push_back(force.value);
  for (const Observable& observable : model.watched()) {
    kept.push_back(observable.value);
    for (const auto& [symbol, sum] : observable.sums) kept.push_back(sum.density);
    for (const auto& [symbol, sum] : observable.graph_sums) kept.push_back(sum.density);
  }
  for (const Symmetry& symmetry : model.symmetries)
    kept.insert(kept.end(), symmetry.section.begin(), symmetry.section.end());
  for (const Constraint& constraint : model.constraints) {
    if (const auto* of_sites = std::get_if<Sum>(&constraint)) kept.push_back(of_sites->density);
    if (const auto* of_edges = std::get_if<GraphSum>(&constraint)) kept.push_back(of_edges->density);
    if (const auto* whole = std::get_if<Observable>(&constraint)) {
      kept.push_back(whole->value);
      for (const auto& [symbol, sum] : whole->sums) kept.push_back(sum.density);
    }
  }
  model.graph->forget_uses(kept);
}

}  // namespace

struct Runs::Impl {
  Model& model;
  Choice choice;
  std::unique_ptr<SteppedMotion> stepped{};
  std::unique_ptr<AdaptiveMotion> adaptive{};

  [[nodiscard]] bool chooses_steps() const { return is_adaptive(*choice.method); }
  [[nodiscard]] double tolerance() const {
    return positive("tolerance", model.settings.tolerance.value_or(default_tolerance));
  }

  /// Runs with the rows of the settings, or with a row after every step. Both throw for rows that there cannot be.
  FieldRun run(const Progress& progress, bool with_every_step);

  /// Brings the motion to the start, and makes it before the first run.
  void start() {
    if (stepped) return stepped->restart(model);
    if (adaptive) return adaptive->restart(model);
    forget_derivations(model);
    const Method& method = *choice.method;
    if (method.form == Form::by_stiffness)
      adaptive = motion_by_stiffness(model, tolerance(), model.settings.t_end, [this] { forget_derivations(model); });
    else if (method.form == Form::radau)
      adaptive = radau_motion(model, tolerance(), model.settings.t_end);
    else if (method.form == Form::reference)
      adaptive = reference_motion(model, tolerance(), model.settings.t_end);
    else if (method.form == Form::runge_kutta)
      stepped = runge_kutta_motion(model, method.order);
    else if (method.form == Form::rattle)
      stepped = rattle_motion(model, method.order);
    else if (method.form == Form::contact_gauss)
      stepped = contact_gauss_motion(model, method.order);
    else
      stepped = drift_kick_motion(model, method.scheme, method.order);
  }
};

Runs::Runs(Model& model) : impl_(new Impl{model, choose(model)}) {
  if (impl_->choice.method == nullptr)
    throw Refused(fmt::format("method {} does not run in loops", model.settings.method), fmt::format("{}", in_loops()));
  const Form form = impl_->choice.method->form;
  if (form == Form::drift_kick || form == Form::rattle) require_symmetries(model);
}

Runs::~Runs() = default;

FieldRun Runs::Impl::run(const Progress& progress, bool with_every_step) {
  const Method& method = *choice.method;
  Chosen chosen = chosen_in_loops(model, model.settings.columns, FieldRows::scalar_names(model));
  const auto numbers = static_cast<double>(chosen.numbers() + 10);
  RowPlan plan = chooses_steps() ? adaptive_plan_of(model, numbers) : plan_of(model, numbers);
  if (with_every_step) plan.every = 1;
  analyse::RunFacts facts = facts_of(model);
  facts.method = method.name;
  facts.order = method.order;
  facts.method_reason = choice.reason;
  if (!plan.note.empty()) facts.notes.push_back(plan.note);
  if (chooses_steps())
    facts.tolerance = tolerance();
  else
    facts.step = *model.settings.step;
  try {
    start();
  } catch (const Failed& error) {
    facts.complete = false;
    facts.status = error.what();
    FieldRun none = FieldRows(model, std::move(chosen)).finish(std::move(facts));
    none.failure = error.what();
    return none;
  }
  Runner runner(model, plan, {model, std::move(chosen)}, std::move(facts), progress);
  return chooses_steps() ? runner.follow(*adaptive) : runner.follow(*stepped);
}

FieldRun Runs::run(const Progress& progress) {
  return impl_->run(progress, false);
}

FieldRun Runs::first_steps() {
  return impl_->run([](double) { return false; }, true);
}

FieldRun run(Model& model, const Progress& progress) {
  return Runs(model).run(progress);
}

std::size_t stored_columns(const Model& model) {
  const auto names = FieldRows::scalar_names(model);
  const Chosen chosen = chosen_in_loops(model, model.settings.columns, names);
  return chosen.numbers() + (chosen.all ? names.size() : chosen.scalars.size() + 1);
}

analyse::Trajectory in_columns(const FieldRun& run) {
  analyse::Trajectory all{{}, run.trajectory.facts, run.trajectory.events};
  const std::size_t rows = run.trajectory.rows();
  all.columns.push_back(run.trajectory.columns.front());
  for (const Field& field : run.fields)
    for (std::size_t k = 0; k < field.sites.size(); ++k) {
      analyse::Column column{
          fmt::format("{}[{}]", field.name, site_label(run.indices, field.sites[k])), field.role, {}};
      for (std::size_t row = 0; row < rows; ++row) column.values.push_back(field.values[row * field.sites.size() + k]);
      all.columns.push_back(std::move(column));
    }
  all.columns.insert(all.columns.end(), run.trajectory.columns.begin() + 1, run.trajectory.columns.end());
  return all;
}

}  // namespace herglotz::families
