#include "herglotz/families/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "families/comparison.hpp"
#include "families/samples.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::families {
namespace {

using testing::HasSubstr;

FieldRun run_of(const Sample& sample) {
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  return run(model);
}

/// Several tiles, of which the last is not full.
Sample long_chain() {
  Sample sample;
  sample.count = 12'345;
  sample.t_end = 2;
  return sample;
}

std::string error_of(const Sample& sample) {
  try {
    Model model = io::parse_family_model(chain(sample), "chain.toml");
    if (runs_in_loops(model)) run(model);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

TEST(Loops, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::string ends : {"periodic", "free"}) {
    Sample sample = long_chain();
    sample.ends = ends;
    expect_same_bits_for_any_threads([&] { return in_columns(run_of(sample)); });
  }
}

TEST(Loops, OfRungeKuttaMethodsHaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::string method : {"runge-kutta-4", "reference"}) {
    Sample sample = long_chain();
    sample.method = method;
    sample.ends = "fixed";
    sample.t_end = 0.5;
    sample.forces = R"(forces = { "v[i]" = "-0.1*v[i]^3" })";
    Model model = io::parse_family_model(adaptive_chain(sample), "chain.toml");
    if (method == "runge-kutta-4") model.settings.step = 0.05;
    model.settings.output_step = 0.25;
    const auto many = expect_same_bits_for_any_threads([&] { return in_columns(run(model)); });
    ASSERT_EQ(many.rows(), 3U);
  }
}

TEST(Loops, ShowNothingOfOneTileInAnother) {
  // A chain of several tiles that is the same from both ends. So are its velocities, which rows compute from
  // neighbours.
  Sample sample;
  sample.count = 5000;
  sample.ends = "fixed";
  sample.method = "contact-lobatto-2";
  sample.t_end = 1;
  sample.lagrangian = "sum(i, v[i]^2/2 - k*(q[i+1] - q[i])^2/2) - k*q[0]^2/2 - gamma*z";
  std::string text = chain(sample);
  const auto put = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  put("\"q[3]\" = 0.7\n", "");
  put("sin(2*pi*i/count) + 0.3*cos(6*pi*i/count)", "1 + sin(pi*(i + 0.5)/count)");
  put("0.2*cos(4*pi*i/count)", "0");
  Model model = io::parse_family_model(text, "chain.toml");
  const auto found = run(model);
  const auto& v = found.fields[1].values;
  const std::size_t n = sample.count;
  for (std::size_t row = 0; row * n < v.size(); ++row)
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(v[row * n + i], v[row * n + n - 1 - i], 1e-12) << row << ' ' << i;
}

TEST(Loops, TakeForcesOfTimeBySplitting) {
  Sample sample;
  sample.count = 40;
  sample.step = 0.02;
  sample.lagrangian += " + sum(i, 0.3*sin(2*t + i)*q[i])";
  const auto at_end = [&](const std::string& method, double step) {
    sample.method = method;
    sample.step = step;
    return run_of(sample);
  };
  const auto exact = at_end("runge-kutta-8", 0.02);
  const auto error = [&](const FieldRun& found) {
    double most = std::abs(found.trajectory["z"].back() - exact.trajectory["z"].back());
    const std::size_t last = found.fields[0].values.size() - sample.count;
    const std::size_t own = exact.fields[0].values.size() - sample.count;
    for (std::size_t i = 0; i < sample.count; ++i)
      most = std::max(most, std::abs(found.fields[0].values[last + i] - exact.fields[0].values[own + i]));
    return most;
  };
  EXPECT_LT(error(at_end("contact-splitting-8", 0.05)), 1e-9);
  const auto coarse = at_end("contact-splitting-2", 0.1);
  const auto fine = at_end("contact-splitting-2", 0.05);
  EXPECT_NEAR(std::log2(error(coarse) / error(fine)), 2, 0.1);
  EXPECT_NEAR(
      std::log2(coarse.trajectory.facts.largest_energy_residual / fine.trajectory.facts.largest_energy_residual), 2,
      0.3);
  EXPECT_LT(exact.trajectory.facts.largest_energy_residual, 1e-13);
  sample.method = "contact-lobatto-2";
  sample.count = 400;
  EXPECT_THAT(error_of(sample), HasSubstr("depends on time"));
}

TEST(Loops, DoNotDependOnTheRows) {
  Sample sample = long_chain();
  const auto all = run_of(sample);
  sample.more = "output_every = 7";
  const auto some = run_of(sample);
  EXPECT_LT(some.trajectory.rows(), all.trajectory.rows());
  const std::size_t n = sample.count;
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(all.fields[0].values[all.fields[0].values.size() - n + i],
              some.fields[0].values[some.fields[0].values.size() - n + i]);
  EXPECT_EQ(all.trajectory["z"].back(), some.trajectory["z"].back());
  EXPECT_EQ(all.trajectory["energy"].back(), some.trajectory["energy"].back());
}

TEST(Loops, OfShiftedDataOnARingAreTheShiftedRunBitForBit) {
  Sample sample;
  sample.count = 5000;
  sample.lagrangian = "sum(i, v[i]^2/2 - k*(q[i+1] - q[i])^2/2 - (1 - cos(q[i]))) - gamma*z";
  const auto start = [&](std::size_t by) {
    std::string text = chain(sample);
    for (const std::string key : {"\"q[3]\" = 0.7\n"}) text.erase(text.find(key), key.size());
    for (std::size_t at = text.find("[initial]"); (at = text.find("pi*i/", at)) != std::string::npos; at += 4)
      text.replace(at, 4, "pi*mod[i]");
    // Sites are shifted by a list, so that both runs start from the same numbers.
    std::string list = "\"mod[i]\" = [";
    for (std::size_t i = 0; i < sample.count; ++i) list += std::to_string((i + by) % sample.count) + ", ";
    text.insert(text.find("[dynamics]"), list + "]\n");
    Model model = io::parse_family_model(text, "ring.toml");
    return run(model);
  };
  const auto plain = start(0);
  const auto shifted = start(1234);
  const std::size_t n = sample.count;
  const std::size_t last = plain.fields[0].values.size() - n;
  for (std::size_t k = 0; k < plain.fields.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(shifted.fields[k].values[last + i], plain.fields[k].values[last + (i + 1234) % n]) << i;
}

TEST(Loops, KeepTheBalanceLawsToTheOrderOfTheMethod) {
  Sample sample;
  sample.count = 200;
  const auto residual = [&](const std::string& method, double step) {
    sample.method = method;
    sample.step = step;
    return std::abs(run_of(sample).trajectory.facts.largest_energy_residual);
  };
  EXPECT_NEAR(std::log2(residual("contact-splitting-2", 0.1) / residual("contact-splitting-2", 0.05)), 2, 0.2);
  EXPECT_NEAR(std::log2(residual("contact-lobatto-2", 0.1) / residual("contact-lobatto-2", 0.05)), 2, 0.2);
  EXPECT_NEAR(std::log2(residual("contact-splitting-4", 0.1) / residual("contact-splitting-4", 0.05)), 4, 0.2);
  EXPECT_LT(residual("contact-splitting-8", 0.1), 1e-10);
  EXPECT_NEAR(std::log2(residual("contact-gauss-2", 0.1) / residual("contact-gauss-2", 0.05)), 2, 0.2);
  EXPECT_NEAR(std::log2(residual("contact-gauss-4", 0.2) / residual("contact-gauss-4", 0.1)), 4, 0.2);
  EXPECT_NEAR(std::log2(residual("contact-gauss-6", 0.4) / residual("contact-gauss-6", 0.2)), 6, 0.3);
  EXPECT_NEAR(std::log2(residual("runge-kutta-4", 0.05) / residual("runge-kutta-4", 0.025)), 4, 0.2);
  EXPECT_NEAR(std::log2(residual("runge-kutta-8", 0.25) / residual("runge-kutta-8", 0.125)), 8, 0.2);
}

TEST(Loops, FindTheDispersionOfPhonons) {
  // A standing wave of the harmonic ring: q[i] = cos(k i) cos(w t) with w = 2 sin(k/2).
  Sample sample;
  sample.count = 64;
  sample.gamma = "0";
  sample.method = "contact-splitting-8";
  sample.step = 0.1;
  sample.t_end = 10;
  std::string text = chain(sample);
  const auto put = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  put(sample.lagrangian, "sum(i, v[i]^2/2 - (q[i+1] - q[i])^2/2)");
  put("\"q[3]\" = 0.7\n", "");
  put("sin(2*pi*i/count) + 0.3*cos(6*pi*i/count)", "cos(2*pi*5*i/count)");
  put("0.2*cos(4*pi*i/count)", "0");
  Model model = io::parse_family_model(text, "phonons.toml");
  const auto found = run(model);
  const double wave = 2 * M_PI * 5 / 64;
  const double frequency = 2 * std::sin(wave / 2);
  const std::size_t last = found.fields[0].values.size() - 64;
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_NEAR(found.fields[0].values[last + i], std::cos(wave * static_cast<double>(i)) * std::cos(frequency * 10),
                1e-9);
}

// q'' + q = a sin(w t) has the solution a (sin w t - w sin t)/(1 - w^2) from rest. For a = 1e-14 the first step had
// errors that were small beside 1 alone, and x was 22 times too large.
TEST(Loops, LeaveRestWithErrorsThatAreSmallBesideTheMotion) {
  const auto solution = [](double t) { return (std::sin(1.7 * t) - 1.7 * std::sin(t)) / (1 - 1.7 * 1.7); };
  for (const auto& [method, a] : {std::pair<std::string, std::string>{"reference", "1"},
                                  {"reference", "1e-14"},
                                  {"radau-5", "1"},
                                  {"radau-5", "1e-14"}}) {
    Model model = io::parse_family_model(
        "[indices]\ni = { count = 8, ends = \"periodic\" }\n[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\nfibre "
        "= "
        "[\"v[i]\"]\n[dynamics]\nlagrangian = \"sum(i, v[i]^2/2 - q[i]^2/2)\"\nforces = { \"v[i]\" = \"(" +
            a + ")*sin(1.7*t)\" }\n[simulation]\nmethod = \"" + method +
            "\"\ntolerance = 1e-10\nt_end = 600\noutput_step = 300\n",
        "chain.toml");
    ASSERT_TRUE(runs_in_loops(model));
    const auto found = run(model);
    EXPECT_LT(found.trajectory.facts.largest_energy_residual, 1e-7) << a;
    EXPECT_NEAR(found.fields[0].values.back() / std::stod(a), solution(600), 1e-7) << a;
  }
}

TEST(Loops, RefuseWhatTheyCannotDoByName) {
  Sample sample;
  sample.count = 1001;
  sample.method = "contact-gauss-8";
  EXPECT_THAT(error_of(sample), HasSubstr("method contact-gauss-8 takes a model of at most 1000 coordinates"));
  sample.method = "contact-gauss-4";
  sample.lagrangian = "sum(i, v[i]^4/4 - q[i]^2/2) - gamma*z";
  EXPECT_THAT(error_of(sample), HasSubstr("the kinetic energy is not quadratic in v[i]"));
  sample.method = "contact-splitting-2";
  sample.lagrangian = "sum(i, v[i]^2/2 - q[i]^2/2) - gamma*z^2";
  EXPECT_THAT(error_of(sample), HasSubstr("the action enters the Lagrangian as -gamma*z^2"));
  sample.lagrangian = "sum(i, v[i]*v[i+1]) - gamma*z";
  EXPECT_THAT(error_of(sample), HasSubstr("are coupled by the kinetic energy"));
  sample.forces = R"(forces = { "v[i]" = "-v[i]" })";
  sample.lagrangian = "sum(i, v[i]^2) - gamma*z";
  EXPECT_THAT(error_of(sample), HasSubstr("forces are given; a Runge-Kutta method takes them"));
  sample.forces = {};
  sample.lagrangian = "sum(i, (1 + q[i]^2)*v[i]^2) - gamma*z";
  EXPECT_THAT(error_of(sample), HasSubstr("is neither T(v) nor U(q)"));
  sample.lagrangian = "sum(i, v[i]^2/2 - (q[i+1] - q[i])^2/2)";
  sample.ends = "free";
  EXPECT_THAT(error_of(sample), HasSubstr("leaves out a site at a free end"));
  sample.ends = "periodic";
  sample.lagrangian = "sum(i, -(q[i+1] - q[i])^2/2)";
  EXPECT_THAT(error_of(sample), HasSubstr("the Lagrangian does not depend on the velocity v[i]"));
  sample.lagrangian = "sum(i, v[i]^2/2 - q[i]^2/2)";
  sample.more = "[symmetries]\nshift = [\"1\"]";
  EXPECT_THAT(error_of(sample), HasSubstr("[symmetries] shift is not a symmetry"));
}

TEST(Loops, SayWhereARunFails) {
  Sample sample;
  sample.count = 300;
  sample.step = 0.5;
  sample.t_end = 200;
  sample.lagrangian = "sum(i, v[i]^2/2 + q[i]^4) - gamma*z";
  const auto failed = run_of(sample);
  EXPECT_THAT(failed.failure, HasSubstr("is not finite at t = "));
  EXPECT_THAT(failed.failure, HasSubstr("take a smaller step, or contact-gauss-4 if fast waves make it so short"));
  EXPECT_FALSE(failed.trajectory.facts.complete);
  EXPECT_GE(failed.trajectory.rows(), 1U);
}

TEST(Columns, AreChosenBySlices) {
  Sample sample;
  sample.count = 100;
  sample.more = "columns = [\"q[::25]\", \"v[98:]\", \"q[-1]\", \"energy\"]";
  const auto chosen = in_columns(run_of(sample));
  std::vector<std::string> names;
  for (const auto& column : chosen.columns) names.push_back(column.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"t", "q[0]", "q[25]", "q[50]", "q[75]", "q[99]", "v[98]", "v[99]", "energy"}));
  sample.more = "columns = [\"q[100]\"]";
  EXPECT_THAT(error_of(sample), HasSubstr("columns name 'q[100]', which has no site; the last site is 99"));
}

