// Sizes with which methods compare. Runs do not depend on the units of a model: lengths, times and masses that are
// multiplied by powers of two give the numbers of the run in other units, to rounding. A start at rest at the origin
// has no size at all.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

std::string oscillator(const Units& in) {
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
    expect_the_same(oscillator, of_oscillator, method, rounding);
}

TEST(Units, DoNotMatterToAdaptiveMethods) {
  for (const char* method : {"reference", "taylor", "stiff", "radau-5"})
    expect_the_same(oscillator, of_oscillator, method, 1e-6);
}

TEST(Units, DoNotMatterToConstraints) {
  for (const char* method : {"runge-kutta-4", "contact-gauss-2", "contact-rattle-2", "contact-dla-2"})
    expect_the_same(rod, of_rod, method, rounding);
}

std::string body(const std::string& lagrangian, const std::string& force) {
  return fmt::format(R"([model]
name = "body"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "{}"
forces = {{ v = "{}" }}
)",
                     lagrangian, force);
}

/// Bodies that begin to fall, by a potential, by a force alone, and by one that is 0 at first.
TEST(Rest, AtTheOriginIsAStartForEveryMethod) {
  const std::string fall = body("v^2/2 - q - z/8", "0");
  const std::string push = body("v^2/2 - z/8", "1 - q/2");
  const std::string late = body("v^2/2 - q^4 + sin(t)*q - z/8", "0");
  for (const std::string& text : {fall, push, late}) {
    const double expected = run_in(text, "runge-kutta-8", {0, 0, 0})["q"].back();
    for (const char* method :
         {"reference", "radau-5", "contact-gauss-2", "contact-gauss-4", "contact-gauss-8", "contact-lobatto-2",
          "contact-lobatto-4", "contact-galerkin-4", "contact-energy-2", "contact-energy-4", "moreau-2", "lie-hph-2"})
      EXPECT_NEAR(run_in(text, method, {0, 0, 0})["q"].back(), expected, 0.02 * std::abs(expected)) << method << text;
  }
}

/// A start that is off by a share of its own size is off, in every unit.
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

}  // namespace
}  // namespace herglotz
