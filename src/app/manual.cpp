#include "manual.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

namespace herglotz::app {
namespace {

/// Returns the text escaped for roff: backslashes and dashes are printed as they are, and no line is read as a request.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!sub->get_group().empty()) shown.push_back(sub);
  return shown;
}

bool is_positional(const CLI::Option& option) {
  return option.get_lnames().empty() && option.get_snames().empty();
}

/// Returns the option as it is typed, such as "--set NAME=VALUE" or "-h, --help".
std::string written(const CLI::Option& option) {
  if (is_positional(option)) return option.get_name(true);
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  const bool value = option.get_items_expected() > 0;
  return fmt::format("{}{}", fmt::join(names, ", "), value ? " " + option.get_type_name() : std::string());
}

std::string synopsis(const CLI::App& command) {
  std::string line = fmt::format(".B {}\n", escaped(full_name(command)));
  for (const CLI::Option* option : command.get_options())
    if (is_positional(*option)) line += fmt::format(".I {}\n", escaped(option->get_name(true)));
  return line + "[options]\n";
}

std::string options_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options())
    text += fmt::format(".TP\n.B {}\n{}\n", escaped(written(*option)), escaped(option->get_description()));
  return text;
}

/// Returns a part of the footer of the help: its examples as they are typed if `examples` is true, else its sentences.
std::string footer_of(const CLI::App& command, bool examples) {
  const CLI::App* parent = command.get_parent();
  if (parent != nullptr && parent->get_parent() != nullptr) return {};  // it is inherited
  std::istringstream lines(command.get_footer());
  std::string text;
  bool at_examples = false;
  for (std::string line; std::getline(lines, line);) {
    at_examples = at_examples || line.starts_with("Example");
    if (at_examples != examples || line.starts_with("Example") || line.empty()) continue;
    text += escaped(line) + "\n";
  }
  return text;
}

std::string described(const CLI::App& command) {
  std::string text = fmt::format(".SS \"{}\"\n{}.\n", escaped(full_name(command)), escaped(command.get_description()));
  const std::string more = footer_of(command, false);
  if (!more.empty()) text += ".PP\n" + more;
  text += options_of(command);
  for (const CLI::App* sub : commands_of(command)) text += described(*sub);
  return text;
}

constexpr const char* model_file =
    R"(A model is one TOML file. A small one:
.PP
.RS 4
.nf
[algebroid]
kind  = "tangent"
base  = ["theta"]
fibre = ["omega"]

[parameters]
gamma = 0.2

[dynamics]
lagrangian = "omega^2/2 + cos(theta) \- gamma*z"

[initial]
theta = "30*deg"

[simulation]
t_end = 60
.fi
.RE
.PP
The tables are
.BR model ", " algebroid ", " parameters ", " definitions ", " dynamics ", " constraints ", " symmetries ", " dissipated ,
.BR invariants ", " observables ", " initial ", " simulation ", " discrete ", " events " and " sweep .
Expressions are written with
.BR "+ \- * / ^" ,
parentheses, the usual functions, and the constants
.BR pi " and " deg .
Names may have Greek letters. The whole reference is docs/model\-file.md of the source.
)";

constexpr const char* exit_status =
    R"(.TP
.B 0
Everything asked for was done.
.TP
.B 2
Bad input: one line on standard error says what is wrong, where, and what would be right.
.TP
.B 3
A run that failed, or standard output that could not be written; what was computed so far is kept.
.TP
.B 130
Stopped by Ctrl\-C; what was computed so far is kept.
)";

constexpr const char* files =
    R"(.TP
.I FILE.csv
A trajectory: one header line, then a row for each stored state.
.TP
.I FILE.h5
A trajectory or an ensemble in HDF5, with the text of its model.
.TP
.I FILE.h5.journal
What a sweep has done so far;
.B \-\-resume
goes on from it.
.TP
.I FILE.h5.K\-of\-N.journal
What shard K of N has done so far;
.B herglotz merge
makes FILE.h5 of all of them.
)";

constexpr const char* environment =
    R"(.TP
.B NO_COLOR
If it is set, messages have no colours.
.TP
.B TERM
If it is
.BR dumb ,
messages have no colours either.
)";

}  // namespace

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::string manual_page(const CLI::App& app) {
  const auto commands = commands_of(app);
  std::string page = fmt::format(".TH HERGLOTZ 1 \"\" \"herglotz {}\" \"Herglotz\"\n", HERGLOTZ_VERSION);
  page += ".SH NAME\nherglotz \\- dissipative geometric mechanics\n.SH SYNOPSIS\n";
  for (const CLI::App* command : commands) page += synopsis(*command) + ".br\n";
  page += fmt::format(".SH DESCRIPTION\n{}.\n", escaped(app.get_description()));
  page +=
      "A model file describes a system by its Herglotz Lagrangian or contact Hamiltonian on an algebroid, with forces "
      "and\n"
      "constraints; the program derives its equations, compiles them, runs them and verifies the balance laws of the "
      "run.\n";
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : commands)
    page += fmt::format(".TP\n.B {}\n{}\n", escaped(command->get_name()), escaped(command->get_description()));
  page += ".SH OPTIONS\n" + options_of(app);
  for (const CLI::App* command : commands) page += described(*command);
  page += fmt::format(".SH MODEL FILE\n{}.SH EXIT STATUS\n{}.SH FILES\n{}.SH ENVIRONMENT\n{}.SH EXAMPLES\n.nf\n",
                      model_file, exit_status, files, environment);
  for (const CLI::App* command : commands) page += footer_of(*command, true);
  return page + ".fi\n";
}

}  // namespace herglotz::app
