#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "herglotz/analyse/roles.hpp"
#include "herglotz/analyse/run_facts.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/io/input_files.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/report/indexed.hpp"
#include "herglotz/report/live.hpp"
#include "herglotz/report/report.hpp"
#include "motion/motion.hpp"
#include "motion/site_bodies.hpp"
#include "page/markup.hpp"
#include "run/decimate.hpp"
#include "run/live_json.hpp"

namespace herglotz::report {

namespace {

using analyse::Role;
using analyse::RunFacts;
using analyse::Trajectory;
using nlohmann::json;

json named_numbers(const std::vector<std::pair<std::string, double>>& pairs) {
  json list = json::array();
  for (const auto& [name, value] : pairs) list.push_back({{"name", name}, {"value", number(value)}});
  return list;
}

json numbers(const std::vector<double>& values) {
  json list = json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

/// Numbers may be infinite or NaN, which JSON lacks.
struct FactJson {
  json& object;

  template <class Fact>
  void operator()(const char* name, const Fact& fact) const {
    object[name] = fact;
  }
  void operator()(const char* name, double fact) const { object[name] = number(fact); }
  void operator()(const char* name, const std::vector<std::pair<std::string, double>>& fact) const {
    object[name] = named_numbers(fact);
  }
};

json facts_of(const RunFacts& facts) {
  json object;
  analyse::for_each_member(facts, FactJson{object});
  return object;
}

/// Returns the largest |value| over all stored rows, before any rows are left out, or NaN if one value is NaN.
double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isnan(value)) return value;
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// Number of crossings of each event that the page can draw quickly. If there are more, evenly spread crossings are
/// kept.
constexpr std::size_t page_crossings = 5000;

json events_of(const Trajectory& trajectory) {
  json events = json::array();
  for (const analyse::Crossings& event : trajectory.events) {
    const std::size_t count = event.count();
    const std::size_t kept = std::min(count, page_crossings);
    json columns = json::array();
    for (const analyse::Column& column : event.columns) {
      json values = json::array();
      for (std::size_t k = 0; k < kept; ++k) values.push_back(number(column.values.at(k * count / kept)));
      columns.push_back({{"name", column.name}, {"values", std::move(values)}});
    }
    events.push_back({{"name", event.name}, {"count", count}, {"columns", std::move(columns)}});
  }
  return events;
}

void require_equal_columns(const Trajectory& trajectory) {
  for (const analyse::Column& column : trajectory.columns) {
    if (column.values.size() != trajectory.rows()) {
      throw Refused("column '" + column.name + "' has " + std::to_string(column.values.size()) +
                    " values where the first column has " + std::to_string(trajectory.rows()));
    }
  }
}

/// Returns what a page shows of a run, without the values of its columns.
json head_of(const Trajectory& trajectory, json motion) {
  json columns = json::array();
  for (const analyse::Column& column : trajectory.columns) {
    columns.push_back(
        {{"name", column.name}, {"role", name_of(column.role)}, {"largest", number(largest_magnitude(column.values))}});
  }
  return {{"format", 1},
          {"rows", trajectory.rows()},
          {"facts", facts_of(trajectory.facts)},
          {"columns", std::move(columns)},
          {"events", events_of(trajectory)},
          {"motion", std::move(motion)}};
}

json payload(const Trajectory& trajectory, const std::function<json(const std::vector<std::size_t>& rows)>& motion) {
  require_equal_columns(trajectory);
  const auto rows = rows_to_draw(trajectory);
  json data = head_of(trajectory, motion(rows));
  for (std::size_t k = 0; k < trajectory.columns.size(); ++k) {
    json values = json::array();
    for (const std::size_t row : rows) values.push_back(number(trajectory.columns[k].values[row]));
    data["columns"][k]["values"] = std::move(values);
  }
  return data;
}

json payload(const Trajectory& trajectory) {
  return payload(trajectory, [&](const std::vector<std::size_t>& rows) {
    return motion_of(trajectory, rows, stated_view(trajectory.facts.model_text));
  });
}

/// Returns a number with the digits that a picture shows.
json shown(double value) {
  if (!std::isfinite(value) || value == 0) return number(value);
  const double unit = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::round(value * unit) / unit;
  return number(std::isfinite(rounded) ? rounded : value);
}

/// Returns a picture without its values.
json frame_of(const analyse::FieldPicture& field) {
  json axes = json::array();
  for (const auto& axis : field.axes) axes.push_back({{"name", axis.name}, {"places", axis.places}});
  return {
      {"name", field.name}, {"role", name_of(field.role)}, {"axes", std::move(axes)}, {"times", numbers(field.times)}};
}

json fields_of(const std::vector<analyse::FieldPicture>& fields) {
  json list = json::array();
  for (const auto& field : fields) {
    json values = json::array();
    for (const double value : field.values) values.push_back(shown(value));
    list.push_back(frame_of(field));
    list.back()["values"] = std::move(values);
  }
  return list;
}

std::string heading(const RunFacts& facts) {
  if (!facts.title.empty()) return facts.title;
  return facts.model_name.empty() ? "Untitled run" : facts.model_name;
}

/// Returns the summary of a run for readers without JavaScript.
std::string summary(const Trajectory& trajectory) {
  const RunFacts& facts = trajectory.facts;
  std::string text = "<h1>" + html(heading(facts)) + "</h1>\n<p>" + html(facts.reference) + "</p>\n<ul>\n";
  text += "<li>Status: " + html(facts.status) + "</li>\n";
  for (const std::string& note : facts.notes) text += "<li>Note: " + html(note) + "</li>\n";
  text += "<li>Method: " + html(facts.method) + "</li>\n";
  text += "<li>Largest energy residual: " + html(number(facts.largest_energy_residual).dump()) + "</li>\n";
  for (const auto& [name, value] : facts.largest_dissipated_residuals)
    text += "<li>Largest residual of the dissipated " + html(name) + ": " + html(number(value).dump()) + "</li>\n";
  for (const auto& [name, value] : facts.largest_momentum_residuals) {
    text += "<li>Largest momentum residual, " + html(name) + ": " + html(number(value).dump()) + "</li>\n";
  }
  const bool constrained = std::any_of(trajectory.columns.begin(), trajectory.columns.end(),
                                       [](const analyse::Column& column) { return column.role == Role::constraint; });
  if (constrained) {
    text += "<li>Largest constraint residual: " + html(number(facts.largest_constraint_residual).dump()) + "</li>\n";
  }
  return text + "</ul>\n<pre>" + html(facts.model_text) + "</pre>\n";
}

json switches_of(const control::SolutionFacts& solution) {
  json list = json::array();
  for (const auto& [control, times] : solution.switching_times)
    list.push_back({{"control", control}, {"times", numbers(times)}});
  return list;
}

json solution_of(const RunFacts& facts, const control::SolutionFacts& solution) {
  json bounds = json::array();
  for (const auto& one : io::bounds_of(facts))
    bounds.push_back({{"control", one.control}, {"lower", number(one.lower)}, {"upper", number(one.upper)}});
  return {{"status", control::word_for(solution.status)},
          {"reason", solution.reason},
          {"extremal", control::extremal_of(solution)},
          {"cost", number(solution.cost)},
          {"cost_error", number(solution.cost_error)},
          {"mesh_error", number(solution.mesh_error)},
          {"duration", number(solution.duration)},
          {"structure", solution.structure},
          {"residuals", named_numbers(solution.residuals)},
          {"intervals", solution.intervals},
          {"iterations", solution.iterations},
          {"solvers", solution.solvers},
          {"switches", switches_of(solution)},
          {"controls", std::move(bounds)},
          {"times", numbers(solution.iterate.times)},
          {"errors", numbers(solution.iterate.errors)}};
}

/// Returns the summary of a solution for readers without JavaScript.
std::string summary(const RunFacts& facts, const control::SolutionFacts& solution) {
  std::string text = "<h1>" + html(heading(facts)) + "</h1>\n<p>" + html(facts.reference) + "</p>\n<ul>\n";
  const auto line = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += "<li>" + name + ": " + html(value) + "</li>\n";
  };
  line("Status", control::word_for(solution.status));
  line("Reason", solution.reason);
  line("Extremal", control::extremal_of(solution));
  const bool estimated = !std::isnan(solution.cost_error);
  line("Cost", number(solution.cost).dump() +
                   (estimated ? ", estimated error " + number(solution.cost_error).dump() : std::string()));
  line("Duration", number(solution.duration).dump());
  line("Structure", solution.structure);
  for (const std::string& note : solution.notes) line("Note", note);
  for (const auto& [name, value] : solution.residuals) line("Residual, " + html(name), number(value).dump());
  return text + "</ul>\n<pre>" + html(facts.model_text) + "</pre>\n";
}

constexpr auto needs_script = "<p>Plots and equations need JavaScript.</p>\n";

}  // namespace

