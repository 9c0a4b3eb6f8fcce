#pragma once
/// Findings of a check about a discrete Lagrangian at the first step.

#include <string>

#include "check/findings.hpp"

namespace herglotz::simulate {

/// Name of the method that runs discrete Lagrangians.
inline constexpr const char* discrete_method = "discrete-herglotz";

/// Reports about a problem with [discrete]: the rule, sigma_d, the rank of the discrete Legendre map F- at the first
/// two positions, and whether the first step arrives at [initial.next] if that is given. Returns an empty string, or a
/// sentence that says what is wrong and what would be right.
std::string judge_discrete(const Problem& problem, const Findings& findings, DiscreteFinding& found);

}  // namespace herglotz::simulate
