#include "herglotz/simulate/linearise.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "linear/equilibrium.hpp"
#include "sampled.hpp"
#include "settings.hpp"
#include "start.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

std::vector<double> row_by_row(const Matrix& matrix) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> copy = matrix;
  return {copy.data(), copy.data() + copy.size()};
}

/// Returns the places of the inputs among the parameters.
std::vector<Index> places_of(const mechanics::System& system, const std::vector<std::string>& inputs) {
  std::vector<std::string> names;
  for (const auto& parameter : system.parameters) names.emplace_back(parameter.symbol.name());
  std::vector<Index> places;
  for (const auto& input : inputs) {
    const auto it = std::find(names.begin(), names.end(), input);
    if (it == names.end()) unknown_name("parameter", input, names);
    places.push_back(it - names.begin());
  }
  return places;
}

}  // namespace

Linearisation linearise(const Simulator& simulator, const LinearisationRequest& request) {
  const mechanics::System& system = simulator.system();
  mechanics::require_no_friction(system, "a linearisation");
  require_no_samples(system, "a linearisation");
  const std::vector<double> parameters = resolve_parameters(system, request.parameters);
  const InitialState found = simulator.start(request.at, {}, request.parameters);
  const auto inputs = places_of(system, request.inputs);
  const TangentField field(simulator, parameters, found, request.outputs);
  Linearisation linear;
  linear.states = state_names(system, simulator.equations());
  linear.inputs = request.inputs;
  linear.outputs = request.outputs;
  Vector y(static_cast<Index>(linear.states.size()));
  for (Index i = 0; i < y.size(); ++i) y[i] = found.at(linear.states[static_cast<std::size_t>(i)]);
  const double t = found.at(std::string(system.t.name()));
  std::vector<Index> kept;
  for (std::size_t i = 0; i < linear.states.size(); ++i) {
    if (field.matters()[i])
      kept.push_back(static_cast<Index>(i));
    else
      linear.drifting.push_back(linear.states[i]);
  }
  if (request.equilibrium) {
    if (field.depends_on_time())
      throw Refused("the equations depend on time, so there is no equilibrium", "linearise at a state");
    settle(field, kept, t, y);
  }
  const Slopes rates = field.rates(t, y);
  if (!rates.values.allFinite() || !rates.by_state.allFinite())
    throw RunFailed("the rates or their derivatives are not finite at this state", "", {});
  const Slopes constraints = field.constraints(t, y);
  const Slopes outputs = field.outputs(t, y);
  linear.at.assign(y.begin(), y.end());
  linear.rates.assign(rates.values.begin(), rates.values.end());
  linear.A = row_by_row(rates.by_state);
  linear.B = row_by_row(rates.by_parameters(Eigen::all, inputs));
  linear.C = row_by_row(outputs.by_state);
  linear.D = row_by_row(outputs.by_parameters(Eigen::all, inputs));
  linear.eigenvalues = eigenvalues_along(rates.by_state, constraints.by_state);
  linear.poles = eigenvalues_along(rates.by_state(kept, kept), constraints.by_state(Eigen::all, kept));
  const Vector rest = rates.values(kept);
  const double off = rest.size() == 0 ? 0 : rest.lpNorm<Eigen::Infinity>();
  if (!field.depends_on_time() && off <= 1e-9 * size_of(y)) linear.stability = judged(linear.poles);
  return linear;
}

}  // namespace herglotz::simulate
