#pragma once
/// Standard input, output and error: streams that may be closed, full, or a pipe that nobody reads.

#include <cstdio>
#include <string_view>

namespace herglotz::app {

/// Opens /dev/null in place of standard streams that are closed, so that no file of a run gets their descriptors; makes
/// writing to a closed pipe, or beyond the largest file that is allowed, an error in place of a signal.
void open_standard_streams();

/// Writes one line to standard error; control characters in the message are shown as escapes. Does nothing if standard
/// error cannot be written.
void complain(std::string_view message);

/// Writes a text to standard error as it is, or as much of it as can be written.
void write_to_error(std::string_view text);

/// Returns true if some printed text did not reach standard output.
bool output_failed();

/// Flushes standard output and returns `status`. If standard output cannot be written, reports that and returns
/// run_failed. A reader that has left the pipe, as `head` does, is not a failure.
int finish_output(int status);

/// Standard output reserved for data: while such an object lives, printed text goes to standard error instead.
class DataOutput {
 public:
  /// Throws Failed if standard output is closed.
  DataOutput();
  ~DataOutput();
  DataOutput(const DataOutput&) = delete;
  DataOutput& operator=(const DataOutput&) = delete;

  [[nodiscard]] std::FILE* stream() const { return stream_; }
  /// Flushes the data. Throws Failed if some data was not written, unless the reader has left.
  void finish();

 private:
  std::FILE* stream_;
};

}  // namespace herglotz::app
