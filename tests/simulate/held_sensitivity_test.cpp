// Derivatives of runs in which friction or a switch holds the motion: against closed forms, and differences of the same
// runs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <tuple>

#include "herglotz/mechanics/events/friction.hpp"
#include "simulate/run_differences.hpp"

namespace {

using namespace herglotz;
using simulate::SensitivityRequest;
using simulate::Simulator;
using testing::HasSubstr;
using C = std::complex<long double>;

constexpr long double tiny = 1e-25L;

void add_rub(Model& model, const std::string& on, const std::string& held, const std::string& slid) {
  mechanics::Friction friction;
  friction.name = "rub";
  friction.on = model.read(on);
  friction.held = model.read(held);
  friction.slid = model.read(slid);
  friction.normal = model.system.graph().number(1);
  mechanics::add_friction(model.system, std::move(friction));
}

/// A block on a belt of velocity u, which a spring k pulls loose at the force `held`, and which then slips under the
/// force `slid` until it has the velocity of the belt again.
struct Belt {
  C k, u, held, slid, q0;

  [[nodiscard]] std::pair<C, C> at(long double t) const {
    const C loose = held / k;
    const C omega = std::sqrt(k);
    const C middle = slid / k;
    const C off = loose - middle;
    const C slips = 2.0L / omega * (std::acos(-1.0L) - std::atan(omega * off / u));
    C begin = 0;
    C q = q0;
    for (;;) {
      const C leaves = begin + (loose - q) / u;
      if (t < leaves.real()) return {q + u * (t - begin), u};
      const C since = t - leaves;
      if (since.real() < slips.real())
        return {middle + off * std::cos(omega * since) + u / omega * std::sin(omega * since),
                u * std::cos(omega * since) - omega * off * std::sin(omega * since)};
      begin = leaves + slips;
      q = middle - off;
    }
  }
};

}  // namespace

class HeldByFriction : public testing::TestWithParam<std::string> {};

// Over four times that the block sticks, with both saltations: at slip to stick, and where it is pulled loose.
TEST_P(HeldByFriction, OfABlockOnABeltIsThatOfTheClosedForm) {
  const std::vector<std::string> names{"k", "u", "held", "slid", "q"};
  Model model({"q"}, {"v"}, {{"k", 4}, {"u", 0.2}, {"held", 0.8}, {"slid", 0.5}}, "v^2/2 - k*q^2/2");
  add_rub(model, "v - u", "held", "slid");
  const Simulator simulator(model.system);
  auto asked = request(16, GetParam(), names, {{"q", 0.03}, {"v", 0.2}}, 10, 0.05);
  asked.expressions = simulate::StartExpressions(model.system, {{"v", model.read("u")}});
  auto run = run_of(simulator, asked);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  std::size_t sticks = 0;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    sticks += run["mode.rub"][row] == 0 ? 1U : 0U;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto value = [&](std::size_t j, long double of) { return C(of, j == k ? tiny : 0.0L); };
      const Belt belt{value(0, 4), value(1, 0.2L), value(2, 0.8L), value(3, 0.5L), value(4, 0.03L)};
      const auto [q, v] = belt.at(run["t"][row]);
      const auto expect = [&](const char* column, const C& exact, double tolerance) {
        const auto slope = static_cast<double>(exact.imag() / tiny);
        EXPECT_NEAR(values_of(slopes, fmt::format("d.{}.d.{}", column, names[k]))[row], slope,
                    tolerance * (1 + std::abs(slope)))
            << column << " by " << names[k] << " at t = " << run["t"][row];
      };
      expect("q", q, 1e-9);
      expect("v", v, 1e-9);
    }
  }
  EXPECT_GT(sticks, 4U);
  EXPECT_LT(sticks, run.rows() - 4);
}

