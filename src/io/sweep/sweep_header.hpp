#pragma once
/// Header of the journals of a sweep.

#include <filesystem>

#include "herglotz/ensemble/ensemble.hpp"
#include "sweep/journal_records.hpp"

namespace herglotz::io {

/// Returns the header for the journals of `file`. Throws InputError if a column has the name of another object in the
/// file, or a name that cannot be stored.
JournalHeader header_of(const ensemble::Plan& plan, const ensemble::Layout& layout, const std::filesystem::path& file);

}  // namespace herglotz::io
