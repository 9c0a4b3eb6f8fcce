// Bodies at the edge of a potential such as abs(q), from both sides of which the motion leads back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string edge(const std::string& lagrangian, const std::string& initial, const std::string& how) {
  return "[model]\nname = \"edge\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = "
         "[\"v\"]\n[dynamics]\nlagrangian = \"" +
         lagrangian + "\"\n[initial]\n" + initial + "[simulation]\nt_end = 1.0\n" + how;
}

std::string problem_of(const std::string& text) {
  try {
    simulate::simulate(parse_model(text));
  } catch (const Error& error) {
    return error.problem();
  }
  return "none";
}

// No force of positions holds a body there, and steps to both sides of the edge have no solution.
TEST(Edge, EndsARunThatBeginsAtRestOnItWithOneLine) {
  for (const std::string lagrangian : {"v^2/2 - abs(q)", "v^2/2 - abs(q) - 0.5*z", "v^2/2 - 3*abs(q) - q"})
    for (const std::string how :
         {"tolerance = 1e-10\n", "method = \"contact-energy-2\"\nstep = 0.01\n",
          "method = \"contact-energy-4\"\nstep = 0.01\n", "method = \"contact-gauss-4\"\nstep = 0.01\n"})
      EXPECT_THAT(problem_of(edge(lagrangian, "q = 0\n", how)),
                  HasSubstr("the motion cannot leave 'q' = 0, because both of its sides lead back to it"))
          << lagrangian << how;
}

TEST(Edge, LetsARunGoThatLeavesIt) {
  for (const std::string lagrangian : {"v^2/2 + abs(q)", "v^2/2 - abs(q) - 3*q"}) {
    const auto made = simulate::simulate(parse_model(edge(lagrangian, "q = 0\n", "tolerance = 1e-10\n")));
    EXPECT_TRUE(made.facts.complete) << lagrangian;
    EXPECT_GT(std::abs(made["q"].back()), 0.4) << lagrangian;
  }
  EXPECT_TRUE(simulate::simulate(parse_model(edge("v^2/2 - abs(q)", "q = 0\nv = 0.5\n", "tolerance = 1e-10\n")))
                  .facts.complete);
}

}  // namespace
}  // namespace herglotz::io
