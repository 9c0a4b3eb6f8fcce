#include "problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "herglotz/error.hpp"

namespace herglotz::fit {
namespace {

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

/// The spread of values, which weighs a column before residuals are known.
struct Spread {
  double sum = 0;
  double squares = 0;
  double count = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    count += 1;
  }
  [[nodiscard]] double value() const {
    const double variance = count > 0 ? squares / count - sum / count * (sum / count) : 0;
    return variance > 0 ? std::sqrt(variance) : 1;
  }
};

/// Shares of the duration of a run, and of the time at its end, that steps of one size may miss the end by.
constexpr double rounding_of_steps = 1e-9;
constexpr double rounding_of_time = 1e-12;

}  // namespace

void require_data(const Data& data, const std::string& name) {
  constexpr double largest = 1e150;
  if (data.t.size() < 2) throw Refused(name + " have fewer than two times", "give more");
  for (std::size_t k = 0; k < data.t.size(); ++k)
    if (!std::isfinite(data.t[k]) || (k > 0 && !(data.t[k] > data.t[k - 1])))
      throw Refused(fmt::format("time {} of {} does not follow the one before", data.t[k], name),
                    "sort them, with every time once");
  for (std::size_t s = 0; s < data.series.size(); ++s) {
    const Series& series = data.series[s];
    const auto is_same = [&](const Series& other) { return other.column == series.column; };
    const auto behind = data.series.begin() + static_cast<std::ptrdiff_t>(s) + 1;
    if (std::any_of(behind, data.series.end(), is_same))
      throw Refused(fmt::format("{} have two columns {}", name, series.column),
                    "give values that were measured twice as those of two runs");
    if (series.values.size() != data.t.size() || (!series.noise.empty() && series.noise.size() != data.t.size()))
      throw Refused(fmt::format("column {} of {} has another length than the times", series.column, name));
    for (std::size_t k = 0; k < data.t.size(); ++k) {
      if (std::abs(series.values[k]) > largest)
        throw Refused(fmt::format("column {} of {} has the value {}", series.column, name, series.values[k]),
                      fmt::format("give values up to {}, in other units if need be", largest));
      if (series.noise.empty() || std::isnan(series.values[k])) continue;
      if (std::isnan(series.noise[k]))
        throw Refused(fmt::format("{} have a value of {} at t = {} without its noise", name, series.column, data.t[k]),
                      "give each value its standard deviation, or none of the column");
      if (!(series.noise[k] > 0) || !std::isfinite(series.noise[k]))
        throw Refused(
            fmt::format("the noise of {} at t = {} of {} is {}", series.column, data.t[k], name, series.noise[k]),
            "give a positive standard deviation");
    }
  }
  if (data.series.empty()) throw Refused(name + " have no column beside the times", "give one");
  const auto has_value = [](const Series& series) {
    return std::any_of(series.values.begin(), series.values.end(), [](double value) { return !std::isnan(value); });
  };
  if (std::none_of(data.series.begin(), data.series.end(), has_value))
    throw Refused(fmt::format("{} have no value: every field beside the times is empty", name), "give measured values");
}

std::string label_of(const std::string& name, std::size_t run, std::size_t runs) {
  return runs > 1 ? fmt::format("{}[{}]", name, run + 1) : name;
}

bool is_parameter(const mechanics::System& system, const std::string& name) {
  return std::any_of(system.parameters.begin(), system.parameters.end(),
                     [&](const auto& parameter) { return parameter.symbol.name() == name; });
}

const std::vector<double>& slopes_of(const std::vector<analyse::Column>& derivatives, const std::string& column,
                                     const std::string& name) {
  const std::string wanted = fmt::format("d.{}.d.{}", column, name);
  const auto slopes =
      std::find_if(derivatives.begin(), derivatives.end(), [&](const auto& one) { return one.name == wanted; });
  if (slopes == derivatives.end())
    throw Refused(fmt::format("column {} is not differentiated", column),
                  "measure a coordinate, a velocity, the energy, a momentum or an observable");
  return slopes->values;
}

