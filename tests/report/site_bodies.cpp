#include "motion/site_bodies.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "herglotz/error.hpp"
#include "herglotz/report/indexed.hpp"
#include "herglotz/report/report.hpp"
#include "project_folders.hpp"
#include "sample_runs.hpp"

namespace herglotz::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A chain of `count` sites with a view.
std::string chain(const std::string& ends, const std::string& bodies) {
  return "[indices]\ni = { count = 5, ends = \"" + ends +
         "\" }\ne = { from = [0, 3], to = [2, 1] }\n[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\n"
         "fibre = [\"v[i]\"]\n[parameters]\na = 2\n\"m[i]\" = \"1 + i\"\n\"K[e]\" = [7, 8]\n"
         "[dynamics]\nlagrangian = \"sum(i, m[i]*v[i]^2/2) + sum(e, K[e]*cos(q[e.to] - q[e.from]))\"\n[view.bodies]\n" +
         bodies;
}

/// A run of three rows whose values tell the row and the site.
families::FieldRun run_at_sites(std::vector<std::size_t> sites, std::size_t rows = 3) {
  families::FieldRun run;
  run.indices = {{"i", 5, families::Ends::free}};
  run.trajectory.columns = {{"t", analyse::Role::time, {}}};
  run.trajectory.facts.parameters = {{"a", 3.0}};  // of the run, not of the text
  families::Field field{"q", analyse::Role::base, std::move(sites), {}};
  for (std::size_t row = 0; row < rows; ++row) {
    run.trajectory.columns[0].values.push_back(static_cast<double>(row) / 2);
    for (const std::size_t site : field.sites) field.values.push_back(static_cast<double>(100 * row + site));
  }
  run.fields = {std::move(field)};
  return run;
}

json motion_of_text(const std::string& text, const families::FieldRun& run) {
  io::FamilyView view = io::parse_family_view(text, "chain.toml");
  return site_motion_of(run, view);
}

/// Returns the values of a component, moment after moment.
std::vector<double> values(const json& motion, std::size_t body, const std::string& key, std::size_t c) {
  const json& component = motion["components"][motion["arrays"][body][key][c].get<std::size_t>()];
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char letter : component["data"].get<std::string>()) {
    if (letter == '=') break;
    held = held << 6U | static_cast<unsigned>(letters.find(letter));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(held >> static_cast<unsigned>(bits) & 0xffU));
  }
  std::vector<double> list;
  for (std::size_t k = 0; k + 1 < bytes.size(); k += 2) {
    const auto code = static_cast<unsigned char>(bytes[k]) + 256.0 * static_cast<unsigned char>(bytes[k + 1]);
    list.push_back(component["low"].get<double>() + code * component["step"].get<double>());
  }
  return list;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 0.01) << k;
}

TEST(SiteBodies, AreOneForEachSiteAtEachMoment) {
  const json motion = motion_of_text(
      chain("free", "beads = { shape = \"sphere\", at = [\"a*i\", \"t\", \"q[i]\"], radius = \"m[i]\" }\n"),
      run_at_sites({0, 1, 2, 3, 4}));
  ASSERT_EQ(motion["arrays"].size(), 1U);
  EXPECT_EQ(motion["arrays"][0]["bodies"], 5);
  EXPECT_EQ(motion["moments"], (json{0.0, 0.5, 1.0}));
  expect_near(values(motion, 0, "at", 0), {0, 3, 6, 9, 12});
  expect_near(values(motion, 0, "at", 1), {0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1});
  expect_near(values(motion, 0, "at", 2), {0, 1, 2, 3, 4, 100, 101, 102, 103, 104, 200, 201, 202, 203, 204});
  expect_near(values(motion, 0, "radius", 0), {1, 2, 3, 4, 5});
}

TEST(SiteBodies, AreOneForEachEdgeAndOneForSingleSites) {
  const json motion = motion_of_text(
      chain("free",
            "lines = { shape = \"rod\", from = [\"q[e.from]\", \"0\", \"0\"], to = [\"q[e.to]\", \"K[e]\", \"0\"] }\n"
            "last = { shape = \"sphere\", at = [\"q[count-1]\", \"0\", \"q[0]\"] }\n"),
      run_at_sites({0, 1, 2, 3, 4}));
  EXPECT_EQ(motion["arrays"][0]["bodies"], 2);
  expect_near(values(motion, 0, "from", 0), {0, 3, 100, 103, 200, 203});
  expect_near(values(motion, 0, "to", 0), {2, 1, 102, 101, 202, 201});
  expect_near(values(motion, 0, "to", 1), {7, 8});
  EXPECT_EQ(motion["arrays"][1]["bodies"], 1);
  expect_near(values(motion, 1, "at", 0), {4, 104, 204});
}

