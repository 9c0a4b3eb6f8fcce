#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "analysis_options.hpp"
#include "commands/commands.hpp"
#include "commands/fit.hpp"
#include "commands/linearise.hpp"
#include "completion.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "manual.hpp"
#include "model_source.hpp"
#include "options.hpp"

namespace herglotz::app {
namespace {

/// Arguments of all commands, as the command line gives them.
struct Typed {
  CheckArguments check;
  DeriveArguments derive;
  ReduceArguments reduce;
  SimulateArguments simulate;
  FitArguments fit;
  LineariseArguments linearise;
  SolveArguments solve;
  SweepArguments sweep;
  MergeArguments merge;
  ReportArguments report;
  StudioArguments studio;
  ModelsArguments models;
  std::string methods_format = "table";
  std::string shell;
};

void add_run_options(CLI::App& command, RunArguments& to) {
  add_set(command, to.set);
  command.add_option("--method", to.method, "a name from `herglotz methods`, or auto")->type_name("M");
  command.add_option("--step", to.step, "fixed step; replaces the file's step and tolerance")->type_name("H");
  command.add_option("--tolerance", to.tolerance, "for adaptive methods; replaces the file's step and tolerance")
      ->type_name("TOL");
  command.add_option("--t-end", to.t_end, "time to end at; may lie before the start")->type_name("T");
  command.add_option("--output-every", to.output_every, "steps between stored states")->type_name("N");
  command.add_option("--output-step", to.output_step, "time between stored states")->type_name("DT");
}

void add_check(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand(
      "check", "What the system is: its algebroid, regularity, constraints, symmetries, start, method");
  command.add_option("MODEL", typed.check.model, model_help)->required();
  add_set(command, typed.check.set);
  add_format(command, typed.check.format, {"text", "json"});
  command.footer(
      "Says which axioms of an algebroid hold (with the largest defect of each), whether the\n"
      "Lagrangian is regular at the start, the kind of each constraint, which of them follow from or\n"
      "contradict the others, whether they are integrable, which of the declared symmetries hold,\n"
      "whether the initial state is consistent, and which method `auto` would choose, and why.\n\n"
      "Exit status: 0 the model can be simulated, 2 bad input or contradictory constraints, 3 it is\n"
      "not regular or not consistent at the start.\n\n"
      "Examples:\n"
      "  herglotz check pendulum.toml\n"
      "  herglotz check heavy-top --set gamma=0\n"
      "  herglotz check chaplygin-sleigh --set vx=1 --set project=true");
}

void add_derive(CLI::App& app, Typed& typed) {
  auto& command =
      *app.add_subcommand("derive", "The equations of motion, energy, momenta and balance laws, or the geometry");
  command.add_option("MODEL", typed.derive.model, model_help)->required();
  add_set(command, typed.derive.set);
  command.add_option("--format", typed.derive.format, "text, latex, c, sympy or json")
      ->check(CLI::IsMember({"text", "latex", "c", "sympy", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  command.add_flag("--geometry", typed.derive.geometry,
                   "the contact and Jacobi geometry instead: brackets, fields, projector (not for c)");
  command.add_flag("--discrete", typed.derive.discrete,
                   "the discrete Herglotz equations of the model's [discrete] table instead (not for c)");
  command.add_flag("--implicit", typed.derive.implicit,
                   "the Hamilton-Pontryagin-Herglotz equations instead, with no Hessian inverted (not for c)");
  command.footer(
      "--geometry prints the contact form, Reeb field, contact Hamiltonian field and Jacobi brackets (or,\n"
      "where the anchor is not invertible, the linear Jacobi structure), and with nonholonomic constraints\n"
      "their fields Z_a, the matrix C_ab, the projector and the nonholonomic brackets.\n"
      "--discrete prints the discrete Lagrangian, its discrete Legendre maps, the discrete Herglotz equations\n"
      "and the factor sigma_d by which a step dissipates momenta.\n"
      "--implicit prints the rates of positions, momenta and action, and the Legendre map, as equations in\n"
      "positions, velocities and momenta. The constraints of a singular Lagrangian are always printed.\n\n"
      "Examples:\n"
      "  herglotz derive pendulum.toml\n"
      "  herglotz derive heavy-top --format latex > equations.tex\n"
      "  herglotz derive heavy-top --format c > right_hand_side.c\n"
      "  herglotz derive chaplygin-sleigh --geometry\n"
      "  herglotz derive discrete-oscillator --discrete");
}

void add_reduce(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand(
      "reduce", "The same motion with its constraints solved, or without its symmetries, as a model");
  auto& to = typed.reduce;
  command.add_option("MODEL", to.model, model_help)->required();
  add_set(command, to.set);
  command.add_option("--by", to.by, "what to reduce by: constraints or symmetry")
      ->check(CLI::IsMember({"constraints", "symmetry"}))
      ->type_name("WHAT")
      ->capture_default_str();
  command
      .add_option("--keep", to.fibre,
                  "velocities that remain, separated by commas (default: chosen by the constraints)")
      ->delimiter(',')
      ->type_name("NAMES");
  command
      .add_option("--group", to.group,
                  "with --by symmetry: point symmetries, separated by commas (default: the largest free group)")
      ->delimiter(',')
      ->type_name("NAMES");
  command.add_flag("--with-group", to.with_group,
                   "with --by symmetry: keep coordinates of the group, which reconstruct the motion");
  command.add_option("--out", to.out, "where to (default: standard output)")->type_name("FILE.toml");
  command.add_flag("--force", to.force, "replace a file that exists");
  command.footer(
      "Nonholonomic constraints that are linear in the velocities, with coefficients on the base, span a\n"
      "skew algebroid whose bracket is projected in the metric of the kinetic energy. The model has its\n"
      "anchor, brackets and Lagrangian, and the velocities that are gone as observables.\n\n"
      "--by symmetry finds the point symmetries of a Lagrangian, takes the largest group that acts freely at\n"
      "the start, and writes the Lagrange-Poincare-Herglotz system on E/G over a section of the orbits.\n\n"
      "Examples:\n"
      "  herglotz reduce chaplygin-sleigh\n"
      "  herglotz reduce kepler-drag --by symmetry\n"
      "  herglotz reduce rolling-disk --out reduced.toml && herglotz simulate reduced.toml");
}

void add_simulate(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("simulate", "A trajectory, with its balance laws verified");
  auto& to = typed.simulate;
  command.add_option("MODEL", to.model, model_help)->required();
  command.add_option("--out", to.out, "write the trajectory; the ending decides: .csv or .h5; - prints CSV")
      ->type_name("FILE");
  command.add_option("--report", to.report, "write a report that opens in any browser")->type_name("FILE.html");
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
      "  herglotz simulate pendulum.toml --out run.h5 --set gamma=0.3 --set theta=2.5\n"
      "  herglotz simulate pendulum.toml --method contact-gauss-6 --step 0.05 --t-end 100 --out run.csv\n"
      "  herglotz simulate pendulum.toml --tolerance 1e-12\n"
      "  herglotz simulate pendulum.toml --sensitivities gamma,theta --out run.h5\n"
      "  herglotz simulate pendulum.toml --set p_omega=0.4\n"
      "  herglotz simulate discrete-oscillator --set next.q=1.5");
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
  command.add_option("MODEL", to.model, "a model file, - for standard input, or the name of a gallery model")
      ->required();
  command.add_option("--out", to.out, "write the ensemble")->type_name("FILE.h5")->required();
  add_run_options(command, to);
  command.add_option("--threads", to.threads, "cores to use (default: all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command.add_option("--lanes", to.lanes, "members that share an instruction: 1, 4 or 8 (default: as the machine has)")
      ->type_name("N")
      ->check(CLI::IsMember({1, 4, 8}));
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
      "Results are the same to the last bit for any number of threads and lanes.\n"
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

void add_report(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("report", "A report from a stored run or ensemble");
  command
      .add_option("FILE", typed.report.files, "the .h5 file of a run or of an ensemble; of two runs to compare them")
      ->required()
      ->expected(1, 2);
  command.add_option("--out", typed.report.out, "where the report goes")->type_name("FILE.html")->required();
  command.add_flag("--force", typed.report.force, force_help);
  command.footer(
      "Examples:\n"
      "  herglotz report run.h5 --out run.html\n"
      "  herglotz report before.h5 after.h5 --out both.html");
}

void add_studio(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("studio", "A page to write a model, run it and look at its motion");
  command.add_option("MODEL", typed.studio.model, "a model file, which the page may save, or a gallery model");
  command.add_option("--port", typed.studio.port, "port on this machine (default 0: a free one)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  command.add_flag("--no-browser", typed.studio.no_browser, "only print the address");
  command.footer(
      "The page is served on this machine alone, to the browser that opens the printed address first. Ctrl-C ends "
      "it.\n\n"
      "Examples:\n"
      "  herglotz studio\n"
      "  herglotz studio my-system.toml\n"
      "  herglotz studio heavy-top --port 8080 --no-browser");
}

void add_methods(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("methods", "Every method, its order, and what it preserves");
  add_format(command, typed.methods_format, {"table", "json"});
  command.footer("Example:\n  herglotz methods --format json");
}

void add_models(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("models", "The gallery of models that ships with the product");
  command.require_subcommand(0, 1);
  auto& list = *command.add_subcommand("list", "their names and titles (the default)");
  add_format(list, typed.models.format, {"table", "json"});
  list.add_flag("--problems", typed.models.problems, "the problems that `herglotz solve` takes");
  auto& show = *command.add_subcommand("show", "print a model file");
  auto& copy = *command.add_subcommand("copy", "write a model file to edit");
  for (CLI::App* sub : {&show, &copy}) {
    sub->add_option("NAME", typed.models.name, "a gallery model")->required();
    sub->add_option("--links", typed.models.links, "number of links of n-link-pendulum")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
  }
  copy.add_option("--out", typed.models.out, "where to (default: NAME.toml here)")->type_name("FILE");
  copy.add_flag("--force", typed.models.force, "replace a file that exists");
  command.footer(
      "Examples:\n"
      "  herglotz models\n"
      "  herglotz models list --problems\n"
      "  herglotz models show heavy-top\n"
      "  herglotz models show n-link-pendulum --links 10 > ten-links.toml\n"
      "  herglotz models copy damped-pendulum --out my-system.toml");
}

void add_completion(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("completion", "A completion script for a shell");
  command.add_option("SHELL", typed.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer(
      "Examples:\n"
      "  source <(herglotz completion bash)\n"
      "  herglotz completion zsh > ~/.zfunc/_herglotz\n"
      "  herglotz completion fish > ~/.config/fish/completions/herglotz.fish");
}

/// Adds the hidden command `manual`, which only the build uses.
void add_manual(CLI::App& app) {
  app.add_subcommand("manual", "The manual page, for man")->group("");
}

Candidates option_values(const std::string& name) {
  if (name == "--out" || name == "--report" || name == "--guess") return {{}, true};
  if (name == "--method") {
    Candidates candidates{{"auto"}, false};
    for (const auto& method : integrate::methods()) candidates.words.push_back(method.name);
    return candidates;
  }
  return {};
}

std::vector<CommandWords> completion_words(const CLI::App& app) {
  std::vector<CommandWords> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_group().empty()) continue;
    CommandWords words{sub->get_name(), sub->get_description(), {}, {}};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_lnames().empty()) continue;
      OptionWords entry{"--" + option->get_lnames().front(), option->get_description(),
                        option->get_items_expected() > 0, option_values("--" + option->get_lnames().front())};
      if (entry.name == "--format")
        entry.values.words = words.name == "derive"    ? std::vector<std::string>{"text", "latex", "c", "sympy", "json"}
                             : words.name == "methods" ? std::vector<std::string>{"table", "json"}
                                                       : std::vector<std::string>{"text", "json"};
      words.options.push_back(std::move(entry));
    }
    if (words.name == "check" || words.name == "derive" || words.name == "reduce" || words.name == "simulate" ||
        words.name == "solve" || words.name == "sweep" || words.name == "studio")
      words.arguments = {model_names(), true};
    if (words.name == "report" || words.name == "merge") words.arguments.files = true;
    if (words.name == "completion") words.arguments.words = {"bash", "zsh", "fish"};
    if (words.name == "models") {
      words.arguments.words = model_names();
      words.arguments.words.insert(words.arguments.words.begin(), {"list", "show", "copy"});
    }
    commands.push_back(std::move(words));
  }
  return commands;
}

/// Returns "did you mean ...?" with the nearest known words, or a pointer to the help.
std::string advice(const std::string& unknown, const std::vector<std::string>& known, const std::string& command) {
  const auto near = symbolic::nearest_names(unknown, known);
  if (!near.empty()) return fmt::format("did you mean {}?", fmt::join(near, " or "));
  return fmt::format("see `{} --help`", command);
}

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.back());
}

/// Returns the first option among unexpected words, or the first word if there is no option.
std::string first_unexpected(const std::string& words) {
  const std::size_t option = words.starts_with("-") ? 0 : words.find(" -") + 1;
  const std::size_t begin = option == std::string::npos + 1 ? 0 : option;
  return words.substr(begin, words.find(' ', begin) - begin);
}

[[noreturn]] void explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::string name = full_name(command);
  std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string unknown = first_unexpected(what.substr(what.find(": ") + 2));
    std::vector<std::string> known;
    for (const auto* option : command.get_options())
      if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
    throw io::InputError(name, 0, 0, fmt::format("'{}' is not expected here", unknown), advice(unknown, known, name));
  }
  std::replace(what.begin(), what.end(), '\n', ' ');
  throw io::InputError(name, 0, 0, what, fmt::format("see `{} --help`", name));
}

