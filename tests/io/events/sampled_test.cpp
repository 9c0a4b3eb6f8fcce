#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/model_file.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/simulate/linearise.hpp"
#include "herglotz/simulate/orbits.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string model_with_samples(const std::string& sampled, const std::string& more = "") {
  return R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
T = 0.07
k = 4.0
d = 2.0
[dynamics]
lagrangian = "v^2/2"
forces = { v = "u" }
[sampled]
)" + sampled +
         R"(
[simulation]
tolerance = 1e-12
t_end = 3.0
)" + more;
}

const std::string controller = R"(u = { value = "-k*q - d*v", every = "T" })";
const std::string start = "[initial]\nq = 0.1\n";

struct State {
  double q;
  double v;
  double u;
};

/// The closed form: between samples the force is constant, q+ = q + v h + u h^2/2 and v+ = v + u h.
State exact(double T, double t_end) {
  State s{0.1, 0, -0.4};
  double t = 0;
  for (int n = 1; t < t_end; ++n) {
    const double next = std::min(n * T, t_end);
    const double h = next - t;
    s = {s.q + s.v * h + s.u * h * h / 2, s.v + s.u * h, s.u};
    t = next;
    if (t < t_end) s.u = -4 * s.q - 2 * s.v;
  }
  return s;
}

TEST(Sampled, HoldsTheForceOfAControllerBetweenItsSamples) {
  for (const std::string settings :
       {"method = \"reference\"", "method = \"taylor\"", "method = \"radau-5\"",
        "method = \"runge-kutta-4\"\nstep = 0.05", "method = \"contact-gauss-4\"\nstep = 0.3"}) {
    auto text = model_with_samples(controller, start);
    text.replace(text.find("tolerance = 1e-12"), 17, settings);
    const auto run = simulate::simulate(parse_model(text));
    const State s = exact(0.07, 3);
    EXPECT_NEAR(run["q"].back(), s.q, 1e-11) << settings;
    EXPECT_NEAR(run["v"].back(), s.v, 1e-11) << settings;
    EXPECT_NEAR(run["u"].back(), s.u, 1e-10) << settings;
    EXPECT_EQ(run["samples_u"].back(), 42) << settings;
    EXPECT_LT(run.facts.largest_energy_residual, 1e-11) << settings;
  }
}

TEST(Sampled, MissesNoSampleHoweverShortTheInterval) {
  for (const double T : {0.25, 0.1, 0.01, 0.001}) {  // of 0.25 and 1 steps of the run end at samples
    auto text = model_with_samples(controller, start);
    text.replace(text.find("T = 0.07"), 8, "T = " + std::to_string(T));
    const auto run = simulate::simulate(parse_model(text));
    const State s = exact(T, 3);
    EXPECT_NEAR(run["q"].back(), s.q, 1e-12) << T;
    EXPECT_NEAR(run["v"].back(), s.v, 1e-12) << T;
    EXPECT_EQ(run["samples_u"].back(), std::round(3 / T) - 1) << T << ": the run ends at a sample, which is not taken";
  }
}

TEST(Sampled, TakesClocksOfSeveralIntervalsAndResetsAtOneTime) {
  // Times of the clocks and of the event are equal to rounding, and every count is exact nevertheless.
  const auto run = simulate::simulate(parse_model(model_with_samples(R"(u = { value = "-4*q - 2*v", every = 0.001 }
three = { value = "three + 1", every = 0.003 }
seven = { value = "seven + u - u + 1", every = "7/1000" })",
                                                                     R"([events]
kick = { at = "t - 1.001", direction = "rising", set = { v = "v + 1e-3" } }
)" + start + "three = 0\nseven = 0\n")));
  EXPECT_EQ(run["samples_u"].back(), 2999);
  EXPECT_EQ(run["three"].back(), 999);
  EXPECT_EQ(run["seven"].back(), 428);
  EXPECT_NE(run["loss.kick"].back(), 0);
}

TEST(Sampled, ReadsTheStateBeforeAllSamplesOfATime) {
  // A delay by one sample: `late` has the value that u had before the sample that is taken with it.
  const auto run = simulate::simulate(parse_model(model_with_samples(R"x(u = { value = "floor(t/T + 1/2)", every = "T" }
late = { value = "u", every = "T" })x",
                                                                     start + "late = -1\n")));
  EXPECT_EQ(run["u"].back(), 42);
  EXPECT_EQ(run["late"].back(), 41);
}

TEST(Sampled, StartsWithASampleUnlessTheStartIsGiven) {
  EXPECT_DOUBLE_EQ(parse_model(model_with_samples(controller, start)).initial.at("u"), -0.4);
  EXPECT_EQ(parse_model(model_with_samples(controller, start + "u = 3\n")).initial.at("u"), 3);
  EXPECT_EQ(parse_model(model_with_samples(controller, start + "t = 0.7\n")).initial.at("samples_u"), 10);
  EXPECT_EQ(parse_model(model_with_samples(controller)).initial.at("samples_u"), 0) << "without [initial]";
}

