// Adaptive steps in one loop of machine code, on whole models: by Taylor polynomials, and by the method reference.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "gallery.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz {
namespace {

using analyse::Trajectory;
using simulate::Settings;
using simulate::Simulator;

Settings settings(const std::string& method, double t_end, double tolerance) {
  Settings s;
  s.method = method;
  s.t_end = t_end;
  s.tolerance = tolerance;
  s.output_step = 1000;  // the start and the end alone, so that nothing else shortens a step
  return s;
}

class Model {
 public:
  explicit Model(simulate::Problem given, const compile::Options& options = {})
      : problem_(std::move(given)), simulator_(problem_.system, options, problem_.initial) {}

  [[nodiscard]] Trajectory run(const Settings& how, const simulate::InitialState& changed = {}) const {
    auto initial = problem_.initial;
    for (const auto& [name, value] : changed) initial[name] = value;
    return simulator_.run(initial, how);
  }
  /// x, w and z, by name, in row `row`.
  [[nodiscard]] std::vector<double> state(const Trajectory& run, std::size_t row) const {
    std::vector<double> values;
    const auto add = [&](const symbolic::Expr& e) { values.push_back(run[e.name()][row]); };
    for (const auto& e : problem_.system.algebroid.x) add(e);
    for (const auto& e : fibre()) add(e);
    add(problem_.system.z);
    return values;
  }
  [[nodiscard]] std::vector<double> end(const Trajectory& run) const { return state(run, run.rows() - 1); }
  [[nodiscard]] simulate::InitialState initial_from(const Trajectory& run) const {
    simulate::InitialState initial;
    const auto& s = problem_.system;
    for (const auto& e : s.algebroid.x) initial[std::string(e.name())] = run[e.name()].back();
    for (const auto& e : fibre()) initial[std::string(e.name())] = run[e.name()].back();
    for (std::size_t k = 0; k < s.constraints.multipliers.size(); ++k)
      if (s.constraints.rule == mechanics::Rule::vakonomic)
        initial["nu" + std::to_string(k + 1)] = run[s.constraints.multipliers[k].name()].back();
    initial[std::string(s.z.name())] = run[s.z.name()].back();
    initial[std::string(s.t.name())] = run["t"].back();
    return initial;
  }

 private:
  [[nodiscard]] const std::vector<symbolic::Expr>& fibre() const {
    const auto& s = problem_.system;
    return s.formulation == mechanics::Formulation::hamiltonian ? s.p : s.algebroid.y;
  }

  simulate::Problem problem_;
  Simulator simulator_;
};

/// The largest difference, relative to the largest number.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return largest / size;
}

bool taylor_is_here() {
  return static_cast<bool>(Simulator(test::gallery_problem("damped-oscillator").system)
                               .dynamics_for(*integrate::find_method("taylor"))
                               .motion.adaptive);
}

class Taylor : public test::Gallery {
 protected:
  void SetUp() override {
    if (!taylor_is_here()) GTEST_SKIP() << "this machine has no fused multiply-add";
  }
};

TEST_P(Taylor, ConvergesWithItsTolerance) {
  const Model model(continuous_problem());
  constexpr double t_end = 3;
  const auto expected = model.end(model.run(settings("reference", t_end, 1e-13)));
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
    const auto found = model.end(model.run(settings("taylor", t_end, tolerance)));
    // As much again may be the error of what it is compared with.
    EXPECT_LT(difference(found, expected), 10 * tolerance + 1e-12) << "tolerance " << tolerance;
  }
}

TEST_P(Taylor, KeepsBalanceLawsAndConstraintsToRoundOff) {
  const Model model(continuous_problem());
  const auto run = model.run(settings("taylor", 3, 1e-13));
  EXPECT_TRUE(run.facts.complete);
  EXPECT_LT(run.facts.largest_energy_residual, 5e-13);
  for (const auto& [name, residual] : run.facts.largest_momentum_residuals) EXPECT_LT(residual, 5e-13) << name;
  EXPECT_LT(run.facts.largest_constraint_residual, 1e-13);
}

TEST_P(Taylor, TakesFewerStepsThanTheReferenceMethodAtFullAccuracy) {
  const Model model(continuous_problem());
  const auto steps = [&](const std::string& method) { return model.run(settings(method, 3, 1e-13)).facts.steps; };
  EXPECT_LT(steps("taylor"), steps("reference"));
}

