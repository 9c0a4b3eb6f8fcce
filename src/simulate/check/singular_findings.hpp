#pragma once
/// What a check finds about a singular Lagrangian: its constraints level by level, and where the start is.

#include <optional>
#include <string>

#include "check/findings.hpp"
#include "herglotz/simulate/singular.hpp"

namespace herglotz::simulate {

class SingularFindings {
 public:
  /// Runs the constraint algorithm where the Lagrangian is singular around the start.
  SingularFindings(const Problem& problem, const mechanics::System& system, const mechanics::Equations& equations);

  [[nodiscard]] bool is_singular() const { return motion_.has_value(); }
  /// Nothing where the constraints are not decided.
  [[nodiscard]] std::optional<mechanics::SingularAnalysis> analysis() const;
  /// Tells the constraints, the dimensions and what is left undetermined.
  void tell(const Findings& findings) const;
  /// Tells whether the start is on the final set; a model without initial values has no start to be judged.
  [[nodiscard]] bool tell_start(const Findings& findings) const;
  /// Why there is no motion from the start, or nothing.
  [[nodiscard]] std::string failure() const;

 private:
  const Problem& problem_;
  const mechanics::System& system_;
  const mechanics::Equations& equations_;
  std::optional<SingularMotion> motion_;
};

}  // namespace herglotz::simulate
