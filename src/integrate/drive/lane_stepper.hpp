#pragma once
/// Fixed steps of runs in lanes, the counterpart of FixedStepper for one run.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Set of few lanes, as bits.
class LaneBits {
 public:
  explicit LaneBits(std::size_t /*lanes*/) {}
  LaneBits(unsigned bits) : bits_(bits) {}     // NOLINT(*-explicit-*)
  operator unsigned() const { return bits_; }  // NOLINT(*-explicit-*)
  [[nodiscard]] bool contains(std::size_t lane) const { return (bits_ >> lane & 1U) != 0; }
  void insert(std::size_t lane) { bits_ |= 1U << lane; }
  void erase(std::size_t lane) { bits_ &= ~(1U << lane); }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] bool within(LaneBits other) const { return (bits_ & ~other.bits_) == 0; }

 private:
  unsigned bits_ = 0;
};

/// One-step method that carries the states of a group of runs. Sets of lanes are bits. Every lane does bit for bit what
/// the FixedStepper of the method does. If a lane fails, its run is left to integrate(), which can say why.
class LaneStepper {
 public:
  using Set = LaneBits;
  virtual ~LaneStepper() = default;
  /// Forgets the runs before, which must not affect the next ones.
  virtual void clear() = 0;
  /// Sets a lane at the start of a run. `parameters` must stay where they are until the next clear(). Returns false if
  /// the run cannot start.
  virtual bool start(std::size_t lane, std::span<const double> parameters, double t0,
                     std::span<const double> state) = 0;
  /// Makes steps as FixedStepper::advance does. Returns the lanes in which all steps succeeded. Lanes that are not
  /// among `lanes` may end in any state.
  virtual unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) = 0;
  /// Prepares the samples at time t, which sample() is asked for next. Returns the lanes that have a sample.
  virtual unsigned show(double t, unsigned lanes) = 0;
  /// Writes the sample of a lane, as FixedStepper::sample does.
  virtual void sample(std::size_t lane, double t, Sample& sample) = 0;
  /// Returns a copy that can step aside without disturbing this stepper. It reads the same parameters.
  [[nodiscard]] virtual std::unique_ptr<LaneStepper> copy() const = 0;
  /// Takes over the states of another stepper of the same kind and group.
  virtual void follow(const LaneStepper& other) = 0;
};

/// Function that makes a stepper of `width` lanes. Its kernels read these parameters: all lanes of one, then of the
/// next.
using MakeLaneStepper = std::function<std::unique_ptr<LaneStepper>(const double* parameters)>;

/// Follows runs as integrate_lanes() does, one group after the other, with the steps and samples of
/// drive_fixed_steps(). Runs that start at another time than the others of their group are left to integrate().
bool follow_groups(const LaneProblem& problem, std::size_t width, std::size_t parameters, const MakeLaneStepper& make);

}  // namespace herglotz::integrate
