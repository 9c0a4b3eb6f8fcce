#include "sweep/sweep_motion.hpp"

#include <string>

#include "herglotz/families/pictures.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/input_files.hpp"
#include "herglotz/io/model_file.hpp"
#include "motion/motion.hpp"
#include "sweep/packed.hpp"

namespace herglotz::report {
namespace {

using nlohmann::json;

/// Returns what the file kept of a member as a run.
analyse::Trajectory member_of(const io::SweepReader& sweep, const std::string& time, std::size_t member,
                              std::vector<double>& swept) {
  const io::SweepFacts& facts = sweep.facts();
  analyse::Trajectory run;
  run.columns.push_back({time, analyse::Role::time, facts.times});
  for (const auto& [name, role] : facts.columns)
    if (role != analyse::Role::time) run.columns.push_back({name, role, sweep.rows(name, member, 1)});
  run.facts.model_text = facts.model_text;
  run.facts.parameters = facts.parameters;
  for (const auto& name : facts.swept) {
    swept.push_back(sweep.swept(name, member, 1).front());
    for (auto& [parameter, value] : run.facts.parameters)
      if (name == "parameters." + parameter) value = swept.back();
  }
  return run;
}

/// Returns the columns of the run that the operations of a motion read.
json columns_for(const json& motion, const analyse::Trajectory& run, const std::vector<std::size_t>& rows) {
  json columns = json::array();
  for (const json& operation : motion.at("operations")) {
    if (operation.at(0) != "column") continue;
    const auto* column = run.find(operation.at(1).get<std::string>());
    if (column == nullptr) continue;
    std::vector<double> values;
    for (const std::size_t row : rows) values.push_back(column->values[row]);
    columns.push_back({{"name", column->name}, {"values", packed(values)}});
  }
  return columns;
}

}  // namespace

std::string time_in(const std::string& model_text) {
  constexpr auto usual = "t";
  try {
    if (!io::input_files(model_text).empty()) return usual;
    const bool indexed = io::states_families(model_text, "model.toml");
    return std::string(indexed ? io::parse_family_model(model_text, "model.toml").t.name()
                               : io::parse_model(model_text).system.t.name());
  } catch (const io::InputError&) {
    return usual;
  }
}

json sweep_motion_of(const io::SweepReader& sweep, const MotionLimits& limits) {
  const io::SweepFacts& facts = sweep.facts();
  const bool rows_kept = facts.keep == ensemble::Keep::trajectory || facts.keep == ensemble::Keep::times;
  if (!rows_kept || facts.times.size() < 2) return nullptr;
  const StatedView stated = stated_view(facts.model_text);
  const std::string time = time_in(facts.model_text);
  const std::vector<std::size_t> rows = families::spread(facts.times.size(), limits.rows);
  json members = json::array();
  for (const std::size_t member : families::spread(facts.members, limits.members)) {
    std::vector<double> swept;
    const analyse::Trajectory run = member_of(sweep, time, member, swept);
    const json motion = motion_of(run, rows, stated);
    if (motion.is_null()) return nullptr;
    if (motion.at("bodies").empty()) return {{"note", motion.value("note", "")}};
    members.push_back({{"member", member},
                       {"swept", packed(swept)},
                       {"motion", motion},
                       {"columns", columns_for(motion, run, rows)}});
  }
  if (members.empty()) return nullptr;
  std::vector<double> times;
  for (const std::size_t row : rows) times.push_back(facts.times[row]);
  return {{"times", packed(times)}, {"members", std::move(members)}};
}

}  // namespace herglotz::report
