#pragma once
/// Runs that their caller makes step by step.

#include <memory>
#include <span>
#include <string_view>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// A run that waits after each step of its method until its caller wants the next one. Its states are the rows of
/// Simulator::run with output_every = 1, to the last bit; the caller may stop at any of them. Between two steps the run
/// waits in a thread of its own, so that every method can be stepped. A Stepper serves one thread at a time.
class Stepper {
 public:
  /// Begins a run: after that state() is the start. `settings` chooses method, step or tolerance, and t_end, at which
  /// the last step ends; output and columns are ignored, and so are the events of the system. The simulator must
  /// outlive the Stepper. Throws as Simulator::run does, with an empty trajectory. Throws Refused for
  /// time_scale, and for starts that are to be moved with fixed coordinates.
  Stepper(const Simulator& simulator, const InitialState& initial, const Settings& settings,
          const InitialState& parameters = {});
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  /// Makes one step. Returns false at t_end, where nothing changes any more. If a step fails, throws RunFailed with an
  /// empty trajectory; state() is then the last state that was reached.
  bool step();

  [[nodiscard]] double t() const;
  /// Returns (x, w, z), then nu of a vakonomic system, in the order of Dynamics::names.
  [[nodiscard]] std::span<const double> state() const;
  /// Returns an entry of the state, or the time, by name. Throws Refused for other names.
  [[nodiscard]] double operator[](std::string_view name) const;
  /// Returns the state with the multipliers, the logarithm of the integrating factor, and the budgets of the balance
  /// laws.
  [[nodiscard]] const integrate::Sample& sample() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