/// Throws io::InputError if the first word is no command, before other mistakes are reported.
void refuse_unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(sub->get_name());
  if (std::find(known.begin(), known.end(), argv[1]) != known.end()) return;
  throw io::InputError("herglotz", 0, 0, fmt::format("there is no command '{}'", argv[1]),
                       advice(argv[1], known, "herglotz"));
}

int dispatch(const CLI::App& app, const Typed& typed) {
  if (app.got_subcommand("check")) return check(typed.check);
  if (app.got_subcommand("derive")) return derive(typed.derive);
  if (app.got_subcommand("reduce")) return reduce(typed.reduce);
  if (app.got_subcommand("simulate")) return simulate(typed.simulate);
  if (app.got_subcommand("fit")) return fit(typed.fit);
  if (app.got_subcommand("linearise")) return linearise(typed.linearise);
  if (app.got_subcommand("solve")) return solve(typed.solve);
  if (app.got_subcommand("report")) return report(typed.report);
  if (app.got_subcommand("studio")) return studio(typed.studio);
  if (app.got_subcommand("methods")) return methods(typed.methods_format);
  if (app.got_subcommand("completion")) {
    fmt::print("{}", completion_script(typed.shell, completion_words(app)));
    return success;
  }
  if (app.got_subcommand("manual")) {
    fmt::print("{}", manual_page(app));
    return success;
  }
  if (app.got_subcommand("sweep")) return sweep(typed.sweep);
  if (app.got_subcommand("merge")) return merge(typed.merge);
  const CLI::App& models = *app.get_subcommand("models");
  if (models.got_subcommand("show")) return models_show(typed.models);
  if (models.got_subcommand("copy")) return models_copy(typed.models);
  return models_list(typed.models);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app("Dissipative geometric mechanics: from a Lagrangian in a text file to a verified trajectory",
               "herglotz");
  app.set_version_flag("--version", "herglotz " HERGLOTZ_VERSION, "print the version");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(32);
  app.footer(
      "A first run:\n"
      "  herglotz simulate heavy-top --report top.html\n\n"
      "A first model:\n"
      "  herglotz models copy damped-pendulum --out my-system.toml\n"
      "  herglotz check my-system.toml && herglotz derive my-system.toml\n"
      "  herglotz simulate my-system.toml --out run.csv\n\n"
      "`herglotz COMMAND --help` shows every option with examples.");
  Typed typed;
  add_check(app, typed);
  add_derive(app, typed);
  add_reduce(app, typed);
  add_simulate(app, typed);
  add_fit(app, typed.fit);
  add_linearise(app, typed.linearise);
  add_solve(app, typed);
  add_sweep(app, typed);
  add_merge(app, typed);
  add_report(app, typed);
  add_studio(app, typed);
  add_methods(app, typed);
  add_models(app, typed);
  add_completion(app, typed);
  add_manual(app);

  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    explain(app, error);
  }
  if (app.get_subcommands().empty()) {
    fmt::print("{}", app.help());
    return success;
  }
  return dispatch(app, typed);
}

}  // namespace herglotz::app
