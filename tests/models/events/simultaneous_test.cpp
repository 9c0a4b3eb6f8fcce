#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

using namespace ::testing;

/// A point of mass 1 and weight g per mass, from q with velocity v.
std::string text(const std::string& start, const std::string& g, const std::string& tables) {
  return R"([algebroid]
kind = "tangent"
base = ["q", "x"]
fibre = ["v", "u"]
[dynamics]
lagrangian = "(v^2 + u^2)/2 - )" +
         g + R"(*q"
[simulation]
tolerance = 1e-10
t_end = 2.0
[initial]
)" + start +
         tables;
}

analyse::Trajectory run_from(const std::string& start, const std::string& g, const std::string& tables) {
  return simulate::simulate(parse_model(text(start, g, tables)));
}

const std::string never = "[events]\nnever = { at = \"t - 40\", set = { v = \"v + 100\" } }\n";

TEST(JumpsAtOneTime, LeaveResetsThatAreNotDue) {
  // The start is an impact: the ball rises with 0.6 times its velocity.
  const auto thrown =
      run_from("q = 0\nv = -3\n", "9.81", "[impacts]\nfloor = { gap = \"q\", restitution = 0.6 }\n" + never);
  EXPECT_EQ(thrown["loss.never"].back(), 0);
  EXPECT_NEAR(thrown["loss.floor"].front() + thrown["energy"].front(), 4.5, 1e-12);
  EXPECT_NEAR(thrown.events[1].columns[0].values.at(1), 2 * 1.8 / 9.81, 1e-9);
  // An elastic impact at the time of a sample: the velocity turns round there.
  const std::string wall = "[impacts]\nwall = { gap = \"q\", restitution = 1 }\n";
  const auto sampled = run_from("q = 1\nv = -1\nslow = 0\n", "0",
                                "[sampled]\nfast = { value = \"q\", every = 0.25 }\n"
                                "slow = { value = \"slow + 1\", every = 10 }\n" +
                                    wall + never);
  EXPECT_NEAR(sampled["q"].back(), 1, 1e-12);
  EXPECT_NEAR(sampled["v"].back(), 1, 1e-12);
  EXPECT_EQ(sampled["loss.never"].back(), 0);
  EXPECT_EQ(sampled["slow"].back(), 0);
  EXPECT_EQ(sampled["samples_fast"].back(), 7);
}

TEST(JumpsAtOneTime, HappenOnceEach) {
  // A reset at the time of an impact, in the order of the file and in the other one, elastic and plastic.
  for (const std::string restitution : {"1", "0.5", "0"}) {
    for (const std::string at : {"t - 1", "1 - t", "q", "exp(q) - 1"}) {
      const auto made = run_from("q = 1\nv = -1\n", "0",
                                 "[events]\nkick = { at = \"" + at + "\", set = { u = \"u + 1\" } }\n" +
                                     "[impacts]\nwall = { gap = \"q\", restitution = " + restitution + " }\n");
      const double e = std::stod(restitution);
      EXPECT_NEAR(made["u"].back(), 1, 1e-12) << at << ", " << e;
      EXPECT_NEAR(made["x"].back(), 1, 1e-10) << at << ", " << e;
      EXPECT_NEAR(made["q"].back(), e, 1e-10) << at << ", " << e;
      EXPECT_EQ(made["loss.kick"].back(), -0.5) << at << ", " << e;
    }
  }
}

std::vector<double> times_of(const analyse::Trajectory& made, const std::string& event) {
  for (const auto& one : made.events)
    if (one.name == event) return one.columns.front().values;
  ADD_FAILURE() << "no event '" << event << "'";
  return {};
}

TEST(EventsAtTheTimeOfAJump, EndTheRunAfterIt) {
  const auto made = run_from("v = 1\n", "0",
                             "[sampled]\nheld = { value = \"q\", every = 0.5 }\n"
                             "[events]\nhalt = { at = \"t - 1\", stop = true }\n");
  EXPECT_DOUBLE_EQ(made["t"].back(), 1);
  EXPECT_DOUBLE_EQ(made["held"].back(), 1);
  EXPECT_EQ(made["samples_held"].back(), 2);
  EXPECT_THAT(times_of(made, "halt"), ElementsAre(DoubleEq(1)));
  EXPECT_THAT(made.facts.notes, Contains(StartsWith("ended by the event 'halt' at t = 1")));
  EXPECT_TRUE(made.facts.complete);
}

TEST(EventsAtTheTimeOfAJump, EndTheRunAfterAnImpact) {
  // The functions are zero at one time but for rounding, so either may be located first.
  for (const std::string at : {"q", "2*q", "q*(1 + 1e-15)", "t - 1", "t - 1 - 1e-16", "sin(1 - t)", "3*q/7"})
    for (const std::string direction : {"any", at.front() == 't' ? "rising" : "falling"}) {
      const auto made = run_from("q = 1\nv = -1\n", "0",
                                 "[impacts]\nwall = { gap = \"q\", restitution = 0.5 }\n[events]\nhalt = { at = \"" +
                                     at + "\", direction = \"" + direction + "\", stop = true }\n");
      EXPECT_NEAR(made["t"].back(), 1, 1e-14) << at;
      EXPECT_NEAR(made["v"].back(), 0.5, 1e-12) << at;
      EXPECT_EQ(times_of(made, "wall").size(), 1U) << at;
      EXPECT_EQ(times_of(made, "halt").size(), 1U) << at;
      EXPECT_THAT(made.facts.notes, Contains(StartsWith("ended by the event 'halt'"))) << at;
    }
}

