#include "herglotz/simulate/linearise.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "linear/tangent_field.hpp"
#include "settings.hpp"
#include "start.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int most_steps = 200;
constexpr double at_rest = 1e-11;     ///< rates relative to the size of the state, of an equilibrium
constexpr double independent = 1e-9;  ///< singular values relative to the largest
constexpr double on_axis = 1e-8;      ///< real parts relative to the largest |eigenvalue|

double size_of(const Vector& y) {
  return std::max(1.0, y.lpNorm<Eigen::Infinity>());
}

/// The equations of an equilibrium: rates of coordinates that matter, and constraints.
Vector residual(const TangentField& field, const std::vector<Index>& kept, double t, const Vector& y, Matrix& slopes) {
  const Slopes rates = field.rates(t, y);
  const Slopes constraints = field.constraints(t, y);
  const auto rows = static_cast<Index>(kept.size());
  Vector values(rows + constraints.values.size());
  slopes.resize(values.size(), rows);
  values << rates.values(kept), constraints.values;
  slopes << rates.by_state(kept, kept), constraints.by_state(Eigen::all, kept);
  return values;
}

/// Moves y to an equilibrium. Throws RunFailed if there is none near it.
void settle(const TangentField& field, const std::vector<Index>& kept, double t, Vector& y) {
  Matrix slopes;
  Vector values = residual(field, kept, t, y, slopes);
  for (int step = 0; step < most_steps; ++step) {
    if (!values.allFinite() || !slopes.allFinite()) break;
    if (values.lpNorm<Eigen::Infinity>() <= at_rest * size_of(y)) return;
    Eigen::JacobiSVD<Matrix> svd(slopes, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(independent);
    const Vector change = svd.solve(values);
    double share = 1;
    for (; share > 1e-6; share /= 2) {
      Vector there = y;
      there(kept) -= share * change;
      Matrix slopes_there;
      const Vector values_there = residual(field, kept, t, there, slopes_there);
      if (!values_there.allFinite() || !(values_there.norm() < (1 - 1e-4 * share) * values.norm())) continue;
      y = there;
      values = values_there;
      slopes = slopes_there;
      break;
    }
    if (share <= 1e-6) break;
  }
  if (values.allFinite() && values.lpNorm<Eigen::Infinity>() <= at_rest * size_of(y)) return;
  throw RunFailed("no equilibrium was found near this state", "start nearer to one", {});
}

/// Returns the eigenvalues of A along the null space of the slopes of constraints, by falling real part.
std::vector<std::complex<double>> eigenvalues_along(const Matrix& A, const Matrix& constraints) {
  Matrix restricted = A;
  if (constraints.rows() > 0) {
    Eigen::FullPivLU<Matrix> lu(constraints);
    lu.setThreshold(independent);
    const Matrix basis =
        Eigen::HouseholderQR<Matrix>(lu.kernel()).householderQ() * Matrix::Identity(A.rows(), lu.dimensionOfKernel());
    restricted = basis.transpose() * A * basis;
  }
  if (restricted.size() == 0) return {};
  const Eigen::VectorXcd values = Eigen::EigenSolver<Matrix>(restricted, false).eigenvalues();
  std::vector<std::complex<double>> list(values.begin(), values.end());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  });
  return list;
}

Stability judged(const std::vector<std::complex<double>>& poles) {
  double largest = 0;
  for (const auto& pole : poles) largest = std::max(largest, std::abs(pole));
  Stability stability = Stability::asymptotic;
  for (const auto& pole : poles) {
    if (pole.real() > on_axis * largest) return Stability::unstable;
    if (pole.real() >= -on_axis * largest) stability = Stability::marginal;
  }
  return stability;
}

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
