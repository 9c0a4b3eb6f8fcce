// Sizes with which methods compare. Runs do not depend on the units of a model: lengths, times and masses that are
// multiplied by powers of two give the numbers of the run in other units, to rounding. A start at rest at the origin
// has no size at all.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz {
namespace {

/// The units of length, time and mass, as powers of two.
struct Units {
  int length;
  int time;
  int mass;

  [[nodiscard]] double operator()(int lengths, int times, int masses) const {
    return std::ldexp(1.0, lengths * length + times * time + masses * mass);
  }
};

/// A quantity of a model: its column, and its powers of length, time and mass.
struct Quantity {
  const char* name;
  int lengths;
  int times;
  int masses;
};

std::string plane_oscillator(const Units& in) {
  return fmt::format(R"([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q", "r"]
fibre = ["v", "w"]
[parameters]
m = {}
k = {}
e = {}
gamma = {}
[dynamics]
lagrangian = "m*(v^2 + w^2)/2 - k*(q^2 + 2*r^2)/2 - e*q^2*r^2/4 - gamma*z"
[discrete]
rule = "midpoint"
[initial]
q = {}
r = {}
v = {}
w = {}
)",
                     in(0, 0, 1), in(0, -2, 1), in(-2, -2, 1), 0.125 * in(0, -1, 0), in(1, 0, 0), 0.5 * in(1, 0, 0),
                     0.25 * in(1, -1, 0), -0.25 * in(1, -1, 0));
}
const std::vector<Quantity> of_oscillator{{"q", 1, 0, 0},  {"r", 1, 0, 0},  {"v", 1, -1, 0},
                                          {"w", 1, -1, 0}, {"z", 2, -1, 1}, {"energy", 2, -2, 1}};

std::string rod(const Units& in) {
  return fmt::format(R"([model]
name = "rod"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["u", "v"]
[parameters]
m = {}
l = {}
g = {}
gamma = {}
[dynamics]
lagrangian = "m*(u^2 + v^2)/2 - m*g*y - gamma*z"
[constraints]
rule = "nonholonomic"
equations = ["x^2 + y^2 - l^2"]
[initial]
project = true
x = {}
y = {}
u = {}
v = {}
)",
                     in(0, 0, 1), in(1, 0, 0), in(1, -2, 0), 0.125 * in(0, -1, 0), 0.6 * in(1, 0, 0),
                     -0.8 * in(1, 0, 0), 0.4 * in(1, -1, 0), 0.3 * in(1, -1, 0));
}
const std::vector<Quantity> of_rod{{"x", 1, 0, 0},  {"y", 1, 0, 0},  {"u", 1, -1, 0},
                                   {"v", 1, -1, 0}, {"z", 2, -1, 1}, {"energy", 2, -2, 1}};

const std::vector<Units> units{{20, 0, 0},   {-20, 0, 0},     {0, 20, 0},   {0, -20, 0},    {0, 0, 20}, {0, 0, -20},
                               {30, 0, 0},   {-30, 0, 0},     {0, 30, 0},   {0, -30, 0},    {0, 0, 30}, {0, 0, -30},
                               {30, 30, 30}, {-30, -30, -30}, {37, 24, 80}, {-30, -40, -80}};

analyse::Trajectory run_in(const std::string& text, const std::string& method, const Units& in) {
  auto problem = io::parse_model(text);
  auto& settings = problem.settings;
  settings.method = method;
  settings.t_end = 4 * in(0, 1, 0);
  settings.output_step = 0.5 * in(0, 1, 0);
  if (integrate::find_method(method)->adaptive)
    settings.tolerance = 1e-9;
  else
    settings.step = in(0, 1, 0) / 16;
  return simulate::simulate(problem);
}

/// Expects the same numbers in all units, up to `bound` of the largest of each quantity.
void expect_the_same(std::string (*model)(const Units&), const std::vector<Quantity>& quantities,
                     const std::string& method, double bound) {
  const auto one = run_in(model({0, 0, 0}), method, {0, 0, 0});
  for (const Units& in : units) {
    SCOPED_TRACE(fmt::format("{}: units of 2^{}, 2^{}, 2^{}", method, in.length, in.time, in.mass));
    const auto run = run_in(model(in), method, in);
    for (const auto& [name, lengths, times, masses] : quantities) {
      const auto& expected = one[name];
      const auto& found = run[name];
      ASSERT_EQ(found.size(), expected.size());
      double size = 0;
      for (const double value : expected) size = std::max(size, std::abs(value));
      double error = 0;
      for (std::size_t k = 0; k < expected.size(); ++k)
        error = std::max(error, std::abs(found[k] / in(lengths, times, masses) - expected[k]));
      EXPECT_LE(error, bound * size) << name;
    }
  }
}

constexpr double rounding = 1e-11;

