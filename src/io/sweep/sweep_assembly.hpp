#pragma once
/// Assembly of the file of an ensemble from its finished blocks.

#include <filesystem>

#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/sweep_outline.hpp"
#include "sweep/block_source.hpp"

namespace herglotz::io {

/// Writes the file of the blocks that are there; it appears whole or not at all. Missing members hold NaN. The caller
/// holds a lock that keeps other processes from writing the same file. Throws InputError if the file cannot be written.
SweepSummary assemble(const SweepOutline& outline, const BlockSource& blocks, const std::filesystem::path& file);

}  // namespace herglotz::io
