#include "terminal/interrupt.hpp"

#include <csignal>

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

}  // namespace

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
