#pragma once
/// Grammar of the command line: every command with its options and its help, and the words that complete them.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/fit.hpp"
#include "commands/linear/linearise.hpp"
#include "commands/linear/orbits.hpp"
#include "commands/paths/path.hpp"
#include "commands/paths/sequence.hpp"
#include "commands/rules/compare_rules.hpp"
#include "completion.hpp"

namespace herglotz::app {

/// Arguments of all commands, as the command line gives them.
struct Typed {
  CheckArguments check;
  RuleArguments rules;
  DeriveArguments derive;
  ReduceArguments reduce;
  RelatedArguments flow;
  RelatedArguments extend;
  ImportArguments imported;
  SimulateArguments simulate;
  FitArguments fit;
  LineariseArguments linearise;
  LyapunovArguments lyapunov;
  OrbitArguments orbit;
  PathArguments path;
  SequenceArguments sequence;
  SolveArguments solve;
  SweepArguments sweep;
  MergeArguments merge;
  ReportArguments report;
  StudioArguments studio;
  ModelsArguments models;
  std::string methods_format = "table";
  std::string devices_format = "table";
  std::string shell;
};

/// Adds the commands that say what a model is, or write one: check, derive, reduce, flow, extend,
/// path, sequence, import.
void add_model_commands(CLI::App& app, Typed& typed);
/// Adds the commands that run a model: simulate, fit, linearise, solve, sweep, merge.
void add_run_commands(CLI::App& app, Typed& typed);
/// Adds the commands on what a motion is in the long run: lyapunov, orbit.
void add_orbit_commands(CLI::App& app, Typed& typed);
/// Adds the commands that show results and what there is: report, studio, methods, devices, models, completion,
/// manual.
void add_reading_commands(CLI::App& app, Typed& typed);

/// Returns the words that complete each command of the grammar.
std::vector<CommandWords> completion_words(const CLI::App& app);

}  // namespace herglotz::app
