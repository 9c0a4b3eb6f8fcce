#pragma once
/// Independently computed reference solutions, tests/reference/*.json, as systems with states.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "project_folders.hpp"
#include "samples.hpp"

namespace herglotz::mechanics::reference {

using nlohmann::json;
using symbolic::Expr;

inline double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

inline std::vector<double> numbers(const json& values) {
  std::vector<double> list;
  for (const auto& value : values) list.push_back(number(value));
  return list;
}

inline json load(const std::string& name) {
  std::ifstream file(source_folder() + "/tests/reference/" + name + ".json");
  EXPECT_TRUE(file) << name;
  return json::parse(file);
}

/// The case as a custom algebroid built from the anchor and structure functions that the file lists.
class Case {
 public:
  explicit Case(const std::string& name) : data(load(name)), graph(std::make_shared<symbolic::Graph>()) {
    const auto symbols = [&](const json& list) {
      return samples::symbols(*graph, list.get<std::vector<std::string>>());
    };
    const auto x = symbols(data["coordinates"]["x"]);
    const auto y = symbols(data["coordinates"]["y"]);
    names = x;
    for (const auto& [key, value] : data["parameters"].items()) {
      parameters.push_back({graph->symbol(key), symbolic::evaluate(read(value.get<std::string>()), {}, {})});
      names.push_back(parameters.back().symbol);
    }
    const auto& e = data["algebroid"];
    geometry::StructureFunctions c(y.size(), graph->number(std::int64_t{0}));
    for (const auto& entry : e["structure_functions"])
      c.set(entry["c"].get<std::size_t>() - 1, entry["a"].get<std::size_t>() - 1, entry["b"].get<std::size_t>() - 1,
            read(entry["value"].get<std::string>()));
    const Matrix rho = anchor(e["anchor_rho[i][a]"], x.size(), y.size());
    const auto& right = e.value("right_anchor_sigma[i][a]", json("same as anchor"));
    const Matrix sigma = right.is_string() ? rho : anchor(right, x.size(), y.size());
    system = make_system(geometry::custom(graph, {x, y}, rho, c, sigma));
    system.parameters = parameters;
    names.insert(names.end(), y.begin(), y.end());
    names.insert(names.end(), {system.z, system.t});
    system.generator = read(data["lagrangian"].get<std::string>());
    const auto force = data.value("external_force", json());
    for (std::size_t a = 0; a < force.size(); ++a) system.forces[a] = read(force[a].get<std::string>());
    const auto constraints = data.value("constraints", json::array());
    std::vector<Expr> equations;
    for (const auto& equation : constraints) equations.push_back(read(equation.get<std::string>()));
    const bool vakonomic = data["type"].get<std::string>().rfind("vakonomic", 0) == 0;
    if (!equations.empty()) constrain(system, vakonomic ? Rule::vakonomic : Rule::nonholonomic, equations);
  }

  Expr read(const std::string& text) { return samples::read(*graph, text, names); }

  json data;
  std::shared_ptr<symbolic::Graph> graph;
  std::vector<Expr> names;
  std::vector<Parameter> parameters;
  System system;

 private:
  Matrix anchor(const json& rows, std::size_t n, std::size_t r) {
    Matrix m(r, n, graph->number(std::int64_t{0}));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < r; ++a) m(a, i) = read(rows[i][a].get<std::string>());
    return m;
  }
};

/// u, multipliers, parameters.
inline std::vector<double> point_of(const System& system, const json& state) {
  std::vector<double> point = numbers(state["x"]);
  for (const double v : numbers(state["y"])) point.push_back(v);
  point.push_back(number(state["z"]));
  point.push_back(number(state["t"]));
  if (!system.constraints.equations.empty()) {
    for (const double l : numbers(state["mu"])) point.push_back(l);
  }
  for (const auto& parameter : system.parameters) point.push_back(parameter.value);
  return point;
}

/// Names of the stored motions in continuous time whose type starts so.
inline std::vector<std::string> cases_of_type(const std::vector<std::string>& types) {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(source_folder() + "/tests/reference")) {
    if (file.path().extension() != ".json") continue;
    const json data = load(file.path().stem().string());
    const std::string type = data.value("type", "");
    const auto starts = [&](const std::string& t) { return type.rfind(t, 0) == 0; };
    if (data.contains("times") && std::any_of(types.begin(), types.end(), starts)) {
      names.push_back(file.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace herglotz::mechanics::reference
