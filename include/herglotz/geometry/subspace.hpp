#pragma once
/// Linear subspaces of R^N at one point, by orthonormal bases.

#include <cstddef>
#include <vector>

namespace herglotz::geometry {

/// Linear subspace of R^N. Directions shorter than `tolerance` times their vector count as dependent.
class Subspace {
 public:
  using Vector = std::vector<double>;

  static Subspace spanned_by(const std::vector<Vector>& vectors, std::size_t N, double tolerance = 1e-9);
  /// Returns {v : a . v = 0 for every given covector a}.
  static Subspace annihilated_by(const std::vector<Vector>& covectors, std::size_t N, double tolerance = 1e-9);

  [[nodiscard]] std::size_t dimension() const { return basis_.size(); }
  [[nodiscard]] std::size_t ambient() const { return N_; }
  [[nodiscard]] const std::vector<Vector>& basis() const { return basis_; }
  /// Returns the covectors that vanish on the subspace; as rows of numbers they span its orthogonal complement.
  [[nodiscard]] Subspace annihilator() const { return annihilated_by(basis_, N_); }
  /// Returns the length of the part of v outside the subspace, divided by the length of v; 0 for v = 0.
  [[nodiscard]] double distance(const Vector& v) const;
  /// Returns the largest distance of a basis vector of `other` from this subspace.
  [[nodiscard]] double distance(const Subspace& other) const;
  [[nodiscard]] bool contains(const Subspace& other, double tolerance = 1e-8) const;
  friend Subspace operator+(const Subspace& a, const Subspace& b);
  /// Returns the vectors that are in both subspaces.
  friend Subspace intersection(const Subspace& a, const Subspace& b);

 private:
  std::size_t N_ = 0;
  std::vector<Vector> basis_;
};

/// Returns whether the dimensions are equal and one subspace contains the other.
bool same(const Subspace& a, const Subspace& b, double tolerance = 1e-8);

}  // namespace herglotz::geometry
