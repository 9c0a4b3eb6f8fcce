#pragma once
/// Rows of a run that goes on in parts.

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::simulate {

/// Replaces an interval between the rows of a run from t0 by the list of their times, which its parts keep.
void list_rows(integrate::Settings& settings, double t0);
/// Leaves those of the listed rows that come after t, beyond rounding of the time `span` of the run.
void keep_rows_after(integrate::Settings& settings, double t, double span);

}  // namespace herglotz::simulate
