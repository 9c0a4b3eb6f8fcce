#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "exit_status.hpp"
#include "grammar/grammar.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "manual.hpp"

namespace herglotz::app {
namespace {

/// Returns "did you mean ...?" with the nearest known words, or a pointer to the help.
std::string advice(const std::string& unknown, const std::vector<std::string>& known, const std::string& command) {
  const auto near = symbolic::nearest_names(unknown, known);
  if (!near.empty()) return fmt::format("did you mean {}?", fmt::join(near, " or "));
  return fmt::format("see `{} --help`", command);
}

const CLI::App* innermost(const CLI::App* app) {
  const auto chosen = app->get_subcommands();
  return chosen.empty() ? app : innermost(chosen.back());
}

/// Returns the first option among unexpected words, or the first word if there is no option.
const std::string& first_unexpected(const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with("-"); });
  return option == words.end() ? words.front() : *option;
}

[[noreturn]] void explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = *innermost(&app);
  const std::string name = full_name(command);
  std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> words = app.remaining(true);
    const std::string& unknown = first_unexpected(words);
    std::vector<std::string> known;
    for (const auto* option : command.get_options())
      if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
    throw io::InputError(name, 0, 0, fmt::format("'{}' is not expected here", unknown), advice(unknown, known, name));
  }
  std::replace(what.begin(), what.end(), '\n', ' ');
  throw io::InputError(name, 0, 0, what, fmt::format("see `{} --help`", name));
}

/// Throws io::InputError if the first word is not a command, before other mistakes are reported.
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
  if (app.got_subcommand("check"))
    return typed.rules.asked ? compare_rules(typed.check, typed.rules) : check(typed.check);
  if (app.got_subcommand("derive")) return derive(typed.derive);
  if (app.got_subcommand("reduce")) return reduce(typed.reduce);
  if (app.got_subcommand("flow")) return flow(typed.flow);
  if (app.got_subcommand("extend")) return extend(typed.extend);
  if (app.got_subcommand("path")) return path(typed.path);
  if (app.got_subcommand("sequence")) return sequence(typed.sequence);
  if (app.got_subcommand("import")) return import_robot(typed.imported);
  if (app.got_subcommand("simulate")) return simulate(typed.simulate);
  if (app.got_subcommand("fit")) return fit(typed.fit);
  if (app.got_subcommand("linearise")) return linearise(typed.linearise);
  if (app.got_subcommand("lyapunov")) return lyapunov(typed.lyapunov);
  if (app.got_subcommand("orbit")) return orbit(typed.orbit);
  if (app.got_subcommand("solve")) return solve(typed.solve);
  if (app.got_subcommand("report")) return report(typed.report);
  if (app.got_subcommand("studio")) return studio(typed.studio);
  if (app.got_subcommand("methods")) return methods(typed.methods_format);
  if (app.got_subcommand("devices")) return devices(typed.devices_format);
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
  add_model_commands(app, typed);
  add_run_commands(app, typed);
  add_orbit_commands(app, typed);
  add_reading_commands(app, typed);

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
