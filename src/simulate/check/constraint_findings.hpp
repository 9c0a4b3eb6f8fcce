#pragma once
/// What a check finds about constraints: how they stand to each other, and where the start is.

#include <optional>
#include <string>

#include "check/findings.hpp"
#include "check/point_values.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"

namespace herglotz::simulate {

/// The constraints of a model, analysed around its start.
class ConstraintFindings {
 public:
  ConstraintFindings(const Problem& problem, const Findings& findings);

  /// The system with its independent constraints only.
  [[nodiscard]] const mechanics::System& reduced() const { return reduced_; }
  /// The sentence that says why the equations cannot be judged around the start, or nothing.
  [[nodiscard]] const std::string& why_not_analysed() const { return why_not_; }
  [[nodiscard]] const mechanics::ConstraintAnalysis& analysis() const { return analysis_; }
  /// Tells each equation, the set, and the rank of C_ab.
  void tell(const SaddleRegularity& regularity) const;
  /// Tells the values of the equations at the start and, where the model asks for it, where the start is moved to.
  /// Returns the start of the motion (x, w, z, t, l), or nothing where it is off the constraints.
  [[nodiscard]] std::optional<std::vector<double>> tell_start(const mechanics::Equations& equations,
                                                              const PointValues& values) const;
  /// Why no run can honour the constraints, or nothing.
  [[nodiscard]] std::optional<Refused> unusable() const;

 private:
  void tell_equation(std::size_t k) const;
  void tell_integrability() const;
  [[nodiscard]] std::optional<std::vector<double>> moved(const mechanics::Equations& equations,
                                                         const PointValues& values) const;

  const Problem& problem_;
  const Findings& findings_;
  mechanics::ConstraintAnalysis analysis_;
  std::string why_not_;
  mechanics::System reduced_;
};

}  // namespace herglotz::simulate
