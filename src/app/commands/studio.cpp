#include "herglotz/studio/studio.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "commands/commands.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/printable.hpp"
#include "model_source.hpp"

namespace herglotz::app {
namespace {

constexpr auto first_model = "heavy-top";

/// Asks the desktop to open the address; a machine without a desktop does nothing.
void open_browser(const std::string& address) {
  std::string program = "xdg-open";
  std::string argument = address;
  const std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (::posix_spawnp(&child, program.c_str(), &actions, nullptr, words.data(), environ) != 0)
    fmt::print(stderr, "No browser was found; open the address above in one.\n");
  posix_spawn_file_actions_destroy(&actions);
}

/// Throws io::InputError if the page cannot show a text as it is: what it saves would be another one.
void require_shown(const ModelText& model) {
  // Messages of the page have at most 1 MB, with what JSON adds.
  constexpr std::size_t largest = 500'000;
  if (model.text.size() > largest)
    throw io::InputError(model.file, 0, 0, "the text is larger than 500 kB, more than the studio takes",
                         "`herglotz simulate` and the other commands take up to 10 MB");
  if (!symbolic::is_utf8(model.text) || model.text.find('\0') != std::string::npos)
    throw io::InputError(model.file, 0, 0, "this is not text in UTF-8", "name a model file");
}

}  // namespace

int studio(const StudioArguments& arguments) {
  const ModelText model = read_model_text(arguments.model.empty() ? first_model : arguments.model);
  require_shown(model);
  studio::ServerOptions options;
  options.text = model.text;
  options.file = model.file;
  std::error_code ignored;
  if (!arguments.model.empty() && std::filesystem::is_regular_file(arguments.model, ignored))
    options.place = arguments.model;
  options.port = static_cast<unsigned short>(arguments.port);
  options.ready = [&](const std::string& address) {
    fmt::print("{}\n", address);
    std::fflush(stdout);
    if (!arguments.no_browser) open_browser(address);
  };
  try {
    studio::serve(options);
  } catch (const Failed& error) {
    throw io::InputError("--port", 0, 0, error.problem(), error.remedy());
  }
  return success;
}

}  // namespace herglotz::app
