#pragma once
/// Handling of Ctrl-C as a request that a run can query.

#include <csignal>
#include <string>

namespace herglotz::app {

/// Guard that remembers the first SIGINT or SIGTERM while it lives; a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] bool requested() const;
};

/// Guard during whose life the first SIGINT or SIGTERM ends the program with the status `interrupted` and a last line
/// that says what was kept. Its destructor restores the previous handlers.
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
