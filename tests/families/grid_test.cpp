// Models with two indices.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "families/comparison.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {
namespace {

/// What a grid varies.
struct Grid {
  std::size_t rows = 5;
  std::size_t columns = 4;
  std::string ends = "periodic";
  std::string across = "periodic";
  std::string method = "contact-splitting-2";
  double t_end = 1;
  std::string more;
};

constexpr auto kLagrangian =
    "sum(i, j, m[i,j]*v[i,j]^2/2 - (1 - cos(q[i,j]))) - sum(i, j, k*(q[i+1,j] - q[i,j])^2/2) "
    "- sum(i, j, (q[i,j+1] - q[i,j])^2/2 + 0.1*q[i+1,j-2]*q[i-1,j]) - gamma*z";

std::string grid_text(const Grid& grid, const std::string& lagrangian = kLagrangian) {
  return fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "{}" }}
j = {{ count = {}, ends = "{}" }}
[algebroid]
kind = "tangent"
base = ["q[i,j]"]
fibre = ["v[i,j]"]
[parameters]
k = 1.3
gamma = 0.1
"m[i,j]" = "1 + 0.1*i + 0.05*j"
[dynamics]
lagrangian = "{}"
{}
[initial]
"q[i,j]" = "sin(0.7*i) + 0.5*cos(1.1*j + i)"
"v[i, j]" = "0.2*cos(i*j)"
"q[1,count-1]" = 0.7
z = 0.25
[simulation]
method = "{}"
step = 0.05
t_end = {}
)toml",
                     grid.rows, grid.ends, grid.columns, grid.across, lagrangian, grid.more, grid.method, grid.t_end);
}

class FlatGrids : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};

TEST_P(FlatGrids, AreTheSameAsLoops) {
  const auto [method, ends, across] = GetParam();
  Grid grid;
  grid.method = method;
  grid.ends = ends;
  grid.across = across;
  Model model = io::parse_family_model(grid_text(grid), "grid.toml");
  ASSERT_TRUE(runs_in_loops(model));
  expect_equal(in_columns(run(model)), simulate::simulate(flat(model)), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(All, FlatGrids,
                         testing::Combine(testing::Values("contact-splitting-2"),
                                          testing::Values("periodic", "fixed", "free"),
                                          testing::Values("periodic", "fixed", "free")));
INSTANTIATE_TEST_SUITE_P(Others, FlatGrids,
                         testing::Values(std::tuple{"runge-kutta-4", "periodic", "free"},
                                         std::tuple{"runge-kutta-8", "fixed", "periodic"},
                                         std::tuple{"contact-lobatto-2", "free", "fixed"},
                                         std::tuple{"contact-gauss-2", "free", "periodic"},
                                         std::tuple{"contact-gauss-4", "fixed", "free"},
                                         std::tuple{"contact-splitting-6", "periodic", "periodic"}));

TEST(FlatGrids, AreTheSameWithForcesObservablesAndSingleSites) {
  for (const auto& [method, ends] : {std::pair{"runge-kutta-4", "periodic"}, std::pair{"runge-kutta-4", "fixed"},
                                     std::pair{"runge-kutta-4", "free"}, std::pair{"contact-gauss-2", "fixed"}}) {
    Grid grid;
    grid.ends = ends;
    grid.across = ends;
    grid.method = method;
    grid.more =
        "forces = { \"v[i,j]\" = \"-0.1*v[i,j]^3 + 0.1*q[i,j+1]*(i - j)\", \"v[0,2]\" = \"cos(t) - q[1,2]*v[0,1]\" }\n"
        "[observables]\nflux = \"sum(i, j, (q[i,j+1] - q[i,j])*v[i+1,j]) + z\"\ncorner = \"q[count-1,0]*m[0,1]\"\n"
        "[symmetries]\nshift = [\"1\"]\n";
    Model model =
        io::parse_family_model(grid_text(grid, std::string(kLagrangian) + " - q[0,1]*q[1,3]^2/5"), "grid.toml");
    expect_equal(in_columns(run(model)), simulate::simulate(flat(model)), 1e-12);
  }
}

/// A membrane of which no neighbour along j is missed: rows and columns may change places.
constexpr auto kSymmetric =
    "sum(i, j, v[i,j]^2/2 - (1 - cos(q[i,j])) - (q[i+1,j] - q[i,j])^2/2 - (q[i,j+1] - q[i,j])^2/2) - gamma*z";

TEST(Grids, AreTheSameWithRowsAndColumnsExchanged) {
  Grid tall{70, 50, "periodic", "fixed", "contact-splitting-4", 1, ""};
  Grid wide{50, 70, "fixed", "periodic", "contact-splitting-4", 1, ""};
  const auto run_of = [](const Grid& grid, const std::string& start) {
    std::string text = grid_text(grid, kSymmetric);
    const std::size_t from = text.find("\"q[i,j]\" = ");
    text.replace(from, text.find("z = 0.25") - from, start);
    Model model = io::parse_family_model(text, "grid.toml");
    model.settings.columns = {"q"};
    return run(model).fields.front();
  };
  const Field a = run_of(tall, "\"q[i,j]\" = \"sin(0.3*i) + 0.2*cos(j)\"\n");
  const Field b = run_of(wide, "\"q[i,j]\" = \"sin(0.3*j) + 0.2*cos(i)\"\n");
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t row = 0; row < a.values.size() / 3500; ++row)
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t j = 0; j < 50; ++j)
        ASSERT_NEAR(a.values[row * 3500 + i * 50 + j], b.values[row * 3500 + j * 70 + i], 1e-12) << row;
}

