// Models with an index on the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

const std::vector<std::string> kSmall{"simulate", "membrane", "--set", "n=8", "--t-end", "2"};

Finished small(const std::vector<std::string>& more, const Folder& folder) {
  std::vector<std::string> arguments = kSmall;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_herglotz(arguments, folder.path());
}

TEST(Grids, HaveColumnsInQuotes) {
  const Folder folder;
  ASSERT_EQ(small({"--out", "run.csv", "--columns", "q[0,3],q[7,::4],energy"}, folder).status, 0);
  const std::string text = folder.read("run.csv");
  EXPECT_EQ(lines_of(text).front(), "t,\"q[0,3]\",\"q[7,0]\",\"q[7,4]\",energy");
}

TEST(Grids, RunLoopsAndWrittenOutAlike) {
  const Folder folder;
  const auto loops =
      small({"--out", "loops.csv", "--columns", "q[3,2],energy", "--method", "contact-lobatto-2"}, folder);
  ASSERT_EQ(loops.status, 0) << loops.err;
  const auto flat = small({"--out", "flat.csv", "--columns", "q[3,2],energy", "--method", "contact-gauss-8"}, folder);
  ASSERT_EQ(flat.status, 0) << flat.err;
  EXPECT_THAT(flat.out, HasSubstr("the model is written out with 64 coordinates"));
  EXPECT_EQ(lines_of(folder.read("flat.csv")).front(), "t,\"q[3,2]\",energy");
  const auto last = [&](const std::string& file) { return lines_of(folder.read(file)).back(); };
  const auto number = [](const std::string& line) { return std::stod(line.substr(line.find(',') + 1)); };
  EXPECT_NEAR(number(last("loops.csv")), number(last("flat.csv")), 0.01);
}

TEST(Grids, AreDrawnInReports) {
  const Folder folder;
  const auto found = small({"--report", "run.html", "--out", "run.h5"}, folder);
  ASSERT_EQ(found.status, 0) << found.err;
  const std::string page = folder.read("run.html");
  EXPECT_THAT(page, HasSubstr(R"("fields":[{"axes":[{"name":"i","places":[0,1,2,3,4,5,6,7]})"));
  EXPECT_TRUE(folder.has("run.h5"));
}

Finished check(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"check", "sine-gordon-kink", "--format", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_herglotz(arguments);
}

TEST(Check, OfAModelWithAnIndexMakesTheFirstStepsOfARun) {
  const auto good = check({});
  EXPECT_EQ(good.status, 0) << good.err;
  const auto found = nlohmann::json::parse(good.out);
  EXPECT_EQ(found["ok"], true);
  EXPECT_EQ(found["failure"], "");
  EXPECT_EQ(found["method"], "contact-splitting-4");
  EXPECT_EQ(found["findings"].back()["subject"], "start");
  EXPECT_EQ(found["findings"].back()["verdict"], "holds");
}

TEST(Check, OfAModelWithAnIndexSaysWhyThereIsNoRun) {
  const auto failed = check({"--set", "q[5]=1e200"});
  EXPECT_EQ(failed.status, 3) << failed.err;
  const auto found = nlohmann::json::parse(failed.out);
  EXPECT_EQ(found["ok"], false);
  EXPECT_THAT(found["failure"].get<std::string>(), HasSubstr("is not finite"));
  EXPECT_EQ(found["findings"].back()["verdict"], "fails");
  EXPECT_THAT(failed.err, HasSubstr("is not finite"));

  const auto flat = run_herglotz({"check", "swing-equations", "--format", "json"});
  EXPECT_EQ(flat.status, 0) << flat.err;
  EXPECT_THAT(flat.out, ::testing::ContainsRegex("a run goes on from it, to t = 0\\.[0-9]"));

  const auto refused = check({"--set", "q[5]=1/0"});
  EXPECT_EQ(refused.status, 2) << refused.err;
}

