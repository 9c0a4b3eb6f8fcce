#pragma once
/// Ctrl-C as threads see it that do not belong to the interpreter.

#include <exception>

namespace herglotz::python {

/// An operation was ended by Ctrl-C.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Notices SIGINT while it lives, in any thread and without the interpreter, which handles the signal as ever once the
/// main thread is back in it. A process that ignores SIGINT, or ends by it, is left as it is.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  /// Throws Interrupted if a signal has come.
  void attend() const;

 private:
  unsigned before_;
};

}  // namespace herglotz::python
