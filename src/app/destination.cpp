#include "destination.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {

void check_destination(const std::string& option, const std::string& file, const std::vector<std::string>& endings) {
  if (file.empty()) return;
  const std::filesystem::path path(file);
  if (std::find(endings.begin(), endings.end(), path.extension()) == endings.end()) {
    throw io::InputError(option, 0, 0, fmt::format("'{}' has no known ending", file),
                         fmt::format("end it in {}", fmt::join(endings, " or ")));
  }
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw io::InputError(option, 0, 0, fmt::format("there is no folder '{}'", folder.string()), "create it first");
  }
  if (access(folder.c_str(), W_OK) != 0 || std::filesystem::is_directory(path, ignored)) {
    throw io::InputError(option, 0, 0, fmt::format("'{}' cannot be written", file), "choose another place");
  }
}

void check_occupant(const std::string& option, const std::string& file, bool force) {
  if (file.empty() || force) return;
  const io::Occupant occupant = io::occupant_of(file);
  if (occupant == io::Occupant::nothing || occupant == io::Occupant::ours) return;
  const bool sweep = occupant == io::Occupant::complete_sweep;
  throw io::InputError(
      option, 0, 0, fmt::format("'{}' {}", file, sweep ? "is a complete sweep" : "exists and is not a result of a run"),
      "choose another place, or replace it with --force");
}

void check_model_destination(const std::string& out, bool force) {
  if (out.empty()) return;
  check_destination("--out", out, {".toml"});
  check_occupant("--out", out, force);
}

void write_model(const std::string& text, const std::string& out) {
  if (out.empty()) {
    fmt::print("{}", text);
    return;
  }
  io::write_text(out, text);
  fmt::print("{}\n", one_line(out));
}

}  // namespace herglotz::app
