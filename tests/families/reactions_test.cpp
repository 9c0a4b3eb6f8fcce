// Reactions of constraints in loops over the sites, against the same models written out.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "families/comparison.hpp"
#include "families/rods.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"

namespace herglotz::families {
namespace {

using testing::HasSubstr;

constexpr const char* reference = "method = \"reference\"\ntolerance = 1e-12\noutput_step = 0.05";
constexpr const char* fixed_steps = "method = \"runge-kutta-8\"\nstep = 0.01";

/// Rods between joints that turn with the angles of the start, by a method of loops.
Rods rods_by(const char* method) {
  Rods rods;
  rods.method = method;
  return rods;
}

TEST(Reactions, OfSitesAndSingleSitesAreThoseWrittenOut) {
  for (const char* method : {reference, fixed_steps, "method = \"runge-kutta-4\"\nstep = 0.001\noutput_every = 20"}) {
    Rods rods = rods_by(method);
    rods.count = 5;
    expect_same_motion(
        rods, {{"lambda1[0]", "lambda1"}, {"lambda1[3]", "lambda4"}, {"lambda2", "lambda5"}, {"lambda3", "lambda6"}});
  }
}

TEST(Reactions, OfEdgesAreThoseWrittenOut) {
  // A triangle of rods at the end of a rod, given one after the other in no order.
  Rods rods = rods_by(reference);
  rods.count = 4;
  rods.edges = "e = { from = [0, 3, 1, 2], to = [1, 1, 2, 3] }\n";
  rods.equations = R"eq("(x[e.to] - x[e.from])^2 + (y[e.to] - y[e.from])^2 - d[e]^2", "x[0]", "y[0]")eq";
  rods.more = "[parameters2]\n";
  std::string text = rods_text(rods);
  text.replace(text.find("[parameters2]\n"), 14, "");
  text.replace(text.find("g = 2.0\n"), 8, "g = 2.0\n\"d[e]\" = [1, 1, 1.5, 1.2]\n");
  text.replace(text.find("[initial]\n"), 10, "[initial]\nproject = true\n\"x[3]\" = 0.4\n\"y[3]\" = -1.9\n");
  const analyse::Trajectory own = in_loops(text);
  const analyse::Trajectory other = written(text);
  for (const char* name : {"x[1]", "y[2]", "vx[3]", "vy[3]", "z", "energy"})
    EXPECT_LT(difference(own[name], other[name]), 1e-10) << name;
  EXPECT_LT(difference(own["lambda1[3]"], other["lambda4"]), 1e-8);
}

TEST(Reactions, LeaveOutWhatFollowsFromOtherEquations) {
  // The middle of two fixed points is fixed, and three rods on one line are as long as they are.
  Rods rods = rods_by(reference);
  rods.equations =
      R"eq("x[0]", "y[0]", "x[2] - 1.2 - t*0.4", "x[0] + 2*x[2] - 2.4 - t*0.8", "y[0] + y[2] - 0.3*sin(t)", "y[2] - 0.3*sin(t)")eq";
  rods.initial += "project = true\n";
  expect_same_motion(rods);
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun found = run(model);
  EXPECT_THAT(found.trajectory.facts.notes, testing::Contains(HasSubstr("follows from the other ones, as 1 more do")));
  // What follows at the start alone ends the run.
  rods.equations = R"eq("x[0]", "y[0]", "x[1] - 0.6 - 0.4*t", "sin(x[1] - 0.6) - sin(0.4*t) + (x[1] - 0.6)^3")eq";
  Model later = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun ended = run(later);
  EXPECT_FALSE(ended.trajectory.facts.complete);
  EXPECT_THAT(ended.failure, HasSubstr("constraint 4 followed from the other ones at the start"));
}

TEST(Reactions, DoWorkWhereConstraintsMove) {
  // The upper end is shaken, so that its reactions work on the energy; along and turn are laws with such works.
  for (const char* method : {reference, fixed_steps}) {
    Rods rods = rods_by(method);
    rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0] - 0.2*t^2", "y[0] - 0.5*sin(t)*t")eq";
    rods.more = "[symmetries]\nalong = [\"1\", \"0\"]\nturn = [\"-y[i]\", \"x[i]\"]\n";
    std::string text = rods_text(rods);
    const analyse::Trajectory own = in_loops(text);
    const analyse::Trajectory other = written(text);
    for (const char* name : {"x[2]", "vy[1]", "z", "energy", "momentum.along", "momentum.turn"})
      EXPECT_LT(difference(own[name], other[name]), 1e-9) << name;
    for (const char* name : {"energy_residual", "momentum_residual.along", "momentum_residual.turn"})
      for (const double residual : own[name]) EXPECT_LT(std::abs(residual), 1e-9) << name;
  }
}

TEST(Reactions, OfVelocitiesAreThoseWrittenOut) {
  for (const char* equation :
       {R"("vx[i]*sin(x[i+1]) - vy[i] + 0.3*vy[i+1]")", R"("vx[i]*y[i] - vy[i] - t", "vx[0]^2 + vy[2]^2 - 1 - t")"}) {
    Rods rods = rods_by(reference);
    rods.equations = equation;
    rods.initial += "project = true\n";
    expect_same_motion(rods, {{"lambda1[0]", "lambda1"}}, 1e-9);
  }
}

TEST(Reactions, FollowForcesEdgesAndMassesThatChange) {
  Rods rods = rods_by(reference);
  rods.count = 4;
  rods.edges = "e = { from = [0, 1, 2], to = [2, 3, 3] }\n";
  std::string text = rods_text(rods);
  text.replace(text.find("- gamma*z"), 9, "- sum(e, (x[e.to] - x[e.from])^4/4) - gamma*z");
  text.replace(text.find("(1 + i)*(vx[i]^2"), 16, "(1 + i + x[i]^2)*(vx[i]^2");
  text.replace(text.find("[constraints]"), 13,
               "forces = { \"vx[i]\" = \"-0.3*vx[i]*y[i]\", \"vy[i]\" = \"0.1*t\" }\n[constraints]");
  const analyse::Trajectory own = in_loops(text);
  const analyse::Trajectory other = written(text);
  for (const char* name : {"x[1]", "y[2]", "vx[3]", "vy[3]", "z", "energy"})
    EXPECT_LT(difference(own[name], other[name]), 1e-10) << name;
}

TEST(Reactions, HoldAChainOnARing) {
  // Beads on a ring of rods, joined by the place that elements have on a ring.
  Rods rods = rods_by(reference);
  std::string text = rods_text(rods);
  text.replace(text.find("count = 3, ends = \"free\""), 24, "count = 6, ends = \"periodic\"");
  text.replace(text.find("\"x[0]\", \"y[0]\""), 14, "\"x[0] - 1\"");
  const std::size_t initial = text.find("[initial]\n");
  text.replace(initial, text.find("[simulation]") - initial,
               "[initial]\n\"x[i]\" = \"cos(pi*i/3)\"\n\"y[i]\" = \"sin(pi*i/3)\"\n\"vy[i]\" = 0.4\n");
  const analyse::Trajectory own = in_loops(text);
  const analyse::Trajectory other = written(text);
  for (const char* name : {"x[1]", "y[2]", "vx[3]", "vy[5]", "z", "energy"})
    EXPECT_LT(difference(own[name], other[name]), 1e-10) << name;
}

TEST(Reactions, BeginWhereTheSettingsLetThem) {
  Rods rods = rods_by(reference);
  rods.initial = "\"x[i]\" = \"0.7*i\"\n\"y[i]\" = \"-0.8*i\"\n\"vx[i]\" = \"0.4*i\"\n\"vy[i]\" = \"0.4*i\"\n";
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun none = run(model);
  EXPECT_EQ(
      none.failure,
      "constraint 1 at i = 0 is 0.13, not 0, at the start; give consistent initial values, or set project = true in "
      "[initial]");
  EXPECT_EQ(none.trajectory.rows(), 0U);
  EXPECT_FALSE(none.trajectory.facts.complete);
  rods.initial += "project = true\n";
  expect_same_motion(rods);
  rods.initial += "fixed = [\"y[i]\", \"vx[2]\"]\n";
  expect_same_motion(rods);
  const analyse::Trajectory held = in_loops(rods_text(rods));
  EXPECT_EQ(held["y[2]"].front(), -1.6);
  EXPECT_EQ(held["vx[2]"].front(), 0.8);
  EXPECT_NE(held["x[2]"].front(), 1.4);
}

TEST(Reactions, BeginAtTheNearestVelocities) {
  // On the circle vx^2 + vy^2 = 1 of one site the nearest point lies on the ray to the start, near or far.
  for (const double speed : {0.1, 0.9, 7.0}) {
    Rods rods = rods_by(reference);
    rods.equations = R"eq("vx[1]^2 + vy[1]^2 - 1")eq";
    rods.initial = fmt::format("project = true\n\"vx[1]\" = {}\n\"vy[1]\" = {}\n", 0.6 * speed, -0.8 * speed);
    Model model = io::parse_family_model(rods_text(rods), "rods.toml");
    const analyse::Trajectory found = in_columns(run(model));
    EXPECT_NEAR(found["vx[1]"].front(), 0.6, 1e-10) << speed;
    EXPECT_NEAR(found["vy[1]"].front(), -0.8, 1e-10) << speed;
  }
}

TEST(Reactions, BeginAtTheNearestVelocitiesOfAnEllipse) {
  // The way from the start to the nearest point of vx^2 + 4 vy^2 = 1 is along the slope there, inside and outside.
  for (const auto& [vx, vy] : {std::pair{0.2, 0.1}, {3.0, 2.0}, {-6.0, 1.5}}) {
    Rods rods = rods_by(reference);
    rods.equations = R"eq("vx[1]^2 + 4*vy[1]^2 - 1")eq";
    rods.initial = fmt::format("project = true\n\"vx[1]\" = {}\n\"vy[1]\" = {}\n", vx, vy);
    Model model = io::parse_family_model(rods_text(rods), "rods.toml");
    const analyse::Trajectory found = in_columns(run(model));
    const double x = found["vx[1]"].front();
    const double y = found["vy[1]"].front();
    EXPECT_NEAR(x * x + 4 * y * y, 1, 1e-13);
    EXPECT_NEAR((vx - x) * 4 * y - (vy - y) * x, 0, 1e-9) << vx;
  }
}

TEST(Reactions, FollowElementsBeyondEndsAndTwiceAtOneSite) {
  const auto compare = [](std::string text) {
    const analyse::Trajectory own = in_loops(text);
    const analyse::Trajectory other = written(text);
    for (const char* name : {"x[0]", "y[1]", "vx[1]", "vy[0]", "z", "energy"})
      EXPECT_LT(difference(own[name], other[name]), 1e-10) << name;
  };
  Rods rods = rods_by(reference);
  // On a ring of two sites x[i-1] is x[i+1], so that each equation has two slopes at one place.
  rods.count = 2;
  rods.equations = R"eq("x[i]^2 + y[i]^2 + 0.2*x[i-1]*x[i+1] - 1.072")eq";
  rods.initial = "project = true\n\"x[i]\" = 0.6\n\"y[i]\" = -0.8\n\"vx[i]\" = \"0.4 - i\"\n\"vy[i]\" = 0.3\n";
  std::string ring = rods_text(rods);
  ring.replace(ring.find("ends = \"free\""), 13, "ends = \"periodic\"");
  compare(ring);
  // Beyond fixed ends coordinates are 0.
  rods.count = 3;
  rods.equations = R"eq("x[i+1] - 2*x[i] + x[i-1] + y[i]")eq";
  rods.initial = "project = true\n\"x[i]\" = \"0.3*i\"\n\"vy[i]\" = 0.3\n";
  std::string fixed = rods_text(rods);
  fixed.replace(fixed.find("ends = \"free\""), 13, "ends = \"fixed\"");
  compare(fixed);
}

TEST(Reactions, OfAMotionAtRestAreNoViolation) {
  // Rods of a ring with two constraints on each site rest, with momenta that are rounding.
  Rods rods = rods_by(reference);
  rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "0.8*vx[i]*y[i] - vy[i]", "x[0] + 1")eq";
  rods.initial = "project = true\n\"x[i]\" = \"0.6*i - 1\"\n\"y[i]\" = \"-0.8*i - 0.1*i^2\"\n\"vy[i]\" = \"0.2*i\"\n";
  rods.more = "[symmetries]\nalong = [\"1\", \"0\"]\nturn = [\"-y[i]\", \"x[i]\"]\n";
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun found = run(model);
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
  for (const auto& [name, residual] : found.trajectory.facts.largest_momentum_residuals)
    EXPECT_LT(residual, 1e-9) << name;
  EXPECT_FALSE(found.trajectory.facts.at_round_off.empty());
}

