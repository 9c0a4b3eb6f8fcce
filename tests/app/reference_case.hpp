#pragma once
/// Reference solutions of tests/reference: systems with states computed independently to high accuracy.

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace herglotz::app::testing {

struct ReferenceState {
  double t = 0;
  std::vector<std::pair<std::string, double>> values;  ///< base, fibre, action and energy, by column name
};

struct ReferenceCase {
  std::string name;
  std::string model;  ///< the system as a model file, without [simulation]
  std::vector<ReferenceState> states;
  friend std::ostream& operator<<(std::ostream& out, const ReferenceCase& c) { return out << c.name; }
};

/// Every unconstrained case, by file name.
std::vector<ReferenceCase> reference_cases();

}  // namespace herglotz::app::testing
