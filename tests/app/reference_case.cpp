#include "reference_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "project_folders.hpp"

namespace herglotz::app::testing {
namespace {

using Json = nlohmann::ordered_json;

/// A number, or a text such as "3/20" or "0.3".
double number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const auto text = value.get<std::string>();
  const auto slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

std::string quoted(const Json& value) {
  return fmt::format("\"{}\"", value.is_string() ? value.get<std::string>() : value.dump());
}

std::string list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::vector<std::string> quoted_all(const Json& values) {
  std::vector<std::string> items;
  for (const auto& value : values) items.push_back(quoted(value));
  return items;
}

/// The files list anchors as (n x r); a model file has one row per section.
std::string transposed(const Json& matrix, std::size_t n, std::size_t r) {
  std::vector<std::string> rows;
  for (std::size_t a = 0; a < r; ++a) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < n; ++i) row.push_back(quoted(matrix[i][a]));
    rows.push_back(list(row));
  }
  return list(rows);
}

bool is_identity(const Json& matrix, std::size_t n, std::size_t r) {
  if (n != r) return false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < r; ++a)
      if (quoted(matrix[i][a]) != (i == a ? "\"1\"" : "\"0\"")) return false;
  return true;
}

std::string brackets(const Json& structure_functions, const Json& fibre) {
  std::map<std::pair<int, int>, std::vector<std::string>> components;
  for (const auto& c : structure_functions)
    components[{c.at("a"), c.at("b")}].push_back(
        fmt::format("{} = {}", fibre[c.at("c").get<std::size_t>() - 1].get<std::string>(), quoted(c.at("value"))));
  std::string text = "\n[algebroid.brackets]\n";
  for (const auto& [pair, entries] : components) {
    const auto name = [&](int a) { return fibre[static_cast<std::size_t>(a - 1)].get<std::string>(); };
    text += fmt::format("\"{},{}\" = {{ {} }}\n", name(pair.first), name(pair.second), fmt::join(entries, ", "));
  }
  return text;
}

std::string algebroid(const Json& data) {
  const Json& x = data.at("coordinates")["x"];
  const Json& y = data.at("coordinates")["y"];
  const Json& given = data.at("algebroid");
  const std::size_t n = x.size();
  const std::size_t r = y.size();
  const Json none = Json::array();
  const Json& c = given.contains("structure_functions") ? given.at("structure_functions") : none;
  const bool plain = c.empty() && !given.at("right_anchor_sigma[i][a]").is_array() &&
                     (!given.contains("anchor_rho[i][a]") || is_identity(given.at("anchor_rho[i][a]"), n, r));
  const std::string kind = n == 0 ? "lie-algebra" : plain ? "tangent" : "custom";
  std::string text = fmt::format("\n[algebroid]\nkind = \"{}\"\nbase = {}\nfibre = {}\n", kind, list(quoted_all(x)),
                                 list(quoted_all(y)));
  if (kind == "custom") {
    text += fmt::format("anchor = {}\n", transposed(given.at("anchor_rho[i][a]"), n, r));
    if (given.at("right_anchor_sigma[i][a]").is_array())
      text += fmt::format("right_anchor = {}\n", transposed(given.at("right_anchor_sigma[i][a]"), n, r));
  }
  // The files list both orders of every pair.
  if (!c.empty()) text += "skew = false\n";
  return kind == "tangent" ? text : text + brackets(c, y);
}

std::string forces(const Json& data) {
  if (!data.contains("external_force") || data.at("external_force").is_null()) return {};
  const Json& force = data.at("external_force");
  std::vector<std::string> entries;
  for (std::size_t a = 0; a < data.at("coordinates")["y"].size(); ++a) {
    const auto name = data.at("coordinates")["y"][a].get<std::string>();
    const Json value = force.is_object() ? force.value(name, Json("0")) : force[a];
    if (quoted(value) != "\"0\"") entries.push_back(fmt::format("{} = {}", name, quoted(value)));
  }
  return entries.empty() ? "" : fmt::format("forces = {{ {} }}\n", fmt::join(entries, ", "));
}

std::string model(const Json& data) {
  const Json& names = data.at("coordinates");
  const auto z = names.value("z", "z");
  std::string text = fmt::format("[model]\nname = {}\n{}", quoted(data.at("name")), algebroid(data));
  text += "\n[parameters]\n";
  const Json parameters = data.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items()) text += fmt::format("{} = {:.17g}\n", name, number(value));
  text += fmt::format("\n[dynamics]\nlagrangian = {}\naction = \"{}\"\ntime = \"{}\"\n{}",
                      quoted(data.at("lagrangian")), z, names.value("t", "t"), forces(data));
  text += "\n[initial]\n";
  const Json& start = data.at("initial");
  for (std::size_t i = 0; i < names.at("x").size(); ++i)
    text += fmt::format("{} = {:.17g}\n", names.at("x")[i].get<std::string>(), number(start.at("x")[i]));
  for (std::size_t a = 0; a < names.at("y").size(); ++a)
    text += fmt::format("{} = {:.17g}\n", names.at("y")[a].get<std::string>(), number(start.at("y")[a]));
  return text + fmt::format("{} = {:.17g}\n", z, number(start.at("z")));
}

ReferenceState state(const Json& data, const Json& given) {
  ReferenceState result{number(given.at("t")), {}};
  const Json& names = data.at("coordinates");
  for (std::size_t i = 0; i < names.at("x").size(); ++i)
    result.values.emplace_back(names.at("x")[i].get<std::string>(), number(given.at("x")[i]));
  for (std::size_t a = 0; a < names.at("y").size(); ++a)
    result.values.emplace_back(names.at("y")[a].get<std::string>(), number(given.at("y")[a]));
  result.values.emplace_back(names.value("z", "z"), number(given.at("z")));
  if (given.contains("E")) result.values.emplace_back("energy", number(given.at("E")));
  return result;
}

}  // namespace

std::vector<ReferenceCase> reference_cases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/reference"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<ReferenceCase> cases;
  for (const auto& file : files) {
    std::ifstream stream(file);
    const Json data = Json::parse(stream);
    if (data.value("type", "") != "elh") continue;
    ReferenceCase reference{data.at("name"), model(data), {}};
    for (const auto& given : data.at("states")) reference.states.push_back(state(data, given));
    cases.push_back(std::move(reference));
  }
  if (cases.empty()) throw std::runtime_error("no reference cases in tests/reference");
  return cases;
}

}  // namespace herglotz::app::testing
