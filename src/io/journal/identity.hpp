#pragma once
/// What determines the results of work that a journal keeps.

#include <string>

#include "herglotz/io/bytes.hpp"
#include "herglotz/io/record_journal.hpp"

namespace herglotz::io {

void put_identity(const Identity& identity, ByteWriter& out);
/// Reads an identity up to the end of the bytes. Throws OutOfRange if they end early.
Identity get_identity(ByteReader& in);

/// Returns the name of the first difference between two identities in words, such as "step was 0.1 and is 0.2", or an
/// empty text if they are equal.
std::string difference(const Identity& before, const Identity& now);

}  // namespace herglotz::io
