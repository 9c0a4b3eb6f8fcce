#pragma once
/// A self-contained, offline HTML report of one run.

#include <filesystem>
#include <string>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report {

/// The page as text: equations typeset, interactive plots, run facts; no network is needed to read it.
std::string render(const analyse::Trajectory& trajectory);
/// Writes it whole or not at all. Throws std::runtime_error when the place cannot be written.
void write_report(const analyse::Trajectory& trajectory, const std::filesystem::path& file);

}  // namespace herglotz::report
