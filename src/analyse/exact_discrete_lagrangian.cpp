#include "herglotz/analyse/exact_discrete_lagrangian.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "shooting.hpp"

namespace herglotz::analyse {
namespace {

using integrate::Dynamics;
using linear::entries;
using linear::vector;

/// Returns v = (x, y, z, t) of a state (x, S, y, z, t) with S = d(x, y, z)/d(x0, y0, z0) among its base coordinates.
std::vector<double> without_sensitivities(const Dynamics& d, std::span<const double> u) {
  const std::size_t base = d.n + (2 * d.n + 1) * (2 * d.n + 1);
  std::vector<double> v(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(d.n));
  v.insert(v.end(), u.begin() + static_cast<std::ptrdiff_t>(base), u.end());
  return v;
}

/// Returns the motion of (x, S | y | z) with dS/dt = d(flow)/d(x, y, z) S.
Dynamics with_sensitivities(const Dynamics& d) {
  const std::size_t n = d.n;
  const std::size_t rows = 2 * n + 1;
  const std::size_t base = n + rows * rows;
  Dynamics larger;
  larger.n = base;
  larger.r = n;
  larger.flow = kernel::from_function(
      "flow with sensitivities", base + n + 2, d.flow.parameters(), base + n + 1,
      [d, n, rows, base](std::span<const double> u, std::span<const double> p, std::span<double> out) {
        const auto v = without_sensitivities(d, u);
        std::vector<double> flow(d.flow.outputs());
        std::vector<double> jacobian(d.flow_jacobian.outputs());
        std::vector<double> work(std::max(d.flow.work_size(), d.flow_jacobian.work_size()));
        d.flow(v.data(), p.data(), flow.data(), work.data());
        d.flow_jacobian(v.data(), p.data(), jacobian.data(), work.data());
        std::fill(out.begin(), out.end(), 0.0);
        std::copy_n(flow.begin(), n, out.begin());
        std::copy_n(flow.begin() + static_cast<std::ptrdiff_t>(n), n + 1,
                    out.begin() + static_cast<std::ptrdiff_t>(base));
        for (std::size_t k = 0; k < jacobian.size(); ++k) {
          const std::size_t row = d.flow_pattern.row[k];
          const std::size_t col = d.flow_pattern.col[k];
          if (row >= rows || col >= rows) continue;
          for (std::size_t c = 0; c < rows; ++c) out[n + row * rows + c] += jacobian[k] * u[n + col * rows + c];
        }
      });
  larger.balance =
      kernel::from_function("L_z", base + n + 2, d.stage.parameters(), 1,
                            [d, n](std::span<const double> u, std::span<const double> p, std::span<double> out) {
                              const auto v = without_sensitivities(d, u);
                              std::vector<double> stage(d.stage.outputs());
                              std::vector<double> work(d.stage.work_size());
                              d.stage(v.data(), p.data(), stage.data(), work.data());
                              out[0] = stage[3 * n + 1];
                            });
  return larger;
}

void require_motion(const Dynamics& d) {
  if (!d.velocities || d.m != 0)
    throw Refused("an exact discrete Lagrangian needs an unconstrained system in the velocities of its base");
  if (!d.flow || !d.flow_jacobian || !d.stage)
    throw Refused("an exact discrete Lagrangian needs the compiled flow, its Jacobian and the stage kernel");
}

std::vector<double> momentum(const Dynamics& d, std::span<const double> parameters, std::span<const double> x,
                             std::span<const double> y, double z, double t) {
  std::vector<double> v(x.begin(), x.end());
  v.insert(v.end(), y.begin(), y.end());
  v.insert(v.end(), {z, t});
  std::vector<double> stage(d.stage.outputs());
  std::vector<double> work(d.stage.work_size());
  d.stage(v.data(), parameters.data(), stage.data(), work.data());
  return {stage.begin() + static_cast<std::ptrdiff_t>(d.n), stage.begin() + static_cast<std::ptrdiff_t>(2 * d.n)};
}

/// Computes the derivatives of z1 at fixed ends, and their differences from the momenta, which are the forces.
void derive_at_fixed_ends(const ContactExponential& motion, ExactDiscreteLagrangian& exact) {
  const auto n = static_cast<Eigen::Index>(motion.x1.size());
  const auto matrix = [n](const std::vector<double>& values) {
    return Eigen::Map<const RowMajor>(values.data(), n, n);
  };
  const RowMajor by_y0 = matrix(motion.dx1);
  const Eigen::VectorXd D2 = linear::PartialLu(by_y0.transpose()).solve(vector(motion.dz1));
  const Eigen::VectorXd D1 = vector(motion.dz1_dx0) - matrix(motion.dx1_dx0).transpose() * D2;
  exact.D1 = entries(D1);
  exact.D2 = entries(D2);
  exact.D_z = motion.dz1_dz0 - vector(motion.dx1_dz0).dot(D2) - 1;
  exact.sigma = motion.factor;
  exact.minus = entries(-exact.sigma * vector(exact.p0) - D1);
  exact.plus = entries(vector(exact.p1) - D2);
  exact.force_z = exact.sigma - 1 - exact.D_z;
}

}  // namespace

ContactExponential contact_exponential(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                                       std::span<const double> x0, std::span<const double> y0, double z0, double h) {
  require_motion(dynamics);
  const std::size_t n = dynamics.n;
  if (x0.size() != n || y0.size() != n)
    throw Refused("x0 and y0 need " + std::to_string(n) + " entries, not " + std::to_string(x0.size()) + " and " +
                  std::to_string(y0.size()));
  const std::size_t rows = 2 * n + 1;
  const std::size_t base = n + rows * rows;
  std::vector<double> state(base + n + 1, 0.0);
  std::copy(x0.begin(), x0.end(), state.begin());
  std::copy(y0.begin(), y0.end(), state.begin() + static_cast<std::ptrdiff_t>(base));
  state.back() = z0;
  for (std::size_t i = 0; i < rows; ++i) state[n + i * rows + i] = 1;
  integrate::Settings settings;
  settings.t_end = t0 + h;
  settings.tolerance = motion_tolerance;
  double log_factor = 0;
  const auto end = integrate::integrate(with_sensitivities(dynamics), parameters, t0, state, settings,
                                        [&](const integrate::Sample& sample) {
                                          log_factor = sample.log_factor;
                                          return true;
                                        });
  if (end.status != integrate::Status::success)
    throw Failed("the motion does not last over the step: " + end.reason.problem, end.reason.remedy);
  const auto part = [&](std::size_t from, std::size_t size) {
    const auto first = end.state.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(size));
  };
  // S is stored row by row. Its rows belong to (x, y, z), its columns to (x0, y0, z0).
  const auto block = [&](std::size_t row, std::size_t count, std::size_t col, std::size_t width) {
    std::vector<double> entries;
    for (std::size_t i = row; i < row + count; ++i)
      for (std::size_t j = col; j < col + width; ++j) entries.push_back(end.state[n + i * rows + j]);
    return entries;
  };
  ContactExponential motion;
  motion.x1 = part(0, n);
  motion.y1 = part(base, n);
  motion.z1 = end.state.back();
  motion.dx1 = block(0, n, n, n);
  motion.dz1 = block(2 * n, 1, n, n);
  motion.dx1_dx0 = block(0, n, 0, n);
  motion.dz1_dx0 = block(2 * n, 1, 0, n);
  motion.dx1_dz0 = block(0, n, 2 * n, 1);
  motion.dz1_dz0 = block(2 * n, 1, 2 * n, 1).front();
  motion.factor = std::exp(-log_factor);
  return motion;
}

