// Steps that go over impacts: Moreau and Jean's time stepping against closed forms, and its energy law.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "contact_runs.hpp"
#include "herglotz/io/gallery.hpp"
#include "io/error_of.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string contact_model(const std::string& base, const std::string& fibre, const std::string& dynamics,
                          const std::string& tables) {
  return "[model]\nname = \"contacts\"\n[algebroid]\nkind = \"tangent\"\nbase = [" + base + "]\nfibre = [" + fibre +
         "]\n[parameters]\ng = 9.81\n[dynamics]\nlagrangian = \"" + dynamics + "\"\n" + tables;
}

std::string steps(double step, double t_end, const std::string& more = "") {
  return "[simulation]\nmethod = \"moreau-2\"\nstep = " + std::to_string(step) + "\nt_end = " + std::to_string(t_end) +
         "\noutput_every = 1\n" + more;
}

/// Returns the largest change of what the energy would be without the forces of the contacts.
double change_of_energy(const analyse::Trajectory& made, const std::vector<std::string>& contacts) {
  double largest = 0;
  for (std::size_t k = 0; k < made.rows(); ++k) {
    double whole = made["energy"][k] - made["energy"][0];
    for (const auto& name : contacts) whole += made["loss." + name][k] - made["work." + name][k];
    largest = std::max(largest, std::abs(whole));
  }
  return largest;
}

std::string bouncing_ball(double step, const std::string& dynamics = "v^2/2 - g*q", const std::string& more = "") {
  return contact_model(
      "\"q\"", "\"v\"", dynamics,
      "[impacts]\nfloor = { gap = \"q\", restitution = 0.8 }\n[initial]\nq = 1.0\n" + steps(step, 6, more));
}

TEST(OverImpacts, ABallComesToRestAtTheEndOfItsInfinitelyManyImpacts) {
  const double fall = std::sqrt(2 / g);
  const double rest = fall * (1 + 0.8) / (1 - 0.8);
  double last = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const auto made = run(bouncing_ball(h));
    double off = 0;
    double moved = 0;
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      if (t > rest + 100 * h) moved = std::max(moved, std::abs(made["v"][k]));
      // Between the first two impacts: 0.8 of the velocity with which it falls on the floor.
      const double s = t - fall;
      if (s > 0 && s < 1.6 * fall) off = std::max(off, std::abs(made["q"][k] - s * (0.8 * g * fall - g * s / 2)));
    }
    EXPECT_LT(off, 12 * h);
    EXPECT_LT(moved, 1e-6) << "it rests";
    EXPECT_NEAR(made["q"].back(), 0, h * h * 2 * g);
    EXPECT_NEAR(made["contact.floor"].back(), g, 1e-9);
    EXPECT_LT(change_of_energy(made, {"floor"}), 1e-12);
    EXPECT_NEAR(made["loss.floor"].back(), g, 1e-3 * g);
    EXPECT_LT(made.facts.largest_energy_residual, 1e-12);
    EXPECT_THAT(made.facts.notes,
                testing::Contains(HasSubstr("steps of moreau-2 go over impacts, with order 1 there")));
    last = off;
  }
  EXPECT_GT(last, 0);
}

TEST(OverImpacts, TheEnergyLawClosesWithDissipationAndTheAction) {
  const auto made = run(bouncing_ball(1e-3, "v^2/2*(1 + q^2/3) - g*q - z/5 - z^2/90"));
  EXPECT_LT(made.facts.largest_energy_residual, 1e-11);
  for (std::size_t k = 0; k < made.rows(); ++k)
    EXPECT_NEAR(made["integrating_factor"][k] * (made["energy"][k] + made["loss.floor"][k]), made["energy"][0], 1e-10);
  EXPECT_GT(made["loss.floor"].back(), 1);
  EXPECT_NEAR(made["v"].back(), 0, 1e-9);
}

TEST(OverImpacts, StepsHaveOrderTwoBetweenThem) {
  const auto pendulum = [](const std::string& how) {
    return contact_model(
        "\"q\"", "\"v\"", "v^2/2 + cos(q) - z/10",
        "[impacts]\nwall = { gap = \"3 - q\", restitution = 0.5 }\n[initial]\nq = 1.0\nv = 0.5\n" + how);
  };
  const double exact = run(pendulum("[simulation]\ntolerance = 1e-13\nt_end = 4.0\n"))["q"].back();
  const double coarse = run(pendulum(steps(0.04, 4)))["q"].back() - exact;
  const double fine = run(pendulum(steps(0.02, 4)))["q"].back() - exact;
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
  EXPECT_LT(std::abs(fine), 1e-3);
}