TEST_P(Taylor, ReturnsToTheStartWhenFollowedBackwards) {
  const Model model(continuous_problem());
  const auto there = model.run(settings("taylor", 2, 1e-12));
  const auto start = model.state(there, 0);
  const double t0 = there["t"].front();
  const auto back = model.run(settings("taylor", t0, 1e-12), model.initial_from(there));
  EXPECT_EQ(back["t"].back(), t0);
  EXPECT_LT(difference(model.end(back), start), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Models, Taylor,
                         testing::Values(test::ModelName{"damped-pendulum"}, test::ModelName{"heavy-top"},
                                         test::ModelName{"chaplygin-sleigh"}, test::ModelName{"snakeboard"},
                                         test::ModelName{"skate-vakonomic"}, test::ModelName{"spherical-pendulum"},
                                         test::ModelName{"van-der-pol"}, test::ModelName{"pursuit"},
                                         test::ModelName{"double-pendulum"}, test::ModelName{"kepler-drag"}),
                         test::test_name);

/// q'' = -q + gamma q', with q(0) = 1, v(0) = 0: [ASMLL20, Ex. 2].
simulate::Problem damped_oscillator() {
  auto given = test::gallery_problem("damped-oscillator");
  given.initial["v"] = 0;
  return given;
}
constexpr double gamma_of_oscillator = -0.05;

double position(double t) {
  const double w = std::sqrt(1 - gamma_of_oscillator * gamma_of_oscillator / 4);
  return std::exp(gamma_of_oscillator * t / 2) * (std::cos(w * t) - gamma_of_oscillator / (2 * w) * std::sin(w * t));
}

class LoopMethods : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!taylor_is_here()) GTEST_SKIP() << "this machine has no fused multiply-add";
  }
};

TEST_P(LoopMethods, LocateEventsInsideTheirSteps) {
  auto given = damped_oscillator();
  given.system.events.push_back({"zero", given.system.algebroid.x[0]});
  const auto run = Model(given).run(settings(GetParam(), 40, 1e-13));
  ASSERT_EQ(run.events.size(), 1u);
  const auto& times = run.events[0].columns[0].values;
  ASSERT_EQ(run.events[0].columns[0].name, "t");
  ASSERT_EQ(times.size(), 13u);
  const double w = std::sqrt(1 - gamma_of_oscillator * gamma_of_oscillator / 4);
  for (std::size_t k = 0; k < times.size(); ++k) {
    // tan(w t) = 2 w/gamma, from cos(w t) = gamma/(2 w) sin(w t).
    const double t = (std::atan(2 * w / gamma_of_oscillator) + static_cast<double>(k + 1) * std::numbers::pi) / w;
    EXPECT_NEAR(times[k], t, 1e-10) << k;
  }
}

TEST_P(LoopMethods, StopAtAnEventThatEndsTheRun) {
  auto given = damped_oscillator();
  given.system.events.push_back({"turn", given.system.algebroid.y[0], mechanics::Direction::falling, true});
  auto how = settings(GetParam(), 40, 1e-13);
  how.output_step = 0.7;
  const auto run = Model(given).run(how);
  const double w = std::sqrt(1 - gamma_of_oscillator * gamma_of_oscillator / 4);
  EXPECT_NEAR(run["t"].back(), 2 * std::numbers::pi / w, 1e-10);
  EXPECT_LT(std::abs(run["v"].back()), 1e-12);
}

TEST_P(LoopMethods, HitOutputTimesInsideTheirSteps) {
  const Model model(damped_oscillator());
  auto how = settings(GetParam(), 3, 1e-13);
  how.output_step.reset();
  how.output_times = {0.001, 0.002, 0.1, 1.0 / 3, 0.35, 2.9999999};
  const auto run = model.run(how);
  EXPECT_THAT(run["t"], testing::ElementsAre(0, 0.001, 0.002, 0.1, 1.0 / 3, 0.35, 2.9999999, 3));
  for (std::size_t row = 0; row < run.rows(); ++row) EXPECT_NEAR(run["q"][row], position(run["t"][row]), 1e-13) << row;
}

TEST_P(LoopMethods, FollowTheClosedFormIntoThePast) {
  auto how = settings(GetParam(), -20, 1e-13);
  how.output_step = 2.5;
  const auto run = Model(damped_oscillator()).run(how);
  EXPECT_EQ(run["t"].back(), -20);
  ASSERT_EQ(run.rows(), 9u);
  for (std::size_t row = 0; row < run.rows(); ++row)
    EXPECT_NEAR(run["q"][row], position(run["t"][row]), 1e-12 * (1 + std::abs(run["q"][row]))) << row;
}

