// Models with an index of the gallery, and numbers that are known of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"

namespace herglotz::families {
namespace {

FieldRun run_of_gallery(const std::string& name, const std::vector<std::string>& set = {}, double t_end = -1,
                        std::vector<std::string> columns = {}) {
  Model model = io::parse_family_model(io::gallery_text(name), name + ".toml", set);
  if (t_end >= 0) model.settings.t_end = t_end;
  model.settings.columns = std::move(columns);
  return runs_in_loops(model) ? run(model) : run_flat(model);
}

const double* row_of(const Field& field, std::size_t row) {
  return field.values.data() + row * field.sites.size();
}

TEST(GalleryOfFamilies, RunsAndKeepsItsLaws) {
  EXPECT_EQ(io::indexed_gallery().size(), 15U);
  for (const auto& model : io::indexed_gallery()) {
    const auto found = run_of_gallery(model.name, {}, 10, {"energy"});
    EXPECT_TRUE(found.trajectory.facts.complete) << model.name;
    EXPECT_LT(found.trajectory.facts.largest_energy_residual, 1e-5) << model.name;
    EXPECT_FALSE(model.title.empty());
    EXPECT_FALSE(model.reference.empty());
  }
}

TEST(PianoString, HasOvertonesThatAreStretched) {
  // The wave a, sin(a pi (i + 1)/(n + 1)), swings with omega^2 = T lambda + kappa lambda^2 - gamma^2/4 and decays.
  constexpr double n = 400;
  constexpr double T = 1;
  constexpr double kappa = 4e-5;
  constexpr double gamma = 0.3;
  const auto frequency = [&](double a) {
    const double lambda = std::pow(2 * (n + 1) * std::sin(a * std::numbers::pi / 2 / (n + 1)), 2);
    return std::sqrt(T * lambda + kappa * lambda * lambda - gamma * gamma / 4);
  };
  for (const double a : {1.0, 4.0, 9.0}) {
    Model model = io::parse_family_model(io::gallery_text("piano-string"), "piano-string.toml",
                                         {"v[i]=0", "q[i]=sin(" + std::to_string(a) + "*pi*(i + 1)/(n + 1))"});
    model.settings.method = "contact-gauss-6";
    model.settings.t_end = 1;
    model.settings.columns = {"q[49]"};
    const FieldRun wave = run(model);
    const double omega = frequency(a);
    const double start = std::sin(a * std::numbers::pi * 50 / (n + 1));
    const auto& times = wave.trajectory["t"];
    for (std::size_t row = 0; row < times.size(); ++row) {
      const double t = times[row];
      const double exact =
          start * std::exp(-gamma * t / 2) * (std::cos(omega * t) + gamma / 2 / omega * std::sin(omega * t));
      EXPECT_NEAR(wave.fields[0].values[row], exact, 1e-6) << a << " at " << t;
    }
  }
  EXPECT_GT(frequency(9) / frequency(1), 9.1);
}

TEST(KelvinVoigtBar, HasWavesThatSwingOrCreep) {
  // The wave a, sin(a pi (i + 1)/(n + 1)), moves by u'' + eta lambda u' + c^2 lambda u = 0.
  constexpr double n = 1000;
  constexpr double eta = 0.3;
  for (const int a : {1, 2, 3, 40}) {
    const double lambda = std::pow(2 * (n + 1) * std::sin(a * std::numbers::pi / 2 / (n + 1)), 2);
    const double half = eta * lambda / 2;
    const std::complex<double> root = std::sqrt(std::complex<double>(half * half - lambda));
    EXPECT_EQ(root.real() > 0, a > 2) << "the first two waves swing";
    const std::complex<double> fast = -(half + root);
    const std::complex<double> slow = lambda / fast;
    Model model = io::parse_family_model(io::gallery_text("kelvin-voigt-bar"), "kelvin-voigt-bar.toml",
                                         {"v[i]=0", "q[i]=sin(" + std::to_string(a) + "*pi*(i + 1)/(n + 1))"});
    model.settings.t_end = 1;
    model.settings.columns = {"q[9]"};
    const FieldRun wave = run(model);
    const double start = std::sin(a * std::numbers::pi * 10 / (n + 1));
    const auto& times = wave.trajectory["t"];
    for (std::size_t row = 0; row < times.size(); ++row) {
      const double exact =
          start * std::real((slow * std::exp(fast * times[row]) - fast * std::exp(slow * times[row])) / (slow - fast));
      EXPECT_NEAR(wave.fields[0].values[row], exact, 1e-8 * std::abs(start)) << a << " at " << times[row];
    }
  }
}

TEST(SineGordonKink, HasTheRestEnergy8) {
  const auto defect = [](const std::string& a, const std::string& sites) {
    const auto found =
        run_of_gallery("sine-gordon-kink", {"u=0", "gamma=0", "a=" + a, "sites=" + sites}, 0.1, {"energy"});
    return found.trajectory["energy"].front() - 8;
  };
  const double coarse = defect("0.2", "300");
  EXPECT_LT(std::abs(coarse), 0.02);
  EXPECT_NEAR(coarse / defect("0.1", "600"), 4, 0.05);
  const auto moving = run_of_gallery("sine-gordon-kink", {}, 0.1, {"energy"});
  EXPECT_NEAR(moving.trajectory["energy"].front(), 8 / std::sqrt(1 - 0.36), 0.01);
}

TEST(SineGordonKink, IsSlowedByDamping) {
  const auto found = run_of_gallery("sine-gordon-kink");
  const Field& q = found.fields[0];
  const auto place = [&](std::size_t row) {
    const double* const values = row_of(q, row);
    const double* const after = std::find_if(values, values + q.sites.size(), [](double x) { return x > M_PI; });
    return static_cast<double>(after - values) - (after[0] - M_PI) / (after[0] - after[-1]);
  };
  const auto& t = found.trajectory["t"];
  for (std::size_t row = 0; row < t.size(); row += 50) {
    const double momentum = 0.75 * std::exp(-0.05 * t[row]);
    const double way = (std::asinh(0.75) - std::asinh(momentum)) / 0.05;
    EXPECT_NEAR(0.1 * (place(row) - place(0)), way, 0.02) << t[row];
  }
}

TEST(Phi4Kink, HasItsRestEnergyAndItsInternalMode) {
  const auto still = run_of_gallery("phi-4-kink", {"shake=0", "gamma=0"}, 0.1, {"energy"});
  EXPECT_NEAR(still.trajectory["energy"].front(), 2 * std::numbers::sqrt2 / 3, 1e-3);
  const auto shaken = run_of_gallery("phi-4-kink", {}, 60, {"q"});
  const Field& q = shaken.fields[0];
  std::vector<double> part;
  const auto& t = shaken.trajectory["t"];
  for (std::size_t row = 0; row < t.size(); ++row) {
    part.push_back(0);
    for (std::size_t i = 0; i < q.sites.size(); ++i) {
      const double x = 0.1 * (static_cast<double>(i) - 199.5) / std::numbers::sqrt2;
      part.back() += (row_of(q, row)[i] - row_of(q, 0)[i]) * std::tanh(x) / std::cosh(x);
    }
  }
  std::vector<double> upwards;
  for (std::size_t row = 5; row + 1 < t.size(); ++row)
    if (part[row] < 0 && part[row + 1] >= 0) upwards.push_back(t[row]);
  ASSERT_GT(upwards.size(), 8U);
  const double period = (upwards.back() - upwards.front()) / static_cast<double>(upwards.size() - 1);
  EXPECT_NEAR(2 * M_PI / period, std::sqrt(1.5), 0.02);
}

TEST(FermiPastaUlamTsingou, ComesBackToItsLongestWave) {
  const auto found = run_of_gallery("fermi-pasta-ulam-tsingou");
  const Field& q = found.fields[0];
  const Field& v = found.fields[1];
  const auto n = static_cast<double>(q.sites.size());
  const double frequency = 2 * std::sin(M_PI / 2 / (n + 1));
  const auto& t = found.trajectory["t"];
  const auto share = [&](std::size_t row) {
    double place = 0;
    double speed = 0;
    for (std::size_t i = 0; i < q.sites.size(); ++i) {
      const double wave = std::sqrt(2 / (n + 1)) * std::sin(M_PI * static_cast<double>(i + 1) / (n + 1));
      place += wave * row_of(q, row)[i];
      speed += wave * row_of(v, row)[i];
    }
    return (speed * speed + frequency * frequency * place * place) / 2 / found.trajectory["energy"][row];
  };
  double least = 1;
  double later = 0;
  for (std::size_t row = 0; row < t.size(); ++row) {
    least = std::min(least, share(row));
    if (t[row] > 8000) later = std::max(later, share(row));
  }
  EXPECT_NEAR(share(0), 1, 0.02);
  EXPECT_LT(least, 0.1);
  EXPECT_GT(later, 0.97);
}

/// Returns log |trace of the product of the transfer matrices of the Lax matrix|, which its eigenvalues determine.
double log_discriminant(const double* q, const double* v, std::size_t n, double lambda) {
  double m[2][2] = {{1, 0}, {0, 1}};
  double log_scale = 0;
  const auto bond = [&](std::size_t i) { return std::exp((q[i] - q[(i + 1) % n]) / 2) / 2; };
  for (std::size_t i = 0; i < n; ++i) {
    const double a = (lambda + v[i] / 2) / bond(i);
    const double b = -bond((i + n - 1) % n) / bond(i);
    for (auto column : {0, 1}) {
      const double top = a * m[0][column] + b * m[1][column];
      m[1][column] = m[0][column];
      m[0][column] = top;
    }
    const double size = std::max({std::abs(m[0][0]), std::abs(m[0][1]), std::abs(m[1][0]), std::abs(m[1][1])});
    for (auto& row : m)
      for (double& entry : row) entry /= size;
    log_scale += std::log(size);
  }
  return log_scale + std::log(std::abs(m[0][0] + m[1][1]));
}

TEST(TodaLattice, KeepsTheSpectrumOfItsLaxMatrix) {
  const auto found = run_of_gallery("toda-lattice");
  const Field& q = found.fields[0];
  const Field& v = found.fields[1];
  const std::size_t last = found.trajectory.rows() - 1;
  const std::size_t n = q.sites.size();
  ASSERT_EQ(n, 1000U);
  for (const double lambda : {-3.0, -1.7, 1.4, 2.5}) {
    const double before = log_discriminant(row_of(q, 0), row_of(v, 0), n, lambda);
    EXPECT_NEAR(log_discriminant(row_of(q, last), row_of(v, last), n, lambda), before, 1e-9 * std::abs(before));
  }
  // Damping moves it.
  const auto damped = run_of_gallery("toda-lattice", {"gamma=0.01"});
  const double before = log_discriminant(row_of(damped.fields[0], 0), row_of(damped.fields[1], 0), n, 2.5);
  const double after = log_discriminant(row_of(damped.fields[0], last), row_of(damped.fields[1], last), n, 2.5);
  EXPECT_GT(std::abs(after - before), 1e-3 * std::abs(before));
}

TEST(FermiPastaUlamTsingouBeta, HasThePeriodOfItsShortestWave) {
  constexpr double square = 4 + 16 * 0.1 * 0.25;
  const double quarter = std::comp_ellint_1(std::sqrt(8 * 0.1 * 0.25 / square)) / std::sqrt(square);
  for (const double periods : {0.25, 1.25}) {
    const auto found = run_of_gallery("fermi-pasta-ulam-tsingou-beta", {}, 4 * periods * quarter, {"q", "v"});
    const std::size_t last = found.trajectory.rows() - 1;
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_NEAR(row_of(found.fields[0], last)[i], 0, 1e-9);
      // All energy is kinetic: v^2/2 = 2 q(0)^2 + 4 beta q(0)^4.
      EXPECT_NEAR(std::abs(row_of(found.fields[1], last)[i]), std::sqrt(2 * (2 * 0.25 + 4 * 0.1 * 0.0625)), 1e-9);
    }
  }
}

TEST(Phonons, HaveTheFrequenciesOfBothBranches) {
  for (const double turns : {3.0, 13.0, 27.0})
    for (const double branch : {-1.0, 1.0}) {
      const double theta = 2 * std::numbers::pi * turns / 64;
      const double square = 1.5 + branch * std::sqrt(2.25 - 2 * std::pow(std::sin(theta / 2), 2));
      const double ratio = (2 - square) / (2 * std::cos(theta / 2));
      const auto found =
          run_of_gallery("phonons",
                         {"a[i]=cos(2*pi*i*" + std::to_string(turns) + "/64)",
                          "b[i]=" + std::to_string(ratio) + "*cos(2*pi*(i + 1/2)*" + std::to_string(turns) + "/64)"},
                         20, {"a[0]"});
      const auto& t = found.trajectory["t"];
      for (std::size_t row = 0; row < t.size(); ++row)
        EXPECT_NEAR(found.fields[0].values[row], std::cos(std::sqrt(square) * t[row]), 1e-4) << turns << ' ' << t[row];
    }
}

TEST(ThreeBodies, ComeBackAfterAPeriod) {
  const auto found = run_of_gallery("three-bodies");
  for (std::size_t f = 0; f < 4; ++f)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(row_of(found.fields[f], found.trajectory.rows() - 1)[i], row_of(found.fields[f], 0)[i], 1e-5);
  // With drag every momentum, and the energy too, decays as exp(-gamma t).
  const auto dragged = run_of_gallery("three-bodies", {"gamma=0.05", "vx[2]=-0.8", "vy[0]=0.6"});
  const double factor = std::exp(-0.05 * dragged.trajectory["t"].back());
  for (const char* name : {"energy", "momentum.right", "momentum.turn"}) {
    const auto& values = dragged.trajectory[name];
    EXPECT_GT(std::abs(values.front()), 0.05) << name;
    EXPECT_NEAR(values.back(), factor * values.front(), std::string(name) == "energy" ? 1e-4 : 1e-7) << name;
  }
}

TEST(Kuramoto, LocksTwoHalvesAtTheirAngle) {
  const auto found = run_of_gallery("kuramoto");
  EXPECT_NEAR(found.trajectory["order"].back(), 3 / std::sqrt(10.0), 1e-6);
}

TEST(SwingEquations, CarryThePowerOfEachMachineAtRest) {
  const auto found = run_of_gallery("swing-equations", {}, 200);
  const double* const q = row_of(found.fields[0], found.trajectory.rows() - 1);
  EXPECT_NEAR(q[2] - q[3], std::asin(0.7 / 1.4), 1e-6);
  EXPECT_NEAR(q[2] - q[4], std::asin(1.0 / 2.5), 1e-6);
  const double carried[] = {2 * std::sin(q[1] - q[0]), 1.5 * std::sin(q[2] - q[1]), 1.8 * std::sin(q[0] - q[2])};
  EXPECT_NEAR(carried[0] - carried[2] + 1.0, 0, 1e-6);
  EXPECT_NEAR(carried[1] - carried[0] + 0.5, 0, 1e-6);
}

TEST(SwingEquations, AreThoseThatAReferenceIntegratorFollows) {
  constexpr std::size_t n = 5;
  constexpr std::size_t from[] = {0, 1, 2, 2, 2};
  constexpr std::size_t to[] = {1, 2, 0, 3, 4};
  constexpr double K[] = {2.0, 1.5, 1.8, 1.4, 2.5};
  constexpr double M[] = {2.0, 1.0, 1.5, 1.0, 1.0};
  constexpr double P[] = {1.0, 0.5, 0.2, -0.7, -1.0};
  using State = std::array<double, 2 * n>;
  const auto rates = [&](const State& y) {
    State rate{};
    for (std::size_t e = 0; e < n; ++e) {
      const double carried = K[e] * std::sin(y[to[e]] - y[from[e]]);
      rate[n + from[e]] += carried;
      rate[n + to[e]] -= carried;
    }
    for (std::size_t i = 0; i < n; ++i) {
      rate[i] = y[n + i];
      rate[n + i] = (rate[n + i] + P[i]) / M[i] - 0.2 * y[n + i];
    }
    return rate;
  };
  State y{};
  y[n] = 1.5;
  constexpr double h = 1e-3;
  for (int step = 0; step < 10'000; ++step) {
    State slopes[4];
    for (int s = 0; s < 4; ++s) {
      State at = y;
      if (s > 0)
        for (std::size_t k = 0; k < at.size(); ++k) at[k] += (s == 3 ? h : h / 2) * slopes[s - 1][k];
      slopes[s] = rates(at);
    }
    for (std::size_t k = 0; k < y.size(); ++k)
      y[k] += h / 6 * (slopes[0][k] + 2 * slopes[1][k] + 2 * slopes[2][k] + slopes[3][k]);
  }
  Model model = io::parse_family_model(io::gallery_text("swing-equations"), "grid.toml", {"v[0]=1.5"});
  model.settings.method = "reference";
  model.settings.step.reset();
  model.settings.tolerance = 1e-12;
  model.settings.t_end = 10;
  const auto found = run_flat(model);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(row_of(found.fields[0], found.trajectory.rows() - 1)[i], y[i], 1e-9);
    EXPECT_NEAR(row_of(found.fields[1], found.trajectory.rows() - 1)[i], y[n + i], 1e-9);
  }
}

TEST(SineGordonPlane, HasTheEnergyOfItsKinks) {
  const auto line =
      run_of_gallery("sine-gordon-plane", {"gamma=0", "q[i,j]=4*atan(exp(a*(i - (n - 1)/2)))"}, 0.1, {"energy"});
  EXPECT_NEAR(line.trajectory["energy"].front() / (8 * 0.25 * 120), 1, 0.005);
  const auto ring = run_of_gallery("sine-gordon-plane", {}, 10, {"energy"});
  EXPECT_NEAR(ring.trajectory["energy"].front() / (16 * std::numbers::pi * 10), 1, 0.01);
  EXPECT_LT(ring.trajectory["energy"].back(), 0.85 * ring.trajectory["energy"].front());
}

}  // namespace
}  // namespace herglotz::families
