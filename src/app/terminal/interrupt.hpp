#pragma once
/// Ctrl-C as a wish that a run can hear.

namespace herglotz::app {

/// While one lives, the first SIGINT or SIGTERM is remembered and a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] bool requested() const;
};

}  // namespace herglotz::app
