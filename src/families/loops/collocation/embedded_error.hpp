#pragma once
/// Errors of a step of Radau IIA at all sites.

#include <optional>
#include <vector>

#include "loops/collocation/stages.hpp"

namespace herglotz::families {

/// A change of the state, of each family at all sites.
struct SiteErrors {
  std::vector<std::vector<double>> q;
  std::vector<std::vector<double>> v;
};

/// Errors of an embedded method of order 3: with the rates f_j of the stages and their polynomial P, r = h gamma_0
/// (f_0 - P(0)), where f_0 is the rate at the start. As in E. Hairer, G. Wanner, Solving Ordinary Differential
/// Equations II, Sec. IV.8, r is filtered, so that stiff parts of it do not count: it is what the first stage changes
/// by if the start does by r.
class EmbeddedError {
 public:
  /// The real eigenvalue of the matrix of the method.
  static constexpr double gamma_0 = 1 / 3.6378342527444957322;

  /// A step whose stages are solved, with the velocities and the rates of the momenta at its start.
  struct Step {
    double t = 0;
    double h = 0;
    const std::vector<std::vector<double>>& velocity;
    const std::vector<std::vector<double>>& force;
  };

  explicit EmbeddedError(Stages& stages);
  /// Returns gamma_0 and -gamma_0 times the polynomials of the stages at 0, the weights of the rates in r/h.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }

  /// Returns the errors, or no value if there are none. The velocities and forces of the stages are kept for `restore`.
  std::optional<SiteErrors> of(const Step& step);
  /// Returns them once more with the rates at the start moved by the errors, as stiff components would otherwise seem
  /// too large.
  std::optional<SiteErrors> again(const Step& step, const SiteErrors& errors);
  /// Gives the stages their velocities and forces back.
  void restore();

 private:
  using Values = std::vector<std::vector<double>>;

  [[nodiscard]] Values differences(double h, const Values& start, const Values& stages) const;
  void find_residuals_from(const Values& q, const Values& p);
  std::optional<SiteErrors> filtered(double h, const Values& r_q, const Values& r_p);
  Values forces_at(const Step& step, const SiteErrors& change);

  Stages* stages_;
  std::vector<double> weights_;
  Values V_;  // of the stages that are solved
  Values force_;
};

}  // namespace herglotz::families