TEST(Reactions, AreRefusedWhereTheyAreNotDetermined) {
  const auto refusal = [](const Rods& rods) -> std::string {
    Model model = io::parse_family_model(rods_text(rods), "rods.toml");
    try {
      return run(model).failure;
    } catch (const Refused& error) {
      return error.what();
    }
  };
  Rods twice = rods_by(reference);
  twice.equations = R"eq("x[0]", "y[0]", "2*x[0] - y[0] - 1")eq";
  EXPECT_THAT(refusal(twice), HasSubstr("constraint 3 is -1, not 0, at the start"));
  twice.initial += "project = true\n";
  EXPECT_THAT(refusal(twice), HasSubstr("no start was found that satisfies all equations"));
  for (const char* equation : {R"eq("1/x[0]", "y[0]")eq", R"eq("sqrt(x[0])", "y[0]")eq"}) {
    Rods infinite = rods_by(reference);
    infinite.equations = equation;
    EXPECT_THAT(refusal(infinite), testing::ContainsRegex("constraint 1 is not finite at the start"));
    infinite.initial += "project = true\n";
    EXPECT_THAT(refusal(infinite), testing::ContainsRegex("constraint 1 is not finite at the start"));
  }
  Rods vakonomic = rods_by(reference);
  vakonomic.rule = "vakonomic";
  EXPECT_THAT(refusal(vakonomic), HasSubstr("nonholonomic rule"));
  Rods sums = rods_by(reference);
  sums.count = 65;
  sums.equations = R"eq("sum(i, x[i])")eq";
  EXPECT_THAT(refusal(sums), HasSubstr("constraint 1 joins more sites than the 64"));
}

