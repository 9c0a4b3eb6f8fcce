#pragma once
/// The shortest of the equal forms of an expression.

#include <vector>

#include "herglotz/symbolic/matrix.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// The effort that the presentation of one geometry may spend on shortening.
inline constexpr std::int64_t most_effort = 1'000'000;

/// Returns the form of f that prints shortest: simplified as it stands, or in normal form modulo sin^2 + cos^2 = 1, the
/// definitions of denominators, and `relations`, which must vanish. `first` lists the symbols that relations should
/// remove. Once the effort is used up, the result is the shortest form found so far, or f itself.
symbolic::Expr shortest(symbolic::Expr f, symbolic::Effort& effort, const std::vector<symbolic::Expr>& relations = {},
                        const std::vector<symbolic::Expr>& first = {});
std::vector<symbolic::Expr> shortest(std::vector<symbolic::Expr> f, symbolic::Effort& effort);
symbolic::Matrix shortest(symbolic::Matrix m, symbolic::Effort& effort);
/// Returns true if f is zero: once simplified or, if the effort is used up before, at random points.
bool is_zero(symbolic::Expr f, symbolic::Effort& effort);

}  // namespace herglotz::mechanics
