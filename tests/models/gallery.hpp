#pragma once
/// Gallery models with smooth forces as test parameters, and those of them with a regular Lagrangian.

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::test {

/// A gallery model by name; prints as its name.
struct ModelName {
  std::string name;
  friend std::ostream& operator<<(std::ostream& out, const ModelName& model) { return out << model.name; }
};

/// Returns the models with a singular Lagrangian, which have a gauge.
inline std::vector<ModelName> singular_gallery_names() {
  std::vector<ModelName> names;
  for (const auto& model : io::gallery())
    if (io::gallery_text(model.name).find("\n[gauge]") != std::string_view::npos) names.push_back({model.name});
  return names;
}

/// Models with long equations, which would take most of the time of the tests of all methods.
/// `machines/machines_test.cpp` has what is known of each.
inline const std::set<std::string, std::less<>> machines{"ball-robot", "car-with-trailers", "cart-pole-balanced",
                                                         "euler-disk", "rattleback",        "roller-racer",
                                                         "segway",     "tippe-top",         "whipple-bicycle"};

/// Returns the models with a regular Lagrangian and without friction and impacts that are not machines, of which every
/// method that takes them gives every acceleration.
inline std::vector<ModelName> gallery_names() {
  std::vector<ModelName> names;
  for (const auto& model : io::gallery()) {
    const auto text = io::gallery_text(model.name);
    const auto has = [&](std::string_view table) { return text.find(table) != std::string_view::npos; };
    const bool smooth = !has("\n[friction]") && !has("\n[impacts]");
    if (!has("\n[gauge]") && smooth && !machines.contains(model.name)) names.push_back({model.name});
  }
  return names;
}

/// Returns the models with smooth forces, regular or singular.
inline std::vector<ModelName> smooth_gallery_names() {
  std::vector<ModelName> names = gallery_names();
  for (auto& name : singular_gallery_names()) names.push_back(std::move(name));
  return names;
}

/// Returns the models whose printed equations are kept: those and the machines.
inline std::vector<ModelName> printed_gallery_names() {
  std::vector<ModelName> names = smooth_gallery_names();
  for (const auto& name : machines) names.push_back({name});
  return names;
}

inline simulate::Problem gallery_problem(const std::string& name) {
  return io::parse_model(io::gallery_text(name), name + ".toml");
}

/// Test names may hold letters, digits and underscores only.
inline std::string test_name(const testing::TestParamInfo<ModelName>& info) {
  std::string name = info.param.name;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

class Gallery : public testing::TestWithParam<ModelName> {
 protected:
  [[nodiscard]] simulate::Problem problem() const { return gallery_problem(GetParam().name); }
  /// The same for methods of continuous time: two positions, which only discrete motions start from, become the
  /// velocity between them.
  [[nodiscard]] simulate::Problem continuous_problem() const {
    auto given = problem();
    if (given.next.empty()) return given;
    const auto& algebroid = given.system.algebroid;
    for (std::size_t i = 0; i < algebroid.n(); ++i) {
      const std::string x(algebroid.x[i].name());
      given.initial[std::string(algebroid.y[i].name())] = (given.next.at(x) - given.initial[x]) / *given.settings.step;
    }
    given.next.clear();
    return given;
  }
};

}  // namespace herglotz::test
