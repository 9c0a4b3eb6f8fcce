#pragma once
/// Chunks of HDF5 datasets as its filters `shuffle` and `deflate` leave them, made outside the library: it has one
/// lock, sweeps have many threads.

#include <cstddef>
#include <string>
#include <string_view>

namespace herglotz::io {

/// The level that datasets say; chunks hold whatever levels served.
inline constexpr int kDeflateLevel = 1;

/// `bytes` are elements of `width` bytes each.
std::string packed_chunk(std::string_view bytes, std::size_t width);

/// Whether a stream of `deflate` holds at most so many bytes. It is read through a small buffer, and no further.
bool inflates_to_at_most(std::string_view stream, std::size_t most);

}  // namespace herglotz::io
