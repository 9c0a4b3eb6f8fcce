#pragma once
/// What the builders share in saying how an algebroid integrates to an action groupoid.

#include <optional>
#include <string_view>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::geometry {

/// Whether c is constant over the base, skew, and satisfies the Jacobi identity, as far as that can be shown.
bool is_lie_algebra(const StructureFunctions& c, const std::vector<Expr>& x);
/// The whole fibre as one group; nothing where it has no name.
std::vector<GroupFactor> single_factor(std::string_view group, std::size_t size);
/// In the frame that the algebroid is given in.
Integration as_it_stands(const Algebroid& algebroid, std::vector<GroupFactor> factors);
/// The same where c is that of a Lie algebra and the anchor is a homomorphism, else nothing.
std::optional<Integration> integrate_if_lie(const Algebroid& algebroid, std::vector<GroupFactor> factors = {});

}  // namespace herglotz::geometry
