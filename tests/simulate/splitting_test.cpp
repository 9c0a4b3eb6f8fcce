#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "herglotz/analyse/contact_defect.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "largest_difference.hpp"
#include "order_slope.hpp"

namespace {

using namespace herglotz;
using simulate::InitialState;
using simulate::Settings;
using simulate::Simulator;
using symbolic::Expr;
using testing::HasSubstr;

struct SplitModel {
  std::vector<std::string> base;
  std::vector<std::string> fibre;
  std::string generator;
  std::vector<std::pair<std::string, double>> parameters = {};
  std::vector<std::string> rotation = {};
  bool hamiltonian = false;
};

mechanics::System system_of_model(const SplitModel& model) {
  auto graph = std::make_shared<symbolic::Graph>();
  std::vector<Expr> x;
  std::vector<Expr> y;
  for (const auto& name : model.base) x.push_back(graph->symbol(name));
  for (const auto& name : model.fibre) y.push_back(graph->symbol(name));
  auto system = mechanics::make_system(geometry::tangent(graph, {x, y}));
  system.name = "test";
  std::map<std::string, Expr, std::less<>> names{{"z", system.z}, {"t", system.t}};
  for (const auto& all : {x, y, system.p})
    for (const Expr& symbol : all) names.emplace(symbol.name(), symbol);
  for (const auto& [name, value] : model.parameters) {
    system.parameters.push_back({graph->symbol(name), value});
    names.emplace(name, system.parameters.back().symbol);
  }
  if (model.hamiltonian) system.formulation = mechanics::Formulation::hamiltonian;
  system.generator = symbolic::parse(*graph, model.generator, names);
  if (!model.rotation.empty()) {
    mechanics::Symmetry symmetry{"rotation", {}};
    for (const auto& text : model.rotation) symmetry.section.push_back(symbolic::parse(*graph, text, names));
    system.symmetries.push_back(symmetry);
  }
  return system;
}

const SplitModel pendulum_model{{"q"}, {"v"}, "v^2/2 + cos(q) + q*cos(2*t)/5 - gamma*z - z^2/20", {{"gamma", 0.125}}};
const SplitModel kepler{
    {"x", "y"}, {"u", "v"}, "m*(u^2 + v^2 + u*v/2)/2 + 1/sqrt(x^2 + y^2) - gamma*z", {{"gamma", 0.05}, {"m", 1.0}}};
const SplitModel oscillator_model{{"q"}, {"v"}, "v^2/2 - q^2/2 - a*z", {{"a", 0.125}}};

const integrate::Dynamics& with_steps(const Simulator& simulator) {
  return simulator.dynamics_for(*integrate::find_method("contact-splitting-2"));
}

integrate::MethodInfo verlet_user() {
  integrate::MethodInfo info;
  info.name = "verlet";
  info.needs = integrate::Requirement::verlet;
  return info;
}

integrate::Outcome follow(const integrate::Dynamics& dynamics, const std::vector<double>& parameters,
                          const std::vector<double>& start, double t0, const integrate::Settings& settings,
                          std::vector<integrate::Sample>& samples) {
  return integrate::integrate(dynamics, parameters, t0, start, settings, [&](const integrate::Sample& sample) {
    samples.push_back(sample);
    return true;
  });
}

integrate::Sample last(const Simulator& simulator, const std::string& method, const std::vector<double>& start,
                       double t0, double t_end, double step) {
  std::vector<integrate::Sample> samples;
  const auto& dynamics = simulator.dynamics_for(*integrate::find_method(method));
  const auto outcome = follow(dynamics, simulator.parameter_values(), start, t0,
                              {.method = method, .t_end = t_end, .step = step, .tolerance = 1e-13}, samples);
  EXPECT_EQ(outcome.status, integrate::Status::success) << outcome.reason.text();
  return samples.back();
}

void expect_order(const std::function<double(double)>& error_of, double duration, int order) {
  const auto found = test::observed_order(error_of, duration, order);
  ASSERT_GE(found.used, 4U) << "order " << order << ": too few errors above round-off:" << found.seen;
  EXPECT_NEAR(found.slope, order, 0.2) << found.seen;
}

void expect_orders(const SplitModel& model, const std::vector<double>& start, double t0, double t_end) {
  const Simulator simulator(system_of_model(model));
  const auto exact = last(simulator, "reference", start, t0, t_end, 0).state;
  for (const int order : {2, 4, 6, 8}) {
    const std::string method = "contact-splitting-" + std::to_string(order);
    SCOPED_TRACE(model.generator);
    expect_order(
        [&](double step) {
          return test::largest_difference(last(simulator, method, start, t0, t_end, step).state, exact);
        },
        t_end - t0, order);
  }
}

}  // namespace

