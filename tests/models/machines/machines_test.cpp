// Numbers that are known of the machines of the gallery.

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "herglotz/simulate/linearise.hpp"
#include "models/gallery.hpp"

namespace herglotz::test {
namespace {

using Poles = std::vector<std::complex<double>>;

/// Returns the distance from a number to the nearest eigenvalue.
double distance(const Poles& eigenvalues, std::complex<double> number) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& one : eigenvalues) nearest = std::min(nearest, std::abs(one - number));
  return nearest;
}

double largest_residual(const analyse::Trajectory& run) {
  return run.facts.largest_energy_residual;
}

/// Eigenvalues of the uncontrolled motion near a start, with parameters and initial values changed.
Poles eigenvalues(const std::string& model, const simulate::InitialState& at,
                  const simulate::InitialState& parameters) {
  const auto given = gallery_problem(model);
  return simulate::linearise(simulate::Simulator(given.system), {at, parameters}).eigenvalues;
}

/// The rate at which a body of mass m and moment J about a wheel's centre falls from the vertical, l above that centre.
double falling_rate(double M, double m, double l, double J, double g) {
  return std::sqrt(M * m * g * l / (M * J - m * m * l * l));
}

}  // namespace

/// Real part, and positive imaginary part, of the eigenvalues at a speed in m/s: J. Meijaard et al. (2007), Table 2.
struct Ride {
  double speed;
  Poles eigenvalues;
};

TEST(Machines, ObeyTheirLaws) {
  for (const auto& name : machines) {
    if (name == "whipple-bicycle") continue;  // its own test does
    const auto facts = simulate::simulate(gallery_problem(name)).facts;
    EXPECT_LT(facts.largest_energy_residual, 1e-8) << name;
    for (const auto& [law, residual] : facts.largest_momentum_residuals)
      EXPECT_LT(residual, 1e-8) << name << ", " << law;
    EXPECT_LT(facts.largest_constraint_residual, 1e-12) << name;
  }
}

TEST(Machines, TheBicycleHasThePublishedEigenvalues) {
  const std::vector<Ride> rides{{0, {-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393}},
                                {1, {-7.11008014637442, -3.13423125066578, {3.52696170990070, 0.80774027519930}}},
                                {2, {-8.67387984831735, -3.07158645641514, {2.68234517512745, 1.68066296590675}}},
                                {3, {-10.35101467245920, -2.63366137253667, {1.70675605663975, 2.31582447384325}}},
                                {4, {-12.15861426576447, -1.42944427361326, {0.41325331521125, 3.07910818603206}}},
                                {5, {-14.07838969279822, -0.32286642900409, {-0.77534188219585, 4.46486771378823}}},
                                {6, {-16.08537123098026, -0.00406690076970, {-1.52644486584142, 5.87673060598709}}},
                                {7, {-18.15788466125262, 0.10268170574766, {-2.13875644258362, 7.19525913329805}}},
                                {8, {-20.27940894394569, 0.14327879765713, {-2.69348683581097, 8.46037971396931}}},
                                {9, {-22.43788559040858, 0.15790184030917, {-3.21675402252485, 9.69377351531791}}},
                                {10, {-24.62459635017404, 0.16105338653172, {-3.72016840437287, 10.90681139476287}}}};
  const simulate::Simulator simulator(gallery_problem("whipple-bicycle").system);
  for (const auto& [v, known] : rides) {
    const auto found =
        simulate::linearise(simulator, {{{"vx", v}, {"vrear", v / 0.3}, {"vfront", v / 0.35}}, {}}).eigenvalues;
    for (const auto& number : known) EXPECT_LT(distance(found, number), 1e-9) << v << " m/s, " << number;
  }
}

TEST(Machines, TheBicycleRidesUprightByItself) {
  auto given = gallery_problem("whipple-bicycle");
  given.settings.columns = {"t", "phi", "vrear", "energy"};
  const auto run = simulate::simulate(given);
  double largest = 0;
  for (const double lean : run["phi"]) largest = std::max(largest, std::abs(lean));
  EXPECT_GT(largest, 0.08);
  EXPECT_LT(std::abs(run["phi"].back()), 0.02);
  EXPECT_LT(largest_residual(run), 1e-12);
}

TEST(Machines, TheSegwayFallsAtTheKnownRateAndIsCaught) {
  const double M = 15 + 2 * 1.2 + 2 * 0.015 / (0.15 * 0.15);
  const double rate = falling_rate(M, 15, 0.4, 0.7 + 15 * 0.4 * 0.4, 9.81);
  const auto free = eigenvalues("segway", {}, {{"control", 0}});
  EXPECT_LT(distance(free, rate), 1e-10);
  EXPECT_LT(distance(free, -rate), 1e-10);
  const auto run = simulate::simulate(gallery_problem("segway"));
  EXPECT_NEAR(run["forward_speed"].back(), 1, 1e-9);
  EXPECT_NEAR(run["yaw_rate"].back(), 0.5, 1e-9);
  EXPECT_NEAR(run["th"].back(), 0, 1e-9);
}

