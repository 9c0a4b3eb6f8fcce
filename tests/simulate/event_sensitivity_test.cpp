// Derivatives of runs through events that change the state, and through switches: against closed forms, differences of
// the same runs, and the reverse mode.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "herglotz/mechanics/events/jumps.hpp"
#include "simulate/damped_pendulum.hpp"
#include "simulate/run_differences.hpp"

namespace {

using namespace herglotz;
using simulate::Cotangents;
using simulate::SensitivityRequest;
using simulate::Simulator;
using testing::HasSubstr;

void add_reset(Model& model, const std::string& name, const std::string& at, mechanics::Direction direction,
               const std::vector<std::pair<std::string, std::string>>& entries) {
  mechanics::Event event{name, model.read(at), direction};
  for (const auto& [entry, value] : entries) event.resets.push_back({entry, model.read(value)});
  model.system.events.push_back(std::move(event));
}

/// Compares the derivatives of all rows with differences of the same run.
void expect_those_of_the_same_run(const Simulator& simulator, const SensitivityRequest& asked,
                                  const std::vector<std::string>& columns, double tolerance) {
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  const auto rows_of = [&](const analyse::Trajectory& of) {
    std::vector<double> numbers;
    for (const auto& column : columns) numbers.insert(numbers.end(), of[column].begin(), of[column].end());
    return numbers;
  };
  for (const auto& name : asked.wrt) {
    // Differences choose adaptive steps anew; rows of other runs must not pass from one side of a boundary of equal
    // steps to the other.
    const double share = asked.settings.tolerance ? 1e-3 : 1e-4;
    const auto expected = differences(simulator, asked, name, rows_of, share);
    ASSERT_EQ(expected.size(), columns.size() * run.rows());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& found = values_of(slopes, fmt::format("d.{}.d.{}", columns[c], name));
      ASSERT_EQ(found.size(), run.rows());
      for (std::size_t row = 0; row < run.rows(); ++row) {
        const double here = expected[c * run.rows() + row];
        EXPECT_NEAR(found[row], here, tolerance * (1 + std::abs(here)))
            << asked.settings.method << ": " << columns[c] << " by " << name << " in row " << row;
      }
    }
  }
}

/// The dot-product test <J^T c, v> = <c, J v> for numbers c at all rows, and the law of the pairing.
void expect_the_transpose(const Simulator& simulator, const SensitivityRequest& asked,
                          const std::vector<std::string>& columns) {
  auto run = run_of(simulator, asked);
  Cotangents cotangents{columns, {}};
  for (std::size_t k = 0; k < columns.size() * run.rows(); ++k)
    cotangents.values.push_back(std::sin(1.0 + 3.0 * static_cast<double>(k)));
  simulate::Differentiator differentiator(simulator);
  cotangents.by_end = 0.7;
  const auto gradient = differentiator.gradient(asked, cotangents, run);
  EXPECT_TRUE(gradient.reverse) << asked.settings.method;
  EXPECT_LT(gradient.residual, 1e-12) << asked.settings.method;
  const auto derivatives = differentiator.differentiate(asked, run);
  double size = 0;
  for (const auto& derivative : derivatives)
    for (const double value : derivative.values) size = std::max(size, std::abs(value));
  for (std::size_t k = 0; k < asked.wrt.size(); ++k) {
    double expected = contracted(derivatives, cotangents, asked.wrt[k]);
    for (const auto& derivative : derivatives)
      if (derivative.name == "d.t.d." + asked.wrt[k]) expected += cotangents.by_end * derivative.values.back();
    EXPECT_NEAR(gradient.by[k], expected, 1e-11 * (1 + size)) << asked.settings.method << ": " << asked.wrt[k];
  }
}

Model ball() {
  Model model({"q"}, {"v"}, {{"g", 9.81}, {"e", 0.8}}, "v^2/2 - g*q");
  mechanics::add_impact(model.system, "floor", model.read("q"), {model.read("e"), model.read("0")});
  return model;
}

/// Height, velocity and energy of a ball that is dropped, and the time of the last of its impacts, from the closed
/// form.
template <class C>
struct Ball {
  C q, v, energy, impact;

