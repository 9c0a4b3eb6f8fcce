#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "command_line.hpp"
#include "commands/commands.hpp"
#include "herglotz/io/model_file.hpp"

namespace {

/// Errors are one line, whatever text they quote.
int fail(std::string message, int status) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fflush(stdout);
  fmt::print(stderr, "{}\n", message);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace herglotz;
  try {
    return app::run_command_line(argc, argv);
  } catch (const io::InputError& e) {
    return fail(e.what(), app::bad_input);
  } catch (const std::invalid_argument& e) {
    return fail(fmt::format("herglotz: {}", e.what()), app::bad_input);
  } catch (const std::bad_alloc&) {
    return fail("herglotz: out of memory", app::run_failed);
  } catch (const std::exception& e) {
    return fail(fmt::format("herglotz: {}", e.what()), app::run_failed);
  }
}
