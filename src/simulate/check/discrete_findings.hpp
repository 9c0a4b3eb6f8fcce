#pragma once
/// What a check finds about a discrete Lagrangian at the first step.

#include <string>

#include "check/findings.hpp"

namespace herglotz::simulate {

/// The method that runs discrete Lagrangians.
inline constexpr const char* discrete_method = "discrete-herglotz";

/// Tells the rule, sigma_d, the rank of the discrete Legendre map F- at the first two positions, and whether the first
/// step arrives at [initial.next] where that is given, of a problem with [discrete]. Returns what is wrong and what
/// would be right, or nothing.
std::string judge_discrete(const Problem& problem, const Findings& findings, DiscreteFinding& found);

}  // namespace herglotz::simulate
