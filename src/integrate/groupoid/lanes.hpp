#pragma once
/// Methods on action groupoids in lanes: runs that start together go through the same steps, with Newton's method in
/// lock step.

#include <memory>
#include <span>

#include "drive/method.hpp"
#include "groupoid/group_action.hpp"
#include "groupoid/retraction.hpp"

namespace herglotz::integrate {

/// Scheme of a method: a symmetric composition of steps with one kind of retraction.
struct GroupoidScheme {
  RetractionKind kind = RetractionKind::exponential;
  std::span<const double> fractions;  ///< of a symmetric composition; static lifetime
};

/// Interface to GroupoidMotion in lanes. It passes plain numbers, since code for lanes is compiled for other registers.
/// Arrays are lane-minor, and sets of lanes are bits.
class GroupoidLanes {
 public:
  virtual ~GroupoidLanes() = default;
  [[nodiscard]] virtual std::unique_ptr<GroupoidLanes> copy() const = 0;
  virtual void follow(const GroupoidLanes& other) = 0;

  /// Returns (x, mu, z, log factor, budgets).
  [[nodiscard]] virtual const double* state() const = 0;
  /// Returns the best known xi at the end of the last step (r).
  [[nodiscard]] virtual const double* xi() const = 0;
  /// Sets a lane at the start of its run.
  virtual void start(int lane, const GroupStructure& group, const ActionNumbers& action, const double* state,
                     const double* xi, const double* multipliers) = 0;
  /// Makes one step. Returns the lanes in which it succeeded.
  virtual unsigned step(double t, double h, unsigned lanes) = 0;
};

/// Makes the steps of W lanes. Compiled for W = 4 and 8, for registers of that width.
template <int W>
std::unique_ptr<GroupoidLanes> make_groupoid_lanes(const Dynamics& wide, const double* parameters,
                                                   const GroupoidScheme& scheme);

/// Returns the form of the scheme.
LaneForm groupoid_lanes(const GroupoidScheme& scheme);

}  // namespace herglotz::integrate