TEST(Grids, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::string method : {"contact-splitting-4", "runge-kutta-4", "contact-gauss-2"}) {
    Grid grid{120, 110, "free", "periodic", method, 0.5, "[observables]\nmean = \"sum(i, j, q[i,j+1])\"\n"};
    Model model = io::parse_family_model(grid_text(grid), "grid.toml");
    expect_same_bits_for_any_threads([&] { return in_columns(run(model)); });
  }
}

TEST(Grids, KeepTheModesOfADampedMembrane) {
  // With fixed ends q = sin(a pi (i + 1)/(n + 1)) sin(b pi (j + 1)/(m + 1)) swings with the frequency
  // omega^2 = 4 sin^2(a pi/2/(n + 1)) + 4 sin^2(b pi/2/(m + 1)), and decays by gamma/2.
  const std::string membrane = R"toml(
[indices]
i = { count = 40, ends = "fixed" }
j = { count = 60, ends = "fixed" }
[algebroid]
kind = "tangent"
base = ["q[i,j]"]
fibre = ["v[i,j]"]
[parameters]
gamma = 0.1
[dynamics]
lagrangian = "sum(i, j, v[i,j]^2/2 + q[i,j]*(q[i+1,j] + q[i-1,j] + q[i,j+1] + q[i,j-1] - 4*q[i,j])/2) - gamma*z"
[initial]
"q[i,j]" = "sin(2*pi*(i + 1)/41)*sin(3*pi*(j + 1)/61)"
[simulation]
method = "contact-splitting-8"
step = 0.5
t_end = 40
columns = ["q[7,11]", "q[30:33,::20]"]
)toml";
  Model model = io::parse_family_model(membrane, "membrane.toml");
  const auto found = in_columns(run(model));
  ASSERT_EQ(found.columns.size(), 11U);
  EXPECT_NE(found.find("q[32,40]"), nullptr);
  const double square =
      4 * std::pow(std::sin(std::numbers::pi / 41), 2) + 4 * std::pow(std::sin(1.5 * std::numbers::pi / 61), 2);
  const double omega = std::sqrt(square - 0.0025);
  const auto& t = found["t"];
  const auto& q = found["q[7,11]"];
  for (std::size_t row = 0; row < t.size(); ++row) {
    const double swing =
        std::exp(-0.05 * t[row]) * (std::cos(omega * t[row]) + 0.05 / omega * std::sin(omega * t[row]));
    EXPECT_NEAR(q[row], q[0] * swing, 1e-9) << t[row];
  }
}

TEST(Grids, ArePrintedWithBothIndices) {
  Grid grid;
  grid.more = "[observables]\nmean = \"sum(i, j, q[i,j])/20 + v[0,3]\"\n";
  Model model = io::parse_family_model(grid_text(grid, kSymmetric), "grid.toml");
  const std::string text = mechanics::render(presentation(model), symbolic::Format::text);
  EXPECT_NE(text.find("dv[i,j]/dt = q[i+1,j] - gamma*v[i,j] + q[i,j+1] + q[i,j-1]"), std::string::npos) << text;
  EXPECT_NE(text.find("mean = v[0,3] + sum(i, j, q[i,j])/20"), std::string::npos) << text;
  EXPECT_NE(text.find("Sites i = 0 .. 4, a ring; j = 0 .. 3, a ring"), std::string::npos) << text;
}

/// A grid whose families depend on one index, and that starts with lines of its own.
constexpr const char* kLines = R"toml(
[indices]
i = { count = 4, ends = "fixed" }
j = { count = 3, ends = "periodic" }
[algebroid]
kind = "tangent"
base = ["q[i,j]"]
fibre = ["v[i,j]"]
[parameters]
a = 0.5
"depth[i]" = "1 + a*i/count[i]"
"width[j]" = [1, 2, 4]
"m[i,j]" = "depth[i]*width[j]"
[dynamics]
lagrangian = "sum(i, j, m[i,j]*v[i,j]^2/2 - depth[i]*q[i,j]^2/2 - depth[i+1]*width[j-1]*(q[i+1,j] - q[i,j])^2/2)"
[observables]
mean = "sum(i, j, q[i,j]*width[j+1])/(count[i]*count[j])"
[initial]
"q[i,j]" = "0.1*i"
"q[2,j]" = "width[j] + j/count[j]"
"q[i,count-1]" = "-i"
"q[2,2]" = 7
[simulation]
method = "contact-splitting-2"
step = 0.1
t_end = 1
)toml";

