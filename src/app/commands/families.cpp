#include "commands/families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/family_view.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/report/indexed.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/simulate/check.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/print.hpp"
#include "run_settings.hpp"
#include "summary/findings.hpp"
#include "summary/run_json.hpp"
#include "summary/summary.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/printable.hpp"
#include "terminal/progress.hpp"

namespace herglotz::app {
namespace {

using families::FieldRun;
using Indexed = families::Model;  // `Model` is a model of this room with its file

/// Calls `make`; a refusal gets the place of the line that it speaks of.
template <class Make>
auto placed(const ModelText& source, const Make& make) {
  try {
    return make();
  } catch (const Refused& e) {
    for (const std::string key : {"step", "output_step", "output_every", "t_end", "method", "columns"})
      if (e.where() == key) refuse(source.file, source.text, key, e);
    refuse(source.file, source.text, e.table_or("lagrangian"), e);
  }
}

/// Returns names with a comma in brackets, such as q[0,3], as one, which an option with a list has cut into parts.
std::vector<std::string> whole_names(const std::vector<std::string>& parts) {
  std::vector<std::string> names;
  bool open = false;
  for (const std::string& part : parts) {
    if (open)
      names.back() += "," + part;
    else
      names.push_back(part);
    open = names.back().find('[') != std::string::npos && names.back().find(']') == std::string::npos;
  }
  return names;
}

std::string heading(const Indexed& model) {
  std::string text = one_line(model.name);
  if (!model.title.empty()) text += "  " + one_line(model.title);
  if (!model.reference.empty()) text += "  [" + one_line(model.reference) + "]";
  return text;
}

/// Returns the numbers of sites and what lies beyond them.
std::string in_words(const Indexed& model) {
  std::string text;
  for (const auto& index : model.indices) {
    const auto ends = index.ends;
    const char* words = ends == families::Ends::periodic ? "a ring"
                        : ends == families::Ends::fixed  ? "fixed ends"
                                                         : "free ends";
    text += fmt::format("{}{} on {}", text.empty() ? "" : " times ", index.count, words);
  }
  return text;
}

/// Start of a run, or the reason why there is no start.
struct FirstSteps {
  std::optional<FieldRun> run{};
  bool loops = false;
  std::string failure{};
  std::optional<Refused> refused{};
};

/// Runs as `simulate` does, but ends after the first steps.
FirstSteps first_steps(Indexed& model) {
  FirstSteps first;
  try {
    first.loops = families::runs_in_loops(model);
    first.run = first.loops ? families::Runs(model).first_steps() : families::FlatRuns(model).first_steps();
    first.failure = first.run->failure;
  } catch (const Refused& refused) {
    first.refused = refused;
    first.failure = refused.what();
  }
  return first;
}

/// The equations of a site, or the reason why the model is written out in their place.
struct SiteEquations {
  std::optional<families::Equations> derived{};
  std::string why_not{};
};

/// Derives the equations of a site. Throws Refused if there are none and the model is too large to be written out.
SiteEquations equations_of_a_site(Indexed& model) {
  try {
    return {families::derive(model, families::Borders::kept), ""};
  } catch (const Refused& refused) {
    if (model.base.size() * model.count() > families::most_flat) throw;
    return {std::nullopt, refused.problem()};
  }
}

/// Returns the distinct entries of a diagonal, in the order of the families.
std::string entries_of(const std::vector<symbolic::Expr>& diagonal) {
  std::vector<std::string> entries;
  for (const auto& entry : diagonal)
    if (std::string text = symbolic::print(entry); std::find(entries.begin(), entries.end(), text) == entries.end())
      entries.push_back(std::move(text));
  return fmt::format("{}", fmt::join(entries, ", "));
}

/// Says whether a run goes on from its start.
simulate::Finding start_of(const Indexed& model, const FirstSteps& first) {
  if (!first.failure.empty()) return {"start", "", "no run goes on from it", "", false};
  const std::string time(model.t.name());
  const double reached = first.run->trajectory.columns.front().values.back();
  if (reached == model.t0) return {"start", "", "a run ends at it", fmt::format(", {} = {:.6g}", time, reached), true};
  return {"start", "", "a run goes on from it", fmt::format(", to {} = {:.6g}", time, reached), true};
}

}  // namespace

int derive_families(const ModelText& source, const DeriveArguments& arguments) {
  const char* option = view_of(arguments);
  const bool other = arguments.format != "text" && arguments.format != "latex";
  if (option != nullptr || other)
    throw io::InputError(option == nullptr ? "--format" : option, 0, 0,
                         "a model with an index has its equations at a site, as text and LaTeX", "leave it out");
  Indexed model = io::parse_family_model(source.text, source.file, arguments.set);
  const auto presentation = placed(source, [&] { return families::presentation(model); });
  const auto format = arguments.format == "latex" ? symbolic::Format::latex : symbolic::Format::text;
  fmt::print("{}", printable(mechanics::render(presentation, format)));
  return success;
}

int check_families(const ModelText& source, const CheckArguments& arguments) {
  Indexed model = io::parse_family_model(source.text, source.file, arguments.set);
  const SiteEquations equations = placed(source, [&] { return equations_of_a_site(model); });
  std::vector<simulate::Finding> findings;
  auto symmetries = nlohmann::ordered_json::array();
  findings.push_back(
      {"sites", "", in_words(model),
       fmt::format(", {} of coordinates each",
                   model.base.size() == 1 ? "one family" : fmt::format("{} families", model.base.size())),
       true});
  if (equations.derived)
    findings.push_back({"inertia", "",
                        equations.derived->inverse.empty() ? "diagonal" : "a matrix at each site, with the diagonal",
                        fmt::format(": {}", entries_of(equations.derived->inertia)), true});
  else
    findings.push_back({"equations", "", "not written for a site", ": " + equations.why_not, true});
  for (const auto& symmetry : model.symmetries) {
    if (!equations.derived) break;  // they are checked by the densities of a site
    const bool holds = families::is_symmetry(model, symmetry);
    const bool inside = families::keeps_densities(model, symmetry);
    findings.push_back({"symmetry", symmetry.name + " ", inside ? "holds" : "does not hold",
                        inside && !holds ? " at every site, not at the fixed ends" : " at every site", holds});
    symmetries.push_back({{"name", symmetry.name}, {"holds", holds}});
  }
  if (!model.constraints.empty())
    findings.push_back(
        {"constraints", "", fmt::format("{} equations", families::equation_count(model)),
         fmt::format(", {} rule", model.rule == mechanics::Rule::vakonomic ? "vakonomic" : "nonholonomic"), true});
  const bool json = arguments.format == "json";
  if (!json) fmt::print("{}\n", heading(model));
  for (const auto& finding : findings)
    if (!json) print_finding(finding);
  const auto add = [&](const simulate::Finding& finding) {
    findings.push_back(finding);
    if (!json) print_finding(finding);
  };
  const FirstSteps first = first_steps(model);
  if (first.run) {
    const auto& facts = first.run->trajectory.facts;
    add({"method", facts.method, "", first.loops ? ", in loops over the sites" : ", written out flat", true});
    add(start_of(model, first));
  }
  if (json) {
    nlohmann::ordered_json object{{"model", model.name},
                                  {"name", model.name},
                                  {"sites", model.count()},
                                  {"ok", first.failure.empty()},
                                  {"failure", first.failure},
                                  {"method", first.run ? first.run->trajectory.facts.method : model.settings.method},
                                  {"symmetries", std::move(symmetries)},
                                  {"findings", findings_json(findings)}};
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  std::fflush(stdout);
  if (first.refused) placed(source, [&]() -> int { throw Refused(*first.refused); });
  if (first.failure.empty()) return success;
  complain(fmt::format("{}: {}", source.file, first.failure));
  return run_failed;
}

int simulate_families(const ModelText& source, const SimulateArguments& arguments, DataOutput* data) {
  Indexed model = io::parse_family_model(source.text, source.file, arguments.set);
  override_settings(model.settings, arguments);
  if (!arguments.columns.empty()) model.settings.columns.clear();
  for (const auto& name : whole_names(arguments.columns))
    model.settings.columns.push_back(symbolic::with_plain_greek(name));
  const bool loops = placed(source, [&] { return families::runs_in_loops(model); });

  const bool csv = data != nullptr || arguments.out.ends_with(".csv");
  if (loops && csv)
    io::require_csv_width(placed(source, [&] { return families::stored_columns(model); }),
                          data != nullptr ? "--out" : arguments.out);

  const InterruptGuard interrupt;
  ProgressBar bar(model.name);
  const auto progress = [&](double fraction) {
    bar.show(fraction);
    return !interrupt.requested();
  };
  std::vector<std::string> written;
  FieldRun run =
      placed(source, [&] { return loops ? families::run(model, progress) : families::run_flat(model, progress); });
  if (loops && (arguments.out.ends_with(".h5") || !arguments.report.empty()))
    run.trajectory.facts.equations_latex = mechanics::render(families::presentation(model), symbolic::Format::latex);
  if (data != nullptr) {
    io::print_csv(families::in_columns(run), data->stream());
    data->finish();
  } else if (!arguments.out.empty()) {
    io::write_family_run(run, arguments.out);
    written.push_back(fmt::format("{} ({} rows)", arguments.out, run.trajectory.rows()));
  }
  const analyse::Trajectory shown = families::with_curves(run);
  if (!arguments.report.empty()) {
    io::FamilyView view = io::parse_family_view(source.text, source.file, arguments.set);
    report::write_page(report::render(shown, run, view), arguments.report);
    written.push_back(arguments.report);
  }
  arguments.format == "json" ? print_run_json(shown, written) : print_summary(shown, written);
  if (!run.failure.empty()) {
    complain(fmt::format("{}: {}", source.file, run.failure));
    return run_failed;
  }
  return interrupt.requested() && !shown.facts.complete ? interrupted : success;
}

}  // namespace herglotz::app
