#pragma once
/// Input of the commands for paths and sequences: texts by coordinate, files of rows, and a model.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::app {

/// Returns pairs NAME=TEXT by name. Throws io::InputError with the option for another text, which says to write `form`,
/// and for a name that is given twice.
std::map<std::string, std::string> assignments(const std::string& option, const std::vector<std::string>& texts,
                                               const std::string& form);

/// Reads the columns of a run or of samples, .h5 or CSV.
std::vector<analyse::Column> columns_of_file(const std::string& file);

/// Opens a model, changes it by `set`, and returns the exit status that `act` returns for it, or run_failed with a line
/// if it throws Failed. A Refused is thrown on with the file of the model.
int with_model(const std::string& argument, const std::vector<std::string>& set,
               const std::function<int(const simulate::Problem&)>& act);

}  // namespace herglotz::app
