#pragma once
/// Symbols of the printed equations that no model can name: rates, momenta of sections, the dissipation rate.

#include <string>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// Returns a name that a user chose, such as that of a symmetry, set upright in LaTeX.
std::string upright_name(const std::string& name);
/// Returns a title, which may hold such names, as bold text in LaTeX.
std::string bold_words(const std::string& title);
/// Returns a variable of Python for such a name: characters that no variable has become "_".
std::string variable_name(const std::string& name);

/// Returns whether the velocities are the rates of the base coordinates, rho = 1.
[[nodiscard]] bool anchor_is_identity(const geometry::Algebroid& e);

/// Table of printed symbols; it makes each symbol once and remembers how it is printed.
class NotationTable {
 public:
  explicit NotationTable(const System& system) : system_(system), entries_(names_in_latex(system)) {}

  Expr rate(Expr of, int order = 1);         ///< d(of)/dt or d2(of)/dt2
  Expr velocity(Expr of);                    ///< d(of)/dt as a factor, at the place of a velocity
  Expr dissipation_rate();                   ///< dL/dz
  Expr momentum(const std::string& name);    ///< J(name), the momentum of a section
  Expr dissipated(const std::string& name);  ///< f(name), a dissipated function
  Expr energy();                             ///< E
  /// Adds a symbol with a name that no model can write, for example "{x, y}".
  Expr add(const std::string& name, std::string latex, std::string sympy);
  [[nodiscard]] std::string latex_of(Expr symbol) const;
  [[nodiscard]] std::string sympy_of(Expr symbol) const;
  [[nodiscard]] const std::vector<Notation>& entries() const { return entries_; }

 private:
  Expr named(const std::string& letter, const std::string& name);
  [[nodiscard]] const Notation* find(Expr symbol) const;

  const System& system_;
  std::vector<Notation> entries_;
};

}  // namespace herglotz::mechanics
