#include "completion.hpp"

#include <fmt/format.h>

namespace herglotz::app {
namespace {

std::string names(const std::vector<CommandWords>& commands) {
  std::vector<std::string> words;
  for (const auto& command : commands) words.push_back(command.name);
  return fmt::format("{}", fmt::join(words, " "));
}

/// Returns a description that may stand inside single quotes of any shell.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '\'' || c == '`' || c == '\\' || c == '[' || c == ']' || c == ':' ? ' ' : c;
  return safe;
}

std::string bash_reply(const Candidates& candidates) {
  std::string reply = fmt::format("COMPREPLY=($(compgen {}-W '{}' -- \"$word\"))", candidates.files ? "-f " : "",
                                  fmt::join(candidates.words, " "));
  return candidates.files ? "compopt -o filenames; " + reply : reply;
}

std::string bash(const std::vector<CommandWords>& commands) {
  std::string script = fmt::format(
      "_herglotz() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\")); return; fi\n"
      "  case $command in\n",
      names(commands));
  for (const auto& command : commands) {
    script += fmt::format("    {})\n      case $before in\n", command.name);
    std::vector<std::string> options;
    for (const auto& option : command.options) {
      options.push_back(option.name);
      if (option.takes_value)
        script += fmt::format("        {}) {}; return ;;\n", option.name, bash_reply(option.values));
    }
    script += fmt::format(
        "      esac\n"
        "      case $word in\n"
        "        -*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n"
        "        *) {} ;;\n"
        "      esac ;;\n",
        fmt::join(options, " "), bash_reply(command.arguments));
  }
  return script + "  esac\n}\ncomplete -F _herglotz herglotz\n";
}

std::string zsh_action(const Candidates& candidates) {
  const std::string words = fmt::format("compadd -- {}", fmt::join(candidates.words, " "));
  if (candidates.files && candidates.words.empty()) return "_files";
  return candidates.files ? "{ " + words + "; _files }" : candidates.words.empty() ? " " : "{ " + words + " }";
}

std::string zsh(const std::vector<CommandWords>& commands) {
  std::string script = "#compdef herglotz\n_herglotz() {\n  local -a commands=(\n";
  for (const auto& command : commands)
    script += fmt::format("    '{}:{}'\n", command.name, quoted(command.description));
  script +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const auto& command : commands) {
    script += fmt::format("    {}) _arguments", command.name);
    for (const auto& option : command.options) {
      const std::string value = option.takes_value ? fmt::format(":value:{}", zsh_action(option.values)) : "";
      script += fmt::format(" \\\n      '*{}[{}]{}'", option.name, quoted(option.description), value);
    }
    script += fmt::format(" \\\n      '*:argument:{}' ;;\n", zsh_action(command.arguments));
  }
  return script +
         "  esac\n}\nif [ \"$funcstack[1]\" = _herglotz ]; then _herglotz \"$@\"; else compdef _herglotz herglotz; "
         "fi\n";
}

std::string fish(const std::vector<CommandWords>& commands) {
  std::string script = "complete -c herglotz -f\n";
  for (const auto& command : commands) {
    script += fmt::format("complete -c herglotz -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                          quoted(command.description));
    const std::string here = fmt::format("complete -c herglotz -n '__fish_seen_subcommand_from {}'", command.name);
    for (const auto& option : command.options) {
      const std::string value = !option.takes_value   ? ""
                                : option.values.files ? " -r -F"
                                : option.values.words.empty()
                                    ? " -x"
                                    : fmt::format(" -x -a '{}'", fmt::join(option.values.words, " "));
      script += fmt::format("{} -l {}{} -d '{}'\n", here, option.name.substr(2), value, quoted(option.description));
    }
    if (!command.arguments.words.empty())
      script += fmt::format("{} -a '{}'\n", here, fmt::join(command.arguments.words, " "));
    if (command.arguments.files) script += here + " -F\n";
  }
  return script;
}

}  // namespace

std::string completion_script(const std::string& shell, const std::vector<CommandWords>& commands) {
  return shell == "zsh" ? zsh(commands) : shell == "fish" ? fish(commands) : bash(commands);
}

}  // namespace herglotz::app
