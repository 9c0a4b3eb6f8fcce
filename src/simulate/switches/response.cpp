#include "switches/response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "herglotz/integrate/vector_field.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Returns the largest finite value, or 0.
double largest_finite(const Vector& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, value);
  return largest;
}

}  // namespace

std::vector<bool> SwitchedMotion::Response::powerful() const {
  std::vector<bool> result;
  for (Index i = 0; i < discs.count(); ++i)
    result.insert(result.end(), static_cast<std::size_t>(discs.size(i)), slid[i] > least_radius * largest_finite(slid));
  return result;
}

/// Returns the places among the events of the velocities of friction number k.
std::size_t SwitchedMotion::first_velocity(std::size_t k) const {
  return switches()[k].plane ? switches()[k].plane->first_event : switches()[k].force_event + 1;
}

/// Finds the rates of velocities by forces. Everything is as before afterwards, but for the modes of these frictions.
/// Returns `std::nullopt` if the rates are not determined, or none of the frictions may have a force.
std::optional<SwitchedMotion::Response> SwitchedMotion::response_of(const std::vector<std::size_t>& group, double t,
                                                                    const std::vector<double>& state) {
  const mechanics::Holds holds = holds_;
  const PieceLaw law = law_;
  for (const std::size_t j : group) holds_[j] = mechanics::Hold::none;
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  std::optional<Response> result;
  if (why_not.empty()) {
    Response found;
    for (const std::size_t j : group) found.discs.append(static_cast<Index>(switches()[j].velocities()));
    find_slid(group, found, t, state);
    const double unit = largest_finite(found.slid);
    for (const std::size_t j : group) {
      holds_[j] = mechanics::Hold::share;
      mode(j) = 0;
      if (switches()[j].plane) std::ranges::fill(plane_parameters(j), 0.0);
    }
    law_ = laws_(holds_, why_not);
    if (why_not.empty() && unit > 0) {
      found.D = rates_by(group, unit, t, state);
      if (found.D.allFinite()) result = std::move(found);
    }
    for (const std::size_t j : group) mode(j) = switches()[j].plane ? 1 : idle;
  }
  holds_ = holds;
  law_ = law;
  return result;
}

/// Finds the sizes of the forces with which frictions slip, each alone. One may jam the surfaces alone, and has no such
/// force: then it is infinite. The forces of contacts change with those of frictions, but not the share that slipping
/// leaves of the force at rest.
void SwitchedMotion::find_slid(const std::vector<std::size_t>& group, Response& response, double t,
                               const std::vector<double>& state) {
  constexpr double any_slip = 1e100;  // a slip has the given direction
  for (const std::size_t j : group) {
    mode(j) = 0;
    if (!switches()[j].plane) continue;
    const auto parameters = plane_parameters(j);
    parameters[0] = 1;
    parameters[1] = 0;
    parameters[2] = any_slip;
  }
  response.slid.resize(static_cast<Index>(group.size()));
  response.kinetic.resize(group.size());
  for (std::size_t member = 0; member < group.size(); ++member) {
    const mechanics::Switch& one = switches()[group[member]];
    mode(group[member]) = 1;
    const std::vector<double> now = values_with_multipliers(t, state);
    const double size = std::abs(now[one.plane ? one.plane->first_event + 2 : one.force_event]);
    response.slid[static_cast<Index>(member)] = std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
    if (one.plane) {
      const double share = size / std::abs(now[one.plane->first_event + 4]);
      response.kinetic[member] = std::isfinite(share) ? share : 1.0;
    }
    mode(group[member]) = 0;
  }
}

/// Returns the rates of the velocities of frictions that all share, by their forces, from forces of size `unit`.
Eigen::MatrixXd SwitchedMotion::rates_by(const std::vector<std::size_t>& group, double unit, double t,
                                         const std::vector<double>& state) {
  Index size = 0;
  for (const std::size_t j : group) size += static_cast<Index>(switches()[j].velocities());
  const std::vector<double> now = values(point(t, state));
  const auto rates = [&] {
    std::vector<double> of_state(state.size());
    integrate::CompiledVectorField(dynamics(), parameters_)(t, state, of_state);
    // Velocities are linear in those of the fibre.
    std::vector<double> moved = state;
    for (std::size_t a = dynamics().n; a < dynamics().n + dynamics().r; ++a) moved[a] += of_state[a];
    const std::vector<double> after = values(point(t, moved));
    Vector slips(size);
    Index i = 0;
    for (const std::size_t j : group)
      for (std::size_t along = 0; along < switches()[j].velocities(); ++along, ++i)
        slips[i] = after[first_velocity(j) + along] - now[first_velocity(j) + along];
    return slips;
  };
  const Vector without = rates();
  Matrix D(size, size);
  Index i = 0;
  for (const std::size_t j : group)
    for (std::size_t along = 0; along < switches()[j].velocities(); ++along, ++i) {
      double& probe = probe_of(j, along);
      probe = unit;
      D.col(i) = (rates() - without) / unit;
      probe = 0;
    }
  return (D + D.transpose()) / 2;
}

/// Returns the force that is added to that of a friction which shares, along velocity number `along` of it.
double& SwitchedMotion::probe_of(std::size_t k, std::size_t along) {
  if (switches()[k].plane) return plane_parameters(k)[5 + along];
  return change_parameters(k)[3];
}

/// Returns the parameters of the share of a friction on one velocity beside ones on two.
std::span<double> SwitchedMotion::change_parameters(std::size_t k) {
  const mechanics::ShareChange& change = *switches()[k].change;
  return std::span(parameters_)
      .subspan(first_mode_ + switches().size() + change.first_parameter, change.parameters.size());
}

}  // namespace herglotz::simulate
