#pragma once
/// Helpers of the builders to describe how an algebroid integrates to an action groupoid.

#include <optional>
#include <string_view>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::geometry {

/// Returns true if c is constant over the base, skew, and satisfies the Jacobi identity, as far as that can be shown
/// in bounded work; what is left after that is compared with zero at random points.
bool is_lie_algebra(const StructureFunctions& c, const std::vector<Expr>& x);
/// Returns the whole fibre as one group, or `{}` if the group has no name.
std::vector<GroupFactor> single_factor(std::string_view group, std::size_t size);
/// Returns the integration in the frame in which the algebroid is given.
Integration as_it_stands(const Algebroid& algebroid, std::vector<GroupFactor> factors);
/// Returns `as_it_stands` if c belongs to a Lie algebra and the anchor is a homomorphism, else `std::nullopt`.
std::optional<Integration> integrate_if_lie(const Algebroid& algebroid, std::vector<GroupFactor> factors = {});
/// Returns the integration in a frame e'_a = e_a or e_a/x^i, any i for each a, in which c belongs to a Lie algebra, as
/// it does for the cotangent bundle of a Poisson structure that is quadratic in the coordinates, {x, y} = x y. Returns
/// `std::nullopt` if the anchor is not a homomorphism, or among the first 256 frames, as many of them as bounded work
/// reaches, there is none.
std::optional<Integration> integrate_rescaled(const Algebroid& algebroid);
/// Returns the integration in the frame whose anchors are d/dx^j + f^i_j d/dx^i for some r of the base coordinates, and
/// commute: that of a Lie algebroid whose anchor is injective, such as the tangent spaces of a foliation. Its group is
/// R^r, which acts by the flows along the leaves. Returns `std::nullopt` if the anchor is not a homomorphism, or has no
/// minor that is regular, or the rank is more than 6.
std::optional<Integration> integrate_along_leaves(const Algebroid& algebroid);
/// Returns the integration in a frame e'_a = e_a or e_a/f, with any function f of the anchor of e_a or of its brackets,
/// in which c belongs to a Lie algebra. Returns `std::nullopt` as `integrate_rescaled` does.
std::optional<Integration> integrate_by_own_functions(const Algebroid& algebroid);

}  // namespace herglotz::geometry
