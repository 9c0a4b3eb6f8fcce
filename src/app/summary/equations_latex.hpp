#pragma once
/// Derived equations as the report shows them.

#include <string>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::app {

std::string equations_latex(const mechanics::System& system, const mechanics::Equations& equations);

}  // namespace herglotz::app
