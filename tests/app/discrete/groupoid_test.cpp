// Discrete Lagrangians on Lie groups, action and Atiyah groupoids and in frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "app/program.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

analyse::Trajectory run_of(const std::string& text, const std::function<void(simulate::Settings&)>& change = {}) {
  auto problem = io::parse_model(text);
  if (change) change(problem.settings);
  return simulate::Simulator(problem.system, {}, problem.initial, problem.discrete)
      .run(problem.initial, problem.settings);
}

double largest_difference(const analyse::Trajectory& a, const analyse::Trajectory& b,
                          const std::vector<std::string>& columns) {
  double largest = 0;
  for (const auto& name : columns) {
    EXPECT_EQ(a[name].size(), b[name].size());
    for (std::size_t k = 0; k < a[name].size(); ++k) largest = std::max(largest, std::abs(a[name][k] - b[name][k]));
  }
  return largest;
}

/// The heavy top of the gallery without its outputs; `discrete` is the text of [discrete].
std::string heavy_top(const std::string& discrete, const std::string& forces = "") {
  return R"toml([algebroid]
kind = "action"
group = "so3"
base = ["g1", "g2", "g3"]
fibre = ["w1", "w2", "w3"]
generators = [["0", "g3", "-g2"], ["-g3", "0", "g1"], ["g2", "-g1", "0"]]
[parameters]
gamma = 0.15
[dynamics]
lagrangian = "(w1^2 + 1.5*w2^2 + 0.8*w3^2)/2 - 0.3*g1 - 0.1*g2 - 1.2*g3 - gamma*z - z^2/50"
)toml" + forces +
         "[symmetries]\nvertical = [\"g1\", \"g2\", \"g3\"]\n" + discrete + R"toml([initial]
g1 = 0.6
g3 = 0.8
w1 = 0.7
w2 = 0.5
w3 = 1.1
z = 0.25
[simulation]
step = 0.05
t_end = 5
)toml";
}

/// A charged particle with a non-abelian charge, [ASC25, Ex. 3.9].
std::string wong(const std::string& discrete) {
  return R"toml([algebroid]
kind = "atiyah"
group = "so3"
base = ["x1", "x2"]
fibre = ["u1", "u2", "v1", "v2", "v3"]
connection = [["3*x2/10", "1/5", "x1/10"], ["-3*x1/10", "x1/10", "x2^2/5"]]
[dynamics]
lagrangian = "(u1^2 + u2^2)/2 + (v1^2 + v2^2 + v3^2)/2 - z/10"
)toml" + discrete +
         R"toml([initial]
x1 = 0.4
x2 = 0.6
u1 = 0.5
u2 = -0.3
v1 = 0.7
v2 = 0.5
v3 = 1.1
z = 0.2
[simulation]
step = 0.05
t_end = 2
)toml";
}

/// The discrete body of [MV91] with damping: L_d = -tr(J W)/h - h gamma z0 + const with W = exp(eta), J = diag(2, 1,
/// 0).
const std::string discrete_body = R"toml([algebroid]
kind = "lie-group"
group = "so3"
base = ["q0", "q1", "q2", "q3"]
fibre = ["w1", "w2", "w3"]
[parameters]
gamma = 0.1
[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2 - gamma*z"
[discrete]
lagrangian = "(1 - cos(sqrt(eta_w1^2 + eta_w2^2 + eta_w3^2)))/(eta_w1^2 + eta_w2^2 + eta_w3^2)*(eta_w1^2 + 2*eta_w2^2 + 3*eta_w3^2)/h - h*gamma*z0"
[initial]
w1 = 0.7
w2 = 0.5
w3 = 1.1
z = 0.25
[simulation]
step = 0.2
t_end = 4
)toml";

using Matrix3 = std::array<std::array<double, 3>, 3>;

Matrix3 rotation_of(const std::array<double, 4>& q) {
  const auto [a, b, c, d] = q;
  return {{{1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)},
           {2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)},
           {2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)}}};
}

/// Vector of X - X^T.
std::array<double, 3> vee(const Matrix3& X) {
  return {X[2][1] - X[1][2], X[0][2] - X[2][0], X[1][0] - X[0][1]};
}

}  // namespace

