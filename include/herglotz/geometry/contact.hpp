#pragma once
/// Contact structures in any chart: Reeb field, flat and sharp, contact Hamiltonian fields. [LJL21, Secs. 2-3].

#include "herglotz/geometry/jacobi.hpp"

namespace herglotz::geometry {

/// A 1-form eta on 2n+1 coordinates with eta ^ (d eta)^n nonzero, and the fields and tensors that follow from it.
/// Conventions: omega = d eta + eta (x) eta; flat(X) = omega(X, .) = i_X d eta + eta(X) eta; Lambda(a, b) = -d
/// eta(sharp a, sharp b), E = -Reeb.
class ContactStructure {
 public:
  /// Throws Refused if the number of coordinates is even or eta ^ (d eta)^n vanishes everywhere. If it
  /// vanishes at some points only, results that need sharp are not finite there.
  explicit ContactStructure(OneForm eta);
  /// Takes the Jacobi structure as well if it is known, for instance in closed form: sharp = Lambda + Reeb (x) Reeb
  /// then needs no inverse. The caller promises that it belongs to eta, which flat(sharp(.)) can show.
  ContactStructure(OneForm eta, JacobiStructure jacobi);

  [[nodiscard]] const Chart& u() const { return eta_.u; }
  /// Returns n of the 2n+1 dimensions.
  [[nodiscard]] std::size_t n() const { return eta_.u.size() / 2; }
  [[nodiscard]] const OneForm& eta() const { return eta_; }
  [[nodiscard]] const TwoForm& d_eta() const { return d_eta_; }
  /// Returns d eta + eta (x) eta. [LJL21, Eq. 13].
  [[nodiscard]] const TwoForm& omega() const { return omega_; }
  /// Returns R with i_R d eta = 0 and eta(R) = 1. [LJL21, Eq. 6].
  [[nodiscard]] const VectorField& reeb() const { return reeb_; }
  /// Returns (Lambda, -Reeb). [LJL21, Eq. 23a].
  [[nodiscard]] const JacobiStructure& jacobi() const { return jacobi_; }

  /// Returns i_X d eta + eta(X) eta. [LJL21, Eq. 12].
  [[nodiscard]] OneForm flat(const VectorField& X) const { return contract(X, omega_); }
  /// Applies the inverse of flat.
  [[nodiscard]] VectorField sharp(const OneForm& alpha) const;

  /// Returns X_H = Lambda(dH, .) - H Reeb, for which flat(X_H) = dH - (Reeb(H) + H) eta. [LJL21, Eqs. 30, 33].
  [[nodiscard]] VectorField hamiltonian_field(Expr H) const { return jacobi_.hamiltonian_field(H); }

  /// Returns the density of eta ^ (d eta)^n: its value on (d/du^1, ..., d/du^N).
  [[nodiscard]] Expr volume() const;
  /// Returns div X with L_X Omega = (div X) Omega for Omega = eta ^ (d eta)^n; it is -(n + 1) Reeb(H) for X = X_H.
  /// [LJL21, Eq. 39].
  [[nodiscard]] Expr divergence(const VectorField& X) const;
  /// Returns Reeb(H), for which dH/dt = -Reeb(H) H along X_H. [LJL21, Eq. 35].
  [[nodiscard]] Expr dissipation(Expr H) const { return apply(reeb_, H); }

 private:
  OneForm eta_;
  TwoForm d_eta_;
  TwoForm omega_;
  VectorField reeb_;
  JacobiStructure jacobi_;
};

/// Returns dz - p_i dx^i on coordinates (x, p, z), which is eta of T*Q x R in Darboux coordinates. [LJL21, Eq. 10].
OneForm canonical_contact_form(const std::vector<Expr>& x, const std::vector<Expr>& p, Expr z);

/// Returns the contact structure whose Jacobi structure (Lambda, E) is: eta = -E (Lambda + E (x) E)^-1, since sharp is
/// Lambda + E (x) E. Throws Refused for an even number of coordinates, where Lambda + E (x) E is singular everywhere,
/// and for structures that are no Jacobi structures, which belong to no contact form. [LJL21, Eqs. 12, 23a, 25].
ContactStructure contact_structure_of(const JacobiStructure& jacobi);

}  // namespace herglotz::geometry
