#pragma once
/// The laws of several contacts at once: a linear complementarity problem with Coulomb's cones.

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace herglotz::integrate {

/// Rows of one contact: that of the gap, and behind it those of its slips.
struct ContactRows {
  std::size_t slips = 0;
  double friction = 0;
};

/// Impulses J with the velocities u = D J + b.
struct ContactImpulses {
  Eigen::VectorXd J;
  double residual = 0;  ///< largest defect of a law, relative to the terms of its row
  bool solved = false;  ///< whether the residual is round-off
};

/// Returns the largest defect of the laws 0 <= u_n, 0 <= J_n, u_n J_n = 0, and |J_t| <= mu J_n, where J_t makes u_t
/// vanish or is mu J_n against it. Each is relative to the entry of `scale` for its row, and that of a slip to the one
/// for the gap if it is larger.
double contact_residual(const Eigen::MatrixXd& D, const Eigen::VectorXd& u, const Eigen::VectorXd& J,
                        const std::vector<ContactRows>& contacts, const Eigen::VectorXd& scale);

/// Returns the sizes of the terms of D J + b, row by row.
Eigen::VectorXd row_scales(const Eigen::MatrixXd& D, const Eigen::VectorXd& J, const Eigen::VectorXd& b);

/// Returns the contacts whose impulses J have the effect of others, for D = H W^-1 H^T: contacts that press and stick
/// may have any impulses beside theirs, and those that slide any along their cone, which J is on. These are the
/// contacts with a part in changes that change no velocity.
std::vector<std::size_t> contacts_with_choice(const Eigen::MatrixXd& D, const Eigen::VectorXd& J,
                                              const std::vector<ContactRows>& contacts);

/// Solves the laws of all contacts for D = H W^-1 H^T: Gauss and Seidel's iteration, projected onto the cones [Jea99],
/// finds which contacts are open, stick and slip, and Newton's method [AC91] then gives the impulses to round-off.
/// If that takes long, contacts in the plane are solved by pivots.
/// If directions of contacts depend on each other, the impulses are some of the possible ones. `J` is the guess.
ContactImpulses solve_contacts(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                               const std::vector<ContactRows>& contacts, const Eigen::VectorXd& J);

}  // namespace herglotz::integrate
