#pragma once
/// Thread that computes for one page: the newest request for a run wins, and ends the run before it.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "workshop.hpp"

namespace herglotz::studio {

class Worker : public std::enable_shared_from_this<Worker> {
 public:
  /// Starts the thread, which keeps the worker alive until it has ended, and compiles `text` ahead of the first
  /// request. `send` is called from that thread and from the one that typesets equations.
  /// Whenever nothing waits, `answered` is called with the number of requests taken so far.
  static std::shared_ptr<Worker> start(std::string file, std::string text, Workshop::Send send,
                                       std::function<void(std::uint64_t)> answered = {});

  /// Takes a request; false if too many wait.
  bool submit(nlohmann::json request);
  /// Ends the run in progress; nothing is sent any more.
  void stop();
  /// Returns the number of threads that have not ended.
  static int alive();

 private:
  Worker() = default;
  void work(std::string file, const std::string& text, Workshop::Send send);
  void wait_for_request(Workshop& workshop, Typesetter& typesetter);
  void say_answered(Typesetter& typesetter);
  /// Puts a report off until the equations are typeset, so that runs go on meanwhile. Returns whether that is needed.
  bool put_off_report(Typesetter& typesetter);
  /// Takes up a report that was put off.
  void take_up_report();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<nlohmann::json> run_;  ///< the newest request for a run
  std::deque<nlohmann::json> others_;  ///< in order
  std::uint64_t taken_ = 0;
  std::function<void(std::uint64_t)> answered_;
  bool working_ = true;  ///< on a request, or ahead of the first one
  bool stopped_ = false;
  bool report_waits_ = false;  ///< for equations
};

}  // namespace herglotz::studio