TEST(Machines, TheBallRobotFallsAtTheKnownRateAndIsCaught) {
  const double M = 40 + 3 + 0.03 / (0.12 * 0.12);
  const double rate = falling_rate(M, 40, 0.6, 4 + 40 * 0.36, 9.81);
  const auto free = eigenvalues("ball-robot", {{"q0", 1}}, {{"control", 0}, {"gamma", 0}});
  EXPECT_LT(distance(free, rate), 1e-10);
  EXPECT_LT(distance(free, -rate), 1e-10);
  const auto run = simulate::simulate(gallery_problem("ball-robot"));
  EXPECT_LT(run["distance"].back(), 0.01);
  EXPECT_LT(run["lean_in_degrees"].back(), 0.1);
  EXPECT_NEAR(run["b3"].back(), 0.5 * std::exp(-0.1 * 12), 1e-9);
}

TEST(Machines, TheCartPoleHasThePolesThatWereAskedFor) {
  const auto found = eigenvalues("cart-pole-balanced", {}, {{"s1", 1.5}, {"s2", 2.5}, {"s3", 4}, {"s4", 7}});
  for (const double pole : {-1.5, -2.5, -4.0, -7.0}) EXPECT_LT(distance(found, pole), 1e-9) << pole;
  const auto free = eigenvalues("cart-pole-balanced", {}, {{"control", 0}});
  EXPECT_LT(distance(free, std::sqrt(1.2 * 9.81 / 0.5)), 1e-10);
}

TEST(Machines, TheRattlebackTurnsBackOneWayOnly) {
  auto given = gallery_problem("rattleback");
  const simulate::Simulator simulator(given.system);
  const auto last_spin = [&](double w3, double gamma) {
    simulate::InitialState start = given.initial;
    start["w3"] = w3;
    const auto run = simulator.run(start, given.settings, {{"gamma", gamma}});
    EXPECT_LT(largest_residual(run), 1e-9);
    return run["spin"].back();
  };
  EXPECT_GT(last_spin(-5, 0), 1);
  EXPECT_GT(last_spin(-5, 0.02), 1);
  EXPECT_GT(last_spin(5, 0.02), 4);
}

TEST(Machines, TheTippeTopTurnsOverAndKeepsJellettsIntegral) {
  const auto run = simulate::simulate(gallery_problem("tippe-top"));
  EXPECT_LT(run["tilt_in_degrees"].front(), 6);
  EXPECT_GT(run["tilt_in_degrees"].back(), 170);
  const double kept = run["jellett"].front();
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < run["t"].size(); ++i) {
    EXPECT_NEAR(run["jellett"][i], kept, 1e-10);
    lowest = std::min(lowest, run["normal_force"][i]);
  }
  EXPECT_GT(lowest, 0);
}

// With its centre at rest a thin disk rolls with Omega^2 sin(alpha) = 4 g/a, and a film of air takes the power
// pi mu g a^2/alpha^2: alpha^3 falls by 2 pi mu a/m per time (H. K. Moffatt, Nature 404 (2000) 833, Eqs. 3 and 8).
TEST(Machines, EulersDiskRollsAndFallsAsMoffattSays) {
  auto given = gallery_problem("euler-disk");
  given.settings.t_end = 20;
  const auto run = simulate::simulate(given);
  const double tilt = run["tilt"].back();
  EXPECT_NEAR((1e-3 - std::pow(tilt, 3)) / 20, 2 * std::numbers::pi * 1.8e-5 * 0.0375 / 0.4, 1e-2 * 1.06e-5);
  EXPECT_NEAR(run["steady"].back(), 1, 1e-2);
  EXPECT_GT(run["precession"].back(), run["precession"].front());
  EXPECT_LT(largest_residual(run), 1e-7);
  const simulate::Simulator simulator(given.system);
  const auto without_air = simulator.run(given.initial, given.settings, {{"mu", 0}});
  for (const double one : without_air["steady"]) EXPECT_NEAR(one, 1, 1e-6);
  EXPECT_NEAR(without_air["tilt"].back(), 0.1, 1e-7);
}

