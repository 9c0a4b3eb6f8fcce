#include <CLI/CLI.hpp>

#include "grammar/grammar.hpp"
#include "grammar/shared_options.hpp"

namespace herglotz::app {
namespace {

void add_report(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("report", "A report from a stored run or ensemble");
  command
      .add_option("FILE", typed.report.files, "the .h5 file of a run or of an ensemble; of two runs to compare them")
      ->required()
      ->expected(1, 2);
  command.add_option("--out", typed.report.out, "where the report goes")->type_name("FILE.html")->required();
  command.add_flag("--force", typed.report.force, force_help);
  command.footer(
      "Examples:\n"
      "  herglotz report run.h5 --out run.html\n"
      "  herglotz report before.h5 after.h5 --out both.html");
}

void add_studio(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("studio", "A page to write a model, run it and look at its motion");
  command.add_option("MODEL", typed.studio.model, "a model file, which the page may save, or a gallery model");
  command.add_option("--port", typed.studio.port, "port on this machine (default 0: a free one)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  command.add_flag("--no-browser", typed.studio.no_browser, "only print the address");
  command.footer(
      "The page is served on this machine alone, to the browser that opens the printed address first. Ctrl-C ends "
      "it.\n\n"
      "Examples:\n"
      "  herglotz studio\n"
      "  herglotz studio my-system.toml\n"
      "  herglotz studio heavy-top --port 8080 --no-browser");
}

void add_methods(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("methods", "Every method, its order, and what it preserves");
  add_format(command, typed.methods_format, {"table", "json"});
  command.footer("Example:\n  herglotz methods --format json");
}

void add_devices(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("devices", "What can take the steps of a sweep, and why the rest cannot");
  add_format(command, typed.devices_format, {"table", "json"});
  command.footer("Example:\n  herglotz devices --format json");
}

void add_models(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("models", "The gallery of models that ships with the product");
  command.require_subcommand(0, 1);
  auto& list = *command.add_subcommand("list", "their names and titles (the default)");
  add_format(list, typed.models.format, {"table", "json"});
  auto* const problems = list.add_flag("--problems", typed.models.problems, "the problems that `herglotz solve` takes");
  list.add_flag("--indexed", typed.models.indexed, "the models with an index")->excludes(problems);
  auto& show = *command.add_subcommand("show", "print a model file");
  auto& copy = *command.add_subcommand("copy", "write a model file to edit");
  for (CLI::App* sub : {&show, &copy}) {
    sub->add_option("NAME", typed.models.name, "a gallery model")->required();
    sub->add_option("--links", typed.models.links, "number of links of n-link-pendulum")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
  }
  copy.add_option("--out", typed.models.out, "where to (default: NAME.toml here)")->type_name("FILE");
  copy.add_flag("--force", typed.models.force, "replace a file that exists");
  command.footer(
      "Examples:\n"
      "  herglotz models\n"
      "  herglotz models list --problems\n"
      "  herglotz models show heavy-top\n"
      "  herglotz models show n-link-pendulum --links 10 > ten-links.toml\n"
      "  herglotz models copy damped-pendulum --out my-system.toml");
}

void add_completion(CLI::App& app, Typed& typed) {
  auto& command = *app.add_subcommand("completion", "A completion script for a shell");
  command.add_option("SHELL", typed.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer(
      "Examples:\n"
      "  source <(herglotz completion bash)\n"
      "  herglotz completion zsh > ~/.zfunc/_herglotz\n"
      "  herglotz completion fish > ~/.config/fish/completions/herglotz.fish");
}

/// Adds the hidden command `manual`, which only the build uses.
void add_manual(CLI::App& app) {
  app.add_subcommand("manual", "The manual page, for man")->group("");
}

}  // namespace

void add_reading_commands(CLI::App& app, Typed& typed) {
  add_report(app, typed);
  add_studio(app, typed);
  add_methods(app, typed);
  add_devices(app, typed);
  add_models(app, typed);
  add_completion(app, typed);
  add_manual(app);
}

}  // namespace herglotz::app
