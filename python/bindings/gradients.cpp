#include "gradients.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "differentiable.hpp"
#include "herglotz/fit/fit.hpp"
#include "herglotz/simulate/continuation.hpp"
#include "herglotz/simulate/linearise.hpp"
#include "herglotz/simulate/orbits.hpp"
#include "herglotz/simulate/sensitivity.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

Array matrix(const Numbers& entries, std::size_t rows, std::size_t columns) {
  return array(entries, {rows, columns});
}

/// (what the run reached, names of the columns that are differentiated, derivatives as time x column x wrt).
nb::tuple differentiated(const Model& model, const Values& initial, const Values& parameters, const nb::dict& settings,
                         const Values& next, const Names& wrt) {
  const auto resolved = settings_of(model.problem().settings, settings);
  analyse::Trajectory run;
  std::vector<analyse::Column> derivatives;
  std::string failure;
  {
    const nb::gil_scoped_release released;
    const Fresh fresh(model);
    auto request = request_of(fresh.problem, initial, parameters, resolved, next);
    request.wrt = wrt;
    try {
      run = run_of(fresh.simulator, request);
      derivatives = simulate::differentiate(fresh.simulator, request, run);
    } catch (simulate::RunFailed& failed) {
      failure = failed.what();
      if (run.columns.empty()) run = std::move(failed.partial);
      derivatives.clear();
    }
    run.facts.model_text = model.problem().text;
  }
  nb::list columns;
  const std::size_t count = derivatives.empty() ? 0 : (derivatives.size() - 1) / wrt.size();
  Numbers values(count * wrt.size() * run.rows());
  for (std::size_t c = 0; c < count; ++c) {
    const std::string& name = derivatives[1 + c * wrt.size()].name;  // d.<column>.d.<name>
    columns.append(name.substr(2, name.size() - 5 - wrt.front().size()));
    for (std::size_t k = 0; k < wrt.size(); ++k)
      for (std::size_t row = 0; row < run.rows(); ++row)
        values[(row * count + c) * wrt.size() + k] = derivatives[1 + c * wrt.size() + k].values[row];
  }
  const std::size_t rows = run.rows();
  return nb::make_tuple(Reached(std::move(run), std::move(failure)), columns,
                        array(std::move(values), {rows, count, wrt.size()}));
}

const char* word_for(simulate::Stability stability) {
  switch (stability) {
    case simulate::Stability::asymptotic:
      return "asymptotically stable";
    case simulate::Stability::marginal:
      return "marginal";
    case simulate::Stability::unstable:
      return "unstable";
    case simulate::Stability::none:
      break;
  }
  return "no equilibrium";
}

const char* word_for(simulate::BranchEvent event) {
  switch (event) {
    case simulate::BranchEvent::fold:
      return "fold";
    case simulate::BranchEvent::hopf:
      return "hopf";
    case simulate::BranchEvent::branch:
      return "branch";
    case simulate::BranchEvent::none:
      break;
  }
  return "";
}

nb::dict linearise(const Model& model, const Values& at, const Values& parameters, const Names& inputs,
                   const Names& outputs, bool equilibrium) {
  simulate::Linearisation linear;
  {
    const nb::gil_scoped_release released;
    const Fresh fresh(model);
    const auto request = request_of(fresh.problem, at, parameters, fresh.problem.settings, {});
    linear = simulate::linearise(fresh.simulator, {request.initial, request.parameters, inputs, outputs, equilibrium});
  }
  const std::size_t n = linear.states.size();
  nb::dict found;
  found["states"] = linear.states;
  found["inputs"] = linear.inputs;
  found["outputs"] = linear.outputs;
  found["at"] = linear.at;
  found["rates"] = linear.rates;
  found["A"] = matrix(linear.A, n, n);
  found["B"] = matrix(linear.B, n, inputs.size());
  found["C"] = matrix(linear.C, outputs.size(), n);
  found["D"] = matrix(linear.D, outputs.size(), inputs.size());
  found["eigenvalues"] = linear.eigenvalues;
  found["poles"] = linear.poles;
  found["drifting"] = linear.drifting;
  found["stability"] = word_for(linear.stability);
  return found;
}

