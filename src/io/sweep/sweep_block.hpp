#pragma once
/// What a journal keeps of a block: its chunks, ready for the file, and what the summary needs.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::io {

struct StoredBlock {
  std::vector<ensemble::Failure> failures;
  std::size_t steps = 0;
  std::vector<ensemble::Moments> last;  ///< of the last row, for each column
  double largest_energy_residual = std::numeric_limits<double>::quiet_NaN();
  std::vector<ensemble::Moments> statistics;  ///< rows x columns, or empty
  std::vector<std::string> chunks;            ///< for each column, or empty
};

/// Members of one chunk of a column: those of a block, but not more than there are.
std::size_t chunk_members(const ensemble::Layout& layout);

/// Compresses, in the calling thread.
std::string encoded_block(const ensemble::Block& block, const ensemble::Layout& layout);
/// Throws std::out_of_range for bytes that are not such a block.
StoredBlock decoded_block(std::string_view bytes);

}  // namespace herglotz::io
