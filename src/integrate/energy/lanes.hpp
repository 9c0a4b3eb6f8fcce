#pragma once
/// Methods that obey the energy law in lanes: runs that start together go through the same steps, with Newton's method
/// in lock step.

#include <memory>
#include <span>

#include "drive/method.hpp"

namespace herglotz::integrate {

/// Interface to EnergyStep in lanes. It passes plain numbers, since code for lanes is compiled for other registers.
/// Arrays are lane-minor, and sets of lanes are bits.
class EnergyLanes {
 public:
  virtual ~EnergyLanes() = default;
  [[nodiscard]] virtual std::unique_ptr<EnergyLanes> copy() const = 0;
  virtual void follow(const EnergyLanes& other) = 0;

  /// Returns (x, p, z, log factor, budgets, energy by its law).
  [[nodiscard]] virtual const double* state() const = 0;
  /// Returns (x, w, z).
  [[nodiscard]] virtual const double* last_state() const = 0;
  /// Sets both states of a lane, and the mass in the metric of its corrections, at the start of its run.
  virtual void start(int lane, const double* last, const double* state, double mass) = 0;
  /// Makes one step. Returns the lanes in which it succeeded.
  virtual unsigned step(double t, double h, unsigned lanes) = 0;
};

/// Makes the steps of W lanes. Compiled for W = 4 and 8, for registers of that width.
template <int W>
std::unique_ptr<EnergyLanes> make_energy_lanes(const Dynamics& wide, const double* parameters,
                                               std::span<const double> fractions);

/// Returns the form of steps composed of these fractions, which must outlive the form.
LaneForm energy_lanes(std::span<const double> fractions);

}  // namespace herglotz::integrate