TEST(OverImpacts, HaveOrderOneThere) {
  const auto bounce = [](double h) {
    return run(contact_model(
        "\"q\"", "\"v\"", "v^2/2 - g*q",
        "[impacts]\nfloor = { gap = \"q\", restitution = 0.8 }\n[initial]\nq = 1.0\n" + steps(h, 1)))["v"]
        .back();
  };
  const double fall = std::sqrt(2 / g);
  const double exact = 0.8 * g * fall - g * (1 - fall);
  for (const double h : {1e-2, 1e-3, 1e-4}) EXPECT_LT(std::abs(bounce(h) - exact), 2 * g * h) << h;
}

TEST(OverImpacts, TwoBlocksComeToRestOnEachOther) {
  const auto made =
      run(contact_model("\"p\", \"q\"", "\"u\", \"v\"", "u^2/2 + 3*v^2/2 - g*p - 3*g*q",
                        "[impacts]\nfloor = { gap = \"p\", restitution = 0.5 }\n"
                        "block = { gap = \"q - p - 1\", restitution = 0.3 }\n[initial]\np = 0.5\nq = 2.0\n" +
                            steps(1e-3, 6)));
  EXPECT_NEAR(made["p"].back(), 0, 5e-3);
  EXPECT_NEAR(made["q"].back() - made["p"].back(), 1, 5e-3);
  EXPECT_NEAR(made["u"].back(), 0, 1e-12);
  EXPECT_NEAR(made["v"].back(), 0, 1e-12);
  EXPECT_NEAR(made["contact.floor"].back(), 4 * g, 1e-9);
  EXPECT_NEAR(made["contact.block"].back(), 3 * g, 1e-9);
  EXPECT_LT(change_of_energy(made, {"floor", "block"}), 1e-11);
}

TEST(OverImpacts, ABodySlidesToRestOnAnInclineAndStays) {
  constexpr double a = 0.3;
  constexpr double mu = 0.6;
  constexpr double h = 1e-3;
  const auto made =
      run(contact_model("\"x\", \"y\"", "\"vx\", \"vy\"", "(vx^2 + vy^2)/2 - g*(y*cos(0.3) - x*sin(0.3))",
                        "[impacts]\nfloor = { gap = \"y\", restitution = 0, friction = 0.6, slip = \"vx\" }\n"
                        "[initial]\nvx = 2.0\n" +
                            steps(h, 2)));
  const double brake = g * (mu * std::cos(a) - std::sin(a));
  const double time = 2 / brake;
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double t = made["t"][k];
    if (t < time - h) {
      EXPECT_NEAR(made["vx"][k], 2 - brake * t, 1e-12);
    }
    if (t > time + 1.5 * h) {
      EXPECT_NEAR(made["vx"][k], 0, 1e-14);
    }
    EXPECT_NEAR(made["y"][k], 0, 1e-14);
  }
  EXPECT_NEAR(made["x"].back(), 2 / brake, 5 * h * h);
  EXPECT_NEAR(made["friction.floor"].back(), -g * std::sin(a), 1e-11);
  EXPECT_NEAR(made["contact.floor"].back(), g * std::cos(a), 1e-11);
  EXPECT_NEAR(made["work.floor"].back(), -mu * g * std::cos(a) * made["x"].back(), 1e-2 * h);
  EXPECT_NEAR(made["loss.floor"].back(), 0, 1e-13);
  EXPECT_LT(change_of_energy(made, {"floor"}), 1e-12);
}

TEST(OverImpacts, FrictionOnTwoSlipsBrakesAlongTheMotion) {
  constexpr double h = 1e-3;
  const auto made =
      run(contact_model("\"x\", \"y\", \"q\"", "\"vx\", \"vy\", \"v\"", "(vx^2 + vy^2 + v^2)/2 - g*q",
                        "[impacts]\nfloor = { gap = \"q\", restitution = 0, friction = 0.3, slip = [\"vx\", \"vy\"] }\n"
                        "[initial]\nvx = 1.2\nvy = -0.9\n" +
                            steps(h, 1)));
  const double time = 1.5 / (0.3 * g);
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double v = std::max(0.0, 1.5 - 0.3 * g * made["t"][k]);
    if (std::abs(made["t"][k] - time) > 1.5 * h) {
      EXPECT_NEAR(made["vx"][k], 0.8 * v, 1e-11);
      EXPECT_NEAR(made["vy"][k], -0.6 * v, 1e-11);
    }
  }
  EXPECT_NEAR(made["x"].back(), 0.8 * 0.75 * time, 5 * h * h);
  EXPECT_NEAR(made["friction.floor"][1], 0.3 * g, 1e-9);
  EXPECT_NEAR(made["friction.floor"].back(), 0, 1e-12);
  EXPECT_LT(change_of_energy(made, {"floor"}), 1e-12);
}

