#pragma once
/// What `herglotz check` finds about constraints: how they stand to each other, and where the start is.

#include <optional>
#include <string>

#include "herglotz/mechanics/constraint_analysis.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "model_source.hpp"
#include "sampling.hpp"

namespace herglotz::app {

/// The constraints of a model, analysed around its start.
class ConstraintFindings {
 public:
  explicit ConstraintFindings(const Model& model);

  /// The system with its independent constraints only.
  [[nodiscard]] const mechanics::System& reduced() const { return reduced_; }
  /// The sentence that says why the equations cannot be judged around the start, or nothing.
  [[nodiscard]] const std::string& why_not_analysed() const { return why_not_; }
  /// Prints each equation, the set, and the rank of C_ab.
  void print(const simulate::SaddleRegularity& regularity) const;
  /// Prints the values of the equations at the start and, where the model asks for it, where the start is moved to.
  /// Returns the start of the motion (x, w, z, t, l), or nothing where it is off the constraints.
  [[nodiscard]] std::optional<std::vector<double>> print_start(const mechanics::Equations& equations,
                                                               const PointValues& values) const;
  /// Throws io::InputError for constraints that no run can honour.
  void refuse_unusable() const;

 private:
  void print_equation(std::size_t k) const;
  void print_integrability() const;
  [[nodiscard]] std::optional<std::vector<double>> moved(const mechanics::Equations& equations,
                                                         const PointValues& values) const;

  const Model& model_;
  mechanics::ConstraintAnalysis analysis_;
  std::string why_not_;
  mechanics::System reduced_;
};

}  // namespace herglotz::app
