#pragma once
/// Runs a system in a fictitious time, with samples in its own.

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The kernels of mechanics::transform_time, and runs with them that look as if there were no such thing.
class ScaledTime {
 public:
  /// Throws std::invalid_argument for constrained systems. `events` are those of the system.
  ScaledTime(const mechanics::System& system, const mechanics::Equations& equations,
             const std::vector<mechanics::BalanceLaw>& laws, const symbolic::Expr& s, const compile::Options& options);

  [[nodiscard]] const symbolic::Expr& scale() const { return s_; }
  /// Throws std::invalid_argument where the method or a setting does not go with a time scale, or where it is not
  /// positive at the start.
  void require(const integrate::MethodInfo& method, const Settings& settings, double t0,
               const std::vector<double>& state, const std::vector<double>& parameters) const;
  /// As integrate::integrate. settings.step is one of tau; t_end is where t arrives.
  integrate::Outcome run(const std::vector<double>& parameters, double t0, const std::vector<double>& state,
                         const integrate::Settings& settings, const integrate::Sink& sink,
                         const integrate::Watch& watch) const;

 private:
  /// Where the run ends; a time within `rounding` of t is t.
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
  kernel::Kernel rate_;    ///< variables of the transformed system: (s, E)
  kernel::Kernel events_;  ///< the system's, of the same variables; may be empty
};

}  // namespace herglotz::simulate
