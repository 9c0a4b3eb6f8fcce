// Sums over edges and pairs in loops: against the model written out, equations written by hand, and known numbers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "families/comparison.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/io/family_file.hpp"
#include "project_folders.hpp"

namespace herglotz::families {
namespace {

/// What a network varies.
struct Network {
  std::size_t count = 12;
  std::size_t edges = 20;
  std::string ends = "periodic";
  std::string method = "runge-kutta-4";
  std::string links =
      "sum(e, K[e]*cos(q[e.to] - m[e.from]*q[e.from])) + c*sum(i, j < i, m[j]*cos(q[i] - q[j]^2)*cos(t))/count";
  std::string more{};
  double t_end = 1;
};

/// Returns a model whose edges lead from each site to one further on, by ways that differ.
std::string network_text(const Network& network) {
  std::string from;
  std::string to;
  for (std::size_t e = 0; e < network.edges; ++e) {
    const std::size_t a = e % network.count;
    const std::size_t b = (a + 1 + (7 * e * e + 3 * e) % (network.count - 1)) % network.count;
    from += fmt::format("{}{}", e == 0 ? "" : ", ", a);
    to += fmt::format("{}{}", e == 0 ? "" : ", ", b);
  }
  const bool steps = network.method != "reference" && network.method != "radau-5";
  return fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "{}" }}
e = {{ from = [{}], to = [{}] }}
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
gamma = 0.1
c = 0.3
k = 0.7
"m[i]" = "1 + 0.3*cos(2*pi*i/count)"
"K[e]" = 0.8
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2) - sum(i, k*(q[i+1] - q[i])^2/2) + {} - gamma*z"
[observables]
bond = "sum(e, K[e]*q[e.to]) + sqrt(1 + sum(i, j < i, q[i]*q[j])^2) + sum(i, q[i])"
[initial]
"q[i]" = "sin(5*i) + 0.3*cos(3*i)"
"v[i]" = "0.2*cos(4*i)"
z = 0.25
{}
[simulation]
method = "{}"
{}
t_end = {}
)toml",
                     network.count, network.ends, from, to, network.links, network.more, network.method,
                     steps ? "step = 0.02" : "output_step = 0.05", network.t_end);
}

Model model_of(const Network& network) {
  return io::parse_family_model(network_text(network), "network.toml");
}

void expect_equal_network_runs(const Network& network, double tolerance) {
  Model model = model_of(network);
  ASSERT_TRUE(runs_in_loops(model));
  Model other = model_of(network);
  const analyse::Trajectory loops = in_columns(run(model));
  const analyse::Trajectory written = in_columns(run_flat(other));
  expect_equal(loops, written, tolerance);
  // What the method leaves of the energy's budget is the same, measured by other terms.
  EXPECT_LT(loops.facts.largest_energy_residual, tolerance + 3 * written.facts.largest_energy_residual);
  EXPECT_LT(written.facts.largest_energy_residual, tolerance + 3 * loops.facts.largest_energy_residual);
}

constexpr const char* autonomous =
    "sum(e, K[e]*cos(q[e.to] - m[e.from]*q[e.from])) + c*sum(i, j < i, m[j]*cos(q[i] - q[j]^2))/count";

