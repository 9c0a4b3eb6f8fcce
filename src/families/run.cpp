#include "herglotz/families/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "columns.hpp"
#include "field_rows.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/integrate/counts.hpp"
#include "motion.hpp"

namespace herglotz::families {
namespace {

constexpr double usual_rows = 1000;
/// The most numbers that a run keeps unless its settings say which: 200 MB.
constexpr double most_usual_numbers = 25e6;

struct Method {
  const char* name;
  int order;
  Scheme scheme;
};
constexpr Method methods[] = {{"contact-splitting-2", 2, Scheme::splitting},
                              {"contact-splitting-4", 4, Scheme::splitting},
                              {"contact-splitting-6", 6, Scheme::splitting},
                              {"contact-splitting-8", 8, Scheme::splitting},
                              {"contact-lobatto-2", 2, Scheme::lobatto}};

const Method* find(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(methods), std::end(methods), [&](const Method& method) { return method.name == name; });
  return found == std::end(methods) ? nullptr : found;
}

bool fits_flat(const Model& model) {
  return model.base.size() * model.index.count <= most_flat;
}

std::string in_loops() {
  return fmt::format("methods that run in loops over the sites are {}", fmt::join(loop_methods(), ", "));
}

/// The method that `auto` chooses in loops.
constexpr const char* chosen_method = "contact-splitting-4";

/// Steps between rows, and the number of steps.
struct Plan {
  std::size_t whole = 0;
  double last = 0;  ///< size of one shorter step at the end, or 0
  std::size_t every = 1;
  std::string note;
};

double positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return value;
  throw std::invalid_argument(fmt::format("{} = {}; a positive finite number is needed", name, value));
}

/// Returns the rows that the settings ask for, or a usual number of them that fits into memory.
Plan plan_of(const Model& model, double numbers) {
  const simulate::Settings& settings = model.settings;
  if (!settings.step)
    throw std::invalid_argument(
        "[simulation] gives no step; methods that run in loops over the sites have a fixed step");
  const double h = positive("step", *settings.step);
  if (!std::isfinite(settings.t_end))
    throw std::invalid_argument(fmt::format("t_end = {}; a finite time is needed", settings.t_end));
  const double duration = std::abs(settings.t_end - model.t0);
  integrate::require_steps("step", model.t0, settings.t_end, h);
  const integrate::Steps steps = integrate::count_steps(duration, h);
  Plan plan{steps.whole, steps.last, 1, {}};
  const double total = static_cast<double>(steps.total());
  if (settings.output_every) {
    plan.every = *settings.output_every;
  } else if (settings.output_step) {
    const double ratio = positive("output_step", *settings.output_step) / h;
    plan.every = static_cast<std::size_t>(std::round(ratio));
    if (plan.every < 1 || std::abs(ratio - static_cast<double>(plan.every)) > 1e-9 * ratio)
      throw std::invalid_argument(fmt::format(
          "output_step = {} is no multiple of step = {}; in loops over the sites rows are at the ends of steps",
          *settings.output_step, h));
  } else {
    const double rows = std::clamp(most_usual_numbers / numbers, 1.0, usual_rows);
    plan.every = static_cast<std::size_t>(std::max(1.0, std::ceil(total / rows - 0.5)));
    if (rows < usual_rows && total > rows)
      plan.note = fmt::format(
          "a row has {} numbers, so that every {} steps make one; output_every, or columns such as {}[::100], choose "
          "others",
          static_cast<std::size_t>(numbers), plan.every, model.sites.families()[model.base[0]].name);
  }
  const double kept = (total / static_cast<double>(plan.every) + 2) * numbers;
  if (kept > integrate::most_numbers)
    throw std::invalid_argument(
        fmt::format("output_every = {} keeps {:.3g} numbers, and a run keeps at most {:.3g}; choose fewer rows, or "
                    "columns such as {}[::100]",
                    plan.every, kept, integrate::most_numbers, model.sites.families()[model.base[0]].name));
  return plan;
}

