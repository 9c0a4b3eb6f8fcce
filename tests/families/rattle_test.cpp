// Contact RATTLE in loops over the sites, against the same method on the model written out.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "families/comparison.hpp"
#include "families/rods.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"

namespace herglotz::families {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double large_energy_error = 1e-3;

Rods rods_by_rattle(int order, double step = 0.01) {
  Rods rods;
  rods.method = fmt::format("method = \"contact-rattle-{}\"\nstep = {}", order, step);
  rods.count = 4;
  return rods;
}

TEST(RattleInLoops, IsThatOfTheModelWrittenOut) {
  for (const int order : {2, 4}) {
    Rods rods = rods_by_rattle(order);
    expect_same_motion(rods, {{"lambda1[0]", "lambda1"}, {"lambda2", "lambda4"}, {"lambda3", "lambda5"}}, 1e-11,
                       large_energy_error);
    rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0] - 0.2*t^2", "y[0] - 0.5*sin(t)*t")eq";
    expect_same_motion(rods, {{"lambda2", "lambda4"}}, 1e-11, large_energy_error);
    rods.equations = R"eq("(x[e.to] - x[e.from])^2 + (y[e.to] - y[e.from])^2 - 1", "x[0] + sum(i, y[i]) + 0.8*6")eq";
    rods.edges = "e = { from = [2, 0, 2], to = [1, 1, 3] }\n";
    rods.initial += "project = true\n";
    expect_same_motion(rods, {{"lambda1[0]", "lambda1"}}, 1e-11, large_energy_error);
  }
}

TEST(RattleInLoops, FollowsEdgesMassesAndPotentialsInTime) {
  Rods rods = rods_by_rattle(4);
  rods.edges = "e = { from = [2, 0, 2], to = [1, 3, 3] }\n";
  std::string text = rods_text(rods);
  const std::string l = "- g*y[i]) - gamma*z";
  text.replace(text.find(l), l.size(),
               "- g*y[i] + sin(3*t)*x[i] + 0.3*vx[i]) - sum(e, (x[e.to] - x[e.from])^2) - gamma*z + 0.4");
  const analyse::Trajectory own = in_loops(text, large_energy_error);
  const analyse::Trajectory other = written(text);
  for (const char* name : {"x[1]", "y[2]", "vx[3]", "vy[3]", "z", "energy"})
    EXPECT_LT(difference(own[name], other[name]), 1e-12) << name;
}

TEST(RattleInLoops, LeavesOutWhatFollowsFromOtherEquations) {
  Rods rods = rods_by_rattle(2);
  rods.equations = R"eq("x[0]", "y[0]", "x[2] - 1.2 - t*0.4", "x[0] + 2*x[2] - 2.4 - t*0.8")eq";
  rods.initial += "project = true\n";
  expect_same_motion(rods, {}, 1e-11, large_energy_error);
}

TEST(RattleInLoops, HasItsOrder) {
  Rods exact = rods_by_rattle(2);
  exact.method = "method = \"reference\"\ntolerance = 1e-13\noutput_step = 1";
  const double reference = in_loops(rods_text(exact))["x[3]"].back();
  for (const int order : {2, 4}) {
    const auto error = [&](double step) {
      return std::abs(in_loops(rods_text(rods_by_rattle(order, step)), 1)["x[3]"].back() - reference);
    };
    EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), order, 0.2);
  }
}

TEST(RattleInLoops, GoesBackToWhereItBegan) {
  Rods rods = rods_by_rattle(4);
  const analyse::Trajectory there = in_loops(rods_text(rods), large_energy_error);
  std::string text = rods_text(rods);
  const auto place = text.find("[initial]\n");
  std::string start = "[initial]\nt = 1\nproject = true\n";
  for (int i = 0; i < 4; ++i)
    for (const char* family : {"x", "y", "vx", "vy"}) {
      const std::string name = fmt::format("{}[{}]", family, i);
      start += fmt::format("\"{}\" = {:.17g}\n", name, there[name].back());
    }
  start += fmt::format("z = {:.17g}\n", there["z"].back());
  text = text.substr(0, place) + start + text.substr(text.find("[simulation]"));
  text.replace(text.find("t_end = 1"), 9, "t_end = 0");
  const analyse::Trajectory back = in_loops(text, large_energy_error);
  for (const char* name : {"x[3]", "y[2]", "vx[1]", "vy[3]", "z"})
    EXPECT_NEAR(back[name].back(), there[name].front(), 1e-12) << name;
}

TEST(RattleInLoops, DissipatesMomentaExactly) {
  // A chain that is free to move and turn: lambda p . X is constant for both sections, whatever the step. The works of
  // the point that is shaken along a circle are counted at both ends of each step.
  for (const char* held : {"", R"eq(, "x[0] - 0.3*sin(t)", "y[0] - 0.3*cos(t)")eq"}) {
    Rods rods = rods_by_rattle(2, 0.05);
    rods.equations = std::string("\"(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1\"") + held;
    rods.initial += "project = true\n";
    rods.more = "[symmetries]\nalong = [\"1\", \"0\"]\nturn = [\"-y[i]\", \"x[i]\"]\n";
    std::string text = rods_text(rods);
    text.replace(text.find(" - g*y[i]"), 9, "");
    const analyse::Trajectory own = in_loops(text, large_energy_error);
    for (const char* name : {"momentum_residual.along", "momentum_residual.turn"})
      for (const double residual : own[name]) EXPECT_LT(std::abs(residual), 2e-14) << name << held;
  }
}

