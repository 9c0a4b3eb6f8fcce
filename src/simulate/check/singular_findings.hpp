#pragma once
/// Findings of a check about a singular Lagrangian: its constraints level by level, and the place of the start.

#include <optional>
#include <string>

#include "check/findings.hpp"
#include "herglotz/simulate/singular.hpp"

namespace herglotz::simulate {

class SingularFindings {
 public:
  /// Runs the constraint algorithm if the Lagrangian is singular around the start.
  SingularFindings(const Problem& problem, const mechanics::System& system, const mechanics::Equations& equations);

  [[nodiscard]] bool is_singular() const { return motion_.has_value(); }
  /// Returns the analysis, or `std::nullopt` if the constraints are not decided.
  [[nodiscard]] std::optional<mechanics::SingularAnalysis> analysis() const;
  /// Reports the constraints, the dimensions and the rates that are left undetermined.
  void tell(const Findings& findings) const;
  /// Reports whether the start is on the final set. A model without initial values has no start to judge. Returns
  /// whether a run can start.
  [[nodiscard]] bool tell_start(const Findings& findings) const;
  /// Returns a sentence that says why there is no motion from the start, or an empty string.
  [[nodiscard]] std::string failure() const;

 private:
  const Problem& problem_;
  const mechanics::System& system_;
  const mechanics::Equations& equations_;
  std::optional<SingularMotion> motion_;
};

}  // namespace herglotz::simulate
