#include "hybrid/strike_slopes.hpp"

#include <Eigen/Core>

#include "herglotz/error.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/full_lu.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using linear::vector;

}  // namespace

StrikeSlopes strike_slopes(std::span<const double> W, const ImpactValues& impact, std::span<const double> velocity,
                           const Strike& found) {
  const auto r = static_cast<Index>(velocity.size());
  const auto s = static_cast<Index>(impact.slip.size());
  const auto stopped = found.sticks ? s : 0;
  const Vector y = vector(velocity);
  const Vector change = vector(found.velocity) - y;
  const Vector gap = vector(impact.gap);
  const Vector slip = vector(impact.slip);
  Matrix T(s, r);
  for (Index k = 0; k < s; ++k) T.row(k) = vector(impact.slip_rows[static_cast<std::size_t>(k)]).transpose();
  const double J = found.normal;
  const Vector along = found.along.empty() ? Vector(Vector::Zero(s)) : vector(found.along);
  const Vector behind = slip + T * change;
  const bool slides = !found.sticks && behind.norm() > 0;
  Vector forward = Vector::Zero(s);     // direction of the slip that friction acts against
  Matrix turning = Matrix::Zero(s, s);  // its derivative by the slip behind the impact, times mu J_n
  if (slides) {
    forward = behind / behind.norm();
    turning = impact.friction * J / behind.norm() * (Matrix::Identity(s, s) - forward * forward.transpose());
  }

  // The unknowns are the change of the velocities, J_n, and J_t if the slip is stopped.
  const Index size = r + 1 + stopped;
  Matrix by_unknowns = Matrix::Zero(size, size);
  by_unknowns.topLeftCorner(r, r) =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(W.data(), r, r);
  by_unknowns.topLeftCorner(r, r) += T.transpose() * turning * T;
  by_unknowns.col(r).head(r) = -gap;
  if (slides) by_unknowns.col(r).head(r) -= T.transpose() * along / J;
  by_unknowns.row(r).head(r) = gap.transpose();
  if (found.sticks) {
    by_unknowns.topRightCorner(r, s) = -T.transpose();
    by_unknowns.bottomLeftCorner(s, r) = T;
  }

  // Derivatives of the equations by the velocities before the impact, then by the values.
  const Index values = 3 + r + s * (1 + r) + r * r;
  Matrix by_given = Matrix::Zero(size, r + values);
  const double restored = 1 + impact.restitution;
  by_given.row(r).head(r) = restored * gap.transpose();
  const Index first = r;
  by_given(r, first) = gap.dot(y) + impact.gap_time;
  if (slides) by_given.col(first + 1).head(r) = J * (T.transpose() * forward);
  by_given(r, first + 2) = restored;
  for (Index a = 0; a < r; ++a) {
    by_given(a, first + 3 + a) = -J;
    by_given(r, first + 3 + a) = change[a] + restored * y[a];
  }
  for (Index k = 0; k < s; ++k) {
    const Index at = first + 3 + r + k * (1 + r);
    const Vector by_slip = T.transpose() * turning.col(k);
    by_given.col(at).head(r) = by_slip;
    if (found.sticks) by_given(r + 1 + k, at) = 1;
    for (Index a = 0; a < r; ++a) {
      by_given.col(at + 1 + a).head(r) = change[a] * by_slip;
      by_given(a, at + 1 + a) -= along[k];
      if (found.sticks) by_given(r + 1 + k, at + 1 + a) = change[a];
    }
  }
  for (Index a = 0; a < r; ++a)
    for (Index b = 0; b < r; ++b) by_given(a, first + values - r * r + a * r + b) = change[b];

  const Matrix slopes = -linear::FullLu(by_unknowns).solve(by_given);
  return {Matrix::Identity(r, r) + slopes.topLeftCorner(r, r), slopes.block(0, r, r, values)};
}

}  // namespace herglotz::simulate
