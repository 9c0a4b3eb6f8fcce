// Solutions known from elsewhere, by every method that takes the model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "project_folders.hpp"

namespace herglotz::simulate {
namespace {

/// A model compiled once, and run by methods that may refuse it.
class ExternalCase {
 public:
  explicit ExternalCase(const std::string& text)
      : problem_(io::parse_model(text)),
        simulator_(
            problem_.system, {}, {},
            discrete::discretise(problem_.system, discrete::PositionRule::midpoint, discrete::ActionRule::implicit)) {}

  [[nodiscard]] bool takes(const integrate::MethodInfo& method) const {
    if (method.name == "discrete-galerkin") return false;
    try {
      return static_cast<bool>(simulator_.dynamics_for(method).stage);
    } catch (const std::invalid_argument&) {
      return false;
    }
  }

  [[nodiscard]] analyse::Trajectory run(const integrate::MethodInfo& method, const InitialState& start, double t_end,
                                        double step) const {
    Settings settings;
    settings.method = method.name;
    settings.t_end = t_end;
    if (method.adaptive) {
      settings.tolerance = 1e-12;
      settings.output_step = std::abs(step);
    } else {
      settings.step = step;
      settings.output_every = 1;
    }
    return simulator_.run(start, settings);
  }

 private:
  Problem problem_;
  Simulator simulator_;
};

/// The order that a method shows on the way from h to h/2, unless both errors are round-off. It has no upper bound: the
/// leading error of a method may vanish along one motion. The law suite bounds both sides.
void expect_order(const integrate::MethodInfo& method, double coarse, double fine, double round_off) {
  if (method.adaptive) {
    EXPECT_LT(fine, 1e-8) << method.name;
    return;
  }
  const int order =
      method.order == 0 ? 2 : method.order;  // 0: that of the discrete Lagrangian, here the midpoint rule's
  EXPECT_LT(fine, std::max(round_off, coarse / std::pow(2.0, order - 0.5))) << method.name << ": " << coarse;
}

std::string lane_emden(int n) {
  return R"([model]
name = "lane-emden"
[algebroid]
kind = "tangent"
base = ["theta"]
fibre = ["slope"]
[dynamics]
lagrangian = "slope^2/2 - theta^)" +
         std::to_string(n + 1) + "/" + std::to_string(n + 1) + R"( - 2*z/xi"
time = "xi"
)";
}

// S. Chandrasekhar, An Introduction to the Study of Stellar Structure (1939), Ch. IV: the solutions in closed form.
TEST(ExternalCases, LaneEmdenSolutionsOfIndexZeroOneAndFive) {
  const std::vector<std::pair<int, std::function<double(double)>>> solutions{
      {0, [](double xi) { return 1 - xi * xi / 6; }},
      {1, [](double xi) { return std::sin(xi) / xi; }},
      {5, [](double xi) { return 1 / std::sqrt(1 + xi * xi / 3); }}};
  for (const auto& [n, theta] : solutions) {
    const ExternalCase example(lane_emden(n));
    const double xi0 = 1;
    const double slope0 = n == 0   ? -xi0 / 3
                          : n == 1 ? std::cos(xi0) / xi0 - std::sin(xi0) / (xi0 * xi0)
                                   : -xi0 / 3 * std::pow(1 + xi0 * xi0 / 3, -1.5);
    const auto error = [&](const integrate::MethodInfo& method, double step) {
      const auto run = example.run(method, {{"xi", xi0}, {"theta", theta(xi0)}, {"slope", slope0}}, 3, step);
      double largest = 0;
      for (std::size_t i = 0; i < run.rows(); ++i)
        largest = std::max(largest, std::abs(run["theta"][i] - theta(run["xi"][i])));
      return largest;
    };
    std::size_t taken = 0;
    for (const auto& method : integrate::methods()) {
      if (!example.takes(method)) continue;
      ++taken;
      SCOPED_TRACE("n = " + std::to_string(n));
      expect_order(method, error(method, 0.125), error(method, 0.0625), 3e-13);
    }
    EXPECT_GE(taken, 10u);
  }
}

// BSVZ20: a planet whose drag changes its sign with time, L = v^2/2 + 1/r - alpha sin(Omega t) z. The angular momentum
// is J(t) = J(0) exp(-alpha (1 - cos(Omega t))/Omega), whatever the orbit.
TEST(ExternalCases, AngularMomentumOfTheKeplerProblemWithTimeDependentDrag) {
  const ExternalCase example(R"([model]
name = "perturbed-kepler"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[parameters]
alpha = 0.1
Omega = 1.5
[dynamics]
lagrangian = "(vx^2 + vy^2)/2 + 1/sqrt(x^2 + y^2) - alpha*sin(Omega*t)*z"
[symmetries]
rotation = ["-y", "x"]
)");
  const double alpha = 0.1;
  const double Omega = 1.5;
  const auto error = [&](const integrate::MethodInfo& method, double step) {
    const auto run = example.run(method, {{"x", 1}, {"vx", -0.1}, {"vy", 1.1}}, 6, step);
    double largest = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double t = run["t"][i];
      const double expected = 1.1 * std::exp(-alpha * (1 - std::cos(Omega * t)) / Omega);
      largest = std::max(largest, std::abs(run["momentum.rotation"][i] - expected));
    }
    return largest;
  };
  std::size_t taken = 0;
  for (const auto& method : integrate::methods()) {
    if (!example.takes(method)) continue;
    ++taken;
    expect_order(method, error(method, 0.1), error(method, 0.05), 3e-13);
  }
  EXPECT_GE(taken, 10u);
}

