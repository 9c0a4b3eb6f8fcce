#pragma once
/// Coulomb friction: a force while a body slips, and a constraint while it sticks.

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Adds friction to the system: the force -slid sign(on) d on/dy, which acts while it slips. Throws Refused for a
/// Hamiltonian system, under the vakonomic rule, and for a function `on` that does not depend on the velocities, is not
/// linear in them, or makes comparisons.
void add_friction(System& system, Friction friction);
/// Adds friction on two velocities u = (u1, u2), the first of which is `friction.on`. It slips with the force
/// -slid u_k/|u| along d u_k/dy, and sticks with a force of any direction that is no larger than `held`. In
/// System::frictions it is two entries of one name. Throws Refused as above, and for velocities of one direction.
void add_friction(System& system, Friction friction, const Expr& second);
/// Throws Refused if two velocities, with these derivatives by the fibre coordinates, have one direction. `owner` is
/// the friction or impact that they belong to.
void require_across(const std::string& owner, const std::vector<Expr>& first, const std::vector<Expr>& second);
/// Returns whether entry k of System::frictions is the second velocity of the entry before it.
bool is_second_velocity(const System& system, std::size_t k);

/// Parameters of friction number k of a system whose modes are followed: its mode (1 or -1 while it slips forwards or
/// backwards, 0 while it sticks), and its force while it sticks, which is 0 otherwise. On two velocities the mode is 1
/// while it slips, and the force is that along each of them, whether it slips or sticks.
Expr friction_mode(const System& system, std::size_t k);
Expr friction_hold(const System& system, std::size_t k);

/// Returns the system from which columns are made: its forces have the modes, and behind these the holding forces, as
/// parameters behind those of the system. Observables mode.<name> and friction.<name> are added.
System with_friction_columns(const System& system);

/// The forces of a friction and the velocities of the fibre along which they act, one or two of each.
struct FrictionWork {
  std::string name;
  std::vector<Expr> forces;
  std::vector<Expr> velocities;  ///< d on/dy^a y^a

  [[nodiscard]] Expr power() const;
};

/// Returns the works of all frictions of a system, with the forces that its frictions have.
std::vector<FrictionWork> friction_works(const System& system);

/// Returns for each work the law dW/dt = L_z W + power of its budget, with W = 0 at the start. The budget of
/// the energy law is the sum of these and of what its other sources give. Accuracy is measured by the scale of the
/// energy.
std::vector<BalanceLaw> work_laws(const std::vector<FrictionWork>& works, const BalanceLaw& energy);

/// Throws Refused if the system has friction; `what` does not follow it.
void require_no_friction(const System& system, const std::string& what);

/// Returns the columns mode.<name>, friction.<name> and work.<name> of all frictions.
std::vector<std::string> friction_columns(const System& system);

}  // namespace herglotz::mechanics
