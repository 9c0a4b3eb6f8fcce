#include "sensitivity/lane_differences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "herglotz/sensitivity/central_slope.hpp"
#include "herglotz/simulate/volume.hpp"
#include "record/on_demand.hpp"
#include "sensitivity/start_slopes.hpp"
#include "sensitivity/tangent_run.hpp"

namespace herglotz::simulate {
namespace {

/// Largest estimate of the relative error of a derivative that is given.
constexpr double accurate = 1e-8;

/// Returns whether a name is that of a volume along a run, which rows of members do not have.
bool is_volume(const mechanics::System& system, const std::string& name) {
  return (name == volume_column || name == volume_residual_column) && !is_own(system, name);
}

bool is_observable(const mechanics::System& system, const std::string& name) {
  return std::any_of(system.observables.begin(), system.observables.end(),
                     [&](const auto& observable) { return observable.name == name; });
}

/// The places of the columns that are differentiated: of these names, or all but volumes.
std::vector<std::size_t> places_of(const mechanics::System& system, const std::vector<analyse::Column>& columns,
                                   const std::vector<std::string>* only) {
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    using enum analyse::Role;
    if (is_volume(system, columns[c].name)) continue;
    if (only != nullptr && std::find(only->begin(), only->end(), columns[c].name) == only->end()) continue;
    const auto role = columns[c].role;
    if (role == base || role == fibre || role == action || role == multiplier || role == energy || role == momentum ||
        role == observable)
      places.push_back(c);
  }
  return places;
}

/// The run with other values of one parameter or initial value.
class RunsBeside {
 public:
  RunsBeside(const DifferentiatedRun& of, const Varying& direction, const std::vector<std::size_t>& places)
      : of_(of),
        value_(value_of(of.simulator.system(), of.request, direction)),
        places_(places),
        members_(of.simulator, common(), {direction}) {}

  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }

  /// Returns the rows at each offset, row by row, or `std::nullopt` if a run failed.
  std::optional<std::vector<std::vector<double>>> operator()(std::span<const double> offsets) {
    const std::size_t rows = of_.run.rows();
    std::vector<std::vector<double>> all(offsets.size(), std::vector<double>(rows * places_.size()));
    std::string failure;
    const auto values = [&](std::size_t k, std::span<double> varied) { varied[0] = value_ + offsets[k]; };
    Members::Results results;
    results.row = [&](std::size_t k, std::size_t index, std::span<const double> row) {
      if (index >= rows) return;
      for (std::size_t c = 0; c < places_.size(); ++c) all[k][index * places_.size() + c] = row[places_[c]];
    };
    results.done = [&](std::size_t, const Members::End& end) {
      if (!end.failure.empty())
        failure = end.failure;
      else if (end.rows != rows)
        failure = "it has other rows";
    };
    members_.run(offsets.size(), values, results, [&] {
      of_.attend();
      return true;
    });
    failure_ = failure;
    if (!failure.empty()) return std::nullopt;
    return all;
  }

 private:
  /// Returns the inputs of the run, with its method and its rows.
  [[nodiscard]] Common common() const {
    Common common{of_.request.initial, of_.request.parameters, of_.request.next, of_.request.settings};
    common.expressions = of_.request.expressions;
    common.settings.method = of_.method.name;
    std::erase_if(common.settings.columns,
                  [&](const std::string& name) { return is_volume(of_.simulator.system(), name); });
    const auto& t = of_.run.columns.front().values;
    const bool by_default = !common.settings.output_every && !common.settings.output_step &&
                            common.settings.output_times.empty() && t.size() > 1;
    if (by_default)
      common.settings.output_every = static_cast<std::size_t>(
          std::max(1.0, std::round(std::abs((t[1] - t[0]) / common.settings.step.value_or(t[1] - t[0])))));
    return common;
  }

  const DifferentiatedRun& of_;
  double value_;
  const std::vector<std::size_t>& places_;
  Members members_;
  std::string failure_;
};

}  // namespace

void difference_runs(const DifferentiatedRun& of, const std::vector<std::string>* only) {
  analyse::Trajectory& run = of.run;
  const auto places = places_of(of.simulator.system(), run.columns, only);
  if (places.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t c : places) names.push_back(run.columns[c].name);
  add_columns(names, of.directions, of.derivatives);
  double largest = 0;
  std::vector<std::string> round_off;
  for (std::size_t k = 0; k < of.directions.size(); ++k) {
    RunsBeside beside(of, of.directions[k], places);
    const double scale = beside.value() == 0 ? 1.0 : std::abs(beside.value());
    const auto slope = sensitivity::central_slope(std::ref(beside), scale, places.size());
    const std::string& name = of.directions[k].name;
    if (!slope)
      throw RunFailed(fmt::format("the run has no derivative by {}: with another value of it, {}", name,
                                  beside.failure().empty() ? "its rows are not finite" : beside.failure()),
                      "", {});
    if (!(slope->error <= accurate))
      throw RunFailed(
          fmt::format("the derivative of {} by {} is known to {:.2g} only: the run depends on it too sharply, "
                      "or not smoothly",
                      names[slope->least_accurate], name, slope->error),
          fmt::format("{}{}",
                      is_observable(of.simulator.system(), names[slope->least_accurate])
                          ? "leave that observable out of the columns, or end the run earlier"
                          : "end the run earlier",
                      has_tangent_by_reference(of) ? ", or choose reference" : ""),
          {});
    largest = std::max(largest, slope->error);
    for (const std::size_t c : slope->round_off) round_off.push_back(fmt::format("d.{}.d.{}", names[c], name));
    for (std::size_t row = 0; row < run.rows(); ++row)
      for (std::size_t c = 0; c < places.size(); ++c)
        of.derivatives[1 + c * of.directions.size() + k].values.push_back(slope->values[row * places.size() + c] + 0.0);
  }
  run.facts.notes.push_back(fmt::format(
      "derivatives by differences of order 8 of whole runs, with relative errors of about {:.1g}", largest));
  if (!round_off.empty())
    run.facts.notes.push_back(
        fmt::format("derivatives of round-off, as their columns are 0 or do not depend on the name up to that: {}",
                    fmt::join(round_off, ", ")));
}

}  // namespace herglotz::simulate