Finished check_phonons(const std::vector<std::string>& more, const std::string& ends = "periodic",
                       const std::string& simulation = "") {
  const Folder folder;
  folder.write("chain.toml",
               "[indices]\ni = { count = 12, ends = \"" + ends +
                   "\" }\n[algebroid]\nkind = \"tangent\"\nbase = [\"a[i]\", \"b[i]\"]\nfibre = [\"va[i]\", "
                   "\"vb[i]\"]\n[parameters]\nm1 = 1\nm2 = 2\n[dynamics]\nlagrangian = \"sum(i, m1*va[i]^2/2 + "
                   "m2*vb[i]^2/2 - (b[i] - a[i])^2/2 - (a[i+1] - b[i])^2/2)\"\n[symmetries]\nshift = [\"1\", "
                   "\"1\"]\n[initial]\n\"a[i]\" = \"sin(i)\"\n[simulation]\n" +
                   simulation);
  std::vector<std::string> arguments{"check", "chain.toml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_herglotz(arguments, folder.path());
}

// Two families with a product of their velocities have no equations at a site; `simulate` writes them out, and `check`
// refused what it runs.
TEST(Check, OfAModelWithoutEquationsAtASiteIsThatOfTheModelWrittenOut) {
  const Folder folder;
  const auto model = [](int count) {
    return "[indices]\ni = { count = " + std::to_string(count) +
           ", ends = \"periodic\" }\n[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\", \"s[i]\"]\nfibre = [\"v[i]\", "
           "\"w[i]\"]\n[dynamics]\nlagrangian = \"sum(i, v[i]^2 + v[i]*w[i+1] + w[i]^2 - (q[i+1] - q[i])^2/2 - "
           "s[i]^2)\"\n"
           "[initial]\n\"q[i]\" = \"i\"\n[simulation]\nmethod = \"runge-kutta-4\"\nstep = 0.1\nt_end = 1\n";
  };
  folder.write("small.toml", model(4));
  folder.write("large.toml", model(501));
  const auto small = run_herglotz({"check", "small.toml"}, folder.path());
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_THAT(
      small.out,
      AllOf(HasSubstr("not written for a site: the velocities v[i] and w[i+1] are coupled by the kinetic energy"),
            HasSubstr("written out flat"), HasSubstr("a run goes on from it")));
  EXPECT_EQ(run_herglotz({"simulate", "small.toml"}, folder.path()).status, 0);
  const auto large = run_herglotz({"check", "large.toml"}, folder.path());
  EXPECT_EQ(large.status, 2) << large.out;
  EXPECT_THAT(large.err, HasSubstr("with at most 1000 coordinates 'simulate' writes the model out"));
}

TEST(Check, OfCoupledFamiliesSaysThatInertiasAreMatrices) {
  const Folder folder;
  folder.write("coupled.toml",
               "[indices]\ni = { count = 501, ends = \"periodic\" }\n[algebroid]\nkind = \"tangent\"\n"
               "base = [\"q[i]\", \"s[i]\"]\nfibre = [\"v[i]\", \"w[i]\"]\n[dynamics]\n"
               "lagrangian = \"sum(i, v[i]^2 + v[i]*w[i] + 2*w[i]^2 - s[i]^2)\"\n"
               "[simulation]\nmethod = \"runge-kutta-4\"\nstep = 0.1\nt_end = 1\n");
  const auto coupled = run_herglotz({"check", "coupled.toml"}, folder.path());
  EXPECT_EQ(coupled.status, 0) << coupled.err;
  EXPECT_THAT(coupled.out, AllOf(HasSubstr("a matrix at each site, with the diagonal: 2, 4\n"),
                                 HasSubstr("runge-kutta-4, in loops over the sites")));
}

TEST(Check, OfAModelWithAnIndexJudgesSymmetriesAsItsRunsDo) {
  const std::string steps = "method = \"runge-kutta-4\"\nstep = 0.1\nt_end = 1\n";
  const auto ring = check_phonons({}, "periodic", steps);
  EXPECT_EQ(ring.status, 0) << ring.err;
  EXPECT_THAT(ring.out, HasSubstr("shift holds at every site\n"));
  EXPECT_THAT(ring.out, HasSubstr("diagonal: m1, m2\n"));
  const auto fixed = check_phonons({}, "fixed", steps);
  EXPECT_EQ(fixed.status, 0) << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("shift holds at every site, not at the fixed ends"));
  const auto found = nlohmann::json::parse(check_phonons({"--format", "json"}, "fixed", steps).out);
  EXPECT_EQ(found["symmetries"][0]["holds"], false);
  EXPECT_EQ(found["ok"], true);
}

