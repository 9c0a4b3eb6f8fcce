// Models with an index written out with their parameters as symbols, for derivatives of runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "families/comparison.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/simulate/linearise.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {
namespace {

/// Masses and springs whose families and starts depend on the parameters a and b, on n sites.
std::string springs(const std::string& set) {
  return R"toml(
[indices]
i = { count = "n", ends = "free" }
e = { from = [0, 1, 2], to = [1, 2, 3] }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
n = 4
)toml" + set +
         R"toml(
"m[i]" = "1 + a*i/n"
"c[i]" = "m[i]*b"
"K[e]" = [1.3, 0.7, 2.0]
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2 - c[i]*q[i]^4) - sum(e, K[e]*(q[e.to] - q[e.from])^2/2) + q[0]/n - 0.1*z"
[initial]
"q[i]" = "b*(i/count)^2"
"q[0]" = "a - b"
"v[2]" = "a*b"
[simulation]
method = "contact-gauss-4"
step = 0.02
t_end = 1
)toml";
}

analyse::Trajectory run_of(simulate::Problem problem) {
  return simulate::simulate(problem);
}

analyse::Trajectory run_with(double a, double b) {
  Model model = io::parse_family_model(springs("a = " + std::to_string(a) + "\nb = " + std::to_string(b)), "s.toml");
  return in_columns(run_flat(model));
}

TEST(WrittenOut, HasTheRunOfTheFlatModel) {
  Model model = io::parse_family_model(springs("a = 0.3\nb = 0.2"), "s.toml");
  const auto written = run_of(written_out(model));
  const auto flat = run_with(0.3, 0.2);
  for (const char* name : {"q[0]", "q[3]", "v[2]", "z", "energy"})
    EXPECT_LT(difference(written[name], flat[name]), 1e-14) << name;
}

TEST(WrittenOut, HasParametersInItsFamiliesAndStarts) {
  Model model = io::parse_family_model(springs("a = 0.3\nb = 0.2"), "s.toml");
  const simulate::Problem problem = written_out(model);
  // A parameter that is a number of sites is a number of the model written out.
  ASSERT_EQ(problem.system.parameters.size(), 2U);
  const simulate::Simulator simulator(problem.system, {}, problem.initial);
  simulate::InitialState start = problem.initial;
  simulate::InitialState next;
  const simulate::InitialState other{{"a", 0.45}, {"b", 0.15}};
  problem.expressions.apply(problem.system, other, start, next);
  const auto moved = simulator.run(start, problem.settings, other);
  const auto flat = run_with(0.45, 0.15);
  for (const char* name : {"q[0]", "q[3]", "v[2]", "z", "energy"})
    EXPECT_LT(difference(moved[name], flat[name]), 1e-14) << name;
}

TEST(WrittenOut, HasTheModesOfAMembrane) {
  // omega^2 = 4 k (sin^2(a pi/2/(n + 1)) + sin^2(b pi/2/(n + 1))) - gamma^2/4 [membrane].
  constexpr int n = 4;
  Model model = io::parse_family_model(io::gallery_text("membrane"), "membrane.toml", {"n=4", "q[i,j]=0"});
  const simulate::Problem problem = written_out(model);
  const simulate::Simulator simulator(problem.system, {}, problem.initial);
  const auto linear = simulate::linearise(simulator, {problem.initial, {}, {}, {}, false});
  std::vector<double> found;
  for (const auto& value : linear.eigenvalues)
    if (value.imag() > 0.1) {
      EXPECT_NEAR(value.real(), -0.005, 1e-12);
      found.push_back(value.imag());
    }
  std::vector<double> known;
  const auto part = [](int a) { return std::pow(std::sin(a * std::numbers::pi / 2 / (n + 1)), 2); };
  for (int a = 1; a <= n; ++a)
    for (int b = 1; b <= n; ++b) known.push_back(std::sqrt(4 * (part(a) + part(b)) - 1e-4 / 4));
  std::sort(found.begin(), found.end());
  std::sort(known.begin(), known.end());
  ASSERT_EQ(found.size(), known.size());
  for (std::size_t k = 0; k < known.size(); ++k) EXPECT_NEAR(found[k], known[k], 1e-12);
}

TEST(WrittenOut, RefusesMoreCoordinatesThanArePossible) {
  Model model = io::parse_family_model(io::gallery_text("membrane"), "membrane.toml");
  try {
    written_out(model);
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_THAT(refused.what(), testing::HasSubstr("3600 coordinates, and at most 1000"));
  }
}

}  // namespace
}  // namespace herglotz::families
