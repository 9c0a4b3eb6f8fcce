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
  /// X . exp(psi) - X (n) at X = x + rest, rest being below the round-off of x. False where the flow is not finite or
  /// could not be followed to round-off.
  bool displace(const double* x, const double* rest, const double* psi, Eigen::VectorXd& displacement);
  /// What rounding took from the last displacement (n), as far as it is known.
  [[nodiscard]] const Eigen::VectorXd& rounded() const { return rounded_; }

 private:
  struct Entry {
    Eigen::Index a, i, j;
    double value;
  };

  using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

  void find_generators();
  bool move_affinely();
  void add_series(int pieces);
  bool move_otherwise();
  bool extrapolate(double fraction);
  void take_field(const LongVector& displacement);

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
  Eigen::VectorXd field_;
  Eigen::VectorXd x_;
  Eigen::VectorXd rounded_;
  // Digits beyond double, without which the errors of orbits would add up over many steps.
  LongVector point_;
  LongVector moved_;
  LongVector term_;
  LongVector product_;
  LongVector previous_;
  LongVector current_;
  LongVector next_;
  LongVector piece_;
  Eigen::Matrix<long double, Eigen::Dynamic, columns> table_;
};

}  // namespace herglotz::integrate
