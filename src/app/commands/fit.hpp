#pragma once
/// The command `fit`.

#include "commands/commands.hpp"

namespace herglotz::app {

/// Arguments of `fit`, with those of the runs that it makes.
struct FitArguments : RunArguments {
  std::string model;
  std::vector<std::string> data;        ///< a file for each run
  std::vector<std::string> parameters;  ///< parameters and initial values that are fitted, the same for all runs
  std::vector<std::string> own;         ///< those of which each run has its own value
  std::vector<std::string> bounds;      ///< NAME=LOWER:UPPER, either of which may be empty
  std::vector<std::string> profiles;    ///< unknowns whose profile likelihood is printed
  std::optional<double> noise;
  std::size_t parts = 0;  ///< how many fits to first parts of the data come before
  std::size_t shots = 0;  ///< into how many shots multiple shooting cuts each run
  std::string out;
  std::string report;
  std::string format = "text";
  bool force = false;
  bool resume = false;  ///< whether trials go into a journal beside `out`, and come from one
};

/// Fits parameters and initial values to measurements. Returns the exit status.
int fit(const FitArguments& arguments);

}  // namespace herglotz::app
