#pragma once
/// The [view] table.

#include "herglotz/io/view.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads [view]; `role` says which names its expressions may use.
View read_view_table(const Vocabulary& vocabulary, const Value& table, const Role& role);

}  // namespace herglotz::io
