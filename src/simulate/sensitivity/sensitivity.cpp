#include "herglotz/simulate/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/mechanics/events/switches.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/simulate/singular.hpp"
#include "sensitivity/adjoint_run.hpp"
#include "sensitivity/lane_differences.hpp"
#include "sensitivity/pieces/differentiated_run.hpp"
#include "sensitivity/pieces/smooth_pieces.hpp"
#include "sensitivity/start_slopes.hpp"
#include "sensitivity/tangent_run.hpp"
#include "settings.hpp"
#include "start.hpp"

namespace herglotz::simulate {

void add_columns(const std::vector<std::string>& columns, const std::vector<Varying>& directions,
                 std::vector<analyse::Column>& list) {
  for (const auto& column : columns)
    for (const auto& direction : directions)
      list.push_back({fmt::format("d.{}.d.{}", column, direction.name), analyse::Role::observable, {}});
}

namespace {

/// Returns whether a run followed a singular Lagrangian on its final set.
bool is_on_final_set(const Simulator& simulator, const analyse::Trajectory& run) {
  const mechanics::System& system = simulator.system();
  if (system.formulation != mechanics::Formulation::lagrangian) return false;
  InitialState start;
  for (const auto& column : run.columns)
    if (!column.values.empty()) start[column.name] = column.values.front();
  const InitialState parameters(run.facts.parameters.begin(), run.facts.parameters.end());
  return mechanics::is_singular(system, simulator.equations(), resolve_parameters(system, parameters),
                                start_values(simulator.equations(), start));
}

/// Throws Refused if the run has jumps or friction, and variational equations do not go through it: no other way of
/// differentiation goes through those.
void require_derivatives_of_jumps(const DifferentiatedRun& of) {
  const mechanics::System& system = of.simulator.system();
  const bool jumps = mechanics::has_jumps(system);
  if ((!jumps && system.frictions.empty()) || has_tangent(of)) return;
  const std::string with = jumps ? "resets or impacts" : "set-valued friction";
  if (const std::string other = obstacle(of); !other.empty())
    throw Refused(fmt::format("a run with {} is not differentiated with {}", with, other),
                  fmt::format("{}leave out one of the two, or take differences of runs",
                              has_tangent_by_reference(of) ? "choose reference, " : ""));
  throw Refused(fmt::format("a run of {} with {} is not differentiated", of.method.name, with),
                jumps ? "choose reference, taylor, radau-5, runge-kutta-<n>, contact-gauss-<n> or contact-lobatto-<n>"
                      : "choose reference, taylor or runge-kutta-<n>",
                "method");
}

/// Throws Refused if the run is not one whose rows can be compared with those of runs beside it.
void require_runs_beside(const DifferentiatedRun& of) {
  const std::string other = obstacle(of);
  const std::string with = other.empty() ? "" : " with " + other;
  if (const auto event = event_at_end(of)) {
    const auto& run = of.run;
    throw Refused(fmt::format("a run of {}{} that an event ends ('{}') is not differentiated", of.method.name, with,
                              of.simulator.system().events[*event].name),
                  fmt::format("{}end the run before t = {:.6g}",
                              other.empty()                  ? "choose reference, taylor or runge-kutta-8, or "
                              : has_tangent_by_reference(of) ? "choose reference, or "
                                                             : "",
                              run.columns.front().values.back()),
                  "t_end");
  }
  if (of.method.adaptive)
    throw Refused(fmt::format("method {} is not differentiated{}", of.method.name, with.empty() ? " here" : with),
                  with.empty() ? "choose reference or taylor"
                               : fmt::format("choose {}a method with steps of one size, such as contact-gauss-4",
                                             has_tangent_by_reference(of) ? "reference, or " : ""),
                  "method");
}

}  // namespace

struct Differentiator::Impl {
  explicit Impl(const Simulator& of) : simulator(of), laws(of.system()) {}

