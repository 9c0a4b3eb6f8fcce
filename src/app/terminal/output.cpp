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
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

/// True if standard output is a pipe that nobody reads any more.
bool reader_is_gone() {
  pollfd watched{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&watched, 1, 0) == 1 && (watched.revents & POLLERR) != 0;
}

}  // namespace

void open_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // open() returns the lowest free descriptor, and those below are open.
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
  const bool abandoned = error == EPIPE || (error == 0 && reader_is_gone());
  if (abandoned) return status;
  const std::string reason = error == 0 ? "" : std::string(" (") + std::strerror(error) + ")";
  complain("herglotz: not everything could be written to standard output" + reason +
           "; make room on its disk, or write to another place");
  return run_failed;
}

}  // namespace herglotz::app
