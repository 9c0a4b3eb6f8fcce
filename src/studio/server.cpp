#include <arpa/inet.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "access.hpp"
#include "herglotz/error.hpp"
#include "herglotz/studio/desk.hpp"
#include "herglotz/studio/studio.hpp"
#include "results.hpp"
#include "socket.hpp"

namespace herglotz::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

constexpr int most_connections = 32;
constexpr int most_pages = 4;
constexpr std::chrono::seconds patience{10};

/// Data that all connections share.
struct House {
  const ServerOptions& options;
  Access access;
  std::shared_ptr<Process>& ahead;  ///< compiles the first model while the browser loads the page
  Results results{};
  int connections = 0;
};

/// One connection: one request and one answer, or a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket&& socket, House& house) : stream_(std::move(socket)), house_(house) { ++house_.connections; }
  ~Connection() { --house_.connections; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin() {
    // The head alone is read: no request of the studio's page has a body.
    parser_.header_limit(8192);
    parser_.body_limit(0);
    stream_.expires_after(patience);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->answer();
                            });
  }

 private:
  void answer() {
    const auto& request = parser_.get();
    const auto of = [&](http::field field) -> std::optional<std::string_view> {
      const auto found = request.find(field);
      if (found == request.end()) return std::nullopt;
      return std::string_view(found->value().data(), found->value().size());
    };
    const auto text = [](beast::string_view view) { return std::string_view(view.data(), view.size()); };
    Request asked;
    asked.method = text(request.method_string());
    asked.target = text(request.target());
    asked.host = of(http::field::host);
    asked.origin = of(http::field::origin);
    asked.cookies = of(http::field::cookie).value_or("");
    asked.upgrade = beast::websocket::is_upgrade(request);
    asked.single = request.count(http::field::host) == 1 && request.count(http::field::origin) <= 1 &&
                   request.count(http::field::cookie) <= 1;
    switch (house_.access.judge(asked)) {
      case Answer::socket:
        if (Socket::open() >= most_pages) return reply(http::status::service_unavailable, "too many pages are open\n");
        return std::make_shared<Socket>(std::move(stream_), house_.options, house_.results,
                                        std::exchange(house_.ahead, nullptr))
            ->accept(http::request<http::empty_body>(request));
      case Answer::result:
        return result(asked.target);
      case Answer::page:
        return page(false);
      case Answer::page_and_cookie:
        return page(true);
      case Answer::not_found:
        return reply(http::status::not_found, "not found\n");
      case Answer::wrong_method:
        return reply(http::status::method_not_allowed, "only GET\n");
      case Answer::forbidden:
        break;
    }
    reply(http::status::forbidden,
          "This page is for the browser that opened it. Use the address that `herglotz studio` printed, once.\n");
  }

  void page(bool cookie) {
    const std::string nonce = random_word();
    response_.set(http::field::content_type, "text/html; charset=utf-8");
    response_.set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" +
                                                 nonce +
                                                 "'; font-src data:; img-src data: blob:; connect-src 'self'; "
                                                 "frame-src 'self'; base-uri 'none'; form-action 'none'; "
                                                 "frame-ancestors 'none'");
    if (cookie) response_.set(http::field::set_cookie, house_.access.cookie());
    send(http::status::ok, page_with_nonce(nonce));
  }

  /// A report, which its own policy holds, in a frame without the studio's origin.
  void result(std::string_view path) {
    const std::string* found = house_.results.find(path);
    if (found == nullptr) return reply(http::status::not_found, "not found\n");
    response_.set(http::field::content_type, "text/html; charset=utf-8");
    response_.set("Content-Security-Policy", "sandbox allow-scripts allow-downloads; frame-ancestors 'self'");
    send(http::status::ok, *found);
  }

  void reply(http::status status, const std::string& text) {
    response_.set(http::field::content_type, "text/plain; charset=utf-8");
    send(status, text);
  }

  void send(http::status status, std::string body) {
    response_.result(status);
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.body() = std::move(body);
    response_.prepare_payload();
    stream_.expires_after(patience);
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code, std::size_t) { self->linger(); });
  }

  /// Ends the answer and takes what still comes for a moment, so that the answer is not lost by a reset.
  void linger() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(1));
    drain();
  }
  void drain() {
    stream_.async_read_some(asio::buffer(rest_),
                            [self = shared_from_this()](beast::error_code error, std::size_t count) {
                              self->drained_ += count;
                              if (!error && self->drained_ < most_drained) self->drain();
                            });
  }

  static constexpr std::size_t most_drained = std::size_t{1} << 20U;

  beast::tcp_stream stream_;
  House& house_;
  beast::flat_buffer buffer_{16384};
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
  std::array<char, 4096> rest_{};
  std::size_t drained_ = 0;
};

class Listener {
 public:
  Listener(asio::io_context& context, const tcp::endpoint& place) : acceptor_(context), pause_(context) {
    acceptor_.open(place.protocol());
    if (place.protocol() == tcp::v6()) acceptor_.set_option(asio::ip::v6_only(true));
    acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(place);
    acceptor_.listen();
  }

  [[nodiscard]] unsigned short port() const { return acceptor_.local_endpoint().port(); }

  void accept(House& house) {
    acceptor_.async_accept([this, &house](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {
        // The process has no descriptors left: some will be free in a moment.
        pause_.expires_after(std::chrono::milliseconds(100));
        pause_.async_wait([this, &house](beast::error_code) { accept(house); });
        return;
      }
      // What is sent goes at once: a message waits for no acknowledgement of the one before, which may take 40 ms.
      beast::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      if (house.connections < most_connections) std::make_shared<Connection>(std::move(socket), house)->begin();
      accept(house);
    });
  }

 private:
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
};

}  // namespace

void serve(const ServerOptions& options) {
  // Outlives the connections, which go with the context.
  std::optional<House> house;
  asio::io_context context(1);
  std::shared_ptr<Process> ahead;
  std::optional<Listener> first;
  std::optional<Listener> second;
  try {
    first.emplace(context, tcp::endpoint(asio::ip::address_v4::loopback(), options.port));
  } catch (const boost::system::system_error& error) {
    throw Failed("cannot listen on port " + std::to_string(options.port) + ": " + error.code().message(),
                 "choose another --port, or 0 for a free one");
  }
  house.emplace(House{options, Access(first->port()), ahead});
  try {
    second.emplace(context, tcp::endpoint(asio::ip::address_v6::loopback(), first->port()));
    second->accept(*house);
  } catch (const boost::system::system_error&) {
    second.reset();  // a machine without IPv6, or the port is taken there
  }
  first->accept(*house);
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](beast::error_code, int) { context.stop(); });
  if (options.ready) options.ready(house->access.address());
  try {
    ahead = Socket::compute_ahead(context.get_executor(), options);
  } catch (const Failed&) {
    // The first page tries again.
  }
  context.run();
}

}  // namespace herglotz::studio
