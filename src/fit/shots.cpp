#include "shots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "herglotz/error.hpp"

namespace herglotz::fit {

using Eigen::Index;
using Eigen::VectorXd;

Shots::Shots(const simulate::Simulator& simulator, const Request& request, const Residuals& residuals,
             std::size_t count)
    : simulator_(simulator), request_(request), residuals_(residuals) {
  require_states();
  const mechanics::System& system = simulator.system();
  for (const auto* part : {&system.algebroid.x, &system.w()})
    for (const auto& symbol : *part) names_.emplace_back(symbol.name());
  names_.emplace_back(system.z.name());
  if (simulator.equations().rule == mechanics::Rule::vakonomic)
    for (const auto& multiplier : simulator.equations().l) names_.emplace_back(multiplier.name());
  auto place = residuals.places().begin();
  for (std::size_t r = 0; r < request.runs.size(); ++r) {
    const std::size_t last = request.runs[r].data.t.size() - 1;
    if (count > last)
      throw Refused(fmt::format("{} shots need data at more than {} times", count, last + 1), "take fewer shots");
    const std::size_t first_shot = shots_.size();
    for (std::size_t k = 0; k < count; ++k) {
      Shot shot{r, last * k / count, last * (k + 1) / count};
      if (k > 0) shot.state = states_++;
      shot.is_followed = k + 1 < count;
      shots_.push_back(shot);
    }
    for (; place != residuals.places().end() && place->run == r; ++place) {
      // A value at the time between two shots belongs to the one that ends there.
      const auto of = std::find_if(shots_.begin() + static_cast<std::ptrdiff_t>(first_shot), shots_.end(),
                                   [&](const Shot& shot) { return place->row <= shot.last; });
      of->places.push_back(static_cast<std::size_t>(place - residuals.places().begin()));
    }
  }
}

void Shots::require_states() const {
  const mechanics::System& system = simulator_.system();
  const auto refuse = [](const char* has) {
    throw Refused(fmt::format("runs are not cut into shots where a model has {}", has),
                  "fit without shots; parts lead through long data too");
  };
  if (!system.frictions.empty()) refuse("friction");
  if (std::any_of(system.events.begin(), system.events.end(),
                  [](const mechanics::Event& event) { return event.impact || !event.resets.empty(); }))
    refuse("impacts, resets or sampled values");
  if (simulator_.follows_final_set()) refuse("a singular Lagrangian");
  if (std::any_of(request_.runs.begin(), request_.runs.end(),
                  [](const MeasuredRun& run) { return !run.run.next.empty(); }))
    refuse("a second position");
}

simulate::SensitivityRequest Shots::request_of(const Shot& shot, const VectorXd& values, const VectorXd& state) const {
  auto request = residuals_.request_of(shot.run, values);
  const auto& t = request_.runs[shot.run].data.t;
  request.settings.t_end = t[shot.last];
  const auto time = [&](std::size_t row) { return t.begin() + static_cast<std::ptrdiff_t>(row); };
  request.settings.output_times.assign(time(shot.first), time(shot.last + 1));
  if (!shot.state) return request;
  request.initial.clear();
  request.expressions = {};
  request.settings.project = true;
  request.settings.fixed.clear();
  request.initial[std::string(simulator_.system().t.name())] = t[shot.first];
  for (std::size_t i = 0; i < names_.size(); ++i) request.initial[names_[i]] = state[static_cast<Index>(i)];
  std::erase_if(request.wrt, [&](const std::string& name) { return !is_parameter(simulator_.system(), name); });
  request.wrt.insert(request.wrt.end(), names_.begin(), names_.end());
  return request;
}

namespace {

/// Arrays of a result one after the other, in the same order whenever they are written or read.
void write_all(std::vector<double>& numbers, const auto&... arrays) {
  (numbers.insert(numbers.end(), arrays.data(), arrays.data() + arrays.size()), ...);
}
void read_all(const std::vector<double>& numbers, auto&... arrays) {
  auto from = numbers.begin();
  const auto read = [&](auto& array) {
    std::copy_n(from, array.size(), array.data());
    from += array.size();
  };
  (read(arrays), ...);
}

}  // namespace

ShotResult Shots::at(const Shot& shot, const VectorXd& values, const VectorXd& state) const {
  if (request_.known == nullptr) return followed(shot, values, state);
  // No trial of whole runs has a key that begins like this.
  std::vector<double> key{-std::numeric_limits<double>::infinity(), static_cast<double>(shot.run),
                          static_cast<double>(shot.first), static_cast<double>(shot.last)};
  for (std::size_t c = 0; c < residuals_.columns().size(); ++c) key.push_back(residuals_.noise(c));
  write_all(key, values, state);
  ShotResult result;
  bool made = false;
  const Evaluation known = residuals_.recalled(key, shot.places.size() + names_.size(), [&] {
    result = followed(shot, values, state);
    made = true;
    Evaluation evaluation;
    write_all(evaluation.residuals, result.residuals, result.end);
    write_all(evaluation.jacobian, result.by_variables, result.by_state, result.end_by_variables, result.end_by_state);
    return evaluation;
  });
  if (made) return result;
  result = empty_result(shot, values.size());
  read_all(known.residuals, result.residuals, result.end);
  read_all(known.jacobian, result.by_variables, result.by_state, result.end_by_variables, result.end_by_state);
  return result;
}

ShotResult Shots::empty_result(const Shot& shot, Index variables) const {
  const auto n = static_cast<Index>(names_.size());
  const auto count = static_cast<Index>(shot.places.size());
  const Index own = shot.state ? n : 0;
  return {VectorXd::Zero(count), Eigen::MatrixXd::Zero(count, variables), Eigen::MatrixXd::Zero(count, own),
          VectorXd::Zero(n),     Eigen::MatrixXd::Zero(n, variables),     Eigen::MatrixXd::Zero(n, own)};
}

ShotResult Shots::followed(const Shot& shot, const VectorXd& values, const VectorXd& state) const {
  const auto request = request_of(shot, values, state);
  const auto found = residuals_.differentiated(request);
  const auto n = static_cast<Index>(names_.size());
  const auto count = static_cast<Index>(shot.places.size());
  // The columns of the derivatives by variables and by the state.
  std::vector<std::pair<std::string, Index>> variables;
  for (std::size_t k = 0; k < residuals_.variables().size(); ++k) {
    const Variable& variable = residuals_.variables()[k];
    const std::string& name = variable.unknown.name;
    if (variable.is_of(shot.run) && (!shot.state || is_parameter(simulator_.system(), name)))
      variables.emplace_back(name, static_cast<Index>(k));
  }
  ShotResult result = empty_result(shot, values.size());
  const auto write = [&](const std::string& column, std::size_t row, double factor, auto by_variables, auto by_state) {
    for (const auto& [name, k] : variables) by_variables[k] = factor * slopes_of(found.derivatives, column, name)[row];
    for (Index i = 0; i < by_state.size(); ++i)
      by_state[i] = factor * slopes_of(found.derivatives, column, names_[static_cast<std::size_t>(i)])[row];
  };
  for (Index i = 0; i < count; ++i) {
    const auto& place = residuals_.places()[shot.places[static_cast<std::size_t>(i)]];
    const std::string& column = residuals_.series_at(place).column;
    const std::size_t row = Residuals::row_at(found.run, request_.runs[shot.run].data.t[place.row]);
    result.residuals[i] = residuals_.residual(place, found.run[column][row]);
    write(column, row, -1 / residuals_.noise(place), result.by_variables.row(i), result.by_state.row(i));
  }
  const std::size_t last = found.run.columns.front().values.size() - 1;
  for (Index a = 0; a < n; ++a) {
    const std::string& column = names_[static_cast<std::size_t>(a)];
    result.end[a] = found.run[column][last];
    write(column, last, 1, result.end_by_variables.row(a), result.end_by_state.row(a));
  }
  return result;
}

VectorXd Shots::with_measured(const Shot& shot, VectorXd state) const {
  for (const Series& series : request_.runs[shot.run].data.series) {
    const auto entry = std::find(names_.begin(), names_.end(), series.column);
    const double value = series.values[shot.first];
    if (entry != names_.end() && !std::isnan(value)) state[entry - names_.begin()] = value;
  }
  return state;
}

}  // namespace herglotz::fit
