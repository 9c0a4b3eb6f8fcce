#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/stepper.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

constexpr double g = 9.81;
constexpr double e = 0.8;

/// A ball above the floor q = 0, dropped from height 1, with damping gamma and horizontal velocity.
std::string ball(const std::string& tables, const std::string& simulation = "tolerance = 1e-12\nt_end = 2.0\n") {
  return R"([model]
name = "ball"
[algebroid]
kind = "tangent"
base = ["q", "x"]
fibre = ["v", "u"]
[parameters]
g = 9.81
gamma = 0
e = 0.8
[dynamics]
lagrangian = "(v^2 + u^2)/2 - g*q - gamma*z"
[symmetries]
along = ["0", "1"]
[initial]
q = 1.0
u = 0.5
)" + tables +
         "[simulation]\n" + simulation;
}

const std::string reset = "[events]\nbounce = { at = \"q\", direction = \"falling\", set = { v = \"-e*v\" } }\n";
const std::string impact = "[impacts]\nfloor = { gap = \"q\", restitution = \"e\" }\n";

analyse::Trajectory run(const std::string& model) {
  return simulate::simulate(parse_model(model));
}

/// Time of bounce k = 0, 1, ... of a ball dropped from height 1: t0 (1 + 2 (e + e^2 + ... + e^k)).
double bounce(int k) {
  double series = 1;
  for (int i = 1; i <= k; ++i) series += 2 * std::pow(e, i);
  return std::sqrt(2 / g) * series;
}

TEST(Resets, HappenAtTheTimesOfTheClosedFormByEveryKindOfMethod) {
  for (const char* how :
       {"method = \"reference\"\ntolerance = 1e-12\n", "method = \"taylor\"\ntolerance = 1e-13\n",
        "method = \"stiff\"\ntolerance = 1e-11\n", "method = \"contact-gauss-4\"\nstep = 0.01\n",
        "method = \"runge-kutta-4\"\nstep = 0.01\n", "method = \"contact-gauss-2\"\nstep = 0.007\n"}) {
    const auto trajectory = run(ball(reset, how + std::string("t_end = 2.0\n")));
    ASSERT_EQ(trajectory.events.size(), 1U) << how;
    const auto& times = trajectory.events[0].columns[0].values;
    ASSERT_EQ(times.size(), 3U) << how;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(times[static_cast<std::size_t>(k)], bounce(k), 1e-8) << how;
    EXPECT_NEAR(trajectory["x"].back(), 1.0, 1e-8) << how;
    EXPECT_LT(trajectory.facts.largest_energy_residual, 1e-10) << how;
  }
}

TEST(Resets, HaveARowBeforeAndARowAfter) {
  const auto trajectory = run(ball(reset));
  const auto& t = trajectory["t"];
  const auto& v = trajectory["v"];
  int jumps = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    ASSERT_GE(t[k], t[k - 1]);
    if (t[k] != t[k - 1]) continue;
    ++jumps;
    EXPECT_DOUBLE_EQ(v[k], -e * v[k - 1]);
    EXPECT_EQ(trajectory["q"][k], trajectory["q"][k - 1]);
  }
  EXPECT_EQ(jumps, 3);
}

TEST(Resets, KeepTheRowsThatWereAskedFor) {
  for (const char* method : {"method = \"reference\"\n", "method = \"contact-gauss-4\"\nstep = 0.03\n"}) {
    const auto trajectory = run(ball(reset, std::string(method) + "output_step = 0.125\nt_end = 2.0\n"));
    ASSERT_EQ(trajectory.rows(), 17U + 2 * 3U) << method;
    const auto& t = trajectory["t"];
    for (int k = 0; k <= 16; ++k)
      EXPECT_THAT(t, ::testing::Contains(::testing::DoubleNear(0.125 * k, 1e-12))) << method;
  }
}

TEST(Resets, BookWhatTheyTakeFromTheEnergy) {
  const auto trajectory = run(ball(reset));
  const auto& energy = trajectory["energy"];
  const auto& loss = trajectory["loss.bounce"];
  for (std::size_t k = 0; k < energy.size(); ++k) EXPECT_NEAR(energy[k] + loss[k], energy[0], 1e-11);
  EXPECT_GT(loss.back(), 7);
}

