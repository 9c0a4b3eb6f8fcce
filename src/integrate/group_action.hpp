#pragma once
/// The right action of a Lie group on M whose generators are the anchor: x . exp(psi) is the flow of rho(x) psi.

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "herglotz/integrate/groupoid_map.hpp"

namespace herglotz::integrate {

/// Affine actions: x . exp(psi) - x = phi_1(A)(A x + b) with A = sum psi^a A_a, phi_1(A) = (e^A - 1)/A by its series.
/// Others: Gragg's extrapolated midpoint rule to round-off. Both give the displacement, which compensated sums add up
/// without loss, and are their own inverses at -psi to round-off.
class GroupAction {
 public:
  GroupAction(const GroupoidMap& map, std::size_t n, std::size_t r, std::span<const double> parameters);

  /// rho(x) (n x r).
  const Eigen::MatrixXd& generators(const double* x);
  /// x . exp(psi) - x (n). False where the flow is not finite or could not be followed to round-off.
  bool displace(const double* x, const double* psi, Eigen::VectorXd& displacement);

 private:
  struct Entry {
    Eigen::Index a, i, j;
    double value;
  };

  void find_generators();
  bool displace_affinely(const double* x, const double* psi, Eigen::VectorXd& displacement);
  bool extrapolate(Eigen::VectorXd& x, double fraction, Eigen::VectorXd& displacement);
  const Eigen::VectorXd& field(const Eigen::VectorXd& x);

  static constexpr int columns = 9;

  const GroupoidMap* map_;
  std::span<const double> parameters_;
  Eigen::Index n_;
  Eigen::Index r_;
  std::vector<Entry> linear_;  // A_a
  Eigen::MatrixXd constant_;   // b_a
  std::vector<double> out_;
  std::vector<double> work_;
  Eigen::MatrixXd rho_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd psi_;
  Eigen::VectorXd term_;
  Eigen::VectorXd product_;
  Eigen::VectorXd x_;
  Eigen::VectorXd previous_;
  Eigen::VectorXd current_;
  Eigen::VectorXd next_;
  Eigen::VectorXd lost_;
  Eigen::VectorXd moved_;
  Eigen::VectorXd field_;
  Eigen::MatrixXd table_;
};

}  // namespace herglotz::integrate