  const Simulator& simulator;
  SmoothLaws laws;
  /// Code by method, order, number of directions and switches that hold the motion.
  std::map<std::tuple<std::string, int, std::size_t, mechanics::Holds>, TangentCode> codes{};
  std::map<std::pair<std::string, mechanics::Holds>, AdjointCode> adjoint_codes{};
  std::map<std::string, std::unique_ptr<sensitivity::StepMaps>> maps{};

  /// Returns the derivatives of the rows: those of these columns at least, or of all.
  std::vector<analyse::Column> differentiate(const SensitivityRequest& request, analyse::Trajectory& run,
                                             const std::vector<std::string>* only);
  /// Returns the run with the law of its smooth pieces.
  DifferentiatedRun differentiated(const SensitivityRequest& request, const std::vector<Varying>& directions,
                                   analyse::Trajectory& run, std::vector<analyse::Column>& derivatives) {
    if (is_on_final_set(simulator, run))
      throw Refused("the motion of a singular Lagrangian on its final set is not differentiated",
                    "take differences of runs, each with a start on the final set", "[dynamics]");
    const auto& method = *integrate::find_method(run.facts.method);
    const DifferentiatedRun of{simulator, request,     directions, method,
                               run,       derivatives, simulator,  laws.switched() != nullptr ? &laws : nullptr};
    require_derivatives_of_jumps(of);
    if (of.laws == nullptr || !has_tangent(of)) return of;
    return {simulator, request, directions, method, run, derivatives, laws.law({}).simulator, &laws};
  }

  TangentCode& code_for(const DifferentiatedRun& of, const mechanics::Holds& holds) {
    const std::tuple key{of.method.name, of.run.facts.order, of.directions.size(),
                         is_held(holds) ? holds : mechanics::Holds{}};
    const auto known = codes.find(key);
    return known != codes.end() ? known->second : codes.emplace(key, tangent_code(of, holds)).first->second;
  }
  /// Returns the derivatives of the start of a run.
  static std::vector<std::vector<double>> slopes_of_start(const DifferentiatedRun& of, const CodeOfPieces& code_of,
                                                          const std::vector<std::string>& state) {
    auto slopes = of.simulator.equations().m() > 0 ? slopes_along_constraints(of, code_of({})) : std::nullopt;
    return slopes ? *std::move(slopes) : start_slopes(of.simulator, of.request, of.directions, state);
  }
  /// Returns the derivatives of many steps of a run at once, or nothing.
  sensitivity::StepMaps* maps_for(const DifferentiatedRun& of) {
    const auto known = maps.find(of.method.name);
    return (known != maps.end() ? known : maps.emplace(of.method.name, step_maps(of)).first)->second.get();
  }
  AdjointCode& adjoint_code_for(const DifferentiatedRun& of, const mechanics::Holds& holds) {
    const std::pair key{of.method.name, is_held(holds) ? holds : mechanics::Holds{}};
    const auto known = adjoint_codes.find(key);
    return known != adjoint_codes.end() ? known->second
                                        : adjoint_codes.emplace(key, adjoint_code(of, holds)).first->second;
  }
};

Differentiator::Differentiator(const Simulator& simulator) : impl_(std::make_unique<Impl>(simulator)) {}
Differentiator::~Differentiator() = default;
Differentiator::Differentiator(Differentiator&&) noexcept = default;
Differentiator& Differentiator::operator=(Differentiator&&) noexcept = default;

std::vector<analyse::Column> differentiate(const Simulator& simulator, const SensitivityRequest& request,
                                           analyse::Trajectory& run) {
  return Differentiator(simulator).differentiate(request, run);
}

std::vector<analyse::Column> Differentiator::differentiate(const SensitivityRequest& request,
                                                           analyse::Trajectory& run) {
  return impl_->differentiate(request, run, nullptr);
}

std::vector<analyse::Column> Differentiator::Impl::differentiate(const SensitivityRequest& request,
                                                                 analyse::Trajectory& run,
                                                                 const std::vector<std::string>* only) {
  const mechanics::System& system = simulator.system();
  const auto state = state_names(system, simulator.equations());
  const auto directions = directions_of(system, state, request.wrt);
  const SensitivityRequest at = evaluated(system, request, directions);
  std::vector<analyse::Column> derivatives{run.columns.front()};
  const DifferentiatedRun of = differentiated(at, directions, run, derivatives);
  if (has_tangent(of)) {
    const auto code_of = [&](const mechanics::Holds& holds) -> TangentCode& { return code_for(of, holds); };
    follow_tangents(of, code_of, maps_for(of), slopes_of_start(of, code_of, state));
    return derivatives;
  }
  require_runs_beside(of);
  difference_runs(of, only);
  return derivatives;
}

namespace {

/// Returns the sum of the derivatives of the rows times those of a function by the rows.
Gradient contracted(const SensitivityRequest& request, const Cotangents& cotangents,
                    const std::vector<analyse::Column>& derivatives) {
  const auto find = [&](const std::string& column, const std::string& name) {
    return std::find_if(derivatives.begin(), derivatives.end(), [&](const analyse::Column& derivative) {
      return derivative.name == fmt::format("d.{}.d.{}", column, name);
    });
  };
  const std::string& time = derivatives.front().name;
  const std::size_t columns = cotangents.columns.size();
  Gradient gradient;
  for (const auto& name : request.wrt) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const auto derivative = find(cotangents.columns[c], name);
      if (derivative == derivatives.end())
        throw Refused(fmt::format("the column {} is not differentiated", cotangents.columns[c]),
                      "use coordinates, velocities, the action, multipliers, the energy, momenta and observables");
      for (std::size_t row = 0; row < derivative->values.size(); ++row)
        sum += cotangents.values[row * columns + c] * derivative->values[row];
    }
    if (const auto end = find(time, name); end != derivatives.end()) sum += cotangents.by_end * end->values.back();
    if (const auto own = cotangents.by_parameters.find(name); own != cotangents.by_parameters.end()) sum += own->second;
    gradient.by.push_back(sum);
  }
  return gradient;
}

}  // namespace

