#pragma once
/// Motions of some members of an ensemble, which the page draws together.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "herglotz/io/sweep_file.hpp"

namespace herglotz::report {

/// Limits for the motions of members on a page.
struct MotionLimits {
  std::size_t members = 12;
  std::size_t rows = 300;
};

/// Returns the name of time in a model, which files of ensembles do not have; t if the text cannot be read alone.
std::string time_in(const std::string& model_text);

/// Returns the times of rows, and of members evenly spread over all: number, swept quantities, view as `motion_of`
/// writes it, and the columns that it needs. Null if the file has final states or statistics only, or if there is
/// nothing to draw.
nlohmann::json sweep_motion_of(const io::SweepReader& sweep, const MotionLimits& limits = {});

}  // namespace herglotz::report
