#pragma once
/// One open page: its WebSocket, and the processes that compute for it.

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "folder.hpp"
#include "herglotz/studio/studio.hpp"
#include "process.hpp"
#include "results.hpp"

namespace herglotz::studio {

class Socket : public std::enable_shared_from_this<Socket> {
 public:
  using Handshake = boost::beast::http::request<boost::beast::http::empty_body>;

  /// `ahead` is a process that has begun to compile the first model, or null.
  Socket(boost::beast::tcp_stream&& stream, const ServerOptions& options, Results& results,
         std::shared_ptr<Process> ahead);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void accept(const Handshake& request);
  /// Starts a process that runs models, and compiles the first one ahead of the first request. Throws Failed if the
  /// system allows no further process.
  static std::shared_ptr<Process> compute_ahead(const Process::Executor& executor, const ServerOptions& options);
  /// Returns the number of open pages.
  static int open();

 private:
  void begin();
  void read();
  void take(const std::string& text);
  void save(const std::string& text);
  void listen_to_runs();
  void begin_job(const nlohmann::json& request);
  void end_job();
  void keep_result(const std::string& bytes);
  void fail(const char* kind, const nlohmann::json& id, const std::string& what);
  void send(Message message);
  void write();
  void close();

  boost::beast::websocket::stream<boost::beast::tcp_stream> stream_;
  boost::beast::flat_buffer buffer_;
  const ServerOptions& options_;
  Results& results_;
  std::shared_ptr<Process> runs_;
  nlohmann::json newest_run_ = 0;  ///< id of the newest request for a run
  std::shared_ptr<Process> job_;   ///< a sweep, or a problem that is solved
  std::optional<Folder> folder_;   ///< of a sweep
  std::deque<Message> waiting_;    ///< its front is being written
  Handshake handshake_;
};

}  // namespace herglotz::studio