Residuals::Residuals(const simulate::Simulator& simulator, const Request& request)
    : simulator_(simulator), differentiator_(simulator), request_(request) {
  if (request.runs.empty()) throw Refused("there are no data", "give those of at least one run");
  if (request.unknowns.empty()) throw Refused("no unknown is named", "name at least one parameter");
  if (!(request.noise >= 0) || !std::isfinite(request.noise))
    throw Refused(fmt::format("the noise {} is not a standard deviation", request.noise), "give a positive number");
  for (std::size_t r = 0; r < request.runs.size(); ++r) {
    const auto& t = request.runs[r].data.t;
    const std::string name = request.runs.size() > 1 ? fmt::format("the data of run {}", r + 1) : "the data";
    require_data(request.runs[r].data, name);
    const double begin = start_of(simulator.system(), request.runs[r].run, std::string(simulator.system().t.name()));
    if (t.front() < begin)
      throw Refused(fmt::format("{} begin at t = {}, before the run, whose start is at t = {}", name, t.front(), begin),
                    "give the start the time of the first value, or leave earlier values out");
    auto& run = runs_.emplace_back(request.runs[r].run);
    run.settings.t_end = t.back();
    run.settings.output_every.reset();
    run.settings.output_step.reset();
    run.settings.columns.clear();
    run.settings.output_times = t;
    run.wrt.clear();
  }
  for (const Unknown& unknown : request.unknowns) add(unknown);
  for (std::size_t r = 0; r < runs_.size(); ++r) add(request.runs[r].data, r);
  std::vector<Spread> spreads(columns_.size());
  for (const Place& place : places_) spreads[place.column].add(series_at(place).values[place.row]);
  for (const Spread& spread : spreads) noise_.push_back(request.noise > 0 ? request.noise : spread.value());
  if (places_.size() < variables_.size())
    throw Refused(fmt::format("{} values cannot determine {} unknowns", places_.size(), variables_.size()),
                  "give more values");
}

void Residuals::add(const Unknown& unknown) {
  require_known(simulator_.system(), unknown.name);
  for (const Variable& known : variables_)
    if (known.unknown.name == unknown.name)
      throw Refused(fmt::format("the unknown {} is named twice", unknown.name), "name it once");
  const auto append = [&](std::optional<std::size_t> run, const std::string& label) {
    if (!(unknown.lower < unknown.upper))
      throw Refused(fmt::format("nothing lies between the bounds {} and {} of {}", unknown.lower, unknown.upper, label),
                    "give the smaller one first");
    const double start = start_of(simulator_.system(), runs_[run.value_or(0)], unknown.name);
    if (!(start > unknown.lower && start < unknown.upper))
      throw Refused(fmt::format("{} starts at {}, which is not inside its bounds {} and {}", label, start,
                                unknown.lower, unknown.upper),
                    "start inside");
    variables_.push_back({unknown, run, label, start});
  };
  for (auto& run : runs_) run.wrt.push_back(unknown.name);
  if (!unknown.own) {
    require_one_start(unknown.name);
    return append({}, unknown.name);
  }
  for (std::size_t r = 0; r < runs_.size(); ++r) append(r, label_of(unknown.name, r, runs_.size()));
}

void Residuals::require_one_start(const std::string& name) const {
  const double first = start_of(simulator_.system(), runs_.front(), name);
  for (std::size_t r = 1; r < runs_.size(); ++r) {
    const double start = start_of(simulator_.system(), runs_[r], name);
    if (start != first)
      throw Refused(fmt::format("{} has one value for all runs, but starts at {} in run 1 and at {} in run {}", name,
                                first, start, r + 1),
                    "give all runs the same start, or each a value of its own (--own, in Python `initial`)");
  }
}

