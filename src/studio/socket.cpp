#include "socket.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "herglotz/compile/deferred.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "job.hpp"
#include "request.hpp"
#include "worker.hpp"

namespace herglotz::studio {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using nlohmann::json;

constexpr std::size_t longest_message = std::size_t{1} << 20U;
/// A page that reads slowly gets the newest run only; one that reads nothing loses its connection.
constexpr std::size_t most_waiting = 16;
/// The time within which a model is derived, compiled and run.
constexpr double most_seconds = 45;
/// The memory by which a process may exceed the studio.
constexpr std::size_t most_bytes = std::size_t{3} << 30U;

int& open_sockets() {
  static int count = 0;
  return count;
}

Message notice(const json& content) {
  return {content.dump(-1, ' ', true, json::error_handler_t::replace), false, {}};
}

/// Starts the process that runs models; it compiles `text` ahead.
std::shared_ptr<Process> start_runs(const Process::Executor& executor, const std::string& file,
                                    const std::string& text) {
  const auto work = [&](Channel& channel) {
    share_one_heap();
    const compile::CodeThread code;
    const auto worker = Worker::start(
        file, text, [&](const Message& message) { channel.send(message); },
        [&](std::uint64_t requests) { channel.answered(requests); });
    while (const auto request = channel.receive()) worker->submit(json::parse(*request, nullptr, false));
    ::_exit(0);
  };
  return Process::start(executor, work, {}, {most_seconds, most_bytes});
}

}  // namespace

int Socket::open() {
  return open_sockets();
}

Socket::Socket(beast::tcp_stream&& stream, const ServerOptions& options, Results& results,
               std::shared_ptr<Process> ahead)
    : stream_(std::move(stream)), options_(options), results_(results), runs_(std::move(ahead)) {
  ++open_sockets();
}

Socket::~Socket() {
  --open_sockets();
  if (runs_) runs_->end();
  end_job();
}

void Socket::accept(const Handshake& request) {
  beast::get_lowest_layer(stream_).expires_never();
  stream_.set_option(websocket::stream_base::timeout{std::chrono::seconds(10), std::chrono::seconds(60), true});
  stream_.read_message_max(longest_message);
  stream_.auto_fragment(false);
  handshake_ = request;
  stream_.async_accept(handshake_, [self = shared_from_this()](beast::error_code error) {
    if (!error) self->begin();
  });
}

void Socket::begin() {
  try {
    if (!runs_ || !runs_->alive()) runs_ = compute_ahead(stream_.get_executor(), options_);
    listen_to_runs();
  } catch (const Failed&) {
    // The page's first request tries again, and its answer says why there is no process.
  }
  send(greeting(options_.text, options_.file, !options_.place.empty()));
  read();
}

std::shared_ptr<Process> Socket::compute_ahead(const Process::Executor& executor, const ServerOptions& options) {
  return start_runs(executor, options.file, options.text);
}

void Socket::listen_to_runs() {
  const std::weak_ptr<Socket> weak = weak_from_this();
  const auto take = [weak](Message message) {
    if (const auto self = weak.lock()) self->send(std::move(message));
  };
  const auto ended = [weak](const std::string& why) {
    const auto self = weak.lock();
    if (!self) return;
    self->runs_.reset();
    self->fail("error", self->newest_run_, why.empty() ? "the computation broke off" : why);
  };
  runs_->listen({take, ended});
}

void Socket::fail(const char* kind, const json& id, const std::string& what) {
  send(notice({{"kind", kind}, {"id", id}, {"what", what}, {"remedy", ""}, {"line", 0}, {"column", 0}}));
}

/// Starts a job in place of the one before.
void Socket::begin_job(const json& request) {
  end_job();
  folder_.emplace();
  const std::weak_ptr<Socket> weak = weak_from_this();
  const auto work = [&](Channel& channel) { run_job(channel, request, options_.file, folder_->path()); };
  const auto take = [weak](Message message) {
    const auto self = weak.lock();
    if (!self) return;
    message.tag == "result" ? self->keep_result(message.bytes) : self->send(std::move(message));
  };
  const auto ended = [weak, id = request["id"]](const std::string& why) {
    const auto self = weak.lock();
    if (!self) return;
    self->end_job();
    // After its last message a job ends of itself.
    if (!why.empty()) self->fail("failed", id, why);
    self->send(notice({{"kind", "ended"}, {"id", id}}));
  };
  job_ = Process::start(stream_.get_executor(), work, {take, ended}, {0, most_bytes});
}

void Socket::end_job() {
  if (job_) job_->end();
  job_.reset();
  folder_.reset();
}

/// Keeps the page of a job and tells where it is.
void Socket::keep_result(const std::string& bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  json head = json::parse(bytes.substr(0, end), nullptr, false);
  if (!head.is_object() || end == bytes.size()) return;
  head["path"] = results_.keep(bytes.substr(end + 1));
  send(notice(head));
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
  const auto request = read_request(text);
  if (!request) return close();
  const auto kind = (*request)["kind"].get<std::string>();
  if (kind == "save") return save((*request)["text"].get<std::string>());
  try {
    if (kind == "sweep" || kind == "solve") return begin_job(*request);
    if (kind == "cancel") {
      end_job();
      return send(notice({{"kind", "ended"}, {"id", 0}}));
    }
    if (kind == "run") newest_run_ = (*request)["id"];
    if (!runs_) {
      runs_ = start_runs(stream_.get_executor(), options_.file, {});
      listen_to_runs();
    }
    if (!runs_->send(text)) close();
  } catch (const Failed& error) {
    fail("error", newest_run_, error.problem());
  }
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
  if (runs_) runs_->end();
  end_job();
  beast::get_lowest_layer(stream_).close();
}

}  // namespace herglotz::studio
