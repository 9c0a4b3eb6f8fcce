#include <CLI/CLI.hpp>

#include "grammar/grammar.hpp"
#include "grammar/shared_options.hpp"
#include "herglotz/fit/fit.hpp"

namespace herglotz::app {
namespace {

void add_run_options(CLI::App& command, RunArguments& to) {
  add_set(command, to.set);
  add_method_options(command, to);
  command.add_option("--t-end", to.t_end, "time to end at; may lie before the start")->type_name("T");
  command.add_option("--output-every", to.output_every, "steps between stored states")->type_name("N");
  command.add_option("--output-step", to.output_step, "time between stored states")->type_name("DT");
}

void add_simulate(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("simulate", "A trajectory, with its balance laws verified");
  auto& to = typed.simulate;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--out", to.out, "write the trajectory; the ending decides: .csv or .h5; - prints CSV")
      ->type_name("FILE");
  command.add_option("--report", to.report, "write a report that opens in any browser")->type_name("FILE.html");
  command.add_flag("--live", to.live, "the report has sliders, and follows the motion itself in the browser");
  command.add_option("--columns", to.columns, "columns of --out; some are computed on demand, such as power.action")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--sensitivities", to.sensitivities,
                  "derivatives of the columns by these parameters and initial values")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_run_options(command, to);
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "Options replace what the file says under [simulation]. A summary with what was verified goes to\n"
      "standard output, progress to standard error. Ctrl-C stops and keeps what was reached.\n\n"
      "Exit status: 0 done, 2 bad input, 3 the run failed (what was reached is kept), 130 stopped.\n\n"
      "Examples:\n"
      "  herglotz simulate heavy-top --report top.html\n"
      "  herglotz simulate damped-pendulum --report pendulum.html --live\n"
      "  herglotz simulate pendulum.toml --out run.h5 --set gamma=0.3 --set theta=2.5\n"
      "  herglotz simulate pendulum.toml --method contact-gauss-6 --step 0.05 --t-end 100 --out run.csv\n"
      "  herglotz simulate pendulum.toml --tolerance 1e-12\n"
      "  herglotz simulate pendulum.toml --sensitivities gamma,theta --out run.h5\n"
      "  herglotz simulate pendulum.toml --set p_omega=0.4\n"
      "  herglotz simulate discrete-oscillator --set next.q=1.5");
}

void add_fit(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("fit", "Parameters and initial values from measurements");
  auto& to = typed.fit;
  command.add_option("MODEL", to.model, model_help)->required();
  command
      .add_option("--data", to.data,
                  "measurements: the time, and columns of the run; empty fields are missing (repeatable: several runs)")
      ->type_name("FILE.csv")
      ->allow_extra_args(false)
      ->required();
  command
      .add_option("--parameters", to.parameters, "parameters and initial values to be found, from those of the model")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--own", to.own, "those to be found of which each of several runs has its own value")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--bounds", to.bounds, "bounds of one of them; either may be empty (repeatable)")
      ->type_name("NAME=LOWER:UPPER")
      ->allow_extra_args(false);
  command.add_option("--noise", to.noise, "standard deviation of the values (default: estimated from what is left)")
      ->type_name("S");
  command
      .add_option("--parts", to.parts,
                  "fit the first 1/2^N of the data first, then twice as many, and so on; for long or chaotic data")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{0}, fit::most_parts));
  command
      .add_option("--shots", to.shots,
                  "multiple shooting: cut each run into N shots, which become one motion during the search")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{0}, fit::most_shots))
      ->excludes("--parts");
  command.add_option("--profile", to.profiles, "those whose profile likelihood and interval of 95 % are to be told")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--out", to.out, "write the fitted run with its derivatives; .csv or .h5")->type_name("FILE");
  command.add_option("--report", to.report, "write a report of the fitted run")->type_name("FILE.html");
  command.add_flag("--resume", to.resume,
                   "keep trials in FILE.journal beside --out, and go on with those that are there");
  add_set(command, to.set);
  add_method_options(command, to);
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "Weighted least squares by the method of Levenberg and Marquardt, with the derivatives of\n"
      "--sensitivities. Columns sigma.<column> of the data give every value its own noise. States estimates\n"
      "with standard deviations, which combinations of them the data determine, and tests of the residuals.\n"
      "Of several runs, --set 2:NAME=VALUE changes the second, and files of runs end in -1, -2, ..\n\n"
      "Exit status: 0 done, 2 bad input, 3 a run failed or no minimum was reached.\n\n"
      "Examples:\n"
      "  herglotz fit damped-pendulum --data swing.csv --parameters gamma,theta\n"
      "  herglotz fit pendulum.toml --data swing.csv --parameters gamma --bounds gamma=0: --noise 0.01\n"
      "  herglotz fit pendulum.toml --data swing.csv --parameters gamma,l --profile gamma\n"
      "  herglotz fit pendulum.toml --data long.csv --parameters gamma,l --parts 6\n"
      "  herglotz fit driven.toml --data chaotic.csv --parameters gamma,k,q --shots 20\n"
      "  herglotz fit pendulum.toml --data one.csv --data two.csv --parameters gamma --own theta");
}

