#include "herglotz/simulate/members.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "gallery.hpp"
#include "herglotz/analyse/run_facts.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "models/taken_methods.hpp"

namespace herglotz::simulate {
namespace {

using Rows = std::vector<std::vector<double>>;
struct Member {
  Rows rows;
  std::vector<double> largest;  ///< residuals
  std::size_t steps = 0;
  std::string failure;
};

/// Bits, so that NaN equals NaN and 0 does not equal -0.
std::vector<std::uint64_t> bits(const Rows& rows) {
  std::vector<std::uint64_t> all;
  for (const auto& row : rows)
    for (const double value : row) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

/// The discrete Lagrangian of a model's own, or one by the midpoint rule where there can be one.
std::optional<discrete::DiscreteLagrangian> discrete_lagrangian(const Problem& problem) {
  if (problem.discrete) return problem.discrete;
  try {
    return discrete::discretise(problem.system, discrete::PositionRule::midpoint, discrete::ActionRule::implicit);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// A model, and members that differ in its first parameter and its first initial value.
struct Study {
  Problem problem;
  Simulator simulator;
  std::vector<Varying> varying;
  std::vector<double> base;
  static constexpr std::size_t count = 19;

  explicit Study(const std::string& name) : Study(std::string(io::gallery_text(name)), name) {}
  Study(const std::string& text, const std::string& name)
      : problem(io::parse_model(text, name)),
        simulator((problem.system.invariants.clear(), problem.system), {}, problem.initial,
                  discrete_lagrangian(problem)) {
    problem.next.clear();  // methods of continuous motions start from one position
    if (!problem.system.parameters.empty()) {
      varying.push_back({true, std::string(problem.system.parameters.front().symbol.name())});
      base.push_back(problem.system.parameters.front().value);
    }
    const auto& x = problem.system.algebroid.x;
    const bool free = problem.system.constraints.equations.empty();
    if (!x.empty() && free) {
      varying.push_back({false, std::string(x.front().name())});
      const auto it = problem.initial.find(x.front().name());
      base.push_back(it == problem.initial.end() ? 0.0 : it->second);
    }
  }
  /// Whether the method does not refuse the system, which must be as `taken_methods` says.
  [[nodiscard]] bool takes(const std::string& method) const {
    bool taken = true;
    try {
      std::ignore = simulator.dynamics_for(*integrate::find_method(method));
    } catch (const std::invalid_argument&) {
      taken = false;
    }
    EXPECT_EQ(taken, test::is_taken(problem.system.name, method)) << method << " on " << problem.system.name;
    return taken;
  }
  void values(std::size_t k, std::span<double> out) const {
    for (std::size_t i = 0; i < base.size(); ++i) out[i] = base[i] + 0.01 * static_cast<double>(k) * (1 + base[i]);
  }
  Member alone(const Settings& settings, std::size_t k) const {
    InitialState initial = problem.initial;
    InitialState parameters;
    std::vector<double> given(base.size());
    values(k, given);
    for (std::size_t i = 0; i < given.size(); ++i)
      (varying[i].parameter ? parameters : initial)[varying[i].name] = given[i];
    Member member;
    analyse::Trajectory run;
    try {
      run = simulator.run(initial, settings, parameters, {}, problem.next);
    } catch (RunFailed& failed) {
      member.failure = failed.what();
      run = std::move(failed.partial);
    }
    member.steps = run.facts.steps;
    for (std::size_t row = 0; row < run.rows(); ++row) {
      member.rows.emplace_back();
      for (const auto& column : run.columns) member.rows.back().push_back(column.values[row]);
    }
    if (run.rows() != 0)
      for (const auto& [column, largest] : analyse::largest_residuals(run.facts)) member.largest.push_back(largest);
    return member;
  }
  std::vector<Member> together(const Settings& settings, int lanes, int& used,
                               const std::vector<std::string>& columns = {}) const {
    const Members members(simulator, {problem.initial, {}, problem.next, settings, columns}, varying, lanes);
    used = members.lanes();
    std::vector<Member> all(count);
    const Members::Results results{[&](std::size_t k, std::size_t index, std::span<const double> row) {
                                     all[k].rows.resize(index);
                                     all[k].rows.emplace_back(row.begin(), row.end());
                                   },
                                   [&](std::size_t k, const Members::End& end) {
                                     all[k].rows.resize(end.rows);
                                     all[k].steps = end.steps;
                                     all[k].failure = end.failure;
                                     all[k].largest = end.largest_residuals;
                                   }};
    EXPECT_TRUE(members.run(count, [&](std::size_t k, std::span<double> out) { values(k, out); }, results, {}));
    return all;
  }
};

class MembersOf : public ::testing::TestWithParam<std::string> {};
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& model : test::gallery_names())  // without W of full rank, members run one by one
    if (model.name != "stokes-top") all.push_back(model.name);
  return all;
}

/// Every member has the rows of a run of its own, bit for bit, whatever the number of lanes.
void compare(const Study& study, const Settings& settings, bool in_lanes) {
  for (const int lanes : {1, 4, 8}) {
    if (lanes > compile::native_lanes()) continue;
    int used = 0;
    const auto members = study.together(settings, lanes, used);
    EXPECT_GE(used, in_lanes ? lanes : 0);
    for (std::size_t k = 0; k < Study::count; ++k) {
      const Member alone = study.alone(settings, k);
      EXPECT_EQ(members[k].failure, alone.failure);
      EXPECT_EQ(members[k].steps, alone.steps) << "member " << k << " in " << lanes << " lanes";
      ASSERT_EQ(bits(members[k].rows), bits(alone.rows)) << "member " << k << " in " << lanes << " lanes";
      ASSERT_EQ(bits(Rows{members[k].largest}), bits(Rows{alone.largest}))
          << "member " << k << " in " << lanes << " lanes";
    }
  }
}

void compare_adaptive(const Study& study, const std::string& method, double tolerance, double output_step) {
  Settings settings;
  settings.method = method;
  settings.t_end = 1.5;
  settings.tolerance = tolerance;
  settings.output_step = output_step;
  compare(study, settings, study.problem.system.events.empty());
}

TEST_P(MembersOf, EqualsSingleRunsByTheReferenceMethod) {
  compare_adaptive(Study(GetParam()), "reference", 1e-9, 0.4);
}

TEST_P(MembersOf, EqualsSingleRunsByRadauSteps) {
  const Study study(GetParam());
  compare_adaptive(study, "radau-5", 1e-7, 0.4);
  compare_adaptive(study, "radau-5", 1e-7, 0.03);  // several in a step
}

TEST_P(MembersOf, EqualsSingleRunsByTaylorPolynomials) {
  const Study study(GetParam());
  if (!study.takes("taylor")) GTEST_SKIP() << "no polynomials of its motion";
  compare_adaptive(study, "taylor", 1e-9, 0.4);
  compare_adaptive(study, "taylor", 1e-13, 0.03);  // several in a step
}

TEST_P(MembersOf, EqualsSingleRunsByExplicitCompositions) {
  const Study study(GetParam());
  for (const std::string method : {"contact-lobatto-2", "contact-splitting-4", "contact-splitting-8"}) {
    Settings settings;
    settings.method = method;
    settings.t_end = 1.5;
    settings.step = 0.04;
    settings.output_every = 7;
    if (!study.takes(method)) continue;  // the system has no such step
    compare(study, settings, false);
  }
}

TEST_P(MembersOf, EqualsSingleRunsByRungeKuttaSteps) {
  const Study study(GetParam());
  Settings settings;
  settings.t_end = 1.23;
  settings.step = 0.1;
  for (const std::string method : {"runge-kutta-4", "runge-kutta-8"}) {
    settings.method = method;
    settings.output_step = 0.35;
    compare(study, settings, study.problem.system.events.empty());
    settings.output_step.reset();
    settings.output_every = 5;
    compare(study, settings, study.problem.system.events.empty());
    settings.output_every.reset();
  }
}

TEST_P(MembersOf, FollowsWhatIsKeptAsIfAllWere) {
  const Study study(GetParam());
  if (!study.problem.system.events.empty() || compile::native_lanes() == 1) GTEST_SKIP() << "no lanes";
  Settings settings;
  settings.t_end = 1.2;
  settings.step = 0.1;
  settings.output_every = 5;
  settings.method = "runge-kutta-8";
  std::vector<Member> expected;
  for (std::size_t k = 0; k < Study::count; ++k) expected.push_back(study.alone(settings, k));
  const auto& system = study.problem.system;
  std::vector<symbolic::Expr> symbols = system.algebroid.x;
  symbols.insert(symbols.end(), system.w().begin(), system.w().end());
  symbols.push_back(system.z);
  for (std::size_t c = 0; c < symbols.size(); ++c) {
    int used = 0;
    const auto members = study.together(settings, compile::native_lanes(), used, {std::string(symbols[c].name())});
    EXPECT_GE(used, compile::native_lanes());
    for (std::size_t k = 0; k < Study::count; ++k) {
      ASSERT_EQ(members[k].rows.size(), expected[k].rows.size());
      for (std::size_t row = 0; row < members[k].rows.size(); ++row)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(members[k].rows[row][1 + c]),
                  std::bit_cast<std::uint64_t>(expected[k].rows[row][1 + c]))
            << symbols[c].name() << " of member " << k << " in row " << row;
    }
  }
}

TEST_P(MembersOf, EqualsSingleRunsByImplicitMethods) {
  const Study study(GetParam());
  const bool plain = study.problem.system.events.empty();
  for (const std::string method :
       {"contact-gauss-2", "contact-gauss-4", "contact-gauss-6", "contact-gauss-8", "contact-lobatto-4"}) {
    Settings settings;
    settings.method = method;
    settings.t_end = 1.03;
    settings.step = 0.1;
    settings.output_every = 4;
    if (!study.takes(method)) continue;  // not under these constraints
    compare(study, settings, plain);
  }
}

TEST_P(MembersOf, EqualsSingleRunsByMethodsThatObeyTheEnergyLaw) {
  const Study study(GetParam());
  const bool plain = study.problem.system.events.empty();
  for (const std::string method : {"contact-energy-2", "contact-energy-4"}) {
    Settings settings;
    settings.method = method;
    settings.t_end = 1.03;
    settings.step = 0.1;
    if (method.ends_with("2"))
      settings.output_step = 0.15;  // inside steps
    else
      settings.output_every = 4;
    if (!study.takes(method)) continue;  // not under these constraints
    compare(study, settings, plain);
  }
}

TEST_P(MembersOf, EqualsSingleRunsByMethodsOnGroupoids) {
  const Study study(GetParam());
  const bool plain = study.problem.system.events.empty();
  const bool free = study.problem.system.constraints.equations.empty();
  const auto methods = free ? std::vector<std::string>{"lie-hph-4", "lie-hph-cayley-2"}
                            : std::vector<std::string>{"contact-rattle-4", "contact-dla-2"};
  for (const std::string& method : methods) {
    Settings settings;
    settings.method = method;
    settings.t_end = 1.03;
    settings.step = 0.1;
    if (method.ends_with("2"))
      settings.output_step = 0.15;  // inside steps
    else
      settings.output_every = 4;
    bool taken = true;
    try {
      std::ignore = study.alone(settings, 0);
    } catch (const std::invalid_argument&) {
      taken = false;  // no groupoid or no Cayley map is known, or not under these constraints
    }
    EXPECT_EQ(taken, test::is_taken(GetParam(), method)) << method;
    if (!taken) continue;
    compare(study, settings, plain);
  }
}

TEST_P(MembersOf, EqualsSingleRunsAtTimesInsideImplicitSteps) {
  const Study study(GetParam());
  Settings settings;
  settings.method = "contact-gauss-4";
  settings.t_end = 0.8;
  settings.step = 0.1;
  settings.output_step = 0.15;
  compare(study, settings, study.problem.system.events.empty());
}

TEST_P(MembersOf, EqualsSingleRunsByVariationalMethods) {
  const Study study(GetParam());
  const bool plain = study.problem.system.events.empty();
  const bool tangent = geometry::is_tangent(study.problem.system.algebroid);  // elsewhere discrete runs go one by one
  for (const std::string method : {"discrete-herglotz", "contact-galerkin-2", "contact-galerkin-4",
                                   "contact-galerkin-6", "contact-galerkin-8", "discrete-galerkin"}) {
    Settings settings;
    settings.method = method;
    settings.t_end = 0.73;  // not a whole number of steps
    settings.step = 0.1;
    if (method == "discrete-galerkin") settings.galerkin = integrate::galerkin_rule(2, "lobatto-4");
    if (!study.takes(method)) continue;  // not of this model
    settings.output_every = 4;
    const bool in_lanes = plain && (method != "discrete-herglotz" || tangent);
    compare(study, settings, in_lanes);
    settings.output_every.reset();
    settings.output_step = method == "discrete-herglotz" ? 0.2 : 0.15;  // inside steps, where there are states
    compare(study, settings, in_lanes);
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, MembersOf, ::testing::ValuesIn(names()), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Members, OfExplicitMethodsGoInLanes) {
  const Study study("damped-pendulum");
  Settings settings;
  settings.t_end = 1.5;
  settings.step = 0.04;
  for (const std::string method : {"contact-lobatto-2", "contact-splitting-2", "contact-splitting-8"}) {
    settings.method = method;
    compare(study, settings, true);
  }
}

TEST(Members, LeaveTheirLanesWhereAnImplicitStepIsTooLarge) {
  // With h gamma > 2 the integrating factor of a stage is not positive: the later members fail, beside those that do
  // not.
  const Study study("damped-pendulum");
  Settings settings;
  settings.t_end = 2;
  settings.step = 0.1;
  const auto gamma = [](std::size_t k) { return 1.5 * static_cast<double>(k % 16); };
  for (const std::string method : {"contact-gauss-2", "lie-hph-2"}) {
    settings.method = method;
    for (const int lanes : {4, 8}) {
      if (lanes > compile::native_lanes()) continue;
      const Members members(study.simulator, {study.problem.initial, {}, {}, settings}, {{true, "gamma"}}, lanes);
      ASSERT_EQ(members.lanes(), lanes);
      std::size_t failed = 0;
      EXPECT_TRUE(members.run(33, [&](std::size_t k, std::span<double> out) { out[0] = gamma(k); },
                              {[](std::size_t, std::size_t, std::span<const double>) {},
                               [&](std::size_t k, const Members::End& end) {
                                 if (gamma(k) < 20) {
                                   EXPECT_EQ(end.failure, "");
                                   EXPECT_EQ(end.steps, 20U);
                                 } else {
                                   EXPECT_THAT(end.failure, ::testing::HasSubstr("too large for the dissipation"));
                                   ++failed;
                                 }
                               }},
                              {}));
      EXPECT_EQ(failed, 4U);
    }
  }
}

TEST(Members, OnGroupsThatCommuteForSomeParametersGoOnWithoutThose) {
  // Where all brackets vanish steps are of another kind; the first member has such.
  const Study study(R"([model]
name = "scaled-rotations"
[algebroid]
kind = "lie-algebra"
fibre = ["w1", "w2", "w3"]
[algebroid.brackets]
"w1,w2" = { w3 = "c" }
"w2,w3" = { w1 = "c" }
"w3,w1" = { w2 = "c" }
[parameters]
c = 0.0
[dynamics]
lagrangian = "(w1^2 + 2*w2^2 + 3*w3^2)/2 - z/5 - z^2/20"
[initial]
w1 = 0.7
w2 = 0.5
w3 = 1.1
)",
                    "scaled-rotations");
  Settings settings;
  settings.method = "lie-hph-2";
  settings.t_end = 2;
  settings.step = 0.1;
  compare(study, settings, true);
}

TEST(Members, OnTheLineUnderMoebiusMapsGoInLanes) {
  // The fields of sl2 on the line are not affine.
  const Study study(R"([model]
name = "moebius"
[algebroid]
kind = "action"
group = "sl2"
base = ["x"]
fibre = ["a", "b", "c"]
generators = [["-2*x"], ["1"], ["-x^2"]]
[parameters]
k = 0.3
[dynamics]
lagrangian = "(a^2 + 2*b^2 + 3*c^2)/2 - k*x^2 - z/5"
[initial]
x = 0.1
a = 0.2
b = 0.3
c = 0.1
)",
                    "moebius");
  for (const std::string method : {"lie-hph-2", "lie-hph-cayley-4"}) {
    Settings settings;
    settings.method = method;
    settings.t_end = 0.75;
    settings.step = 0.1;
    compare(study, settings, true);
  }
}

TEST(Members, TurnSharplyWhereGuessesFail) {
  // Close to the centre an orbit bends so much in a step that Newton's method has to begin anew, member by member.
  Study study("kepler-drag");
  study.problem.initial["vx"] = 0;
  study.problem.initial["vy"] = 0.3;
  for (const std::string method : {"discrete-herglotz", "contact-galerkin-2", "contact-galerkin-4"}) {
    Settings settings;
    settings.method = method;
    settings.t_end = 8;
    settings.step = 0.05;
    settings.output_every = 1;
    compare(study, settings, true);
  }
}

TEST(Members, LeaveTheirLanesWhereAVariationalStepIsTooLarge) {
  // Positive have to be 1 - h gamma/2 for the midpoint rule, and 1 - h gamma sqrt(3)/6 in a weight of two Gauss nodes.
  const Study study("damped-pendulum");
  const auto gamma = [](std::size_t k) { return 3 * static_cast<double>(k % 16); };
  Settings settings;
  settings.t_end = 2;
  settings.step = 0.1;
  for (const auto& [method, most] :
       {std::pair{"discrete-herglotz", 2 / *settings.step}, {"contact-galerkin-2", std::sqrt(12) / *settings.step}}) {
    settings.method = method;
    for (const int lanes : {4, 8}) {
      if (lanes > compile::native_lanes()) continue;
      const Members members(study.simulator, {study.problem.initial, {}, {}, settings}, {{true, "gamma"}}, lanes);
      ASSERT_EQ(members.lanes(), lanes);
      std::size_t ended = 0;
      EXPECT_TRUE(members.run(33, [&](std::size_t k, std::span<double> out) { out[0] = gamma(k); },
                              {[](std::size_t, std::size_t, std::span<const double>) {},
                               [&, most = most](std::size_t k, const Members::End& end) {
                                 ++ended;
                                 if (gamma(k) < most) {
                                   EXPECT_EQ(end.failure, "");
                                   EXPECT_EQ(end.steps, 20U);
                                 } else {
                                   EXPECT_THAT(end.failure, ::testing::HasSubstr("too large for the dissipation"));
                                 }
                               }},
                              {}));
      EXPECT_EQ(ended, 33U);
    }
  }
}

TEST(Members, RunThatFailsHasItsReasonAndTheOthersGoOn) {
  // A pendulum of no length has no accelerations.
  const Study study("damped-pendulum");
  Settings settings;
  settings.method = "reference";
  settings.t_end = 1;
  const Members members(study.simulator, {study.problem.initial, {}, {}, settings}, {{true, "l"}});
  std::vector<std::string> failures(12);
  EXPECT_TRUE(members.run(failures.size(), [](std::size_t k, std::span<double> out) { out[0] = k == 5 ? 0.0 : 1.0; },
                          {[](std::size_t, std::size_t, std::span<const double>) {},
                           [&](std::size_t k, const Members::End& end) { failures[k] = end.failure; }},
                          {}));
  EXPECT_THAT(failures[5], ::testing::HasSubstr("singular velocity Hessian"));
  for (std::size_t k = 0; k < failures.size(); ++k) EXPECT_EQ(failures[k].empty(), k != 5) << failures[k];
}

}  // namespace
}  // namespace herglotz::simulate
