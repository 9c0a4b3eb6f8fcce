#pragma once
/// Requirements that a problem and its method must meet before anything is solved.

#include <string>

#include "collocation.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Returns the collocation by which a method transcribes a problem. Throws Refused if there is no such
/// method.
Collocation collocation_of(const std::string& method);
/// Returns the name of the direct method with which a method begins.
std::string direct_method(const std::string& method);

/// Throws Refused if the first mesh has more intervals than a mesh may have.
void check_mesh(const control::SolveSettings& settings);

/// Throws Refused if the method cannot honour the problem.
void check_method(const Setup& setup);

}  // namespace herglotz::solve
