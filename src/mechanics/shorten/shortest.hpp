#pragma once
/// The shortest of the equal forms of an expression.

#include <vector>

#include "herglotz/symbolic/matrix.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// What the presentation of one geometry may spend on shortening.
inline constexpr std::int64_t most_effort = 1'000'000;

/// f simplified as it stands or in normal form modulo sin^2 + cos^2 = 1, what denominators are, and
/// `relations`, which are to vanish: whichever prints shortest. `first` are the symbols that relations should remove.
/// Where the effort is used up, the shortest form that was found so far, or f itself.
symbolic::Expr shortest(symbolic::Expr f, symbolic::Effort& effort, const std::vector<symbolic::Expr>& relations = {},
                        const std::vector<symbolic::Expr>& first = {});
std::vector<symbolic::Expr> shortest(std::vector<symbolic::Expr> f, symbolic::Effort& effort);
symbolic::Matrix shortest(symbolic::Matrix m, symbolic::Effort& effort);
/// Whether f is zero: as simplified, and where the effort does not reach so far, at random points.
bool is_zero(symbolic::Expr f, symbolic::Effort& effort);

}  // namespace herglotz::mechanics