TEST(Units, DoNotMatterToMethodsWithStepsOfOneSize) {
  for (const char* method :
       {"runge-kutta-4", "contact-gauss-2", "contact-gauss-4", "contact-lobatto-2", "contact-lobatto-4",
        "contact-galerkin-4", "contact-splitting-2", "discrete-herglotz", "lie-hph-2", "lie-hph-cayley-4"})
    expect_the_same(plane_oscillator, of_oscillator, method, rounding);
}

TEST(Units, DoNotMatterToAdaptiveMethods) {
  for (const char* method : {"reference", "taylor", "stiff", "radau-5"})
    expect_the_same(plane_oscillator, of_oscillator, method, 1e-6);
}

TEST(Units, DoNotMatterToConstraints) {
  for (const char* method : {"runge-kutta-4", "contact-gauss-2", "contact-rattle-2", "contact-dla-2"})
    expect_the_same(rod, of_rod, method, rounding);
}

/// A body at rest at the origin, and a force on it.
std::string body(const std::string& lagrangian, const std::string& force, double m) {
  return fmt::format(R"([model]
name = "body"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
m = {}
[dynamics]
lagrangian = "{}"
forces = {{ v = "{}" }}
[discrete]
rule = "midpoint"
)",
                     m, lagrangian, force);
}

/// Bodies that begin to fall, by a potential, by a force alone, and by one that is 0 at first. The first steps are the
/// same in every unit of mass, so that none of them is accepted by a size with another unit.
TEST(Rest, AtTheOriginIsAStartForEveryMethod) {
  constexpr std::size_t first_rows = 4;
  constexpr int light = -80;
  const auto first_steps = [](const std::string& text, const std::string& method) {
    auto problem = io::parse_model(text);
    auto& settings = problem.settings;
    settings.method = method;
    settings.t_end = 4;
    if (integrate::find_method(method)->adaptive) {
      settings.tolerance = 1e-9;
      settings.output_step = 0.0625;
    } else {
      settings.step = 0.0625;
    }
    return simulate::simulate(problem);
  };
  const auto bound_of = [](const std::string& method) {
    return integrate::find_method(method)->adaptive ? 1e-6 : 1e-10;
  };
  for (const auto& [lagrangian, force] : {std::pair{"m*v^2/2 - m*q - z/8", "0"},
                                          {"m*(1 + q^2)*v^2/2 - m*q - z/8", "0"},
                                          {"m*v^2/2 - z/8", "m*(1 - q/2)"},
                                          {"m*v^2/2 - m*q^4 + m*sin(t)*q - z/8", "0"}}) {
    const double expected = run_in(body(lagrangian, force, 1), "runge-kutta-8", {0, 0, 0})["q"].back();
    for (const char* method :
         {"reference", "radau-5", "contact-gauss-2", "contact-gauss-4", "contact-gauss-8", "contact-lobatto-2",
          "contact-lobatto-4", "contact-galerkin-2", "contact-galerkin-4", "contact-energy-2", "contact-energy-4",
          "moreau-2", "lie-hph-2", "lie-hph-4", "contact-dla-2", "contact-dla-4", "discrete-herglotz"}) {
      SCOPED_TRACE(fmt::format("{}: {}", method, lagrangian));
      const auto one = first_steps(body(lagrangian, force, 1), method);
      EXPECT_NEAR(one["q"].back(), expected, 0.02 * std::abs(expected));
      const auto other = first_steps(body(lagrangian, force, std::ldexp(1.0, light)), method);
      const double bound = bound_of(method);
      for (std::size_t k = 1; k <= first_rows; ++k) {
        EXPECT_NEAR(other["q"][k], one["q"][k], bound * std::abs(one["q"][k])) << k;
        EXPECT_NEAR(std::ldexp(other["z"][k], -light), one["z"][k], bound * std::abs(one["z"][k])) << k;
      }
    }
  }
}

/// At first the state is 0 and so are its rates and their first two derivatives: q = t^5/20.
TEST(Rest, AtTheOriginIsLeftByAForceThatIsZeroAtFirst) {
  for (const char* method : {"reference", "taylor", "stiff", "radau-5"}) {
    SCOPED_TRACE(method);
    auto problem = io::parse_model(body("m*v^2/2", "m*t^3", 1));
    problem.settings.method = method;
    problem.settings.tolerance = 1e-9;
    problem.settings.t_end = 1;
    EXPECT_NEAR(simulate::simulate(problem)["q"].back(), 0.05, 1e-9);
  }
}

