#include "typesetter.hpp"

#include <sys/resource.h>

#include <exception>
#include <utility>

#include "workshop.hpp"

namespace herglotz::studio {
namespace {

/// Lets the runs have the processor first; in Linux this holds for the calling thread alone.
void become_gentle() {
  constexpr int gentle = 10;
  (void)::setpriority(PRIO_PROCESS, 0, gentle);
}

}  // namespace

Typesetter::Typesetter(std::function<void(Message)> send, std::function<void()> idle)
    : send_(std::move(send)), idle_(std::move(idle)), thread_([this] { work(); }) {}

Typesetter::~Typesetter() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Typesetter::typeset(std::function<std::string()> derive) {
  const std::lock_guard lock(mutex_);
  next_ = std::move(derive);
  changed_.notify_all();
}

std::string Typesetter::equations() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_ || (!next_ && !deriving_); });
  return latex_;
}

bool Typesetter::busy() {
  const std::lock_guard lock(mutex_);
  return next_ || deriving_;
}

void Typesetter::work() {
  become_gentle();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || next_; });
    if (stopped_) return;
    const auto derive = std::exchange(next_, {});
    deriving_ = true;
    lock.unlock();
    std::string latex;
    std::string why;
    try {
      latex = derive();
    } catch (const std::exception& error) {
      why = error.what();
    }
    lock.lock();
    const bool newest = !next_ && !stopped_;
    if (newest) latex_ = latex;
    lock.unlock();
    if (newest) send_(equations_message(latex, why));
    lock.lock();
    deriving_ = false;
    changed_.notify_all();
    if (next_ || stopped_) continue;
    lock.unlock();
    idle_();
    lock.lock();
  }
}

}  // namespace herglotz::studio
