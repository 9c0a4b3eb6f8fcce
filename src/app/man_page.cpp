#include "man_page.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace herglotz::app {
namespace {

/// Text that man(7) shows as it is: no requests, no escapes, hyphens that can be copied.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const bool begins = safe.empty() || safe.back() == '\n';
    if (begins && (c == '.' || c == '\'')) safe += "\\&";
    safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return safe;
}

std::string option_entry(const CLI::Option& option) {
  const std::string name = option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
  const std::string value = option.get_items_expected() > 0 && !option.get_lnames().empty()
                                ? " \\fI" + plain(option.get_type_name()) + "\\fR"
                                : "";
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(name), value, plain(option.get_description()));
}

/// The description, options and footer of a command, and those of its own commands.
std::string section(const CLI::App& command, const std::string& name) {
  std::string text = fmt::format(".SS {}\n{}.\n", plain(name), plain(command.get_description()));
  for (const CLI::Option* option : command.get_options())
    if (option->get_name() != "--help") text += option_entry(*option);
  if (!command.get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", plain(command.get_footer()));
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
    text += section(*sub, name + " " + sub->get_name());
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH HERGLOTZ 1 \"\" \"herglotz {}\"\n.SH NAME\nherglotz \\- {}\n"
      ".SH SYNOPSIS\n\\fBherglotz\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH COMMANDS\n",
      HERGLOTZ_VERSION, plain(app.get_description()));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    page += section(*sub, "herglotz " + sub->get_name());
  return page + fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", plain(app.get_footer()));
}

}  // namespace herglotz::app
