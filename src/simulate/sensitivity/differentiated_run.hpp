#pragma once
/// A run that is differentiated, and the columns of its derivatives.

#include <span>
#include <string>
#include <vector>

#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/sensitivity.hpp"

namespace herglotz::simulate {

/// A run with its inputs.
struct DifferentiatedRun {
  const Simulator& simulator;
  const SensitivityRequest& request;  ///< evaluated
  const std::vector<Varying>& directions;
  const integrate::MethodInfo& method;
  analyse::Trajectory& run;  ///< its crossings receive their derivatives, and its facts a note
  std::vector<analyse::Column>& derivatives;
};

/// Appends the columns d.<column>.d.<name> without values to a list, for all directions of one column after the other.
void add_columns(const std::vector<std::string>& columns, const std::vector<Varying>& directions,
                 std::vector<analyse::Column>& list);

}  // namespace herglotz::simulate
