#include "device/running.hpp"

#include <fmt/format.h>

#include "herglotz/error.hpp"

namespace herglotz::compile {

namespace {

constexpr auto under_way = static_cast<double>(kernel::LaneState::running);

}  // namespace

std::vector<std::uint64_t> running(std::span<const double> states) {
  std::vector<std::uint64_t> list;
  for (std::uint64_t run = 0; run < states.size(); ++run)
    if (states[run] == under_way) list.push_back(run);
  return list;
}

std::vector<double> tries_of(const std::vector<std::uint64_t>& list, const RunProgress& progress) {
  std::vector<double> tries;
  tries.reserve(list.size());
  for (const std::uint64_t run : list) tries.push_back(progress.tries[run]);
  return tries;
}

void require_tries(const std::vector<std::uint64_t>& list, const std::vector<double>& before,
                   const RunProgress& progress) {
  std::size_t idle = 0;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (progress.states[list[k]] == under_way && !(progress.tries[list[k]] > before[k])) ++idle;
  if (idle == 0) return;
  throw Failed(
      fmt::format("the device made no try of a step in {} of {} runs, and reported no error", idle, list.size()));
}

}  // namespace herglotz::compile
