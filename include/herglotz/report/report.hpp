#pragma once
/// Self-contained, offline HTML reports of a run and of an ensemble.

#include <array>
#include <filesystem>
#include <string>

#include "herglotz/analyse/field_picture.hpp"
#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/simulate/live.hpp"

namespace herglotz::report {

/// Returns the page of a run as text: equations typeset, interactive plots, run facts; no network is needed to read it.
std::string render(const analyse::Trajectory& trajectory);
/// Returns the page of a run of a model with an index, with pictures of its families.
std::string render(const analyse::Trajectory& trajectory, const std::vector<analyse::FieldPicture>& fields);
/// Returns the page of a run that also follows the motion itself: its sliders run in the browser, and need no network.
std::string render(const analyse::Trajectory& trajectory, const simulate::LiveMotion& live);
/// Returns the page of a solution: its certificate as a verdict, states, controls with their bounds and switches,
/// costates, and the mesh with its errors.
std::string render(const analyse::Trajectory& trajectory, const control::SolutionFacts& solution);
/// Returns the page of two runs: both verdicts, the differences in their settings, curves over each other, and the
/// differences of the curves. `names` tell the runs apart.
std::string render(const analyse::Trajectory& first, const analyse::Trajectory& second,
                   const std::array<std::string, 2>& names);
/// Returns the page of an ensemble, as `write_report` writes it.
std::string render(const io::SweepReader& sweep);
/// Writes the page of a run whole or not at all. Throws io::InputError if the place cannot be written.
void write_report(const analyse::Trajectory& trajectory, const std::filesystem::path& file);
void write_report(const analyse::Trajectory& first, const analyse::Trajectory& second,
                  const std::array<std::string, 2>& names, const std::filesystem::path& file);
/// Writes a page that was rendered, whole or not at all; throws as write_report does.
void write_page(const std::string& page, const std::filesystem::path& file);
/// Writes the page of an ensemble: maps of final states, fans over time, scatter plots, histograms. Reads the ensemble
/// a part at a time; the page stays small whatever the number of members, and says where it holds less than the file.
void write_report(const io::SweepReader& sweep, const std::filesystem::path& file);

}  // namespace herglotz::report
