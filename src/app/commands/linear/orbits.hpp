#pragma once
/// The commands `lyapunov` and `orbit`.

#include "commands/commands.hpp"

namespace herglotz::app {

/// Arguments of `lyapunov`, with those of the runs that it makes.
struct LyapunovArguments : RunArguments {
  std::string model;
  double interval = 1;
  double settle = 0;
  std::string out;
  std::string format = "text";
  bool force = false;
};

/// Arguments of `orbit`, with those of the runs that it makes.
struct OrbitArguments : RunArguments {
  std::string model;
  double period = 0;
  std::string fixed;                  ///< empty: the period is given
  std::vector<std::string> drifting;  ///< entries of the state that need not come back
  std::string out;
  std::string report;
  std::string format = "text";
  bool force = false;
};

/// Prints the Lyapunov exponents of a motion. Returns the exit status.
int lyapunov(const LyapunovArguments& arguments);
/// Finds a periodic orbit. Returns the exit status.
int orbit(const OrbitArguments& arguments);

}  // namespace herglotz::app
