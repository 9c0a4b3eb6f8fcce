#pragma once
/// Table that a run ends with: the facts of the run and its verification.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::app {

/// A relative residual of a balance law above which a summary says that its run is not to be trusted.
inline constexpr double doubtful_residual = 1e-3;

/// Prints to standard output. `written` are the files that were written; if there are none, a few rows of the
/// trajectory follow.
void print_summary(const analyse::Trajectory& trajectory, const std::vector<std::string>& written);

/// Prints one line of the table.
void print_line(std::string_view label, std::string_view text);
/// Returns the duration with its unit, such as "1.2 s".
std::string duration(double seconds);

}  // namespace herglotz::app
