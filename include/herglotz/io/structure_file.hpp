#pragma once
/// Contact and Jacobi structures of one's own, as files with a table [structure].

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/mechanics/geometry/structure_presentation.hpp"
#include "herglotz/simulate/related.hpp"

namespace herglotz::io {

/// A structure as a file states it: `coordinates` with `form`, or with `tensor` and `field`; with `constraints` and the
/// forms of their `reactions` if there are constraints. The file also has the parameters and the start of flows.
struct StructureFile {
  std::shared_ptr<symbolic::Graph> graph;
  mechanics::NamedStructure structure;
  std::vector<mechanics::Parameter> parameters;
  simulate::InitialState initial;
};

/// Returns whether the text has a table [structure].
bool states_structure(std::string_view text, const std::string& file);
/// Reads a structure; `file` is the name used in errors. Throws InputError, at [structure] for a form that is not
/// contact, for a tensor that is not skew, and for reactions that do not keep the constraints.
StructureFile parse_structure(std::string_view text, const std::string& file);
/// Returns the problem of the flow of X_f for a function of the coordinates and parameters, with f as the observable
/// `f` [LJL21, Eq. 33]; with `along` that along X_f^Delta or P(X_f), with the constraints as the observables
/// `constraint_1`, ... [LJL21, Eqs. 81, 105]. Throws Refused for a text that is no such function, and for `along` of a
/// structure without constraints.
simulate::Problem flow_of_structure(const StructureFile& from, const std::string& f,
                                    std::optional<simulate::ConstrainedField> along = std::nullopt);
/// Throws Refused if the start of a flow along constraints, with its parameters, is off them by more than rounding.
void require_on_constraints(const StructureFile& from, const simulate::Problem& flow);

}  // namespace herglotz::io