void Residuals::add(const Data& data, std::size_t run) {
  for (std::size_t s = 0; s < data.series.size(); ++s) {
    const Series& series = data.series[s];
    const auto known = std::find(columns_.begin(), columns_.end(), series.column);
    const auto column = static_cast<std::size_t>(known - columns_.begin());
    if (known == columns_.end()) columns_.push_back(series.column);
    for (std::size_t row = 0; row < data.t.size(); ++row)
      if (!std::isnan(series.values[row])) places_.push_back({run, s, row, column});
  }
}

double Residuals::noise(const Place& place) const {
  const auto& own = series_at(place).noise;
  return own.empty() ? noise_[place.column] : own[place.row];
}

bool Residuals::weights_matter() const {
  return columns_.size() > 1 || std::any_of(places_.begin(), places_.end(),
                                            [&](const Place& place) { return !series_at(place).noise.empty(); });
}

std::size_t Residuals::row_at(const analyse::Trajectory& run, double time) {
  const auto& t = run.columns.front().values;
  auto near = std::lower_bound(t.begin(), t.end(), time);
  // Steps of one size reach a time up to its rounding, before it or behind it.
  if (near == t.end() || (near != t.begin() && time - *(near - 1) < *near - time)) --near;
  return static_cast<std::size_t>(near - t.begin());
}

simulate::SensitivityRequest Residuals::request_of(std::size_t r, const Eigen::VectorXd& values) const {
  simulate::SensitivityRequest request = runs_[r];
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    if (!variables_[k].is_of(r)) continue;
    const std::string& name = variables_[k].unknown.name;
    const bool parameter = is_parameter(simulator_.system(), name);
    (parameter ? request.parameters : request.initial)[name] = values[static_cast<Eigen::Index>(k)];
    if (!parameter) request.expressions.erase(name);
  }
  request.expressions.apply(simulator_.system(), request.parameters, request.initial, request.next);
  return request;
}

analyse::Trajectory Residuals::follow(const simulate::SensitivityRequest& request) const {
  // A run is asked whether to go on at its rows, and every few thousand steps between them.
  constexpr std::size_t factor = 100;
  constexpr std::size_t least = 5;
  const std::size_t rows_asked = request.settings.output_times.size() + 2;
  std::size_t asked = 0;
  bool given_up = false;
  const auto is_patient = [&](double) {
    if (request.attend) request.attend();
    given_up = ++asked > rows_asked + least + factor * patience_.value_or(asked);
    return !given_up;
  };
  auto run = simulator_.run(request.initial, request.settings, request.parameters, is_patient, request.next);
  if (!patience_) patience_ = asked > rows_asked ? asked - rows_asked : 0;
  const double end = request.settings.t_end;
  const auto& rows = run.columns.front().values;
  const double reached = rows.back();
  if (given_up)
    throw simulate::RunFailed(
        fmt::format("it takes more than {} times the steps of the first run, and was given up at t = {:.6g}", factor,
                    reached),
        "", {});
  if (end - reached > std::max(rounding_of_steps * (end - rows.front()), rounding_of_time * std::abs(end)))
    throw simulate::RunFailed(fmt::format("the run ends at t = {:.6g}, before the data", reached), "", {});
  return run;
}

DifferentiatedRun Residuals::differentiated(const simulate::SensitivityRequest& request) const {
  auto run = follow(request);
  auto derivatives = differentiator_.differentiate(request, run);
  return {std::move(run), std::move(derivatives)};
}

double Residuals::chi_squared(const Eigen::VectorXd& values) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0;
  try {
    auto place = places_.begin();
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const auto run = follow(request_of(r, values));
      for (; place != places_.end() && place->run == r; ++place) {
        const double fitted = run[series_at(*place).column][row_at(run, request_.runs[r].data.t[place->row])];
        const double e = residual(*place, fitted);
        sum += e * e;
      }
    }
  } catch (const Error&) {
    return infinity;
  }
  return std::isnan(sum) ? infinity : sum;
}

