#pragma once
/// Derivatives of the velocities after an impact.

#include <Eigen/Core>
#include <span>

#include "hybrid/strike.hpp"

namespace herglotz::simulate {

/// Derivatives of the velocities after an impact by the velocities before it (r x r), and by the values of the impact:
/// restitution, friction, gap_time, gap (r), each slip with its row (1 + r), then the mass matrix (r x r, row by row).
struct StrikeSlopes {
  Eigen::MatrixXd by_velocity;
  Eigen::MatrixXd by_values;
};

/// Returns the derivatives of strike() without held rows, whose outcome `found` moved the velocities. They follow from
/// the equations of the impulse,
///   W (y+ - y) = G^T J_n + T^T J_t,   G (y+ - y) = -(1 + e)(G y + g_t),
/// and either T (y+ - y) = -slip, or J_t = -mu J_n slip/|slip|, by the theorem on implicit functions. Throws Failed if
/// friction does not stop a slip that is zero, as its direction then has no derivative.
StrikeSlopes strike_slopes(std::span<const double> W, const ImpactValues& impact, std::span<const double> velocity,
                           const Strike& found);

}  // namespace herglotz::simulate