  Ball(C g, C e, C h, double t, int impacts) {
    const C fall = std::sqrt(2.0L * h / g);
    impact = impacts > 0 ? fall : C(0);
    C speed = std::sqrt(2.0L * g * h);
    for (int k = 1; k <= impacts; ++k) {
      speed *= e;
      if (k < impacts) impact += 2.0L * speed / g;
    }
    const C since = C(t) - impact;
    q = impacts > 0 ? speed * since - g * since * since / 2.0L : h - g * since * since / 2.0L;
    v = impacts > 0 ? speed - g * since : -g * since;
    energy = v * v / 2.0L + g * q;
  }
};

}  // namespace

class BouncingBall : public testing::TestWithParam<std::string> {};

// Derivatives behind each of three impacts by gravity, restitution and height, from complex steps of the closed form.
TEST_P(BouncingBall, HasTheDerivativesOfTheClosedForm) {
  const Simulator simulator(ball().system);
  const std::vector<std::string> names{"g", "e", "q"};
  const auto asked = request(8, GetParam(), names, {{"q", 1.0}, {"v", 0.0}}, 2, 0.05);
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  ASSERT_EQ(run.events.front().columns.front().values.size(), 3U);
  int impacts = 0;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const bool behind = row > 0 && run["t"][row] == run["t"][row - 1];
    const bool ahead = row + 1 < run.rows() && run["t"][row] == run["t"][row + 1];
    if (behind) ++impacts;
    for (std::size_t k = 0; k < names.size(); ++k) {
      using C = std::complex<long double>;
      const auto step = [&](std::size_t j, long double value) { return C(value, j == k ? 1e-25L : 0.0L); };
      const Ball<C> at(step(0, 9.81L), step(1, 0.8L), step(2, 1), run["t"][row], impacts);
      const Ball<C> next(step(0, 9.81L), step(1, 0.8L), step(2, 1), run["t"][row], impacts + 1);
      const auto slope = [](C value) { return static_cast<double>(value.imag() / 1e-25L); };
      const auto found = [&](const char* column) {
        return values_of(slopes, fmt::format("d.{}.d.{}", column, names[k]))[row];
      };
      // In the rows at an impact its time moves, and the state with it.
      const double by_time = behind ? slope(at.impact) : ahead ? slope(next.impact) : 0;
      const double v = static_cast<double>(at.v.real());
      EXPECT_NEAR(found("t"), by_time, 1e-11) << row;
      EXPECT_NEAR(found("q"), slope(at.q) + v * by_time, 1e-10) << row << " by " << names[k];
      EXPECT_NEAR(found("v"), slope(at.v) - 9.81 * by_time, 1e-10) << row << " by " << names[k];
      EXPECT_NEAR(found("energy"), slope(at.energy), 1e-9) << row << " by " << names[k];
    }
  }
  EXPECT_EQ(impacts, 3);
  const auto& of_impacts = values_of(run.events.front().columns, "d.t.d.e");
  const Ball<std::complex<long double>> third(9.81L, {0.8L, 1e-25L}, 1, 2, 3);
  EXPECT_NEAR(of_impacts.back(), static_cast<double>(third.impact.imag() / 1e-25L), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Methods, BouncingBall,
                         testing::Values("runge-kutta-4", "runge-kutta-8", "reference", "taylor", "radau-5",
                                         "contact-gauss-4", "contact-lobatto-4"));

// Rows cut the steps short, so that the state hardly changes over one of them.
TEST(TaylorSteps, HaveTheDerivativesOfAnEventAlsoIfTheyAreShort) {
  auto system = damped_pendulum(1.7);
  system.events.push_back({"passage", system.algebroid.x[0] - 0.3});
  const Simulator simulator(std::move(system));
  const auto derivatives = [&](const char* method, std::size_t rows) {
    const auto asked = request(rows, method, damped_pendulum_names, {{"q", 1.1}, {"v", 0.2}}, 1.5, 0.002);
    auto run = run_of(simulator, asked);
    simulate::differentiate(simulator, asked, run);
    return run.events.front().columns;
  };
  const auto expected = derivatives("runge-kutta-8", 1);
  const auto found = derivatives("taylor", 15'000);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (!found[c].name.starts_with("d.")) continue;
    ASSERT_EQ(found[c].values.size(), 1U);
    EXPECT_NEAR(found[c].values.front(), expected[c].values.front(), 1e-12) << found[c].name;
  }
}

