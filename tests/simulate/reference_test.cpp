// Constrained motions against independently computed ones, by every method.

#include <cmath>

#include "herglotz/simulate/simulate.hpp"
#include "mechanics/reference_case.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics::reference;
using simulate::Settings;
using simulate::Simulator;

class ConstrainedMotion : public testing::TestWithParam<std::string> {
 protected:
  /// The stored state as initial values by name.
  [[nodiscard]] simulate::InitialState start() const {
    simulate::InitialState initial;
    const auto& coordinates = given.data["coordinates"];
    const auto put = [&](const json& names, const json& values) {
      for (std::size_t i = 0; i < names.size(); ++i) initial[names[i].get<std::string>()] = number(values[i]);
    };
    const auto& first = given.data["states"][0];
    put(coordinates["x"], first["x"]);
    put(coordinates["y"], first["y"]);
    initial["z"] = number(first["z"]);
    initial["t"] = number(first["t"]);
    if (given.system.constraints.rule == mechanics::Rule::vakonomic) {
      const auto nu = numbers(first["mu"]);
      for (std::size_t k = 0; k < nu.size(); ++k) initial["nu" + std::to_string(k + 1)] = nu[k];
    }
    return initial;
  }

  /// Largest error of state, energy and multipliers at a stored time, relative to max(1, |value|).
  [[nodiscard]] double error(const analyse::Trajectory& run, const json& state) const {
    double largest = 0;
    const auto compare = [&](const std::string& name, double expected) {
      largest = std::max(largest, std::abs(run[name].back() - expected) / std::max(1.0, std::abs(expected)));
    };
    const auto& coordinates = given.data["coordinates"];
    for (std::size_t i = 0; i < state["x"].size(); ++i)
      compare(coordinates["x"][i].get<std::string>(), number(state["x"][i]));
    for (std::size_t a = 0; a < state["y"].size(); ++a)
      compare(coordinates["y"][a].get<std::string>(), number(state["y"][a]));
    compare("z", number(state["z"]));
    if (state.contains("E")) compare("energy", number(state["E"]));
    const auto mu = numbers(state["mu"]);
    for (std::size_t k = 0; k < mu.size(); ++k)
      compare(std::string(given.system.constraints.multipliers[k].name()), mu[k]);
    return largest;
  }

  Case given{GetParam()};
};

TEST_P(ConstrainedMotion, ReferenceMethodReachesEveryStoredState) {
  const Simulator simulator(given.system);
  Settings settings;
  settings.method = "reference";
  settings.tolerance = 1e-12;
  for (std::size_t k = 1; k < given.data["states"].size(); ++k) {
    const auto& state = given.data["states"][k];
    settings.t_end = number(state["t"]);
    const auto run = simulator.run(start(), settings);
    EXPECT_LT(error(run, state), 1e-9) << "t = " << settings.t_end;
    EXPECT_LT(run.facts.largest_constraint_residual, 1e-12);
  }
}

TEST_P(ConstrainedMotion, StiffMethodReachesTheLastStoredState) {
  const Simulator simulator(given.system);
  const auto& state = given.data["states"].back();
  Settings settings;
  settings.method = "stiff";
  settings.tolerance = 1e-10;
  settings.t_end = number(state["t"]);
  const auto run = simulator.run(start(), settings);
  EXPECT_LT(error(run, state), 1e-6);
  EXPECT_LT(run.facts.largest_constraint_residual, 1e-12);
}

TEST_P(ConstrainedMotion, ContactGaussMethodsConvergeWithTheirOrder) {
  const Simulator simulator(given.system);
  const auto& state = given.data["states"].back();
  Settings settings;
  settings.t_end = number(state["t"]);
  for (const std::string method : {"contact-gauss-2", "contact-gauss-4", "contact-gauss-6"}) {
    settings.method = method;
    const int order = integrate::find_method(method)->order;
    const double duration = settings.t_end - number(given.data["states"][0]["t"]);
    const auto error_with = [&](double steps) {
      settings.step = duration / steps;
      return error(simulator.run(start(), settings), state);
    };
    const double steps = std::ceil(duration) * (order == 2 ? 100 : order == 4 ? 20 : 12);
    const double coarse = error_with(steps);
    const double fine = error_with(2 * steps);
    EXPECT_LT(coarse, 1e-2) << method;
    // The bound has one side: the leading error of a method may vanish along one motion. The law suite bounds both.
    EXPECT_TRUE(fine < 1e-12 || std::log2(coarse / fine) > order - 0.4)
        << method << ": error " << coarse << " with " << steps << " steps, " << fine << " with twice as many";
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, ConstrainedMotion, testing::ValuesIn(cases_of_type({"nonholonomic", "vakonomic"})),
                         [](const auto& name) { return name.param; });

}  // namespace
