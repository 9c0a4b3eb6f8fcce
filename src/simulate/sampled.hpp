#pragma once
/// Values of [sampled]: coordinates that nothing moves, which the event `sampled` sets at equal times, each beside the
/// count of its intervals.

#include <string>
#include <string_view>
#include <vector>

#include "start.hpp"

namespace herglotz::simulate {

/// Returns the sampled value of which `name` is the count, or an empty text if it is no such count.
std::string_view sampled_value_of(const mechanics::System& system, std::string_view name);

/// Throws Refused if a sampled value has so short an interval that the run to t_end has too many rows of `columns`
/// numbers, or if its count is not that of the intervals before the start.
void require_samples(const mechanics::System& system, const Start& start, const std::vector<double>& parameters,
                     double t_end, std::size_t columns);

/// Throws Refused if t0 is a time at which a value is sampled: a motion that begins there, and that is repeated, has
/// lost this sample.
void require_between_samples(const mechanics::System& system, double t0, const std::vector<double>& parameters);

/// Throws Refused if the system has sampled values; `what` would hold them for ever.
void require_no_samples(const mechanics::System& system, const std::string& what);

}  // namespace herglotz::simulate
