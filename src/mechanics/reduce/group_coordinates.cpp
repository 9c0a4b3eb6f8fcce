#include "group_coordinates.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Expr;
using symbolic::Matrix;

bool is_zero(const Matrix& m) {
  return std::all_of(m.entries.begin(), m.entries.end(), [](const Expr& f) { return f.is_zero(); });
}

/// Returns a with m = a n for matrices of numbers, or `std::nullopt`.
std::optional<Expr> ratio(const Matrix& m, const Matrix& n) {
  std::optional<Expr> a;
  for (std::size_t k = 0; k < n.entries.size() && !a; ++k)
    if (!n.entries[k].is_zero()) a = m.entries[k] / n.entries[k];
  for (std::size_t k = 0; k < n.entries.size() && a; ++k)
    if (!(m.entries[k] - *a * n.entries[k]).is_zero()) return std::nullopt;
  return a;
}

void add(Matrix& to, const Expr& factor, const Matrix& m) {
  for (std::size_t k = 0; k < m.entries.size(); ++k)
    if (!m.entries[k].is_zero()) to.entries[k] += factor * m.entries[k];
}

/// Returns exp(g N) for a matrix of numbers.
Matrix exponential(const Matrix& N, const Expr& g) {
  auto& graph = g.graph();
  Matrix result = symbolic::identity(graph, N.rows);
  const Matrix square = multiply(N, N);
  const Matrix cube = multiply(square, N);
  if (is_zero(N)) return result;
  if (const auto a = ratio(square, N); a && !a->is_zero()) {
    add(result, (exp(*a * g) - 1) / *a, N);
    return result;
  }
  if (const auto a = ratio(cube, N); a && !a->is_zero()) {
    const bool turns = a->value() < 0;
    const Expr w = sqrt(turns ? -*a : *a);
    add(result, (turns ? sin(w * g) : sinh(w * g)) / w, N);
    add(result, (turns ? 1 - cos(w * g) : cosh(w * g) - 1) / (w * w), square);
    return result;
  }
  Matrix power = N;
  Expr factor = g;
  for (std::size_t k = 1; k <= N.rows; ++k) {
    if (is_zero(power)) return result;
    add(result, factor, power);
    power = multiply(power, N);
    factor = factor * g / static_cast<double>(k + 1);
  }
  throw Refused(
      "the group of the symmetries has no coordinates in closed form: a matrix of its adjoint representation is "
      "neither nilpotent nor a rotation, a boost or a dilation");
}

}  // namespace

GroupMatrices group_matrices(const geometry::StructureFunctions& c, const std::vector<Expr>& g) {
  const std::size_t d = g.size();
  auto& graph = g.front().graph();
  std::vector<Matrix> exponentials;
  for (std::size_t B = 0; B < d; ++B) {
    Matrix ad(d, d, graph.number(std::int64_t{0}));
    for (std::size_t C = 0; C < d; ++C)
      for (std::size_t A = 0; A < d; ++A) ad(C, A) = c(C, B, A);
    exponentials.push_back(exponential(ad, g[B]));
  }
  // A field is pulled back by the flow of X_B for the time g as exp(g ad_B); eta = sum of g_dot^A E_d .. E_A+1 e_A.
  Matrix velocity(d, d, graph.number(std::int64_t{0}));
  Matrix product = symbolic::identity(graph, d);
  for (std::size_t A = d; A-- > 0;) {
    for (std::size_t C = 0; C < d; ++C) velocity(C, A) = product(C, A);
    product = multiply(product, exponentials[A]);
  }
  GroupMatrices matrices{geometry::inverse(velocity, "the matrix of the group coordinates"), product};
  for (auto* matrix : {&matrices.rates, &matrices.adjoint})
    for (Expr& entry : matrix->entries) entry = symbolic::simplify(entry);
  return matrices;
}

}  // namespace herglotz::mechanics
