#pragma once
/// The command `linearise`.

#include <string>
#include <vector>

namespace herglotz::app {

struct LineariseArguments {
  std::string model;
  std::vector<std::string> set;
  std::vector<std::string> at;  ///< NAME=VALUE, in place of the start
  bool equilibrium = false;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string format = "text";  ///< text or json
};

/// Prints the motion near a state. Returns the exit status.
int linearise(const LineariseArguments& arguments);

}  // namespace herglotz::app