class SensitivityThroughEvents : public testing::Test {
 protected:
  static void expect_exact(const Model& model, const std::vector<std::string>& wrt,
                           const simulate::InitialState& initial, double t_end, const std::vector<std::string>& columns,
                           std::size_t passages) {
    const Simulator simulator(model.system);
    for (const char* method : {"runge-kutta-4", "contact-gauss-4", "contact-lobatto-2", "reference"}) {
      const auto asked = request(8, method, wrt, initial, t_end, 0.11);
      const auto run = run_of(simulator, asked);
      ASSERT_GE(run.events.front().columns.front().values.size(), passages);
      // Times of passages have a round-off of some 1e-13, which differences divide by their share of 1e-4.
      const double tolerance = std::string(method) == "reference" ? 2e-8 : 2e-9;
      expect_those_of_the_same_run(simulator, asked, columns, tolerance);
    }
    auto cotangent = columns;
    std::erase(cotangent, "t");
    for (const char* method : {"runge-kutta-4", "runge-kutta-8", "reference", "contact-gauss-4", "contact-lobatto-2"})
      expect_the_transpose(simulator, request(8, method, wrt, initial, t_end, 0.11), cotangent);
  }
};

// A reset that uses time, energy and the action, of a motion that depends on time: the boundaries of later steps move.
TEST_F(SensitivityThroughEvents, OfResetsIsThatOfTheSameRun) {
  Model model({"q"}, {"v"}, {{"gamma", 0.2}, {"k", 1.7}}, "v^2/2 - k*(1 - cos(q)) - gamma*z + q*cos(2*t)/3");
  add_reset(model, "kick", "q - sin(t)/10", mechanics::Direction::falling,
            {{"v", "-k*v/2*(1 + q/5) - t/10"}, {"z", "z/2 + gamma*energy"}});
  expect_exact(model, {"gamma", "k", "q"}, {{"q", 1.2}, {"v", 0.3}}, 6, {"t", "v", "z", "energy"}, 2);
}

// A moving floor, a mass matrix that depends on the place, and Coulomb friction that stops the slip or does not.
TEST_F(SensitivityThroughEvents, OfImpactsWithFrictionIsThatOfTheSameRun) {
  for (const double friction : {0.1, 3.0}) {
    Model model({"x", "y"}, {"vx", "vy"}, {{"gamma", 0.1}, {"e", 0.7}, {"mu", friction}},
                "(1 + x^2/4)*vx^2/2 + sin(y)*vx*vy/4 + 0.6*vy^2 - 5*y - gamma*z");
    mechanics::add_impact(model.system, "floor", model.read("y - sin(x)/8 + sin(t)/20"),
                          {model.read("e"), model.read("mu"), {model.read("vx - 0.3*vy + x/20")}});
    expect_exact(model, {"e", "mu", "vx"}, {{"x", 0.2}, {"vx", 1.3}, {"y", 1.0}, {"vy", 0.1}}, 1.6, {"t", "x", "vy"},
                 1);
  }
}

// Two slips that the mass matrix couples with the gap: friction acts against the slip behind the impact.
TEST_F(SensitivityThroughEvents, OfImpactsWithFrictionInSpaceIsThatOfTheSameRun) {
  for (const double friction : {0.2, 3.0}) {
    Model model({"x", "y", "h"}, {"u", "w", "v"}, {{"e", 0.7}, {"mu", friction}},
                "(1 + x^2/4)*u^2/2 + 0.4*w^2 + 0.6*v^2 + u*v/4 - w*v/5 + u*w/6 - 5*h - z/10");
    mechanics::add_impact(model.system, "floor", model.read("h - sin(x)/8"),
                          {model.read("e"), model.read("mu"), {model.read("u + x/20"), model.read("w - 0.3*v")}});
    expect_exact(model, {"e", "mu", "u", "w"}, {{"x", 0.2}, {"u", 1.3}, {"w", -0.8}, {"h", 1.0}, {"v", 0.1}}, 1.6,
                 {"t", "x", "w", "v"}, 1);
  }
}

