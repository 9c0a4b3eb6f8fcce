#pragma once
/// The table that a run ends with: what was run and what was verified.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::app {

/// Prints to standard output. `written` are the files made; with none, a few rows of the trajectory follow.
void print_summary(const analyse::Trajectory& trajectory, const std::vector<std::string>& written);

/// One of its lines.
void print_line(std::string_view label, std::string_view text);
/// "1.2 s".
std::string duration(double seconds);

}  // namespace herglotz::app
