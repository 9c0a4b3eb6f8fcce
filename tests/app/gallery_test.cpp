#include "herglotz/io/gallery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

/// The model with a singular Lagrangian, which has no equations for every acceleration.
const std::string singular = "christ-lee";

std::vector<std::string> names() {
  std::vector<std::string> list{"n-link-pendulum"};
  for (const auto& model : herglotz::io::gallery())
    if (model.name != singular) list.push_back(model.name);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

class GalleryModel : public ::testing::TestWithParam<std::string> {};

/// The largest |residual| of any balance law in a table.
double largest_residual(const Table& table) {
  double largest = 0;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    if (table.names[k].find("_residual") == std::string::npos) continue;
    for (const auto& row : table.rows) {
      if (!std::isfinite(row[k])) return row[k];
      largest = std::max(largest, std::abs(row[k]));
    }
  }
  return largest;
}

/// The arguments of a run of the model to a time; a start from two positions, which only discrete motions have, gives
/// way to one from momenta.
std::vector<std::string> run_of(const std::string& model, std::vector<std::string> options, const std::string& t_end) {
  std::vector<std::string> arguments{"simulate", model};
  options.insert(options.end(), {"--t-end", t_end, "--out", "run.csv"});
  arguments.insert(arguments.end(), options.begin(), options.end());
  const auto shown = run_herglotz({"models", "show", model});
  if (shown.out.find("[initial.next]") != std::string::npos) arguments.insert(arguments.end(), {"--set", "p_v=2"});
  return arguments;
}

}  // namespace

TEST_P(GalleryModel, IsRegularAndConsistent) {
  const auto run = run_herglotz({"check", GetParam()});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("consistent"));
}

TEST_P(GalleryModel, HasEquationsInEveryFormat) {
  for (const std::string format : {"text", "latex", "c", "sympy"}) {
    const auto run = run_herglotz({"derive", GetParam(), "--format", format});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_GT(run.out.size(), 40u) << format;
  }
}

TEST_P(GalleryModel, KeepsItsBalanceLawsByTheReferenceMethod) {
  const Folder folder;
  const auto run =
      run_herglotz(run_of(GetParam(), {"--method", "reference", "--tolerance", "1e-11"}, "1"), folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(largest_residual(table_of(folder.read("run.csv"))), 1e-8);
}

TEST_P(GalleryModel, KeepsItsBalanceLawsByAContactMethod) {
  const Folder folder;
  // Methods of one step size follow the coin until it comes to rest contact.
  const std::string t_end = GetParam() == std::string("bouncing-coin") ? "0.16" : "0.5";
  const auto run =
      run_herglotz(run_of(GetParam(), {"--method", "contact-gauss-4", "--step", "0.001"}, t_end), folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(largest_residual(table_of(folder.read("run.csv"))), 1e-8);
}

TEST(GalleryOfSingularModels, IsFollowedOnItsFinalSet) {
  const auto check = run_herglotz({"check", singular});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("1 arbitrary function of time: the rate of wy"));
  for (const std::string format : {"text", "latex", "sympy"})
    EXPECT_EQ(run_herglotz({"derive", singular, "--format", format}).status, 0) << format;
  const Folder folder;
  const auto run = run_herglotz({"simulate", singular, "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(largest_residual(table_of(folder.read("run.csv"))), 1e-8);
}

/// A problem of the gallery and the cost of its solution.
struct KnownCost {
  std::string problem;
  double cost;
  double accuracy;
};

class GalleryProblem : public ::testing::TestWithParam<KnownCost> {};

TEST_P(GalleryProblem, HasItsKnownCost) {
  const auto run = run_herglotz({"solve", GetParam().problem, "--format", "json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto summary = nlohmann::json::parse(run.out);
  EXPECT_EQ(summary.at("extremal"), "normal");
  EXPECT_NEAR(summary.at("cost").get<double>(), GetParam().cost, GetParam().accuracy);
}

TEST_P(GalleryProblem, IsCheckedAndDerived) {
  for (const std::string verb : {"check", "derive"}) {
    const auto run = run_herglotz({verb, GetParam().problem});
    EXPECT_EQ(run.status, 0) << verb << ": " << run.err;
  }
}

TEST(GalleryProblems, AllHaveAKnownCostAndAreListed) {
  EXPECT_EQ(herglotz::io::problem_gallery().size(), 11U);
  const auto listed = run_herglotz({"models", "list", "--problems"});
  for (const auto& problem : herglotz::io::problem_gallery()) {
    EXPECT_THAT(listed.out, HasSubstr(problem.name));
    EXPECT_FALSE(problem.title.empty());
    EXPECT_FALSE(problem.reference.empty());
  }
}

TEST(GalleryOfIndexedModels, IsListedAndRunsByName) {
  const auto listed = run_herglotz({"models", "list", "--indexed"});
  for (const auto& model : herglotz::io::indexed_gallery()) {
    EXPECT_THAT(listed.out, HasSubstr(model.name));
    EXPECT_THAT(listed.out, HasSubstr(model.title));
    EXPECT_EQ(run_herglotz({"check", model.name}).status, 0) << model.name;
  }
  EXPECT_THAT(run_herglotz({"derive", "toda-lattice"}).out, HasSubstr("dv[i]/dt"));
}

// References by shooting on the equations written out, and by Riccati's equation; the rocket's from the literature.
INSTANTIATE_TEST_SUITE_P(
    All, GalleryProblem,
    ::testing::Values(KnownCost{"brachistochrone", 0.8598981, 1e-6}, KnownCost{"cart-pole", 73.41557159, 1e-7},
                      KnownCost{"elastica", 2.627046020848, 1e-9}, KnownCost{"goddard-rocket", 1.012837, 1e-6},
                      KnownCost{"heisenberg-geodesic", 1.313530125102, 1e-10},
                      KnownCost{"regulator", 0.26091789098402995, 1e-11},
                      // Catenary y = c cosh((x - a)/c) + b, evaluated with 30 digits.
                      KnownCost{"hanging-chain", 5.06848011099341580, 1e-11},
                      // The extremals, followed to 1e-13 by another program (SciPy).
                      KnownCost{"martinet-geodesic", 1.344069367628488, 1e-10},
                      KnownCost{"rolling-ball", 8.839226735439881, 1e-9},
                      // By CasADi with 200 intervals, whose error is 3e-9.
                      KnownCost{"satellite-slew", 2.924267553, 5e-9}, KnownCost{"moving-trap", 1, 1e-11}),
    [](const auto& each) {
      std::string name = each.param.problem;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

INSTANTIATE_TEST_SUITE_P(All, GalleryModel, ::testing::ValuesIn(names()), [](const auto& each) {
  std::string name = each.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});
