// A skate on an incline under both rules, from the same start: where each of them ends.
#include <cmath>
#include <cstdio>
#include <herglotz/herglotz.hpp>

int main() {
  using namespace herglotz;
  for (const auto rule : {mechanics::Rule::nonholonomic, mechanics::Rule::vakonomic}) {
    auto graph = std::make_shared<symbolic::Graph>();
    const auto x = graph->symbol("x"), y = graph->symbol("y"), th = graph->symbol("th");
    const auto vx = graph->symbol("vx"), vy = graph->symbol("vy"), w = graph->symbol("w");

    auto system = mechanics::make_system(geometry::tangent(graph, {{x, y, th}, {vx, vy, w}}));
    system.generator = (vx * vx + vy * vy + w * w / 2) / 2 + x / 2 - system.z / 10;
    mechanics::constrain(system, rule, {vx * sin(th) - vy * cos(th)});

    const simulate::Simulator simulator(system);
    simulate::Settings settings;
    settings.method = "contact-gauss-6";
    settings.step = 0.02;
    settings.t_end = 12;
    settings.project = true;  // the velocity is turned into the direction of the blade
    const auto run = simulator.run({{"th", 0.3}, {"vx", 0.4}, {"w", 1.2}}, settings);

    const char* multiplier = rule == mechanics::Rule::vakonomic ? "nu1" : "lambda1";
    std::printf("x = %.9f, y = %.9f, %s = %.9f, energy residual %.1e, constraint residual %.1e\n", run["x"].back(),
                run["y"].back(), multiplier, run[multiplier].back(), run.facts.largest_energy_residual,
                run.facts.largest_constraint_residual);
  }
}