/// Near rest away from the origin L, velocities and momenta are only round-off of x. The second start is within it.
TEST(Rest, AwayFromTheOriginIsReachedInEveryUnit) {
  const std::string text = R"([model]
name = "rest"
[algebroid]
kind = "tangent"
base = ["q", "r"]
fibre = ["v", "w"]
[parameters]
m = 1.0
[dynamics]
lagrangian = "m*(v^2 + w^2)/2 - 3*m*(q - 0.3)^2/2 - m*(r - 3*q)^2/2 - z/2"
[discrete]
rule = "midpoint"
[initial]
)";
  for (const char* start : {"q = 1.7\nr = 2.0\n", "q = 0.30000000000000004\nr = 0.9\n"}) {
    for (const char* method : {"contact-gauss-4", "contact-lobatto-4", "contact-galerkin-2", "contact-galerkin-4",
                               "contact-galerkin-8", "discrete-herglotz", "lie-hph-2", "contact-dla-2"}) {
      for (const int mass : {0, -80}) {
        SCOPED_TRACE(fmt::format("{}: mass 2^{}, {}", method, mass, start));
        auto problem = io::parse_model(text + start);
        problem.system.parameters.front().value = std::ldexp(1.0, mass);
        problem.settings.method = method;
        problem.settings.step = 0.05;
        problem.settings.t_end = 150;
        problem.settings.output_every = 3000;
        const auto run = simulate::simulate(problem);
        EXPECT_NEAR(run["q"].back(), 0.3, 1e-12);
        EXPECT_NEAR(run["r"].back(), 0.9, 1e-12);
      }
    }
  }
}

/// The metric of discrete gradients has the mass of the model in it. Lengths and times are in its units.
TEST(Masses, DoNotMatterToDiscreteGradients) {
  for (const char* method : {"contact-energy-2", "contact-energy-4", "moreau-2"}) {
    const auto one = run_in(plane_oscillator({0, 0, 0}), method, {0, 0, 0});
    for (const int mass : {-80, -30, 30, 80}) {
      SCOPED_TRACE(fmt::format("{}: masses of 2^{}", method, mass));
      const auto run = run_in(plane_oscillator({0, 0, mass}), method, {0, 0, mass});
      for (const char* name : {"q", "r", "v", "w"})
        for (std::size_t k = 0; k < one[name].size(); ++k) EXPECT_NEAR(run[name][k], one[name][k], rounding) << name;
    }
  }
}

TEST(Masses, DoNotMatterToDiscreteGradientsOfHamiltonians) {
  const auto run_of = [](double mass) {
    auto problem = io::parse_model(fmt::format(R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
m = {}
[dynamics]
hamiltonian = "p_v^2/(2*m) + m*q^4/4 + 0.1*z"
[initial]
q = 1.0
p_v = "0.3*m"
[simulation]
method = "contact-energy-2"
step = 0.3
t_end = 3.0
)",
                                               mass));
    return simulate::simulate(problem)["q"].back();
  };
  for (const double mass : {std::ldexp(1.0, -20), 1000.0, std::ldexp(1.0, 20)})
    EXPECT_NEAR(run_of(mass), run_of(1), rounding) << mass;
}

/// A harmonic oscillator with an action has no size of its own: with a = gamma/2 and w^2 = 1 - a^2 it is q = q0 exp(-a
/// t) (cos w t + a/w sin w t). The correction of the energy law must not leave it where the Lagrangian vanishes.
TEST(Sizes, DoNotMatterToDiscreteGradients) {
  const double a = 0.025;
  const double w = std::sqrt(1 - a * a);
  for (const double size : {1.0, 1e4, 1e8, 1e12}) {
    auto problem = io::parse_model(R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - q^2/2 - 0.05*z"
[simulation]
method = "contact-energy-2"
step = 0.01
t_end = 10
)");
    problem.initial = {{"q", size}, {"v", 0.0}};
    const auto run = simulate::simulate(problem);
    EXPECT_TRUE(run.facts.complete) << size;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      const double t = run["t"][k];
      EXPECT_NEAR(run["q"][k] / size, std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t)), 2e-4) << t;
    }
  }
}

/// A start that is off by a share of its own size is off, in every unit in which it is off by more than the rounding of
/// numbers of the size 1.
TEST(Units, DoNotMatterToAStartOffItsConstraints) {
  for (const Units& in : units) {
    auto problem = io::parse_model(rod(in));
    problem.settings.method = "runge-kutta-4";
    problem.settings.step = in(0, 1, 0) / 16;
    problem.settings.t_end = in(0, 1, 0);
    problem.settings.project = false;
    problem.initial["x"] *= 1 + 1e-3;
    EXPECT_THROW((void)simulate::simulate(problem), simulate::RunFailed) << in.length;
    problem.initial["x"] /= 1 + 1e-3;
    EXPECT_NO_THROW((void)simulate::simulate(problem)) << in.length;
  }
}

TEST(Units, MatterToStartsOffByLessThanTheRoundingOfOne) {
  for (const auto& [length, refused] : {std::pair{-30, true}, {-45, false}}) {
    const Units in{length, 0, 0};
    auto problem = io::parse_model(rod(in));
    problem.settings.method = "runge-kutta-4";
    problem.settings.step = problem.settings.t_end = 1.0 / 16;
    problem.settings.project = false;
    problem.initial["x"] *= 1 + 1e-3;
    if (refused)
      EXPECT_THROW((void)simulate::simulate(problem), simulate::RunFailed) << length;
    else
      EXPECT_NO_THROW((void)simulate::simulate(problem)) << length;
  }
}

}  // namespace
}  // namespace herglotz