TEST(Grids, HaveFamiliesAlongOneIndexAndStartOnLines) {
  Model model = io::parse_family_model(kLines, "lines.toml", {"a=2"});
  const auto loops = in_columns(run(model));
  EXPECT_EQ(loops["q[2,0]"][0], 1);
  EXPECT_EQ(loops["q[2,1]"][0], 2 + 1.0 / 3);
  EXPECT_EQ(loops["q[1,2]"][0], -1);
  EXPECT_EQ(loops["q[2,2]"][0], 7);
  EXPECT_EQ(loops["q[3,1]"][0], 0.1 * 3);
  // m[3,2] = (1 + 2*3/4)*4
  double mean = 0;
  const double width[] = {1, 2, 4};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) mean += loops[fmt::format("q[{},{}]", i, j)][0] * width[(j + 1) % 3] / 12;
  EXPECT_NEAR(loops["mean"][0], mean, 1e-14);
  expect_equal(loops, simulate::simulate(flat(model)), 1e-13);
  const std::string text = mechanics::render(presentation(model), symbolic::Format::text);
  EXPECT_NE(text.find("depth[i+1]*width[j-1]"), std::string::npos) << text;
  Model given = io::parse_family_model(kLines, "lines.toml", {"a=2"});
  io::set_profile(given, "depth[i]", {1, 1.5, 2, 2.5});
  EXPECT_EQ(in_columns(run(given))["q[1,1]"], loops["q[1,1]"]);
  EXPECT_THROW(io::set_profile(given, "depth", {1, 2, 3}), io::InputError);
}

TEST(Grids, HaveTheirErrorsOnLinesAndCounts) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& reason) {
    std::string text(kLines);
    text.replace(text.find(from), from.size(), to);
    try {
      io::parse_family_model(text, "lines.toml");
      FAIL() << to;
    } catch (const io::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  expect("a*i/count[i]", "a*j", "uses j; it depends on i alone");
  expect("- depth[i]*q", "- depth[i,j]*q", "'depth' depends on i alone; write depth[i]");
  expect("count[i]*count[j]", "count[k]", "the number of sites is asked for along no index; write count[i]");
  expect("[1, 2, 4]", "[1, 2]", "there are 2 values, and 3 are needed");
  expect("q[2,j]", "q[4,j]", "there is no site 4 along i; sites are 0 to 3");
  expect("q[2,j]", "q[j,2]", "the subscript of 'q[j,2]' is not a site; write q[i,j], q[0,j], q[0,0] or q[0,count-1]");
}

TEST(Grids, AreRefusedWithTheReason) {
  const auto error_after = [](const std::string& from, const std::string& to) {
    std::string text = grid_text({}, kSymmetric);
    text.replace(text.find(from), from.size(), to);
    try {
      Model model = io::parse_family_model(text, "grid.toml");
      run(model);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(error_after("sum(i, j,", "sum(j, i,"),
      "a sum does not run over the indices of the grid in their order; write sum(i, j, ...)");
  has(error_after("sum(i, j,", "sum(i,"), "write sum(i, j, ...)");
  has(error_after("cos(q[i,j])", "cos(q[j,i])"), "the indices of 'q' are not in their order; write q[i,j]");
  has(error_after("cos(q[i,j])", "cos(q[i])"), "'q' has 1 subscripts; write q[i,j]");
  has(error_after("cos(q[i,j])", "cos(q[i,0])"), "a subscript has an index and a number; write q[i,j]");
  has(error_after("base = [\"q[i,j]\"]", "base = [\"q[i]\"]"), "'q[i]' has not both indices; write q[i,j]");
  has(error_after("\"q[1,count-1]\"", "\"q[1,4]\""), "there is no site 4 along j; sites are 0 to 3");
  has(error_after("\"q[1,count-1]\"", "\"q[1]\""),
      "the subscript of 'q[1]' is not a site; write q[i,j], q[0,j], q[0,0] or q[0,count-1]");
  has(error_after("step = 0.05", "step = 0.05\ncolumns = [\"q[0]\"]"),
      "columns name 'q[0]', which cannot be read; write q[5,0]");
  has(error_after("step = 0.05", "step = 0.05\ncolumns = [\"q[0,9]\"]"), "the last site is 4,3");
}

}  // namespace
}  // namespace herglotz::families