Gradient Differentiator::gradient(const SensitivityRequest& request, const Cotangents& cotangents,
                                  analyse::Trajectory& run) {
  if (cotangents.values.size() != run.rows() * cotangents.columns.size())
    throw Refused(fmt::format("{} derivatives by {} columns of {} rows are given", cotangents.values.size(),
                              cotangents.columns.size(), run.rows()),
                  "give one for each row and column");
  const Simulator& simulator = impl_->simulator;
  const mechanics::System& system = simulator.system();
  const auto state = state_names(system, simulator.equations());
  const auto directions = directions_of(system, state, request.wrt);
  const SensitivityRequest at = evaluated(system, request, directions);
  std::vector<analyse::Column> derivatives;
  const DifferentiatedRun of = impl_->differentiated(at, directions, run, derivatives);
  if (!has_adjoint(of)) return contracted(request, cotangents, impl_->differentiate(request, run, &cotangents.columns));
  const std::vector<Varying> one{directions.front()};
  const DifferentiatedRun along_one = impl_->differentiated(at, one, run, derivatives);
  const ReverseCode code{
      [&](const mechanics::Holds& holds) -> AdjointCode& { return impl_->adjoint_code_for(of, holds); },
      [&](const mechanics::Holds& holds) -> TangentCode& { return impl_->code_for(along_one, holds); },
      impl_->maps_for(of)};
  const auto found = follow_adjoint(of, code, impl_->slopes_of_start(of, code.variation, state), cotangents);
  return found ? *found : contracted(request, cotangents, impl_->differentiate(request, run, &cotangents.columns));
}

}  // namespace herglotz::simulate