// The contact form of the van der Pol oscillator: on its limit cycle the angular frequency is
// 1 - eps^2/16 + 17 eps^4/3072 + O(eps^6) (C. M. Andersen, J. F. Geer, SIAM J. Appl. Math. 42 (1982) 678-693).
TEST(ExternalCases, FrequencyOfTheVanDerPolOscillator) {
  const auto problem = io::read_model(source_folder() + "/models/van-der-pol.toml");
  const Simulator simulator(problem.system);
  Settings settings;
  settings.method = "contact-gauss-6";
  settings.step = 0.05;
  settings.output_every = 1;
  const auto frequency = [&](double eps) {
    settings.t_end = 60 / eps;
    const auto run = simulator.run({{"q", 2.0}}, settings, {{"eps", eps}});
    // Rising zeros of q, by cubic interpolation through q and q' at both ends of the step.
    std::vector<double> zeros;
    for (std::size_t i = 1; i < run.rows(); ++i) {
      const double a = run["q"][i - 1];
      const double b = run["q"][i];
      if (!(a < 0 && b >= 0)) continue;
      const double h = run["t"][i] - run["t"][i - 1];
      const double da = h * run["p_v"][i - 1];
      const double db = h * run["p_v"][i];
      double s = a / (a - b);
      for (int k = 0; k < 8; ++k) {
        const double value = a + s * da + s * s * (3 * (b - a) - 2 * da - db) + s * s * s * (2 * (a - b) + da + db);
        const double slope = da + 2 * s * (3 * (b - a) - 2 * da - db) + 3 * s * s * (2 * (a - b) + da + db);
        s -= value / slope;
      }
      zeros.push_back(run["t"][i - 1] + s * h);
    }
    const std::size_t periods = 5;
    return 2 * std::numbers::pi * periods / (zeros.back() - zeros[zeros.size() - 1 - periods]);
  };
  for (const double eps : {0.2, 0.4, 0.6}) {
    const double expected = 1 - eps * eps / 16 + 17 * std::pow(eps, 4) / 3072;
    EXPECT_NEAR(frequency(eps), expected, 1e-8 + 1e-3 * std::pow(eps, 6)) << eps;
  }
}

}  // namespace
}  // namespace herglotz::simulate
