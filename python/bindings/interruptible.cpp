#include "interruptible.hpp"

#include <chrono>
#include <exception>
#include <future>

namespace herglotz::python {

bool run_interruptible(ProgressWatch& watch, const std::function<double()>& fraction,
                       const std::function<void(const std::atomic<bool>& stopped)>& work) {
  constexpr auto between = std::chrono::milliseconds(20);
  std::atomic<bool> stopped = false;
  std::exception_ptr thrown;
  auto done = std::async(std::launch::async, [&] { work(stopped); });
  while (done.wait_for(between) != std::future_status::ready) {
    if (stopped) continue;
    try {
      if (!watch(fraction())) stopped = true;
    } catch (...) {
      thrown = std::current_exception();
      stopped = true;
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  done.get();
  return !stopped;
}

}  // namespace herglotz::python
