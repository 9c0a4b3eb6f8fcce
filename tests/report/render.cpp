#include <gmock/gmock.h>

#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <regex>

#include "herglotz/report/report.hpp"
#include "page_text.hpp"
#include "sample_runs.hpp"

namespace herglotz::report {
namespace {

using analyse::Role;
using analyse::Trajectory;
using testing::HasSubstr;
using testing::Not;

TEST(Render, LoadsNothingFromTheNetwork) {
  const std::string page = render(samples::damped_oscillator(50));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // Elements of the page itself; its scripts hold addresses as text (namespaces, licences), which load nothing.
  const std::string markup = std::regex_replace(page.substr(0, page.find("<style")), std::regex("\\s+"), " ") +
                             between(page, "</style>", "<script>");
  EXPECT_THAT(markup, Not(HasSubstr("http:")));
  EXPECT_THAT(markup, Not(HasSubstr("https:")));
  EXPECT_EQ(count(markup, "<link"), 1u);
  EXPECT_THAT(markup, HasSubstr(R"(<link rel="icon" href="data:,">)"));
  EXPECT_EQ(count(page, "<script src"), 0u);
  const std::string style = between(page, R"(<style id="plotly.js-style-global">)", "</style>");
  EXPECT_GT(count(style, "url("), 10u) << "the fonts of the equations are inlined";
  EXPECT_EQ(count(style, "url("), count(style, "url(data:font/woff2") + count(style, "url(\"data:font/woff2"));
  EXPECT_EQ(count(style, "@import"), 0u);
}

TEST(Render, HoldsWhatASolutionProves) {
  Trajectory path;
  path.columns = {{"t", Role::time, {0, 1}}, {"x", Role::base, {0, 1}}, {"u", Role::observable, {1, 1}}};
  path.facts.model_text = R"([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
most = 1
[control]
controls = ["u"]
kinematics = { v = "u" }
bounds = { u = [-inf, "2*most"] }
[cost]
running = "u^2/2"
[boundary]
duration = 1
)";
  path.facts.parameters = {{"most", 3}};
  control::SolutionFacts solution;
  solution.status = control::Status::not_converged;
  solution.reason = "too few intervals <2>";
  solution.cost = 0.5;
  solution.residuals = {{"defect", 1e-3}};
  solution.switching_times = {{"u", {0.5}}};
  solution.iterate.times = {0, 1};
  solution.iterate.errors = {1e-4};
  const std::string page = render(path, solution);
  const auto data = run_of(page)["solution"];
  EXPECT_EQ(data["status"], "not converged");
  EXPECT_EQ(data["cost"], 0.5);
  EXPECT_EQ(data["residuals"][0]["name"], "defect");
  EXPECT_EQ(data["controls"][0]["lower"], "-Infinity");
  EXPECT_EQ(data["controls"][0]["upper"], 6) << "with the parameters of the solution";
  EXPECT_EQ(data["switches"][0]["times"][0], 0.5);
  EXPECT_EQ(data["errors"][0], 1e-4);
  EXPECT_THAT(page, HasSubstr("<li>Reason: too few intervals &lt;2&gt;</li>"));
  EXPECT_FALSE(run_of(render(path)).contains("solution"));
}

TEST(Render, AllowsItsOwnScriptAndStyleAndNoOtherInlineText) {
  const std::string page = render(samples::damped_oscillator(50));
  EXPECT_EQ(count(between(page, "Content-Security-Policy", ">"), "unsafe-"), 0u);
  EXPECT_EQ(count(page, "script-src 'sha256-"), 1u);
  EXPECT_EQ(count(page, "style-src 'sha256-"), 1u);
  EXPECT_EQ(page, render(samples::damped_oscillator(50))) << "equal runs have equal pages";
}

TEST(Render, HoldsTheRunToTheLastBit) {
  const Trajectory run = samples::damped_oscillator(257);
  const auto data = run_of(render(run));
  EXPECT_EQ(data["rows"], 257);
  ASSERT_EQ(data["columns"].size(), run.columns.size());
  for (std::size_t i = 0; i < run.columns.size(); ++i) {
    const auto& column = data["columns"][i];
    EXPECT_EQ(column["name"], run.columns[i].name);
    ASSERT_EQ(column["values"].size(), 257u);
    for (std::size_t row = 0; row < 257; ++row) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(column["values"][row].get<double>()),
                std::bit_cast<std::uint64_t>(run.columns[i].values[row]))
          << run.columns[i].name << " in row " << row;
    }
  }
}