TEST(Check, OfAModelWithAnIndexEndsAfterTheFirstStepsWhateverTheRowsAre) {
  const std::string rows = "t_end = 1e7\noutput_step = 1e7\n";
  const auto loops = check_phonons({}, "periodic", "method = \"contact-splitting-4\"\nstep = 0.1\n" + rows);
  EXPECT_EQ(loops.status, 0) << loops.err;
  EXPECT_THAT(loops.out, HasSubstr("a run goes on from it, to t = 0.1\n"));
  const auto flat = check_phonons({}, "periodic", "method = \"contact-gauss-8\"\nstep = 0.1\n" + rows);
  EXPECT_EQ(flat.status, 0) << flat.err;
  EXPECT_THAT(flat.out, HasSubstr("a run goes on from it, to t = 0.1\n"));
  for (const char* method : {"reference", "radau-5"}) {
    const auto adaptive = check_phonons({}, "periodic", "method = \"" + std::string(method) + "\"\n" + rows);
    EXPECT_EQ(adaptive.status, 0) << adaptive.err;
    EXPECT_THAT(adaptive.out, ::testing::ContainsRegex("a run goes on from it, to t = [0-9.e-]+\n")) << method;
  }
  const auto wrong = check_phonons({}, "periodic", "method = \"runge-kutta-4\"\nstep = 0.1\noutput_step = 0.25\n");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("output_step = 0.25 is not a multiple of step = 0.1"));
  for (const char* method : {"runge-kutta-4", "contact-gauss-8"}) {
    const auto still =
        check_phonons({}, "periodic", "method = \"" + std::string(method) + "\"\nstep = 0.1\nt_end = 0\n");
    EXPECT_EQ(still.status, 0) << still.err;
    EXPECT_THAT(still.out, HasSubstr("a run ends at it, t = 0\n")) << method;
  }
}

/// Returns what a page carries.
nlohmann::json carried(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"run\">";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Equations, OfModelsWithAnIndexAreTextAndLatex) {
  for (const char* format : {"text", "latex"})
    EXPECT_EQ(run_herglotz({"derive", "sine-gordon-kink", "--format", format}).status, 0) << format;
  for (const char* format : {"c", "sympy", "json"}) {
    const auto refused = run_herglotz({"derive", "sine-gordon-kink", "--format", format});
    EXPECT_EQ(refused.status, 2) << format;
    EXPECT_THAT(refused.err, HasSubstr("a model with an index has its equations at a site, as text and LaTeX"));
  }
}

TEST(StoredRuns, OfModelsWithAnIndexHaveTheReportOfTheRunItself) {
  const Folder folder;
  ASSERT_EQ(small({"--set", "k=1.5", "--report", "run.html", "--out", "run.h5"}, folder).status, 0);
  const auto again = run_herglotz({"report", "run.h5", "--out", "again.html"}, folder.path());
  ASSERT_EQ(again.status, 0) << again.err;
  const auto first = carried(folder.read("run.html"));
  const auto second = carried(folder.read("again.html"));
  for (const char* key : {"columns", "fields", "motion"}) EXPECT_EQ(first[key], second[key]) << key;
  EXPECT_EQ(second["motion"]["arrays"][0]["shape"], "surface");
  EXPECT_EQ(second["facts"]["notes"].size(), first["facts"]["notes"].size());
}

TEST(StoredRuns, ReadNoFilesOfTheirModel) {
  const Folder folder;
  folder.write("m.csv", "m\n1\n2\n3\n4\n");
  folder.write("chain.toml",
               "[indices]\ni = { count = 4, ends = \"periodic\" }\n[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\n"
               "fibre = [\"v[i]\"]\n[parameters]\n\"m[i]\" = { file = \"m.csv\", column = \"m\" }\n[dynamics]\n"
               "lagrangian = \"sum(i, m[i]*v[i]^2/2 - q[i]^2/2)\"\n[initial]\n\"q[i]\" = 1\n[simulation]\nstep = 0.1\n"
               "t_end = 1\n[view.bodies]\nb = { shape = \"sphere\", at = [\"i\", \"q[i]\", 0] }\n");
  ASSERT_EQ(run_herglotz({"simulate", "chain.toml", "--out", "run.h5"}, folder.path()).status, 0);
  ASSERT_EQ(run_herglotz({"report", "run.h5", "--out", "run.html"}, folder.path()).status, 0);
  const auto page = carried(folder.read("run.html"));
  EXPECT_TRUE(page["motion"].is_null());
  EXPECT_EQ(page["fields"].size(), 2U);
  EXPECT_THAT(page["facts"]["notes"].back().get<std::string>(), HasSubstr("its model reads files"));
}