// Rates that jump where a comparison changes, without sliding; the time of a switch moves, and so do later steps.
TEST_F(SensitivityThroughEvents, OfSwitchesIsThatOfTheSameRun) {
  Model model({"q"}, {"v"}, {{"gamma", 0.2}, {"k", 1.7}, {"F", 0.8}}, "v^2/2 - if(q > 0, k, 2*k)*q^2/2 - gamma*z");
  model.system.forces[0] = model.read("-F*sign(q) + cos(t)/3");
  model.system.events.push_back({"turning", model.read("v")});
  expect_exact(model, {"gamma", "F", "q"}, {{"q", 1.2}, {"v", 0.3}}, 5.8, {"v", "z"}, 2);
  // Times of crossings behind switches.
  const Simulator simulator(model.system);
  const auto asked = request(8, "runge-kutta-4", {"F"}, {{"q", 1.2}, {"v", 0.3}}, 6, 0.11);
  auto run = run_of(simulator, asked);
  simulate::differentiate(simulator, asked, run);
  const auto last = [](const analyse::Trajectory& of) { return of.events.front().columns.front().values.back(); };
  EXPECT_NEAR(values_of(run.events.front().columns, "d.t.d.F").back(), difference(simulator, asked, "F", last, 1e-3),
              1e-9);
}

// Impacts and resets between which the motion passes switches: each part between jumps has pieces of its own.
TEST_F(SensitivityThroughEvents, OfImpactsBetweenSwitchesIsThatOfTheSameRun) {
  Model model({"q"}, {"v"}, {{"g", 9.81}, {"e", 0.8}, {"F", 1.7}}, "v^2/2 - g*q");
  model.system.forces[0] = model.read("-F*sign(v) + sin(t)");
  mechanics::add_impact(model.system, "floor", model.read("q"), {model.read("e"), model.read("0")});
  add_reset(model, "kick", "q - 0.7", mechanics::Direction::rising, {{"v", "v + e*q/3"}});
  expect_exact(model, {"g", "e", "F", "q"}, {{"q", 1.0}, {"v", 0.2}}, 2, {"t", "q", "v"}, 2);
}

// floor divides the motion by time; a piece may also begin where the run does.
TEST(SensitivityThroughSwitches, OfWholeNumbersOfTimeIsThatOfTheSameRun) {
  Model model({"q"}, {"v"}, {{"a", 0.73}}, "v^2/2 - q^2/2");
  model.system.forces[0] = model.read("sin(floor(t/a)) - v*abs(v)/10");
  const Simulator simulator(model.system);
  expect_those_of_the_same_run(simulator, request(8, "runge-kutta-4", {"a", "v"}, {{"q", 1.0}, {"v", 0.1}}, 5, 0.097),
                               {"q", "v"}, 1e-9);
}

// A row at a fixed time at which a switch lies: its state is that of this time, although the switch moves away from it.
// Velocities are polynomials of degree 2 and places of degree 3, which these methods follow exactly.
TEST(SensitivityThroughSwitches, OfARowAtTheSwitchIsThatOfItsFixedTime) {
  Model model({"q"}, {"v"}, {{"a", 0.9}, {"T", 1.25}}, "v^2/2 + if(t < T, a*q*(T - t), -2*q*(t - T)) + q");
  const Simulator simulator(model.system);
  for (const char* method :
       {"runge-kutta-4", "runge-kutta-8", "contact-gauss-4", "contact-lobatto-4", "reference", "radau-5"})
    for (const double t_end : {2.0, 1.25}) {
      auto asked = request(8, method, {"T", "a"}, {{"q", 0.3}, {"v", -0.4}}, t_end, 0.11);
      asked.settings.output_step.reset();
      asked.settings.output_times = {0.5, 1.25};
      if (t_end > 1.25) asked.settings.output_times.push_back(1.6);
      auto run = run_of(simulator, asked);
      const auto slopes = simulate::differentiate(simulator, asked, run);
      ASSERT_EQ(run["t"][2], 1.25);
      for (std::size_t row = 0; row < run.rows(); ++row) {
        const double before = std::min(run["t"][row], 1.25);
        const double behind = run["t"][row] - before;
        const double q = 0.9 * before * before / 2 + 0.9 * 1.25 * behind + behind * behind;
        EXPECT_NEAR(values_of(slopes, "d.v.d.T")[row], 0.9 * before + 2 * behind, 1e-10) << method << " " << row;
        EXPECT_NEAR(values_of(slopes, "d.q.d.T")[row], q, 1e-10) << method << " " << row;
      }
      expect_the_transpose(simulator, asked, {"q", "v", "z"});
    }
  // The crossing of another event at that time has a time of its own.
  model.system.events.push_back({"alarm", model.read("t - 1.25")});
  const Simulator watched(model.system);
  const auto asked = request(8, "reference", {"T"}, {{"q", 0.3}, {"v", -0.4}}, 2, 0);
  auto run = run_of(watched, asked);
  simulate::differentiate(watched, asked, run);
  EXPECT_EQ(values_of(run.events.front().columns, "d.t.d.T"), std::vector<double>{0});
}

