#pragma once
/// The command `path`.

#include <optional>
#include <string>
#include <vector>

namespace herglotz::app {

struct PathArguments {
  std::string model;
  std::vector<std::string> along;    ///< COORDINATE=EXPRESSION
  std::vector<std::string> section;  ///< FIBRE=EXPRESSION
  std::string rows_of;               ///< a file of rows in place of `along`
  std::optional<double> t0;
  std::optional<double> t_end;
  std::optional<double> z0;
  int rows = 101;
  std::vector<std::string> set;
  std::string out;
  std::string format = "text";  ///< text or json
  bool force = false;
};

/// Prints the action of a path, its first variation, and the force that it needs. Returns the exit status.
int path(const PathArguments& arguments);

}  // namespace herglotz::app
