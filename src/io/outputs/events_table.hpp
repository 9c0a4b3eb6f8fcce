#pragma once
/// Reading of the [events] table: functions of the state whose zeros are located along a run.

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads one entry of the table: an expression, or { at = "expression", direction = "rising", stop = true }. Throws
/// InputError.
mechanics::Event read_event(const Vocabulary& vocabulary, const Member& entry, const Role& role);

}  // namespace herglotz::io
