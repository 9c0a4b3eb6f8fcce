// Sums over edges and over pairs.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "families/comparison.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "project_folders.hpp"

namespace herglotz::families {
namespace {

constexpr std::string_view kGraph = R"toml(
[indices]
i = { count = 4, ends = "free" }
e = { from = [0, 1, 2], to = [1, 2, 0] }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
gamma = 0.1
c = 0.3
"m[i]" = [1, 2, 3, 4]
"K[e]" = [1.5, 0.5, 2]
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2 - q[i]^2/2) + sum(e, K[e]*cos(q[e.to] - m[e.from]*q[e.from])) - c*sum(i, j < i, i*m[j]*(q[i] - q[j]^2)^2) - gamma*z"
[observables]
bond = "sum(e, K[e]*q[e.to]) + sum(i, j < i, q[i]*q[j])"
[initial]
"q[i]" = "0.3*i - 0.2"
[simulation]
method = "contact-gauss-4"
step = 0.05
t_end = 1
)toml";

/// The same, written by hand.
constexpr std::string_view kWritten = R"toml(
[algebroid]
kind = "tangent"
base = ["a", "b", "c", "d"]
fibre = ["va", "vb", "vc", "vd"]
[dynamics]
lagrangian = """
va^2/2 + 2*vb^2/2 + 3*vc^2/2 + 4*vd^2/2 - (a^2 + b^2 + c^2 + d^2)/2
+ 1.5*cos(b - a) + 0.5*cos(c - 2*b) + 2*cos(a - 3*c)
- 0.3*((b - a^2)^2 + 2*(c - a^2)^2 + 4*(c - b^2)^2 + 3*(d - a^2)^2 + 6*(d - b^2)^2 + 9*(d - c^2)^2) - 0.1*z"""
[observables]
bond = "1.5*b + 0.5*c + 2*a + a*b + a*c + b*c + a*d + b*d + c*d"
[initial]
a = -0.2
b = 0.1
c = 0.4
d = 0.7
[simulation]
method = "contact-gauss-4"
step = 0.05
t_end = 1
)toml";

TEST(Graphs, RunAsTheModelWrittenByHand) {
  Model model = io::parse_family_model(kGraph, "graph.toml");
  ASSERT_TRUE(runs_in_loops(model));
  const auto written = simulate::simulate(io::parse_model(kWritten));
  const std::pair<const char*, const char*> same[] = {{"q[0]", "a"}, {"q[3]", "d"},        {"v[2]", "vc"},
                                                      {"z", "z"},    {"energy", "energy"}, {"bond", "bond"}};
  for (const auto& found : {in_columns(run(model)), in_columns(run_flat(model))}) {
    ASSERT_EQ(found.rows(), written.rows());
    for (const auto& [own, other] : same) EXPECT_LT(difference(found[own], written[other]), 1e-12) << own;
  }
}

TEST(Graphs, ArePrintedByTheEdgesAndPairsOfASite) {
  Model model = io::parse_family_model(kGraph, "graph.toml");
  const std::string text = mechanics::render(presentation(model), symbolic::Format::text);
  const auto has = [&](const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  };
  has("sum(e.to = i, ");
  has("sum(e.from = i, ");
  has("sum(j < i, ");
  has("sum(j > i, ");
  has("sum(i, j < i, ");
  has("bond = ");
}

TEST(Graphs, AreReadFromFiles) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "edges_of_a_graph";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lines.csv") << "from,to,strength\n0,1,1.5\n1,2,0.5\n2,0,2\n";
  std::string text(kGraph);
  const auto put = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  put("{ from = [0, 1, 2], to = [1, 2, 0] }", "{ edges = \"lines.csv\" }");
  put("[1.5, 0.5, 2]", "{ file = \"lines.csv\", column = \"strength\" }");
  Model model = io::parse_family_model(text, (folder / "graph.toml").string());
  Model listed = io::parse_family_model(kGraph, "graph.toml");
  expect_equal(in_columns(run_flat(model)), in_columns(run_flat(listed)), 1e-14);
  std::filesystem::remove_all(folder);
}

TEST(Graphs, MayBeAPowerGridOfManyBuses) {
  const std::filesystem::path file = std::filesystem::path(source_folder()) / "examples/ieee-118/ieee-118.toml";
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  Model model = io::parse_family_model(text, file.string());
  EXPECT_EQ(model.count(), 118U);
  EXPECT_EQ(model.edges->from.size(), 186U);
  // What is fed in is drawn elsewhere, and the angles of the power flow are near those of the lines without losses.
  const SiteValues values = site_values(model);
  const auto& power = values.parameters.at(*model.sites.find("P"));
  const auto& strength = values.parameters.at(*model.sites.find("K"));
  double total = 0;
  for (const double one : power) total += one;
  EXPECT_NEAR(total, 0, 1e-4);
  double carried = 0;
  for (std::size_t e = 0; e < strength.size(); ++e)
    if (model.edges->from[e] == 8 || model.edges->to[e] == 8)
      carried += strength[e] * std::sin(values.base[0][model.edges->from[e]] - values.base[0][model.edges->to[e]]) *
                 (model.edges->from[e] == 8 ? 1 : -1);
  EXPECT_NEAR(carried, power[8], 0.15);
}

TEST(Graphs, AreRefusedWithTheReason) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& reason) {
    std::string text(kGraph);
    text.replace(text.find(from), from.size(), to);
    try {
      Model model = io::parse_family_model(text, "graph.toml");
      runs_in_loops(model);
      FAIL() << to;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  expect("q[e.to] -", "q[e.end] -", "an edge has no end 'end'; its ends are from and to");
  expect("q[e.to] -", "q[e] -", "'q' belongs to sites; write q[e.from] or q[e.to]");
  expect("K[e]*cos", "K[e.to]*cos", "'K' belongs to the edge itself; write K[e]");
  expect("K[e]*cos", "i*cos", "the index i stands in a sum over edges; use families there");
  expect("q[e.to] -", "q[i] -", "q[i] does not belong to an edge; write q[e.from] or q[e.to]");
  expect("q[i]^2/2)", "q[e.to]^2/2)", "an edge stands outside a sum over edges; write sum(e, ...)");
  expect("(q[i] - q[j]^2)", "(v[i] - q[j]^2)", "the velocity v[i] stands in a sum over edges or pairs");
  expect("j < i, i*", "j < k, i*", "a sum over pairs has one index; write sum(i, j < i, ...)");
  expect("to = [1, 2, 0]", "to = [1, 2]", "there are 3 sites 'from' and 2 sites 'to'; give both ends of every edge");
  expect("to = [1, 2, 0]", "to = [1, 2, 4]", "4 is not a site; sites are 0 to 3");
  expect("to = [1, 2, 0]", "to = [1, 1, 0]", "the edge 1 leads from a site to itself; leave it out");
  expect("\"K[e]\" = [1.5, 0.5, 2]", "\"K[e]\" = [1.5]", "there are 1 values, and 3 are needed");
  expect("count = 4", "count = 400", "there are 4 values, and 400 are needed");
}

TEST(Graphs, BeyondWhatIsWrittenOutAreRefused) {
  Model model = io::parse_family_model(io::gallery_text("kuramoto"), "kuramoto.toml");
  model.indices.front().count = 1001;
  EXPECT_THROW(runs_in_loops(model), Refused);
}

}  // namespace
}  // namespace herglotz::families