class LinksOf : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(LinksOf, GiveWhatTheModelWrittenOutGives) {
  Network network;
  std::tie(network.method, network.ends) = GetParam();
  if (network.method == "contact-lobatto-2") network.links = autonomous;
  expect_equal_network_runs(network, network.method == "reference" || network.method == "radau-5" ? 1e-9 : 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, LinksOf,
                         testing::Combine(testing::Values("runge-kutta-4", "runge-kutta-8", "reference",
                                                          "contact-splitting-2", "contact-splitting-4",
                                                          "contact-lobatto-2", "contact-gauss-2", "contact-gauss-4",
                                                          "contact-gauss-6", "radau-5"),
                                          testing::Values("periodic", "fixed", "free")));

TEST(Links, GiveWhatTheModelWrittenOutGivesWith64Sites) {
  Network network;
  network.count = 64;
  network.edges = 150;
  network.links = "sum(e, K[e]*cos(q[e.to] - q[e.from]))";
  for (const char* method : {"runge-kutta-4", "contact-splitting-4"}) {
    network.method = method;
    expect_equal_network_runs(network, 1e-11);
  }
}

TEST(Links, TakeForcesAndFollowMomentaThatTheyChange) {
  Network network;
  network.more = "[symmetries]\nshift = [\"1\"]";
  std::string text = network_text(network);
  text.insert(text.find("[observables]"), "forces = { \"v[i]\" = \"-0.1*v[i]^3\", \"v[2]\" = \"sin(t)\" }\n");
  Model model = io::parse_family_model(text, "network.toml");
  Model other = io::parse_family_model(text, "network.toml");
  expect_equal(in_columns(run(model)), in_columns(run_flat(other)), 1e-12);
}

TEST(Links, KeepTheMomentumOfASymmetryBySplitting) {
  Network network;
  network.method = "contact-splitting-2";
  network.links = "sum(e, K[e]*cos(q[e.to] - q[e.from])) - c*sum(i, j < i, (q[i] - q[j])^4)/count";
  network.more = "[symmetries]\nshift = [\"1\"]";
  Model model = model_of(network);
  const FieldRun found = run(model);
  EXPECT_LT(found.trajectory.facts.largest_momentum_residuals.at(0).second, 1e-12);
  Network other = network;
  other.links = autonomous;
  Model broken = model_of(other);
  try {
    run(broken);
    FAIL();
  } catch (const Refused& error) {
    EXPECT_NE(std::string(error.what()).find("shift is not a symmetry of the Lagrangian;"), std::string::npos)
        << error.what();
  }
}

TEST(Links, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::string method : {"runge-kutta-4", "contact-splitting-2", "reference", "contact-gauss-4", "radau-5"}) {
    Network network;
    network.count = 12'000;
    network.edges = 30'000;
    network.method = method;
    network.links = "sum(e, K[e]*cos(q[e.to] - q[e.from]))";
    network.t_end = 0.1;
    std::string text = network_text(network);
    text.erase(text.find("+ sqrt(1 + sum(i, j"), std::string_view("+ sqrt(1 + sum(i, j < i, q[i]*q[j])^2) ").size());
    Model model = io::parse_family_model(text, "network.toml");
    model.settings.columns = {"q[::100]", "v[::100]", "z", "energy", "bond"};
    const auto many = expect_same_bits_for_any_threads([&] { return in_columns(run(model)); }, method);
    EXPECT_GE(many.rows(), 3U);
  }
}

TEST(Links, OfARunThatIsLostNameTheImplicitMethod) {
  Network network;
  network.links = "1e9*sum(e, cos(q[e.to] - q[e.from]) + q[e.to]^4)";
  Model model = model_of(network);
  EXPECT_NE(run(model).failure.find("take a smaller step, or contact-gauss-4"), std::string::npos);
}

TEST(Links, OfPairsHaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::string method : {"runge-kutta-4", "contact-gauss-4"}) {
    Network network;
    network.count = 400;
    network.method = method;
    network.t_end = 0.1;
    Model model = model_of(network);
    expect_same_bits_for_any_threads([&] { return in_columns(run(model)); }, method);
  }
}

/// Springs on a graph whose Laplacian has the eigenvalue `value` with this vector: a start along it swings with the
/// frequency sqrt(value).
void expect_frequency(const std::string& springs, const std::string& edges, std::size_t count, double value,
                      const std::vector<double>& vector) {
  const std::string text = fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "free" }}
{}
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[dynamics]
lagrangian = "sum(i, v[i]^2/2) - {}"
[simulation]
method = "reference"
tolerance = 1e-12
t_end = 5
output_step = 5
)toml",
                                       count, edges, springs);
  Model model = io::parse_family_model(text, "springs.toml");
  model.initial[model.base.front()] = Values{vector};
  const FieldRun found = run(model);
  ASSERT_EQ(found.trajectory.rows(), 2U);
  const double factor = std::cos(5 * std::sqrt(value));
  for (std::size_t site = 0; site < count; ++site)
    ASSERT_NEAR(found.fields[0].values[count + site], factor * vector[site], 1e-8) << site;
}