TEST(Reactions, BeginWhereTheyAreAlmostDependent) {
  // Two rods that are straight but for an angle of 1e-6 hold the joint between them by forces that nearly cancel.
  Rods rods = rods_by("method = \"reference\"\ntolerance = 1e-8\noutput_step = 0.0005");
  constexpr double angle = 1e-6;
  rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0]", "y[0]", "x[2] - 2*cos(1e-6)", "y[2]")eq";
  rods.initial = fmt::format("\"x[1]\" = {0:.17g}\n\"x[2]\" = {1:.17g}\n\"y[1]\" = {2:.17g}\n", std::cos(angle),
                             2 * std::cos(angle), -std::sin(angle));
  std::string text = rods_text(rods);
  text.replace(text.find("t_end = 1"), 9, "t_end = 0.001");
  Model model = io::parse_family_model(text, "rods.toml");
  const FieldRun found = run(model);
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
}

TEST(Reactions, EndARunWhereConstraintsBecomeDependent) {
  // Two rods of one length that carry one joint from two ends meet on a line, where they no longer hold it apart.
  Rods rods = rods_by(reference);
  rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0]", "y[0]", "x[2] - 1.2 - t", "y[2]")eq";
  rods.initial = "\"x[1]\" = 0.6\n\"x[2]\" = 1.2\n\"y[1]\" = -0.8\n\"vx[2]\" = 1\nproject = true\n";
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun found = Runs(model).run({});
  EXPECT_FALSE(found.trajectory.facts.complete);
  EXPECT_NEAR(found.trajectory.columns.front().values.back(), 0.8, 0.06);
  EXPECT_FALSE(found.failure.empty());
}

