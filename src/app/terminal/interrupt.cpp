#include "terminal/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "exit_status.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

volatile std::sig_atomic_t heard = 0;

void hear(int) {
  heard = 1;
}

void install(void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// Text that is written when the program ends. It is set before the handler is installed, and the handler only reads
/// it.
std::string farewell;

void end(int) {
  // A failure to write cannot be handled here.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, farewell.data(), farewell.size());
  ::_exit(interrupted);
}

}  // namespace

EndOnInterrupt::EndOnInterrupt(const std::string& last_line) {
  farewell = one_line(last_line) + "\n";
  sigaction(SIGINT, nullptr, &interrupt_);
  sigaction(SIGTERM, nullptr, &terminate_);
  install(end, 0);
}

EndOnInterrupt::~EndOnInterrupt() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

InterruptGuard::InterruptGuard() {
  heard = 0;
  install(hear, static_cast<int>(SA_RESTART | SA_RESETHAND));
}

InterruptGuard::~InterruptGuard() {
  install(SIG_DFL, 0);
}

bool InterruptGuard::requested() const {
  return heard != 0;
}

}  // namespace herglotz::app
