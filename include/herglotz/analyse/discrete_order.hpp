#pragma once
/// The order of a discrete Lagrangian against the exact one, and the order of its flow. [ASMLL20, Sec. 6].

#include <span>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::analyse {

/// Orders of a discrete Lagrangian, L_d = L_d^e + O(h^{lagrangian + 1}), and of its flow, whose error after a fixed
/// time is O(h^flow). By variational error analysis the flow has the order of the discrete Lagrangian.
struct DiscreteOrder {
  double lagrangian = 0;
  double flow = 0;
};

/// Measures both orders for the discrete Lagrangian of dynamics.discrete along the motion from (t0, x0, y0, z0), with
/// the five steps `longest`, longest/2, ..., longest/16. The flow is compared after the time 8 longest. Throws as
/// exact_discrete_lagrangian does, and Failed if the flow cannot be followed or the errors are too small to
/// show an order.
DiscreteOrder discrete_order(const integrate::Dynamics& dynamics, std::span<const double> parameters, double t0,
                             std::span<const double> x0, std::span<const double> y0, double z0, double longest);

}  // namespace herglotz::analyse
