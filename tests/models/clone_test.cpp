// A clone has the equations of its problem and its runs to the bit, and outlives it.

#include "herglotz/simulate/clone.hpp"

#include <future>
#include <optional>

#include "gallery.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::test {
namespace {

std::string equations_of(const simulate::Problem& problem) {
  const auto& system = problem.system;
  return mechanics::render(mechanics::equations_of_motion(system, mechanics::derive(system)), symbolic::Format::text);
}

/// Expects the run of a clone, which outlives its problem, to have the bits of the run of the problem.
void expect_same_run(std::optional<simulate::Problem> given) {
  const simulate::Problem copy = simulate::clone(*given);
  const auto run = simulate::simulate(*given);
  given.reset();
  const auto again = simulate::simulate(copy);
  ASSERT_GT(run.rows(), 2U);
  ASSERT_EQ(run.columns.size(), again.columns.size());
  for (std::size_t c = 0; c < run.columns.size(); ++c) {
    EXPECT_EQ(run.columns[c].name, again.columns[c].name);
    EXPECT_EQ(run.columns[c].values, again.columns[c].values) << run.columns[c].name;
  }
  ASSERT_EQ(run.events.size(), again.events.size());
  for (std::size_t e = 0; e < run.events.size(); ++e)
    EXPECT_EQ(run.events[e].columns.front().values, again.events[e].columns.front().values);
}

}  // namespace

class Clones : public Gallery {};

TEST_P(Clones, HaveTheEquationsOfTheirProblem) {
  std::optional<simulate::Problem> given = problem();
  const simulate::Problem copy = simulate::clone(*given);
  ASSERT_NE(&copy.system.graph(), &given->system.graph());
  const std::string equations = equations_of(*given);
  given.reset();
  EXPECT_EQ(equations_of(copy), equations);
}

INSTANTIATE_TEST_SUITE_P(Models, Clones, testing::ValuesIn(smooth_gallery_names()), test_name);

// Constraints of both rules, a groupoid, a discrete Lagrangian with two positions, impacts, friction, a gauge.
TEST(Clone, RunsAsItsProblemDoes) {
  for (const char* name : {"skate-vakonomic", "chaplygin-sleigh", "rigid-body", "discrete-oscillator", "bouncing-coin",
                           "stick-slip", "christ-lee"}) {
    SCOPED_TRACE(name);
    auto problem = gallery_problem(name);
    problem.settings.t_end = std::min(problem.settings.t_end, 1.0);
    expect_same_run(std::move(problem));
  }
}

// What no gallery model has: tables of inputs, initial values that follow from parameters, and steps of another time.
TEST(Clone, HasInputsInitialExpressionsAndTheTimeOfSteps) {
  const std::string begin = R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
k = 4.0
[definitions]
pull = "k*q"
)";
  const std::string end = R"([initial]
q = "1/k"
v = "2*q"
)";
  expect_same_run(io::parse_model(begin + R"x([inputs]
w = { times = [0, 2], values = [3, 1], interpolation = "linear" }
u = { times = [0, 1, 2], values = [0, 1, 4] }
[dynamics]
lagrangian = "v^2/2 - u"
forces = { v = "w - pull" }
[observables]
rate = "u'"
[events]
middle = "q - 1/2"
)x" + end + "[simulation]\nt_end = 1.5\n"));
  expect_same_run(
      io::parse_model(begin + "[dynamics]\nlagrangian = \"v^2/2 - q*pull/2 - z/k\"\n" + end + R"x([simulation]
method = "contact-gauss-4"
time_scale = "1 + q^2"
step = 0.05
t_end = 1.5
)x"));
}

// A graph belongs to one thread; clones of one problem may be derived in several.
TEST(Clone, IsDerivedInAThreadOfItsOwn) {
  const auto problem = gallery_problem("double-pendulum");
  std::vector<std::future<std::string>> texts;
  for (int k = 0; k < 4; ++k)
    texts.push_back(std::async(std::launch::async, [copy = simulate::clone(problem)] { return equations_of(copy); }));
  const std::string own = equations_of(problem);
  for (auto& text : texts) EXPECT_EQ(text.get(), own);
}

TEST(Clone, HasTheInitialExpressionsOfItsOwnSystem) {
  auto problem = gallery_problem("damped-pendulum");
  const auto l = problem.system.parameters.at(1);
  ASSERT_EQ(l.symbol.name(), "l");
  problem.expressions = simulate::StartExpressions(problem.system, {{"theta", 2.0 * l.symbol}});
  const auto copy = simulate::clone(problem);
  auto initial = copy.initial;
  auto next = copy.next;
  copy.expressions.apply(copy.system, {{"l", 0.25}}, initial, next);
  EXPECT_EQ(initial.at("theta"), 0.5);
}

}  // namespace herglotz::test
