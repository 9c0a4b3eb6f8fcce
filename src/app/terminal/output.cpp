#include "terminal/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "exit_status.hpp"
#include "herglotz/error.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

/// Returns true if the descriptor is a pipe that nobody reads any more.
bool reader_is_gone(int descriptor) {
  pollfd watched{descriptor, POLLOUT, 0};
  return ::poll(&watched, 1, 0) == 1 && (watched.revents & POLLERR) != 0;
}

}  // namespace

void open_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // open() returns the lowest free descriptor, and all lower descriptors are open.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != descriptor) ::_exit(run_failed);
}

void complain(std::string_view message) {
  const std::string line = one_line(message) + "\n";
  std::fflush(stdout);
  write_to_error(line);
}

void write_to_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool output_failed() {
  return std::ferror(stdout) != 0;
}

int finish_output(int status) {
  const bool failed_before = output_failed();
  const int error = std::fflush(stdout) == 0 ? 0 : errno;
  if (!failed_before && error == 0) return status;
  const bool abandoned = error == EPIPE || (error == 0 && reader_is_gone(STDOUT_FILENO));
  if (abandoned) return status;
  const std::string reason = error == 0 ? "" : std::string(" (") + std::strerror(error) + ")";
  complain("herglotz: not everything could be written to standard output" + reason +
           "; make room on its disk, or write to another place");
  return run_failed;
}

DataOutput::DataOutput() {
  std::fflush(stdout);
  const int data = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  stream_ = data < 0 ? nullptr : ::fdopen(data, "wb");
  if (stream_ == nullptr || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Failed("standard output is closed", "give --out a file");
}

DataOutput::~DataOutput() {
  std::fflush(stdout);
  ::dup2(::fileno(stream_), STDOUT_FILENO);
  std::fclose(stream_);
}

void DataOutput::finish() {
  errno = 0;
  if (std::fflush(stream_) == 0 && std::ferror(stream_) == 0) return;
  if (errno == EPIPE || reader_is_gone(::fileno(stream_))) return;
  throw Failed("not everything could be written to standard output", "make room on its disk");
}

}  // namespace herglotz::app
