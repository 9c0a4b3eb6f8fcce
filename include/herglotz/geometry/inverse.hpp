#pragma once
/// The inverse of a small matrix by cofactors, whose entries read well when printed.

#include <optional>
#include <string_view>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::geometry {

/// Largest size that is inverted by cofactors; larger matrices go through symbolic::solve.
inline constexpr std::size_t cofactor_size = 6;

/// Returns a^-1, with entries of readable length simplified. Throws Refused with `what` in its text if a
/// is singular everywhere. If a is singular at some points only, the result is not finite there.
symbolic::Matrix inverse(const symbolic::Matrix& a, std::string_view what);
/// Returns a^-1 as `inverse` does, or `std::nullopt` if a is not square or is singular everywhere.
std::optional<symbolic::Matrix> inverse_if_regular(const symbolic::Matrix& a);

}  // namespace herglotz::geometry
