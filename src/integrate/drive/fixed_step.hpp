#pragma once
/// The loop of the fixed-step methods: steps, samples, and how a run ends.

#include <memory>

#include "motion/run.hpp"

namespace herglotz::integrate {

/// A one-step method that carries its own state.
class FixedStepper {
 public:
  virtual ~FixedStepper() = default;
  /// Sets the state from the start of the run. Anything but success stops the run; reason() says why.
  virtual Status start() = 0;
  /// One step from time t to t + h. On failure the state stays as it was.
  virtual Status step(double t, double h) = 0;
  /// `count` steps from times t0 + k h with k = first, first + 1, ..., bit for bit those of step(). On failure the
  /// state stays as it was after the `done` steps before.
  virtual Status advance(double t0, double h, std::size_t first, std::size_t count, std::size_t& done) {
    for (done = 0; done < count; ++done) {
      const std::size_t k = first + done;
      if (const Status status = step(k == 0 ? t0 : t0 + static_cast<double>(k) * h, h); status != Status::success)
        return status;
    }
    return Status::success;
  }
  /// Writes state, log factor and budgets of time t into the sample.
  virtual Status sample(double t, Sample& sample) = 0;
  /// A copy that steps aside without disturbing this one.
  [[nodiscard]] virtual std::unique_ptr<FixedStepper> copy() const = 0;
  /// Takes over the state of another stepper of the same kind.
  virtual void follow(const FixedStepper& other) = 0;
  /// The state closest to what is known, for messages when it cannot be sampled.
  [[nodiscard]] virtual std::span<const double> last_state() = 0;
  [[nodiscard]] virtual const std::string& reason() const = 0;
  [[nodiscard]] virtual std::size_t newton_iterations() const = 0;
};

/// Steps of settings.step to t_end; the last one is shortened to end there, unless t_end is a whole number of steps
/// away (to 1e-9). Samples that fall inside a step are reached by a shorter step of a copy.
Outcome follow_fixed(const Run& run, FixedStepper& stepper);

}  // namespace herglotz::integrate
