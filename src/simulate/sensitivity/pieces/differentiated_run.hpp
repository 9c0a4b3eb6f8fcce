#pragma once
/// A run that is differentiated, and the columns of its derivatives.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/sensitivity.hpp"
#include "sensitivity/pieces/smooth_laws.hpp"

namespace herglotz::simulate {

/// A run with its inputs.
struct DifferentiatedRun {
  const Simulator& simulator;
  const SensitivityRequest& request;  ///< evaluated
  const std::vector<Varying>& directions;
  const integrate::MethodInfo& method;
  analyse::Trajectory& run;  ///< its crossings receive their derivatives, and its facts a note
  std::vector<analyse::Column>& derivatives;
  /// The law of motion between the events that end smooth pieces of the run: that of `simulator`, unless comparisons
  /// are switches.
  const Simulator& law;
  SmoothLaws* laws = nullptr;  ///< of the pieces, also of those that switches hold, if there are switches

  /// Returns the law of a piece that these switches hold.
  [[nodiscard]] const Simulator& law_of(const mechanics::Holds& holds) const {
    return laws != nullptr ? laws->law(holds).simulator : law;
  }
  /// Asks whoever wants the derivatives whether to go on; throws if not.
  void attend() const {
    if (request.attend) request.attend();
  }
};

/// Appends the columns d.<column>.d.<name> without values to a list, for all directions of one column after the other.
void add_columns(const std::vector<std::string>& columns, const std::vector<Varying>& directions,
                 std::vector<analyse::Column>& list);

}  // namespace herglotz::simulate
