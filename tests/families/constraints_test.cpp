// Constraints of models with an index: one equation for each site, for each edge, or for the whole.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "families/comparison.hpp"
#include "families/rods.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {
namespace {

using testing::HasSubstr;

FieldRun run_of_rods(const Rods& rods) {
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  EXPECT_FALSE(runs_in_loops(model));
  return run_flat(model);
}

/// The same with three sites, written by hand.
analyse::Trajectory by_hand(const std::string& rule, const std::string& equations) {
  return simulate::simulate(io::parse_model(fmt::format(R"toml(
[algebroid]
kind = "tangent"
base = ["a", "b", "c", "d", "e", "f"]
fibre = ["va", "vb", "vc", "vd", "ve", "vf"]
[parameters]
g = 2.0
gamma = 0.1
[dynamics]
lagrangian = "(va^2 + vd^2)/2 + (vb^2 + ve^2) + 3*(vc^2 + vf^2)/2 - g*(d + e + f) - gamma*z"
[constraints]
rule = "{}"
equations = [{}]
[initial]
b = 0.6
c = 1.2
e = -0.8
f = -1.6
vb = 0.4
vc = 0.8
ve = 0.3
vf = 0.6
[simulation]
method = "contact-gauss-4"
step = 0.02
t_end = 1
)toml",
                                                        rule, equations)));
}

void expect_equal_rods(const FieldRun& found, const analyse::Trajectory& written) {
  const analyse::Trajectory own = in_columns(found);
  ASSERT_EQ(own.rows(), 51U);
  for (const auto& [name, other] : {std::pair{"x[1]", "b"}, {"y[2]", "f"}, {"vx[2]", "vc"}, {"z", "z"}})
    EXPECT_LT(difference(own[name], written[other]), 1e-12) << name;
}

constexpr const char* rods_by_hand = R"eq("(b - a)^2 + (e - d)^2 - 1", "(c - b)^2 + (f - e)^2 - 1", "a", "d")eq";

TEST(IndexedConstraints, OfSitesAndOfTheWholeAreThoseWrittenByHand) {
  for (const std::string rule : {"nonholonomic", "vakonomic"}) {
    Rods rods;
    rods.rule = rule;
    const FieldRun found = run_of_rods(rods);
    EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
    EXPECT_LT(found.trajectory.facts.largest_constraint_residual, 1e-13);
    expect_equal_rods(found, by_hand(rule, rods_by_hand));
  }
}

TEST(IndexedConstraints, OfEdgesAreThoseWrittenByHand) {
  Rods rods;
  rods.edges = "e = { from = [0, 1], to = [1, 2] }";
  rods.equations = R"eq("(x[e.to] - x[e.from])^2 + (y[e.to] - y[e.from])^2 - 1", "x[0]", "y[0]")eq";
  expect_equal_rods(run_of_rods(rods), by_hand("nonholonomic", rods_by_hand));
}

TEST(IndexedConstraints, OfVelocitiesAndSumsAreThoseWrittenByHand) {
  Rods rods;
  rods.equations =
      R"eq("4*vx[i+1] - 3*vy[i+1]*cos(x[i])^2 + vx[i]*x[i+1] - 0.7*i", "sum(i, x[i]*vy[i]) - 0.9*cos(t)")eq";
  rods.initial += "project = true\n";
  const FieldRun found = run_of_rods(rods);
  ASSERT_TRUE(found.trajectory.facts.complete) << found.failure;
  Rods moved = rods;
  moved.initial += "fixed = [\"x[i]\", \"y[1]\"]\n";
  const analyse::Trajectory held = in_columns(run_of_rods(moved));
  EXPECT_EQ(held["x[2]"].front(), 1.2);
  EXPECT_EQ(held["y[1]"].front(), -0.8);
  const analyse::Trajectory own = in_columns(found);
  EXPECT_EQ(own.rows(), 51U);
  for (std::size_t row = 0; row < own.rows(); ++row) {
    const auto at = [&](const char* name) { return own[name][row]; };
    EXPECT_NEAR(4 * at("vx[1]") - 3 * at("vy[1]") * std::pow(std::cos(at("x[0]")), 2) + at("vx[0]") * at("x[1]"), 0,
                1e-12);
    EXPECT_NEAR(4 * at("vx[2]") - 3 * at("vy[2]") * std::pow(std::cos(at("x[1]")), 2) + at("vx[1]") * at("x[2]") - 0.7,
                0, 1e-12);
    EXPECT_NEAR(at("x[0]") * at("vy[0]") + at("x[1]") * at("vy[1]") + at("x[2]") * at("vy[2]"), 0.9 * std::cos(at("t")),
                1e-12);
  }
}

