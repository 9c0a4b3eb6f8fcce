// The exact discrete Lagrangian: stored values, the theorems of [ASMLL20, Sec. 4], and the order of discrete
// Lagrangians.

#include "herglotz/analyse/exact_discrete_lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "herglotz/analyse/discrete_order.hpp"
#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "project_folders.hpp"

namespace herglotz::analyse {
namespace {

using nlohmann::json;
using Vector = std::vector<double>;

double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

std::string model(const std::string& base, const std::string& fibre, const std::string& lagrangian) {
  return "[model]\nname = \"m\"\n[algebroid]\nkind = \"tangent\"\nbase = [" + base + "]\nfibre = [" + fibre +
         "]\n[parameters]\ngamma = -0.05\n[dynamics]\nlagrangian = \"" + lagrangian + "\"\n";
}

struct System {
  explicit System(const std::string& text) : problem(io::parse_model(text)), simulator(problem.system) {}
  [[nodiscard]] const integrate::Dynamics& dynamics() const { return simulator.dynamics(); }
  [[nodiscard]] ExactDiscreteLagrangian between(const Vector& x0, const Vector& x1, double z0, double h,
                                                double t0 = 0) const {
    return exact_discrete_lagrangian(dynamics(), simulator.parameter_values(), t0, x0, x1, z0, h);
  }
  [[nodiscard]] ContactExponential from(const Vector& x0, const Vector& y0, double z0, double h, double t0 = 0) const {
    return contact_exponential(dynamics(), simulator.parameter_values(), t0, x0, y0, z0, h);
  }
  simulate::Problem problem;
  simulate::Simulator simulator;
};

/// Nonlinear in everything, time-dependent, two degrees of freedom.
System coupled() {
  return System(model("\"x\", \"y\"", "\"vx\", \"vy\"",
                      "(1 + z^2/10)*(vx^2 + vy^2)/2 + vx*vy*cos(y)/4 - (x^2 + y^2)^2/8 - x*sin(t)/3 - z/5 - z^2/20"));
}

Vector moved(Vector x, std::size_t i, double by) {
  x[i] += by;
  return x;
}

void expect_values(const std::string& name, const std::string& lagrangian, double mass_tolerance) {
  std::ifstream file(source_folder() + "/tests/reference/" + name + ".json");
  const json data = json::parse(file);
  std::size_t count = 0;
  for (const auto& value : data["values"]) {
    System system(model("\"q\"", "\"v\"", lagrangian));
    const Vector parameters{number(value["gamma"])};
    const auto exact = exact_discrete_lagrangian(system.dynamics(), parameters, 0, Vector{number(value["q0"])},
                                                 Vector{number(value["q1"])}, number(value["z0"]), number(value["h"]));
    const auto expect = [&](double found, const char* key) {
      if (!value.contains(key)) return;
      EXPECT_NEAR(found, number(value[key]), mass_tolerance * std::max(1.0, std::abs(number(value[key])))) << key;
      ++count;
    };
    expect(exact.y0[0], "v0");
    expect(exact.y1[0], "v1");
    expect(exact.value + number(value["z0"]), "z1");
    expect(exact.value, "L_exact");
    expect(exact.D1[0], "D1");
    expect(exact.D2[0], "D2");
    expect(exact.p1[0], "D2");
    expect(exact.D_z, "Dz");
    EXPECT_NEAR(exact.minus[0], 0, mass_tolerance * std::max(1.0, std::abs(exact.D1[0])));
    EXPECT_NEAR(exact.plus[0], 0, mass_tolerance * std::max(1.0, std::abs(exact.D2[0])));
    EXPECT_NEAR(exact.force_z, 0, mass_tolerance);
  }
  EXPECT_GT(count, 10u);
}

TEST(ExactDiscreteLagrangian, StoredValuesOfTheFreeParticle) {
  expect_values("exact_discrete_lagrangian_free", "v^2/2 + gamma*z", 1e-12);
}

TEST(ExactDiscreteLagrangian, StoredValuesOfTheDampedOscillator) {
  expect_values("exact_discrete_lagrangian_oscillator", "v^2/2 - q^2/2 + gamma*z", 1e-12);
}

// Eq. 78; the sign of its last term is printed wrongly: D_z L_d^e = e^{gamma h} - 1 must hold.
TEST(ASMLL20, Equation78TheFreeParticle) {
  const System free(model("\"q\"", "\"v\"", "v^2/2 + gamma*z"));
  const double gamma = -0.05;
  for (const double h : {0.5, 2.0, -0.7}) {
    const auto exact = free.between({1.0}, {2.5}, 0.3, h);
    const double e = std::exp(gamma * h);
    EXPECT_NEAR(exact.value, gamma * 1.5 * 1.5 * e / (2 * e - 2) + 0.3 * (e - 1), 1e-12);
  }
}

TEST(ASMLL20, Theorem41TheContactExponentialMapIsALocalDiffeomorphism) {
  const System system = coupled();
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-0.8, 0.8);
  for (int k = 0; k < 6; ++k) {
    const Vector x0{uniform(engine), uniform(engine)};
    const Vector y0{uniform(engine), uniform(engine)};
    const double z0 = uniform(engine);
    const double h = k % 2 == 0 ? 0.4 : -0.3;
    const auto motion = system.from(x0, y0, z0, h, 0.2);
    const double determinant = motion.dx1[0] * motion.dx1[3] - motion.dx1[1] * motion.dx1[2];
    EXPECT_GT(std::abs(determinant), 1e-2);
    const auto back = system.between(x0, motion.x1, z0, h, 0.2);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(back.y0[i], y0[i], 2e-12);
    // dx1/dy0 is the derivative of the map.
    for (std::size_t j = 0; j < 2; ++j) {
      Vector plus = y0;
      Vector minus = y0;
      plus[j] += 1e-5;
      minus[j] -= 1e-5;
      const auto after = system.from(x0, plus, z0, h, 0.2);
      const auto before = system.from(x0, minus, z0, h, 0.2);
      for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(motion.dx1[2 * i + j], (after.x1[i] - before.x1[i]) / 2e-5, 1e-8);
    }
  }
}

// M_d holds (x0, z0, x1, z1) of the motions, and (x0, z0, x1) are coordinates on it: along M_d
//   dz1 = sigma dz0 + p1 dx1 - sigma p0 dx0,
// so that nothing but 0 lies in the kernel of the projection which drops z1.
TEST(ASMLL20, Lemma42TheEndOfTheActionFollowsFromTheOtherEnds) {
  const System system = coupled();
  const Vector x0{0.3, -0.2};
  const Vector y0{0.4, 0.7};
  const double z0 = 0.1;
  const double h = 0.5;
  const auto motion = system.from(x0, y0, z0, h, 0.2);
  // p = L_y of the sample.
  const auto momentum = [](const Vector& x, const Vector& y, double z) {
    const double mass = 1 + z * z / 10;
    const double mixed = std::cos(x[1]) / 4;
    return Vector{mass * y[0] + mixed * y[1], mass * y[1] + mixed * y[0]};
  };
  const Vector p0 = momentum(x0, y0, z0);
  const Vector p1 = momentum(motion.x1, motion.y1, motion.z1);
  // (x1, z1) by each of (x0, y0, z0), by differences of order 6 of the motion alone.
  const auto slopes = [&](std::size_t k) {
    Vector sum(3, 0.0);
    for (const auto& [weight, steps] : {std::pair{45.0, 1}, {-9.0, 2}, {1.0, 3}})
      for (const int sign : {1, -1}) {
        const double by = sign * steps * 1e-2;
        const auto end = system.from(k < 2 ? moved(x0, k, by) : x0, k == 2 || k == 3 ? moved(y0, k - 2, by) : y0,
                                     z0 + (k == 4 ? by : 0), h, 0.2);
        const Vector at{end.x1[0], end.x1[1], end.z1};
        for (std::size_t i = 0; i < 3; ++i) sum[i] += sign * weight * at[i] / 0.6;
      }
    return sum;
  };
  Vector parallel;
  for (std::size_t k = 0; k < 5; ++k) {
    const Vector d = slopes(k);
    const double start = (k < 2 ? -motion.factor * p0[k] : 0) + (k == 4 ? motion.factor : 0);
    EXPECT_NEAR(d[2], p1[0] * d[0] + p1[1] * d[1] + start, 1e-10) << k;
    EXPECT_GT(std::abs(d[2]), 1e-4) << k;
    if (k == 2 || k == 3) parallel.insert(parallel.end(), {d[0], d[1]});
  }
  // The embedding: dx1/dy0 has full rank, so that every direction of M_d over (x0, z0) moves x1.
  EXPECT_GT(std::abs(parallel[0] * parallel[3] - parallel[1] * parallel[2]), 1e-2);
}

// Eq. 64, by differences of L_d^e itself, and by the variational equations.
TEST(ASMLL20, Theorem43DerivativesOfTheExactDiscreteLagrangianAreTheLegendreTransforms) {
  const System system = coupled();
  const Vector x0{0.3, -0.2};
  const Vector x1{0.5, 0.1};
  const double z0 = 0.4;
  const double h = 0.5;
  const auto exact = system.between(x0, x1, z0, h);
  const auto slope = [](const std::function<double(double)>& f) {
    const double s = 1e-3;
    return (8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const auto moved = [i](Vector x, double by) {
      x[i] += by;
      return x;
    };
    EXPECT_NEAR(exact.D1[i], slope([&](double by) { return system.between(moved(x0, by), x1, z0, h).value; }), 1e-9);
    EXPECT_NEAR(exact.D2[i], slope([&](double by) { return system.between(x0, moved(x1, by), z0, h).value; }), 1e-9);
    EXPECT_NEAR(exact.D2[i], exact.p1[i], 1e-11);
    EXPECT_NEAR(exact.D1[i], -exact.sigma * exact.p0[i], 1e-11);
  }
  EXPECT_NEAR(exact.D_z, exact.sigma - 1, 1e-11);
  EXPECT_NEAR(exact.D_z, slope([&](double by) { return system.between(x0, x1, z0 + by, h).value; }), 1e-9);
}

TEST(ASMLL20, Theorem44TheExactDiscreteLagrangianGivesTheExactMotion) {
  const System system = coupled();
  const Vector x0{0.3, -0.2};
  const Vector y0{0.4, 0.7};
  const double h = 0.4;
  // 3. Samples of one motion satisfy the discrete Herglotz equations of L_d^e.
  const auto first = system.from(x0, y0, 0.1, h);
  const auto second = system.from(first.x1, first.y1, first.z1, h, h);
  const auto before = system.between(x0, first.x1, 0.1, h);
  const auto after = system.between(first.x1, second.x1, first.z1, h, h);
  EXPECT_NEAR(before.value, first.z1 - 0.1, 1e-13);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(after.D1[i] + (1 + after.D_z) * before.D2[i], 0, 1e-11);
    // 2. F+ = (flow of the contact Hamiltonian) o F-: p1 = D2 is the momentum of the motion that starts with
    // p0 = -D1/sigma, since both are those of one motion.
    EXPECT_NEAR(before.y1[i], first.y1[i], 1e-11);
    EXPECT_NEAR(before.y0[i], y0[i], 1e-11);
  }
  // 1. L_d^e is regular: sigma_d > 0, and D_2 D_1 is the inverse of dx1/dy0 times W and sigma, which has full rank.
  EXPECT_GT(1 + before.D_z, 0);
  const double determinant = first.dx1[0] * first.dx1[3] - first.dx1[1] * first.dx1[2];
  EXPECT_GT(std::abs(determinant), 1e-2);
}

/// The same with forces that depend on everything.
System forced() {
  return System(model("\"x\", \"y\"", "\"vx\", \"vy\"",
                      "(1 + z^2/10)*(vx^2 + vy^2)/2 + vx*vy*cos(y)/4 - (x^2 + y^2)^2/8 - x*sin(t)/3 - z/5 - z^2/20") +
                "forces = { vx = \"-vx*(1 + x^2) + z\", vy = \"cos(t) - x - vy^3\" }\n");
}

/// The derivative by differences of order 4.
double slope_of(const std::function<double(double)>& f, double s = 1e-3) {
  return (8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s);
}

TEST(ExactDiscreteLagrangian, WithForcesHasTheDerivativesOfItsValue) {
  const System system = forced();
  const Vector x0{0.3, -0.2};
  const Vector x1{0.5, 0.1};
  const double z0 = 0.4;
  const double h = 0.5;
  const auto exact = system.between(x0, x1, z0, h);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(exact.D1[i], slope_of([&](double by) { return system.between(moved(x0, i, by), x1, z0, h).value; }),
                1e-9);
    EXPECT_NEAR(exact.D2[i], slope_of([&](double by) { return system.between(x0, moved(x1, i, by), z0, h).value; }),
                1e-9);
    // The forces are not a small matter: neither momentum is a derivative of the value.
    EXPECT_GT(std::abs(exact.D1[i] + exact.sigma * exact.p0[i]), 3e-3);
    EXPECT_GT(std::abs(exact.D2[i] - exact.p1[i]), 3e-3);
  }
  EXPECT_NEAR(exact.D_z, slope_of([&](double by) { return system.between(x0, x1, z0 + by, h).value; }), 1e-9);
}

