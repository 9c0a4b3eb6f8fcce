#pragma once
/// Directions of numeric rows: an orthonormal basis of their span, grown row by row.

#include <cstddef>
#include <span>
#include <vector>

namespace herglotz::mechanics {

using Row = std::vector<double>;

double dot(std::span<const double> a, std::span<const double> b);
double norm(std::span<const double> a);

class Span {
 public:
  explicit Span(std::size_t size) : size_(size) {}
  /// Returns the part of the row that is orthogonal to the span.
  [[nodiscard]] Row rest(Row row) const;
  /// Adds the direction of `rest`, a nonzero row that is orthogonal to the span.
  void add(const Row& rest);
  [[nodiscard]] const std::vector<Row>& basis() const { return basis_; }
  /// Returns an orthonormal basis of the orthogonal complement.
  [[nodiscard]] std::vector<Row> complement() const;

 private:
  std::size_t size_;
  std::vector<Row> basis_;
};

/// Row whose other entries are zero.
struct SparseRow {
  std::vector<std::size_t> col;  ///< ascending
  Row value;
};

/// Returns the shortest step with rows . step = values. Rows that depend on earlier ones are left out.
Row shortest_solution(const std::vector<Row>& rows, const Row& values, std::size_t size);
Row shortest_solution(const std::vector<SparseRow>& rows, const Row& values, std::size_t size);

}  // namespace herglotz::mechanics
