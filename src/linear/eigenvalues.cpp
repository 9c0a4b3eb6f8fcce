#include "herglotz/linear/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace herglotz::linear {

Eigen::VectorXcd eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                      const Eigen::Ref<const Eigen::MatrixXd>& B) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(A, B, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace herglotz::linear
