#pragma once
/// Form in which a journal stores a block: its chunks, ready for the file, and the data for the summary.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::io {

struct StoredBlock {
  std::string zlib;  ///< packing_library() of the machine that packed the chunks
  std::vector<ensemble::Failure> failures;
  std::size_t steps = 0;
  std::vector<ensemble::Moments> last;        ///< moments of the last row, for each column
  std::vector<double> largest_residuals;      ///< over all members, for each column of residuals
  std::vector<std::string> residual_chunks;   ///< those of each member, or empty for statistics
  std::vector<ensemble::Moments> statistics;  ///< rows x columns, or empty
  std::vector<std::string> chunks;            ///< one for each column, or empty
};

/// Returns the name in files of the largest residuals of members, for a column of residuals.
std::string largest_of(const std::string& column);

/// Returns the number of members in one chunk of a column: the members of a block, but no more than the ensemble has.
std::size_t chunk_members(const ensemble::Layout& layout);

/// Decodes a block. Throws OutOfRange if the bytes are not an encoded block.
StoredBlock decoded_block(std::string_view bytes);

}  // namespace herglotz::io