TEST(IndexedConstraints, MoveVelocitiesAlongTheSlopesAtThePositionsThatAreReached) {
  // A start far from the circle of one rod: the velocity changes along the rod where it ends, and nowhere else.
  Rods rods;
  rods.count = 2;
  rods.initial = "project = true\n\"x[1]\" = 0.9\n\"y[1]\" = -1.7\n\"vx[1]\" = 1.3\n\"vy[1]\" = 0.4\n";
  const analyse::Trajectory found = in_columns(run_of_rods(rods));
  const auto at = [&](const char* name) { return found[name].front(); };
  EXPECT_NEAR((at("vx[1]") - 1.3) * at("y[1]") - (at("vy[1]") - 0.4) * at("x[1]"), 0, 1e-14);
  EXPECT_NEAR(at("vx[1]") * at("x[1]") + at("vy[1]") * at("y[1]"), 0, 1e-14);
}

TEST(IndexedConstraints, LetTheDoublePendulumSwingInItsModes) {
  // Small swings of two equal masses on rods of length l: omega^2 = (2 - sqrt 2) g/l, the angles as 1 : sqrt 2.
  Rods rods;
  constexpr double angle = 1e-5;
  rods.initial = fmt::format(
      "\"x[1]\" = \"sin({0})\"\n\"y[1]\" = \"-cos({0})\"\n\"x[2]\" = \"sin({0}) + sin({1})\"\n"
      "\"y[2]\" = \"-cos({0}) - cos({1})\"\n",
      angle, angle * std::sqrt(2));
  std::string text = rods_text(rods);
  text.replace(text.find("(1 + i)*(vx"), 11, "(vx");
  text.replace(text.find("gamma = 0.1"), 11, "gamma = 0.0");
  Model model = io::parse_family_model(text, "rods.toml");
  const analyse::Trajectory swing = in_columns(run_flat(model));
  const double omega = std::sqrt((2 - std::sqrt(2)) * 2.0);
  for (std::size_t row = 0; row < swing.rows(); ++row)
    EXPECT_NEAR(swing["x[1]"][row], angle * std::cos(omega * swing["t"][row]), 1e-5 * angle);
}

TEST(IndexedConstraints, LetAChainOfRodsComeToRestAsACatenary) {
  // The slopes of the rods at rest grow by equal steps, as each joint adds its weight to the vertical force.
  Model model = io::parse_family_model(io::gallery_text("hanging-rods"), "hanging-rods.toml");
  const FieldRun found = run_flat(model);
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
  const analyse::Trajectory chain = in_columns(found);
  const auto slope = [&](std::size_t i) {
    const auto last = [&](char axis, std::size_t site) { return chain[fmt::format("{}[{}]", axis, site)].back(); };
    return (last('y', i + 1) - last('y', i)) / (last('x', i + 1) - last('x', i));
  };
  const double step = slope(1) - slope(0);
  EXPECT_GT(step, 0.1);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(slope(i), (static_cast<double>(i) - 9.5) * step, 1e-7) << i;
}

