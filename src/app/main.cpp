#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"

namespace {

/// Runs the command. Errors become one line and a status; a failure of standard output is reported at the end.
int run(int argc, char** argv) {
  using namespace herglotz;
  const auto fail = [](const std::string& message, int status) {
    app::complain(message);
    return status;
  };
  try {
    return app::run_command_line(argc, argv);
  } catch (const io::InputError& e) {
    return fail(e.what(), app::bad_input);
  } catch (const std::invalid_argument& e) {
    return fail(fmt::format("herglotz: {}", e.what()), app::bad_input);
  } catch (const std::bad_alloc&) {
    return fail("herglotz: out of memory", app::run_failed);
  } catch (const std::exception& e) {
    return app::output_failed() ? app::success : fail(fmt::format("herglotz: {}", e.what()), app::run_failed);
  }
}

/// Keeps memory that is freed: computations make and free vectors of megabytes time and again, and pages that go back
/// to the system are cleared before they come again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kept = 64 << 20;
  constexpr int from_the_heap = 32 << 20;
  static_cast<void>(mallopt(M_TRIM_THRESHOLD, kept));
  static_cast<void>(mallopt(M_MMAP_THRESHOLD, from_the_heap));
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  herglotz::app::open_standard_streams();
  herglotz::io::silence_hdf5();
  const herglotz::app::EndOnInterrupt end("herglotz: stopped");
  return herglotz::app::finish_output(run(argc, argv));
}