TEST_P(LoopMethods, ReportHowFarTheyCameWhereTheMotionEnds) {
  // L = v^2/2 - log q from rest at 1: a fall into q = 0, where the potential ends, that takes sqrt(pi/2) = 1.2533.
  auto given = damped_oscillator();
  const auto q = given.system.algebroid.x[0];
  const auto v = given.system.algebroid.y[0];
  given.system.generator = v * v / 2 - log(q);
  given.system.symmetries.clear();
  given.system.observables.clear();
  try {
    (void)Model(given).run(settings(GetParam(), 40, 1e-10));
    FAIL() << "the motion ends before t = 40";
  } catch (const simulate::RunFailed& failed) {
    EXPECT_FALSE(failed.partial.facts.complete);
    EXPECT_GT(failed.partial.facts.steps, 5u);
    EXPECT_THAT(failed.what(), testing::HasSubstr(" at t = 1.253"));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, LoopMethods, testing::Values("taylor", "reference"),
                         [](const auto& given) { return std::string(given.param); });

std::string refusal_by_taylor(const simulate::Problem& problem, const compile::Options& options = {}) {
  try {
    (void)Model(problem, options).run(settings("taylor", 1, 1e-9));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(TaylorIsRefused, ForAChoiceWithASentenceThatNamesTheReferenceMethod) {
  if (!taylor_is_here()) GTEST_SKIP() << "this machine has no fused multiply-add";
  auto given = damped_oscillator();
  const auto v = given.system.algebroid.y[0];
  given.system.forces[0] = -select(v, given.system.algebroid.x[0], v, v / 10);
  const std::string text = refusal_by_taylor(given);
  EXPECT_THAT(text, testing::HasSubstr("taylor"));
  EXPECT_THAT(text, testing::HasSubstr("a choice between two expressions"));
  EXPECT_THAT(text, testing::HasSubstr("choose reference"));
}

TEST(TaylorIsRefused, WhereThereIsNoMachineCode) {
  EXPECT_THAT(refusal_by_taylor(damped_oscillator(), {.backend = compile::Backend::interpreter}),
              testing::HasSubstr("choose reference"));
}

TEST(TaylorIsRefused, WhereAccelerationsNeedExchangesOfRows) {
  if (!taylor_is_here()) GTEST_SKIP() << "this machine has no fused multiply-add";
  auto given = test::gallery_problem("double-pendulum");
  const auto& y = given.system.algebroid.y;
  const auto& x = given.system.algebroid.x;
  given.system.generator = y[0] * y[1] - x[0] * x[1] - given.system.z / 10;
  given.system.symmetries.clear();
  given.system.observables.clear();
  given.system.events.clear();
  EXPECT_THAT(refusal_by_taylor(given), testing::HasSubstr("exchanges of rows"));
}

class ReferenceLoop : public test::Gallery {};

TEST_P(ReferenceLoop, AgreesWithItsStepsOneByOne) {
  const Model in_loop(continuous_problem());
  const Model one_by_one(continuous_problem(), {.backend = compile::Backend::interpreter});
  const auto how = settings("reference", 2, 1e-12);
  const auto loop = in_loop.run(how);
  const auto steps = one_by_one.run(how);
  EXPECT_LT(difference(in_loop.end(loop), one_by_one.end(steps)), 1e-11);
  EXPECT_LE(std::max(loop.facts.steps, steps.facts.steps) - std::min(loop.facts.steps, steps.facts.steps),
            1 + steps.facts.steps / 20);
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceLoop,
                         testing::Values(test::ModelName{"damped-pendulum"}, test::ModelName{"heavy-top"},
                                         test::ModelName{"chaplygin-sleigh"}, test::ModelName{"nonlinear-action"},
                                         test::ModelName{"skate-vakonomic"}),
                         test::test_name);

TEST(CompiledMotions, KnowLawsThatNoOneFollows) {
  const auto given = test::gallery_problem("van-der-pol");
  const Simulator simulator(given.system);
  for (const char* method : {"reference", "runge-kutta-8"}) {
    const auto& whole = simulator.dynamics_for(*integrate::find_method(method));
    auto fewer = whole;
    fewer.laws = 0;
    fewer.balance = {};
    const std::vector<double> parameters{given.system.parameters.front().value};
    ASSERT_EQ(given.system.parameters.size(), 1U);
    integrate::Settings how;
    how.method = method;
    how.t_end = 2;
    how.step = 0.02;
    how.tolerance = 1e-12;
    const std::vector<double> start{1.5, -0.3, 0.1};
    const auto sink = [](const integrate::Sample&) { return true; };
    const auto all = integrate::integrate(whole, parameters, 0, start, how, sink);
    const auto some = integrate::integrate(fewer, parameters, 0, start, how, sink);
    ASSERT_EQ(some.status, integrate::Status::success) << some.reason.text();
    EXPECT_LT(difference(some.state, all.state), 1e-11) << method;
  }
}

TEST(ReferenceLoop, HandsOverToStepsWithExchangesOfRowsWherePivotsVanish) {
  // W = [[cos x, 1], [1, cos x]] / .. passes a zero of its first pivot, and is regular there.
  auto given = test::gallery_problem("double-pendulum");
  auto& s = given.system;
  const auto& y = s.algebroid.y;
  const auto& x = s.algebroid.x;
  s.generator = cos(x[0]) * y[0] * y[0] / 2 + 2.0 * y[0] * y[1] + cos(x[0]) * y[1] * y[1] / 2 - s.z / 10;
  s.symmetries.clear();
  s.observables.clear();
  s.events.clear();
  given.initial.clear();
  given.initial[std::string(x[0].name())] = std::numbers::pi / 2;
  given.initial[std::string(y[0].name())] = 0.5;
  given.initial[std::string(y[1].name())] = 0.25;
  const Model in_loop(given);
  const Model one_by_one(given, {.backend = compile::Backend::interpreter});
  const auto how = settings("reference", 1, 1e-11);
  const auto run = in_loop.run(how);
  EXPECT_TRUE(run.facts.complete);
  EXPECT_LT(run.facts.largest_energy_residual, 1e-10);
  EXPECT_LT(difference(in_loop.end(run), one_by_one.end(one_by_one.run(how))), 1e-10);
}

/// The gallery's damped pendulum, from rest at q = 1.
std::string pendulum(const std::string& gamma) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2 + cos(q) "
         "- (" +
         gamma + ")*z\"\n[initial]\nq = 1.0\n[simulation]\nt_end = 10.0\n";
}

// The angle grows like e^(1e6 t), and Taylor polynomials of its cosine have steps as short as its turns.
TEST(TaylorModels, EndWhereTheyWouldTakeWeeks) {
  const auto problem = io::parse_model(pendulum("-1e6"));
  const Model model(problem);
  EXPECT_THAT([&] { std::ignore = model.run(settings("taylor", 10, 1e-10)); },
              ::testing::Throws<Error>(::testing::Property(
                  &Error::problem, ::testing::AllOf(::testing::HasSubstr("like these are left to t_end = 10 (the state "
                                                                         "has grown by a factor of"),
                                                    ::testing::HasSubstr("the last 1048576 steps went on by")))));
}

// So do members in lanes, for each adaptive method that has some: x'' = -k x with k = 1e30 turns 2e14 times a second.
TEST(TaylorModels, EndInLanesWhereTheyWouldTakeWeeks) {
  for (const std::string method : {"reference", "taylor", "radau-5"}) {
    const auto problem = io::parse_model(
        "[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2 - "
        "k*x^2/2\"\n[parameters]\nk = 1\n[initial]\nx = 1.0\n[simulation]\nt_end = 10\nmethod = \"" +
        method + "\"\n");
    const simulate::Simulator simulator(problem.system, {}, problem.initial);
    const simulate::Members members(simulator, {problem.initial, {}, problem.next, problem.settings, {}}, {{true, "k"}},
                                    compile::native_lanes());
    EXPECT_GE(members.lanes(), compile::native_lanes()) << method;
    std::vector<std::string> failures(5);
    const simulate::Members::Results results{
        [](std::size_t, std::size_t, std::span<const double>) {},
        [&](std::size_t k, const simulate::Members::End& end) { failures[k] = end.failure; }};
    const auto values = [](std::size_t k, std::span<double> out) {
      out[0] = k == 2 ? 1e30 : 1 + 0.1 * static_cast<double>(k);
    };
    ASSERT_TRUE(members.run(failures.size(), values, results, {}));
    for (std::size_t k = 0; k < failures.size(); ++k)
      EXPECT_EQ(failures[k].find("like these are left to t_end = 10") != std::string::npos, k == 2)
          << method << ": " << failures[k];
  }
}

// A decay at the rate 1e6 holds 1.2e6 steps short, and the run comes to its end.
TEST(TaylorModels, GoOnWithMillionsOfStepsToTheirEnd) {
  const auto problem = io::parse_model(pendulum("1e6"));
  const auto run = Model(problem).run(settings("taylor", 10, 1e-10));
  EXPECT_TRUE(run.facts.complete);
  EXPECT_GT(run.facts.steps, std::size_t{1} << 20U);
}

}  // namespace
}  // namespace herglotz
