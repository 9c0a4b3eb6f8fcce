#pragma once
/// Ranges that the command line sweeps over.

#include <string_view>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::io {

/// NAME=FROM:TO:COUNT (--sweep): the quantity takes COUNT values with both ends included, in place of what the plan
/// says of it. FROM and TO are numbers or expressions in the parameters. Throws InputError with file "--sweep".
void apply_swept(ensemble::Plan& plan, std::string_view assignment);

}  // namespace herglotz::io
