#pragma once
/// Short pulses and steps in the explicit time dependence of a system, which steps of adaptive methods would go over.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz::simulate {

/// Functions of time and parameters alone inside a system that may be short beside a run: exp(u), powers of u with a
/// negative exponent, tanh(u), atan(u), and comparisons of u with 0. A method that chooses its steps reads the motion
/// at a few times in each, and a body at rest gives no cause for short ones. The places of pulses are zeros of u or of
/// du/dt, which are smooth and wide however short the pulse is, so that a thousand values along the run show them.
class Pulses {
 public:
  Pulses() = default;
  /// Derives and compiles the functions of the system.
  explicit Pulses(const mechanics::System& system);

  /// Returns the times in a run from t0 at which steps are to end, in ascending order, if its method chooses its steps:
  /// the place of each short pulse, and times around it at distances that double, from its width to where it is below
  /// e^-40 of its height. A pulse is short if a step as long as the run could read the motion nowhere near it.
  [[nodiscard]] std::vector<double> times(const integrate::Settings& settings, std::span<const double> parameters,
                                          double t0) const;
  /// Adds these times to the breaks of the run.
  void enter(integrate::Settings& settings, std::span<const double> parameters, double t0) const;
  /// A maximum of a function of time, and the distance at which the function has fallen by a factor e.
  struct Peak {
    double place = 0;
    double width = 0;
  };
  /// Returns the narrowest peak of a run from t0 that steps of one size may go over: its width is below half a step.
  [[nodiscard]] std::optional<Peak> between_steps(const integrate::Settings& settings,
                                                  std::span<const double> parameters, double t0) const;
  /// Returns what a run says of such a peak.
  static std::string note(const Peak& peak, const integrate::Settings& settings);
  /// Returns whether there are functions that may be pulses, for some values of the parameters.
  [[nodiscard]] bool empty() const { return shapes_.empty(); }
  /// Returns whether times() may depend on a parameter.
  [[nodiscard]] bool depend_on(std::size_t parameter) const { return !empty() && depends_[parameter]; }

 private:
  enum class Shape {
    peak,        ///< exp(size): places are zeros of d(size)/dt
    step,        ///< a function of u that changes where u is 0; size is -|u|
    comparison,  ///< u > 0 for a short time, or u < 0
    instant      ///< u > 0 from here on, or up to here
  };
  class Search;
  struct Functions;  // finds the functions of a system

  kernel::Kernel kernel_;      ///< for each function what is 0 at its place, and its size
  std::vector<Shape> shapes_;  ///< of the functions
  std::vector<bool> depends_;  ///< by the parameters of the system
};

}  // namespace herglotz::simulate
