#include "linear/equilibrium.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "herglotz/linear/eigenvalues.hpp"
#include "herglotz/linear/full_lu.hpp"
#include "herglotz/linear/qr.hpp"
#include "herglotz/linear/svd.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int most_steps = 200;
constexpr double on_axis = 1e-8;  ///< real parts relative to the largest |eigenvalue|

}  // namespace

double size_of(const Vector& y) {
  return std::max(1.0, y.lpNorm<Eigen::Infinity>());
}

Vector equilibrium_equations(const TangentField& field, const std::vector<Index>& kept, double t, const Vector& y,
                             Matrix& slopes) {
  const Slopes rates = field.rates(t, y);
  const Slopes constraints = field.constraints(t, y);
  const auto rows = static_cast<Index>(kept.size());
  Vector values(rows + constraints.values.size());
  slopes.resize(values.size(), rows);
  values << rates.values(kept), constraints.values;
  slopes << rates.by_state(kept, kept), constraints.by_state(Eigen::all, kept);
  return values;
}

void settle(const TangentField& field, const std::vector<Index>& kept, double t, Vector& y) {
  Matrix slopes;
  Vector values = equilibrium_equations(field, kept, t, y, slopes);
  for (int step = 0; step < most_steps; ++step) {
    if (!values.allFinite() || !slopes.allFinite()) break;
    if (values.lpNorm<Eigen::Infinity>() <= at_rest * size_of(y)) return;
    const Vector change = linear::Svd(slopes, linear::SingularVectors::thin, independent).solve(values);
    double share = 1;
    for (; share > 1e-6; share /= 2) {
      Vector there = y;
      there(kept) -= share * change;
      Matrix slopes_there;
      const Vector values_there = equilibrium_equations(field, kept, t, there, slopes_there);
      if (!values_there.allFinite() || !(values_there.norm() < (1 - 1e-4 * share) * values.norm())) continue;
      y = there;
      values = values_there;
      slopes = slopes_there;
      break;
    }
    if (share <= 1e-6) break;
  }
  if (values.allFinite() && values.lpNorm<Eigen::Infinity>() <= at_rest * size_of(y)) return;
  throw RunFailed("no equilibrium was found near this state", "start nearer to one", {});
}

std::vector<std::complex<double>> eigenvalues_along(const Matrix& A, const Matrix& constraints) {
  Matrix restricted = A;
  if (constraints.rows() > 0) {
    const Matrix basis = linear::HouseholderQr(linear::FullLu(constraints, independent).kernel()).Q();
    restricted = basis.transpose() * A * basis;
  }
  if (restricted.size() == 0) return {};
  const Eigen::VectorXcd values = linear::eigenvalues(restricted);
  std::vector<std::complex<double>> list(values.begin(), values.end());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  });
  return list;
}

Stability judged(const std::vector<std::complex<double>>& poles) {
  double largest = 0;
  for (const auto& pole : poles) largest = std::max(largest, std::abs(pole));
  Stability stability = Stability::asymptotic;
  for (const auto& pole : poles) {
    if (pole.real() > on_axis * largest) return Stability::unstable;
    if (pole.real() >= -on_axis * largest) stability = Stability::marginal;
  }
  return stability;
}

}  // namespace herglotz::simulate
