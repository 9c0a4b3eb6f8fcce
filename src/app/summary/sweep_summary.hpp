#pragma once
/// The table that an ensemble ends with.

#include <string>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/sweep_file.hpp"

namespace herglotz::app {

/// What this run did, which a resumed one did not begin.
struct SweepEffort {
  std::size_t members = 0;
  std::size_t steps = 0;
  double seconds = 0;
};

/// Prints to standard output.
void print_sweep_summary(const ensemble::Plan& plan, const ensemble::Layout& layout, const io::SweepSummary& summary,
                         const SweepEffort& effort, const std::string& out);

}  // namespace herglotz::app
