#pragma once
/// A motion compiled for a page, as the page reads it.

#include <nlohmann/json.hpp>

#include "herglotz/simulate/live.hpp"

namespace herglotz::report {

nlohmann::json json_of(const simulate::LiveMotion& live);

}  // namespace herglotz::report
