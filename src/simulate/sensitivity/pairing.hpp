#pragma once
/// The law of the pairing of the adjoint of a run with a variation.

#include <vector>

#include "sensitivity/parts.hpp"

namespace herglotz::simulate {

/// Follows a variation from the start, and returns the largest change of its pairing with the adjoints in the parts
/// beside the sizes of its terms. What rows have added up to a time is part of the pairing. The run receives a note
/// if a switch meets a row at a fixed time.
double pairing_residual(const DifferentiatedRun& of, std::vector<Part>& parts, const RowCotangents& rows,
                        const std::vector<double>& start_variation, const std::vector<double>& by_theta);

}  // namespace herglotz::simulate
