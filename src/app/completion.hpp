#pragma once
/// Completion scripts for shells, generated from the commands themselves.

#include <string>
#include <vector>

namespace herglotz::app {

/// Words and files that a shell offers after an option or in a place.
struct Candidates {
  std::vector<std::string> words;
  bool files = false;
};

struct OptionWords {
  std::string name;  ///< with its dashes
  std::string description;
  bool takes_value = false;
  Candidates values;
};

struct CommandWords {
  std::string name;
  std::string description;
  std::vector<OptionWords> options;
  Candidates arguments;
};

/// Returns the script for bash, zsh or fish.
std::string completion_script(const std::string& shell, const std::vector<CommandWords>& commands);

}  // namespace herglotz::app