// A slip of the coin begins from rest at t = 0.31726, in a direction that turns fast.
TEST(Machines, TheCoinSlipsFromRestByStepsOfOneSizeAsByAdaptiveOnes) {
  auto given = gallery_problem("bouncing-coin");
  const simulate::Simulator coin(given.system);
  given.settings.t_end = 0.32;
  given.settings.method = "contact-gauss-4";
  given.settings.step = 4e-4;
  given.settings.tolerance.reset();
  const auto stepped = coin.run(given.initial, given.settings);
  given.settings.method = "reference";
  given.settings.step.reset();
  given.settings.tolerance = 1e-9;
  const auto adaptive = coin.run(given.initial, given.settings);
  EXPECT_LT(largest_residual(stepped), 1e-8);
  for (const char* name : {"q0", "q1", "q2", "q3", "x", "y", "h"})
    EXPECT_NEAR(stepped[name].back(), adaptive[name].back(), 1e-6) << name;
}

// At t = 1.2218 the coin turns so fast about its contact that the impulses of a whole step are not found.
TEST(Machines, TheCoinMakesStepsInPartsWhereItTurnsFast) {
  auto given = gallery_problem("bouncing-coin");
  given.settings.step = 2e-4;
  given.settings.t_end = 1.25;
  const simulate::Simulator coin(given.system);
  const auto run = coin.run(given.initial, given.settings);
  EXPECT_TRUE(run.facts.complete);
  EXPECT_THAT(run.facts.notes, testing::Contains(testing::HasSubstr("1 step was made in parts, first at t = 1.2218")));
  EXPECT_LT(run.facts.largest_energy_residual, 1e-12);
  for (std::size_t k = 0; k < run.rows(); ++k) {
    EXPECT_GE(run["contact.rim"][k], 0);
    EXPECT_LE(run["friction.rim"][k], 0.3 * run["contact.rim"][k] + 1e-9);
  }
}

// After its bounces the coin rolls: from any of these states on it moves as the disk does that its constraints hold.
TEST(Machines, TheCoinBouncesAndThenRollsAsADiskDoes) {
  auto given = gallery_problem("bouncing-coin");
  given.settings.t_end = 0.8;
  const simulate::Simulator coin(given.system);
  const simulate::InitialState values{{"gamma", 0}};
  const auto run = coin.run(given.initial, given.settings, values);
  EXPECT_LT(largest_residual(run), 1e-12);
  std::size_t first = 0;
  while (run["t"][first] < 0.6) ++first;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    EXPECT_GT(run["clearance"][k], k < first ? -1e-4 : -2e-6) << "half a step's way of 1 m/s";
    const double whole = run["energy"][k] + run["loss.rim"][k] - run["work.rim"][k];
    EXPECT_NEAR(whole, run["energy"][0], 1e-14);
    if (k < first) continue;
    EXPECT_NEAR(run["work.rim"][k], run["work.rim"].back(), 1e-9) << "it rolls without slip";
    EXPECT_LE(run["friction.rim"][k], 0.3 * run["contact.rim"][k] + 1e-9);
  }
  EXPECT_LT(run["work.rim"].back(), -1e-4);
  EXPECT_GT(run["loss.rim"].back(), 1e-3);
  auto rolling = gallery_problem("euler-disk");
  rolling.settings.t_end = run["t"].back();
  rolling.settings.project = true;
  simulate::InitialState state{{"t", run["t"][first]}};
  for (const char* name : {"q0", "q1", "q2", "q3", "x", "y", "h", "w1", "w2", "w3", "v1", "v2", "v3"})
    state[name] = run[name][first];
  const simulate::Simulator disk(rolling.system);
  const auto rolled = disk.run(state, rolling.settings, {{"m", 0.0075}, {"a", 0.0116}, {"mu", 0}});
  for (const char* name : {"q0", "q1", "q2", "q3"}) EXPECT_NEAR(rolled[name].back(), run[name].back(), 0.02) << name;
  for (const char* name : {"x", "y", "h"}) EXPECT_NEAR(rolled[name].back(), run[name].back(), 3e-4) << name;
}

TEST(Machines, TheRollerRacerSteersBackAtTheKnownRate) {
  // Straight ahead with speed U: delta phi grows like exp(U (J1 l2 - J2 l1)/(J1 l2^2 + J2 l1^2) t).
  const double U = 1.7;
  const auto found = eigenvalues("roller-racer", {{"vx", U}}, {{"torque", 0}, {"gamma", 0}, {"stiffness", 0}});
  const double rate = U * (0.1 * 0.1 - 0.05 * 0.5) / (0.1 * 0.01 + 0.05 * 0.25);
  EXPECT_LT(distance(found, rate), 1e-10);
}