TEST(Sampled, IsWrittenWithTheModel) {
  const auto problem = parse_model(model_with_samples(controller, start));
  const auto again = parse_model(text_of(problem));
  EXPECT_NEAR(simulate::simulate(again)["q"].back(), simulate::simulate(problem)["q"].back(), 1e-13);
}

TEST(Sampled, SaysWhatIsWrong) {
  const auto error = [](const std::string& sampled, const std::string& more = "") {
    return error_of([&] { parse_model(model_with_samples(sampled, more), "m.toml"); });
  };
  EXPECT_EQ(error("u = { value = \"q\" }"),
            "m.toml:13:5: the sampled value 'u' has no 'every'; write { value = \"-k*q\", every = 0.01 }");
  EXPECT_EQ(error("u = { value = \"q\", every = \"-T\" }"),
            "m.toml:13:28: the sampled value 'u' is taken every -0.07 units of time; give a positive interval");
  EXPECT_THAT(error("u = { value = \"q\", every = \"q\" }"),
              HasSubstr("the interval of a sampled value may not depend on the base coordinate 'q'"));
  EXPECT_THAT(error("u = { value = \"q\", evry = 1 }"), HasSubstr("unknown key 'evry'; did you mean every?"));
  EXPECT_THAT(error("u = { value = \"u + q*T\", every = 1 }"),
              HasSubstr("m.toml:13:15: the initial value of 'u' uses itself"));
  EXPECT_THAT(error("u = { value = \"foo\", every = 1 }"), HasSubstr("m.toml:13:16: unknown name 'foo'"));
  EXPECT_THAT(error("q = { value = \"v\", every = 1 }"), HasSubstr("the name 'q' is taken"));
  EXPECT_THAT(error(controller, "[events]\nsampled = \"q\"\n"), HasSubstr("[sampled] has an event of that name"));
  EXPECT_THAT(error_of([&] {
                parse_problem(model_with_samples(controller, "[boundary]\nduration = 1\nfinal = { q = 1 }\n"),
                              "m.toml");
              }),
              HasSubstr("a problem of boundary values takes no [sampled]"));
  EXPECT_EQ(error(controller, "[units]\nq = \"m\"\nu = \"m/s^2\"\nk = \"1/s\"\n"),
            "m.toml:13:5: the value that 'sampled' gives 'u' is in m/s, not in m/s^2; correct it, or the entries of "
            "[units]");
}

TEST(Sampled, AsksForAStartThatItCannotTake) {
  const auto error = [](const std::string& value, const std::string& more = start) {
    return error_of(
        [&] { parse_model(model_with_samples("u = { value = \"" + value + "\", every = 1 }", more), "m.toml"); });
  };
  EXPECT_THAT(error("-energy"), HasSubstr("m.toml:13:17: the initial value of 'u' may not depend on"));
  EXPECT_THAT(error("-energy"), HasSubstr("'energy'; give 'u' in [initial]"));
  EXPECT_EQ(error("-p_v"),
            "m.toml:13:15: the initial value of 'u' uses 'p_v', and the start is given by velocities; give 'u' in "
            "[initial]");
  EXPECT_EQ(error("u + q"), "m.toml:13:15: the initial value of 'u' uses itself; give 'u' in [initial]");
  EXPECT_EQ(error("u - energy - p_v", start + "u = 0\n"), "no error");
  EXPECT_EQ(error("-p_v", start + "p_v = 1\n"), "no error");
}

TEST(Sampled, StartsFromMomentaOfAHamiltonian) {
  auto text = model_with_samples(R"(u = { value = "-k*q - d*p_v", every = "T" })", start);
  text.replace(text.find("lagrangian = \"v^2/2\""), 20, "hamiltonian = \"p_v^2/2\"");
  const auto problem = parse_model(text);  // p_v = 0 at the start
  EXPECT_DOUBLE_EQ(problem.initial.at("u"), -0.4);
  EXPECT_NEAR(simulate::simulate(problem)["q"].back(), exact(0.07, 3).q, 1e-11);
}

TEST(Sampled, RefusesIntervalsOfOtherParameters) {
  const auto set = [](const std::string& every, const std::string& assignment) {
    return error_of([&] {
      auto problem =
          parse_model(model_with_samples("u = { value = \"-k*q\", every = \"" + every + "\" }", start), "m.toml");
      apply_setting(problem, assignment);
    });
  };
  const std::string wrong =
      "--set: the interval of the sampled value 'u' is not positive and finite; give a positive interval";
  EXPECT_EQ(set("T", "T=-1"), wrong);
  EXPECT_EQ(set("T", "T=0"), wrong);
  EXPECT_EQ(set("1/(T - 0.05)", "T=0.05"), wrong);
  EXPECT_EQ(set("T", "T=0.01"), "no error");
  EXPECT_EQ(set("1/(T - 0.07)", "T=0.1"),
            "m.toml:13:31: the sampled value 'u' is taken every inf units of time; give a positive interval");
}

/// Returns the sentence with which something is refused beyond the reading of a model.
template <class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "no error";
}