TEST(ContactSplitting, HasItsOrderForAForcedPendulumWithNonlinearAction) {
  expect_orders(pendulum_model, {0.5, 1.2, 0.3}, 0.2, 8.2);
}

TEST(ContactSplitting, HasItsOrderForKeplerWithDragAndAFullMassMatrix) {
  expect_orders(kepler, {1.0, 0.1, 0.0, 1.1, 0.0}, 0, 3);
}

TEST(ContactSplitting, HasItsOrderForAHamiltonianThatIsNotQuadraticAndAFrictionThatDependsOnPlaceAndTime) {
  expect_orders({{"q"}, {"v"}, "sqrt(1 + p_v^2)*(1 + sin(t)/4) + q^2/2 + (1 + q^2)*z/(4 + t)", {}, {}, true},
                {0.5, 0.7, 0.3}, 0, 4);
}

namespace {

/// The largest defect of Phi* eta = factor eta of runs of a few steps from random states.
double contact_defect(const SplitModel& model, const std::string& method, double step) {
  const Simulator simulator(system_of_model(model));
  const auto& steps = with_steps(simulator).splitting;
  const auto parameters = simulator.parameter_values();
  const std::size_t n = model.base.size();
  const double t0 = 0.3;
  const double t1 = t0 + 3 * step;
  std::vector<double> work(steps.momentum.work_size() + steps.velocity.work_size());
  const auto convert = [&](const kernel::Kernel& kernel, std::vector<double> state, double t) {
    state.push_back(t);
    std::vector<double> fibre(n);
    kernel(state.data(), parameters.data(), fibre.data(), work.data());
    std::copy(fibre.begin(), fibre.end(), state.begin() + static_cast<std::ptrdiff_t>(n));
    state.pop_back();
    return state;
  };
  const auto end_of = [&](std::span<const double> from) {
    return last(simulator, method, convert(steps.velocity, {from.begin(), from.end()}, t0), t0, t1, step);
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(0.4, 1.1);
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> point(2 * n + 1);
    for (double& entry : point) entry = number(random);
    const double factor = std::exp(-end_of(point).log_factor);
    const auto map = [&](std::span<const double> from, std::span<double> to) {
      const auto end = convert(steps.momentum, end_of(from).state, t1);
      std::copy(end.begin(), end.end(), to.begin());
    };
    largest = std::max(largest, analyse::contact_defect(map, point, factor));
  }
  return largest;
}

}  // namespace

// Theory, Sec. 4: each part is a conformal contact map, for every Phi(z, q).
TEST(ContactSplitting, IsAConformalContactMapWithTheFactorOfTheRun) {
  const SplitModel mixed{{"q"}, {"v"}, "v^2/2 - q^2*exp(z/3)/2 - sin(t)*z^3/10"};
  for (const auto* model : {&pendulum_model, &kepler, &mixed}) {
    for (const char* method : {"contact-splitting-2", "contact-splitting-6"})
      EXPECT_LT(contact_defect(*model, method, 0.1), 1e-10) << model->generator << " " << method;
    EXPECT_GT(contact_defect(*model, "contact-energy-2", 0.1), 1e-7) << "the test would notice a map that is not";
  }
}

TEST(ContactSplitting, KeepsDissipatedMomentaToRoundOff) {
  const SplitModel central{
      {"x", "y"}, {"u", "v"}, "(u^2 + v^2)/2 + 1/sqrt(x^2 + y^2) - z/20 - z^2/100", {}, {"-y", "x"}};
  const Simulator simulator(system_of_model(central));
  for (const int order : {2, 4, 6, 8}) {
    Settings settings;
    settings.method = "contact-splitting-" + std::to_string(order);
    settings.step = 0.05;
    settings.t_end = 40;
    settings.output_every = 10;
    const auto run = simulator.run({{"x", 1.0}, {"v", 0.9}}, settings);
    double largest = 0;
    for (const double residual : run["momentum_residual.rotation"]) largest = std::max(largest, std::abs(residual));
    EXPECT_LT(largest, 2e-14) << settings.method;
  }
}

