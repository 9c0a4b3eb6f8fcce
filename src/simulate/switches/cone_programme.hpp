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

/// What is found of a programme.
struct ConeSolution {
  Eigen::VectorXd x;
  double value = 0;
  double gap = 0;  ///< proved distance of the value from the least one
  /// Returns whether multipliers prove the value to 1e-6 of its size. They are known less well than x.
  [[nodiscard]] bool is_proved() const;
};

/// Returns the solution from a start at which all conditions hold strictly. The conditions must bound x. Each step of
/// Newton's method goes along the central path of the barrier -log((b.x + c)^2 - |A x + a|^2), on which the value is
/// within two times the number of cones, divided by the weight of the programme, of the least one [BV04, Sec. 11.6]:
/// within 1e-12 at the end, so that forces and values are to be of the size 1. Each point x of the path proves with its
/// multipliers that feasible y have at least the value f(x) - (nu + |s| |y - x|)/w, where s is the slope of the value
/// with weight w and of the barrier, which is 0 on the path, and nu twice the number of cones.
ConeSolution solve(const ConeProgramme& programme, const Eigen::VectorXd& start);

}  // namespace herglotz::simulate