void add_linearise(CLI::App& app, Typed& typed) {
  auto& command =
      *app.add_subcommand("linearise", "The motion near a state or an equilibrium: matrices, poles, stability");
  auto& to = typed.linearise;
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

void add_solve(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("solve", "A two-point problem or an optimal control, with its certificate");
  auto& to = typed.solve;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--out", to.out, "write the solution; the ending decides: .csv or .h5; - prints CSV")
      ->type_name("FILE");
  command.add_option("--set", to.set, "change a parameter or an initial value (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--method", to.method, "direct-gauss-2, -4 or -6, direct-herglotz, or auto")->type_name("M");
  command.add_option("--intervals", to.intervals, "intervals to start with")->type_name("N");
  command.add_option("--tolerance", to.tolerance, "of the estimated relative error")->type_name("TOL");
  command.add_option("--duration", to.duration, "replaces the file's duration")->type_name("T");
  command.add_option("--guess", to.guess, "start from the solution or run in a .h5 or .csv file")->type_name("FILE");
  command.add_option("--report", to.report, "write a report that opens in any browser")->type_name("FILE.html");
  command.add_option("--continue", to.continued, "a sequence of problems, each from the solution before")
      ->type_name("NAME=FROM:TO:COUNT");
  add_format(command, to.format, {"text", "json"});
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "The problem follows from the tables of the model: [boundary] with [dynamics] alone asks for a motion\n"
      "between two ends; [control] with `kinematics` and [cost], or with controls in the forces of\n"
      "[dynamics], for the best controls. The mesh is refined until the estimated error is below the\n"
      "tolerance. A summary with cost, structure and residuals goes to standard output.\n"
      "A .h5 file also keeps the mesh and the multipliers, from which --guess starts warm.\n\n"
      "Exit status: 0 solved, 2 bad input, 3 no solution was found (the last iterate is kept), 130 stopped.\n\n"
      "Examples:\n"
      "  herglotz solve elastica.toml --out elastica.csv\n"
      "  herglotz solve elastica.toml --set g=-0.4 --tolerance 1e-10\n"
      "  herglotz solve elastica.toml --continue g=-0.5:0.5:11 --out elastica.h5\n"
      "  herglotz solve elastica.toml --guess elastica.h5\n"
      "  herglotz solve elastica.toml --format json");
}

void add_sweep(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("sweep", "An ensemble: the runs that the model's [sweep] describes");
  auto& to = typed.sweep;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--out", to.out, "write the ensemble")->type_name("FILE.h5")->required();
  add_run_options(command, to);
  command.add_option("--threads", to.threads, "cores to use (default: all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command.add_option("--lanes", to.lanes, "members that share an instruction: 1, 4 or 8 (default: as the machine has)")
      ->type_name("N")
      ->check(CLI::IsMember({1, 4, 8}));
  command
      .add_option("--device", to.device,
                  "what takes the steps: cpu, host (for tests), cuda, hip, or auto; see `herglotz devices`")
      ->type_name("D")
      ->check(CLI::IsMember({"cpu", "host", "cuda", "hip", "auto"}));
  command
      .add_option("--sweep", to.sweep,
                  "sweep over a range, both ends included, in place of what [sweep] says of it (repeatable)")
      ->type_name("NAME=FROM:TO:COUNT")
      ->allow_extra_args(false);
  command.add_flag("--resume", to.resume, "continue a sweep that was stopped or killed");
  command
      .add_option("--shard", to.shard,
                  "run part K of N (from 0) into FILE.h5.K-of-N.journal, or go on with it; see `herglotz merge`")
      ->type_name("K/N");
  command.add_flag("--status", to.status, "with --shard: say which blocks of every shard are done, and run nothing");
  command.add_flag("--force", to.force, force_help);
  command.footer(
      "Results are kept in FILE.h5.journal while they are made, so that nothing is lost when the run is\n"
      "stopped or killed; the same command with --resume continues it. Ctrl-C stops, writes what was\n"
      "reached and keeps the journal. A member that fails is recorded with its reason, and the rest go on.\n"
      "Results are the same to the last bit for any number of threads and lanes, and on every device.\n"
      "With --shard K/N any number of machines share a sweep, with nothing in common but a folder.\n\n"
      "Exit status: 0 done, 2 bad input, 3 every member failed, 130 stopped.\n\n"
      "Examples:\n"
      "  herglotz sweep basins.toml --out basins.h5\n"
      "  herglotz sweep basins.toml --out basins.h5 --resume\n"
      "  herglotz sweep damped-pendulum --out damping.h5 --sweep gamma=0:1:11\n"
      "  herglotz sweep basins.toml --out basins.h5 --shard 3/64\n"
      "  herglotz sweep basins.toml --out coarse.h5 --step 0.05 --set gamma=0.2 --threads 4");
}

void add_merge(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("merge", "The file of a sweep from the journals of its shards");
  command.add_option("FILE", typed.merge.out, "the --out that the shards had")->required();
  command.add_flag("--partial", typed.merge.partial, "make the file of what is there; the rest is NaN");
  command.add_flag("--force", typed.merge.force, force_help);
  command.footer(
      "The file is byte for byte the one that a single machine makes. It needs no model: journals carry it.\n"
      "The journals go when the complete file is whole.\n\n"
      "Exit status: 0 done, 2 journals that do not belong together, 3 shards that lack blocks, which one\n"
      "line names, or every member failed.\n\n"
      "Examples:\n"
      "  herglotz merge basins.h5\n"
      "  herglotz merge basins.h5 --partial");
}

}  // namespace

void add_run_commands(CLI::App& app, Typed& typed) {
  add_simulate(app, typed);
  add_fit(app, typed);
  add_linearise(app, typed);
  add_solve(app, typed);
  add_sweep(app, typed);
  add_merge(app, typed);
}

}  // namespace herglotz::app