// Rates that jump in such a row: it has the derivative before it, and the run says so.
TEST(SensitivityThroughSwitches, NotesARowWhoseRatesJump) {
  Model model({"q"}, {"v"}, {{"T", 1.25}, {"F", 0.8}}, "v^2/2");
  model.system.forces[0] = model.read("if(t < T, F, -F)");
  const Simulator simulator(model.system);
  auto asked = request(8, "reference", {"T", "F"}, {{"q", 0.3}, {"v", -0.4}}, 2, 0);
  asked.settings.output_step = 0.25;
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  EXPECT_NEAR(values_of(slopes, "d.v.d.T")[5], 0, 1e-12);
  EXPECT_NEAR(values_of(slopes, "d.v.d.T")[6], 1.6, 1e-12);
  EXPECT_NEAR(values_of(slopes, "d.v.d.F")[5], 1.25, 1e-12);
  EXPECT_THAT(run.facts.notes, testing::Contains(HasSubstr("passes a switch in the row at t = 1.25")));
}

// The reverse mode says so too, if the function depends on that row and the time of the switch on a name.
TEST(SensitivityThroughSwitches, NotesARowWhoseRatesJumpInReverseMode) {
  Model model({"q"}, {"v"}, {{"T", 1.25}, {"F", 0.8}}, "v^2/2");
  model.system.forces[0] = model.read("if(t < T, F, -F)");
  const Simulator simulator(model.system);
  const auto notes_of = [&](const char* method, const std::vector<std::string>& wrt, std::size_t row) {
    auto asked = request(8, method, wrt, {{"q", 0.3}, {"v", -0.4}}, 2, 0.1);
    asked.settings.output_step = 0.25;
    auto run = run_of(simulator, asked);
    Cotangents cotangents{{"v"}, std::vector<double>(run.rows(), 0.0)};
    cotangents.values[row] = 1;
    EXPECT_TRUE(simulate::Differentiator(simulator).gradient(asked, cotangents, run).reverse);
    return run.facts.notes;
  };
  const auto note = testing::Contains(HasSubstr("passes a switch in the row at t = 1.25"));
  for (const char* method : {"reference", "runge-kutta-4", "radau-5"}) {
    EXPECT_THAT(notes_of(method, {"T", "F"}, 5), note) << method;
    EXPECT_THAT(notes_of(method, {"T", "F"}, 6), testing::Not(note)) << method;
    EXPECT_THAT(notes_of(method, {"F"}, 5), testing::Not(note)) << method;
  }
}

// The motion has no continuation without the jump or the end: the repetition of a part with switches ends with it.
TEST(SensitivityThroughJumps, DoesNotFollowAPartBeyondItsEnd) {
  Model model({"q"}, {"v"}, {{"g", 9.81}, {"e", 0.8}, {"F", 0.6}}, "v^2/2 - g*q + sqrt(q + 2)");
  model.system.forces[0] = model.read("-F*sign(v)");
  Model bounces = model;
  mechanics::add_impact(bounces.system, "floor", bounces.read("q"), {bounces.read("e"), bounces.read("0")});
  Model ends = model;
  ends.system.events.push_back({"floor", ends.read("q"), mechanics::Direction::falling, true});
  for (const Model* one : {&bounces, &ends}) {
    const Simulator simulator(one->system);
    for (const char* method : {"runge-kutta-4", "contact-gauss-4", "reference", "radau-5"}) {
      auto asked = request(8, method, {"g", "F", "q"}, {{"q", 1.0}, {"v", 1.0}}, 1.5, 0.05);
      auto run = run_of(simulator, asked);
      const auto slopes = simulate::differentiate(simulator, asked, run);
      for (const auto& name : asked.wrt) {
        const auto last = [&](const analyse::Trajectory& of) { return of["v"].back(); };
        EXPECT_NEAR(values_of(slopes, "d.v.d." + name).back(), difference(simulator, asked, name, last, 1e-3), 1e-6)
            << method << " by " << name;
      }
      expect_the_transpose(simulator, asked, {"q", "v"});
    }
  }
}