TEST(SiteBodies, FollowTheEnds) {
  const std::string spring =
      "springs = { shape = \"rod\", from = [\"i\", \"q[i]\", \"0\"], to = [\"i + 1\", \"q[i+1]\", \"0\"] }\n";
  const auto to = [&](const std::string& ends) {
    return values(motion_of_text(chain(ends, spring), run_at_sites({0, 1, 2, 3, 4}, 2)), 0, "to", 1);
  };
  expect_near(to("free"), {1, 2, 3, 4, 101, 102, 103, 104});
  expect_near(to("fixed"), {1, 2, 3, 4, 0, 101, 102, 103, 104, 0});
  expect_near(to("periodic"), {1, 2, 3, 4, 0, 101, 102, 103, 104, 100});
}

TEST(SiteBodies, OfSitesThatWereNotKeptAreLeftOut) {
  const std::string text = chain("free", "beads = { shape = \"sphere\", at = [\"i\", \"0\", \"q[i]\"] }\n");
  const json motion = motion_of_text(text, run_at_sites({1, 4}));
  EXPECT_EQ(motion["arrays"][0]["bodies"], 2);
  expect_near(values(motion, 0, "at", 0), {1, 4});
  EXPECT_EQ(motion["note"], "The picture has 2 of 5 for 'beads'.");
  families::FieldRun without = run_at_sites({0, 1});
  without.fields[0].name = "v";
  EXPECT_EQ(motion_of_text(text, without)["note"], "'beads' is not drawn: the run did not keep q.");
  EXPECT_TRUE(motion_of_text(text, run_at_sites({0, 1}, 1)).is_null());
}

TEST(SiteBodies, ThatCannotBeDrawnLeaveTheOthers) {
  const json motion =
      motion_of_text(chain("free",
                           "beads = { shape = \"sphere\", at = [\"i\", \"0\", \"q[i]\"] }\n"
                           "fast = { shape = \"sphere\", at = [\"i\", \"0\", \"v[i]\"] }\n"
                           "last = { shape = \"sphere\", at = [\"0\", \"0\", \"q[4]\"] }\n"
                           "pairs = { shape = \"rod\", from = [\"0\", \"0\", \"q[i]\"], to = [\"i\", \"0\", "
                           "\"q[i+1]\"] }\n"
                           "far = { shape = \"sphere\", at = [\"q[i+3]\", \"q[i-2]\", \"0\"] }\n"
                           "ends = { shape = \"rod\", from = [\"q[0]\", \"0\", \"0\"], to = [\"q[2]\", "
                           "\"0\", \"0\"] }\n"),
                     run_at_sites({0, 2}));
  ASSERT_EQ(motion["arrays"].size(), 2U);
  EXPECT_EQ(motion["arrays"][0]["name"], "beads");
  EXPECT_EQ(motion["arrays"][1]["name"], "ends");
  EXPECT_EQ(motion["note"],
            "The picture has 2 of 5 for 'beads'. 'fast' is not drawn: the run did not keep v. "
            "'last' is not drawn: the run did not keep q[4]. "
            "'pairs' is not drawn: the run kept all that it uses at no place. "
            "'far' is not drawn: at every site something in it lies beyond the free ends.");
}

TEST(SiteBodies, StandAtTheSitesOfTheFamiliesInThem) {
  families::FieldRun run = run_at_sites({0, 1, 2, 3, 4});
  run.fields[0].name = "v";
  run.fields.insert(run.fields.begin(), run_at_sites({2}).fields[0]);
  const json motion = motion_of_text(chain("free",
                                           "slow = { shape = \"sphere\", at = [\"i\", \"0\", \"v[i]\"] }\n"
                                           "both = { shape = \"sphere\", at = [\"q[i]\", \"0\", \"v[i]\"] }\n"
                                           "still = { shape = \"sphere\", at = [\"i\", \"0\", \"m[i]\"] }\n"),
                                     run);
  EXPECT_EQ(motion["arrays"][0]["bodies"], 5);
  EXPECT_EQ(motion["arrays"][1]["bodies"], 1);
  expect_near(values(motion, 1, "at", 0), {2, 102, 202});
  EXPECT_EQ(motion["arrays"][2]["bodies"], 5);
  EXPECT_EQ(motion["note"], "The picture has 1 of 5 for 'both'.");
}