TEST(Observables, AreFunctionsOfSumsInOneColumn) {
  Sample sample;
  sample.count = 5000;
  sample.t_end = 0.2;
  sample.more =
      "columns = [\"motion\", \"last\"]\n[observables]\nmotion = \"sum(i, m[i]*v[i]^2/2)\"\nlast = \"q[5000]\"\n";
  EXPECT_THAT(error_of(sample), HasSubstr("there is no site 5000"));
  sample.more.replace(sample.more.find("q[5000]"), 7, "q[count-1]");
  const auto some = run_of(sample);
  EXPECT_EQ(some.trajectory.columns.size(), 3U);
  sample.more = {};
  const auto all = run_of(sample);
  const std::size_t n = sample.count;
  for (std::size_t row = 0; row < all.trajectory.rows(); ++row) {
    double motion = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double m = 1 + 0.3 * std::cos(2 * M_PI * static_cast<double>(i) / static_cast<double>(n));
      motion += m * all.fields[1].values[row * n + i] * all.fields[1].values[row * n + i] / 2;
    }
    EXPECT_NEAR(some.trajectory["motion"][row], motion, 1e-11 * motion);
    EXPECT_EQ(some.trajectory["last"][row], all.fields[0].values[row * n + n - 1]);
  }
}

TEST(Observables, MayUseTheSameSitesAsOthers) {
  Sample sample;
  sample.count = 100;
  sample.more =
      "[observables]\nlast = \"q[99]\"\nproduct = \"q[99]*q[3]\"\nsquare = \"q[3]^2 + v[99]\"\n"
      "[events]\nthird = \"q[3] - 1e6\"\n";
  const auto all = run_of(sample);
  for (std::size_t row = 0; row < all.trajectory.rows(); ++row) {
    const double* const q = all.fields[0].values.data() + row * 100;
    const double* const v = all.fields[1].values.data() + row * 100;
    EXPECT_EQ(all.trajectory["last"][row], q[99]);
    EXPECT_NEAR(all.trajectory["product"][row], q[99] * q[3], 1e-15 * std::abs(q[99] * q[3]));
    EXPECT_NEAR(all.trajectory["square"][row], q[3] * q[3] + v[99], 1e-15 * (q[3] * q[3] + std::abs(v[99])));
  }
}