/// (times, exponents as time x exponent) of a motion.
nb::tuple lyapunov_exponents(const Model& model, const Values& initial, const Values& parameters,
                             const nb::dict& settings, double duration, double interval, double settle) {
  const auto resolved = settings_of(model.problem().settings, settings);
  simulate::LyapunovExponents found;
  {
    const nb::gil_scoped_release released;
    const Fresh fresh(model);
    const auto request = request_of(fresh.problem, initial, parameters, resolved, {});
    found = simulate::lyapunov_exponents(fresh.simulator,
                                         {request.initial, request.settings, request.parameters, request.attend},
                                         {duration, interval, settle});
  }
  Numbers values;
  for (const auto& row : found.exponents) values.insert(values.end(), row.begin(), row.end());
  const std::size_t rows = found.t.size();
  return nb::make_tuple(array(std::move(found.t), {rows}), matrix(values, rows, found.exponents.front().size()));
}

/// (period, start by name, multipliers, whether the orbit is stable, its run).
nb::tuple periodic_orbit(const Model& model, const Values& initial, const Values& parameters, const nb::dict& settings,
                         double period, const std::optional<std::string>& fixed, const Names& drifting) {
  const auto resolved = settings_of(model.problem().settings, settings);
  simulate::PeriodicOrbit orbit;
  {
    const nb::gil_scoped_release released;
    const Fresh fresh(model);
    const auto request = request_of(fresh.problem, initial, parameters, resolved, {});
    orbit = simulate::periodic_orbit(fresh.simulator,
                                     {request.initial, request.settings, request.parameters, request.attend},
                                     {period, fixed, drifting});
    orbit.run.facts.model_text = model.problem().text;
  }
  nb::dict start;
  for (std::size_t i = 0; i < orbit.names.size(); ++i) start[orbit.names[i].c_str()] = orbit.start[i];
  return nb::make_tuple(orbit.period, start, orbit.multipliers, orbit.stable, Reached(std::move(orbit.run), {}));
}

/// (names of the states, (parameter, state, poles, stability, event) of each point, status).
nb::tuple follow_equilibria(const Model& model, const Values& at, const Values& parameters,
                            const std::string& parameter, double to, double largest_step, std::size_t points) {
  simulate::Branch branch;
  {
    const nb::gil_scoped_release released;
    const Fresh fresh(model);
    const auto request = request_of(fresh.problem, at, parameters, fresh.problem.settings, {});
    branch = simulate::follow_equilibria(fresh.simulator,
                                         {request.initial, request.parameters, parameter, to, largest_step, points});
  }
  nb::list found;
  for (const auto& point : branch.points)
    found.append(
        nb::make_tuple(point.parameter, point.at, point.poles, word_for(point.stability), word_for(point.event)));
  return nb::make_tuple(branch.states, found, branch.status);
}

/// (name, lower bound, upper bound, whether each run has a value of its own).
using Unknowns = std::vector<std::tuple<std::string, double, double, bool>>;
/// (times, values by column, standard deviations by column, initial values, parameters) of a run.
using MeasuredRuns =
    std::vector<std::tuple<Numbers, std::map<std::string, Numbers>, std::map<std::string, Numbers>, Values, Values>>;

