#pragma once
/// Loops over steps of one size that the code of a device becomes.

#include <cstddef>
#include <memory>
#include <utility>

#include "herglotz/kernel/device_loop.hpp"
#include "tape/stepped_tapes.hpp"

namespace herglotz::compile {

/// Returns the loop whose groups of runs are `Runs`, made of the code, the number of rows and that of parameters.
template <class Runs, class Code>
kernel::DeviceLoop loop_of_runs(const SteppedTapes& stepped, Code code) {
  const std::size_t rows = 2 * stepped.carried.size() + 1;
  const std::size_t parameters = stepped.tapes.start.parameters;
  return {[code = std::move(code), rows, parameters] { return std::make_unique<Runs>(code, rows, parameters); },
          stepped.carried, parameters, Runs::width};
}

}  // namespace herglotz::compile
