#pragma once
/// Ranges that the command line sweeps over.

#include <string_view>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::io {

/// Applies NAME=FROM:TO:COUNT (--sweep): the quantity takes COUNT values with both ends included, which replace its
/// values in the plan. FROM and TO are numbers or expressions in the parameters. Throws InputError with file "--sweep".
void apply_swept(ensemble::Plan& plan, std::string_view assignment);

}  // namespace herglotz::io
