#include "herglotz/linear/matrix_exponential.hpp"

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

namespace herglotz::linear {

Eigen::MatrixXd matrix_exponential(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return Eigen::MatrixXd(A).exp();
}

}  // namespace herglotz::linear
