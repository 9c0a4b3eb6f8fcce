#include "herglotz/analyse/discrete_order.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/analyse/order.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/integrate.hpp"

namespace herglotz::analyse {
namespace {

using integrate::Dynamics;

constexpr int halvings = 5;
constexpr int longest_steps = 8;  ///< steps of the largest size over which the flow is followed
constexpr double round_off = 1e-12;

/// Returns L_d(x0, x1, z0) of the map. If ell uses z1, z1 = z0 + ell is solved.
double value_of(const Dynamics& d, std::span<const double> parameters, std::span<const double> x0,
                std::span<const double> x1, double z0, double t0, double h) {
  std::vector<double> variables(x0.begin(), x0.end());
  variables.insert(variables.end(), x1.begin(), x1.end());
  variables.insert(variables.end(), {z0, z0, t0, h});
  std::vector<double> out(d.discrete.ell.outputs());
  std::vector<double> work(d.discrete.ell.work_size());
  double& z1 = variables[2 * d.n + 1];
  for (int k = 0; k < 60; ++k) {
    d.discrete.ell(variables.data(), parameters.data(), out.data(), work.data());
    const double update = (z1 - z0 - out[0]) / (1 - out.back());
    z1 -= update;
    if (std::abs(update) <= 1e-16 * (1 + std::abs(z1))) return z1 - z0;
  }
  throw Failed("the action at the end of the step was not found");
}

std::vector<double> end_of(const Dynamics& d, std::span<const double> parameters, const std::string& method, double t0,
                           std::span<const double> state, double t_end, double step) {
  integrate::Settings settings;
  settings.method = method;
  settings.t_end = t_end;
  settings.step = step;
  settings.tolerance = 1e-14;
  const auto end = integrate::integrate(d, parameters, t0, state, settings, [](const auto&) { return true; });
  if (end.status != integrate::Status::success) throw Failed(end.reason.problem, end.reason.remedy);
  return end.state;
}

}  // namespace

DiscreteOrder discrete_order(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                             std::span<const double> x0, std::span<const double> y0, double z0, double longest) {
  if (!dynamics.discrete) throw Refused("there is no discrete Lagrangian to measure");
  Dynamics motion = dynamics;
  motion.laws = 0;
  motion.balance = {};
  std::vector<double> state(x0.begin(), x0.end());
  state.insert(state.end(), y0.begin(), y0.end());
  state.push_back(z0);
  const double t_end = t0 + longest_steps * longest;
  const auto exact_end = end_of(motion, parameters, "reference", t0, state, t_end, longest);
  std::vector<double> steps;
  std::vector<double> of_lagrangian;
  std::vector<double> of_flow;
  for (int k = 0; k < halvings; ++k) {
    const double h = std::ldexp(longest, -k);
    const auto exact = contact_exponential(motion, parameters, t0, x0, y0, z0, h);
    const auto found = end_of(motion, parameters, "discrete-herglotz", t0, state, t_end, h);
    double error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) error = std::max(error, std::abs(found[i] - exact_end[i]));
    steps.push_back(h);
    of_lagrangian.push_back(std::abs(value_of(motion, parameters, x0, exact.x1, z0, t0, h) - (exact.z1 - z0)));
    of_flow.push_back(error);
  }
  try {
    return {fit_order(steps, of_lagrangian, round_off / 100).order - 1, fit_order(steps, of_flow, round_off).order};
  } catch (const Refused& reason) {
    throw Failed(reason.what());
  }
}

}  // namespace herglotz::analyse
