#pragma once
/// Ctrl-C as a wish that a run can hear.

#include <csignal>
#include <string>

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

/// While one lives, the first SIGINT or SIGTERM ends the program as one that was stopped, with a last line that says
/// what was kept. Then what was there before counts again.
class EndOnInterrupt {
 public:
  explicit EndOnInterrupt(const std::string& last_line);
  ~EndOnInterrupt();
  EndOnInterrupt(const EndOnInterrupt&) = delete;
  EndOnInterrupt& operator=(const EndOnInterrupt&) = delete;

 private:
  struct sigaction interrupt_{};
  struct sigaction terminate_{};
};

}  // namespace herglotz::app
