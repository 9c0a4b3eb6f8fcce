#include <CLI/CLI.hpp>

#include "grammar/grammar.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "model_source.hpp"

namespace herglotz::app {
namespace {

Candidates option_values(const std::string& name) {
  if (name == "--out" || name == "--report" || name == "--guess" || name == "--data" || name == "--rows-of")
    return {{}, true};
  if (name == "--method") {
    Candidates candidates{{"auto"}, false};
    for (const auto& method : integrate::methods()) candidates.words.push_back(method.name);
    return candidates;
  }
  return {};
}

/// Returns what a positional argument accepts, by its name in the help.
Candidates argument_values(const std::string& name) {
  if (name == "MODEL") return {model_names(), true};
  if (name == "FILE" || name == "FILE.urdf") return {{}, true};
  if (name == "SHELL") return {{"bash", "zsh", "fish"}, false};
  return {};
}

}  // namespace

std::vector<CommandWords> completion_words(const CLI::App& app) {
  std::vector<CommandWords> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_group().empty()) continue;
    CommandWords words{sub->get_name(), sub->get_description(), {}, {}};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_lnames().empty()) {
        if (option->get_name() == "FUNCTION") continue;  // nothing can complete it, and a model stands before it
        words.arguments = argument_values(option->get_name());
        continue;
      }
      OptionWords entry{"--" + option->get_lnames().front(), option->get_description(),
                        option->get_items_expected() > 0, option_values("--" + option->get_lnames().front())};
      if (entry.name == "--format")
        entry.values.words = words.name == "derive"    ? std::vector<std::string>{"text", "latex", "c", "sympy", "json"}
                             : words.name == "methods" ? std::vector<std::string>{"table", "json"}
                                                       : std::vector<std::string>{"text", "json"};
      words.options.push_back(std::move(entry));
    }
    if (words.name == "models") {
      words.arguments.words = model_names();
      words.arguments.words.insert(words.arguments.words.begin(), {"list", "show", "copy"});
    }
    commands.push_back(std::move(words));
  }
  return commands;
}

}  // namespace herglotz::app