TEST(IndexedConstraints, ArePrintedWithTheirForcesAndTheirWork) {
  Rods rods;
  rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0]", "y[0] - 0.5*sin(t)")eq";
  rods.more = "[symmetries]\nalong = [\"1\", \"0\"]\nturn = [\"-y[i]\", \"x[i]\"]\n";
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const std::string text = mechanics::render(presentation(model), symbolic::Format::text);
  const auto has = [&](const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  };
  has("2*lambda1[i-1]*(x[i] - x[i-1])");
  has("2*lambda1[i]*(x[i+1] - x[i])");
  has("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1 = 0");
  has("R2_vx[0] = lambda2");
  has("dE/dt = lambda3*cos(t)/2 - gamma*E");
  has("dJ(along)/dt = lambda2 - gamma*J(along)");
  has("dJ(turn)/dt = lambda3*x[0] - lambda2*y[0] + sum(i, -g*x[i]) - gamma*J(turn)");
  // Velocities that follow the equation to first order in them, and are driven by what it has besides, do work.
  Rods driven = rods;
  driven.equations = R"eq("vx[i]*y[i] - vy[i] - t")eq";
  driven.more = {};
  Model affine = io::parse_family_model(rods_text(driven), "rods.toml");
  EXPECT_THAT(mechanics::render(presentation(affine), symbolic::Format::text),
              HasSubstr("dE/dt = sum(i, lambda1[i]*t) - gamma*E"));
  rods.rule = "vakonomic";
  Model other = io::parse_family_model(rods_text(rods), "rods.toml");
  EXPECT_THAT(mechanics::render(presentation(other), symbolic::Format::text),
              HasSubstr("2*(x[i] - x[i-1])*(gamma*nu1[i-1] + dnu1[i-1]/dt)"));
  rods.equations = R"eq("vx[i]*y[i] - vy[i]")eq";
  Model velocities = io::parse_family_model(rods_text(rods), "rods.toml");
  EXPECT_THROW(presentation(velocities), Refused);
}

TEST(IndexedConstraints, HaveAFewCurves) {
  Rods rods;
  rods.count = 12;
  const FieldRun found = run_of_rods(rods);
  const auto count = [](const analyse::Trajectory& run, analyse::Role role) {
    return std::count_if(run.columns.begin(), run.columns.end(),
                         [&](const analyse::Column& column) { return column.role == role; });
  };
  EXPECT_EQ(count(found.trajectory, analyse::Role::constraint), 13);
  const analyse::Trajectory curves = with_curves(found);
  EXPECT_EQ(count(curves, analyse::Role::multiplier), 3);
  EXPECT_EQ(count(curves, analyse::Role::constraint), 3);
  const auto largest = [](const analyse::Trajectory& run) {
    double most = 0;
    for (const auto& column : run.columns)
      for (const double value : column.values)
        if (column.role == analyse::Role::constraint) most = std::max(most, std::abs(value));
    return most;
  };
  EXPECT_GT(largest(curves), 0);
  EXPECT_EQ(largest(curves), largest(found.trajectory));
}

std::string refusal(const std::string& equations) {
  Rods rods;
  rods.equations = equations;
  try {
    io::parse_family_model(rods_text(rods), "rods.toml");
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(IndexedConstraints, SayWhatAnEquationLacks) {
  EXPECT_THAT(refusal(R"eq("x[i] - x[0]")eq"), HasSubstr("equation 1 has the present site and a site by its number"));
  EXPECT_THAT(refusal(R"eq("x[i] - sum(i, y[i])")eq"), HasSubstr("equation 1 has the present site and a sum"));
  EXPECT_THAT(refusal(R"eq("i - 2")eq"), HasSubstr("equation 1 restricts nothing"));
  EXPECT_THAT(refusal(R"eq("t - 1")eq"), HasSubstr("equation 1 restricts nothing"));
  EXPECT_THAT(refusal(R"eq("x[0]", "x[i] - x[i]")eq"), HasSubstr("equation 2 is 0 = 0"));
  EXPECT_THAT(refusal(R"eq("x[i] - z")eq"), HasSubstr("z"));
  EXPECT_THAT(refusal(""), HasSubstr("'equations' is empty"));
  Rods large;
  large.count = 600;
  Model model = io::parse_family_model(rods_text(large), "rods.toml");
  try {
    runs_in_loops(model);
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("at most 1000 coordinates; this one has 1200"));
  }
}

}  // namespace
}  // namespace herglotz::families
