// Constrained gallery models by the methods on groupoids.

#include <cmath>

#include "gallery.hpp"

namespace herglotz::test {
namespace {

struct ConstrainedRun {
  std::string model;
  std::string method;
  double step;
  friend std::ostream& operator<<(std::ostream& out, const ConstrainedRun& given) {
    return out << given.model << " by " << given.method;
  }
};

class DiscreteConstraints : public testing::TestWithParam<ConstrainedRun> {
 protected:
  [[nodiscard]] analyse::Trajectory run(const std::string& method, double step) const {
    auto given = gallery_problem(GetParam().model);
    given.settings.t_end = 1;
    given.settings.output_every.reset();
    given.settings.output_step.reset();
    given.settings.method = method;
    given.settings.step.reset();
    given.settings.tolerance.reset();
    if (step > 0) {
      given.settings.step = step;
    } else {
      given.settings.tolerance = 1e-12;
    }
    return simulate::simulate(given);
  }
};

double error(const analyse::Trajectory& run, const analyse::Trajectory& exact) {
  double largest = 0;
  for (const auto& column : exact.columns) {
    if (column.role != analyse::Role::base && column.role != analyse::Role::fibre &&
        column.role != analyse::Role::action && column.role != analyse::Role::multiplier)
      continue;
    const double value = column.values.back();
    largest = std::max(largest, std::abs(run[column.name].back() - value) / std::max(1.0, std::abs(value)));
  }
  return largest;
}

TEST_P(DiscreteConstraints, HaveTheOrderOfTheMethod) {
  const auto& [model, method, step] = GetParam();
  const auto exact = run("reference", 0);
  const auto coarse = run(method, step);
  const auto fine = run(method, step / 2);
  const double order = integrate::find_method(method)->order;
  ASSERT_GT(error(fine, exact), 1e-12) << "the slope needs errors above round-off";
  EXPECT_NEAR(std::log2(error(coarse, exact) / error(fine, exact)), order, 0.2) << error(fine, exact);
  EXPECT_LT(fine.facts.largest_constraint_residual, 1e-13);
  EXPECT_NEAR(std::log2(coarse.facts.largest_energy_residual / fine.facts.largest_energy_residual), order, 0.2)
      << fine.facts.largest_energy_residual;
}

std::vector<ConstrainedRun> cases() {
  std::vector<ConstrainedRun> all;
  for (const char* model : {"rolling-disk", "skate-nonholonomic", "ball-on-rotating-table", "appell-hamel",
                            "isokinetic", "nonholonomic-particle", "pursuit", "suslov", "worn-disk"}) {
    all.push_back({model, "contact-dla-2", 0.02});
    all.push_back({model, "contact-dla-4", 0.1});
  }
  for (const char* model : {"spherical-pendulum", "double-pendulum-cartesian", "rotating-wire"}) {
    for (const char* family : {"contact-rattle", "contact-dla"}) {
      all.push_back({model, std::string(family) + "-2", 0.01});
      // Errors of the double pendulum fall with the fourth power from smaller steps on.
      const bool two_links = std::string_view(model) == "double-pendulum-cartesian";
      all.push_back({model, std::string(family) + "-4", two_links ? 0.0125 : 0.05});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, DiscreteConstraints, testing::ValuesIn(cases()), [](const auto& given) {
  std::string name = given.param.model + "_" + given.param.method;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace herglotz::test