struct RunPages::Impl {
  StatedView view;
};

RunPages::RunPages(const std::string& model_text) : impl_(std::make_unique<Impl>(Impl{stated_view(model_text)})) {}
RunPages::~RunPages() = default;
RunPages::RunPages(RunPages&&) noexcept = default;
RunPages& RunPages::operator=(RunPages&&) noexcept = default;

LiveRun RunPages::page_of(const Trajectory& trajectory, std::size_t limit) const {
  require_equal_columns(trajectory);
  auto rows = rows_to_draw(trajectory, limit);
  const json head = head_of(trajectory, motion_of(trajectory, rows, impl_->view));
  return {head.dump(-1, ' ', true, json::error_handler_t::replace), std::move(rows)};
}

std::string render(const Trajectory& trajectory) {
  return filled_page(heading(trajectory.facts), needs_script + summary(trajectory), payload(trajectory));
}

std::string render(const Trajectory& trajectory, const std::vector<analyse::FieldPicture>& fields) {
  json data = payload(trajectory, [](const auto&) { return nullptr; });
  data["fields"] = fields_of(fields);
  return filled_page(heading(trajectory.facts), needs_script + summary(trajectory), data);
}

std::string render(const Trajectory& shown, const families::FieldRun& run, io::FamilyView& view) {
  json data = payload(shown, [&](const auto&) { return site_motion_of(run, view); });
  data["fields"] = fields_of(families::pictures(run));
  return filled_page(heading(shown.facts), needs_script + summary(shown), data);
}

