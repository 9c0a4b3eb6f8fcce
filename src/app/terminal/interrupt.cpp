#include "terminal/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

volatile std::sig_atomic_t heard = 0;
volatile std::sig_atomic_t asked = 0;

/// Line that is written when a signal ends the program, or none.
std::atomic<const std::string*> farewell = nullptr;

void end(int signal) {
  if (const std::string* line = farewell) {
    // A failure to write cannot be handled here.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line->data(), line->size());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // which waits until the handler returns
}

void hear(int signal) {
  if (asked == 0) return end(signal);
  heard = 1;
}

}  // namespace

SignalHandlers::SignalHandlers() {
  sigaction(SIGINT, nullptr, &interrupt_);
  sigaction(SIGTERM, nullptr, &terminate_);
}

SignalHandlers::~SignalHandlers() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

void SignalHandlers::install(void (*handler)(int), int flags) const {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  if (interrupt_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
  if (terminate_.sa_handler != SIG_IGN) sigaction(SIGTERM, &action, nullptr);
}

EndOnInterrupt::EndOnInterrupt(const std::string& last_line)
    : line_(one_line(last_line) + "\n"), before_(farewell.exchange(&line_)) {
  handlers_.install(end, 0);
}

EndOnInterrupt::~EndOnInterrupt() {
  farewell = before_;
}

InterruptGuard::InterruptGuard(Keeps keeps) {
  heard = 0;
  asked = keeps == Keeps::all ? 1 : 0;
  handlers_.install(hear, static_cast<int>(SA_RESTART | SA_RESETHAND));
}

bool InterruptGuard::requested() const {
  asked = 1;
  return heard != 0;
}

}  // namespace herglotz::app