// [MV91], [MMM06, Sec. 4] with the action of [ASMLL20, Sec. 3]: every row obeys the equations in matrices.
TEST(DiscreteLagrangianOnAGroup, MakesTheDiscreteBodyOfMoserAndVeselov) {
  const auto run = run_of(discrete_body);
  constexpr double h = 0.2;
  constexpr double sigma = 1 - h * 0.1;
  const std::array<double, 3> inertia{1, 2, 3};
  const std::array<double, 3> J{2, 1, 0};
  const auto attitude = [&](std::size_t k) {
    return rotation_of({run["q0"][k], run["q1"][k], run["q2"][k], run["q3"][k]});
  };
  ASSERT_EQ(run["z"].size(), 21U);
  for (std::size_t k = 0; k + 1 < run["z"].size(); ++k) {
    const Matrix3 before = attitude(k);
    const Matrix3 after = attitude(k + 1);
    Matrix3 WJ{};
    Matrix3 JW{};
    double trace = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        double W = 0;
        for (std::size_t l = 0; l < 3; ++l) W += before[l][i] * after[l][j];
        WJ[i][j] = W * J[j];
        JW[i][j] = J[i] * W;
        if (i == j) trace += J[i] * (1 - W);
      }
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string w = "w" + std::to_string(a + 1);
      EXPECT_NEAR(sigma * inertia[a] * run[w][k], vee(WJ)[a] / h, 1e-12) << k;
      EXPECT_NEAR(inertia[a] * run[w][k + 1], vee(JW)[a] / h, 1e-12) << k;
    }
    EXPECT_NEAR(run["z"][k + 1], run["z"][k] + trace / h - h * 0.1 * run["z"][k], 1e-12) << k;
  }
}

TEST(DiscreteLagrangianOnAGroup, ShrinksTheMomentumBySigmaInEveryStep) {
  const auto run = run_of(discrete_body);
  const auto norm = [&](std::size_t k) { return std::hypot(run["w1"][k], 2 * run["w2"][k], 3 * run["w3"][k]); };
  for (std::size_t k = 0; k + 1 < run["z"].size(); ++k) EXPECT_NEAR(norm(k + 1), (1 - 0.2 * 0.1) * norm(k), 1e-13);
}

// The trapezoid rule is the method lie-hph-2, with other code.
TEST(DiscreteLagrangianOnAnActionGroupoid, IsTheHamiltonPontryaginMethodByTheTrapezoidRule) {
  for (const std::string forces : {"", "forces = { w1 = \"-w1*g3/5\", w3 = \"1/10 - w3/4\" }\n"}) {
    const auto text = heavy_top("[discrete]\nrule = \"trapezoid\"\n", forces);
    const auto discrete = run_of(text);
    const auto known = run_of(text, [](simulate::Settings& settings) { settings.method = "lie-hph-2"; });
    EXPECT_LE(largest_difference(discrete, known, {"g1", "g2", "g3", "w1", "w2", "w3", "z", "integrating_factor"}),
              1e-12);
  }
}

TEST(DiscreteLagrangianOnAnActionGroupoid, DissipatesTheMomentumOfASymmetryBySigma) {
  const auto run = run_of(heavy_top("[discrete]\nrule = \"left\"\naction_rule = \"left\"\n"));
  for (const double residual : run["momentum_residual.vertical"]) EXPECT_LE(std::abs(residual), 1e-13);
}

TEST(DiscreteLagrangianOnAnActionGroupoid, MayBeGivenWithBothEndsOfTheArrow) {
  const std::string kinetic = "(eta_w1^2 + 1.5*eta_w2^2 + 0.8*eta_w3^2)/(2*h)";
  const auto potential = [](const std::string& end) {
    return "h/2*(0.3*g1" + end + " + 0.1*g2" + end + " + 1.2*g3" + end + " + gamma*z" + end + " + z" + end + "^2/50)";
  };
  const auto given = run_of(
      heavy_top("[discrete]\nlagrangian = \"" + kinetic + " - " + potential("0") + " - " + potential("1") + "\"\n"));
  const auto rule = run_of(heavy_top("[discrete]\nrule = \"trapezoid\"\n"));
  EXPECT_LE(largest_difference(given, rule, {"g1", "g2", "g3", "w1", "w2", "w3", "z"}), 1e-13);
}