// minus.dx0 + plus.dx1 + force_z dz0 = int_0^h exp(int_t^h L_z) F.dq(t) dt over the motions between varied ends.
TEST(ExactDiscreteLagrangian, HasTheVirtualWorkOfTheForcesAsDiscreteForces) {
  const System system = forced();
  const Vector x0{0.3, -0.2};
  const Vector x1{0.5, 0.1};
  const double z0 = 0.4;
  const double h = 0.5;
  const auto exact = system.between(x0, x1, z0, h);
  // Gauss nodes and weights on [0, 1], five of them.
  const double a = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3;
  const double b = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double wa = (322 + 13 * std::sqrt(70.0)) / 900;
  const double wb = (322 - 13 * std::sqrt(70.0)) / 900;
  const std::vector<std::pair<double, double>> nodes{{0, 128.0 / 225}, {a, wa}, {-a, wa}, {b, wb}, {-b, wb}};
  /// The work for the variation that `between` makes of the ends.
  const auto work = [&](const std::function<std::pair<Vector, Vector>(double)>& varied, bool vary_action) {
    double sum = 0;
    for (const auto& [node, weight] : nodes) {
      const double t = h * (1 + node) / 2;
      const auto at = system.from(x0, exact.y0, z0, t);
      const Vector force{-at.y1[0] * (1 + at.x1[0] * at.x1[0]) + at.z1,
                         std::cos(t) - at.x1[0] - at.y1[1] * at.y1[1] * at.y1[1]};
      for (std::size_t i = 0; i < 2; ++i) {
        const double dq = slope_of([&](double by) {
          const auto [from, to] = varied(by);
          const double start = z0 + (vary_action ? by : 0);
          return system.from(from, system.between(from, to, start, h).y0, start, t).x1[i];
        });
        sum += h / 2 * weight * exact.sigma / at.factor * force[i] * dq;
      }
    }
    return sum;
  };
  EXPECT_NEAR(exact.minus[0], work([&](double by) { return std::pair{moved(x0, 0, by), x1}; }, false), 1e-7);
  EXPECT_NEAR(exact.plus[1], work([&](double by) { return std::pair{x0, moved(x1, 1, by)}; }, false), 1e-7);
  EXPECT_NEAR(exact.force_z, work([&](double) { return std::pair{x0, x1}; }, true), 1e-7);
  EXPECT_GT(std::abs(exact.force_z), 1e-5);
}