TEST(RattleInLoops, KeepsTheEnergyOfALongRun) {
  // Without dissipation the energy of a symmetric method stays near its first value; that of order 2 differs by h^2.
  Rods rods = rods_by_rattle(2, 0.02);
  rods.method += "\noutput_every = 100";
  std::string text = rods_text(rods);
  text.replace(text.find("gamma = 0.1"), 11, "gamma = 0.0");
  text.replace(text.find("t_end = 1"), 9, "t_end = 400");
  const analyse::Trajectory own = in_loops(text, large_energy_error);
  for (const double energy : own["energy"]) EXPECT_NEAR(energy, own["energy"].front(), 0.02);
}

TEST(RattleInLoops, LocatesEvents) {
  Rods rods = rods_by_rattle(4);
  rods.more = "[events]\nlevel = \"x[3] - 1.95\"\n";
  expect_same_motion(rods, {}, 1e-11, large_energy_error);
  Model model = io::parse_family_model(rods_text(rods), "rods.toml");
  const FieldRun found = run(model);
  ASSERT_FALSE(found.trajectory.events.empty());
  EXPECT_GT(found.trajectory.events.front().count(), 0U);
}

TEST(RattleInLoops, HasTheSameBitsForAnyNumberOfThreads) {
  Rods rods = rods_by_rattle(2, 1e-5);
  rods.count = 12'000;
  rods.initial = "\"x[i]\" = \"0.6*(i - 2*floor(i/2))\"\n\"y[i]\" = \"-0.8*(i - 2*floor(i/2))\"\n";
  rods.method += "\noutput_every = 5\ncolumns = [\"x[::1000]\", \"vy[::1000]\", \"energy\", \"z\"]";
  std::string text = rods_text(rods);
  text.replace(text.find("t_end = 1"), 9, "t_end = 1e-4");
  expect_same_bits_for_any_threads([&] { return in_loops(text, large_energy_error); });
}

std::string failure_of(const std::string& text) {
  Model model = io::parse_family_model(text, "rods.toml");
  try {
    return run(model).failure;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(RattleInLoops, EndsWhereConstraintsBecomeDependent) {
  // Two rods of one length that carry one joint from two ends meet on a line, where they no longer hold it apart; and
  // an equation that follows from the others at the start alone stops doing so.
  Rods rods = rods_by_rattle(2, 0.001);
  rods.count = 3;
  rods.equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0]", "y[0]", "x[2] - 1.2 - t", "y[2]")eq";
  rods.initial = "\"x[1]\" = 0.6\n\"x[2]\" = 1.2\n\"y[1]\" = -0.8\n\"vx[2]\" = 1\nproject = true\n";
  EXPECT_FALSE(failure_of(rods_text(rods)).empty());
  rods = rods_by_rattle(2);
  rods.equations = R"eq("x[0]", "y[0]", "x[1] - 0.6 - 0.4*t", "sin(x[1] - 0.6) - sin(0.4*t) + (x[1] - 0.6)^3")eq";
  EXPECT_THAT(failure_of(rods_text(rods)), HasSubstr("constraint 4 followed from the other ones at the start"));
}

TEST(RattleInLoops, SaysWhatItCannotFollow) {
  Rods rods = rods_by_rattle(2);
  rods.count = 600;
  rods.equations = "\"vx[i] - vy[i]\"";
  rods.initial = "\"x[i]\" = \"i\"\n";
  Model velocities = io::parse_family_model(rods_text(rods), "rods.toml");
  try {
    runs_in_loops(velocities);
    FAIL() << "constraints on velocities are taken";
  } catch (const Refused& error) {
    EXPECT_THAT(error.what(), HasSubstr("constraint 1 depends on velocities"));
  }

  rods = rods_by_rattle(2, 0.5);
  std::string text = rods_text(rods);
  text.replace(text.find("gamma = 0.1"), 11, "gamma = 5.0");
  EXPECT_THAT(failure_of(text), HasSubstr("is too large for dissipation at the rate 5; take one below 0.4"));
  // The longest substep of order 4 is 0.66 steps.
  rods = rods_by_rattle(4, 0.5);
  std::string shorter = rods_text(rods);
  shorter.replace(shorter.find("gamma = 0.1"), 11, "gamma = 5.0");
  EXPECT_THAT(failure_of(shorter), Not(HasSubstr("is too large for dissipation")));
  shorter.replace(shorter.find("gamma = 5.0"), 11, "gamma = 6.5");
  EXPECT_THAT(failure_of(shorter), HasSubstr("is too large for dissipation at the rate 6.5; take one below 0.46"));
  rods = rods_by_rattle(2, 0.5);
  text = rods_text(rods);
  text.replace(text.find("g = 2.0"), 7, "g = 200");
  EXPECT_THAT(failure_of(text), HasSubstr("the constraints turn too far in one step"));
}

}  // namespace
}  // namespace herglotz::families
