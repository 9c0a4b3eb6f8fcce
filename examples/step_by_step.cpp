// A damped pendulum that swings over the top, step by step: its loop ends once it swings to and fro.
#include <cmath>
#include <cstdio>
#include <herglotz/herglotz.hpp>

int main() {
  using namespace herglotz;
  auto graph = std::make_shared<symbolic::Graph>();
  const auto theta = graph->symbol("theta"), omega = graph->symbol("omega"), gamma = graph->symbol("gamma");

  auto system = mechanics::make_system(geometry::tangent(graph, {{theta}, {omega}}));
  system.parameters = {{gamma, 0.2}};
  system.generator = omega * omega / 2 + cos(theta) - gamma * system.z;

  const simulate::Simulator simulator(system);
  simulate::Settings settings;
  settings.method = "contact-gauss-6";
  settings.step = 0.05;
  settings.t_end = 1000;
  simulate::Stepper motion(simulator, {{"omega", 5}}, settings);
  while (motion["omega"] > 0 && motion.step()) continue;

  std::printf("%.0f turns until t = %.2f\n", std::floor(motion["theta"] / 6.283185307179586), motion.t());
}
