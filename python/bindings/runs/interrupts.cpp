#include "runs/interrupts.hpp"

#include <atomic>
#include <csignal>
#include <mutex>

namespace herglotz::python {
namespace {

std::atomic<unsigned> signals_seen{0};
static_assert(std::atomic<unsigned>::is_always_lock_free, "a handler of signals may not wait");

/// The handler of SIGINT that was there before. It does not change while `note` may be called.
struct sigaction handled_before{};

void note(int signal, siginfo_t* about, void* context) {
  signals_seen.fetch_add(1);
  if ((handled_before.sa_flags & SA_SIGINFO) != 0)
    handled_before.sa_sigaction(signal, about, context);
  else
    handled_before.sa_handler(signal);
}

std::mutex installing;
unsigned users = 0;

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &note;
}

}  // namespace

Interrupts::Interrupts() : before_(signals_seen) {
  const std::scoped_lock lock(installing);
  ++users;
  struct sigaction now{};
  if (::sigaction(SIGINT, nullptr, &now) != 0 || is_ours(now)) return;
  if ((now.sa_flags & SA_SIGINFO) == 0 && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) return;
  handled_before = now;
  struct sigaction ours = now;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = &note;
  ::sigaction(SIGINT, &ours, nullptr);
}

Interrupts::~Interrupts() {
  const std::scoped_lock lock(installing);
  if (--users > 0) return;
  struct sigaction now{};
  // Another handler may have been set meanwhile, and stays.
  if (::sigaction(SIGINT, nullptr, &now) == 0 && is_ours(now)) ::sigaction(SIGINT, &handled_before, nullptr);
}

void Interrupts::attend() const {
  if (signals_seen != before_) throw Interrupted();
}

}  // namespace herglotz::python
