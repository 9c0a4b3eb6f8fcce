#pragma once
/// Methods on action groupoids in lanes: runs that start together go through the same steps, Newton's method in lock
/// step.

#include <memory>
#include <optional>
#include <vector>

#include "groupoid/group_action.hpp"
#include "groupoid/retraction.hpp"
#include "herglotz/integrate/lanes.hpp"

namespace herglotz::integrate {

/// Which symmetric composition of which step a method is.
struct GroupoidScheme {
  RetractionKind kind = RetractionKind::exponential;
  std::vector<double> fractions;
};
/// Nothing for a method on something else.
std::optional<GroupoidScheme> groupoid_scheme(const MethodInfo& method);

/// GroupoidMotion in lanes, by plain numbers, since code for lanes is compiled for other registers. Arrays are
/// lane-minor, sets of lanes are bits.
class GroupoidLanes {
 public:
  virtual ~GroupoidLanes() = default;
  [[nodiscard]] virtual std::unique_ptr<GroupoidLanes> copy() const = 0;
  virtual void follow(const GroupoidLanes& other) = 0;

  /// (x, mu, z, log factor, budgets).
  [[nodiscard]] virtual const double* state() const = 0;
  /// The best known xi at the end of the last step (r).
  [[nodiscard]] virtual const double* xi() const = 0;
  /// Sets a lane at the start of its run.
  virtual void start(int lane, const GroupStructure& group, const ActionNumbers& action, const double* state,
                     const double* xi, const double* multipliers) = 0;
  /// The lanes where it succeeded.
  virtual unsigned step(double t, double h, unsigned lanes) = 0;
};

std::unique_ptr<GroupoidLanes> groupoid_lanes_8(const Dynamics& wide, const double* parameters,
                                                const GroupoidScheme& scheme);
std::unique_ptr<GroupoidLanes> groupoid_lanes_4(const Dynamics& wide, const double* parameters,
                                                const GroupoidScheme& scheme);

/// Whether the kernels of a system are there, in lanes.
bool follows_groupoid(const Dynamics& wide);
/// As integrate_lanes().
bool follow_groupoid(const Dynamics& dynamics, const Dynamics& wide, const GroupoidScheme& scheme,
                     const Settings& settings, const LaneRuns& runs);

}  // namespace herglotz::integrate
