#include <CLI/CLI.hpp>

#include "grammar/grammar.hpp"
#include "grammar/shared_options.hpp"

namespace herglotz::app {
namespace {

void add_lyapunov(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("lyapunov", "Lyapunov exponents: how fast neighbouring motions part");
  auto& to = typed.lyapunov;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--interval", to.interval, "time between two orthogonalisations (default: 1)")->type_name("DT");
  command.add_option("--settle", to.settle, "time at the start that is left out of the averages")->type_name("T");
  command.add_option("--t-end", to.t_end, "time to end at")->type_name("T");
  command.add_option("--out", to.out, "write the averages over time")->type_name("FILE.csv");
  add_set(command, to.set);
  add_method_options(command, to);
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "The variations of the whole state (coordinates, velocities, action) are followed, and made orthogonal\n"
      "after each interval. A chaotic motion has a positive exponent; the sum of all is the mean divergence.\n\n"
      "Exit status: 0 done, 2 bad input, 3 the run failed.\n\n"
      "Examples:\n"
      "  herglotz lyapunov damped-pendulum --t-end 500 --settle 50\n"
      "  herglotz lyapunov pendulum.toml --method runge-kutta-8 --step 0.02 --out exponents.csv");
}

void add_orbit(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("orbit", "The periodic orbit near a start, with its multipliers");
  auto& to = typed.orbit;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--period", to.period, "the period; with --fixed a guess")->type_name("T")->required();
  command
      .add_option("--fixed", to.fixed,
                  "an entry of the state that keeps its value; the period is found, for equations without time")
      ->type_name("NAME");
  command.add_option("--drifting", to.drifting, "entries of the state that need not come back, such as the action")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--out", to.out, "write the orbit over one period; .csv or .h5")->type_name("FILE");
  command.add_option("--report", to.report, "write a report of the orbit")->type_name("FILE.html");
  add_set(command, to.set);
  add_method_options(command, to);
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "Newton's method on the state after one period, from the start of the model. The orbit is stable if its\n"
      "multipliers lie inside the unit circle, but for the one that is 1 where time does not enter.\n\n"
      "Exit status: 0 done, 2 bad input, 3 a run failed or no orbit was found.\n\n"
      "Examples:\n"
      "  herglotz orbit driven.toml --period 4.48798950513 --tolerance 1e-12\n"
      "  herglotz orbit pendulum.toml --period 6.5 --fixed theta --drifting z --out orbit.csv");
}

}  // namespace

void add_orbit_commands(CLI::App& app, Typed& typed) {
  add_lyapunov(app, typed);
  add_orbit(app, typed);
}

}  // namespace herglotz::app