TEST(Resets, LeaveTheDissipatedQuantitiesOfADampedMotion) {
  std::string text = ball(reset);
  text.replace(text.find("gamma = 0\n"), 10, "gamma = 0.3\n");
  const auto trajectory = run(text);
  EXPECT_LT(trajectory.facts.largest_energy_residual, 1e-10);
  EXPECT_LT(trajectory.facts.largest_momentum_residuals[0].second, 1e-10);
  // The horizontal momentum decays as exp(-gamma t) through all jumps.
  const auto& invariant = trajectory["momentum_invariant.along"];
  for (const double value : invariant) EXPECT_NEAR(value, 0.5, 1e-10);
  for (std::size_t k = 0; k < trajectory.rows(); ++k)
    EXPECT_NEAR(trajectory["integrating_factor"][k], std::exp(0.3 * trajectory["t"][k]), 1e-9);
}

TEST(Resets, DoNotHideAWrongLaw) {
  // The laws are those of the ball; the motion is that of a ball with another weight.
  const auto problem = parse_model(ball(reset));
  const simulate::Simulator right(problem.system);
  auto equations = right.equations();
  const auto one = problem.system.graph().number(1.001);
  for (auto& b : equations.b) b = b * one;
  for (auto& f : equations.f) f = f * one;
  const simulate::Simulator wrong(problem.system, equations);
  EXPECT_GT(wrong.run(problem.initial, problem.settings).facts.largest_energy_residual, 1e-5);
}

TEST(Resets, AssignAllEntriesAtOnce) {
  const auto trajectory =
      run(ball("[events]\nswap = { at = \"q - 1/2\", direction = \"falling\", set = { v = \"u\", u = \"v\" } }\n",
               "tolerance = 1e-12\nt_end = 0.5\n"));
  const auto& t = trajectory["t"];
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (t[k] != t[k - 1]) continue;
    EXPECT_EQ(trajectory["v"][k], trajectory["u"][k - 1]);
    EXPECT_EQ(trajectory["u"][k], trajectory["v"][k - 1]);
    return;
  }
  FAIL() << "no reset";
}

TEST(Resets, MayPassThrough) {
  // A curtain at q = 1/2 takes half of the velocity; the ball falls on below it, and does not meet it again.
  const auto trajectory = run(
      ball("[events]\ncurtain = { at = \"q - 1/2\", set = { v = \"v/2\" } }\n", "tolerance = 1e-12\nt_end = 0.6\n"));
  ASSERT_EQ(trajectory.events[0].count(), 1U);
  EXPECT_LT(trajectory["q"].back(), 0);
}

TEST(Resets, ThatAccumulateEndTheRunAndNameTheTime) {
  const double zeno = std::sqrt(2 / g) * (1 + e) / (1 - e);
  try {
    run(ball(reset, "tolerance = 1e-12\nt_end = 10.0\n"));
    FAIL() << "no error";
  } catch (const simulate::RunFailed& failed) {
    EXPECT_THAT(failed.what(), HasSubstr("the resets of 'bounce' accumulate at t = 4.063"));
    EXPECT_THAT(failed.what(), HasSubstr("[impacts]"));
    EXPECT_NEAR(failed.partial["t"].back(), zeno, 1e-7);
  }
}

TEST(Resets, MayEndTheRun) {
  const auto trajectory =
      run(ball("[events]\nbounce = { at = \"q\", direction = \"falling\", stop = true, set = { v = \"-e*v\" } }\n"));
  EXPECT_NEAR(trajectory["t"].back(), bounce(0), 1e-10);
  EXPECT_GT(trajectory["v"].back(), 0);
  EXPECT_THAT(trajectory.facts.notes, ::testing::Contains(HasSubstr("ended by the event 'bounce'")));
}

TEST(Resets, AreRefusedWhereTheyCannotBeFollowed) {
  EXPECT_THROW(run(ball(reset, "t_end = -1.0\n")), Refused);
  EXPECT_THAT(error_of([] { parse_model(ball("[events]\nb = { at = \"q\", set = { w = \"1\" } }\n")); }),
              HasSubstr("unknown entry of the state 'w'"));
  EXPECT_THAT(error_of([] { parse_model(ball("[events]\nb = { at = \"q\", set = {} }\n")); }),
              HasSubstr("'set' is empty"));
}

