// A damped pendulum from expressions: L = omega^2/2 + cos(theta) - gamma z on TM.
#include <cstdio>
#include <herglotz/herglotz.hpp>

int main() {
  using namespace herglotz;
  auto graph = std::make_shared<symbolic::Graph>();
  const auto theta = graph->symbol("theta"), omega = graph->symbol("omega"), gamma = graph->symbol("gamma");

  auto system = mechanics::make_system(geometry::tangent(graph, {{theta}, {omega}}));
  system.parameters = {{gamma, 0.2}};
  system.generator = omega * omega / 2 + cos(theta) - gamma * system.z;

  const simulate::Simulator simulator(system);  // derives the equations and compiles them
  simulate::Settings settings;
  settings.method = "contact-gauss-6";
  settings.step = 0.05;
  settings.t_end = 20;
  const auto run = simulator.run({{"theta", 2.5}, {"omega", 0.4}}, settings);

  std::printf("theta(20) = %.12f, energy invariant %.12f, energy residual %.1e\n", run["theta"].back(),
              run["energy_invariant"].back(), run.facts.largest_energy_residual);
}
