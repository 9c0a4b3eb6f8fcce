// Every method of the registry on small systems of every kind: its order, and what it declares to preserve. Which
// methods take which system is written down, so that a method which begins to refuse is noticed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "herglotz/analyse/contact_defect.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "largest_difference.hpp"
#include "order_slope.hpp"

namespace herglotz {
namespace {

using integrate::MethodInfo;
using integrate::Preserves;
using integrate::Sample;

/// A system, a start (x, w, z, nu) on its constraints, and the families of fixed steps that take it.
struct Law {
  std::string name;
  std::string text;
  std::vector<double> start;
  double t_end = 2;
  std::set<std::string> families;
};

std::string model(const std::string& algebroid, const std::string& dynamics, const std::string& more = "") {
  return "[model]\nname = \"law\"\n[algebroid]\n" + algebroid + "\n[dynamics]\n" + dynamics + "\n" + more;
}

const std::string line = "kind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]";
const std::string midpoint = "[discrete]\nrule = \"midpoint\"\n";
const std::set<std::string> of_any{"runge-kutta", "contact-gauss"};

std::set<std::string> with(std::set<std::string> families, const std::set<std::string>& others) {
  families.insert(others.begin(), others.end());
  return families;
}

const std::vector<Law>& laws() {
  static const std::set<std::string> free = with(of_any, {"contact-lobatto", "contact-energy", "moreau", "lie-hph",
                                                          "lie-hph-cayley", "contact-rattle", "contact-dla"});
  static const std::set<std::string> tangent =
      with(free, {"contact-galerkin", "discrete-herglotz", "discrete-galerkin"});
  static const std::set<std::string> separable = with(tangent, {"contact-splitting"});
  static const std::vector<Law> all{
      {"separable",
       model(line, "lagrangian = \"v^2/2 + cos(q) - z/5 - z^2/20\"", midpoint),
       {0.5, 1.2, 0.3},
       3,
       separable},
      {"driven",
       model(line, "lagrangian = \"v^2/2 - q^2/2 + q*cos(2*t) - z/10\"", midpoint),
       {0.5, 1.2, 0.3},
       3,
       separable},
      {"coupled",
       model(line, "lagrangian = \"exp(z/5)*v^2/2 - q^2/2 - z^2/10\"", midpoint),
       {0.5, 1.2, 0.3},
       2,

       tangent},
      {"forced",
       model(line, "lagrangian = \"v^2/2 - q^2/2 - z/5 - z^2/20\"\nforces = { v = \"-v/3 + q*z/5 + sin(t)\" }",
             midpoint),
       {0.5, 1.2, 0.3},
       3,
       tangent},
      {"body",
       model("kind = \"lie-algebra\"\ngroup = \"so3\"\nfibre = [\"a\", \"b\", \"c\"]",
             "lagrangian = \"exp(z/8)*(a^2 + 2*b^2 + 3*c^2)/2 - z/5 - z^2/20\""),
       {0.8, 1.1, -0.6, 0.2},
       2,
       free},
      {"top",
       model("kind = \"action\"\ngroup = \"so3\"\nbase = [\"x\", \"y\", \"h\"]\nfibre = [\"a\", \"b\", \"c\"]\n"
             "generators = [[\"0\", \"h\", \"-y\"], [\"-h\", \"0\", \"x\"], [\"y\", \"-x\", \"0\"]]",
             "lagrangian = \"(a^2 + 2*b^2 + 3*c^2)/2 - h - x*y/3 - z/5 - z^2/20\""),
       {0.6, 0.0, 0.8, 0.8, 1.1, -0.6, 0.2},
       2,
       free},
      {"pendulum",
       model("kind = \"tangent\"\nbase = [\"x\", \"y\", \"h\"]\nfibre = [\"vx\", \"vy\", \"vh\"]",
             "lagrangian = \"(vx^2 + vy^2 + vh^2)/2 - h - z/5 - z^2/20\"",
             "[constraints]\nrule = \"nonholonomic\"\nequations = [\"x^2 + y^2 + h^2 - 1\"]\n"),
       {0.6, 0.0, -0.8, 0.4, 0.5, 0.3, 0.1},
       2,
       with(of_any, {"contact-rattle", "contact-dla"})},
      {"suslov",
       model("kind = \"lie-algebra\"\ngroup = \"so3\"\nfibre = [\"a\", \"b\", \"c\"]",
             "lagrangian = \"(a^2 + 2*b^2 + 3*c^2)/2 + a*c/2 + b*c/4 - z/5 - z^2/20\"",
             "[constraints]\nrule = \"nonholonomic\"\nequations = [\"a/5 - b/4 + c\"]\n"),
       {1.0, 0.8, 0.0, 0.1},
       2,
       with(of_any, {"contact-dla"})},
      {"skate",
       model("kind = \"tangent\"\nbase = [\"x\", \"y\", \"th\"]\nfibre = [\"vx\", \"vy\", \"w\"]",
             "lagrangian = \"(vx^2 + vy^2 + w^2)/2 + x/2 - z/5\"",
             "[constraints]\nrule = \"vakonomic\"\nequations = [\"vx*sin(th) - vy*cos(th)\"]\n"),
       {0.1, 0.2, 0.0, 0.4, 0.0, 1.2, 0.05, 0.1},
       2,
       of_any},
  };
  return all;
}

/// Systems are derived and compiled once.
struct Compiled {
  explicit Compiled(const Law& law)
      : problem(io::parse_model(law.text)), simulator(problem.system, {}, {}, problem.discrete) {}
  simulate::Problem problem;
  simulate::Simulator simulator;
};

const Compiled& compiled(const Law& law) {
  static std::map<std::string, std::unique_ptr<Compiled>> kept;
  auto& found = kept[law.name];
  if (!found) found = std::make_unique<Compiled>(law);
  return *found;
}

const Law& law_named(const std::string& name) {
  return *std::find_if(laws().begin(), laws().end(), [&](const Law& law) { return law.name == name; });
}

/// The name without its order.
std::string family_of(const std::string& method) {
  const std::size_t dash = method.rfind('-');
  return std::isdigit(static_cast<unsigned char>(method.back())) != 0 ? method.substr(0, dash) : method;
}

bool takes(const Law& law, const MethodInfo& method) {
  try {
    static_cast<void>(compiled(law).simulator.dynamics_for(method));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<MethodInfo> fixed_step_methods() {
  std::vector<MethodInfo> found;
  for (const auto& method : integrate::methods())
    if (!method.adaptive) found.push_back(method);
  return found;
}

/// The fixed-step methods that take the system and declare the property.
std::vector<MethodInfo> keepers(const Law& law, Preserves property) {
  std::vector<MethodInfo> found;
  for (const auto& method : fixed_step_methods())
    if (integrate::preserves(method, property) && law.families.contains(family_of(method.name)))
      found.push_back(method);
  return found;
}

integrate::Settings settings_of(const std::string& method, double t_end, double step) {
  integrate::Settings settings;
  settings.method = method;
  settings.t_end = t_end;
  settings.step = step;
  if (method == "discrete-galerkin") settings.galerkin = integrate::galerkin_rule(2, "lobatto-3");
  return settings;
}

/// The end of a run, or nothing where it failed.
std::optional<Sample> run_law(const Law& law, const std::string& method, const std::vector<double>& start, double t_end,
                              double step, double t0, std::string& why) {
  const auto& simulator = compiled(law).simulator;
  auto settings = settings_of(method, t_end, step);
  settings.tolerance = 3e-14;
  Sample last;
  const auto outcome =
      integrate::integrate(simulator.dynamics_for(*integrate::find_method(method)), simulator.parameter_values(), t0,
                           start, settings, [&](const Sample& sample) {
                             last = sample;
                             return true;
                           });
  why = outcome.reason.text();
  if (outcome.status != integrate::Status::success) return std::nullopt;
  return last;
}

Sample end_of_law(const Law& law, const std::string& method, const std::vector<double>& start, double t_end,
                  double step, double t0 = 0) {
  std::string why;
  const auto end = run_law(law, method, start, t_end, step, t0, why);
  if (!end) throw std::runtime_error(law.name + " by " + method + ": " + why);
  return *end;
}

int order_of_method(const MethodInfo& method) {
  if (method.name == "discrete-herglotz") return 2;  // that of the midpoint rule
  if (method.name == "discrete-galerkin") return 4;  // that of quadratic polynomials on three Lobatto nodes
  return method.order;
}

/// State, log factor and budgets, side by side.
std::vector<double> everything(const Sample& sample) {
  auto all = sample.state;
  all.push_back(sample.log_factor);
  all.insert(all.end(), sample.budget.begin(), sample.budget.end());
  return all;
}

struct Pair {
  std::string law;
  std::string method;
  friend std::ostream& operator<<(std::ostream& out, const Pair& pair) {
    return out << pair.method << " on " << pair.law;
  }
};

/// Orders above 8 have fewer than four steps between the first that is small and round-off.
std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const auto& law : laws())
    for (const auto& method : fixed_step_methods())
      if (law.families.contains(family_of(method.name)) && order_of_method(method) <= 8)
        all.push_back({law.name, method.name});
  return all;
}

std::string name_of(const testing::TestParamInfo<Pair>& pair) {
  std::string name = pair.param.law + "_" + pair.param.method;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryMethod : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Laws, EveryMethod, testing::ValuesIn(pairs()), name_of);

/// How far the slope of errors may be from the order. Order 8 is seen over three decades of errors, and there are pairs
/// whose terms of higher order are as large in all of them: every method on the pendulum "separable", whose rates
/// change as fast as at a separatrix, and runge-kutta-8, whose principal error Prince and Dormand made small, on all
/// but two laws.
double slope_tolerance(const MethodInfo& method, const Law& law) {
  const bool principal_error_is_seen =
      law.name != "separable" && (method.name != "runge-kutta-8" || law.name == "driven" || law.name == "coupled");
  return order_of_method(method) < 8 || principal_error_is_seen ? 0.2 : 1.5;
}

// Errors of the state, the factor and the budgets of all laws, over steps whose errors are well above round-off.
TEST_P(EveryMethod, ConvergesWithItsDeclaredOrder) {
  const Law& law = law_named(GetParam().law);
  const MethodInfo& method = *integrate::find_method(GetParam().method);
  const int order = order_of_method(method);
  // High orders leave a short way between large steps and round-off: errors grow on a longer one.
  const double t_end = order < 8 ? law.t_end : 5 * law.t_end;
  const auto exact = everything(end_of_law(law, "reference", law.start, t_end, 0));
  std::string why;
  const auto error_of = [&](double h) {
    const auto end = run_law(law, method.name, law.start, t_end, h, 0, why);
    return end ? test::largest_difference(everything(*end), exact) : std::numeric_limits<double>::infinity();
  };
  const auto found = test::observed_order(error_of, t_end, order, family_of(method.name) != "runge-kutta");
  ASSERT_GE(found.used, 4U) << "too few errors above round-off:" << found.seen;
  EXPECT_NEAR(found.slope, order, slope_tolerance(method, law)) << found.seen;
}

/// The names of those methods, for the message where they are not as many as expected.
std::string names_of(const std::vector<MethodInfo>& methods) {
  std::string names;
  for (const auto& method : methods) names += method.name + " ";
  return names;
}

// Theory, Sec. 4, on L = v^2/2 + ..., where p = v: the map pulls eta back to itself times 1/R.
TEST(LawSuite, ContactMethodsPullTheContactFormBackToItselfTimesAFactor) {
  for (const char* name : {"separable", "driven"}) {
    const Law& law = law_named(name);
    const auto methods = keepers(law, Preserves::contact_structure);
    EXPECT_EQ(methods.size(), 20U) << names_of(methods);
    for (const auto& method : methods) {
      const auto step = [&](std::span<const double> from, std::span<double> to) {
        const auto state = end_of_law(law, method.name, {from.begin(), from.end()}, 0.2, 0.2).state;
        std::copy(state.begin(), state.end(), to.begin());
      };
      for (const std::vector<double>& point : {std::vector<double>{0.5, 1.2, 0.3}, {2.0, -0.7, 1.1}}) {
        const double factor = std::exp(-end_of_law(law, method.name, point, 0.2, 0.2).log_factor);
        EXPECT_GT(std::abs(factor - 1), 1e-3) << "a strict contactomorphism would make this test say less";
        EXPECT_LT(analyse::contact_defect(step, point, factor), 1e-10) << method.name << " on " << name;
        EXPECT_GT(analyse::contact_defect(step, point, factor * 1.0001), 5e-5) << method.name << " on " << name;
      }
    }
  }
}

// |lambda p|^2 is the Casimir of so(3).
TEST(LawSuite, CasimirsOfABodyAreKept) {
  const Law& law = law_named("body");
  auto methods = keepers(law, Preserves::coadjoint_orbits);
  EXPECT_EQ(methods.size(), 4U) << names_of(methods);
  const auto quadratic = keepers(law, Preserves::quadratic_casimirs);
  EXPECT_EQ(quadratic.size(), 9U) << names_of(quadratic);
  methods.insert(methods.end(), quadratic.begin(), quadratic.end());
  const auto casimir = [](const std::vector<double>& w, double log_factor) {
    const double growth = std::exp(w[3] / 8 + log_factor);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += std::pow(growth * static_cast<double>(i + 1) * w[i], 2);
    return std::sqrt(sum);
  };
  const double at_start = casimir(law.start, 0);
  for (const auto& method : methods) {
    const auto end = end_of_law(law, method.name, law.start, 5, 0.1);
    EXPECT_GT(end.log_factor, 0.5) << "the factor must have grown for this to say something";
    EXPECT_NEAR(casimir(end.state, end.log_factor), at_start, 1e-12) << method.name;
  }
  const auto runge_kutta = end_of_law(law, "runge-kutta-4", law.start, 5, 0.1);
  EXPECT_GT(std::abs(casimir(runge_kutta.state, runge_kutta.log_factor) - at_start), 1e-9) << "which declares nothing";
}

TEST(LawSuite, StepsBackUndoStepsOfReversibleMethods) {
  for (const auto& [name, expected] : {std::pair{"separable", 6U}, {"suslov", 2U}, {"pendulum", 2U}}) {
    const Law& law = law_named(name);
    const auto methods = keepers(law, Preserves::time_reversal);
    EXPECT_EQ(methods.size(), expected) << names_of(methods);
    for (const auto& method : methods) {
      const auto there = end_of_law(law, method.name, law.start, 1, 0.1);
      const auto back = end_of_law(law, method.name, there.state, 0, 0.1, 1);
      EXPECT_LT(test::largest_difference(back.state, law.start), 1e-12) << method.name << " on " << name;
    }
  }
}

// phi and its derivative along the motion, or Phi.
TEST(LawSuite, ConstraintsAreKeptToRoundOff) {
  const auto off = [](const std::string& name, const std::vector<double>& u) {
    if (name == "pendulum")
      return std::max(std::abs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1),
                      std::abs(u[0] * u[3] + u[1] * u[4] + u[2] * u[5]));
    if (name == "suslov") return std::abs(u[0] / 5 - u[1] / 4 + u[2]);
    return std::abs(u[3] * std::sin(u[2]) - u[4] * std::cos(u[2]));
  };
  for (const auto& [name, expected] : {std::pair{"pendulum", 12U}, {"suslov", 10U}, {"skate", 8U}}) {
    const Law& law = law_named(name);
    auto methods = keepers(law, Preserves::constraints);
    const auto both = keepers(law, Preserves::constraints_and_velocities);
    methods.insert(methods.end(), both.begin(), both.end());
    EXPECT_EQ(methods.size(), expected) << names_of(methods);
    EXPECT_LT(off(name, law.start), 1e-15);
    for (const auto& method : methods)
      EXPECT_LT(off(name, end_of_law(law, method.name, law.start, 3, 0.1).state), 1e-12)
          << method.name << " on " << name;
  }
}

// The first law is that of the energy; its budget is the energy itself where the law holds.
TEST(LawSuite, TheEnergyLawHoldsToRoundOff) {
  for (const char* name : {"separable", "driven", "coupled", "forced", "body", "top"}) {
    const Law& law = law_named(name);
    const auto methods = keepers(law, Preserves::energy_law);
    EXPECT_EQ(methods.size(), 3U) << names_of(methods);
    const auto& simulator = compiled(law).simulator;
    const auto& balance = simulator.dynamics().balance;
    const auto residual = [&](const Sample& sample, double t) {
      auto v = sample.state;
      v.push_back(t);
      v.resize(balance.variables(), 0.0);
      std::vector<double> out(balance.outputs());
      std::vector<double> work(balance.work_size());
      balance(v.data(), simulator.parameter_values().data(), out.data(), work.data());
      return std::abs(out[1] - sample.budget[0]);
    };
    for (const auto& method : methods)
      EXPECT_LT(residual(end_of_law(law, method.name, law.start, 2, 0.1), 2), 1e-12) << method.name << " on " << name;
    EXPECT_GT(residual(end_of_law(law, "contact-gauss-2", law.start, 2, 0.1), 2), 1e-7) << name << ": declares nothing";
  }
}

TEST(LawSuite, RunsThePairsThatItSays) {
  std::map<std::string, std::size_t> counts;
  for (const auto& law : laws()) {
    for (const auto& method : fixed_step_methods()) {
      EXPECT_EQ(takes(law, method), law.families.contains(family_of(method.name))) << law.name << " by " << method.name;
      ++counts[family_of(method.name)];
    }
  }
  std::set<std::string> unseen;
  for (const auto& [family, count] : counts) {
    const bool seen =
        std::any_of(laws().begin(), laws().end(), [&](const Law& law) { return law.families.contains(family); });
    if (!seen) unseen.insert(family);
  }
  EXPECT_EQ(unseen, std::set<std::string>{}) << "every family must take a system of this suite";
  EXPECT_EQ(pairs().size(), 182U);
}

}  // namespace
}  // namespace herglotz