TEST(Impacts, OfABallFollowTheClosedFormToRestAtTheZenoTime) {
  for (const char* how : {"tolerance = 1e-12\n", "method = \"contact-gauss-4\"\nstep = 0.01\n"}) {
    const auto trajectory = run(ball(impact, how + std::string("t_end = 6.0\n")));
    const auto& times = trajectory.events[0].columns[0].values;
    ASSERT_GT(times.size(), 60U) << how;
    for (int k = 0; k < 20; ++k) EXPECT_NEAR(times[static_cast<std::size_t>(k)], bounce(k), 1e-9) << how;
    const double zeno = std::sqrt(2 / g) * (1 + e) / (1 - e);
    EXPECT_NEAR(times.back(), zeno, 1e-8) << how;
    EXPECT_THAT(trajectory.facts.notes, ::testing::Contains(HasSubstr("accumulate at t = 4.063"))) << how;
    // At rest on the floor, it slides on; the floor carries its weight.
    EXPECT_NEAR(trajectory["q"].back(), 0, 1e-12) << how;
    EXPECT_NEAR(trajectory["v"].back(), 0, 1e-12) << how;
    EXPECT_NEAR(trajectory["x"].back(), 3.0, 1e-9) << how;
    EXPECT_NEAR(trajectory["contact.floor"].back(), g, 1e-9) << how;
    EXPECT_EQ(trajectory["contact.floor"].front(), 0) << how;
    const auto& energy = trajectory["energy"];
    const auto& loss = trajectory["loss.floor"];
    for (std::size_t k = 0; k < energy.size(); ++k) EXPECT_NEAR(energy[k] + loss[k], energy[0], 1e-11) << how;
    EXPECT_LT(trajectory.facts.largest_energy_residual, 1e-10) << how;
  }
}

TEST(Impacts, AreReleasedWhenTheFloorWouldHaveToPull) {
  // A force that grows in time lifts the ball when it reaches its weight: at t = 9.81/5.
  const auto model = R"([model]
name = "lifted"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - 9.81*q + 5*t*q"
[impacts]
floor = { gap = "q", restitution = 0.5 }
[simulation]
tolerance = 1e-12
t_end = 3.0
)";
  const auto trajectory = run(model);
  const double lift = 9.81 / 5;
  const auto& t = trajectory["t"];
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double after = std::max(t[k] - lift, 0.0);
    EXPECT_NEAR(trajectory["q"][k], 5 * after * after * after / 6, 1e-9) << t[k];
    if (std::abs(t[k] - lift) < 1e-9) continue;
    EXPECT_NEAR(trajectory["contact.floor"][k], std::max(9.81 - 5 * t[k], 0.0), 1e-9) << t[k];
  }
}

TEST(Impacts, WithFrictionObeyCoulombsConeAndBookItsWork) {
  // A ball with spin meets the floor. Sliding: du = -mu (1 + e) |v|; sticking: u - R w = 0 afterwards.
  const auto with = [](const std::string& friction) {
    return std::string(R"([model]
name = "spinning-ball"
[algebroid]
kind = "tangent"
base = ["q", "x", "phi"]
fibre = ["v", "u", "w"]
[dynamics]
lagrangian = "(v^2 + u^2 + 0.4*w^2)/2 - 9.81*q"
[impacts]
floor = { gap = "q", restitution = 0.5, friction = )") +
           friction + R"(, slip = "u - w" }
[initial]
q = 1.0
u = 2.0
[simulation]
tolerance = 1e-12
t_end = 0.5
)";
  };
  const double speed = std::sqrt(2 * 9.81);
  const auto sliding = run(with("0.05"));
  EXPECT_NEAR(sliding["u"].back(), 2 - 0.05 * 1.5 * speed, 1e-9);
  EXPECT_NEAR(sliding["w"].back(), 0.05 * 1.5 * speed / 0.4, 1e-9);
  const auto sticking = run(with("0.9"));
  EXPECT_NEAR(sticking["u"].back() - sticking["w"].back(), 0, 1e-12);
  EXPECT_NEAR(sticking["u"].back(), 2 / 1.4, 1e-9);
  for (const auto* one : {&sliding, &sticking}) {
    EXPECT_LT((*one)["work.floor"].back(), -0.1);
    EXPECT_NEAR((*one)["energy"].back() + (*one)["loss.floor"].back() - (*one)["work.floor"].back(),
                (*one)["energy"].front(), 1e-11);
  }
  // The work of friction on the sticking ball is the energy of its slip: reduced mass 1/(1 + 1/0.4), slip 2.
  EXPECT_NEAR(sticking["work.floor"].back(), -0.5 * 4 / (1 + 1 / 0.4), 1e-11);
}

