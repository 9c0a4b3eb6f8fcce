#pragma once
/// Systems whose flow is differentiated.

#include <cstddef>
#include <span>

namespace herglotz::sensitivity {

/// A place at which a system is evaluated.
struct EvaluationPoint {
  double t = 0;
  std::span<const double> x;
  std::span<const double> w;
  std::span<const double> theta;
};

/// System dx/dt = f(x, w, theta, t) in which 0 = g(x, w, theta, t) determines w: g_w is regular. A system without w is
/// an explicit one.
class FirstOrderSystem {
 public:
  FirstOrderSystem() = default;
  FirstOrderSystem(const FirstOrderSystem&) = delete;
  FirstOrderSystem& operator=(const FirstOrderSystem&) = delete;
  virtual ~FirstOrderSystem() = default;

  [[nodiscard]] virtual std::size_t states() const = 0;      ///< n, the size of x
  [[nodiscard]] virtual std::size_t algebraic() const = 0;   ///< m, the size of w and g
  [[nodiscard]] virtual std::size_t parameters() const = 0;  ///< k, the size of theta
  /// Computes (f, g) (n + m), and their derivatives by (x, w, theta), (n + m) x (n + m + k) column by column.
  /// Derivatives are not computed if `slopes` is empty. Values that are not finite say that the system is not defined
  /// there.
  virtual void evaluate(const EvaluationPoint& at, std::span<double> values, std::span<double> slopes) const = 0;
};

}  // namespace herglotz::sensitivity