TEST(DiscreteLagrangianOnAnAtiyahGroupoid, HasOrderTwoByTheTrapezoidRule) {
  const auto text = wong("[discrete]\nrule = \"trapezoid\"\n");
  const auto exact = run_of(text, [](simulate::Settings& settings) {
    settings.method = "reference";
    settings.step.reset();
    settings.tolerance = 1e-13;
  });
  const auto error = [&](double step) {
    const auto run = run_of(text, [&](simulate::Settings& settings) { settings.step = step; });
    double largest = 0;
    for (const char* name : {"x1", "x2", "u1", "u2", "v1", "v2", "v3", "z"})
      largest = std::max(largest, std::abs(run[name].back() - exact[name].back()));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(0.04) / error(0.02)), 2, 0.05);
  EXPECT_LT(error(0.02), 1e-4);
}

// In a frame the arrow is the difference of the positions, and the motion is that of Q x Q.
TEST(DiscreteLagrangianInAFrame, HasTheMotionOfThePairGroupoid) {
  const std::string dynamics = R"toml([discrete]
lagrangian = "((r1 - r0)^2 + r0*r1*(phi1 - phi0)^2)/(2*h) - h*r0^2/2 - h*z0/10"
[simulation]
step = 0.05
t_end = 2
)toml";
  const auto tangent = run_of(R"toml([algebroid]
kind = "tangent"
base = ["r", "phi"]
fibre = ["vr", "vphi"]
[dynamics]
lagrangian = "(vr^2 + r^2*vphi^2)/2 - r^2/2 - z/10"
[initial]
r = 1
vr = 0.2
vphi = 0.7
)toml" + dynamics);
  const auto frame = run_of(R"toml([algebroid]
kind = "hamel"
base = ["r", "phi"]
fibre = ["vr", "w"]
frame = [["1", "0"], ["0", "1/r"]]
[dynamics]
lagrangian = "(vr^2 + w^2)/2 - r^2/2 - z/10"
[initial]
r = 1
vr = 0.2
w = 0.7
)toml" + dynamics);
  EXPECT_LE(largest_difference(tangent, frame, {"r", "phi", "vr", "z"}), 1e-12);
}

TEST(DiscreteLagrangianOnAGroup, IsJudgedAndDerived) {
  const Folder folder;
  folder.write("body.toml", discrete_body);
  const auto check = run_herglotz({"check", "body.toml"}, folder.path());
  ASSERT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("sigma_d = 0.98"), HasSubstr("of its flow")));
  const auto derived = run_herglotz({"derive", "body.toml", "--discrete"}, folder.path());
  ASSERT_EQ(derived.status, 0) << derived.err;
  EXPECT_THAT(derived.out, AllOf(HasSubstr("D = ad/(exp(ad) - 1)"), HasSubstr("ad(1,2) = -eta_w3"),
                                 HasSubstr("sigma_d = 1 - gamma*h"), HasSubstr("mu(w1)[0] = ")));
}

TEST(DiscreteLagrangianOnAGroup, RefusesWhatItIsNot) {
  const auto message = [](const std::string& text) {
    try {
      static_cast<void>(run_of(text));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message(heavy_top("[discrete]\nlagrangian = \"h*g10\"\n")),
              HasSubstr("does not depend on eta_w1, eta_w2, eta_w3"));
  EXPECT_THAT(message(heavy_top("[discrete]\nrule = \"midpoint\"\n")), HasSubstr("choose rule = \"trapezoid\""));
  EXPECT_THAT(message(heavy_top("[discrete]\nrule = \"left\"\n[initial.next]\ng1 = 1\n")),
              HasSubstr("second position"));
  EXPECT_THAT(message(heavy_top("[discrete]\nlagrangian = \"h*g11\"\n")),
              HasSubstr("Legendre transform F- is singular"));
  EXPECT_THAT(message(heavy_top("[discrete]\nlagrangian = \"eta_w1^2/h\"\n", "forces = { w1 = \"1\" }\n")),
              HasSubstr("the force on w1 is not in the discrete Lagrangian"));
}
