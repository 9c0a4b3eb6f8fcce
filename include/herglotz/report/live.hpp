#pragma once
/// A run for a page that is open and asks for runs: facts as JSON, and columns as numbers.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report {

/// What a page shows of a run.
struct LiveRun {
  std::string head;               ///< JSON as in a report, its columns without values
  std::vector<std::size_t> rows;  ///< the stored rows that are drawn
};

/// Returns a run with about `limit` rows at most, chosen as for a report.
LiveRun live_run(const analyse::Trajectory& trajectory, std::size_t limit);

/// Returns the studio's page, in which `@@herglotz-nonce@@` stands for the nonce of its content policy.
std::string_view studio_page();

}  // namespace herglotz::report