void require_symmetries(Model& model) {
  for (const Symmetry& symmetry : model.symmetries) {
    const Expr change = lifted(model, symmetry);
    const bool fixed =
        model.index.ends == Ends::fixed && std::any_of(model.sums.begin(), model.sums.end(), [&](const Sum& sum) {
          const auto elements = model.sites.elements(sum.density);
          return std::any_of(elements.begin(), elements.end(), [](const auto& one) { return one.first.offset != 0; });
        });
    if (change.is_zero() && !fixed) continue;
    throw std::invalid_argument(fmt::format(
        "[symmetries] {} is no symmetry of the Lagrangian{}; in loops over the sites only those are followed",
        symmetry.name, fixed ? " with fixed ends" : ""));
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
  facts.step = model.settings.step.value_or(0);
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

bool runs_in_loops(Model& model) {
  const std::string& method = model.settings.method;
  const bool automatic = method == "auto" && model.settings.step && !model.settings.tolerance;
  if (find(method) != nullptr || automatic) {
    try {
      split(model);
      return true;
    } catch (const std::invalid_argument&) {
      if (!fits_flat(model)) throw;
      return false;
    }
  }
  if (fits_flat(model)) return false;
  if (method == "auto") throw std::invalid_argument(fmt::format("[simulation] gives no step; {}", in_loops()));
  throw std::invalid_argument(fmt::format("method {} takes a model of at most {} coordinates, written out flat; {}",
                                          method, most_flat, in_loops()));
}

FieldRun run(Model& model, const Progress& progress) {
  const bool automatic = model.settings.method == "auto";
  const Method* const method = find(automatic ? chosen_method : model.settings.method);
  if (method == nullptr)
    throw std::invalid_argument(fmt::format("method {} does not run in loops; {}", model.settings.method, in_loops()));
  require_symmetries(model);
  Chosen chosen = chosen_columns(model, FieldRows::scalar_names(model));
  const Plan plan = plan_of(model, static_cast<double>(chosen.numbers() + 10));
  analyse::RunFacts facts = facts_of(model);
  facts.method = method->name;
  facts.order = method->order;
  if (automatic) facts.method_reason = "a step is given: explicit flows in loops over the sites";
  if (!plan.note.empty()) facts.notes.push_back(plan.note);
  const auto motion = drift_kick_motion(model, method->scheme, method->order);

  const auto began = std::chrono::steady_clock::now();
  FieldRows rows(model, std::move(chosen));
  const double h = std::copysign(*model.settings.step, model.settings.t_end - model.t0);
  const double t_end = model.settings.t_end;
  rows.add(model.t0, *motion);
  std::string failure;
  std::size_t done = 0;
  bool stopped = false;
  const auto go = [&](double size, std::size_t count) {
    const std::size_t made = motion->advance(size, count);
    done += made;
    if (made < count)
      failure = fmt::format("the state after a step of {:.6g} is not finite at t = {:.6g}; take a smaller step", size,
                            model.t0 + static_cast<double>(done) * h);
    return made == count;
  };
  while (done < plan.whole && failure.empty() && !stopped) {
    const std::size_t target = std::min(plan.whole, (done / plan.every + 1) * plan.every);
    if (!go(h, target - done)) break;
    if (done == plan.whole && plan.last != 0) break;
    rows.add(done == plan.whole ? t_end : model.t0 + static_cast<double>(done) * h, *motion);
    stopped = progress && !progress(static_cast<double>(done) / static_cast<double>(plan.whole));
  }
  if (failure.empty() && !stopped && plan.last != 0 && go(std::copysign(plan.last, h), 1)) rows.add(t_end, *motion);
  facts.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  facts.steps = done;
  facts.complete = failure.empty() && (!stopped || done == plan.whole);
  if (!failure.empty()) facts.status = failure;
  if (failure.empty() && !facts.complete)
    facts.status = fmt::format("stopped by the user at t = {:.6g}", rows.last_time());
  FieldRun result = std::move(rows).finish(std::move(facts));
  result.failure = failure;
  return result;
}

std::size_t stored_columns(const Model& model) {
  const auto names = FieldRows::scalar_names(model);
  const Chosen chosen = chosen_columns(model, names);
  return chosen.numbers() + (chosen.all ? names.size() : chosen.scalars.size() + 1);
}

analyse::Trajectory in_columns(const FieldRun& run) {
  analyse::Trajectory all{{}, run.trajectory.facts};
  const std::size_t rows = run.trajectory.rows();
  all.columns.push_back(run.trajectory.columns.front());
  for (const Field& field : run.fields)
    for (std::size_t k = 0; k < field.sites.size(); ++k) {
      analyse::Column column{fmt::format("{}[{}]", field.name, field.sites[k]), field.role, {}};
      for (std::size_t row = 0; row < rows; ++row) column.values.push_back(field.values[row * field.sites.size() + k]);
      all.columns.push_back(std::move(column));
    }
  all.columns.insert(all.columns.end(), run.trajectory.columns.begin() + 1, run.trajectory.columns.end());
  return all;
}

}  // namespace herglotz::families
