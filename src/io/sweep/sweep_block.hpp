#pragma once
/// Form in which a journal stores a block: its chunks, ready for the file, and the data for the summary.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::io {

struct StoredBlock {
  std::string zlib;  ///< packing_library() of the machine that packed the chunks
  std::vector<ensemble::Failure> failures;
  std::size_t steps = 0;
  std::vector<ensemble::Moments> last;  ///< moments of the last row, for each column
  double largest_energy_residual = std::numeric_limits<double>::quiet_NaN();
  std::vector<ensemble::Moments> statistics;  ///< rows x columns, or empty
  std::vector<std::string> chunks;            ///< one for each column, or empty
};

/// Returns the number of members in one chunk of a column: the members of a block, but no more than the ensemble has.
std::size_t chunk_members(const ensemble::Layout& layout);

/// Decodes a block. Throws OutOfRange if the bytes are not an encoded block.
StoredBlock decoded_block(std::string_view bytes);

}  // namespace herglotz::io
