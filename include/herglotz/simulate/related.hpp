#pragma once
/// Problems whose motion belongs to another problem: flows of functions, and the action as a coordinate.

#include "herglotz/geometry/constrained_structure.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::simulate {

/// Returns the problem whose motion is the flow of X_f for a function f(x, p, z, t) of the phase space of a problem:
/// the Hamiltonian system of f on its algebroid, without forces, constraints and outputs. [LJL21, Eq. 33]. A start with
/// velocities has the momenta p = dL/dy. Throws Refused for an f with velocities.
Problem flow_of(const Problem& problem, const symbolic::Expr& f);

/// The fields of a function along constraints with reactions. Both keep the constraints.
enum class ConstrainedField {
  of_bracket,  ///< X_f^Delta, the field of the nonholonomic bracket [LJL21, Eq. 105]
  projected    ///< P(X_f), the motion with the Hamiltonian f and the reactions [LJL21, Eqs. 79-81]
};

/// Returns the problem whose motion is that along X_f^Delta or P(X_f) for a function f(x, y, z), or f(x, p, z) of a
/// Hamiltonian, with nonholonomic constraints. Positions, velocities and action are base coordinates, the field is the
/// anchor of the one fibre coordinate `pace`, which is 1, and the constraints are observables `constraint_1`,
/// ..., which stay 0 [LJL21, Thm 18]. f may have momenta and the energy in it, too. Throws Refused for a field that
/// depends on time, and as mechanics::constrained_geometry does.
Problem constrained_flow_of(const Problem& problem, const symbolic::Expr& f,
                            ConstrainedField field = ConstrainedField::of_bracket);
/// Adds the constraints of a flow as observables `constraint_1`, ...; a name that a coordinate or parameter has gets
/// `_` behind it.
void observe_constraints(Problem& flow, const std::vector<symbolic::Expr>& constraints);
/// Returns that field of a structure along constraints; `free` is the structure without them.
geometry::VectorField field_along(const geometry::ConstrainedStructure& structure,
                                  const geometry::JacobiStructure& free, const symbolic::Expr& f,
                                  ConstrainedField field);

/// Returns the problem whose motion is the flow of a field on any coordinates: these are the base, the field is the
/// anchor of the one fibre coordinate `pace`, which is 1. The action and time get these names, or the next ones that
/// are free.
Problem flow_of_field(const geometry::VectorField& field, const std::shared_ptr<symbolic::Graph>& graph,
                      const std::vector<mechanics::Parameter>& parameters, const std::string& action,
                      const std::string& time);

/// Returns the names that a function of the phase space of a system may use.
symbolic::Scope phase_scope(const mechanics::System& system);

/// Returns the problem on E x TR with the action as one more coordinate (see mechanics::with_action_as_coordinate),
/// with the start of the problem. [LLMR21, Secs. 3-5]. Throws Refused as that function does.
Problem extended(const Problem& problem, mechanics::Rule rule);

/// Returns sentences about the events of a problem that the one which is made of it does not have.
std::vector<std::string> events_left_out(const Problem& given, const Problem& made);

}  // namespace herglotz::simulate
