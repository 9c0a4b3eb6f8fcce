#pragma once
/// One open page: its WebSocket and the worker that computes for it.

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <memory>

#include "herglotz/studio/studio.hpp"
#include "worker.hpp"

namespace herglotz::studio {

class Socket : public std::enable_shared_from_this<Socket> {
 public:
  using Handshake = boost::beast::http::request<boost::beast::http::empty_body>;

  Socket(boost::beast::tcp_stream&& stream, const Options& options);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void accept(const Handshake& request);
  /// Returns the number of open pages.
  static int open();

 private:
  void begin();
  void read();
  void take(const std::string& text);
  void save(const std::string& text);
  void send(Message message);
  void write();
  void close();

  boost::beast::websocket::stream<boost::beast::tcp_stream> stream_;
  boost::beast::flat_buffer buffer_;
  const Options& options_;
  std::shared_ptr<Worker> worker_;
  std::deque<Message> waiting_;  ///< its front is being written
  Handshake handshake_;
};

}  // namespace herglotz::studio