// F. R. K. Chung, Spectral Graph Theory, AMS (1997), Ch. 1: the star with n points has the eigenvalues 0, 1 and n, the
// cube of d dimensions 2 k with the signs of k coordinates, the complete graph n.
TEST(Links, SwingWithTheSpectrumOfTheLaplacian) {
  const std::string springs = "sum(e, (q[e.to] - q[e.from])^2/2)";
  constexpr std::size_t leaves = 600;
  std::string from;
  std::string to;
  std::vector<double> outwards(leaves + 1, -1.0 / leaves);
  outwards.front() = 1;
  for (std::size_t leaf = 1; leaf <= leaves; ++leaf) {
    from += leaf % 2 == 0 ? "0, " : fmt::format("{}, ", leaf);
    to += leaf % 2 == 1 ? "0, " : fmt::format("{}, ", leaf);
  }
  expect_frequency(springs, "e = { from = [" + from + "], to = [" + to + "] }", leaves + 1, leaves + 1, outwards);

  constexpr std::size_t dimensions = 10;
  constexpr std::size_t corners = std::size_t{1} << dimensions;
  from.clear();
  to.clear();
  for (std::size_t corner = 0; corner < corners; ++corner)
    for (std::size_t d = 0; d < dimensions; ++d)
      if ((corner >> d) % 2 == 0) {
        from += fmt::format("{}, ", corner);
        to += fmt::format("{}, ", corner + (std::size_t{1} << d));
      }
  const std::string cube = "e = { from = [" + from + "], to = [" + to + "] }";
  for (const std::size_t mask : {std::size_t{1}, std::size_t{0b1010010110}}) {
    std::vector<double> signs;
    for (std::size_t corner = 0; corner < corners; ++corner) signs.push_back(std::popcount(corner & mask) % 2 ? -1 : 1);
    expect_frequency(springs, cube, corners, 2.0 * std::popcount(mask), signs);
  }

  constexpr std::size_t all = 300;
  std::vector<double> single(all, -1.0 / (all - 1));
  single[117] = 1;
  expect_frequency("sum(i, j < i, (q[i] - q[j])^2/2)", "", all, all, single);
}

/// Kuramoto oscillators with inertia whose frequencies lie evenly between -1 and 1, from a common phase.
FieldRun kuramoto(double K, std::size_t count) {
  const std::string text = fmt::format(R"toml(
[indices]
i = {{ count = {}, ends = "free" }}
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
K = {}
[dynamics]
lagrangian = "sum(i, v[i]^2/2 + ((2*i + 1)/count - 1)*q[i]) + sum(i, j < i, K/count*cos(q[i] - q[j])) - z"
[observables]
order = "sqrt(sum(i, cos(q[i]))^2 + sum(i, sin(q[i]))^2)/count"
[simulation]
method = "contact-splitting-4"
step = 0.2
t_end = 200
)toml",
                                       count, K);
  Model model = io::parse_family_model(text, "kuramoto.toml");
  return run(model);
}

