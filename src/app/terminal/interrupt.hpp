#pragma once
/// Handling of Ctrl-C as a request that a run can query.

#include <csignal>
#include <string>

namespace herglotz::app {

/// Sets what SIGINT and SIGTERM do. The destructor restores what they did before. Ignored signals stay ignored.
class SignalHandlers {
 public:
  SignalHandlers();
  ~SignalHandlers();
  SignalHandlers(const SignalHandlers&) = delete;
  SignalHandlers& operator=(const SignalHandlers&) = delete;

  void install(void (*handler)(int), int flags) const;

 private:
  struct sigaction interrupt_{};
  struct sigaction terminate_{};
};

/// Guard during whose life the first SIGINT or SIGTERM ends the program after a last line, which says what was kept.
/// The program dies of the signal, so that a shell reports 130 or 143 and leaves its loop too.
class EndOnInterrupt {
 public:
  explicit EndOnInterrupt(const std::string& last_line);
  ~EndOnInterrupt();
  EndOnInterrupt(const EndOnInterrupt&) = delete;
  EndOnInterrupt& operator=(const EndOnInterrupt&) = delete;

 private:
  std::string line_;
  const std::string* before_;
  SignalHandlers handlers_;
};

/// Guard that remembers the first SIGINT or SIGTERM while it lives; a second one ends the program. Until something is
/// computed that could be kept, the first one ends it too: deriving and compiling ask nobody.
class InterruptGuard {
 public:
  /// When something is computed: once requested() has been asked, or from the beginning.
  enum class Keeps { once_asked, all };
  explicit InterruptGuard(Keeps keeps = Keeps::once_asked);

  [[nodiscard]] bool requested() const;

 private:
  SignalHandlers handlers_;
};

}  // namespace herglotz::app
