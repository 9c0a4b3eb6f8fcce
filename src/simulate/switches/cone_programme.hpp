#pragma once
/// Convex programmes of a few unknowns with cones, such as those of friction forces in discs.

#include <Eigen/Core>
#include <vector>

namespace herglotz::simulate {

/// The condition |A x + a| <= b.x + c.
struct Cone {
  Eigen::MatrixXd A;
  Eigen::VectorXd a;
  Eigen::VectorXd b;
  double c = 0;
};

/// The programme of the least x.P x/2 + q.x under conditions, with P positive semidefinite.
struct ConeProgramme {
  Eigen::MatrixXd P;
  Eigen::VectorXd q;
  std::vector<Cone> cones;
};

/// Returns the solution from a start at which all conditions hold strictly. The conditions must bound x. Each step of
/// Newton's method goes along the central path of the barrier -log((b.x + c)^2 - |A x + a|^2), on which the value is
/// within two times the number of cones, divided by the weight of the programme, of the least one [BV04, Sec. 11.6]:
/// within 1e-12 at the end, so that forces and values are to be of the size 1.
Eigen::VectorXd solve(const ConeProgramme& programme, const Eigen::VectorXd& start);

}  // namespace herglotz::simulate