TEST(Render, HoldsTheCrossingsOfEvents) {
  Trajectory run = samples::damped_oscillator(3);
  std::vector<double> times(12'000);
  std::iota(times.begin(), times.end(), 0.0);
  run.events = {{"section", {{"t", Role::time, {0.5, 1.5}}, {"x", Role::base, {1, -1}}}},
                {"many", {{"t", Role::time, times}}},
                {"never", {}}};
  const auto events = run_of(render(run))["events"];
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0]["name"], "section");
  EXPECT_EQ(events[0]["columns"][1]["values"], (nlohmann::json{1.0, -1.0}));
  EXPECT_EQ(events[1]["count"], 12'000);
  EXPECT_EQ(events[1]["columns"][0]["values"].size(), 5000u);
  EXPECT_EQ(events[1]["columns"][0]["values"][5], 12.0) << "evenly spread";
  EXPECT_EQ(events[2]["count"], 0);
}

TEST(Render, HoldsTheFactsOfTheRun) {
  Trajectory run = samples::damped_oscillator(3);
  run.facts.at_round_off = {{"energy", 12.5}};
  run.facts.largest_invariants = {{"unit", 2e-16}};
  run.facts.gauge = "y - t = 0";
  const auto facts = run_of(render(run))["facts"];
  EXPECT_EQ(facts["at_round_off"][0]["value"], 12.5);
  EXPECT_EQ(facts["largest_invariants"][0]["name"], "unit");
  EXPECT_EQ(facts["gauge"], "y - t = 0");
  EXPECT_EQ(facts["title"], run.facts.title);
  EXPECT_EQ(facts["model_text"], run.facts.model_text);
  EXPECT_EQ(facts["equations_latex"], run.facts.equations_latex);
  EXPECT_EQ(facts["steps"], run.facts.steps);
  EXPECT_EQ(facts["complete"], true);
  EXPECT_EQ(facts["parameters"][0]["name"], "gamma");
  EXPECT_EQ(facts["parameters"][0]["value"], 0.15);
  EXPECT_EQ(facts["largest_momentum_residuals"][0]["value"], run.facts.largest_momentum_residuals[0].second);
}

TEST(Render, CarriesNumbersThatAreNotFiniteAsWords) {
  Trajectory run;
  const double infinite = std::numeric_limits<double>::infinity();
  run.columns = {{"t", Role::time, {0, 1, 2}},
                 {"x", Role::base, {std::numeric_limits<double>::quiet_NaN(), infinite, -infinite}}};
  run.facts.largest_energy_residual = std::numeric_limits<double>::quiet_NaN();
  const auto data = run_of(render(run));
  EXPECT_EQ(data["columns"][1]["values"], (nlohmann::json{"NaN", "Infinity", "-Infinity"}));
  EXPECT_EQ(data["columns"][1]["largest"], "NaN");
  EXPECT_EQ(data["facts"]["largest_energy_residual"], "NaN");
}

TEST(Render, MakesHostileTextHarmless) {
  const std::string attack =
      "</script></title><script>alert('x')</script><!--<img src=x onerror=\"alert(1)\">&@@herglotz-run@@";
  Trajectory run = samples::damped_oscillator(3);
  run.facts.title = run.facts.reference = run.facts.model_name = run.facts.model_text = run.facts.status = attack;
  run.facts.method = run.facts.method_reason = run.facts.version = run.facts.equations_latex = attack;
  run.facts.parameters = run.facts.initial = run.facts.largest_momentum_residuals = {{attack, 1.0}};
  run.facts.notes = {attack};
  run.columns[1].name = attack;
  const std::string page = render(run);
  const std::string plain = render(samples::damped_oscillator(3));
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
  EXPECT_EQ(count(page, "<img src=x"), 0u);
  const auto data = run_of(page);
  EXPECT_EQ(data["facts"]["title"], attack);
  EXPECT_EQ(data["facts"]["model_text"], attack);
  EXPECT_EQ(data["facts"]["notes"][0], attack);
  EXPECT_EQ(data["columns"][1]["name"], attack);
  EXPECT_THAT(between(page, "<title>", "</title>"), HasSubstr("&lt;/script&gt;&lt;/title&gt;"));
}

TEST(Render, ShowsControlCharactersAsText) {
  Trajectory run = samples::damped_oscillator(3);
  run.facts.title = "a\x1b[31mred";
  EXPECT_THAT(between(render(run), "<title>", "</title>"), HasSubstr("a\\x1b[31mred"));
}

