#include "worker.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "herglotz/compile/deferred.hpp"
#include "typesetter.hpp"

namespace herglotz::studio {
namespace {

constexpr std::size_t most_queued = 16;
/// A run that ends within this time is shown even if a newer request waits, so that a moving slider shows runs. Once
/// its beginning was shown, nothing is left to wait for.
constexpr std::chrono::milliseconds shown_within{60};

/// A time without a request after which memory is given back, which holds up the next one.
constexpr std::chrono::seconds at_rest{1};

std::atomic<int>& threads() {
  static std::atomic<int> count{0};
  return count;
}

}  // namespace

int Worker::alive() {
  return threads();
}

std::shared_ptr<Worker> Worker::start(std::string file, std::string text, Workshop::Send send,
                                      std::function<void(std::uint64_t)> answered) {
  const std::shared_ptr<Worker> worker(new Worker);
  worker->answered_ = std::move(answered);
  ++threads();
  std::thread([worker, file = std::move(file), text = std::move(text), send = std::move(send)]() mutable {
    worker->work(std::move(file), text, std::move(send));
    --threads();
  }).detach();
  return worker;
}

bool Worker::submit(nlohmann::json request) {
  const std::lock_guard lock(mutex_);
  ++taken_;
  if (request.value("kind", "") == "run") {
    run_ = std::move(request);
  } else {
    if (others_.size() >= most_queued) return false;
    others_.push_back(std::move(request));
  }
  changed_.notify_one();
  return true;
}

void Worker::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_one();
}

void Worker::say_answered(Typesetter& typesetter) {
  std::uint64_t taken = 0;
  {
    const std::lock_guard lock(mutex_);
    if (working_ || run_ || !others_.empty()) return;
    taken = taken_;
  }
  if (answered_ && !typesetter.busy()) answered_(taken);
}

bool Worker::put_off_report(Typesetter& typesetter) {
  const std::lock_guard lock(mutex_);
  report_waits_ = typesetter.busy();
  return report_waits_;
}

void Worker::take_up_report() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(report_waits_, false)) return;
  others_.push_front({{"kind", "report"}});
  changed_.notify_one();
}

void Worker::wait_for_request(Workshop& workshop, Typesetter& typesetter) {
  const auto asked = [this] { return stopped_ || run_ || !others_.empty(); };
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, at_rest, asked)) {
    if (typesetter.busy() || compile::CodeThread::busy()) continue;
    lock.unlock();
    workshop.give_back_memory();
    lock.lock();
    changed_.wait(lock, asked);
  }
}

void Worker::work(std::string file, const std::string& text, Workshop::Send send) {
  const auto stopped = [this] {
    const std::lock_guard lock(mutex_);
    return stopped_;
  };
  // Only this thread sends runs.
  bool shown = false;
  const Workshop::Send send_on = [&](Message message) {
    if (message.binary) shown = true;
    if (!stopped()) send(std::move(message));
  };
  Typesetter typesetter(send_on, [&] {
    take_up_report();
    say_answered(typesetter);
  });
  Workshop workshop(std::move(file), send_on, {}, &typesetter);
  workshop.begin(text, [this] {
    const std::lock_guard lock(mutex_);
    return !stopped_ && !run_;
  });
  while (true) {
    nlohmann::json request;
    {
      const std::lock_guard lock(mutex_);
      working_ = false;
    }
    say_answered(typesetter);
    wait_for_request(workshop, typesetter);
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      working_ = true;
      if (run_) {
        request = std::move(*run_);
        run_.reset();
      } else {
        request = std::move(others_.front());
        others_.pop_front();
      }
    }
    const std::string kind = request.value("kind", "");
    const auto began = std::chrono::steady_clock::now();
    if (kind == "run") {
      shown = false;
      workshop.run(request, [&] {
        const std::lock_guard lock(mutex_);
        return !stopped_ && (!run_ || (!shown && std::chrono::steady_clock::now() - began < shown_within));
      });
    } else if (kind == "report") {
      if (!put_off_report(typesetter)) workshop.report();
    } else if (kind == "gallery") {
      send(gallery_model(request.value("name", "")));
    }
  }
}

}  // namespace herglotz::studio