TEST(SiteBodies, HaveTheNumbersOfTheSitesOfAnEdge) {
  const json motion =
      motion_of_text(chain("free",
                           "lines = { shape = \"rod\", from = [\"i[e.from]\", \"0\", \"q[e.from]\"], to = "
                           "[\"i[e.to]\", \"1\", \"0\"] }\n"),
                     run_at_sites({0, 1, 2, 3, 4}));
  ASSERT_EQ(motion["arrays"].size(), 1U) << motion["note"];
  expect_near(values(motion, 0, "from", 0), {0, 3});
  expect_near(values(motion, 0, "to", 0), {2, 1});
}

/// A grid of 90 x 90 sites with a view.
std::string grid(const std::string& bodies) {
  return "[indices]\ni = { count = 90, ends = \"free\" }\nj = { count = 90, ends = \"free\" }\n[algebroid]\n"
         "kind = \"tangent\"\nbase = [\"q[i,j]\"]\nfibre = [\"v[i,j]\"]\n[dynamics]\n"
         "lagrangian = \"sum(i, j, v[i,j]^2/2)\"\n[view.bodies]\n" +
         bodies;
}

/// A run on that grid which kept the sites of the first `rows` rows and columns.
families::FieldRun grid_run(std::size_t rows, std::vector<std::size_t> others = {}) {
  std::vector<std::size_t> sites;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < rows; ++column) sites.push_back(90 * row + column);
  sites.insert(sites.end(), others.begin(), others.end());
  families::FieldRun run = run_at_sites(std::move(sites), 2);
  run.indices = {{"i", 90, families::Ends::free}, {"j", 90, families::Ends::free}};
  return run;
}

TEST(SiteBodies, OfAGridAreAsManyAsAPageHoldsForAnySitesThatWereKept) {
  const std::string text = grid(
      "beads = { shape = \"sphere\", at = [\"i\", \"j\", \"q[i,j]\"] }\n"
      "trails = { shape = \"path\", of = \"beads\" }\n"
      "skin = { shape = \"surface\", at = [\"i\", \"j\", \"q[i,j]\"] }\n");
  const json whole = motion_of_text(text, grid_run(90));
  EXPECT_EQ(whole["arrays"][2]["columns"], 64);
  EXPECT_EQ(whole["note"],
            "The picture has 1600 of 8100 for 'beads'. The picture has 64 of 8100 for 'trails'. "
            "The picture has 4096 of 8100 for 'skin'.");
  const json irregular = motion_of_text(text, grid_run(85, {90 * 88 + 88}));
  ASSERT_EQ(irregular["arrays"].size(), 2U);
  EXPECT_EQ(irregular["arrays"][0]["bodies"], 1600);
  EXPECT_EQ(irregular["arrays"][1]["bodies"], 60);
  EXPECT_THAT(irregular["note"].get<std::string>(),
              HasSubstr("'skin' is not drawn: the sites where the run kept all that it uses are not the crossings"));
}

TEST(SiteBodies, OfASurfaceLieWhereAllInItLiesInside) {
  const json motion = motion_of_text(grid("skin = { shape = \"surface\", at = [\"i\", \"j\", \"q[i,j+1] - q[i,j]\"] }\n"
                                          "beads = { shape = \"sphere\", at = [\"i\", \"j\", \"q[i,j]\"] }\n"),
                                     grid_run(3));
  ASSERT_EQ(motion["arrays"].size(), 2U) << motion["note"];
  EXPECT_EQ(motion["arrays"][0]["columns"], 2);
  expect_near(values(motion, 0, "at", 2), std::vector<double>(12, 1.0));
  EXPECT_EQ(motion["note"], "The picture has 6 of 8010 for 'skin'. The picture has 9 of 8100 for 'beads'.");
}

TEST(SiteBodies, OfALongCurveAreNamedInTheNote) {
  families::FieldRun run = run_at_sites({});
  std::string text = chain("free", "row = { shape = \"curve\", at = [\"i\", \"0\", \"q[i]\"] }\n");
  text.replace(text.find("count = 5"), 9, "count = 900");
  for (std::size_t site = 0; site < 900; ++site) run.fields[0].sites.push_back(site);
  run.fields[0].values.assign(2700, 1.0);
  run.indices[0].count = 900;
  EXPECT_EQ(motion_of_text(text, run)["note"], "The picture has 400 of 900 for 'row'.");
}

TEST(SiteBodies, HavePathsAndAGround) {
  const json motion =
      motion_of_text(chain("free",
                           "beads = { shape = \"sphere\", at = [\"i\", \"0\", \"q[i]\"] }\n"
                           "trails = { shape = \"path\", of = \"beads\" }\nfloor = { shape = \"ground\", size = "
                           "\"2*a\" }\n"),
                     run_at_sites({0, 1, 2, 3, 4}));
  EXPECT_EQ(motion["arrays"][0]["at"], motion["arrays"][1]["at"]);
  EXPECT_EQ(motion["bodies"][0]["shape"], "ground");
  EXPECT_EQ(motion["operations"][0], (json{"number", 6.0}));
}

