#pragma once
/// Processes that compute for the studio. A model may need any time and memory to be derived and compiled, which cannot
/// be interrupted from within: a process can be ended.

#include <sys/types.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "message.hpp"

namespace herglotz::studio {

/// Returns the resident memory of a process in bytes; 0 if there is no process of that number.
std::size_t resident_bytes(pid_t process);
/// Lets all threads of this process, which must have none so far, have one heap: it shrinks, and those that glibc makes
/// for further threads keep what is free at their ends.
void share_one_heap();
/// Gives memory that is free in the heap back to the system.
void give_back_free_memory();

/// The end of the connection that the computing process has.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  /// Waits for a request. Returns `std::nullopt` if the studio has ended.
  std::optional<std::string> receive();
  /// Sends a message; any thread may call this. The process ends if the studio has.
  void send(const Message& message);
  /// Says how many requests were answered, newer ones in the place of older ones included.
  void answered(std::uint64_t requests);

 private:
  int descriptor_;
  std::mutex mutex_;
};

/// Limits of a process.
struct ProcessLimits {
  double seconds = 0;     ///< from a request to the answer; 0: no limit
  std::size_t bytes = 0;  ///< by which its memory may exceed that of the studio
};

/// A process that computes, as the studio sees it.
class Process : public std::enable_shared_from_this<Process> {
 public:
  using Work = std::function<void(Channel&)>;
  struct Listener {
    std::function<void(Message)> take;                  ///< takes what the process sends
    std::function<void(const std::string& why)> ended;  ///< called once if the process ended of itself or by a limit
  };
  using Executor = boost::asio::local::stream_protocol::socket::executor_type;

  /// Starts a copy of this process that does `work` and ends; it counts as asked from the start. This process must have
  /// no other threads. Throws Failed if the system allows no further process.
  static std::shared_ptr<Process> start(const Executor& executor, const Work& work, Listener listener,
                                        const ProcessLimits& limits);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sets who hears of the process from here on.
  void listen(Listener listener);
  /// Returns whether the process has not ended.
  [[nodiscard]] bool alive() const { return id_ != 0; }
  /// Sends a request. Returns false if too many wait for the process to take them.
  bool send(std::string request);
  /// Ends the process; the listener hears nothing any more.
  void end();

 private:
  Process(const Executor& executor, int descriptor, pid_t id, Listener listener, const ProcessLimits& limits);
  void read();
  void read_rest();
  void write();
  void watch();
  void conclude(const std::string& why);

  using Clock = std::chrono::steady_clock;
  enum class Content : std::uint32_t { text, binary, answered };
  struct Head {
    std::uint64_t length = 0;
    std::uint32_t tag = 0;
    Content content = Content::text;
  };
  friend class Channel;

  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::steady_timer timer_;
  pid_t id_;
  Listener listener_;
  ProcessLimits limits_;
  std::optional<Clock::time_point> asked_;  ///< when the request came that is not yet answered
  std::uint64_t sent_ = 0;                  ///< requests
  Head head_;
  std::string body_;
  std::deque<std::string> requests_;
};

}  // namespace herglotz::studio
