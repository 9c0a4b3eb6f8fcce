#pragma once
/// The type of the solution x of A x = b, which follows from that of b.

#include <Eigen/Core>
#include <type_traits>

namespace herglotz::linear {

/// `VectorXd` if B is a column by its type, and `MatrixXd` otherwise. Decompositions solve for the two in different
/// orders of operations, so that a matrix of one column may have another last bit than the column.
template <class B>
using Solution = std::conditional_t<B::ColsAtCompileTime == 1, Eigen::VectorXd, Eigen::MatrixXd>;

}  // namespace herglotz::linear
