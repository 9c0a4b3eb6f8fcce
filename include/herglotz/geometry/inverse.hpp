#pragma once
/// The inverse of a small matrix by cofactors, whose entries read well when printed.

#include <optional>
#include <string_view>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::geometry {

/// Largest size that is inverted by cofactors; larger ones go through symbolic::solve.
inline constexpr std::size_t cofactor_size = 6;

/// a^-1, entries of readable length simplified. A matrix that is singular everywhere throws std::invalid_argument with
/// `what` in it; one that is singular at some points only is inverted, and the result is not finite there.
symbolic::Matrix inverse(const symbolic::Matrix& a, std::string_view what);
/// The same, or nothing where a is not square or is singular everywhere.
std::optional<symbolic::Matrix> inverse_if_regular(const symbolic::Matrix& a);

}  // namespace herglotz::geometry
