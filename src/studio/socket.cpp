#include "socket.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>

#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::studio {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using nlohmann::json;

constexpr std::size_t longest_message = std::size_t{1} << 20U;
/// A page that reads slowly gets the newest run only; one that reads nothing is left.
constexpr std::size_t most_waiting = 16;

int& open_sockets() {
  static int count = 0;
  return count;
}

Message notice(const json& content) {
  return {content.dump(-1, ' ', true, json::error_handler_t::replace), false, {}};
}

}  // namespace

int Socket::open() {
  return open_sockets();
}

Socket::Socket(beast::tcp_stream&& stream, const Options& options) : stream_(std::move(stream)), options_(options) {
  ++open_sockets();
}

Socket::~Socket() {
  --open_sockets();
  if (worker_) worker_->stop();
}

void Socket::accept(const Handshake& request) {
  beast::get_lowest_layer(stream_).expires_never();
  stream_.set_option(websocket::stream_base::timeout{std::chrono::seconds(10), std::chrono::seconds(60), true});
  stream_.read_message_max(longest_message);
  handshake_ = request;
  stream_.async_accept(handshake_, [self = shared_from_this()](beast::error_code error) {
    if (!error) self->begin();
  });
}

void Socket::begin() {
  const std::weak_ptr<Socket> weak = weak_from_this();
  const auto executor = stream_.get_executor();
  worker_ = Worker::start(options_.file, options_.text, [weak, executor](Message message) {
    boost::asio::post(executor, [weak, message = std::move(message)]() mutable {
      if (const auto self = weak.lock()) self->send(std::move(message));
    });
  });
  send(greeting(options_.text, options_.file, !options_.place.empty()));
  read();
}

void Socket::read() {
  stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (error) return self->close();
    const std::string text = beast::buffers_to_string(self->buffer_.data());
    self->buffer_.consume(self->buffer_.size());
    self->take(text);
    self->read();
  });
}

void Socket::take(const std::string& text) {
  json request = json::parse(text, nullptr, false);
  const bool object = request.is_object() && request.contains("kind") && request["kind"].is_string();
  if (!object) return close();
  if (request["kind"] == "save") {
    if (!request.contains("text") || !request["text"].is_string()) return close();
    return save(request["text"].get<std::string>());
  }
  if (!worker_->submit(std::move(request))) close();
}

void Socket::save(const std::string& text) {
  if (options_.place.empty()) return send(notice({{"kind", "unsaved"}, {"what", "no file was named"}}));
  try {
    io::write_text(options_.place, text);
    send(notice({{"kind", "saved"}, {"file", options_.place.string()}}));
  } catch (const io::InputError& error) {
    send(notice({{"kind", "unsaved"}, {"what", error.problem() + "; " + error.remedy()}}));
  }
}

void Socket::send(Message message) {
  const auto begin = waiting_.empty() ? waiting_.begin() : std::next(waiting_.begin());
  const auto older = std::find_if(begin, waiting_.end(),
                                  [&](const Message& one) { return !message.tag.empty() && one.tag == message.tag; });
  if (older != waiting_.end()) {
    *older = std::move(message);
    return;
  }
  if (waiting_.size() >= most_waiting) return close();
  waiting_.push_back(std::move(message));
  if (waiting_.size() == 1) write();
}

void Socket::write() {
  stream_.binary(waiting_.front().binary);
  stream_.async_write(boost::asio::buffer(waiting_.front().bytes),
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (error) return self->close();
                        self->waiting_.pop_front();
                        if (!self->waiting_.empty()) self->write();
                      });
}

void Socket::close() {
  if (worker_) worker_->stop();
  beast::get_lowest_layer(stream_).close();
}

}  // namespace herglotz::studio
