#include "analysis_options.hpp"

#include "options.hpp"

namespace herglotz::app {

void add_fit(CLI::App& app, FitArguments& to) {
  auto& command = *app.add_subcommand("fit", "Parameters and initial values from measurements");
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--data", to.data, "measurements: the time, and columns of the run; empty fields are missing")
      ->type_name("FILE.csv")
      ->required();
  command
      .add_option("--parameters", to.parameters, "parameters and initial values to be found, from those of the model")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required();
  command.add_option("--bounds", to.bounds, "bounds of one of them; either may be empty (repeatable)")
      ->type_name("NAME=LOWER:UPPER")
      ->allow_extra_args(false);
  command.add_option("--noise", to.noise, "standard deviation of the values (default: estimated from what is left)")
      ->type_name("S");
  command.add_option("--out", to.out, "write the fitted run with its derivatives; .csv or .h5")->type_name("FILE");
  command.add_option("--report", to.report, "write a report of the fitted run")->type_name("FILE.html");
  add_set(command, to.set);
  command.add_option("--method", to.method, "a name from `herglotz methods`, or auto")->type_name("M");
  command.add_option("--step", to.step, "fixed step; replaces the file's step and tolerance")->type_name("H");
  command.add_option("--tolerance", to.tolerance, "for adaptive methods; replaces the file's step and tolerance")
      ->type_name("TOL");
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "Weighted least squares by the method of Levenberg and Marquardt, with the derivatives of\n"
      "--sensitivities. Columns sigma.<column> of the data give every value its own noise. States estimates\n"
      "with standard deviations, which combinations of them the data determine, and tests of the residuals.\n\n"
      "Exit status: 0 done, 2 bad input, 3 a run failed or no minimum was reached.\n\n"
      "Examples:\n"
      "  herglotz fit damped-pendulum --data swing.csv --parameters gamma,theta\n"
      "  herglotz fit pendulum.toml --data swing.csv --parameters gamma --bounds gamma=0: --noise 0.01");
}

void add_linearise(CLI::App& app, LineariseArguments& to) {
  auto& command =
      *app.add_subcommand("linearise", "The motion near a state or an equilibrium: matrices, poles, stability");
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--at", to.at, "values of the state, in place of the start")
      ->type_name("NAME=VALUE,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--equilibrium", to.equilibrium, "find the equilibrium (or relative equilibrium) near that state");
  command.add_option("--inputs", to.inputs, "parameters that are inputs: the columns of B and D")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--outputs", to.outputs, "coordinates, velocities, energy, momenta, observables: the rows of C and D")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_set(command, to.set);
  add_format(command, to.format, {"text", "json"});
  command.footer(
      "With dy = A dy + B du and the outputs C dy + D du. Coordinates on which no rate depends have no place in an\n"
      "equilibrium: motions along them with constant velocities are relative equilibria.\n\n"
      "Exit status: 0 done, 2 bad input, 3 no equilibrium was found.\n\n"
      "Examples:\n"
      "  herglotz linearise damped-pendulum --equilibrium\n"
      "  herglotz linearise damped-pendulum --at theta=3 --equilibrium --format json\n"
      "  herglotz linearise pendulum.toml --at theta=0,omega=0 --inputs gamma --outputs theta,energy");
}

}  // namespace herglotz::app
