#pragma once
/// Initial values that follow from parameters and from other initial values.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/kernel/kernel.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz::simulate {

/// Initial values by name (base, fibre or p_<fibre>, action, time, nu<k>); values that are not named start at 0. A
/// Lagrangian system starts from velocities or from momenta, not from both.
using InitialState = std::map<std::string, double, std::less<>>;

/// The initial value of `name` as an expression in parameters and in the initial values of others. A discrete motion
/// starts from two positions; the second one of a coordinate x is named next.x.
struct StartExpression {
  std::string name;
  symbolic::Expr value;
};

/// The expressions of a start. Their values have the same bits in a single run and in a member of an ensemble.
class StartExpressions {
 public:
  StartExpressions() = default;
  /// Compiles the expressions. Each may use the initial values of expressions before it, and values that no expression
  /// gives.
  StartExpressions(const mechanics::System& system, std::vector<StartExpression> expressions);

  [[nodiscard]] bool empty() const { return expressions_.empty(); }
  [[nodiscard]] const std::vector<StartExpression>& list() const { return expressions_; }
  /// Removes the expression of a name whose value is given in another way.
  void erase(std::string_view name);
  /// Returns the names whose initial values depend on the given names of parameters or initial values.
  [[nodiscard]] std::vector<std::string> followers(std::vector<std::string> names) const;

  /// Gives the names in `initial` and in `next` the values of their expressions, at the parameters of the system with
  /// `overrides`.
  /// Throws Refused for a value that is not finite, and for an expression in velocities (or in momenta)
  /// if the start is given by momenta (or velocities) or by a second position.
  void apply(const mechanics::System& system, const InitialState& overrides, InitialState& initial,
             InitialState& next) const;

  /// Returns the value of expression k at (x, w, z, nu, t, p): a state, its time, and momenta if they are not w.
  [[nodiscard]] double value(std::size_t k, std::span<const double> point, std::span<const double> parameters) const;
  /// Returns the number of entries of such a point.
  [[nodiscard]] std::size_t point_size() const { return point_.size(); }

 private:
  std::vector<StartExpression> expressions_;
  std::vector<kernel::Kernel> kernels_;
  std::vector<symbolic::Expr> point_;
};

}  // namespace herglotz::simulate