namespace {

constexpr double t_end = 50;

/// q'' = -q - q'/8 with q(0) = q'(0) = 1.
double oscillation(double t) {
  constexpr double a = 0.125;
  const double w = std::sqrt(1 - a * a / 4);
  return std::exp(-a * t / 2) * (std::cos(w * t) + (1 + a / 2) / w * std::sin(w * t));
}

/// The largest error of q, by the kernels alone.
double error_of(const integrate::ExplicitKernels& step, const std::vector<double>& parameters, double h,
                const std::vector<double>& composition) {
  std::vector<double> sums{1, 1, 0, 0, 0, 0, 0, 0};
  std::vector<double> substep(2 + step.constants);
  std::vector<double> work(step.prepare.work_size());
  double largest = 0;
  for (int k = 1; k * h <= t_end; ++k) {
    for (const double fraction : composition) {
      substep[1] = fraction * h;
      step.prepare(&substep[1], parameters.data(), &substep[2], work.data());
      step.loop(sums.data(), parameters.data(), substep.data(), {.count = 1, .substeps = 1});
    }
    largest = std::max(largest, std::abs(sums[0] - oscillation(k * h)));
  }
  return largest;
}

double error_of(const Simulator& simulator, const std::string& method, double h) {
  std::vector<integrate::Sample> samples;
  const auto outcome = follow(with_steps(simulator), simulator.parameter_values(), {1, 1, 0}, 0,
                              {.method = method, .t_end = t_end, .step = h, .schedule = {.every = 1}}, samples);
  EXPECT_EQ(outcome.status, integrate::Status::success) << outcome.reason.text();
  double largest = 0;
  for (const auto& sample : samples) largest = std::max(largest, std::abs(sample.state[0] - oscillation(sample.t)));
  return largest;
}

}  // namespace

// Independent computation of the errors of Yoshida's composition A of order 6 [Yos90] and of the contact variational
// integrator of order 2 [VBS19].
TEST(ContactSplitting, HasTheErrorsOfAnIndependentComputation) {
  const Simulator simulator(system_of_model(oscillator_model));
  const auto& splitting = with_steps(simulator).splitting;
  const auto& verlet = simulator.dynamics_for(verlet_user()).verlet;
  ASSERT_TRUE(verlet);
  const auto parameters = simulator.parameter_values();
  constexpr double y1 = 0.78451361047755726382;
  constexpr double y2 = 0.23557321335935813368;
  constexpr double y3 = -1.17767998417887100695;
  const std::vector<double> yoshida{y1, y2, y3, 1 - 2 * (y1 + y2 + y3), y3, y2, y1};
  const double steps[]{0.5, 0.25, 0.125, 0.0625};
  const double sixth[]{5.2e-4, 8.1e-6, 1.3e-7, 2.0e-9};
  const double second[]{8.75e-2, 2.14e-2, 5.32e-3, 1.33e-3};
  for (int k = 0; k < 4; ++k) {
    const double of_yoshida = error_of(splitting, parameters, steps[k], yoshida);
    EXPECT_NEAR(of_yoshida / sixth[k], 1, 0.06) << of_yoshida;
    EXPECT_LT(error_of(simulator, "contact-splitting-6", steps[k]), of_yoshida / 8);
    const double of_verlet = error_of(verlet, parameters, steps[k], {1.0});
    EXPECT_NEAR(of_verlet / second[k], 1, 0.03) << of_verlet;
  }
}

TEST(ContactSplitting, StaysExactWhereTheFrictionVanishes) {
  const Simulator simulator(system_of_model(oscillator_model));
  const auto& dynamics = with_steps(simulator);
  const std::vector<double> start{1, 1, 0};
  std::vector<std::vector<double>> ends;
  for (const double a : {0.0, 1e-18, 1e-9}) {
    std::vector<integrate::Sample> samples;
    follow(dynamics, {a}, start, 0, {.method = "contact-splitting-8", .t_end = 10, .step = 0.1}, samples);
    ends.push_back(samples.back().state);
  }
  EXPECT_NEAR(ends[0][0], std::cos(10.0) + std::sin(10.0), 1e-13);
  EXPECT_EQ(ends[1], ends[0]);
  EXPECT_NEAR(test::largest_difference(ends[2], ends[0]) / 1e-8, 0.5, 0.5);
}

