#pragma once
/// Chains of rods for tests.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "families/comparison.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"

namespace herglotz::families {

/// What a chain of rods of length 1 varies.
struct Rods {
  std::string rule = "nonholonomic";
  std::string equations = R"eq("(x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1", "x[0]", "y[0]")eq";
  std::string edges{};
  std::string initial = "\"x[i]\" = \"0.6*i\"\n\"y[i]\" = \"-0.8*i\"\n\"vx[i]\" = \"0.4*i\"\n\"vy[i]\" = \"0.3*i\"\n";
  std::size_t count = 3;
  std::string more{};
  std::string method = "method = \"contact-gauss-4\"\nstep = 0.02";  ///< lines of [simulation]
};

inline std::string rods_text(const Rods& rods) {
  return fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "free" }}
{}
[algebroid]
kind = "tangent"
base = ["x[i]", "y[i]"]
fibre = ["vx[i]", "vy[i]"]
[parameters]
g = 2.0
gamma = 0.1
[dynamics]
lagrangian = "sum(i, (1 + i)*(vx[i]^2 + vy[i]^2)/2 - g*y[i]) - gamma*z"
[constraints]
rule = "{}"
equations = [{}]
{}
[initial]
{}
[simulation]
{}
t_end = 1
)toml",
                     rods.count, rods.edges, rods.rule, rods.equations, rods.more, rods.initial, rods.method);
}

/// Runs a model with constraints in loops. The largest residual of its energy law is below `of_energy`.
inline analyse::Trajectory in_loops(const std::string& text, double of_energy = 1e-8) {
  Model model = io::parse_family_model(text, "rods.toml");
  EXPECT_TRUE(runs_in_loops(model));
  const FieldRun found = run(model);
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
  EXPECT_LT(found.trajectory.facts.largest_constraint_residual, 1e-12);
  EXPECT_LT(found.trajectory.facts.largest_energy_residual, of_energy);
  return in_columns(found);
}

inline analyse::Trajectory written(const std::string& text) {
  Model model = io::parse_family_model(text, "rods.toml");
  const FieldRun found = run_flat(model);
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
  return in_columns(found);
}

/// Expects the run in loops to be that of the model written out. The multipliers are named by constraints in loops, and
/// one by one written out.
inline void expect_same_motion(const Rods& rods,
                               const std::vector<std::pair<std::string, std::string>>& multipliers = {},
                               double tolerance = 1e-10, double of_energy = 1e-8) {
  const std::string text = rods_text(rods);
  const analyse::Trajectory own = in_loops(text, of_energy);
  const analyse::Trajectory other = written(text);
  ASSERT_EQ(own.rows(), other.rows());
  ASSERT_GT(own.rows(), 10U);
  for (const auto& column : other.columns) {
    using analyse::Role;
    if (column.role == Role::multiplier || column.role == Role::constraint || column.role == Role::residual) continue;
    ASSERT_NE(own.find(column.name), nullptr) << column.name;
    EXPECT_LT(difference(own[column.name], column.values), tolerance) << column.name;
  }
  for (const auto& [in_loop, one_by_one] : multipliers)
    EXPECT_LT(difference(own[in_loop], other[one_by_one]), 100 * tolerance) << in_loop;
}

}  // namespace herglotz::families
