#pragma once
/// Comparisons in the equations of a system, which divide its motion into smooth pieces.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/mechanics/events/friction.hpp"

namespace herglotz::mechanics {

/// Friction on two velocities u = (u1, u2). Each piece of the motion holds a direction a, and friction acts against a
/// turned by atan((a x u)/(a.u + eps)). This is u/|u| while a.u > 0, a where u vanishes, and -u/|u| while a.u < 0, so
/// that friction on a straight slip is smooth even across its end. A piece ends where a.u has become much smaller or
/// much larger, and the next one takes the direction that the slip has there.
struct SlipPlane {
  std::vector<Expr> velocities;  ///< u1 and u2
  std::vector<Expr> forces;      ///< along d u1/dy and d u2/dy
  /// a1, a2, eps, and the bounds of a.u. Where others hold a velocity of the two at rest, the force along u_k is the
  /// largest one times s_k + r_k (t - t_0), with s1, s2, t_0, r1 and r2 in their place, and a force d_k more, which is
  /// 0 unless it is asked what it does. Last come d1 and d2.
  std::vector<Expr> parameters;
  std::size_t first_parameter = 0;  ///< place of these behind the modes of all switches
  std::size_t first_event =
      0;  ///< place of (u1, u2, forces, largest force) in the events, behind those of all switches
};

/// Change in time of the force of a friction on one velocity that shares at rest, in a system that has frictions on two
/// velocities too: its mode is replaced by s + r (t - t_0), with s the mode. The force d is added, which is 0 unless it
/// is asked what it does.
struct ShareChange {
  /// r, t_0, how much the mode may change before the force has its largest size, and d. If r is 0, the mode does not
  /// change, and the third of these is 1.
  std::vector<Expr> parameters;
  std::size_t first_parameter = 0;  ///< place of these behind the modes of all switches
};

/// How a switch takes part in a piece of the motion.
enum class Hold : std::uint8_t {
  none,        ///< its outcome is its mode
  constraint,  ///< the motion is held where its function is zero, and where both velocities of a friction are
  /// Friction whose velocity others hold at zero: its force is minus its mode times its largest one. Friction on two
  /// velocities has the given forces of its SlipPlane.
  share,
  first,  ///< friction on two velocities: the first one holds the motion, and the second one shares
  second  ///< the second one holds the motion, and the first one shares
};
using Holds = std::vector<Hold>;
/// Returns whether a switch holds the motion.
bool is_held(const Holds& holds);

/// A comparison of the equations whose outcome a parameter holds along a smooth piece of the motion.
struct Switch {
  std::string text;     ///< the function that is compared with 0, or that floor rounds
  Expr mode;            ///< its parameter: 1 where the function is positive and -1 elsewhere, or the value of floor
  bool rounds = false;  ///< whether it is a floor
  Hold hold = Hold::none;
  /// Places in the events of the switched system of the functions that are positive while the outcome holds: mode times
  /// the function; for a floor its distances from the whole numbers below and above; where it slides, what is left of
  /// the force towards the positive and towards the negative side. A friction that shares has a function that is
  /// positive until its force, if that changes in time, has its largest size.
  std::size_t first_event = 0;
  Expr function{};
  /// Place in System::frictions of the friction that the switch belongs to: the function is its velocity.
  std::optional<std::size_t> friction{};
  std::size_t work = 0;  ///< place of that friction in SwitchedSystem::works
  Expr largest{};        ///< of a friction: the largest force that holds it
  /// Place in the events of its force, if it shares or its shares may change: behind those of the slip planes. If they
  /// may change, its velocity comes next.
  std::size_t force_event = 0;
  /// Set for a friction on two velocities. The function of the switch is then a.u, which stays positive while it slips.
  std::optional<SlipPlane> plane{};
  /// Set for a friction on one velocity if the system has frictions on two velocities too.
  std::optional<ShareChange> change{};

  [[nodiscard]] std::size_t events() const {
    if (plane) return hold == Hold::none ? 2 : 1;
    return rounds || hold == Hold::constraint ? 2 : 1;
  }
  /// Returns the number of velocities that its function is made of.
  [[nodiscard]] std::size_t velocities() const { return plane ? 2 : 1; }
  /// Returns whether velocity number `k` of it holds the motion.
  [[nodiscard]] bool holds(std::size_t k) const {
    return hold == Hold::constraint || hold == (k == 0 ? Hold::first : Hold::second);
  }
  /// Returns the number of constraints that hold the motion.
  [[nodiscard]] std::size_t constraints() const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < velocities(); ++k) count += holds(k) ? 1 : 0;
    return count;
  }
};

/// A system whose Lagrangian (Hamiltonian), forces and constraints have parameters in place of the comparisons in sign,
/// abs, floor and select that depend on the state or on time, and in place of the modes of its frictions. Its events
/// come in this order: the unchanged events of the given system, the events of the switches, those of the slip planes,
/// and those of frictions on one velocity that share or whose shares may change. Its last parameters are the modes of
/// the switches, and behind them those of the slip planes and of the changes of shares.
struct SwitchedSystem {
  System system;
  std::vector<Switch> switches;  ///< a switch inside the function of another one comes before it; frictions come last
  std::vector<FrictionWork> works{};  ///< of the frictions of the system, with the forces of their modes
};

/// Returns the system with its switches, or `std::nullopt` if its equations have none and it has no friction.
std::optional<SwitchedSystem> switched(const System& system);

/// Returns whether a motion may be held where the function of a switch is zero: the function g depends on the
/// velocities, its outcome s stands in the forces alone, and these are F0 + s k dg/dy. The held motion has the
/// nonholonomic constraint g = 0, whose multiplier is s k with s between -1 and 1: the sliding motion of Filippov
/// [Fil88, Sec. 4], which is sticking if the force is dry friction. A friction may always be held; its multiplier lies
/// within its own bounds.
bool may_slide(const SwitchedSystem& switched, std::size_t k);

/// Returns the system held at some of its switches, which may all slide; those that share are frictions. Its
/// observables are left out.
SwitchedSystem held(const SwitchedSystem& switched, const Holds& holds);

}  // namespace herglotz::mechanics
