#pragma once
/// Contact and Jacobi structures of any chart, for readers.

#include <optional>
#include <string>

#include "herglotz/geometry/constrained_structure.hpp"
#include "herglotz/geometry/contact.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// A contact form, or a Jacobi structure, with the name that it is printed under.
struct NamedStructure {
  std::string title;
  std::optional<geometry::ContactStructure> contact;
  std::optional<geometry::JacobiStructure> jacobi;  ///< if there is no contact form
  /// The structure along the constraints, if there are any.
  std::optional<geometry::ConstrainedStructure> constrained;

  /// Returns the Jacobi structure without constraints.
  [[nodiscard]] const geometry::JacobiStructure& free() const { return contact ? contact->jacobi() : jacobi.value(); }
};

/// Presents the contact form, the density of eta ^ (d eta)^n and the Reeb field, or E; the brackets {1, u} and {u, u'}
/// that do not vanish; and what does not vanish of [Lambda, Lambda] - 2 E ^ Lambda and L_E Lambda. [LJL21, Sec. 2].
/// Lambda must be skew. Along constraints also Z_a, C_ab, P, the projected Reeb field, the nonholonomic brackets and
/// their Jacobiators, on Phi = 0. [LJL21, Secs. 5-7].
Presentation structure_presentation(const NamedStructure& structure);

}  // namespace herglotz::mechanics