TEST(Reactions, AreColumnsWhereSitesHaveEquations) {
  Rods rods = rods_by(reference);
  rods.count = 5;
  rods.more = "[observables]\nlowest = \"y[4]\"\n";
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun all = Runs(model).run({});
  ASSERT_EQ(all.fields.size(), 5U);
  EXPECT_EQ(all.fields.back().name, "lambda1");
  EXPECT_EQ(all.fields.back().role, analyse::Role::multiplier);
  EXPECT_THAT(all.fields.back().sites, testing::ElementsAre(0, 1, 2, 3));
  const analyse::Trajectory& run = all.trajectory;
  for (const char* name : {"constraint.1", "constraint.2", "constraint.3", "lambda2", "lambda3", "lowest"})
    EXPECT_NE(run.find(name), nullptr) << name;
  EXPECT_EQ(run["lowest"], in_columns(all)["y[4]"]);
  double largest = 0;
  for (const char* name : {"constraint.1", "constraint.2", "constraint.3"})
    for (const double value : run[name]) largest = std::max(largest, value);
  EXPECT_GT(largest, 0);
  EXPECT_GE(run.facts.largest_constraint_residual, largest);
  model.settings.columns = {"lambda1[1:3]", "lambda1[3]", "lambda2", "constraint.1", "x[4]"};
  const FieldRun some = Runs(model).run({});
  EXPECT_EQ(some.trajectory.columns.size(), 3U);
  EXPECT_EQ(in_columns(some)["lambda1[2]"], in_columns(all)["lambda1[2]"]);
  EXPECT_EQ(in_columns(some).find("lambda1[0]"), nullptr);
  EXPECT_EQ(some.trajectory.facts.largest_constraint_residual, run.facts.largest_constraint_residual);
  EXPECT_NE(with_curves(model, all, {"lambda1[2]", "energy"}).find("lambda1[2]"), nullptr);
  model.settings.columns = {"lambda1[4]"};
  EXPECT_THROW(Runs(model).run({}), Refused);
}

