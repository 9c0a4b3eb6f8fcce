#include "collocation.hpp"

#include <Eigen/Core>

#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::solve {

std::vector<double> interpolation(std::span<const double> nodes, double x) {
  std::vector<double> weights(nodes.size(), 1.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < nodes.size(); ++j)
      if (i != j) weights[i] *= (x - nodes[j]) / (nodes[i] - nodes[j]);
  return weights;
}

Collocation::Collocation(std::size_t stages, Points points)
    : order(static_cast<int>(points == Points::gauss ? 2 * stages : 2 * stages - 2)) {
  const auto s = static_cast<Eigen::Index>(stages);
  const auto nodes = static_cast<int>(stages);
  const kernel::Quadrature exact =
      points == Points::gauss ? kernel::gauss_quadrature(nodes) : kernel::lobatto_quadrature(nodes);
  c.resize(s);
  b.resize(s);
  A.resize(s, s);
  for (Eigen::Index i = 0; i < s; ++i) {
    const auto row = static_cast<std::size_t>(i);
    c[i] = static_cast<double>(exact.c[row]);
    b[i] = static_cast<double>(exact.b[row]);
    for (Eigen::Index j = 0; j < s; ++j) A(i, j) = static_cast<double>(exact.A[row][static_cast<std::size_t>(j)]);
  }
  adjoint.resize(s, s);
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < s; ++j) adjoint(i, j) = b[j] - b[j] * A(j, i) / b[i];
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(s, s);
  if (points == Points::gauss) {
    adjoint = A;  // equal but for rounding
    D = linear::PartialLu(A).inverse();
    E = one;
    d = D.transpose() * b;
  } else {
    D = one;
    E = A;
    d = one.row(s - 1).transpose();
  }
  S = linear::pseudo_inverse(E.transpose());
}

}  // namespace herglotz::solve
