#pragma once
/// Chunks of HDF5 datasets as the filters `shuffle` and `deflate` produce them, made outside the library: the library
/// has one lock, but sweeps have many threads.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::io {

/// Level that datasets declare; the streams in chunks may have other levels.
inline constexpr int kDeflateLevel = 1;

/// Returns the packed chunk of `bytes`, which are elements of `width` bytes each.
std::string packed_chunk(std::string_view bytes, std::size_t width);

/// Returns the name and version of the library that packs chunks here; others may pack the same bytes otherwise.
std::string packing_library();

/// Unpacks a chunk of `size` bytes that another library packed, and returns it as `packed_chunk` would have. Returns
/// `std::nullopt` if it is no such chunk.
std::optional<std::string> repacked_chunk(std::string_view stream, std::size_t size, std::size_t width);

/// Returns whether a stream of `deflate` inflates to at most `most` bytes. The stream is read through a small buffer,
/// and no further than that.
bool inflates_to_at_most(std::string_view stream, std::size_t most);

}  // namespace herglotz::io
