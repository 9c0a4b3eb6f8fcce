#pragma once
/// Loop of the fixed-step methods over steps and samples, to the end of a run.

#include <memory>
#include <string>

#include "motion/run.hpp"

namespace herglotz::integrate {

/// One-step method that carries its own state.
class FixedStepper {
 public:
  virtual ~FixedStepper() = default;
  /// Sets the state from the start of the run. Any status but success stops the run, and reason() says why.
  virtual Status start() = 0;
  /// Makes one step from time t to t + h. On failure the state stays as it was.
  virtual Status step(double t, double h) = 0;
  /// Makes `count` steps from times t0 + k h with k = first, first + 1, ..., bit for bit as step() does. On failure the
  /// state stays as it was after the `done` steps before.
  virtual Status advance(double t0, double h, std::size_t first, std::size_t count, std::size_t& done) {
    for (done = 0; done < count; ++done) {
      const std::size_t k = first + done;
      if (const Status status = step(k == 0 ? t0 : t0 + static_cast<double>(k) * h, h); status != Status::success)
        return status;
    }
    return Status::success;
  }
  /// Writes the state, log factor and budgets at time t into the sample.
  virtual Status sample(double t, Sample& sample) = 0;
  /// Returns a copy that can step aside without disturbing this stepper.
  [[nodiscard]] virtual std::unique_ptr<FixedStepper> copy() const = 0;
  /// Takes over the state of another stepper of the same kind.
  virtual void follow(const FixedStepper& other) = 0;
  /// Returns the best known state, for messages if the state cannot be sampled.
  [[nodiscard]] virtual std::span<const double> last_state() = 0;
  [[nodiscard]] virtual const Reason& reason() const = 0;
  [[nodiscard]] virtual std::size_t newton_iterations() const = 0;
};

/// Returns the remedy if steps must be smaller than a bound.
std::string take_a_step_below(double bound);

/// Returns the reason if Newton's method did not converge in a step of this size.
Reason iteration_not_converged(double step, double last_update);

/// Follows a run to t_end by steps of settings.step. The last step is shortened to end there, unless t_end is a whole
/// number of steps away (to 1e-9). A step with breaks inside is made in parts that end there. Samples that fall inside
/// a step are reached by a shorter step of a copy.
Outcome drive_fixed_steps(const Run& run, FixedStepper& stepper);

}  // namespace herglotz::integrate
