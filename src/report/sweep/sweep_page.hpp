#pragma once
/// Page of an ensemble as text.

#include <string>

#include "herglotz/io/sweep_file.hpp"
#include "sweep/sweep_digest.hpp"

namespace herglotz::report {

std::string render_sweep(const io::SweepReader& sweep, const SweepLimits& limits = {});

}  // namespace herglotz::report