TEST(Sweeps, OfModelsWithAnIndexAreMadeOfShards) {
  const Folder folder;
  const auto sweep = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"sweep", "membrane", "--set", "n=8", "--t-end", "1", "--sweep", "gamma=0:0.2:3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_herglotz(arguments, folder.path());
  };
  const auto whole = sweep({"--out", "whole.h5"});
  ASSERT_EQ(whole.status, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("3, none failed"));
  EXPECT_THAT(whole.out, HasSubstr("q[0,2]"));
  EXPECT_THAT(whole.out, HasSubstr(".. and 122 sites more, in the file"));
  for (const char* shard : {"0/2", "1/2"}) ASSERT_EQ(sweep({"--out", "parts.h5", "--shard", shard}).status, 0);
  ASSERT_EQ(run_herglotz({"merge", "parts.h5"}, folder.path()).status, 0);
  EXPECT_EQ(folder.read("parts.h5"), folder.read("whole.h5"));
  const auto refused = sweep({"--out", "other.h5", "--set", "gamma=1"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("'gamma' is swept"));
}

constexpr const char* kMasses = R"toml(
[indices]
i = { count = "n", ends = "fixed" }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
n = 3
k = 1.5
"m[i]" = "1 + k*i"
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2 - k*(q[i+1] - q[i])^2/2) - 0.1*z"
[initial]
"q[i]" = "k*(i + 1)"
[simulation]
method = "contact-gauss-4"
step = 0.05
t_end = 2
)toml";

TEST(DerivativesOfSites, AreThoseOfRunsWithOtherParameters) {
  const Folder folder;
  folder.write("m.toml", kMasses);
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"simulate", "m.toml", "--out", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto found = run_herglotz(arguments, folder.path());
    EXPECT_EQ(found.status, 0) << found.err;
    return found.out;
  };
  const auto last = [](const std::string& text, const std::string& name) {
    const auto lines = lines_of(text);
    std::vector<std::string> names;
    std::vector<std::string> values;
    std::stringstream head(lines.front());
    std::stringstream row(lines.back());
    for (std::string part; std::getline(head, part, ',');) names.push_back(part);
    for (std::string part; std::getline(row, part, ',');) values.push_back(part);
    const auto place = std::find(names.begin(), names.end(), name);
    EXPECT_NE(place, names.end()) << name;
    return place == names.end() ? 0 : std::stod(values.at(static_cast<std::size_t>(place - names.begin())));
  };
  const std::string derivatives = run({"--sensitivities", "k"});
  const std::string above = run({"--set", "k=1.50001"});
  const std::string below = run({"--set", "k=1.49999"});
  for (const std::string name : {"q[0]", "v[2]", "z", "energy"})
    EXPECT_NEAR(last(derivatives, "d." + name + ".d.k"), (last(above, name) - last(below, name)) / 2e-5, 1e-7) << name;
  const auto sites = run_herglotz({"simulate", "m.toml", "--sensitivities", "n", "--out", "-"}, folder.path());
  EXPECT_EQ(sites.status, 2);
  EXPECT_THAT(sites.err, HasSubstr("'n'"));
}

TEST(DerivativesOfSites, FindParametersFromMeasurements) {
  const Folder folder;
  folder.write("m.toml", kMasses);
  ASSERT_EQ(
      run_herglotz({"simulate", "m.toml", "--set", "k=1.8", "--columns", "q[0],q[2]", "--out", "d.csv"}, folder.path())
          .status,
      0);
  const auto fit =
      run_herglotz({"fit", "m.toml", "--data", "d.csv", "--parameters", "k", "--format", "json"}, folder.path());
  ASSERT_EQ(fit.status, 0) << fit.err;
  EXPECT_NEAR(nlohmann::json::parse(fit.out)["parameters"]["k"]["value"], 1.8, 1e-10) << fit.out;
}

}  // namespace