// It comes to rest at T = v/(F - P) and v^2/(2 (F - P)), and stays there, by [friction] and by a jump of a force.
TEST_P(HeldByFriction, OfABodyThatSlidesToRestIsThatOfTheClosedForm) {
  for (const bool set_valued : {true, false}) {
    Model model({"q"}, {"v"}, {{"F", 2.9}, {"P", 2.4}}, "v^2/2 + P*q");
    if (set_valued)
      add_rub(model, "v", "F", "F");
    else
      model.system.forces[0] = model.read("-F*sign(v)");
    const Simulator simulator(model.system);
    auto asked = request(16, GetParam(), {"F", "P", "v", "q"}, {{"q", 0.1}, {"v", 0.6}}, 3, 0.07);
    auto run = run_of(simulator, asked);
    const auto slopes = simulate::differentiate(simulator, asked, run);
    const double brake = 0.5;
    for (std::size_t row = 0; row < run.rows(); ++row) {
      const double t = run["t"][row];
      const bool rests = t > 0.6 / brake;
      const auto expect = [&](const char* name, double q, double v) {
        EXPECT_NEAR(values_of(slopes, fmt::format("d.q.d.{}", name))[row], q, 1e-11) << name << " at " << t;
        EXPECT_NEAR(values_of(slopes, fmt::format("d.v.d.{}", name))[row], v, 1e-11) << name << " at " << t;
      };
      const double by_brake = rests ? -0.36 / (2 * brake * brake) : -t * t / 2;
      expect("F", by_brake, rests ? 0 : -t);
      expect("P", -by_brake, rests ? 0 : t);
      expect("v", rests ? 0.6 / brake : t, rests ? 0 : 1);
      expect("q", 1, 0);
    }
    EXPECT_EQ(run["v"].back(), 0);
    simulate::Cotangents cotangents{{"q"}, std::vector<double>(run.rows(), 0.0)};
    cotangents.values.back() = 2;
    const auto gradient = simulate::Differentiator(simulator).gradient(asked, cotangents, run);
    EXPECT_EQ(gradient.reverse, GetParam() != "taylor");
    EXPECT_NEAR(gradient.by[0], -2 * 0.36 / (2 * brake * brake), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, HeldByFriction, testing::Values("reference", "taylor", "runge-kutta-8"));

// It rebounds from a wall at q = 1, and rests at 1 - e^2 (v^2/(2 F) - 1).
TEST(HeldSensitivity, BehindAJumpIsThatOfTheClosedForm) {
  Model model({"q"}, {"v"}, {{"F", 0.7}, {"e", 0.8}}, "v^2/2");
  add_rub(model, "v", "1.5*F", "F");
  mechanics::Event wall{"wall", model.read("q - 1"), mechanics::Direction::rising};
  wall.resets.push_back({"v", model.read("-e*v")});
  model.system.events.push_back(std::move(wall));
  const Simulator simulator(model.system);
  for (const char* method : {"reference", "runge-kutta-8"}) {
    const auto asked = request(16, method, {"F", "e", "v"}, {{"q", 0.0}, {"v", 2.0}}, 5, 0.07);
    auto run = run_of(simulator, asked);
    const auto slopes = simulate::differentiate(simulator, asked, run);
    EXPECT_NEAR(run["q"].back(), 1 - 0.64 * (2 / 0.7 - 1), 1e-11);
    EXPECT_EQ(run["mode.rub"].back(), 0);
    EXPECT_NEAR(values_of(slopes, "d.q.d.F").back(), 0.64 * 2 / 0.49, 1e-10);
    EXPECT_NEAR(values_of(slopes, "d.q.d.e").back(), -1.6 * (2 / 0.7 - 1), 1e-10);
    EXPECT_NEAR(values_of(slopes, "d.q.d.v").back(), -0.64 * 2 / 0.7, 1e-10);
    EXPECT_NEAR(values_of(slopes, "d.v.d.v").back(), 0, 1e-12);
  }
}

// Coarse steps that the projection onto a slip which depends on the place moves visibly, with a mass matrix that does
// so too: the derivative is that of the projected steps.
TEST(HeldSensitivity, IsThatOfTheSameProjectedSteps) {
  Model model({"x", "y"}, {"vx", "vy"}, {{"gamma", 0.1}, {"held", 0.9}, {"slid", 0.6}},
              "(1 + x^2/4)*vx^2/2 + sin(y)*vx*vy/4 + 0.6*vy^2 - 2*x^2 - y^2/2 - gamma*z");
  add_rub(model, "vx - (0.3 + x/2)*vy - 0.2*cos(t/4)", "held", "slid");
  const Simulator simulator(model.system);
  const auto asked = request(16, "runge-kutta-4", {"gamma", "held", "slid", "x"},
                             {{"x", 0.8}, {"vx", 0.1}, {"y", 0.3}, {"vy", 0.5}}, 6.3, 0.11);
  auto run = run_of(simulator, asked);
  EXPECT_NE(std::count(run["mode.rub"].begin(), run["mode.rub"].end(), 0.0), 0);
  const auto slopes = simulate::differentiate(simulator, asked, run);
  for (const auto& name : asked.wrt)
    for (const char* column : {"x", "vy", "z", "energy"}) {
      const auto expected =
          differences(simulator, asked, name, [&](const analyse::Trajectory& of) { return of[column]; }, 1e-4);
      const auto& found = values_of(slopes, fmt::format("d.{}.d.{}", column, name));
      for (std::size_t row = 0; row < run.rows(); ++row)
        EXPECT_NEAR(found[row], expected[row], 1e-8 * (1 + std::abs(expected[row])))
            << column << " by " << name << " at t = " << run["t"][row] << ", mode " << run["mode.rub"][row];
    }
}

TEST(HeldSensitivity, NamesWhatHasNoDerivative) {
  Model model({"q"}, {"v"}, {{"F", 0.4}}, "v^2/2 - q^2/2");
  add_rub(model, "v", "F", "F");
  const Simulator simulator(model.system);
  EXPECT_THAT(
      refusal_of(simulator, request(16, "contact-gauss-4", {"F"}, {{"q", 1.0}, {"v", 0.0}}, 20, 0.1)),
      HasSubstr("a run of contact-gauss-4 in which a switch or friction holds the motion is not differentiated"));
  EXPECT_THAT(refusal_of(simulator, request(16, "stiff", {"F"}, {{"q", 1.0}, {"v", 0.5}}, 1, 0)),
              HasSubstr("a run of stiff with set-valued friction is not differentiated"));
  const auto at_rest = request(16, "reference", {"F", "v"}, {{"q", 0.1}, {"v", 0.0}}, 1, 0);
  EXPECT_THAT(refusal_of(simulator, at_rest),
              HasSubstr("the run has no derivative by v: at t = 0 it starts at rest on 'v' = 0"));
  // The unit of the velocity that friction opposes does not matter.
  Model small({"q"}, {"v"}, {{"F", 0.4}}, "v^2/2 - q^2/2");
  add_rub(small, "v/1000000000000", "F", "F");
  EXPECT_THAT(refusal_of(Simulator(small.system), at_rest), HasSubstr("the run has no derivative by v: at t = 0"));
}