TEST(Impacts, BringABallToRestInACorner) {
  // The walls have the normals (1, 1) and (-1/2, 1); their forces carry the weight: f (1, 1) + h (-1/2, 1) = (0, g).
  const auto trajectory = run(R"toml([model]
name = "corner"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["u", "v"]
[dynamics]
lagrangian = "(u^2 + v^2)/2 - 9.81*y"
[impacts]
left = { gap = "y + x", restitution = 0.7 }
right = { gap = "y - x/2", restitution = 0.7 }
[initial]
x = 0.2
y = 1
[simulation]
tolerance = 1e-11
t_end = 8.0
)toml");
  EXPECT_NEAR(trajectory["x"].back(), 0, 1e-11);
  EXPECT_NEAR(trajectory["y"].back(), 0, 1e-11);
  EXPECT_NEAR(trajectory["contact.right"].back(), g / 1.5, 1e-8);
  EXPECT_NEAR(trajectory["contact.left"].back(), g / 3, 1e-8);
  EXPECT_NEAR(trajectory["loss.left"].back() + trajectory["loss.right"].back(), g, 1e-10);
}

TEST(Impacts, LayARodOnTheFloor) {
  const auto trajectory = run(R"toml([model]
name = "rod"
[algebroid]
kind = "tangent"
base = ["x", "y", "th"]
fibre = ["u", "v", "w"]
[dynamics]
lagrangian = "(u^2 + v^2 + w^2/3)/2 - 9.81*y"
[impacts]
a = { gap = "y - sin(th)", restitution = 0.5 }
b = { gap = "y + sin(th)", restitution = 0.5 }
[initial]
y = 1
th = 0.3
u = 0.5
[simulation]
tolerance = 1e-11
t_end = 4.0
)toml");
  EXPECT_NEAR(trajectory["x"].back(), 2, 1e-9);
  EXPECT_NEAR(trajectory["th"].back(), 0, 1e-11);
  EXPECT_NEAR(trajectory["contact.a"].back(), g / 2, 1e-8);
  EXPECT_NEAR(trajectory["contact.b"].back(), g / 2, 1e-8);
  EXPECT_NEAR(trajectory["energy"].back() + trajectory["loss.a"].back() + trajectory["loss.b"].back(), g + 0.125,
              1e-10);
}

TEST(Impacts, LeaveAShakenTableWhenItFallsFasterThanTheBall) {
  // The ball starts on the table A sin(omega t) with its velocity, and leaves it where A omega^2 sin(omega t) = g.
  const auto trajectory = run(R"toml([model]
name = "shaken"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
A = 0.15
omega = 10
[dynamics]
lagrangian = "v^2/2 - 9.81*q - 0.1*z"
[impacts]
table = { gap = "q - A*sin(omega*t)", restitution = 0.3 }
[initial]
v = 1.5
[simulation]
tolerance = 1e-11
t_end = 5.0
)toml");
  EXPECT_LT(trajectory.facts.largest_energy_residual, 1e-9);
  const auto& t = trajectory["t"];
  const auto& force = trajectory["contact.table"];
  std::size_t last = 0;
  while (force[last + 1] > 0) ++last;
  // With damping 0.1 v: g + 0.1 v = A omega^2 sin(omega t).
  const auto balance = [](double at) { return 9.81 + 0.1 * 1.5 * std::cos(10 * at) - 15 * std::sin(10 * at); };
  EXPECT_GT(balance(t[last]), 0);
  EXPECT_LT(balance(t[last + 2] + 0.01), 0);
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_GT(trajectory["q"][k] - 0.15 * std::sin(10 * t[k]), -1e-9) << t[k];
}

