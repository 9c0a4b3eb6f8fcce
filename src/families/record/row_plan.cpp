#include "record/row_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/integrate/counts.hpp"

namespace herglotz::families {
namespace {

constexpr double usual_rows = 1000;
/// The most numbers that a run keeps unless its settings say which: 200 MB.
constexpr double most_usual_numbers = 25e6;

/// Returns the number of rows that a run has unless its settings say otherwise, as many as fit into memory.
double rows_that_fit(double numbers) {
  return std::clamp(most_usual_numbers / numbers, 1.0, usual_rows);
}

std::string note_on_rows(const Model& model, double numbers, const std::string& which) {
  return fmt::format("a row has {} numbers, so that {}; output_every, or columns such as {}[::100], choose others",
                     static_cast<std::size_t>(numbers), which, model.sites.families()[model.base[0]].name);
}

void require_memory(const Model& model, double rows, double numbers, const std::string& setting) {
  if ((rows + 2) * numbers <= integrate::most_numbers) return;
  throw Refused(
      fmt::format("{} keeps {:.3g} numbers, and a run keeps at most {:.3g}", setting, (rows + 2) * numbers,
                  integrate::most_numbers),
      fmt::format("choose fewer rows, or columns such as {}[::100]", model.sites.families()[model.base[0]].name));
}

double duration_of(const Model& model) {
  if (!std::isfinite(model.settings.t_end))
    throw Refused(fmt::format("t_end = {}", model.settings.t_end), "a finite time is needed");
  return std::abs(model.settings.t_end - model.t0);
}

}  // namespace

double positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return value;
  throw Refused(fmt::format("{} = {}", name, value), "a positive finite number is needed", name);
}

RowPlan plan_of(const Model& model, double numbers) {
  const simulate::Settings& settings = model.settings;
  const double duration = duration_of(model);
  if (!settings.step)
    throw Refused("[simulation] gives no step",
                  fmt::format("of the methods that run in loops over the sites, {} takes a tolerance", "reference"),
                  "[simulation]");
  const double h = positive("step", *settings.step);
  integrate::require_steps("step", model.t0, settings.t_end, h);
  const integrate::Steps steps = integrate::count_steps(duration, h);
  RowPlan plan{steps.whole, steps.last, 1, 0, {}, h};
  const double total = static_cast<double>(steps.total());
  if (settings.output_every) {
    plan.every = *settings.output_every;
  } else if (settings.output_step) {
    const double ratio = positive("output_step", *settings.output_step) / h;
    plan.every = static_cast<std::size_t>(std::round(ratio));
    if (plan.every < 1 || std::abs(ratio - static_cast<double>(plan.every)) > 1e-9 * ratio)
      throw Refused(fmt::format("output_step = {} is not a multiple of step = {}", *settings.output_step, h),
                    "in loops over the sites rows are at the ends of steps", "output_step");
  } else {
    const double rows = rows_that_fit(numbers);
    plan.every = static_cast<std::size_t>(std::max(1.0, std::ceil(total / rows - 0.5)));
    if (rows < usual_rows && total > rows)
      plan.note = note_on_rows(model, numbers, fmt::format("every {} steps make one", plan.every));
  }
  require_memory(model, total / static_cast<double>(plan.every), numbers, fmt::format("output_every = {}", plan.every));
  return plan;
}

RowPlan adaptive_plan_of(const Model& model, double numbers) {
  const simulate::Settings& settings = model.settings;
  const double duration = duration_of(model);
  RowPlan plan;
  if (settings.output_every) {
    plan.every = *settings.output_every;
    return plan;
  }
  const double rows = rows_that_fit(numbers);
  plan.interval = settings.output_step ? positive("output_step", *settings.output_step) : duration / rows;
  if (settings.output_step)
    require_memory(model, duration / plan.interval, numbers, fmt::format("output_step = {}", plan.interval));
  else if (rows < usual_rows)
    plan.note = note_on_rows(model, numbers, fmt::format("there are {} of them", static_cast<std::size_t>(rows) + 1));
  return plan;
}

std::vector<double> RowPlan::times(double t0, double t_end) const {
  std::vector<double> list{t0};
  const double direction = t_end < t0 ? -1 : 1;
  for (std::size_t row = 1; list.back() != t_end; ++row) {
    const double due = every != 0 ? t0 + direction * step * static_cast<double>(std::min(row * every, whole))
                                  : t0 + direction * interval * static_cast<double>(row);
    const bool ends = every != 0 ? row * every >= whole : direction * (t_end - due) <= 1e-9 * interval;
    list.push_back(ends ? t_end : due);
  }
  return list;
}

}  // namespace herglotz::families
