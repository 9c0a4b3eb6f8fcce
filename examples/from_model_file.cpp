// Reads a model file, runs it as the file says, and writes the trajectory and a report.
#include <cstdio>
#include <herglotz/herglotz.hpp>

int main(int argc, char** argv) {
  using namespace herglotz;
  if (argc != 2) return std::fprintf(stderr, "usage: from_model_file MODEL.toml\n"), 2;
  try {
    const simulate::Problem problem = io::read_model(argv[1]);
    const analyse::Trajectory run = simulate::simulate(problem);
    io::write_csv(run, problem.system.name + ".csv");
    report::write_report(run, problem.system.name + ".html");
    std::printf("%s by %s: %zu rows, energy residual %.1e\n", run.facts.title.c_str(), run.facts.method.c_str(),
                run.rows(), run.facts.largest_energy_residual);
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
