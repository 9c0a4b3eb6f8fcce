#pragma once
/// Both rules of constraints from one start: whether a vakonomic motion is the nonholonomic one. [LLMR21, Sec. 6].

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Result of compare_rules.
struct RuleComparison {
  bool agree = false;  ///< whether a vakonomic motion from this start is the nonholonomic one
  std::vector<std::pair<std::string, double>> multipliers;  ///< nu at its start; else of the one that comes nearest
  std::size_t freedom = 0;  ///< the number of combinations of multipliers that may have any value
  double residual = 0;      ///< the largest part of nu G along ker Phi_y that is left, relative to its terms and to p/t
  double t_end = 0;         ///< end of the motion that was compared
};

/// Returns G^A_j = sigma^a_j Phi^A_x^a + Phi^A_y^k c^k_ij y^i - d(Phi^A_y^j)/dt (m x r), with the symbols `rates` for
/// dy/dt and velocity-free constraints taken as their rates. Both rules have the same motions for every nu exactly if G
/// vanishes on ker Phi_y along them [GG08, Thm 7].
symbolic::Matrix constraint_curvature(const mechanics::System& system, const mechanics::Equations& equations,
                                      const std::vector<symbolic::Expr>& rates);

/// Follows the motion of a model by the nonholonomic rule to t_end (by default that of the model) and looks for nu(0).
/// Along it with multipliers lambda, d nu/dt = lambda + L_z nu + nu G Phi_y^+, and the motion is vakonomic exactly if
/// nu G = 0 on ker Phi_y. The equation is linear, and the best nu(0) is that of least squares over the rows of the run.
/// Throws Refused for a Hamiltonian, without constraints, for constraints with the action, and for a motion of no
/// length; otherwise as Simulator::run does.
RuleComparison compare_rules(const Problem& problem, std::optional<double> t_end = std::nullopt);

}  // namespace herglotz::simulate
