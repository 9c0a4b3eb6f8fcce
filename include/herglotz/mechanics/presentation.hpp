#pragma once
/// The derived equations as a person reads them: sections of simplified equations, and their printed forms.

#include <string>
#include <vector>

#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::mechanics {

/// left = right.
struct PrintedEquation {
  Expr left;
  Expr right;
};

struct Section {
  std::string title;
  std::vector<PrintedEquation> equations;
  bool restates = false;  ///< says again, for reading, what another section says
};

/// A symbol that no model can name, and how it appears in each format; text prints its name.
struct Notation {
  Expr symbol;
  std::string latex;
  std::string sympy;
};

struct Presentation {
  std::string title;
  std::vector<Notation> notation;
  std::vector<PrintedEquation> definitions;  ///< named subexpressions of the model
  std::vector<Section> sections;
  symbolic::Program program;  ///< the right-hand side as a program, for Format::c
};

/// Kinematics, momenta (velocities for a Hamiltonian), equations of motion, action, energy, dissipation rate and
/// balance laws. The equations of motion are solved for dw/dt where W is diagonal or small and the result is not much
/// longer than W dw/dt = b; else they are those rows. Where the anchor is the identity the second-order form is added.
Presentation equations_of_motion(const System& system, const Equations& equations);

/// Text; LaTeX (one align* environment, for amsmath and KaTeX); SymPy (Python that defines the symbols and a dictionary
/// `equations` of sections); C (the function of `program`). Long equations share named subexpressions.
std::string render(const Presentation& presentation, symbolic::Format format);

}  // namespace herglotz::mechanics