TEST(Sampled, RefusesMoreSamplesThanARunHasRows) {
  const auto error = [](const std::string& every, const std::string& more = start) {
    return refusal_of([&] {
      simulate::simulate(parse_model(model_with_samples("u = { value = \"-q\", every = " + every + " }", more)));
    });
  };
  EXPECT_THAT(error("1e-12"), HasSubstr("every of 'u' = 1e-12 makes 3e+12 rows"));
  EXPECT_THAT(error("0.1", start + "samples_u = 4\n"),
              HasSubstr("samples_u = 4, and 0 intervals of 0.1 lie before the start at t = 0; leave samples_u out"));
  EXPECT_THAT(error("0.1", start + "samples_u = 0.5\n"), HasSubstr("samples_u = 0.5, and 0 intervals"));
  EXPECT_THAT(error("0.1", start + "samples_u = 7\nt = 0.7\n"), HasSubstr("no error"));
  EXPECT_THAT(error("0.1", start + "samples_u = 6\nt = 0.7\n"), HasSubstr("samples_u = 6, and 7 intervals of 0.1"))
      << "the sample of the start would be left out";
}

TEST(Sampled, AreNotHeldForEverByALinearMotion) {
  const simulate::Simulator simulator(parse_model(model_with_samples(controller, start)).system);
  EXPECT_THAT(refusal_of([&] { simulate::linearise(simulator, {{{"q", 0.1}}}); }),
              HasSubstr("a linearisation would hold the sampled value 'u' for ever"));
}

// From sample to sample (q, v) goes to A (q, v) + B u with u = -(4, 2).(q, v), A = [1, T; 0, 1] and B = (T^2/2, T).
TEST(Sampled, OrbitsHaveTheMultipliersOfTheMapBetweenSamples) {
  const simulate::Simulator simulator(parse_model(model_with_samples(controller, start)).system);
  simulate::MotionRequest motion{{{"q", 0.1}, {"t", 0.035}}, {}, {}};
  motion.settings.tolerance = 1e-12;
  const simulate::OrbitRequest request{.period = 0.07, .drifting = {"samples_u", "z"}};
  const auto orbit = simulate::periodic_orbit(simulator, motion, request);
  const double trace = 2 - 2 * 0.07 * 0.07 - 2 * 0.07;
  const double determinant = (1 - 2 * 0.07 * 0.07) * (1 - 2 * 0.07) + 4 * 0.07 * (0.07 - 0.07 * 0.07);
  EXPECT_NEAR(orbit.multipliers[0].real(), trace / 2, 1e-9);
  EXPECT_NEAR(std::norm(orbit.multipliers[0]), determinant, 1e-9);
  motion.initial["t"] = 0;
  EXPECT_THAT(refusal_of([&] { simulate::periodic_orbit(simulator, motion, request); }),
              HasSubstr("the start at t = 0 is a time at which 'u' is sampled"));
  motion.initial["t"] = 0.035;
  EXPECT_THAT(refusal_of([&] { simulate::periodic_orbit(simulator, motion, {.period = 0.07, .drifting = {"z"}}); }),
              AllOf(HasSubstr("samples_u, the count of the samples of 'u', grows and does not come back"),
                    HasSubstr("--drifting samples_u")));
}

TEST(Sampled, ChecksUnitsOfIntervalsAndOfAllClocks) {
  const std::string units = "[units]\nq = \"m\"\nu = \"m/s^2\"\nk = \"1/s^2\"\nd = \"1/s\"\n";
  const auto error = [&](const std::string& sampled, const std::string& more = "") {
    return error_of([&] { parse_model(model_with_samples(sampled, start + units + more), "m.toml"); });
  };
  const std::string number = R"(u = { value = "-k*q - d*v", every = 0.1 })";
  EXPECT_EQ(error(number), "no error");
  EXPECT_EQ(error(controller), "no error");
  EXPECT_EQ(error(controller, "T = \"s\"\n"), "no error");
  EXPECT_EQ(error(controller, "T = \"m\"\n"),
            "m.toml:13:37: [sampled] u every is in m, not in s; correct it, or the entries of [units]");
  const std::string late = "\nlate = { value = \"u\", every = \"2*T\" }";
  EXPECT_EQ(error(number + late, "late = \"m/s^2\"\n"), "no error");
  EXPECT_EQ(error(number + late, "T = \"s\"\nlate = \"m/s^2\"\n"), "no error");
  EXPECT_EQ(error(number + "\nw = { value = \"q*T\", every = 0.2 }", "T = \"s\"\nw = \"m\"\n"),
            "m.toml:14:5: the value that 'sampled' gives 'w' is in m*s, not in m; correct it, or the entries of "
            "[units]");
}

TEST(Resets, AreRefusedInProblemsOfBoundaryValues) {
  const char* text = R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2"
[boundary]
duration = 1
final = { q = 1 }
[events]
middle = { at = "q - 0.5", set = { v = "-v" } }
)";
  EXPECT_EQ(error_of([&] { parse_problem(text, "m.toml"); }),
            "m.toml:11:34: a problem of boundary values takes no event that changes the state; remove 'set'");
}

}  // namespace
}  // namespace herglotz::io
