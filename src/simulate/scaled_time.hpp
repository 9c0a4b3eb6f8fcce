#pragma once
/// Runs of a system in a fictitious time, with samples in its own time.

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Kernels of mechanics::transform_time. The samples and outcomes of their runs are expressed in the time of the
/// system.
class ScaledTime {
 public:
  /// Compiles the kernels for the time scale `s`. Throws Refused for constrained systems.
  ScaledTime(const mechanics::System& system, const mechanics::Equations& equations,
             const std::vector<mechanics::BalanceLaw>& laws, const symbolic::Expr& s, const compile::Options& options);

  [[nodiscard]] const symbolic::Expr& scale() const { return s_; }
  /// Throws Refused if the method or a setting does not support a time scale, or if the scale is not
  /// positive at the start.
  void require(const integrate::MethodInfo& method, const Settings& settings, double t0,
               const std::vector<double>& state, const std::vector<double>& parameters) const;
  /// Runs as integrate::integrate does. `settings.step` is a step of the fictitious time tau; `settings.t_end` is a
  /// value of the time t.
  integrate::Outcome run(const std::vector<double>& parameters, double t0, const std::vector<double>& state,
                         const integrate::Settings& settings, const integrate::Sink& sink,
                         const integrate::Watch& watch) const;

 private:
  /// End of the run; a time within `rounding` of t counts as t.
  struct End {
    double t;
    double rounding;
  };
  [[nodiscard]] std::vector<double> values_at(const kernel::Kernel& kernel, const std::vector<double>& v,
                                              const std::vector<double>& parameters) const;
  [[nodiscard]] std::vector<double> start(double t0, const std::vector<double>& state,
                                          const std::vector<double>& parameters) const;
  [[nodiscard]] integrate::Sample in_time(const integrate::Sample& sample, const End& end) const;
  [[nodiscard]] integrate::Watch watch_for(const integrate::Watch& watch, const End& end) const;

  symbolic::Expr s_;
  std::size_t n_;
  std::size_t r_;
  integrate::Dynamics dynamics_;
  kernel::Kernel rate_;    ///< (s, E) as functions of the variables of the transformed system
  kernel::Kernel events_;  ///< events of the system as functions of the same variables; may be empty
};

}  // namespace herglotz::simulate
