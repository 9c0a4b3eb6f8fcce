#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "herglotz/error.hpp"

namespace herglotz::studio {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds between_looks{100};
constexpr std::size_t most_requests = 64;
constexpr double mebibyte = 1048576;

bool read_all(int descriptor, void* place, std::size_t count) {
  auto* at = static_cast<char*>(place);
  while (count > 0) {
    const ssize_t got = ::read(descriptor, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int descriptor, const void* place, std::size_t count) {
  const auto* at = static_cast<const char*>(place);
  while (count > 0) {
    const ssize_t put = ::send(descriptor, at, count, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

/// Makes a copy of a process one that only computes: signals end it, it ends with the studio, and of the files that the
/// studio has open it keeps one.
void become_worker(int descriptor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  const int last = static_cast<int>(::sysconf(_SC_OPEN_MAX));
  for (int other = 3; other < std::min(last, 4096); ++other)
    if (other != descriptor) ::close(other);
}

}  // namespace

std::size_t resident_bytes(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::size_t size = 0;
  std::size_t resident = 0;
  statm >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void share_one_heap() {
#ifdef __GLIBC__
  static_cast<void>(::mallopt(M_ARENA_MAX, 1));
#endif
}

void give_back_free_memory() {
#ifdef __GLIBC__
  static_cast<void>(::malloc_trim(0));
#endif
}

std::optional<std::string> Channel::receive() {
  std::uint64_t length = 0;
  if (!read_all(descriptor_, &length, sizeof length)) return std::nullopt;
  std::string request(length, '\0');
  if (!read_all(descriptor_, request.data(), length)) return std::nullopt;
  return request;
}

void Channel::send(const Message& message) {
  const std::lock_guard lock(mutex_);
  const Process::Head head{message.bytes.size(), static_cast<std::uint32_t>(message.tag.size()),
                           message.binary ? Process::Content::binary : Process::Content::text};
  const bool sent = write_all(descriptor_, &head, sizeof head) &&
                    write_all(descriptor_, message.tag.data(), message.tag.size()) &&
                    write_all(descriptor_, message.bytes.data(), message.bytes.size());
  if (!sent) ::_exit(0);
}

void Channel::answered(std::uint64_t requests) {
  const std::lock_guard lock(mutex_);
  const Process::Head head{requests, 0, Process::Content::answered};
  if (!write_all(descriptor_, &head, sizeof head)) ::_exit(0);
}

std::shared_ptr<Process> Process::start(const Executor& executor, const Work& work, Listener listener,
                                        const ProcessLimits& limits) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Failed(fmt::format("no connection to a process could be made: {}", std::strerror(errno)), "");
  const pid_t id = ::fork();
  if (id < 0) {
    const int reason = errno;
    for (const int end : ends) ::close(end);
    throw Failed(fmt::format("no process could be started: {}", std::strerror(reason)), "");
  }
  if (id == 0) {
    become_worker(ends[1]);
    try {
      Channel channel(ends[1]);
      work(channel);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::shared_ptr<Process> process(new Process(executor, ends[0], id, std::move(listener), limits));
  process->read();
  process->watch();
  return process;
}

Process::Process(const Executor& executor, int descriptor, pid_t id, Listener listener, const ProcessLimits& limits)
    : socket_(executor, asio::local::stream_protocol(), descriptor),
      timer_(executor),
      id_(id),
      listener_(std::move(listener)),
      limits_(limits),
      asked_(Clock::now()) {}

Process::~Process() {
  end();
}

void Process::end() {
  if (id_ == 0) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
  id_ = 0;
  listener_ = {};
  error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
}

void Process::conclude(const std::string& why) {
  const auto ended = std::move(listener_.ended);
  end();
  if (ended) ended(why);
}

void Process::listen(Listener listener) {
  listener_ = std::move(listener);
}

bool Process::send(std::string request) {
  if (id_ == 0) return true;
  if (requests_.size() >= most_requests) return false;
  if (!asked_) asked_ = Clock::now();
  ++sent_;
  const std::uint64_t length = request.size();
  request.insert(0, sizeof length, '\0');
  std::memcpy(request.data(), &length, sizeof length);
  requests_.push_back(std::move(request));
  if (requests_.size() == 1) write();
  return true;
}

void Process::write() {
  asio::async_write(socket_, asio::buffer(requests_.front()),
                    [self = shared_from_this()](const error_code& error, std::size_t) {
                      if (error) return;
                      self->requests_.pop_front();
                      if (!self->requests_.empty()) self->write();
                    });
}

void Process::read() {
  asio::async_read(socket_, asio::buffer(&head_, sizeof head_),
                   [self = shared_from_this()](const error_code& error, std::size_t) {
                     if (self->id_ == 0) return;
                     if (error) return self->conclude("");
                     if (self->head_.content != Content::answered) return self->read_rest();
                     if (self->head_.length == self->sent_) self->asked_.reset();
                     self->read();
                   });
}

void Process::read_rest() {
  body_.resize(head_.tag + head_.length);
  asio::async_read(socket_, asio::buffer(body_), [self = shared_from_this()](const error_code& error, std::size_t) {
    if (self->id_ == 0) return;
    if (error) return self->conclude("");
    const std::size_t tag = self->head_.tag;
    if (self->listener_.take)
      self->listener_.take(
          {self->body_.substr(tag), self->head_.content == Content::binary, self->body_.substr(0, tag)});
    if (self->id_ != 0) self->read();
  });
}

void Process::watch() {
  timer_.expires_after(between_looks);
  timer_.async_wait([weak = weak_from_this()](const error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->id_ == 0) return;
    const double waited = self->asked_ ? std::chrono::duration<double>(Clock::now() - *self->asked_).count() : 0;
    if (self->limits_.seconds > 0 && waited > self->limits_.seconds)
      return self->conclude(
          fmt::format("the studio ends what is not derived, compiled and run within {} s", self->limits_.seconds));
    if (self->limits_.bytes > 0 && resident_bytes(self->id_) > resident_bytes(::getpid()) + self->limits_.bytes)
      return self->conclude(fmt::format("this needs more than the {:.0f} MiB of memory that the studio gives",
                                        static_cast<double>(self->limits_.bytes) / mebibyte));
    self->watch();
  });
}

}  // namespace herglotz::studio
