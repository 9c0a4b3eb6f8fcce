#pragma once
/// Equations of motion of a model with an index, derived once for a symbolic site.

#include <string>
#include <vector>

#include "herglotz/families/model.hpp"

namespace herglotz::families {

/// The equations at the site i, for each base family f with velocity v_f:
///   d p_f/dt = force_f + external_f + L_z p_f,
///   p_f = dL/dv_f[i] = sum over offsets a of dl/dv_f[i+a], moved back by a.
/// Their derivation costs the same for any number of sites.
struct Equations {
  std::vector<Expr> momentum;
  std::vector<Expr> force;     ///< dL/dq_f[i]; with Borders::ignored without edges and pairs
  std::vector<Expr> external;  ///< forces that are given
  std::vector<Expr> inertia;   ///< dp_f/dv_f[i]
  /// The inverse of the matrix dp_f/dv_g[i], where the kinetic energy couples families; empty where it does not.
  std::vector<std::vector<Expr>> inverse{};
  std::vector<Expr> acceleration;  ///< dv_f/dt
  Expr energy{};                   ///< density of E + rest = sum p v - sum l, without edges and pairs
  Expr lagrangian;                 ///< density of the sums of L over the sites
  Expr L_z;                        ///< d rest/dz
};

/// Treatment of the sites at which a sum ends.
enum class Borders : std::uint8_t {
  ignored,  ///< the equations are those of a site far from all ends, for readers
  kept      ///< for kernels: every term is multiplied by 1 at the sites of its sum and by 0 elsewhere, and the forces
            ///< of edges, pairs and constraints are elements of their own
};

/// Derives the equations. Throws Refused if velocities of different sites are coupled, or if the action does not enter
/// linearly as a term of its own.
Equations derive(Model& model, Borders borders);

/// Returns what changes of the momenta of a site make of its velocity v_f: sum over g of dv_f/dp_g times change_g.
Expr by_inertia(const Equations& equations, std::size_t f, const std::vector<Expr>& changes);

/// Returns the momenta of a site at rest, which are not 0 where L has terms linear in the velocities.
std::vector<Expr> momenta_at_rest(Model& model, const Equations& equations);

/// Returns whether the momenta are linear in the velocities.
bool is_quadratic(const Model& model, const Equations& equations, std::size_t f);

/// Balance law dQ/dt = L_z Q + source of a sum Q over the sites, as densities at a site. The energy comes first,
/// without - rest, then the momenta of the symmetries.
struct Law {
  Expr quantity;
  Expr size;    ///< terms that bound those of Q: p v for the energy, |p X| for a momentum
  Expr rate;    ///< the |terms| of dQ/dt
  Expr source;  ///< external source; 0 without one
};

/// Returns the laws of equations that were derived with Borders::kept.
std::vector<Law> laws(Model& model, const Equations& equations);

/// H = sum over the sites of kinetic(p) + potential(q), with what rest(z), edges and pairs add, without reactions.
struct Split {
  std::vector<Expr> velocity;  ///< dH/dp_f at the site, in the momentum families
  std::vector<Expr> force;     ///< -dH/dq_f, in the base families
  Expr kinetic;
  Expr along_kinetic;  ///< dz/dt by the flow of the kinetic energy alone: p dH/dp - kinetic
  Expr potential;
  Expr source;  ///< d potential/dt at fixed coordinates
  Expr L_z;     ///< d rest/dz
};

/// Splits the Hamiltonian. Throws Refused that names the term that does not fit.
Split split(Model& model);

/// Returns the number of the family p_<fibre>, the momenta of a base family. Adds this family where it is missing.
std::size_t momentum_family(Model& model, std::size_t base);

/// Returns the number of the family of the forces that edges, pairs and constraints exert on a base family. Adds it
/// where it is missing.
std::size_t link_family(Model& model, std::size_t base);

/// Returns the rate at which a section changes L, the density of s^C L; 0 for a symmetry.
Expr lifted(Model& model, const Symmetry& symmetry);

/// Returns the rate at which a section changes a sum over edges or pairs, as a density.
Expr lifted(Model& model, const Symmetry& symmetry, const GraphSum& sum);

/// Returns whether the section leaves the densities of L unchanged, those of edges and pairs included.
bool keeps_densities(Model& model, const Symmetry& symmetry);

/// Returns whether the section is a symmetry of L, ends included.
bool is_symmetry(Model& model, const Symmetry& symmetry);

/// Returns the values of the parameters in the order of the model.
std::vector<double> parameter_values(const Model& model);

}  // namespace herglotz::families