// A row of a run that an event ends after jumps, and the reset of the event itself.
TEST(SensitivityThroughJumps, FollowsTheTimeOfTheEnd) {
  Model model = ball();
  add_reset(model, "top", "v", mechanics::Direction::falling, {{"v", "e*q"}});
  model.system.events.back().stop = true;
  const Simulator simulator(model.system);
  for (const char* method : {"runge-kutta-8", "contact-gauss-2", "reference"}) {
    auto asked = request(8, method, {"g", "e", "q"}, {{"q", 1.0}, {"v", -1.0}}, 2, 0.05);
    auto run = run_of(simulator, asked);
    ASSERT_LT(run["t"].back(), 1.5);
    const auto slopes = simulate::differentiate(simulator, asked, run);
    for (const auto& name : asked.wrt)
      for (const char* column : {"t", "q", "v"}) {
        const auto last = [&](const analyse::Trajectory& of) { return of[column].back(); };
        EXPECT_NEAR(values_of(slopes, fmt::format("d.{}.d.{}", column, name)).back(),
                    difference(simulator, asked, name, last, 1e-3), 1e-9)
            << method << ": " << column << " by " << name;
      }
  }
}

namespace {

std::string refusal_of_model(const Model& model, const std::string& method, double t_end,
                             const simulate::InitialState& initial) {
  return refusal_of(Simulator(model.system), request(8, method, {"q"}, initial, t_end, 0.05));
}

}  // namespace

TEST(SensitivityThroughJumps, NamesWhatHasNoDerivative) {
  const simulate::InitialState start{{"q", 1.0}, {"v", 0.0}};
  EXPECT_THAT(refusal_of_model(ball(), "reference", 6, start), HasSubstr("rest contact"));
  EXPECT_THAT(refusal_of_model(ball(), "contact-splitting-2", 1, start),
              HasSubstr("contact-splitting-2 with resets or impacts"));
  Model twice = ball();
  add_reset(twice, "again", "q", mechanics::Direction::falling, {{"z", "0"}});
  EXPECT_THAT(refusal_of_model(twice, "reference", 1, start), HasSubstr("at one time"));
  Model halted = ball();
  halted.system.events.insert(halted.system.events.begin(),
                              {"halt", halted.read("q + q"), mechanics::Direction::falling, true});
  EXPECT_THAT(refusal_of_model(halted, "reference", 1, start), HasSubstr("where another event changes the state"));
  add_reset(halted, "again", "q", mechanics::Direction::falling, {{"z", "0"}});
  EXPECT_THAT(refusal_of_model(halted, "reference", 1, start), HasSubstr("'again' and another event change the state"));
}

