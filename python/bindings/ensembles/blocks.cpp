#include "ensembles/blocks.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace herglotz::python {
namespace {

/// Members of a block: many, so that lanes are full, but several blocks for each thread.
std::size_t members_of_a_block(std::size_t members, std::size_t threads) {
  constexpr std::size_t least = 16;
  constexpr std::size_t most = 1024;
  constexpr std::size_t for_each_thread = 8;
  return std::clamp(members / (threads * for_each_thread), least, most);
}

}  // namespace

void in_blocks(std::size_t count, int threads,
               const std::function<void(std::size_t first, std::size_t members)>& work) {
  oneapi::tbb::task_arena arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic);
  const std::size_t each = members_of_a_block(count, static_cast<std::size_t>(arena.max_concurrency()));
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::size_t>(0, (count + each - 1) / each, 1),
        [&](const auto& range) {
          for (std::size_t k = range.begin(); k != range.end(); ++k) work(k * each, std::min(each, count - k * each));
        },
        oneapi::tbb::simple_partitioner{});
  });
}

}  // namespace herglotz::python
