#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/linear/eigenvalues.hpp"
#include "herglotz/linear/svd.hpp"
#include "linear/state_flow.hpp"
#include "sampled.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Indices = std::vector<Index>;

constexpr int most_iterations = 40;
constexpr double converged = 1e-12;
/// Relative change below which changes that no longer fall are round-off.
constexpr double orbit_round_off = 1e-8;
/// Largest relative distance of the end from the start of an orbit.
constexpr double closed = 1e-7;
/// Singular values below this share of the largest are zero: a family of orbits leaves a direction free.
constexpr double free_direction = 1e-8;

Index place_of(const std::string& name, const std::vector<std::string>& names) {
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end())
    throw Refused(fmt::format("no entry '{}' of the state", name), fmt::format("there are {}", fmt::join(names, ", ")));
  return place - names.begin();
}

bool contains(const Indices& list, Index k) {
  return std::find(list.begin(), list.end(), k) != list.end();
}

/// Throws Refused if the count of a sampled value is to come back: it grows by each sample.
void require_drifting_counts(const mechanics::System& system, const std::vector<std::string>& names,
                             const Indices& drifting) {
  for (Index k = 0; k < static_cast<Index>(names.size()); ++k) {
    const std::string& name = names[static_cast<std::size_t>(k)];
    const auto value = sampled_value_of(system, name);
    if (!value.empty() && !contains(drifting, k))
      throw Refused(fmt::format("{}, the count of the samples of '{}', grows and does not come back", name, value),
                    fmt::format("let it drift: --drifting {}, or drifting=[\"{}\"] in Python", name, name), name);
  }
}

}  // namespace

PeriodicOrbit periodic_orbit(const Simulator& simulator, const MotionRequest& motion, const OrbitRequest& request) {
  require_duration("period", request.period);
  StateFlow flow(simulator, motion);
  Indices drifting;
  for (const auto& name : request.drifting) drifting.push_back(place_of(name, flow.names()));
  require_drifting_counts(simulator.system(), flow.names(), drifting);
  Indices back;
  Indices unknown;  // entries of the start
  for (Index k = 0; k < flow.start().size(); ++k) {
    if (contains(drifting, k)) continue;
    back.push_back(k);
    if (!request.fixed || k != place_of(*request.fixed, flow.names())) unknown.push_back(k);
  }
  PeriodicOrbit orbit{request.period, flow.names(), {}, {}, false, {}};
  Eigen::VectorXd y = flow.start();
  const double t = flow.t0();
  double last = std::numeric_limits<double>::infinity();
  StateFlow::End end;
  Eigen::VectorXd off;
  double scale = 1;
  for (int round = 0;; ++round) {
    end = flow(t, y, orbit.period);
    off = (end.y - y)(back);
    scale = 1 + y(back).cwiseAbs().maxCoeff();
    const Eigen::MatrixXd growth = end.by_start - Eigen::MatrixXd::Identity(y.size(), y.size());
    Eigen::MatrixXd matrix = growth(back, unknown);
    if (request.fixed) {
      matrix.conservativeResize(Eigen::NoChange, matrix.cols() + 1);
      matrix.rightCols(1) = flow.rates(t + orbit.period, end.y)(back);
    }
    const Eigen::VectorXd change = linear::Svd(matrix, linear::SingularVectors::thin, free_direction).solve(-off);
    const double size = change.cwiseAbs().maxCoeff() / scale;
    if (size < converged || (size < orbit_round_off && size > 0.5 * last)) break;
    if (round == most_iterations)
      throw RunFailed(fmt::format("Newton's method did not find a periodic orbit: its last change is {:.2g}", size),
                      "start nearer to it", std::move(end.run));
    last = size;
    y(unknown) += change.head(static_cast<Index>(unknown.size()));
    if (request.fixed) orbit.period += change[change.size() - 1];
    if (!y.allFinite() || !(orbit.period > 0))
      throw RunFailed("Newton's method left the region of motions", "start nearer to the orbit", std::move(end.run));
  }
  const double missed = off.cwiseAbs().maxCoeff();
  if (missed > closed * scale)
    throw RunFailed(fmt::format("there is no periodic orbit nearby: the motion misses its start by {:.2g}", missed), "",
                    std::move(end.run));
  const Eigen::MatrixXd slopes = end.by_start(back, back);
  const Eigen::VectorXcd multipliers = linear::eigenvalues(slopes);
  orbit.multipliers.assign(multipliers.begin(), multipliers.end());
  std::stable_sort(orbit.multipliers.begin(), orbit.multipliers.end(),
                   [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  auto others = orbit.multipliers;
  if (request.fixed)
    others.erase(std::min_element(others.begin(), others.end(),
                                  [](const auto& a, const auto& b) { return std::abs(a - 1.0) < std::abs(b - 1.0); }));
  orbit.stable = std::all_of(others.begin(), others.end(), [](const auto& one) { return std::abs(one) < 1; });
  orbit.start.assign(y.begin(), y.end());
  orbit.run = std::move(end.run);
  return orbit;
}

}  // namespace herglotz::simulate
