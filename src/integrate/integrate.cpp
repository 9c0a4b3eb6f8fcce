#include "herglotz/integrate/integrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "by_stiffness.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/adaptive/by_stiffness.hpp"
#include "herglotz/integrate/counts.hpp"
#include "herglotz/integrate/final_set.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "herglotz/integrate/required_settings.hpp"
#include "moreau/stepper.hpp"
#include "radau/methods.hpp"
#include "registry.hpp"
#include "runge_kutta/methods.hpp"
#include "stiff/methods.hpp"

namespace herglotz::integrate {
namespace {

/// Largest relative defect of a start that counts as round-off.
constexpr double consistent = 1e-10;

const Method& method_named(const std::string& name) {
  for (const auto& method : registry()) {
    if (method.info.name == name) return method;
  }
  std::vector<std::string> known;
  for (const auto& info : methods()) known.push_back(info.name);
  throw Refused(fmt::format("unknown method '{}'", name), fmt::format("known are {}", fmt::join(known, ", ")));
}

void require_shape(const kernel::Kernel& kernel, std::string_view what, std::size_t variables, std::size_t parameters,
                   std::size_t outputs) {
  if (!kernel) return;
  if (kernel.lanes() != 1) {
    throw Refused(fmt::format("kernel '{}' ({}) has {} lanes", kernel.name(), what, kernel.lanes()),
                  "integrators need one");
  }
  if (kernel.variables() == variables && kernel.parameters() == parameters && kernel.outputs() == outputs) return;
  throw Refused(fmt::format("kernel '{}' ({}) maps {} variables and {} parameters to {} outputs", kernel.name(), what,
                            kernel.variables(), kernel.parameters(), kernel.outputs()),
                fmt::format("{}, {} and {} are needed", variables, parameters, outputs));
}

/// Checks the places of the outputs of a kernel, of which the first ones are no entries of the matrix.
void require_pattern(const kernel::Pattern& pattern, const kernel::Kernel& kernel, std::string_view what,
                     std::size_t rows, std::size_t cols, std::size_t first = 0) {
  if (!kernel) return;
  const std::size_t entries = kernel.outputs() - first;
  const auto below = [](const std::vector<std::size_t>& indices, std::size_t bound) {
    return std::all_of(indices.begin(), indices.end(), [bound](std::size_t i) { return i < bound; });
  };
  if (pattern.row.size() == entries && pattern.col.size() == entries && below(pattern.row, rows) &&
      below(pattern.col, cols)) {
    return;
  }
  throw Refused(
      fmt::format("the pattern of {} does not place its {} values in a {} x {} matrix", what, entries, rows, cols));
}

void check_sizes(const Run& run) {
  const Dynamics& d = run.dynamics;
  const std::size_t n = d.n;
  const std::size_t r = d.r;
  const std::size_t m = d.m;
  const std::size_t v = d.variables();
  const std::size_t rates = n + r + 1 + m;  // the size of (x, w, z, l) and of the rates (x_dot, w_dot, z_dot, ell)
  const std::size_t parameters = run.parameters.size();
  if (run.state.size() != d.dimension()) {
    throw Refused(fmt::format("the initial state has {} entries", run.state.size()),
                  fmt::format("(x, w, z{}) has {}", d.differential() && m > 0 ? ", nu" : "", d.dimension()));
  }
  // If the run follows fewer laws than the flow has, the other outputs of the flow are not read.
  const std::size_t flow = d.flow_has_laws ? std::max(d.flow.outputs(), rates + 1 + d.laws) : rates;
  require_shape(d.flow, "flow", v, parameters, flow);
  require_shape(d.flow_jacobian, "flow Jacobian", v, parameters, d.flow_pattern.row.size());
  require_shape(d.mass, "mass", v, parameters, n + 1 + r + m + d.saddle_pattern.row.size());
  require_shape(d.mass_jacobian, "mass Jacobian", v + r + m, parameters, d.mass_pattern.row.size());
  require_shape(d.stage, "stage", v, parameters, StageOutputs{n, r}.count(m));
  require_shape(d.stage_jacobian, "stage Jacobian", v, parameters, d.stage_pattern.row.size());
  require_shape(d.projection, "projection", v + r, parameters, 2 * r + m);
  require_shape(d.balance, "balance", v, parameters, BalanceOutputs::count(d.laws));
  require_shape(d.position, "positions", v, parameters, d.positions);
  require_pattern(d.flow_pattern, d.flow_jacobian, "the flow Jacobian", rates, rates);
  require_pattern(d.saddle_pattern, d.mass, "the mass matrix", r + m, r + m, n + 1 + r + m);
  require_pattern(d.mass_pattern, d.mass_jacobian, "the mass Jacobian", rates, rates);
  require_pattern(d.stage_pattern, d.stage_jacobian, "the stage Jacobian", StageOutputs{n, r}.count(m), rates);
  if (d.laws > 0 && !d.balance) {
    throw Refused(fmt::format("{} balance laws are asked for, but there is no balance kernel", d.laws));
  }
}

void check_settings(const Run& run, const MethodInfo& info) {
  const Settings& s = run.settings;
  require_galerkin_rule(info, s);
  if (!std::isfinite(run.t0) || !std::isfinite(s.t_end)) {
    throw Refused(fmt::format("t0 = {} and t_end = {} must be finite", run.t0, s.t_end));
  }
  if (!(s.schedule.interval >= 0) || !std::isfinite(s.schedule.interval)) {
    throw Refused(fmt::format("sampling interval {}", s.schedule.interval), "a finite time >= 0 is needed (0: none)");
  }
  if (info.adaptive) {
    if (!(s.tolerance > 0) || !(s.tolerance < 1)) {
      throw Refused(fmt::format("method '{}' needs a tolerance between 0 and 1, not {}", info.name, s.tolerance), "",
                    "method");
    }
    return;
  }
  if (!std::isfinite(s.step) || s.step == 0) {
    throw Refused(fmt::format("method '{}' needs a nonzero step, not {}", info.name, s.step), "", "method");
  }
  require_steps("step", run.t0, s.t_end, s.step);
}

/// Returns the methods that follow motions on a final set.
const std::vector<SetMethod>& set_methods() {
  static const std::vector<SetMethod> all = [] {
    std::vector<SetMethod> list = runge_kutta_set_methods();
    for (auto* more : {&radau_set_methods, &stiff_set_methods})
      for (SetMethod& method : more()) list.push_back(std::move(method));
    return list;
  }();
  return all;
}

const SetMethod* set_method(const std::string& name) {
  const auto& all = set_methods();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SetMethod& method) { return method.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void check_set(const FinalSet& set, const Run& run) {
  if (set_method(run.settings.method) == nullptr)
    throw Refused(fmt::format("method '{}' does not follow motions on a final set", run.settings.method),
                  fmt::format("choose one of {}", fmt::join(methods_on_final_sets(), ", ")), "method");
  if (run.dynamics.m != 0)
    throw Refused(
        fmt::format("a motion on a final set has no multipliers, and these dynamics have {}", run.dynamics.m));
  if (set.count > 0 && !set.functions)
    throw Refused(fmt::format("a final set of {} functions needs their kernel", set.count));
  require_shape(set.functions, "final set", run.dynamics.variables(), run.parameters.size(),
                set.count * (1 + run.dynamics.dimension()));
}

/// Returns the end of a run that does not begin.
Outcome refused(const Run& run, const Stop& stop) {
  Outcome outcome;
  conclude(outcome, run.dynamics, stop, run.t0, run.state);
  return outcome;
}

Stop off_constraints(double defect) {
  return {Status::off_constraints, fmt::format("the start is off the constraints by {:.3g}", defect)};
}

}  // namespace

Outcome integrate(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                  std::span<const double> state, const Settings& settings, const Sink& sink, const Watch& watch) {
  const bool by_stiffness = settings.method == reference_by_stiffness;
  const Method& method = method_named(by_stiffness ? "reference" : settings.method);
  const auto follow = [&](const Run& run) { return by_stiffness ? run_by_stiffness(run) : method.run(run); };
  const Run run{dynamics, parameters, t0, state, settings, sink, &watch};
  check_sizes(run);
  check_settings(run, method.info);
  if (dynamics.m == 0) return follow(run);
  const Projection start = project(dynamics, parameters, t0, state);
  if (start.status != Status::success || start.defect > consistent) {
    const bool failed = start.status != Status::success && start.defect <= consistent;
    return refused(run, failed ? Stop{start.status, start.reason} : off_constraints(start.defect));
  }
  return follow({dynamics, parameters, t0, start.state, settings, sink, &watch});
}

ContactOutcome integrate_over_impacts(const ContactKernels& map, const Dynamics& dynamics,
                                      std::span<const double> parameters, double t0, std::span<const double> state,
                                      const Settings& settings, const ContactSink& sink, const ContactWatch& watch) {
  const Sink none;
  const Run run{dynamics, parameters, t0, state, settings, none};
  check_sizes(run);
  check_settings(run, method_named(settings.method).info);
  return run_over_impacts(run, map, sink, watch);
}

std::vector<std::string> methods_on_final_sets() {
  std::vector<std::string> names;
  for (const SetMethod& method : set_methods()) names.push_back(method.name);
  return names;
}

Outcome integrate_on(const FinalSet& set, const Dynamics& dynamics, std::span<const double> parameters, double t0,
                     std::span<const double> state, const Settings& settings, const Sink& sink, const Watch& watch) {
  const Method& method = method_named(settings.method);
  const Run run{dynamics, parameters, t0, state, settings, sink, &watch};
  check_set(set, run);
  check_sizes(run);
  check_settings(run, method.info);
  const double defect = distance_from(set, parameters, t0, state);
  if (!(defect <= consistent)) return refused(run, off_constraints(defect));
  return set_method(settings.method)->run(run, set);
}

}  // namespace herglotz::integrate
