#pragma once
/// Reading of the [events] table: functions of the state whose zeros are located along a run.

#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads one entry of the table, an expression or { at = "expression", direction = "rising", stop = true, set = { v =
/// "-v" } }, and adds it to the system. `state` has the names that may be set. Throws InputError.
void read_event(const Vocabulary& vocabulary, const Member& entry, const ExpressionRole& role,
                const std::vector<std::string>& state, mechanics::System& system);

/// Reads the direction of a crossing. Throws InputError.
mechanics::Direction read_direction(const Source& source, const Value& value);

/// Throws InputError if an observable has the name of a column of the jumps at an event.
void require_free_columns(const Source& source, Place place, const std::string& name, const mechanics::System& system);

}  // namespace herglotz::io
