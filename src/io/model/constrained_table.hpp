#pragma once
/// Reading of an [algebroid] of kind "constrained": the algebroid of linear constraints of another one.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

bool is_constrained(const Value& table);

/// Returns the table `of` of a constrained algebroid, and any other table as it is. Throws InputError for keys that the
/// kind does not have.
const Value* ambient_table(const Source& source, const Value& table);

/// Returns the system, which was read on the algebroid `of`, on that of its `equations`. Throws InputError for a model
/// with [constraints] or [gauge] besides, and at the place of equations that are not linear or not independent.
mechanics::System restricted(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role,
                             const Value& document, mechanics::System system);

}  // namespace herglotz::io