/// Expects that a view is refused in a sentence.
void expect_refused(const std::string& bodies, const std::string& sentence) {
  try {
    io::parse_family_view(chain("free", bodies), "chain.toml");
    ADD_FAILURE() << bodies;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(sentence));
  }
}

TEST(SiteBodies, AreRefusedWithWhatWouldBeRight) {
  expect_refused("a1 = { shape = \"sphere\", at = [\"q[i]\", \"q[e.to]\", \"0\"] }\n",
                 "one of a site and one of an edge");
  expect_refused("a1 = { shape = \"sphere\", at = [\"w[i]\", \"0\", \"0\"] }\n", "'w' is not a family");
  expect_refused("a1 = { shape = \"sphere\", at = [\"q[i]\", \"0\"] }\n", "'at' has 2 components");
  expect_refused("a1 = { shape = \"sphere\", at = [\"sum(i, q[i])\", \"0\", \"0\"] }\n", "a sum stands");
  expect_refused("a1 = { shape = \"surface\", at = [\"i\", \"0\", \"q[i]\"] }\n",
                 "does not lie over the sites of a grid");
  expect_refused("a1 = { shape = \"curve\", at = [\"0\", \"0\", \"q[0]\"] }\n", "does not run along the sites");
  expect_refused("a1 = { shape = \"sphere\", at = [\"i\", \"0\", \"q[i]\"], spin = [0, 0, 1] }\n", "'spin'");
  expect_refused("a1 = { shape = \"path\", of = \"b\" }\n", "'b'");
  expect_refused("a1 = { shape = \"frame\" }\na2 = { shape = \"path\", of = \"a1\" }\n", "stays where it is");
  expect_refused("a1 = { shape = \"sphere\", at = [\"i\", \"0\", \"q[9]\"] }\n", "there is no site 9");
}

TEST(SampleReports, OfSitesAndEdgesAreWrittenToTheBuildTree) {
  const std::filesystem::path folder = std::filesystem::path(build_folder()) / "report-samples";
  std::filesystem::create_directories(folder);
  const analyse::Trajectory shown = samples::damped_oscillator(301);
  const auto write = [&](const std::string& name, const std::string& text) {
    io::FamilyView view = io::parse_family_view(text, "sample.toml");
    families::FieldRun run{shown, {}, view.model.indices, {}};
    families::Field field{"q", analyse::Role::base, {}, {}};
    for (std::size_t site = 0; site < view.model.count(); ++site) field.sites.push_back(site);
    for (const double t : shown.columns.front().values)
      for (const std::size_t site : field.sites)
        field.values.push_back(std::sin(0.3 * t + 0.7 * static_cast<double>(site)));
    run.fields = {std::move(field)};
    write_page(render(shown, run, view), folder / (name + ".html"));
  };
  write("sites",
        chain("free",
              "beads = { shape = \"sphere\", at = [\"i\", \"0\", \"q[i]\"], radius = 0.1, tint = \"q[i]\" }\n"
              "trails = { shape = \"path\", of = \"beads\" }\nfloor = { shape = \"ground\" }\n"
              "lines = { shape = \"rod\", from = [\"q[e.from]\", \"1\", \"0\"], to = [\"q[e.to]\", \"2\", \"0\"] }\n"
              "row = { shape = \"curve\", at = [\"i\", \"0\", \"q[i]\"] }\n"
              "cases = { shape = \"box\", at = [\"i\", \"-1\", \"0\"], size = [0.2, 0.2, \"0.2*q[i]\"] }\n"
              "rolls = { shape = \"wheel\", at = [\"i\", \"-2\", \"0\"], radius = 0.3, attitude = [\"cos(q[i])\", 0, "
              "\"sin(q[i])\", 0] }\n"));
  write("grid-sites",
        "[indices]\ni = { count = 70, ends = \"fixed\" }\nj = { count = 5, ends = \"periodic\" }\n[algebroid]\n"
        "kind = \"tangent\"\nbase = [\"q[i,j]\"]\nfibre = [\"v[i,j]\"]\n[dynamics]\n"
        "lagrangian = \"sum(i, j, v[i,j]^2/2)\"\n[view.bodies]\n"
        "skin = { shape = \"surface\", at = [\"i\", \"10*j\", \"9*q[i,j]\"], tint = \"q[i,j]\" }\n"
        "arrows = { shape = \"frame\", at = [\"i\", \"10*j\", \"20 + q[i,j]\"] }\n");
  EXPECT_GT(std::filesystem::file_size(folder / "sites.html"), 1'000'000U);
}

}  // namespace
}  // namespace herglotz::report
