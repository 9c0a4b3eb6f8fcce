#pragma once
/// The damped pendulum of several tests.

#include <memory>
#include <string>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz {

/// Returns L = v^2/2 - k (1 - cos(q)) - gamma z with gamma = 0.2, so that q'' = -k sin(q) - gamma v. Its observable
/// "height" is the potential energy.
inline mechanics::System damped_pendulum(double k_value) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto q = graph->symbol("q");
  const auto v = graph->symbol("v");
  const auto gamma = graph->symbol("gamma");
  const auto k = graph->symbol("k");
  auto system = mechanics::make_system(geometry::tangent(graph, {{q}, {v}}));
  system.name = "pendulum";
  system.parameters = {{gamma, 0.2}, {k, k_value}};
  system.generator = v * v / 2 - k * (1.0 - cos(q)) - gamma * system.z;
  system.observables.push_back({"height", k * (1.0 - cos(q))});
  return system;
}

/// Its parameters and initial values.
inline const std::vector<std::string> damped_pendulum_names{"gamma", "k", "q", "v"};

}  // namespace herglotz