/// A block of width 2 b and height 2 h that stands on its corners, with the moment of inertia of a solid one.
std::string rocking_block(double b, double h, double friction, const std::string& initial, const std::string& how) {
  const std::string B = std::to_string(b);
  const std::string H = std::to_string(h);
  const auto corner = [&](const std::string& side) {
    return "{ gap = \"y " + side + " b*sin(a) - h*cos(a)\", restitution = 0, friction = " + std::to_string(friction) +
           ", slip = \"vx + (h*cos(a) " + (side == "+" ? "-" : "+") + " b*sin(a))*w\" }\n";
  };
  return "[model]\nname = \"block\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"a\"]\n"
         "fibre = [\"vx\", \"vy\", \"w\"]\n[parameters]\ng = 9.81\nb = " +
         B + "\nh = " + H +
         "\n[dynamics]\nlagrangian = \"(vx^2 + vy^2)/2 + (b^2 + h^2)*w^2/6 - g*y\"\n[impacts]\nleft = " + corner("-") +
         "right = " + corner("+") + "[initial]\n" + initial + how;
}

// A block that rocks without sliding keeps r = (1 - 3/2 sin^2 alpha)^2 of its energy of motion in each impact on the
// other corner, with tan alpha = b/h, and the time of the first quarter is acosh(1/(1 - a/alpha))/p for slender blocks
// (G. W. Housner, The behavior of inverted pendulum structures during earthquakes, 1963, Eqs. 2 and 6).
TEST(OverImpacts, ARockingBlockLosesHousnersShareOfItsEnergy) {
  constexpr double b = 0.2;
  constexpr double h = 1.0;
  constexpr double tilt = 0.1;
  const auto made = run(rocking_block(b, h, 2, "a = 0.1\ny = \"b*sin(0.1) + h*cos(0.1)\"\n", steps(2e-4, 5)));
  const double alpha = std::atan(b / h);
  const double R = std::hypot(b, h);
  const double p = std::sqrt(3 * g / (4 * R));
  const double share = std::pow(1 - 1.5 * std::sin(alpha) * std::sin(alpha), 2);
  const auto height = [&](double angle) { return R * (std::cos(alpha - angle) - std::cos(alpha)); };
  const auto& angle = made["a"];
  std::vector<double> crossings;
  std::vector<double> peaks{tilt};
  double peak = 0;
  for (std::size_t k = 1; k < made.rows(); ++k) {
    peak = std::max(peak, std::abs(angle[k]));
    if (angle[k] * angle[k - 1] > 0 || angle[k - 1] == 0) continue;
    if (!crossings.empty()) peaks.push_back(peak);
    crossings.push_back(made["t"][k]);
    peak = 0;
  }
  ASSERT_GE(peaks.size(), 4U);
  EXPECT_NEAR(crossings.front(), std::acosh(1 / (1 - tilt / alpha)) / p, 5e-3);
  for (std::size_t k = 1; k < 4; ++k)
    EXPECT_NEAR(height(peaks[k]) / height(peaks[k - 1]), share, 2e-2 * share) << "impact " << k;
  EXPECT_LT(change_of_energy(made, {"left", "right"}), 1e-10);
  EXPECT_LT(made.facts.largest_energy_residual, 1e-10);
}

// The slips of the ends of a thin rod depend on each other where it lies, but for its small angle to the floor.
TEST(OverImpacts, ARodClattersAndLiesDown) {
  for (const double h : {2e-3, 1e-3}) {
    const auto made = run(contact_model(
        "\"x\", \"y\", \"a\"", "\"vx\", \"vy\", \"w\"", "(vx^2 + vy^2)/2 + w^2/24 - g*y",
        "[impacts]\nleft = { gap = \"y - sin(a)/2\", restitution = 0.7, friction = 0.9, slip = \"vx + sin(a)/2*w\" }\n"
        "right = { gap = \"y + sin(a)/2\", restitution = 0.7, friction = 0.9, slip = \"vx - sin(a)/2*w\" }\n"
        "[initial]\ny = 1.0\na = 0.9\nvx = -1.0\nw = 1.0\n" +
            steps(h, 4)));
    for (const char* name : {"vx", "vy", "w"}) EXPECT_NEAR(made[name].back(), 0, 1e-12) << name;
    for (const char* name : {"y", "a"}) EXPECT_NEAR(made[name].back(), 0, 1e-3) << name;
    EXPECT_NEAR(made["contact.left"].back() + made["contact.right"].back(), g, 1e-9);
    EXPECT_LT(change_of_energy(made, {"left", "right"}), 1e-12);
  }
}