std::string render(const families::FieldRun& run) {
  Trajectory shown = families::with_curves(run);
  const RunFacts& facts = run.trajectory.facts;
  std::vector<std::string> values;
  for (const auto& [name, value] : facts.parameters) values.push_back(fmt::format("{}={:.17g}", name, value));
  std::optional<io::FamilyView> view;
  std::string why;
  try {
    if (io::input_files(facts.model_text).empty())
      view = io::parse_family_view(facts.model_text, "model.toml", values);
    else
      why = "its model reads files, which a stored run does not have";
  } catch (const io::InputError& error) {
    why = "its model could not be read: " + error.problem();
  }
  if (view) return render(shown, run, *view);
  shown.facts.notes.push_back("The motion is not drawn, as " + why + ".");
  return render(shown, families::pictures(run));
}

LiveRun page_of(const Trajectory& shown, const families::FieldRun& run, io::FamilyView& view, std::size_t limit,
                double part) {
  // A picture follows a slider: a fifth of what a report has.
  const auto most_numbers = static_cast<std::size_t>(100'000 * part);
  require_equal_columns(shown);
  LiveRun live{{}, rows_to_draw(shown, limit)};
  json head = head_of(shown, site_motion_of(run, view, most_numbers, &live.sites));
  head["counts"] = view.model.counts;
  head["fields"] = json::array();
  for (const auto& field : families::pictures(run, part)) {
    head["fields"].push_back(frame_of(field));
    live.fields.insert(live.fields.end(), field.values.begin(), field.values.end());
  }
  live.head = head.dump(-1, ' ', true, json::error_handler_t::replace);
  return live;
}

std::string render(const Trajectory& trajectory, const simulate::LiveMotion& live) {
  json data = payload(trajectory);
  data["live"] = json_of(live);
  data["live"]["motion"] = live_motion_of(trajectory);
  return filled_page(heading(trajectory.facts), needs_script + summary(trajectory), data, Policy::webassembly);
}

std::string render(const Trajectory& trajectory, const control::SolutionFacts& solution) {
  json data = payload(trajectory);
  data["solution"] = solution_of(trajectory.facts, solution);
  return filled_page(heading(trajectory.facts), needs_script + summary(trajectory.facts, solution), data);
}

std::string render(const Trajectory& first, const Trajectory& second, const std::array<std::string, 2>& names) {
  const json data{{"kind", "comparison"},
                  {"format", 1},
                  {"names", names},
                  {"runs", json::array({payload(first), payload(second)})}};
  return filled_page(names[0] + " and " + names[1], needs_script + summary(first) + summary(second), data);
}

}  // namespace herglotz::report
