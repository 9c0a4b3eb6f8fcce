#pragma once
/// Problems as the text of a model file.

#include <string>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {

/// Returns the text of a model file that reads as the given problem: its algebroid as kind "custom" (or "tangent"),
/// every expression with its definitions opened, and initial values as numbers. `note` becomes a comment in the first
/// line. [discrete] is not written; the problem must not have it.
std::string text_of(const simulate::Problem& problem, const std::string& note = {});

}  // namespace herglotz::io
