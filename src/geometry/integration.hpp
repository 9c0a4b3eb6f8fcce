#pragma once
/// What the builders share in saying how an algebroid integrates to an action groupoid.

#include <optional>
#include <string_view>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::geometry {

/// Whether no structure function depends on the base.
bool is_constant(const StructureFunctions& c, const std::vector<Expr>& x);
/// The whole fibre as one group; nothing where it has no name.
std::vector<GroupFactor> single_factor(std::string_view group, std::size_t size);
/// In the frame that the algebroid is given in.
Integration as_it_stands(const Algebroid& algebroid, std::vector<GroupFactor> factors);
/// The same where c is constant and every axiom of a Lie algebroid can be shown, else nothing.
std::optional<Integration> integrate_if_lie(const Algebroid& algebroid);

}  // namespace herglotz::geometry