EvaluatedRuns Residuals::at(const Eigen::VectorXd& values) const {
  EvaluatedRuns found;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    try {
      auto one = differentiated(request_of(r, values));
      found.derivatives.push_back(std::move(one.derivatives));
      found.runs.push_back(std::move(one.run));
    } catch (simulate::RunFailed& failed) {
      if (runs_.size() == 1) throw;
      throw simulate::RunFailed(fmt::format("run {}: {}", r + 1, failed.problem()), failed.remedy(),
                                std::move(failed.partial));
    }
  }
  found.residuals.resize(static_cast<Eigen::Index>(samples()));
  found.jacobian.setZero(found.residuals.size(), values.size());
  for (std::size_t first = 0; first < places_.size();) first = fill(first, found);
  return found;
}

EvaluatedRuns Residuals::trial(const Eigen::VectorXd& values) const {
  // Parts of the data end at different times, and weighings differ in the noise.
  std::vector<double> key;
  for (const MeasuredRun& run : request_.runs) key.push_back(run.data.t.back());
  key.insert(key.end(), noise_.begin(), noise_.end());
  key.insert(key.end(), values.begin(), values.end());
  EvaluatedRuns found;
  try {
    const Evaluation evaluation = recalled(key, samples(), [&] {
      found = at(values);
      return Evaluation{{found.residuals.begin(), found.residuals.end()},
                        {found.jacobian.data(), found.jacobian.data() + found.jacobian.size()},
                        {}};
    });
    if (found.runs.empty()) {
      const auto count = static_cast<Eigen::Index>(samples());
      found.residuals = Eigen::Map<const Eigen::VectorXd>(evaluation.residuals.data(), count);
      found.jacobian = Eigen::Map<const Eigen::MatrixXd>(evaluation.jacobian.data(), count, values.size());
    }
  } catch (const Failed&) {
    say_tried(std::numeric_limits<double>::infinity());
    throw;
  }
  say_tried(found.residuals.squaredNorm());
  return found;
}

Evaluation Residuals::recalled(const std::vector<double>& key, std::size_t count,
                               const std::function<Evaluation()>& find) const {
  if (request_.known == nullptr) return find();
  const Evaluation* known = request_.known->find(key);
  if (known != nullptr && (known->residuals.size() == count || !known->failure.empty())) {
    if (known->patience >= 0) patience_ = static_cast<std::size_t>(known->patience);
    if (!known->failure.empty()) throw simulate::RunFailed(known->failure, "", {});
    return *known;
  }
  Evaluation evaluation;
  const auto add = [&] {
    if (patience_) evaluation.patience = static_cast<double>(*patience_);
    request_.known->add(key, evaluation);
  };
  try {
    evaluation = find();
  } catch (const Failed& failed) {
    evaluation.failure = failed.what();
    add();
    throw;
  }
  add();
  return evaluation;
}

void Residuals::say_tried(double chi_squared) const {
  if (request_.tried) request_.tried(chi_squared);
}

std::size_t Residuals::fill(std::size_t first, EvaluatedRuns& found) const {
  const std::size_t r = places_[first].run;
  const std::size_t s = places_[first].series;
  const Data& data = request_.runs[r].data;
  const Series& series = data.series[s];
  const auto& fitted = found.runs[r][series.column];
  const auto& derivatives = found.derivatives[r];
  std::vector<std::pair<Eigen::Index, const std::vector<double>*>> slopes;
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    if (!variables_[k].is_of(r)) continue;
    slopes.emplace_back(static_cast<Eigen::Index>(k),
                        &slopes_of(derivatives, series.column, variables_[k].unknown.name));
  }
  std::size_t i = first;
  for (; i < places_.size() && places_[i].run == r && places_[i].series == s; ++i) {
    const std::size_t at = row_at(found.runs[r], data.t[places_[i].row]);
    const double weight = 1 / noise(places_[i]);
    found.residuals[static_cast<Eigen::Index>(i)] = residual(places_[i], fitted[at]);
    for (const auto& [k, slope] : slopes) found.jacobian(static_cast<Eigen::Index>(i), k) = -weight * (*slope)[at];
  }
  return i;
}

}  // namespace herglotz::fit