TEST(Render, SurvivesTextThatIsNotUtf8) {
  Trajectory run = samples::damped_oscillator(3);
  run.facts.model_text = "a \xff\xfe b";
  EXPECT_EQ(run_of(render(run))["facts"]["model_text"], "a \uFFFD\uFFFD b");
}

TEST(Render, NamesTheColumnWhoseLengthDiffers) {
  Trajectory run = samples::damped_oscillator(3);
  run.columns[2].values.pop_back();
  try {
    render(run);
    FAIL() << "columns of different lengths were accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("'vx' has 2 values where the first column has 3"));
  }
}

TEST(Render, PutsTwoRunsOnOnePage) {
  const Trajectory first = samples::damped_oscillator(5);
  const Trajectory second = samples::damped_oscillator(9);
  const std::string page = render(first, second, {"<one>", "other"});
  const auto data = run_of(page);
  EXPECT_EQ(data["kind"], "comparison");
  EXPECT_EQ(data["names"], (nlohmann::json{"<one>", "other"}));
  EXPECT_EQ(data["runs"][0], run_of(render(first)));
  EXPECT_EQ(data["runs"][1], run_of(render(second)));
  EXPECT_EQ(between(page, "<title>", "</title>"), "&lt;one&gt; and other");
}

TEST(Render, AcceptsARunWithoutAnyState) {
  const auto data = run_of(render(Trajectory{}));
  EXPECT_EQ(data["rows"], 0);
  EXPECT_TRUE(data["columns"].empty());
}

TEST(Render, KeepsTheLargestMagnitudeOfEveryStoredRow) {
  const Trajectory run = samples::rolling_in_the_plane(50000);
  double largest = 0;
  for (const double value : run["constraint.1"]) largest = std::max(largest, std::abs(value));
  EXPECT_EQ(run_of(render(run))["columns"].back()["largest"], largest);
}

TEST(Render, HoldsMultipliersAndConstraintsInTheirRoles) {
  const Trajectory run = samples::knife_edge(101);
  const auto data = run_of(render(run));
  const auto columns = data["columns"];
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& column : columns) names[column["role"]].push_back(column["name"]);
  EXPECT_THAT(names["base"], testing::ElementsAre("x", "y", "theta", "phi"));
  EXPECT_THAT(names["multiplier"], testing::ElementsAre("lambda1", "lambda2"));
  EXPECT_THAT(names["constraint"], testing::ElementsAre("constraint.1", "constraint.2"));
  EXPECT_EQ(columns[10]["values"][50].get<double>(), run["lambda1"][50]);
}

TEST(Render, StatesTheLargestConstraintResidualAndTheNotesOfTheRun) {
  Trajectory run = samples::knife_edge(11);
  run.facts.largest_constraint_residual = 4.5e-13;
  const std::string page = render(run);
  const auto facts = run_of(page)["facts"];
  EXPECT_EQ(facts["largest_constraint_residual"], 4.5e-13);
  EXPECT_EQ(facts["notes"].get<std::vector<std::string>>(), run.facts.notes);
  const std::string summary = between(page, "<noscript>", "</noscript>");
  EXPECT_THAT(summary, HasSubstr("Largest constraint residual: 4.5e-13"));
  EXPECT_THAT(summary, HasSubstr("Note: start moved onto the constraints"));
  EXPECT_THAT(summary, HasSubstr("vx 0.1 -&gt; 0"));
}

TEST(Render, SaysNothingOfConstraintsWhereThereAreNone) {
  const std::string summary = between(render(samples::damped_oscillator(3)), "<noscript>", "</noscript>");
  EXPECT_THAT(summary, HasSubstr("Largest energy residual"));
  EXPECT_THAT(summary, Not(HasSubstr("constraint")));
  EXPECT_THAT(summary, Not(HasSubstr("Note:")));
}

TEST(Render, CarriesAConstraintResidualThatIsNotANumber) {
  Trajectory run = samples::knife_edge(3);
  run.facts.largest_constraint_residual = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run_of(render(run))["facts"]["largest_constraint_residual"], "NaN");
}

TEST(Render, StaysSmallForAMillionStates) {
  const std::string page = render(samples::damped_oscillator(1'000'000, 4000));
  EXPECT_LT(page.size(), 9'000'000u);
  EXPECT_EQ(run_of(page)["rows"], 1'000'000);
}

}  // namespace
}  // namespace herglotz::report
