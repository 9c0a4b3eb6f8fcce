#include "herglotz/control/lie_step.hpp"

#include <algorithm>

#include "derivatives.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::control {
namespace {

using symbolic::derivative;

/// The action of a group on the base by its generators, in the frame of the algebroid.
class Action {
 public:
  explicit Action(const Problem& problem) : system_(problem.system), x_(system_.algebroid.x) {
    const auto& integration = system_.algebroid.integration;
    if (!integration)
      throw Refused("[algebroid] carries no group, by whose action direct-lie-2 steps", "use direct-gauss-2",
                    "[algebroid]");
    moves_ = moves(integration->rho);
    if (!moves_) return;
    for (std::size_t a = 0; a < system_.r(); ++a)
      for (std::size_t b = 0; b < system_.r(); ++b)
        if (!(integration->frame(a, b) - (a == b ? 1.0 : 0.0)).is_zero())
          throw Refused(
              "[algebroid] acts on its base in another frame than its own, in which direct-lie-2 knows no step",
              "use direct-gauss-2", "[algebroid]");
    for (std::size_t i = 0; i < x_.size(); ++i) is_angle_.push_back(is_angle(i));
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (std::size_t a = 0; a < system_.r(); ++a) check(rho(i, a));
  }

  /// Returns the displacement of the base in a step of length h with the fibre coordinates y.
  [[nodiscard]] std::vector<Expr> displacement(const std::vector<Expr>& y, Expr h,
                                               const std::vector<Expr>& rates) const {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!moves_) {
        result.push_back(h * rates[i]);
        continue;
      }
      if (is_angle_[i]) {
        result.push_back(2.0 * atan(half_turn(i, y, h)));
        continue;
      }
      Expr sum = system_.graph().number(0);
      for (std::size_t a = 0; a < system_.r(); ++a) {
        Expr entry = rho(i, a);
        for (std::size_t j = 0; j < x_.size(); ++j) {
          if (!is_angle_[j] || !symbolic::depends_on(entry, x_[j])) continue;
          const Expr second = derivative(derivative(entry, x_[j]), x_[j]);
          const Expr half = half_turn(j, y, h);
          entry = (entry + second) - second / sqrt(1.0 + half * half);
        }
        sum += entry * y[a];
      }
      result.push_back(h * sum);
    }
    return result;
  }

 private:
  [[nodiscard]] bool moves(const symbolic::Matrix& matrix) const {
    return std::any_of(matrix.entries.begin(), matrix.entries.end(),
                       [&](const Expr& entry) { return symbolic::depends_on_any(entry, x_); });
  }
  [[nodiscard]] Expr rho(std::size_t i, std::size_t a) const { return system_.algebroid.integration->rho(i, a); }

  /// Returns whether the rate of x_i does not depend on the base, and others depend on x_i other than linearly.
  [[nodiscard]] bool is_angle(std::size_t i) const {
    for (std::size_t a = 0; a < system_.r(); ++a)
      if (symbolic::depends_on_any(rho(i, a), x_)) return false;
    const auto& entries = system_.algebroid.integration->rho.entries;
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Expr& entry) { return symbolic::depends_on_any(derivative(entry, x_[i]), x_); });
  }

  /// Throws if an entry is not the sum of an affine function and of sines and cosines of one angle.
  void check(Expr entry) const {
    Expr rest = entry;
    std::size_t angles = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      if (!is_angle_[j] || !symbolic::depends_on(entry, x_[j])) continue;
      rest = entry + derivative(derivative(entry, x_[j]), x_[j]);
      if (symbolic::depends_on(rest, x_[j]) || ++angles > 1) refuse();
    }
    for (const Expr& x : x_)
      if (symbolic::depends_on_any(derivative(rest, x), x_)) refuse();
    for (const Expr& x : x_)
      if (angles == 1 && !is_angle_[static_cast<std::size_t>(&x - x_.data())] &&
          symbolic::depends_on_any(derivative(entry, x), x_))
        refuse();
  }
  [[noreturn]] static void refuse() {
    throw Refused(
        "[algebroid] acts on its base by generators that are neither affine nor of sines and cosines of one angle, for "
        "which direct-lie-2 knows no step",
        "use direct-gauss-2", "[algebroid]");
  }

  /// Returns h omega/2 of an angle.
  [[nodiscard]] Expr half_turn(std::size_t i, const std::vector<Expr>& y, Expr h) const {
    Expr omega = system_.graph().number(0);
    for (std::size_t a = 0; a < system_.r(); ++a) omega += rho(i, a) * y[a];
    return h * omega / 2.0;
  }

  const mechanics::System& system_;
  const std::vector<Expr>& x_;
  bool moves_ = false;  ///< whether generators depend on the base; else the group acts by translations
  std::vector<bool> is_angle_;
};

}  // namespace

StagePrograms lie_stage_programs(const Problem& problem, const FirstOrder& form) {
  const Expr h = problem.system.graph().symbol("step()");
  const auto& y = problem.kind == Kind::kinematic ? problem.kinematics : problem.system.algebroid.y;
  const std::size_t n = problem.system.n();
  auto functions =
      Action(problem).displacement(y, h, {form.rates.begin(), form.rates.begin() + static_cast<std::ptrdiff_t>(n)});
  for (std::size_t i = n; i < form.rates.size(); ++i) functions.push_back(h * form.rates[i]);
  functions.insert(functions.end(), form.equations.begin(), form.equations.end());
  functions.insert(functions.end(), form.inequalities.begin(), form.inequalities.end());
  std::vector<Expr> variables = form.v;
  variables.insert(variables.end(), form.w.begin(), form.w.end());
  variables.insert(variables.end(), {h, problem.system.t});
  return with_derivatives(problem, "lie_stage", variables, functions);
}

}  // namespace herglotz::control
