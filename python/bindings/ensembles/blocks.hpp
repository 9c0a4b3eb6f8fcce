#pragma once
/// Members of an ensemble in blocks, on several cores.

#include <cstddef>
#include <functional>

namespace herglotz::python {

/// Calls `work` for blocks of the members 0 to count - 1, from `threads` threads (0: one per core); a block is large
/// enough to fill lanes.
void in_blocks(std::size_t count, int threads, const std::function<void(std::size_t first, std::size_t members)>& work);

}  // namespace herglotz::python