nb::dict fitted(const Model& model, const MeasuredRuns& runs, const Unknowns& unknowns, double noise,
                const nb::dict& settings, const Values& next, const Names& profiles, std::size_t parts,
                std::size_t shots) {
  const auto resolved = settings_of(model.problem().settings, settings);
  fit::Fit found;
  {
    const nb::gil_scoped_release released;
    const Fresh fresh(model);
    fit::Request request;
    request.noise = noise;
    request.profiles = profiles;
    request.parts = parts;
    request.shots = shots;
    for (const auto& [times, series, deviations, initial, parameters] : runs) {
      auto& run = request.runs.emplace_back();
      run.run = request_of(fresh.problem, initial, parameters, resolved, next);
      run.data.t = times;
      for (const auto& [column, values] : series) {
        const auto own = deviations.find(column);
        run.data.series.push_back({column, values, own == deviations.end() ? Numbers{} : own->second});
      }
    }
    for (const auto& [name, lower, upper, own] : unknowns) request.unknowns.push_back({name, lower, upper, own});
    found = fit::fit(fresh.simulator, request);
    for (auto& run : found.runs) run.facts.model_text = model.problem().text;
  }
  nb::dict result;
  nb::dict values;
  for (const auto& estimate : found.estimates)
    values[estimate.name.c_str()] = nb::make_tuple(estimate.value, estimate.deviation, estimate.start);
  result["estimates"] = values;
  const std::size_t n = found.estimates.size();
  result["covariance"] = matrix(found.covariance, n, n);
  nb::list combinations;
  for (const auto& one : found.combinations)
    combinations.append(nb::make_tuple(one.singular_value, one.direction, one.determined));
  result["combinations"] = combinations;
  nb::list left;
  for (const auto& one : found.series)
    left.append(nb::make_tuple(one.column, one.run, fit::label_of(one.column, one.run, found.runs.size()),
                               array(one.residuals, {one.residuals.size()}), one.noise, one.durbin_watson, one.runs));
  result["series"] = left;
  result["samples"] = found.samples;
  result["chi_squared"] = found.chi_squared;
  result["log_likelihood"] = found.log_likelihood;
  result["iterations"] = found.iterations;
  result["converged"] = found.converged;
  result["status"] = found.status;
  result["identifiable"] = found.identifiable();
  result["warnings"] = found.warnings;
  nb::list followed;
  for (const auto& one : found.profiles)
    followed.append(nb::make_tuple(one.name, one.lower, one.upper, array(one.values, {one.values.size()}),
                                   array(one.rise, {one.rise.size()}), one.status));
  result["profiles"] = followed;
  nb::list reached;
  for (auto& run : found.runs) reached.append(Reached(std::move(run), {}));
  result["runs"] = reached;
  return result;
}

}  // namespace

void bind_gradients(nb::module_& module) {
  module.def("differentiated", &differentiated, nb::arg("model"), nb::arg("initial"), nb::arg("parameters"),
             nb::arg("settings"), nb::arg("next"), nb::arg("wrt"),
             "(what a run reached, its differentiated columns, derivatives as time x column x wrt).");
  module.def("linearise", &linearise, nb::arg("model"), nb::arg("at"), nb::arg("parameters"), nb::arg("inputs"),
             nb::arg("outputs"), nb::arg("equilibrium"), "The motion near a state, by name.");
  module.def("lyapunov_exponents", &lyapunov_exponents, nb::arg("model"), nb::arg("initial"), nb::arg("parameters"),
             nb::arg("settings"), nb::arg("duration"), nb::arg("interval"), nb::arg("settle"),
             "(times, Lyapunov exponents as time x exponent).");
  module.def("periodic_orbit", &periodic_orbit, nb::arg("model"), nb::arg("initial"), nb::arg("parameters"),
             nb::arg("settings"), nb::arg("period"), nb::arg("fixed").none(), nb::arg("drifting"),
             "(period, start by name, Floquet's multipliers, whether the orbit is stable, its run).");
  module.def("follow_equilibria", &follow_equilibria, nb::arg("model"), nb::arg("at"), nb::arg("parameters"),
             nb::arg("parameter"), nb::arg("to"), nb::arg("largest_step"), nb::arg("points"),
             "(names of the states, (parameter, state, poles, stability, event) of each point, status).");
  module.def("fitted", &fitted, nb::arg("model"), nb::arg("runs"), nb::arg("unknowns"), nb::arg("noise"),
             nb::arg("settings"), nb::arg("next"), nb::arg("profiles"), nb::arg("parts"), nb::arg("shots"),
             "A fit to measurements of runs, by name.");
  bind_differentiable(module);
}

}  // namespace herglotz::python