TEST(ExactDiscreteLagrangian, ConjugatePointsAreNamed) {
  const System oscillator(model("\"q\"", "\"v\"", "v^2/2 - q^2/2"));
  try {
    static_cast<void>(oscillator.between({0.0}, {0.5}, 0, std::acos(-1.0)));
    FAIL() << "no motion of the oscillator goes from 0 to 1/2 in half a period";
  } catch (const std::runtime_error& failure) {
    EXPECT_NE(std::string(failure.what()).find("conjugate"), std::string::npos) << failure.what();
  }
}

TEST(ExactDiscreteLagrangian, SystemsThatHaveNoneAreRefused) {
  const System body(
      "[model]\nname = \"b\"\n[algebroid]\nkind = \"lie-algebra\"\ngroup = \"so3\"\nfibre = [\"a\", \"b\", "
      "\"c\"]\n[dynamics]\nlagrangian = \"a^2 + b^2 + c^2\"\n");
  EXPECT_THROW(static_cast<void>(body.between({}, {}, 0, 0.1)), std::invalid_argument);
}

// What [ASMLL20, Sec. 6] leaves for later: the flow has the order of the discrete Lagrangian.
TEST(DiscreteOrder, OfTheFlowIsThatOfTheDiscreteLagrangian) {
  const System bare = coupled();
  for (const auto& [position, action, order] :
       {std::tuple{discrete::PositionRule::left, discrete::ActionRule::left, 1},
        {discrete::PositionRule::left, discrete::ActionRule::implicit, 1},
        {discrete::PositionRule::midpoint, discrete::ActionRule::left, 1},
        {discrete::PositionRule::trapezoid, discrete::ActionRule::left, 1},
        {discrete::PositionRule::midpoint, discrete::ActionRule::implicit, 2},
        {discrete::PositionRule::trapezoid, discrete::ActionRule::implicit, 2}}) {
    const auto step = discrete::discretise(bare.problem.system, position, action);
    const simulate::Simulator simulator(bare.problem.system, {}, {}, step);
    const auto measured = discrete_order(simulator.dynamics_for(*integrate::find_method("discrete-herglotz")),
                                         simulator.parameter_values(), 0, Vector{0.6, 0.2}, Vector{0.3, 0.7}, 0.4, 0.1);
    EXPECT_NEAR(measured.lagrangian, order, 0.15) << step.rule;
    EXPECT_NEAR(measured.flow, order, 0.15) << step.rule;
  }
}

}  // namespace
}  // namespace herglotz::analyse
