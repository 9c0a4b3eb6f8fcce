#include "device/running.hpp"

namespace herglotz::compile {

std::vector<std::uint64_t> running(std::span<const double> states) {
  std::vector<std::uint64_t> list;
  for (std::uint64_t run = 0; run < states.size(); ++run)
    if (states[run] == static_cast<double>(kernel::LaneState::running)) list.push_back(run);
  return list;
}

}  // namespace herglotz::compile
