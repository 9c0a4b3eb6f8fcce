#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "herglotz/compile/device.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

void print_json(const std::vector<compile::DeviceInfo>& infos) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& info : infos)
    list.push_back({{"name", info.name},
                    {"available", info.missing.empty()},
                    {"description", info.description},
                    {"memory", info.memory},
                    {"missing", info.missing}});
  fmt::print("{}\n", list.dump(2));
}

void print_table(const std::vector<compile::DeviceInfo>& infos) {
  constexpr double gibibyte = 1024.0 * 1024 * 1024;
  for (const auto& info : infos) {
    const bool there = info.missing.empty();
    const std::string memory =
        info.memory == 0 ? "" : fmt::format(", {:.1f} GiB", static_cast<double>(info.memory) / gibibyte);
    const std::string text = there ? info.description + memory : "not there: " + info.missing;
    fmt::print("{}{}\n", styled(stdout, there ? Style::bold : Style::dim, fmt::format("{:<6}", info.name)),
               one_line(text));
  }
}

}  // namespace

int devices(const std::string& format) {
  const auto infos = compile::devices();
  format == "json" ? print_json(infos) : print_table(infos);
  return success;
}

}  // namespace herglotz::app
