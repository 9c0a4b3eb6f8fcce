#pragma once
/// Linear complementarity problems.

#include <Eigen/Core>
#include <optional>

namespace herglotz::integrate {

/// Returns a z >= 0 with M z + q >= 0 and z (M z + q) = 0, by Lemke's pivots with the lexicographic rule for ties
/// [CPS92, Sec. 4.4], which do not cycle. Returns `std::nullopt` if they end on a ray, for the matrices of contacts
/// with friction in the plane then no solution is known to exist, and after 100 pivots for each unknown.
std::optional<Eigen::VectorXd> solve_complementarity(const Eigen::MatrixXd& M, const Eigen::VectorXd& q);

}  // namespace herglotz::integrate