TEST(Equations, AreThoseOfASite) {
  Sample sample;
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  const std::string text = mechanics::render(presentation(model), symbolic::Format::text);
  EXPECT_THAT(text, HasSubstr("dv[i]/dt = k*(q[i+1] + q[i-1] - 2*q[i])/m[i] - gamma*v[i] - sin(q[i])/m[i]"));
  EXPECT_THAT(text, HasSubstr("d(dv[i]/dt)/dq[i-1] = k/m[i]"));
  EXPECT_THAT(text, HasSubstr("dE/dt = -gamma*E"));
  Sample forced;
  forced.forces = R"(forces = { "v[i]" = "-0.1*v[i]^3", "v[1]" = "sin(t)*q[0]" })";
  Model driven = io::parse_family_model(chain(forced), "chain.toml");
  const std::string with_forces = mechanics::render(presentation(driven), symbolic::Format::text);
  EXPECT_THAT(with_forces, HasSubstr("F_v[1] = q[0]*sin(t)"));
  EXPECT_THAT(with_forces, HasSubstr("dE/dt = sum(i, -v[i]^4/10) - gamma*E"));
  sample.count = 1'000'000;
  Model longer = io::parse_family_model(chain(sample), "chain.toml");
  const std::string again = mechanics::render(presentation(longer), symbolic::Format::text);
  EXPECT_EQ(text.substr(text.find("Kinematics")), again.substr(again.find("Kinematics")));
}

}  // namespace
}  // namespace herglotz::families