ExactDiscreteLagrangian exact_discrete_lagrangian(const Dynamics& dynamics, std::span<const double> parameters,
                                                  double t0, std::span<const double> x0, std::span<const double> x1,
                                                  double z0, double h) {
  require_motion(dynamics);
  if (x0.size() != dynamics.n || x1.size() != dynamics.n)
    throw Refused("x0 and x1 need " + std::to_string(dynamics.n) + " entries, not " + std::to_string(x0.size()) +
                  " and " + std::to_string(x1.size()));
  if (h == 0 || !std::isfinite(h)) throw Refused("a step that is finite and not 0 is needed");
  const auto n = static_cast<Eigen::Index>(dynamics.n);
  const ShootingTarget target{vector(x1),
                              1 + vector(x1).lpNorm<Eigen::Infinity>() + vector(x0).lpNorm<Eigen::Infinity>(), h,
                              "the two positions", "d x1/d y0"};
  const auto shoot = [&](const Eigen::VectorXd& y) {
    return contact_exponential(dynamics, parameters, t0, x0, entries(y), z0, h);
  };
  const auto end = [](const ContactExponential& motion) { return vector(motion.x1); };
  const auto slope = [n](const ContactExponential& motion) {
    return RowMajor(Eigen::Map<const RowMajor>(motion.dx1.data(), n, n));
  };
  const auto [y, motion] = arriving(shoot, end, slope, target, (target.end - vector(x0)) / h);
  ExactDiscreteLagrangian exact;
  exact.y0 = entries(y);
  exact.y1 = motion.y1;
  exact.value = motion.z1 - z0;
  exact.p0 = momentum(dynamics, parameters, x0, exact.y0, z0, t0);
  exact.p1 = momentum(dynamics, parameters, motion.x1, motion.y1, motion.z1, t0 + h);
  derive_at_fixed_ends(motion, exact);
  return exact;
}

}  // namespace herglotz::analyse
