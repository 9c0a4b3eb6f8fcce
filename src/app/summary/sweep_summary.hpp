#pragma once
/// Table that an ensemble ends with.

#include <string>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/sweep_file.hpp"

namespace herglotz::app {

/// Effort of this run alone, without the earlier runs that it resumed.
struct SweepEffort {
  std::size_t members = 0;
  std::size_t steps = 0;
  double seconds = 0;
};

/// Prints the table to standard output.
void print_sweep_summary(const ensemble::Plan& plan, const ensemble::Layout& layout, const io::SweepSummary& summary,
                         const SweepEffort& effort, const std::string& out);

}  // namespace herglotz::app
