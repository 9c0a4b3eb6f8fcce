#pragma once
/// The derived equations for readers: sections of simplified equations, and their printed forms.

#include <string>
#include <utility>
#include <vector>

#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::mechanics {

/// Equation left = right.
struct PrintedEquation {
  Expr left;
  Expr right;
};

struct PrintedSection {
  std::string title;
  std::vector<PrintedEquation> equations;
  std::vector<PrintedEquation> typeset;  ///< the second-order form, which LaTeX prints instead if it is not empty
};

/// A symbol that no model can name, and how it appears in each format; text prints its name.
struct Notation {
  Expr symbol;
  std::string latex;
  std::string sympy;
};

/// Description of neighbouring outputs of a program, in plain words; of the user's text it contains names only.
struct ProgramOutput {
  std::string what;
  std::size_t size = 1;
};

/// Returns the names of a model that LaTeX prints otherwise than symbolic::print: the names in System::latex, the
/// momenta of such velocities, and names that would be typeset alike, such as th and theta, which are set upright as
/// they are.
std::vector<Notation> names_in_latex(const System& system);

struct Presentation {
  std::string title;
  std::vector<Notation> notation;
  std::vector<PrintedEquation> definitions;  ///< named subexpressions of the model
  std::vector<PrintedSection> sections;
  symbolic::Program program;           ///< the right-hand side as a program, for Format::c
  std::vector<ProgramOutput> outputs;  ///< the outputs of `program`, in order; multipliers in the order of the model
};

/// A presentation whose long repeated parts have names.
struct NamedParts {
  std::vector<std::pair<std::string, Expr>> where;  ///< t1 = ..., in order of use
  std::vector<PrintedEquation> definitions;
  std::vector<PrintedSection> sections;
};

/// Names the long repeated parts of all equations, so that their printed size is bounded by the number of distinct
/// subexpressions. For LaTeX, the typeset form of a section is used if it has one.
NamedParts name_parts(const Presentation& presentation, symbolic::Format format);

/// Presents the kinematics, momenta (velocities for a Hamiltonian), equations of motion, action, energy, dissipation
/// rate and balance laws. The equations of motion are solved for dw/dt if W is diagonal or the result is no longer than
/// the rows W dw/dt = ... + L_z p, with the momenta by name; otherwise these rows are presented. If the anchor is the
/// identity, LaTeX has them in second-order form.
Presentation equations_of_motion(const System& system, const Equations& equations);

/// Prints a presentation as text; LaTeX (one align* environment, for amsmath and KaTeX, long rows broken); SymPy
/// (Python that defines the symbols and a dictionary `equations` of sections, each a list of pairs (left, right)); C
/// (the function of `program`). Long equations share named subexpressions. Control characters in titles and names are
/// escaped.
std::string render(const Presentation& presentation, symbolic::Format format);

}  // namespace herglotz::mechanics
