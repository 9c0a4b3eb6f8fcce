// Laws of the reverse mode, for every method in the registry.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "simulate/damped_pendulum.hpp"
#include "simulate/run_differences.hpp"

namespace {

using namespace herglotz;
using simulate::Cotangents;
using simulate::SensitivityRequest;
using simulate::Simulator;

SensitivityRequest request_of_method(const std::string& method) {
  SensitivityRequest asked{damped_pendulum_names, {{"q", 1.2}, {"v", 0.3}}, {}};
  asked.settings.method = method;
  asked.settings.t_end = 6;
  if (method == "discrete-herglotz")
    asked.settings.output_every = 7;  // it has no states inside its steps
  else
    asked.settings.output_times = {0.2, 0.33, 2.1, 2.15, 5.99};
  if (integrate::find_method(method)->adaptive)
    asked.settings.tolerance = 1e-12;
  else
    asked.settings.step = 0.2;
  if (method == "discrete-galerkin") asked.settings.galerkin = integrate::galerkin_rule(2, "gauss-3");
  return asked;
}

/// The damped pendulum with a discrete Lagrangian of its own.
Simulator discrete_pendulum() {
  const auto system = damped_pendulum(1.7);
  return Simulator(system, {}, {},
                   discrete::discretise(system, discrete::PositionRule::midpoint, discrete::ActionRule::implicit));
}

Cotangents cotangents_of(const analyse::Trajectory& run) {
  Cotangents cotangents{{"q", "v", "energy", "height", "z"}, {}};
  for (std::size_t k = 0; k < 5 * run.rows(); ++k)
    cotangents.values.push_back(std::sin(1.2 + 3.0 * static_cast<double>(k)));
  return cotangents;
}

/// Methods whose runs do not go backwards: they are differentiated forwards, or refused.
const std::map<std::string, std::string> without_adjoint{
    {"taylor", "forward"},
    {"stiff", "method stiff is not differentiated here; choose reference or taylor"},
    {"contact-galerkin-2", "forward"},
    {"contact-galerkin-4", "forward"},
    {"contact-galerkin-6", "forward"},
    {"contact-galerkin-8", "forward"},
    {"discrete-galerkin", "forward"},
    {"discrete-herglotz", "forward"},
    {"contact-splitting-2", "forward"},
    {"contact-splitting-4", "forward"},
    {"contact-splitting-6", "forward"},
    {"contact-splitting-8", "forward"},
    {"contact-energy-2", "forward"},
    {"contact-energy-4", "forward"},
    {"moreau-2", "forward"},
    {"lie-hph-2", "forward"},
    {"lie-hph-4", "forward"},
    {"lie-hph-cayley-2", "forward"},
    {"lie-hph-cayley-4", "forward"},
    {"contact-rattle-2", "forward"},
    {"contact-rattle-4", "forward"},
    {"contact-dla-2", "forward"},
    {"contact-dla-4", "forward"},
};

std::string name_of(const testing::TestParamInfo<integrate::MethodInfo>& method) {
  std::string name = method.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

class GradientOfEveryMethod : public testing::TestWithParam<integrate::MethodInfo> {};

// The dot-product test <J^T c, v> = <c, J v> for the unit vectors v and numbers c at rows on and beside boundaries, the
// law of the pairing, and differences of the same runs. Methods without adjoints are those of the list.
TEST_P(GradientOfEveryMethod, IsTheTransposeOfItsDerivatives) {
  const std::string method = GetParam().name;
  const Simulator simulator = discrete_pendulum();
  const auto asked = request_of_method(method);
  auto run = run_of(simulator, asked);
  const Cotangents cotangents = cotangents_of(run);
  simulate::Differentiator differentiator(simulator);
  const auto pinned = without_adjoint.find(method);
  simulate::Gradient gradient;
  try {
    gradient = differentiator.gradient(asked, cotangents, run);
  } catch (const Error& error) {
    ASSERT_NE(pinned, without_adjoint.end()) << method << ": " << error.what();
    EXPECT_EQ(error.what(), pinned->second);
    return;
  }
  EXPECT_EQ(gradient.reverse ? "reverse" : "forward", pinned == without_adjoint.end() ? "reverse" : pinned->second);
  const auto derivatives = differentiator.differentiate(asked, run);
  const auto loss = [&](const analyse::Trajectory& of) {
    double sum = 0;
    for (std::size_t row = 0; row < of.rows(); ++row)
      for (std::size_t c = 0; c < cotangents.columns.size(); ++c)
        sum += cotangents.values[row * cotangents.columns.size() + c] * of[cotangents.columns[c]][row];
    return sum;
  };
  for (std::size_t k = 0; k < damped_pendulum_names.size(); ++k) {
    // Adaptive implicit steps solve for their stages to the tolerance, their adjoints to round-off; differences choose
    // adaptive steps anew.
    const double transposed = method == "radau-5" ? 1e-10 : 1e-12;
    const double same = GetParam().adaptive ? 1e-8 : 1e-10;
    const double expected = contracted(derivatives, cotangents, damped_pendulum_names[k]);
    EXPECT_NEAR(gradient.by[k], expected, transposed * (1 + std::abs(expected))) << damped_pendulum_names[k];
    EXPECT_NEAR(gradient.by[k], difference(simulator, asked, damped_pendulum_names[k], loss),
                same * (1 + std::abs(expected)))
        << damped_pendulum_names[k];
  }
  // Code that has followed a run before gives the same bits.
  const auto again = differentiator.differentiate(asked, run);
  for (std::size_t c = 0; c < derivatives.size(); ++c) EXPECT_EQ(again[c].values, derivatives[c].values);
  EXPECT_EQ(differentiator.gradient(asked, cotangents, run).by, gradient.by);
  if (!gradient.reverse) return;
  EXPECT_LT(gradient.residual, 1e-13);
  EXPECT_GT(gradient.residual, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, GradientOfEveryMethod, testing::ValuesIn(integrate::methods()), name_of);