// Two corners share what holds the block: their friction along the floor is not determined, its sum is.
TEST(OverImpacts, AStandingBlockSlidesToRestOnBothCorners) {
  const auto made = run(rocking_block(0.5, 0.4, 0.4, "y = 0.4\nvx = 1.0\n", steps(1e-3, 1)));
  const double brake = 0.4 * g;
  for (std::size_t k = 1; k < made.rows(); ++k) {
    const double t = made["t"][k];
    if (t > 1 / brake - 2e-3) continue;
    EXPECT_NEAR(made["vx"][k], 1 - brake * t, 1e-10);
    EXPECT_NEAR(made["contact.left"][k] + made["contact.right"][k], g, 1e-8);
    // The friction turns the block forwards: N_right - N_left = mu g h/b.
    EXPECT_NEAR(made["contact.right"][k] - made["contact.left"][k], brake * 0.4 / 0.5, 1e-8);
  }
  EXPECT_NEAR(made["x"].back(), 0.5 / brake, 1e-5);
  EXPECT_NEAR(made["vx"].back(), 0, 1e-12);
  EXPECT_NEAR(made["a"].back(), 0, 1e-12);
  EXPECT_LT(change_of_energy(made, {"left", "right"}), 1e-11);
}

// In polar coordinates a straight line is an exact test of steps whose mass depends on the place: the reflection on a
// straight wall keeps the velocity along it.
TEST(OverImpacts, AWallReflectsInCurvedCoordinates) {
  const std::string text =
      "[model]\nname = \"polar\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"r\", \"phi\"]\nfibre = [\"u\", \"w\"]\n"
      "[dynamics]\nlagrangian = \"(u^2 + r^2*w^2)/2\"\n[impacts]\nwall = { gap = \"2 - r*cos(phi)\", restitution = 1 "
      "}\n"
      "[initial]\nr = 1.0\nu = 1.0\nw = 0.5\n";
  double before = 0;
  for (const double h : {1e-2, 1e-3}) {
    const auto made = run(text + steps(h, 2));
    const double r = made["r"].back();
    const double phi = made["phi"].back();
    const double vx = made["u"].back() * std::cos(phi) - r * made["w"].back() * std::sin(phi);
    const double vy = made["u"].back() * std::sin(phi) + r * made["w"].back() * std::cos(phi);
    const double error = std::max(std::abs(vx + 1), std::abs(vy - 0.5));
    EXPECT_LT(error, 0.5 * h);
    if (before > 0) {
      EXPECT_LT(error, before / 5);
    }
    before = error;
    EXPECT_LT(change_of_energy(made, {"wall"}), 1e-12);
    EXPECT_NEAR(r * std::cos(phi), 1, 5 * h);
  }
}

// The limit cycle of the toy passes the published state (phi, psi, vy, vphi, vpsi) = (-0.1036, -0.2788, -0.3411, 0,
// -7.4583) [LGC01], from which the model starts: it comes back there after each period.
TEST(OverImpacts, TheWoodpeckerComesBackToItsPublishedState) {
  auto problem = parse_model(std::string(gallery_text("woodpecker")) +
                             "\n[events]\nsection = { at = \"psi + 0.2788\", direction = \"falling\" }\n");
  problem.settings.t_end = 0.6;
  const auto made = simulate::simulate(problem);
  const auto section =
      std::find_if(made.events.begin(), made.events.end(), [](const auto& one) { return one.name == "section"; });
  ASSERT_EQ(section->count(), 4U);
  const auto at = [&](const std::string& name) -> const std::vector<double>& {
    return std::find_if(section->columns.begin(), section->columns.end(), [&](const auto& c) { return c.name == name; })
        ->values;
  };
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(at("vpsi")[k], -7.4583, 0.02);
    EXPECT_NEAR(at("vy")[k], -0.3411, 0.004);
    EXPECT_NEAR(at("phi")[k], -0.1036, 3e-4);
    EXPECT_NEAR(at("vphi")[k], 0, 1e-9);
    if (k > 0) {
      EXPECT_NEAR(at("t")[k] - at("t")[k - 1], at("t")[0], 5e-4) << "the period";
    }
  }
  EXPECT_LT(change_of_energy(made, {"beak", "lower", "upper"}), 1e-14);
  EXPECT_LT(made["work.upper"].back(), 0);
  EXPECT_GT(made["loss.beak"].back(), 0);
}

