#pragma once
/// Implicit Runge-Kutta methods by their nodes.

#include <optional>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Nodes of a Runge-Kutta method, and the form of the motion to which it is applied.
struct CollocationMethod {
  enum class Nodes {
    gauss,    ///< Gauss, for the homogeneous lift
    lobatto,  ///< Lobatto IIIA-IIIB, for the homogeneous lift
    radau     ///< Radau IIA, for the motion itself; samples inside steps are on the polynomial through the stages
  };
  Nodes nodes = Nodes::gauss;
  int stages = 1;
};

/// Returns the nodes of the method, or `std::nullopt` if it is no such method.
std::optional<CollocationMethod> collocation_of(const MethodInfo& method);

}  // namespace herglotz::integrate
