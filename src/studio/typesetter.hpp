#pragma once
/// Thread that typesets the equations of a model, so that no run waits for them.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "message.hpp"

namespace herglotz::studio {

class Typesetter {
 public:
  /// `send` and `idle` are called from the thread: `send` with equations once they are typeset, `idle` when nothing is
  /// left to typeset.
  Typesetter(std::function<void(Message)> send, std::function<void()> idle);
  /// Waits for the equations that are being derived.
  ~Typesetter();
  Typesetter(const Typesetter&) = delete;
  Typesetter& operator=(const Typesetter&) = delete;

  /// Sends the equations that `derive` returns, unless others are asked for before they are derived.
  void typeset(std::function<std::string()> derive);
  /// Waits for the equations that were asked for last, and returns them; none if they could not be derived.
  std::string equations();
  [[nodiscard]] bool busy();

 private:
  void work();

  std::function<void(Message)> send_;
  std::function<void()> idle_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<std::string()> next_;  ///< what to derive, if anything waits
  bool deriving_ = false;
  bool stopped_ = false;
  std::string latex_;
  std::thread thread_;
};

}  // namespace herglotz::studio
