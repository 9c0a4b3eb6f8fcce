#include "collocation.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace herglotz::solve {
namespace {

/// Returns the Legendre polynomial of degree n and its derivative at x.
std::pair<double, double> legendre(std::size_t n, double x) {
  double before = 1;
  double value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto degree = static_cast<double>(k);
    const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (x * value - before) / (x * x - 1)};
}

}  // namespace

std::vector<double> interpolation(std::span<const double> nodes, double x) {
  std::vector<double> weights(nodes.size(), 1.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < nodes.size(); ++j)
      if (i != j) weights[i] *= (x - nodes[j]) / (nodes[i] - nodes[j]);
  return weights;
}

namespace {

/// Returns the nodes of Gauss and their weights.
std::pair<Eigen::VectorXd, Eigen::VectorXd> gauss_rule(std::size_t stages) {
  const auto s = static_cast<Eigen::Index>(stages);
  Eigen::VectorXd c(s);
  Eigen::VectorXd b(s);
  for (Eigen::Index i = 0; i < s; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(s) + 0.5));
    if (2 * i + 1 == s) x = 0;
    for (int k = 0; k < 20; ++k) {
      const auto [value, slope] = legendre(stages, x);
      x -= value / slope;
    }
    const double slope = legendre(stages, x).second;
    c[i] = (1 + x) / 2;
    b[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return {c, b};
}

/// Returns the nodes of Lobatto with two or three stages.
Eigen::VectorXd lobatto_nodes(std::size_t stages) {
  if (stages < 2 || stages > 3) throw std::invalid_argument("Lobatto's nodes are known for two and three stages");
  return Eigen::VectorXd::LinSpaced(static_cast<Eigen::Index>(stages), 0, 1);
}

}  // namespace

Collocation::Collocation(std::size_t stages, Points points)
    : order(static_cast<int>(points == Points::gauss ? 2 * stages : 2 * stages - 2)) {
  const auto s = static_cast<Eigen::Index>(stages);
  const auto [x, weights] = gauss_rule(stages);
  c = points == Points::gauss ? x : lobatto_nodes(stages);
  A.resize(s, s);
  const std::span<const double> nodes(c.data(), stages);
  // Integrals of the Lagrange polynomials from 0 to `end`.
  const auto integrals = [&](double end) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(s);
    for (Eigen::Index k = 0; k < s; ++k) {
      const auto values = interpolation(nodes, end * x[k]);
      for (Eigen::Index j = 0; j < s; ++j) row[j] += end * weights[k] * values[static_cast<std::size_t>(j)];
    }
    return row;
  };
  for (Eigen::Index i = 0; i < s; ++i) A.row(i) = integrals(c[i]);
  b = points == Points::gauss ? weights : Eigen::VectorXd(integrals(1).transpose());
  adjoint.resize(s, s);
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < s; ++j) adjoint(i, j) = b[j] - b[j] * A(j, i) / b[i];
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(s, s);
  if (points == Points::gauss) {
    adjoint = A;  // equal but for rounding
    D = A.inverse();
    E = one;
    d = D.transpose() * b;
  } else {
    D = one;
    E = A;
    d = one.row(s - 1).transpose();
  }
  S = E.transpose().completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace herglotz::solve