TEST(OverImpacts, OtherEventsAreLocatedWithTheValuesOfContacts) {
  const auto made = run(bouncing_ball(1e-3) + "[events]\nlow = { at = \"q - 0.3\", direction = \"rising\" }\n");
  const auto events = [&](const std::string& name) -> const std::vector<analyse::Column>& {
    return std::find_if(made.events.begin(), made.events.end(), [&](const auto& one) { return one.name == name; })
        ->columns;
  };
  const auto& low = events("low");
  ASSERT_EQ(low.front().values.size(), 2U);
  const auto loss =
      std::find_if(low.begin(), low.end(), [](const auto& column) { return column.name == "loss.floor"; });
  ASSERT_NE(loss, low.end());
  EXPECT_NEAR(loss->values[0], g * (1 - 0.64), 0.05);
  EXPECT_NEAR(loss->values[1], g * (1 - 0.64 * 0.64), 0.1);
  EXPECT_EQ(made.events.size(), 1U) << "impacts are not located, and do not claim that there were none";
}

/// A rod of mass and length 1 that falls on its tip at an angle of 0.6, with a slip.
std::string falling_rod(const std::string& slip, const std::string& friction) {
  return "[model]\nname = \"rod\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\", \"a\"]\n"
         "fibre = [\"vx\", \"vy\", \"w\"]\n[dynamics]\nlagrangian = \"(vx^2 + vy^2)/2 + w^2/24\"\n[impacts]\n"
         "tip = { gap = \"y - cos(a)/2\", restitution = 0.9, friction = " +
         friction + ", slip = \"" + slip +
         "\" }\n[initial]\na = 0.6\ny = \"cos(0.6)/2 + 0.01\"\nvx = -0.8\nvy = -1.0\n" + steps(1e-4, 0.02);
}

// The slip is stopped in the impact, and part of the impulse of friction that this takes pushes along the slip before
// it. With c = cos a, s = sin a: (1 + 3 s^2) J_n + 3 s c J_t = 1 + e, 3 s c J_n + (1 + 3 c^2) J_t = -slip, and the
// energy changes by (J_n (e - 1) + J_t slip)/2 (T. R. Kane, D. A. Levinson, Dynamics: Theory and Applications, 1985,
// Sec. 5.8).
TEST(OverImpacts, ContactsThatGiveEnergyAreNoted) {
  const double s = std::sin(0.6);
  const double c = std::cos(0.6);
  constexpr double e = 0.9;
  constexpr double slip = -0.8;
  const double determinant = (1 + 3 * s * s) * (1 + 3 * c * c) - 9 * s * s * c * c;
  const double J_n = ((1 + e) * (1 + 3 * c * c) + 3 * s * c * slip) / determinant;
  const double J_t = (-slip - 3 * s * c * J_n) / (1 + 3 * c * c);
  const double gain = (J_n * (e - 1) + J_t * slip) / 2;
  ASSERT_GT(gain, 0.05);
  const auto made = run(falling_rod("vx + cos(a)*w/2", "0.5"));
  EXPECT_NEAR(made["energy"].back() - made["energy"].front(), gain, 1e-4);
  EXPECT_LT(change_of_energy(made, {"tip"}), 1e-14);
  const auto note = std::find_if(made.facts.notes.begin(), made.facts.notes.end(), [](const auto& one) {
    return one.find("contacts raise the energy") != std::string::npos;
  });
  ASSERT_NE(note, made.facts.notes.end());
  double noted = 0;
  double at = 0;
  ASSERT_EQ(std::sscanf(note->c_str(), "contacts raise the energy by %lf in 1 step, first at t = %lf", &noted, &at), 2)
      << *note;
  EXPECT_NEAR(noted, gain, 1e-2 * gain);
  EXPECT_NEAR(at, 0.01, 2e-4);
}

