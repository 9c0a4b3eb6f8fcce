#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "herglotz/geometry/axioms.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;

/// What the headers of the model files say of their sections as symmetries of L.
const std::map<std::string, std::set<std::string>> kTrueSymmetries{
    {"appell-hamel", {"translation_x"}},
    {"backlash-drive", {"rotation"}},
    {"ball-on-rotating-table", {"vertical_spin", "rolling_1", "table_rotation"}},
    {"ball-on-table", {"translation_x", "spin_2", "table_rotation"}},
    {"ball-robot", {"ball_spin", "translation_x"}},
    {"band-brake", {"rotation"}},
    {"bouncing-coin", {"axis", "translation_x"}},
    {"car-with-trailers", {"translation_x", "translation_y"}},
    {"chaplygin-sleigh", {"translation_x", "translation_y"}},
    {"christ-lee", {"rotation"}},
    {"discrete-free-particle", {"translation"}},
    {"euler-disk", {"axis", "translation_x"}},
    {"free-particle", {"translation"}},
    {"heavy-top", {"vertical"}},
    {"kepler-drag", {"rotation"}},
    {"magnetic-nonuniform", {"charge", "rotation"}},
    {"magnetic-uniform", {"charge", "magnetic_translation_1", "magnetic_translation_2", "rotation"}},
    {"nonholonomic-particle", {"translation_y", "translation_x"}},
    {"rattleback", {"translation_x"}},
    {"rigid-body-symmetric", {"body_axis_3"}},
    {"rocking-block", {"translation_x"}},
    {"roller-racer", {"translation_x", "translation_y"}},
    {"rolling-disk", {"steering", "spin", "translation_x"}},
    {"rotating-wire", {"rotation"}},
    {"segway", {"translation_x", "translation_y"}},
    {"skate-nonholonomic", {"turning", "translation_y"}},
    {"skate-vakonomic", {"turning", "translation_y"}},
    {"snakeboard", {"translation_x"}},
    {"spherical-pendulum", {"vertical_rotation", "translation_x"}},
    {"thermoviscous-attitude", {"vertical", "space_axis_1"}},
    {"thermoviscous-body", {"vertical", "space_axis_1"}},
    {"tippe-top", {"axis", "translation_x"}},
    {"torus-geodesic", {"rotation"}},
    {"underwater-se3", {"roll"}},
    {"whipple-bicycle", {"translation_x", "translation_y", "front_wheel_spin"}},
    {"worn-disk", {"steering", "translation_y"}}};

/// The largest |s^C L| over states near the start of the model.
double largest_defect(const simulate::Problem& problem, Expr defect) {
  std::vector<Expr> symbols{problem.system.t};
  for (const auto& list : {problem.system.algebroid.x, problem.system.w()}) {
    symbols.insert(symbols.end(), list.begin(), list.end());
  }
  symbols.push_back(problem.system.z);
  const std::size_t state = symbols.size();
  for (const auto& parameter : problem.system.parameters) symbols.push_back(parameter.symbol);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shift(-0.1, 0.1);
  double largest = 0;
  for (int point = 0; point < 20; ++point) {
    std::vector<double> values;
    for (std::size_t i = 0; i < state; ++i) {
      const auto start = problem.initial.find(symbols[i].name());
      values.push_back((start == problem.initial.end() ? 0.0 : start->second) * (1 + shift(random)) +
                       shift(random) / 5);
    }
    for (const auto& parameter : problem.system.parameters) values.push_back(parameter.value);
    largest = std::max(largest, std::abs(symbolic::evaluate(defect, symbols, values)));
  }
  return largest;
}

TEST(GallerySymmetry, SectionsAreSymmetriesExactlyWhereTheModelSaysSo) {
  for (const GalleryModel& model : gallery()) {
    const auto problem = parse_model(gallery_text(model.name), model.name + ".toml");
    mechanics::System system = problem.system;
    system.constraints = {};
    const auto equations = mechanics::derive(system);
    const auto listed = kTrueSymmetries.find(model.name);
    for (const auto& symmetry : system.symmetries) {
      const Expr defect = mechanics::complete_lift_derivative(system, equations, symmetry);
      const bool expected = listed != kTrueSymmetries.end() && listed->second.count(symmetry.name) > 0;
      const double size = largest_defect(problem, defect);
      EXPECT_EQ(size < 1e-12, expected) << model.name << ": " << symmetry.name << " has |s^C L| up to " << size;
    }
  }
}

TEST(GallerySymmetry, OnlyTheTwoGeneralModelsAreNotLie) {
  for (const GalleryModel& model : gallery()) {
    const auto problem = parse_model(gallery_text(model.name), model.name + ".toml");
    std::vector<Expr> symbols;
    std::vector<double> values;
    for (const auto& parameter : problem.system.parameters) {
      symbols.push_back(parameter.symbol);
      values.push_back(parameter.value);
    }
    std::vector<double> centre;
    for (const Expr& x : problem.system.algebroid.x) {
      const auto start = problem.initial.find(x.name());
      centre.push_back(start == problem.initial.end() ? 0.0 : start->second);
    }
    const auto defects = geometry::check_axioms(problem.system.algebroid, symbols, values, centre);
    const auto expected = model.name == "general-algebroid"  ? geometry::AlgebroidClass::general
                          : model.name == "sleigh-algebroid" ? geometry::AlgebroidClass::skew
                                                             : geometry::AlgebroidClass::lie;
    EXPECT_EQ(defects.algebroid_class, expected) << model.name;
  }
}

/// The projected bracket of [GG08, Ex. 2] gives the motion with the constraint force of LLMR21: the final state is that
/// of the reference case chaplygin_sleigh_dissipative, which was computed with multipliers.
TEST(GalleryMotion, TheSleighOnItsAlgebroidMovesAsWithMultipliers) {
  auto problem = parse_model(gallery_text("sleigh-algebroid"));
  problem.settings.t_end = 5;
  problem.settings.tolerance = 1e-12;
  problem.settings.output_step = 1;
  const auto trajectory = simulate::simulate(problem);
  const std::map<std::string, double> expected{
      {"x", -2.885799321699523},   {"y", 1.224742592448286},  {"phi", 4.113238017966105}, {"vx", -0.5865878276410097},
      {"vy", -0.8589771062285835}, {"w", 0.3725363978056979}, {"z", 4.147387845194221}};
  for (const auto& [name, value] : expected) EXPECT_NEAR(trajectory[name].back(), value, 1e-9) << name;
}

}  // namespace
}  // namespace herglotz::io