TEST(Reactions, LetEventsBeLocated) {
  Rods rods = rods_by(reference);
  rods.more = "[events]\nlevel = \"x[2] - 1.4\"\n";
  expect_same_motion(rods);
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun own = run(model);
  const FieldRun other = run_flat(model);
  ASSERT_EQ(own.trajectory.events.at(0).count(), 1U);
  EXPECT_NEAR(own.trajectory.events[0].columns[0].values[0], other.trajectory.events.at(0).columns[0].values.at(0),
              1e-10);
}

TEST(Reactions, HaveTheSameBitsForAnyNumberOfThreads) {
  Rods rods = rods_by("method = \"reference\"\ntolerance = 1e-8\noutput_step = 0.001");
  rods.count = 15'000;
  std::string text = rods_text(rods);
  text.replace(text.find("t_end = 1"), 9, "t_end = 0.004");
  text.replace(text.find("(1 + i)*(vx"), 11, "(vx");
  Model model = io::parse_family_model(text, "rods.toml");
  EXPECT_TRUE(runs_in_loops(model));
  const analyse::Trajectory run = expect_same_bits_for_any_threads([&] { return in_columns(Runs(model).run({})); });
  EXPECT_EQ(run.rows(), 5U);
}

TEST(Reactions, LetALongChainComeToRestAsACatenary) {
  // The slopes of the rods at rest grow by equal steps, as each joint adds its weight to the vertical force.
  std::string text(io::gallery_text("hanging-rods"));
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("n = 21", "n = 601");
  replace("gamma = 1.0", "gamma = 8.0");
  replace("method = \"contact-gauss-4\"\nstep = 0.01\nt_end = 40\noutput_every = 4",
          "tolerance = 1e-6\nt_end = 6\noutput_step = 1");
  Model model = io::parse_family_model(text, "hanging-rods.toml");
  EXPECT_TRUE(runs_in_loops(model));
  const FieldRun found = Runs(model).run({});
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
  EXPECT_EQ(found.trajectory.facts.method, "reference");
  EXPECT_LT(found.trajectory.facts.largest_constraint_residual, 1e-12);
  const analyse::Trajectory chain = in_columns(found);
  const auto last = [&](char axis, std::size_t site) { return chain[fmt::format("{}[{}]", axis, site)].back(); };
  const auto slope = [&](std::size_t i) {
    return (last('y', i + 1) - last('y', i)) / (last('x', i + 1) - last('x', i));
  };
  const double step = (slope(599) - slope(0)) / 599;
  for (std::size_t i = 0; i < 600; i += 50) EXPECT_NEAR(slope(i), (static_cast<double>(i) - 299.5) * step, 1e-3) << i;
}

}  // namespace
}  // namespace herglotz::families
