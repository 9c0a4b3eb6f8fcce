#include "problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"

namespace herglotz::fit {
namespace {

bool is_parameter(const mechanics::System& system, const std::string& name) {
  return std::any_of(system.parameters.begin(), system.parameters.end(),
                     [&](const auto& parameter) { return parameter.symbol.name() == name; });
}

/// Throws Refused unless the name is that of a parameter or of an initial value.
void require_known(const mechanics::System& system, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& parameter : system.parameters) known.emplace_back(parameter.symbol.name());
  for (const auto* symbols : {&system.algebroid.x, &system.algebroid.y, &system.p})
    for (const auto& symbol : *symbols) known.emplace_back(symbol.name());
  known.emplace_back(system.z.name());
  for (const auto& symbol : system.constraints.multipliers) known.emplace_back(symbol.name());
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw Refused(fmt::format("unknown parameter or initial value '{}'", name),
                  fmt::format("known are {}", fmt::join(known, ", ")));
}

double start_of(const mechanics::System& system, const simulate::SensitivityRequest& run, const std::string& name) {
  if (const auto it = run.parameters.find(name); it != run.parameters.end()) return it->second;
  for (const auto& parameter : system.parameters)
    if (parameter.symbol.name() == name) return parameter.value;
  const auto it = run.initial.find(name);
  return it == run.initial.end() ? 0.0 : it->second;
}

/// Throws Refused for times that do not ascend, and for series of another length.
void require_table(const Data& data) {
  if (data.t.size() < 2) throw Refused("the data have fewer than two times", "give more");
  for (std::size_t k = 0; k < data.t.size(); ++k)
    if (!std::isfinite(data.t[k]) || (k > 0 && !(data.t[k] > data.t[k - 1])))
      throw Refused(fmt::format("time {} of the data does not follow the one before", data.t[k]), "sort them");
  for (const auto& series : data.series)
    if (series.values.size() != data.t.size() || (!series.noise.empty() && series.noise.size() != data.t.size()))
      throw Refused(fmt::format("column {} of the data has another length than the times", series.column));
  if (data.series.empty()) throw Refused("the data have no column beside the times", "give one");
}

/// Returns the spread of the values, which weighs a series before residuals are known.
double spread(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    squares += value * value;
    count += 1;
  }
  const double variance = count > 0 ? squares / count - sum / count * (sum / count) : 0;
  return variance > 0 ? std::sqrt(variance) : 1;
}

}  // namespace

Residuals::Residuals(const simulate::Simulator& simulator, const Request& request)
    : simulator_(simulator),
      differentiator_(simulator),
      request_(request),
      run_(request.run),
      start_(request.unknowns.size()) {
  require_table(request.data);
  if (request.unknowns.empty()) throw Refused("no unknown is named", "name at least one parameter");
  if (!(request.noise >= 0) || !std::isfinite(request.noise))
    throw Refused(fmt::format("the noise {} is no standard deviation", request.noise), "give a positive number");
  const auto& t = request.data.t;
  run_.settings.t_end = t.back();
  run_.settings.output_every.reset();
  run_.settings.output_step.reset();
  run_.settings.columns.clear();
  run_.settings.output_times = t;
  run_.wrt.clear();
  const auto& system = simulator.system();
  for (std::size_t k = 0; k < request.unknowns.size(); ++k) {
    const Unknown& unknown = request.unknowns[k];
    require_known(system, unknown.name);
    run_.wrt.push_back(unknown.name);
    parameter_.push_back(is_parameter(system, unknown.name));
    const double start = start_of(system, run_, unknown.name);
    if (!(start > unknown.lower && start < unknown.upper))
      throw Refused(fmt::format("{} starts at {}, which is not inside its bounds {} and {}", unknown.name, start,
                                unknown.lower, unknown.upper),
                    "start inside");
    start_[static_cast<Eigen::Index>(k)] = start;
  }
  for (std::size_t s = 0; s < request.data.series.size(); ++s) {
    const Series& series = request.data.series[s];
    noise_.push_back(request.noise > 0 ? request.noise : spread(series.values));
    for (std::size_t row = 0; row < t.size(); ++row) {
      if (std::isnan(series.values[row])) continue;
      if (!(noise(s, row) > 0)) throw Refused(fmt::format("the noise of {} is not positive", series.column));
      places_.push_back({s, row});
    }
  }
  if (places_.size() < request.unknowns.size())
    throw Refused(fmt::format("{} values cannot determine {} unknowns", places_.size(), request.unknowns.size()),
                  "give more values");
}

double Residuals::noise(std::size_t series, std::size_t row) const {
  const auto& own = request_.data.series[series].noise;
  return own.empty() ? noise_[series] : own[row];
}

std::size_t Residuals::row_of_run(const analyse::Trajectory& run, std::size_t row) const {
  const auto& t = run.columns.front().values;
  const double time = request_.data.t[row];
  auto near = std::lower_bound(t.begin(), t.end(), time);
  // Steps of one size reach a time up to its rounding, before it or behind it.
  if (near == t.end() || (near != t.begin() && time - *(near - 1) < *near - time)) --near;
  return static_cast<std::size_t>(near - t.begin());
}

void Residuals::fill(std::size_t s, Evaluation& found) const {
  const Series& series = request_.data.series[s];
  const auto& fitted = found.run[series.column];
  std::vector<const std::vector<double>*> slopes;
  for (const auto& name : run_.wrt) {
    const auto slope = std::find_if(
        found.derivatives.begin(), found.derivatives.end(),
        [&](const analyse::Column& column) { return column.name == fmt::format("d.{}.d.{}", series.column, name); });
    if (slope == found.derivatives.end())
      throw Refused(fmt::format("column {} is not differentiated", series.column),
                    "measure a coordinate, a velocity, the energy, a momentum or an observable");
    slopes.push_back(&slope->values);
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].series != s) continue;
    const std::size_t row = places_[i].row;
    const std::size_t at = row_of_run(found.run, row);
    const double weight = 1 / noise(s, row);
    found.residuals[static_cast<Eigen::Index>(i)] = weight * (series.values[row] - fitted[at]);
    for (std::size_t k = 0; k < slopes.size(); ++k)
      found.jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = -weight * (*slopes[k])[at];
  }
}

Evaluation Residuals::at(const Eigen::VectorXd& values) const {
  simulate::SensitivityRequest request = run_;
  for (std::size_t k = 0; k < parameter_.size(); ++k)
    (parameter_[k] ? request.parameters : request.initial)[request.wrt[k]] = values[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < parameter_.size(); ++k)
    if (!parameter_[k]) request.expressions.erase(request.wrt[k]);
  request.expressions.apply(simulator_.system(), request.parameters, request.initial, request.next);
  Evaluation found{simulator_.run(request.initial, request.settings, request.parameters, {}, request.next), {}, {}, {}};
  found.derivatives = differentiator_.differentiate(request, found.run);
  if (found.run.columns.front().values.back() < request_.data.t.back())
    throw simulate::RunFailed(fmt::format("the run ends at t = {:.6g}, before the data", found.run["t"].back()), "",
                              {});
  const auto rows = static_cast<Eigen::Index>(samples());
  found.residuals.resize(rows);
  found.jacobian.resize(rows, values.size());
  for (std::size_t s = 0; s < request_.data.series.size(); ++s) fill(s, found);
  return found;
}

}  // namespace herglotz::fit