// Chandrasekhar, An Introduction to the Study of Stellar Structure, Ch. IV: closed forms for n = 0, 1, 5.
TEST(ContactSplitting, FollowsLaneEmden) {
  const SplitModel star{{"theta"}, {"slope"}, "slope^2/2 - theta^(n + 1)/(n + 1) - 2*z/t", {{"n", 5.0}}};
  const Simulator simulator(system_of_model(star));
  const auto& dynamics = with_steps(simulator);
  const auto closed = [](double n, double x) {
    return n == 0 ? 1 - x * x / 6 : n == 1 ? std::sin(x) / x : 1 / std::sqrt(1 + x * x / 3);
  };
  const auto slope = [](double n, double x) {
    return n == 0 ? -x / 3 : n == 1 ? std::cos(x) / x - std::sin(x) / (x * x) : -x / 3 * std::pow(1 + x * x / 3, -1.5);
  };
  for (const double n : {0.0, 1.0, 5.0}) {
    std::vector<integrate::Sample> samples;
    follow(dynamics, {n}, {closed(n, 1), slope(n, 1), 0}, 1,
           {.method = "contact-splitting-8", .t_end = 2.4, .step = 0.025}, samples);
    EXPECT_NEAR(samples.back().state[0], closed(n, 2.4), 1e-12) << n;
    EXPECT_NEAR(samples.back().log_factor, 2 * std::log(2.4), 1e-11);
  }
}

// BSVZ20: L = v^2/2 + 1/r - alpha sin(Omega t) z has J(t) = J(0) exp(-alpha (1 - cos(Omega t))/Omega).
TEST(ContactSplitting, HasItsOrderInTheAngularMomentumOfKeplerWithADragThatChangesSign) {
  const Simulator simulator(
      system_of_model({{"x", "y"}, {"u", "v"}, "(u^2 + v^2)/2 + 1/sqrt(x^2 + y^2) - sin(3*t/2)*z/10"}));
  const double expected = 1.1 * std::exp(-(1 - std::cos(1.5 * 5)) / 15);
  for (const int order : {2, 4, 6, 8}) {
    const auto error = [&](double step) {
      const auto end =
          last(simulator, "contact-splitting-" + std::to_string(order), {1, 0, -0.1, 1.1, 0}, 0, 5, step).state;
      return std::abs(end[0] * end[3] - end[1] * end[2] - expected);
    };
    expect_order(error, 5, order);
  }
}

TEST(ContactSplitting, NamesWhatDoesNotFit) {
  const auto refusal = [](const SplitModel& model, bool force = false) {
    auto system = system_of_model(model);
    if (force) system.forces[0] = -system.algebroid.y[0];
    const Simulator simulator(std::move(system));
    try {
      with_steps(simulator);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(refusal({{"q"}, {"v"}, "exp(z)*v^2/2 - q^2/2"}),
              AllOf(HasSubstr("contact-splitting-2"), HasSubstr("the term v^2*exp(z)/2"), HasSubstr("is neither T")));
  EXPECT_THAT(refusal({{"x", "y"}, {"u", "v"}, "(u^2 + v^2)/2 - 3*y*u - z"}), HasSubstr("y*u"));
  EXPECT_THAT(refusal({{"q"}, {"v"}, "v^4/4 + v^2/2 - q^2/2"}), HasSubstr("no Legendre transform in closed form"));
  EXPECT_THAT(refusal(oscillator_model, true), HasSubstr("the force p_v = -v has no place"));
  EXPECT_THAT(refusal({{"q"}, {"v"}, "(v^2 - q^2)/2"}), HasSubstr("nothing was refused"));
}

TEST(ContactVerlet, StaysEmptyWhereItIsImplicit) {
  EXPECT_TRUE(Simulator(system_of_model(kepler)).dynamics_for(verlet_user()).verlet);
  EXPECT_FALSE(Simulator(system_of_model(pendulum_model)).dynamics_for(verlet_user()).verlet);
  EXPECT_FALSE(Simulator(system_of_model({{"q"}, {"v"}, "exp(z)*v^2/2 - q^2/2"})).dynamics_for(verlet_user()).verlet);
}

TEST(Splitting, TakesModelsThatDependOnTimeAndNotOnTheAction) {
  const Simulator simulator(system_of_model({{"q"}, {"v"}, "v^2/2 - cos(t)*q"}));
  for (const std::string method : {"contact-splitting-4", "contact-lobatto-2"}) {
    Settings settings;
    settings.method = method;
    settings.step = 1e-3;
    settings.t_end = 3;
    const auto run = simulator.run({{"q", 0.2}}, settings);
    EXPECT_NEAR(run["q"].back(), 0.2 + std::cos(3.0) - 1, 1e-6) << method;
  }
}
