#pragma once
/// The [view] table.

#include <functional>

#include "herglotz/io/view.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads [view]; `role` says which names its expressions may use.
View read_view_table(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role);

/// Reads [view] of a model with an index, whose shapes are those of sites, edges and the whole. `component` reads an
/// expression of a body.
View read_family_view_table(const Vocabulary& vocabulary, const Value& table,
                            const std::function<symbolic::Expr(const Value&)>& component);

}  // namespace herglotz::io