TEST(Machines, TrailersFollowTheTractrixAndCirclesOfPythagoras) {
  auto given = gallery_problem("car-with-trailers");
  const simulate::Simulator simulator(given.system);
  simulate::Settings settings = given.settings;
  settings.method = "reference";
  settings.tolerance = 1e-12;
  settings.t_end = 2;
  settings.project = true;
  settings.fixed = {"x", "y", "th0", "th1", "th2", "th3", "vx", "vy", "w0"};
  const auto straight = simulator.run({{"th1", 0.9}, {"th2", 1.2}, {"th3", 0.4}, {"vx", 1.0}}, settings,
                                      {{"thrust", 0.7}, {"torque", 0}, {"gamma", 0.3}});
  EXPECT_NEAR(straight["th0"].back(), 0, 1e-12);
  EXPECT_NEAR(std::tan(straight["th1"].back() / 2), std::tan(0.45) * std::exp(-straight["x"].back()), 1e-10);

  // Axles on circles of radii R0, R1, ...: each trailer lags by the angle asin(l/R) of the axle in front of it.
  simulate::InitialState circle{{"vx", 1.0}, {"w0", 0.5}};
  double radius = 2;
  double heading = 0;
  const double lengths[3] = {1.0, 0.9, 0.8};
  for (int i = 0; i < 3; ++i) {
    heading -= std::asin(lengths[i] / radius);
    radius = std::sqrt(radius * radius - lengths[i] * lengths[i]);
    circle["th" + std::to_string(i + 1)] = heading;
  }
  const auto round = simulator.run(circle, settings, {{"thrust", 0}, {"torque", 0}, {"gamma", 0}});
  EXPECT_NEAR(round["th0"].back(), 1, 1e-10);
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "th" + std::to_string(i);
    EXPECT_NEAR(round[name].back() - round[name].front(), 1, 1e-10) << name;
  }
}

// The drum slips back where the torque A sin(W t) is below -(1 - exp(-mu th)) P R, until its velocity has vanished
// again.
TEST(BandBrake, TurnsOneWayByTheAngleOfEachSlip) {
  const auto run = simulate::simulate(gallery_problem("band-brake"));
  EXPECT_LT(largest_residual(run), 1e-13);
  const double A = 5;
  const double W = std::numbers::pi;
  const double held = 2 * (1 - std::exp(-0.3 * 1.5 * std::numbers::pi));
  const double t1 = (std::numbers::pi + std::asin(held / A)) / W;
  const auto velocity = [&](double t) { return A * (std::cos(W * t1) - std::cos(W * t)) / W + held * (t - t1); };
  double slips = 2 - (t1 - 1);  // the torque is too small again, and the drum still turns
  double rests = t1 + 2;
  for (int k = 0; k < 100; ++k) {
    const double middle = (slips + rests) / 2;
    (velocity(middle) < 0 ? slips : rests) = middle;
  }
  const double time = rests - t1;
  const double angle =
      (A * (time * std::cos(W * t1) - (std::sin(W * rests) - std::sin(W * t1)) / W) / W + held * time * time / 2) / 0.5;
  EXPECT_NEAR(run["a"].back(), 5 * angle, 1e-10);
  EXPECT_EQ(run["w"].back(), 0);
  for (const double w : run["w"]) EXPECT_LE(w, 0);
}

// The motor crosses the play 2 b with the acceleration T/J1, and meets the load at the speed 2 sqrt(b T/J1).
TEST(BacklashDrive, MeetsTheLoadAndLosesWhatIsKnown) {
  for (const std::string method : {"reference", "contact-gauss-4"}) {
    SCOPED_TRACE(method);
    auto given = gallery_problem("backlash-drive");
    given.settings.method = method;
    if (method != "reference") given.settings.step = 0.01;
    const auto run = simulate::simulate(given);
    EXPECT_LT(largest_residual(run), 1e-12);
    const double crossed = std::sqrt(4 * 0.05 * 1.0 / 1.5);
    std::vector<double> times;
    for (const auto& event : run.events)
      for (const auto& column : event.columns)
        if (column.name == "t") times.insert(times.end(), column.values.begin(), column.values.end());
    std::ranges::sort(times);
    ASSERT_EQ(times.size(), 7u);
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], static_cast<double>(k + 1) + crossed, 1e-12);
    const double lost = 2 * 0.05 * 1.5 * 2.0 / (1.0 + 2.0);
    EXPECT_NEAR(run["loss.forth"].back(), 3 * lost, 1e-12);
    EXPECT_NEAR(run["loss.back"].back(), 4 * lost, 1e-12);
    for (const double force : run["contact.back"])
      if (force != 0) EXPECT_NEAR(force, 1.5 * 2.0 / (1.0 + 2.0), 1e-12);
    // The motion has the period 2.
    EXPECT_NEAR(run["v1"].back(), -0.25, 1e-12);
    EXPECT_NEAR(run["v2"].back(), -0.25, 1e-12);
  }
}

}  // namespace herglotz::test
