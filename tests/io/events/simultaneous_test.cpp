#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

/// A point of mass 1 and weight g per mass, from q with velocity v.
analyse::Trajectory run(const std::string& start, const std::string& g, const std::string& tables) {
  return simulate::simulate(parse_model(R"([algebroid]
kind = "tangent"
base = ["q", "x"]
fibre = ["v", "u"]
[dynamics]
lagrangian = "(v^2 + u^2)/2 - )" + g + R"(*q"
[simulation]
tolerance = 1e-10
t_end = 2.0
[initial]
)" + start + tables));
}

const std::string never = "[events]\nnever = { at = \"t - 40\", set = { v = \"v + 100\" } }\n";

TEST(JumpsAtOneTime, LeaveResetsThatAreNotDue) {
  // The start is an impact: the ball rises with 0.6 times its velocity.
  const auto thrown = run("q = 0\nv = -3\n", "9.81", "[impacts]\nfloor = { gap = \"q\", restitution = 0.6 }\n" + never);
  EXPECT_EQ(thrown["loss.never"].back(), 0);
  EXPECT_NEAR(thrown["loss.floor"].front() + thrown["energy"].front(), 4.5, 1e-12);
  EXPECT_NEAR(thrown.events[1].columns[0].values.at(1), 2 * 1.8 / 9.81, 1e-9);
  // An elastic impact at the time of a sample: the velocity turns round there.
  const std::string wall = "[impacts]\nwall = { gap = \"q\", restitution = 1 }\n";
  const auto sampled = run("q = 1\nv = -1\nslow = 0\n", "0",
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
      const auto made = run("q = 1\nv = -1\n", "0",
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

}  // namespace
}  // namespace herglotz::io
