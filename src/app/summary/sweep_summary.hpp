#pragma once
/// Table that an ensemble ends with.

#include <optional>
#include <string>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/sweep_outline.hpp"
#include "herglotz/io/sweep_shards.hpp"

namespace herglotz::app {

/// Effort of this run alone, without the earlier runs that it resumed.
struct SweepEffort {
  std::size_t members = 0;
  std::size_t steps = 0;
  double seconds = 0;
  std::size_t failed = 0;
  std::vector<ensemble::Failure> first_failures;  ///< at most three
  std::vector<std::string> notes{};               ///< what the runs of members may miss

  void add(const ensemble::Block& block);
};

/// Prints the table to standard output. `effort` is absent if this command ran no members.
void print_sweep_summary(const io::SweepOutline& outline, const io::SweepSummary& summary,
                         const std::optional<SweepEffort>& effort, const std::string& out);

/// Prints the table of one shard, of which `done` blocks are in its journal now.
void print_shard_summary(const io::SweepOutline& outline, const io::Shard& shard, std::size_t done,
                         const SweepEffort& effort, const std::string& out);

/// Prints one line for each shard of the sweep, and one for all.
void print_shard_states(const std::vector<io::ShardState>& states);

}  // namespace herglotz::app
