// The groupoid of an algebroid whose structure functions are constant in a rescaled frame only: the cotangent bundle of
// the Poisson structure {x, y} = x y, with [dx, dy] = y dx + x dy and [dx/x, dy] = dy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz {
namespace {

const char* const text = R"([model]
name = "poisson"
[algebroid]
kind = "custom"
base = ["x", "y"]
fibre = ["a", "b"]
anchor = [["0", "x*y"], ["-x*y", "0"]]
brackets = { "a,b" = { a = "y", b = "x" } }
[dynamics]
lagrangian = "(a^2 + 2*b^2)/2 + a*b/3 - x^2/4 - y^2/5 - z/5 - z^2/20"
[initial]
x = 0.9
y = 0.7
a = 0.4
b = -0.5
z = 0.2
)";

analyse::Trajectory run_of_poisson(const std::string& method, double step) {
  auto problem = io::parse_model(text);
  problem.settings.method = method;
  problem.settings.step = step;
  problem.settings.t_end = 2;
  problem.settings.output_every = 1;
  return simulate::simulate(problem);
}

TEST(RescaledGroupoid, CarriesTheMethodsOnGroupoidsAtTheirOrder) {
  const auto exact = run_of_poisson("runge-kutta-8", 0.01);
  for (const auto& [method, order] : {std::pair{"lie-hph-2", 2}, {"lie-hph-4", 4}}) {
    std::vector<double> errors;
    for (const double h : {0.1, 0.05, 0.025}) {
      const auto run = run_of_poisson(method, h);
      double error = 0;
      for (const char* name : {"x", "y", "a", "b", "z"})
        error = std::max(error, std::abs(run[name].back() - exact[name].back()));
      errors.push_back(error);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1) << method;
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), order, 0.1) << method;
  }
}

}  // namespace
}  // namespace herglotz