TEST(Impacts, SayWhatIsWrong) {
  const auto error = [](const std::string& table) {
    return error_of([&] { parse_model(ball("[impacts]\n" + table + "\n"), "m.toml"); });
  };
  EXPECT_THAT(error("a = { restitution = 0.5 }"), HasSubstr("the impact 'a' has no 'gap'"));
  EXPECT_THAT(error("a = { gap = \"q\" }"), HasSubstr("the impact 'a' has no 'restitution'"));
  EXPECT_THAT(error("a = { gap = \"q\", restitution = 0.5, friction = 0.1 }"), HasSubstr("no 'slip'"));
  EXPECT_THAT(error("a = { gap = \"1\", restitution = 0.5 }"), HasSubstr("depends on no base coordinate"));
  EXPECT_THAT(error("a = { gap = \"v\", restitution = 0.5 }"), HasSubstr("a gap"));
  EXPECT_THAT(error("a = { gap = \"q\", restitution = 0.5, slip = [\"u\", \"u\", \"u\"] }"), HasSubstr("3 velocities"));
  EXPECT_THAT(error("a = { gap = \"q\", restitution = 0.5, slope = 1 }"), HasSubstr("unknown key 'slope'"));
  EXPECT_THAT(error("a = { gap = \"q\", restitution = 1.5 }"),
              HasSubstr("the restitution of 'a' is not between 0 and 1"));
  EXPECT_THAT(error("a = { gap = \"q\", restitution = -0.5 }"), HasSubstr("is not between 0 and 1"));
  EXPECT_THAT(error("a = { gap = \"q\", restitution = 0.5, friction = -1, slip = \"v\" }"),
              HasSubstr("the friction of 'a' is negative"));
  const auto failure = [](const std::string& table) {
    try {
      run(ball("[impacts]\n" + table + "\n"));
      return std::string("no error");
    } catch (const simulate::RunFailed& failed) {
      return std::string(failed.what());
    }
  };
  EXPECT_THAT(failure("a = { gap = \"q\", restitution = \"1.5 + q\" }"), HasSubstr("must lie between 0 and 1"));
  EXPECT_THAT(failure("a = { gap = \"q - 2\", restitution = 0.5 }"),
              HasSubstr("the start is inside the surface of 'a'"));
}

TEST(Jumps, AreWrittenWithTheModel) {
  const auto problem = parse_model(
      ball("[events]\nturn = { at = \"v\", set = { u = \"-u\" } }\n[impacts]\nfloor = { gap = \"q\", restitution = "
           "\"e\", friction = 0.1, slip = \"u\" }\n"));
  const auto again = parse_model(text_of(problem, ""));
  ASSERT_EQ(again.system.events.size(), problem.system.events.size());
  for (std::size_t k = 0; k < again.system.events.size(); ++k)
    EXPECT_EQ(again.system.events[k].name, problem.system.events[k].name);
  const auto first = simulate::simulate(problem);
  const auto second = simulate::simulate(again);
  EXPECT_EQ(first["u"].back(), second["u"].back());
  EXPECT_NE(first["u"].back(), 0.5);
}

TEST(Jumps, AreRefusedByTheStepper) {
  const auto problem = parse_model(ball(reset));
  const simulate::Simulator simulator(problem.system);
  EXPECT_THROW(simulate::Stepper(simulator, problem.initial, problem.settings), Refused);
}

TEST(Impacts, OfMembersAreThoseOfSingleRuns) {
  const auto problem =
      parse_model(ball(impact, "method = \"contact-gauss-4\"\nstep = 0.01\noutput_step = 0.25\nt_end = 2.0\n"));
  const simulate::Simulator simulator(problem.system);
  simulate::Common common;
  common.initial = problem.initial;
  common.settings = problem.settings;
  const simulate::Members members(simulator, common, {{true, "e"}});
  const std::vector<double> restitutions{0.3, 0.8, 0.9};
  std::vector<std::vector<std::vector<double>>> rows(3);
  members.run(
      3, [&](std::size_t k, std::span<double> values) { values[0] = restitutions[k]; },
      {[&](std::size_t k, std::size_t, std::span<const double> row) { rows[k].emplace_back(row.begin(), row.end()); },
       [](std::size_t, const simulate::Members::End& end) { EXPECT_EQ(end.failure, ""); }},
      {});
  for (std::size_t k = 0; k < 3; ++k) {
    const auto alone = simulator.run(problem.initial, problem.settings, {{"e", restitutions[k]}});
    ASSERT_EQ(rows[k].size(), 9U);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(rows[k][i][0], 0.25 * static_cast<double>(i), 1e-12);
    for (std::size_t c = 0; c < alone.columns.size(); ++c)
      EXPECT_EQ(rows[k].back()[c], alone.columns[c].values.back()) << alone.columns[c].name;
  }
}

}  // namespace
}  // namespace herglotz::io
