#pragma once
/// Findings of a check about constraints: their relations to each other, and the place of the start.

#include <optional>
#include <string>

#include "check/findings.hpp"
#include "check/point_evaluator.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"

namespace herglotz::simulate {

/// Constraints of a model, analysed around its start.
class ConstraintFindings {
 public:
  ConstraintFindings(const Problem& problem, const Findings& findings);

  /// Returns the system with its independent constraints only.
  [[nodiscard]] const mechanics::System& reduced() const { return reduced_; }
  /// Returns the sentence that says why the equations cannot be judged around the start, or an empty string.
  [[nodiscard]] const std::string& why_not_analysed() const { return why_not_; }
  [[nodiscard]] const mechanics::ConstraintAnalysis& analysis() const { return analysis_; }
  /// Reports each equation, the set, and the rank of C_ab.
  void tell(const SaddleRegularity& regularity) const;
  /// Reports the values of the equations at the start and, if the model asks for a projection, the state to which the
  /// start is moved. Returns the start of the motion (x, w, z, t, l), or `std::nullopt` if it is off the constraints.
  [[nodiscard]] std::optional<std::vector<double>> tell_start(const mechanics::Equations& equations,
                                                              const PointEvaluator& values) const;
  /// Returns the reason why no run can honour the constraints, or `std::nullopt`.
  [[nodiscard]] std::optional<Refused> unusable() const;

 private:
  /// Returns what equation k is, and whether it adds to the others.
  [[nodiscard]] Sentence standing_of(std::size_t k) const;
  /// Reports each equation; of many equations those that are alike share a line.
  void tell_equations() const;
  void tell_integrability() const;
  [[nodiscard]] std::optional<std::vector<double>> moved(const mechanics::Equations& equations,
                                                         const PointEvaluator& values) const;

  const Problem& problem_;
  const Findings& findings_;
  mechanics::ConstraintAnalysis analysis_;
  std::string why_not_;
  mechanics::System reduced_;
};

}  // namespace herglotz::simulate
