#pragma once
/// Work of many threads, while the one that Python called asks whether the user wants to stop.

#include <atomic>
#include <functional>

#include "trajectory.hpp"

namespace herglotz::python {

/// Runs `work` in a thread of its own, which ends soon after `stopped` is set, and tells `watch` now and then the
/// fraction done. False where the user stopped it. What `work` or `watch` throws is thrown here, once no thread is
/// left. To be called without the interpreter's lock.
bool run_interruptible(ProgressWatch& watch, const std::function<double()>& fraction,
                       const std::function<void(const std::atomic<bool>& stopped)>& work);

/// Does `work` likewise, while the calling thread calls `attend` now and then; what that throws stops the work.
void run_attended(const std::function<void()>& attend,
                  const std::function<void(const std::atomic<bool>& stopped)>& work);

}  // namespace herglotz::python
