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

/// Initial values by name (base, fibre or p_<fibre>, action, time, nu<k>); what is not named starts at 0. A Lagrangian
/// system starts from velocities or from momenta, not from both.
using InitialState = std::map<std::string, double, std::less<>>;

/// The initial value of `name` as an expression in parameters and in the initial values of others.
struct StartExpression {
  std::string name;
  symbolic::Expr value;
};

/// The expressions of a start. Where they are evaluated, for a run of its own or for a member of an ensemble, they have
/// the same bits.
class StartExpressions {
 public:
  StartExpressions() = default;
  /// Each expression uses initial values of those before it, or values that no expression gives.
  StartExpressions(const mechanics::System& system, std::vector<StartExpression> expressions);

  [[nodiscard]] bool empty() const { return expressions_.empty(); }
  [[nodiscard]] const std::vector<StartExpression>& list() const { return expressions_; }
  /// Takes the expression of a name out, whose value is given in another way.
  void erase(std::string_view name);
  /// The names whose initial values change with those of the given names, of parameters or initial values.
  [[nodiscard]] std::vector<std::string> followers(std::vector<std::string> names) const;

  /// Gives the names that `initial` holds the values of their expressions, at the parameters of the system with
  /// `overrides`. Throws std::invalid_argument for a value that is not finite, and for an expression in velocities, or
  /// in momenta, where the start is given by the others or by a second position.
  void apply(const mechanics::System& system, const InitialState& overrides, InitialState& initial,
             const InitialState& next) const;

  /// The value of expression k at (x, w, z, nu, t, p): a state, its time, and momenta where they are not w.
  [[nodiscard]] double value(std::size_t k, std::span<const double> point, std::span<const double> parameters) const;
  /// How many entries such a point has.
  [[nodiscard]] std::size_t point_size() const { return point_.size(); }

 private:
  std::vector<StartExpression> expressions_;
  std::vector<kernel::Kernel> kernels_;
  std::vector<symbolic::Expr> point_;
};

}  // namespace herglotz::simulate