// D. Pazo, Phys. Rev. E 72 (2005) 046211: frequencies spread evenly over [-1, 1] lock at K = 4/pi with r = pi/4, and
// above r = (sqrt(1 - x^2) + asin(x)/x)/2 with x = 1/(K r). Locked states do not depend on inertia.
TEST(Links, LockAtTheCriticalCoupling) {
  constexpr std::size_t count = 300;
  const double K = 1.4;
  double r = 1;
  for (int k = 0; k < 200; ++k) {
    const double x = 1 / (K * r);
    r = (std::sqrt(1 - x * x) + std::asin(x) / x) / 2;
  }
  const FieldRun locked = kuramoto(K, count);
  EXPECT_NEAR(locked.trajectory["order"].back(), r, 1e-3);
  const auto fastest = [&](const FieldRun& found) {
    const Field& v = found.fields[1];
    double most = 0;
    for (std::size_t k = v.values.size() - count; k < v.values.size(); ++k)
      most = std::max(most, std::abs(v.values[k]));
    return most;
  };
  EXPECT_LT(fastest(locked), 1e-6);
  // Just below the coupling 4/pi = 1.273 some run away.
  EXPECT_LT(fastest(kuramoto(1.3, count)), 1e-3);
  EXPECT_GT(fastest(kuramoto(1.25, count)), 1e-1);
}

// The swing equations M dv/dt = P - gamma M v - sum K sin(q - q'), written by hand, by the classical method of order 4.
TEST(Links, FollowTheSwingEquationsOfThePowerGrid) {
  const std::filesystem::path file = std::filesystem::path(source_folder()) / "examples/ieee-118/ieee-118.toml";
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  Model model = io::parse_family_model(text, file.string());
  model.settings.t_end = 1;
  model.settings.tolerance = 1e-12;
  ASSERT_TRUE(runs_in_loops(model));
  const FieldRun found = run(model);
  const SiteValues values = site_values(model);
  const auto& M = values.parameters.at(*model.sites.find("M"));
  const auto& P = values.parameters.at(*model.sites.find("P"));
  const auto& K = values.parameters.at(*model.sites.find("K"));
  const std::size_t n = model.count();
  using State = std::vector<double>;
  State y = values.base[0];
  y.insert(y.end(), values.fibre[0].begin(), values.fibre[0].end());
  const auto slope = [&](const State& at) {
    State rate(at.begin() + static_cast<std::ptrdiff_t>(n), at.end());
    State force = P;
    for (std::size_t e = 0; e < K.size(); ++e) {
      const std::size_t a = model.edges->from[e];
      const std::size_t b = model.edges->to[e];
      const double carried = K[e] * std::sin(at[a] - at[b]);
      force[a] -= carried;
      force[b] += carried;
    }
    for (std::size_t i = 0; i < n; ++i) rate.push_back(force[i] / M[i] - at[n + i]);
    return rate;
  };
  const auto moved = [](const State& from, double h, const State& along) {
    State to = from;
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += h * along[k];
    return to;
  };
  constexpr std::size_t steps = 32'000;  // the fastest oscillation has the frequency 157
  const double h = 1.0 / steps;
  for (std::size_t k = 0; k < steps; ++k) {
    const State a = slope(y);
    const State b = slope(moved(y, h / 2, a));
    const State c = slope(moved(y, h / 2, b));
    const State d = slope(moved(y, h, c));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  for (const std::size_t family : {0, 1})
    for (std::size_t i = 0; i < n; ++i) {
      const auto& all = found.fields[family].values;
      EXPECT_NEAR(all[all.size() - n + i], y[family * n + i], 2e-8) << family << ' ' << i;
    }
  EXPECT_LT(found.trajectory.facts.largest_energy_residual, 1e-8);
}

TEST(Links, LocateEventsOfSumsOverThem) {
  Network network;
  network.more = "[events]\nlow = { at = \"sum(e, K[e]*q[e.to]) - 1\", stop = true }";
  Model model = model_of(network);
  Model other = model_of(network);
  const FieldRun loops = run(model);
  const FieldRun flat = run_flat(other);
  ASSERT_EQ(loops.trajectory.events.size(), 1U);
  EXPECT_EQ(loops.trajectory.rows(), flat.trajectory.rows());
  EXPECT_NEAR(loops.trajectory["t"].back(), flat.trajectory["t"].back(), 1e-9);
}

}  // namespace
}  // namespace herglotz::families
