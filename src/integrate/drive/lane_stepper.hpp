#pragma once
/// Fixed steps of runs in lanes: what FixedStepper is for one run.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "drive/method.hpp"

namespace herglotz::integrate {

/// A one-step method that carries the states of a group of runs; sets of lanes are bits. Every lane does bit for bit
/// what the FixedStepper of the method does. Where one fails the run is left to integrate(), which knows why.
class LaneStepper {
 public:
  virtual ~LaneStepper() = default;
  /// Forgets the runs before, of which the next ones must not see anything.
  virtual void clear() = 0;
  /// Sets a lane at the start of a run. `parameters` stay where they are until the next clear(). False where the run
  /// cannot start.
  virtual bool start(std::size_t lane, std::span<const double> parameters, double t0,
                     std::span<const double> state) = 0;
  /// As FixedStepper::advance; the lanes where all steps succeeded. Lanes that are not among `lanes` may do anything.
  virtual unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) = 0;
  /// Prepares the samples at time t, which sample() is asked for next; the lanes where there is one.
  virtual unsigned show(double t, unsigned lanes) = 0;
  /// As FixedStepper::sample.
  virtual void sample(std::size_t lane, double t, Sample& sample) = 0;
  /// A copy that steps aside without disturbing this one; it reads the same parameters.
  [[nodiscard]] virtual std::unique_ptr<LaneStepper> copy() const = 0;
  /// Takes over the states of another stepper of the same kind and group.
  virtual void follow(const LaneStepper& other) = 0;
};

/// A stepper of `width` lanes, whose kernels read these parameters: all lanes of one, then of the next.
using MakeLaneStepper = std::function<std::unique_ptr<LaneStepper>(const double* parameters)>;

/// As integrate_lanes(), one group of runs after the other, with the steps and samples of follow_fixed(). Runs that
/// start at another time than the others of their group are left to integrate().
bool follow_groups(const LaneProblem& problem, std::size_t width, std::size_t parameters, const MakeLaneStepper& make);

}  // namespace herglotz::integrate
