#pragma once
/// Sections with the components of fields, forms, brackets and projectors in a chart.

#include <string>
#include <vector>

#include "herglotz/geometry/constrained_structure.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "shorten/on_constraint.hpp"

namespace herglotz::mechanics {

/// Writer of such sections into a presentation. What derives from it says how coordinates are named and how entries are
/// shortened.
class TensorSections {
 public:
  TensorSections() = default;
  TensorSections(const TensorSections&) = delete;
  TensorSections& operator=(const TensorSections&) = delete;
  TensorSections(TensorSections&&) = delete;
  TensorSections& operator=(TensorSections&&) = delete;
  virtual ~TensorSections() = default;

 protected:
  /// Name of a tensor or of a coordinate in the formats.
  struct Name {
    std::string text;
    std::string latex;
    std::string sympy;
  };
  [[nodiscard]] virtual Name name_of(const Expr& coordinate) = 0;
  /// Returns a symbol that is printed by this name.
  virtual Expr plain(const Name& name) = 0;
  /// Returns a shorter form of an entry.
  virtual Expr read(const Expr& f) = 0;

  /// Adds a section if there are equations.
  void section(std::string title, std::vector<PrintedEquation> equations);
  /// Returns one row for each component that does not vanish.
  std::vector<PrintedEquation> rows(const Name& tensor, const geometry::Chart& u, const std::vector<Expr>& components,
                                    const char* place = "^");
  std::vector<PrintedEquation> rows(const Name& field, const geometry::VectorField& X) {
    return rows(field, X.u, X.components);
  }
  /// Lists the brackets {1, u} and {u, u'} that do not vanish. `skew` brackets are listed once.
  void brackets(std::string title, const geometry::JacobiStructure& jacobi, bool on_constraint, bool skew);
  /// Lists the components of Z_a and the matrix C_ab.
  void reactions(const geometry::ConstrainedStructure& s);
  /// Lists the entries of P that are not those of the identity.
  void projector(const geometry::ConstrainedStructure& s);
  /// Lists {f, {g, h}} + cyclic of the coordinates. The brackets are shortened on Phi = 0 first; the change vanishes
  /// with the functions Phi, which are Casimirs.
  void jacobiators(const geometry::ConstrainedStructure& s, const OnConstraint& on_constraint);

  Presentation result_;
};

}  // namespace herglotz::mechanics