// Both ends of a rod reach the floor with its middle. The impact of one end turns the rod, and the other one rises.
TEST(EventsAtTheTimeOfAJump, HitNoSurfacesThatPart) {
  const std::string ends =
      "[impacts]\nleft = { gap = \"q + x\", restitution = 0.5 }\n"
      "right = { gap = \"q - x\", restitution = 0.5 }\n";
  const std::string stop = "[events]\nlow = { at = \"q\", stop = true }\n";
  const auto rod = [&](const std::string& more) {
    auto model = text("q = 1\n", "9.81", ends + more);
    model.replace(model.find("(v^2 + u^2)/2"), 13, "(v^2 + 100*u^2)/2");
    return simulate::simulate(parse_model(model));
  };
  const auto stopped = rod(stop);
  const auto whole = rod("");
  const double fall = std::sqrt(2 * 9.81);
  const double impulse = 1.5 * fall / (1 + 1.0 / 100);
  EXPECT_NEAR(stopped["v"].back(), impulse - fall, 1e-9);
  EXPECT_NEAR(stopped["u"].back(), impulse / 100, 1e-9);
  EXPECT_NEAR(stopped["loss.left"].back(), whole["loss.left"].back(), 1e-9);
  EXPECT_EQ(stopped["loss.right"].back(), 0);
  EXPECT_EQ(times_of(stopped, "left").size(), 1U);
  EXPECT_THAT(times_of(stopped, "right"), IsEmpty());
  EXPECT_EQ(times_of(stopped, "low").size(), 1U);
}

TEST(EventsAtTheTimeOfAJump, DoNotDependOnTheirOrder) {
  std::vector<std::string> lines{"halt = { at = \"q - 1\", stop = true }\n", "seen = \"t - 1\"\n",
                                 "kick = { at = \"2*t - 2\", set = { v = \"v + 1\" } }\n",
                                 "away = { at = \"t - 1\", direction = \"falling\" }\n"};
  do {
    std::string table = "[events]\n";
    for (const auto& line : lines) table += line;
    const auto made = run_from("v = 1\n", "0", table);
    EXPECT_DOUBLE_EQ(made["t"].back(), 1) << table;
    EXPECT_EQ(made["v"].back(), 2) << table;
    for (const std::string name : {"halt", "seen", "kick"})
      EXPECT_THAT(times_of(made, name), ElementsAre(DoubleEq(1))) << name << " of\n" << table;
    EXPECT_THAT(times_of(made, "away"), IsEmpty()) << table;
    EXPECT_THAT(made.facts.notes, Contains(StartsWith("ended by the event 'halt'"))) << table;
  } while (std::next_permutation(lines.begin(), lines.end()));
}

TEST(EventsAtTheTimeOfAJump, HaveOneRowWithTheStateBeforeIt) {
  const std::string how = "[sampled]\nheld = { value = \"q\", every = 0.1 }\nn = { value = \"n + 1\", every = 0.3 }\n";
  for (const std::string at : {"t - 0.6", "0.6 - t", "q - 0.6", "sin(t - 0.6)", "exp(0.6 - q) - 1"}) {
    for (const std::string direction : {"any", "rising", "falling"}) {
      const auto made = run_from("v = 1\nn = 0\n", "0",
                                 how + "[events]\nseen = { at = \"" + at + "\", direction = \"" + direction + "\" }\n");
      const bool rises = at == "t - 0.6" || at == "q - 0.6" || at == "sin(t - 0.6)";
      const std::size_t count = direction == "any" || (direction == "rising") == rises ? 1 : 0;
      ASSERT_EQ(times_of(made, "seen").size(), count) << at << ", " << direction;
      if (count == 0) continue;
      const auto& columns = made.events.back().columns;
      EXPECT_NEAR(columns.front().values[0], 0.6, 1e-15) << at;
      for (const auto& column : columns) {
        if (column.name != "samples_held" && column.name != "n") continue;
        EXPECT_EQ(column.values[0], column.name == "n" ? 1 : 5) << at;
      }
    }
  }
}

TEST(EventsAtTheTimeOfAJump, DoNotEndARunThatTheUserStops) {
  const auto problem = parse_model(text("v = 1\n", "0", "[sampled]\nheld = { value = \"q\", every = 0.3001 }\n"));
  const simulate::Simulator simulator(problem.system);
  // Samples are at no rows of the run, so that the last two times are those of rows before a jump.
  for (const double t : {0.2, 0.5, 0.3001, 0.6002}) {
    const auto made =
        simulator.run(problem.initial, problem.settings, {}, [&](double done) { return done < t / 2 - 1e-9; });
    EXPECT_THAT(made.facts.status, StartsWith("stopped by the user"));
    EXPECT_THAT(made.facts.notes, Not(Contains(HasSubstr("ended by")))) << t;
  }
}

}  // namespace
}  // namespace herglotz::io
