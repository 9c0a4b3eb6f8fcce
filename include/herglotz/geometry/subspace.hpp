#pragma once
/// Linear subspaces of R^N at one point, by orthonormal bases.

#include <cstddef>
#include <vector>

namespace herglotz::geometry {

/// Directions shorter than `tolerance` of their vector count as dependent.
class Subspace {
 public:
  using Vector = std::vector<double>;

  static Subspace spanned_by(const std::vector<Vector>& vectors, std::size_t N, double tolerance = 1e-9);
  /// {v : a . v = 0 for every given covector}.
  static Subspace annihilated_by(const std::vector<Vector>& covectors, std::size_t N, double tolerance = 1e-9);

  [[nodiscard]] std::size_t dimension() const { return basis_.size(); }
  [[nodiscard]] std::size_t ambient() const { return N_; }
  [[nodiscard]] const std::vector<Vector>& basis() const { return basis_; }
  /// The covectors that vanish on it, which as rows of numbers span its orthogonal complement.
  [[nodiscard]] Subspace annihilator() const { return annihilated_by(basis_, N_); }
  /// The length of the part of v outside, over the length of v; 0 for v = 0.
  [[nodiscard]] double distance(const Vector& v) const;
  /// The largest distance of a basis vector of `other` from this.
  [[nodiscard]] double distance(const Subspace& other) const;
  [[nodiscard]] bool contains(const Subspace& other, double tolerance = 1e-8) const;
  friend Subspace operator+(const Subspace& a, const Subspace& b);
  /// Where both hold.
  friend Subspace intersection(const Subspace& a, const Subspace& b);

 private:
  std::size_t N_ = 0;
  std::vector<Vector> basis_;
};

/// Equal dimensions, and one inside the other.
bool same(const Subspace& a, const Subspace& b, double tolerance = 1e-8);

}  // namespace herglotz::geometry