// A start on a switch where rates jump has the derivative of the side to which it goes, and another one on the other
// side: neither is given. Where rates do not jump, and along directions that stay there, the derivative is that.
TEST(SensitivityThroughSwitches, BeginsBesideSwitchesWhereRatesJump) {
  Model kink({"q"}, {"v"}, {{"F", 0.8}}, "v^2/2 - F*abs(q)");
  const simulate::InitialState start{{"q", 0.0}, {"v", 1.0}};
  const std::string expected = "the run has no derivative by q: at t = 0 it starts where 'q' is 0, and its rates jump";
  for (const char* method : {"reference", "runge-kutta-4", "contact-gauss-4"})
    EXPECT_THAT(refusal_of_model(kink, method, 1, start), HasSubstr(expected));
  const Simulator simulator(kink.system);
  auto along = request(8, "reference", {"F", "v"}, start, 1, 0);
  auto run = run_of(simulator, along);
  EXPECT_NEAR(values_of(simulate::differentiate(simulator, along, run), "d.q.d.F").back(), -0.5, 1e-12);
  Cotangents last{{"q"}, std::vector<double>(run.rows(), 0.0)};
  last.values.back() = 1;
  simulate::Differentiator differentiator(simulator);
  EXPECT_NEAR(differentiator.gradient(along, last, run).by[0], -0.5, 1e-12);
  along.wrt = {"F", "q"};
  EXPECT_THROW(differentiator.gradient(along, last, run), simulate::RunFailed);
  // From rest the motion goes to one side; with a velocity to the other side it would come back through the switch.
  Model pushed({"q"}, {"v"}, {{"F", 0.8}}, "v^2/2 - F*abs(q) + 2*F*q");
  EXPECT_THAT(refusal_of_model(pushed, "reference", 1, {{"q", 0.0}, {"v", 0.0}}), HasSubstr("no derivative by q"));
  const Simulator from_rest(pushed.system);
  auto by_velocity = request(8, "reference", {"v"}, {{"q", 0.0}, {"v", 0.0}}, 1, 0);
  auto still = run_of(from_rest, by_velocity);
  EXPECT_THAT(refusal_of(from_rest, by_velocity), HasSubstr("no derivative by v: at t = 0 it starts where 'q' is 0"));
  by_velocity.wrt = {"F"};
  EXPECT_NEAR(values_of(simulate::differentiate(from_rest, by_velocity, still), "d.q.d.F").back(), 0.5, 1e-12);
  by_velocity.wrt = {"v"};
  for (const double unit : {1e-9, 1e-4, 1e7}) {
    Model scaled({"q"}, {"v"}, {{"F", 0.8}, {"s", unit}}, "v^2/2 - F*abs(s*q)/s + 2*F*q");
    EXPECT_THAT(refusal_of(Simulator(scaled.system), by_velocity), HasSubstr("no derivative by v")) << unit;
  }
  Model smooth({"q"}, {"v"}, {{"k", 1.7}}, "v^2/2 - if(q > 0, k, 2*k)*q^2/2");
  auto asked = request(8, "reference", {"q", "k"}, {{"q", 0.0}, {"v", 1.0}}, 1, 0);
  const Simulator bilinear(smooth.system);
  auto of = run_of(bilinear, asked);
  EXPECT_NEAR(values_of(simulate::differentiate(bilinear, asked, of), "d.q.d.q").back(), std::cos(std::sqrt(1.7)),
              1e-10);
}

// What a refusal tells to do is not refused in turn.
TEST(SensitivityWithConstraints, NamesAWayThatWorks) {
  Model model({"x", "y"}, {"vx", "vy"}, {{"k", 1.3}}, "vx^2/2 + vy^2/2 - k*y");
  mechanics::constrain(model.system, mechanics::Rule::nonholonomic, {model.read("x^2 + y^2 - 1")});
  model.system.events.push_back({"low", model.read("y + 0.5"), mechanics::Direction::falling, true});
  const Simulator simulator(model.system);
  auto asked = request(8, "radau-5", {"k"}, {{"x", 0.8}, {"y", 0.6}, {"vx", 0.0}, {"vy", 0.0}}, 4, 0);
  EXPECT_THAT(refusal_of(simulator, asked),
              HasSubstr("a run of radau-5 with constraints that an event ends ('low') is not differentiated; choose "
                        "reference, or end the run before t = 1."));
  asked.settings.t_end = 0.8;
  asked.settings.output_step = 0.1;
  EXPECT_THAT(
      refusal_of(simulator, asked),
      HasSubstr("method radau-5 is not differentiated with constraints; choose reference, or a method with steps "
                "of one size, such as contact-gauss-4"));
  Model free({"x", "y"}, {"vx", "vy"}, {{"k", 1.3}}, "vx^2/2 + vy^2/2 - k*y");
  mechanics::constrain(free.system, mechanics::Rule::vakonomic, {free.read("vx - y*vy")});
  auto vakonomic = request(8, "reference", {"k"}, {{"y", 0.5}, {"vx", 0.5}, {"vy", 1.0}}, 1, 0);
  EXPECT_THAT(refusal_of(Simulator(free.system), vakonomic),
              HasSubstr("method reference is not differentiated with constraints; choose a method with steps"));
  asked.settings.method = "contact-gauss-4";
  asked.settings.tolerance.reset();
  asked.settings.step = 0.05;
  EXPECT_EQ(refusal_of(simulator, asked), "nothing was thrown");
  Model hits = model;
  mechanics::add_impact(hits.system, "wall", hits.read("x"), {hits.read("k/2"), hits.read("0")});
  EXPECT_THAT(
      refusal_of(Simulator(hits.system), asked),
      HasSubstr("a run with resets or impacts is not differentiated with constraints; leave out one of the two"));
}
