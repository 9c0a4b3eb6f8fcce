#include "interruptible.hpp"

#include <chrono>
#include <exception>
#include <future>

namespace herglotz::python {

namespace {

/// Asks `goes_on` now and then while `work` is done; false where that said no.
bool run_beside(const std::function<bool()>& goes_on,
                const std::function<void(const std::atomic<bool>& stopped)>& work) {
  constexpr auto between = std::chrono::milliseconds(20);
  std::atomic<bool> stopped = false;
  std::exception_ptr thrown;
  auto done = std::async(std::launch::async, [&] { work(stopped); });
  while (done.wait_for(between) != std::future_status::ready) {
    if (stopped) continue;
    try {
      if (!goes_on()) stopped = true;
    } catch (...) {
      thrown = std::current_exception();
      stopped = true;
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  done.get();
  return !stopped;
}

}  // namespace

bool run_interruptible(ProgressWatch& watch, const std::function<double()>& fraction,
                       const std::function<void(const std::atomic<bool>& stopped)>& work) {
  return run_beside([&] { return watch(fraction()); }, work);
}

void run_attended(const std::function<void()>& attend,
                  const std::function<void(const std::atomic<bool>& stopped)>& work) {
  run_beside(
      [&] {
        attend();
        return true;
      },
      work);
}

}  // namespace herglotz::python