TEST(OverImpacts, MovingSurfacesAndRestGiveNoSuchNote) {
  const auto noted = [](const std::string& text) {
    const auto notes = run(text).facts.notes;
    return std::any_of(notes.begin(), notes.end(),
                       [](const auto& one) { return one.find("contacts raise") != std::string::npos; });
  };
  EXPECT_FALSE(noted(bouncing_ball(1e-3)));
  EXPECT_FALSE(noted(falling_rod("vx + cos(a)*w/2", "0.05")));
  const auto on_belt = contact_model("\"x\", \"y\"", "\"vx\", \"vy\"", "(vx^2 + vy^2)/2 - g*y",
                                     "[impacts]\nbelt = { gap = \"y - 0.1*t\", restitution = 0, friction = 0.5, slip = "
                                     "\"vx - 1\" }\n[initial]\nvy = 0.1\n" +
                                         steps(1e-3, 1));
  EXPECT_FALSE(noted(on_belt));
  const auto made = run(on_belt);
  EXPECT_NEAR(made["work.belt"].back(), 0.5, 0.01) << "the belt brings it to its velocity";
  EXPECT_NEAR(made["drive.belt"].back(), g * 0.1, 1e-3) << "and lifts it";
  EXPECT_NEAR(made["loss.belt"].back(), 0, 1e-12);
}

TEST(OverImpacts, WhatIsNotFollowedSaysSo) {
  EXPECT_THAT(error_of_run(bouncing_ball(1e-3) + "[events]\nkick = { at = \"q - 0.5\", set = { v = \"2*v\" } }\n"),
              HasSubstr("[events] 'kick' changes the state, and steps of method moreau-2 do not end there"));
  EXPECT_THAT(
      error_of_run(contact_model("\"q\"", "\"v\"", "v^2/2 - g*q",
                                 "[impacts]\nfloor = { gap = \"q\", restitution = 0, friction = 0.1, slip = \"v\" }\n" +
                                     steps(1e-3, 1, "columns = [\"power.floor\"]\n"))),
      HasSubstr("[simulation] method moreau-2 has no column 'power.floor'; the work so far is in 'work.floor'"));
  const auto with = [](const std::string& tables, const std::string& start) {
    return contact_model("\"q\"", "\"v\"", "v^2/2 - g*q", tables + "[initial]\n" + start + steps(1e-3, 1));
  };
  const std::string floor = "[impacts]\nfloor = { gap = \"q\", restitution = 0.8 }\n";
  EXPECT_THAT(error_of_run(with(floor, "q = -0.1\n")),
              HasSubstr("the start is inside the surface of 'floor': its gap is -0.1"));
  EXPECT_THAT(error_of_run(with("[impacts]\nfloor = { gap = \"q\", restitution = \"1 + q\" }\n", "q = 1.0\n")),
              HasSubstr("the restitution of 'floor' is 2, and must lie between 0 and 1, at t = 0"));
  EXPECT_THAT(
      error_of_run(
          with("[impacts]\nfloor = { gap = \"q\", restitution = 0, friction = \"-q\", slip = \"v\" }\n", "q = 1.0\n")),
      HasSubstr("the friction of 'floor' is -1, and must be finite and not negative, at t = 0"));
  EXPECT_THAT(error_of_run(with(floor + "[friction]\nair = { on = \"v\", static = 0.1 }\n", "q = 1.0\n")),
              HasSubstr("[friction] is not followed by method moreau-2"));
  EXPECT_THAT(error_of_run(with(floor + "[constraints]\nrule = \"nonholonomic\"\nequations = [\"v - 1\"]\n",
                                "q = 1.0\nv = 1.0\n")),
              HasSubstr("method moreau-2 does not honour nonholonomic constraints"));
}

// A beam on two supports has one set of forces, on three supports many; the other methods say so in the same words.
TEST(OverImpacts, SaysWhichForcesAreOneOfManyChoices) {
  const auto beam = [](const std::string& supports) {
    return run(contact_model("\"y\", \"a\"", "\"vy\", \"w\"", "vy^2/2 + w^2/6 - g*y",
                             "[impacts]\nleft = { gap = \"y - sin(a)\", restitution = 0 }\n" + supports +
                                 "right = { gap = \"y + sin(a)\", restitution = 0 }\n[initial]\ny = 0\n" +
                                 steps(1e-2, 0.1)));
  };
  EXPECT_THAT(beam("").facts.notes, testing::Not(testing::Contains(HasSubstr("one of many choices"))));
  EXPECT_THAT(beam("middle = { gap = \"y\", restitution = 0 }\n").facts.notes,
              testing::Contains("'left', 'middle', 'right' share a load, first from t = 0: only sums of contact and "
                                "friction forces are determined, and those shown are one of many choices"));
}

}  // namespace
}  // namespace herglotz::io
