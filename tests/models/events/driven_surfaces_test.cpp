// The work of surfaces that are moved: with it the energy of a run is balanced over contacts and impacts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

analyse::Trajectory run_to_its_end(const std::string& text) {
  auto made = run(text);
  EXPECT_TRUE(made.facts.complete) << made.facts.status;
  return made;
}

/// Returns the largest |lambda (E + losses - works - drives) - E(0)|.
double defect_with_drives(const analyse::Trajectory& made, const std::vector<std::string>& names) {
  double largest = 0;
  for (std::size_t k = 0; k < made.rows(); ++k) {
    double sum = made["energy"][k];
    for (const auto& name : names) sum += (name.starts_with("loss") ? 1 : -1) * made[name][k];
    largest = std::max(largest, std::abs(made["integrating_factor"][k] * sum - made["energy"][0]));
  }
  return largest;
}

/// A mass on a table at 0.05 sin(8 t), which it does not leave: 0.05 * 64 < g.
std::string shaken(const std::string& damping, const std::string& how) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"y\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2 - "
         "2*9.81*y" +
         damping +
         "\"\n[impacts]\ntable = { gap = \"y - 0.05*sin(8*t)\", restitution = 0 }\n[initial]\nv = 0.4\n"
         "[simulation]\nt_end = 1.0\n" +
         how;
}

// The table gives what the energy v^2 + 2 g y of the mass 2 becomes along the motion that is prescribed.
TEST(DrivenSurface, GivesABodyThatRidesOnItTheEnergyOfItsMotion) {
  for (const std::string how : {"tolerance = 1e-12\n", "method = \"contact-gauss-4\"\nstep = 0.005\n",
                                "method = \"radau-5\"\ntolerance = 1e-12\n"}) {
    const auto made = run_to_its_end(shaken("", how));
    for (std::size_t k = 0; k < made.rows(); ++k) {
      const double t = made["t"][k];
      const double v = 0.4 * std::cos(8 * t);
      EXPECT_NEAR(made["drive.table"][k], v * v - 0.16 + 2 * g * 0.05 * std::sin(8 * t), 1e-6) << how << t;
      EXPECT_NEAR(made["loss.table"][k], 0, 1e-12) << how << t;
    }
    EXPECT_LT(defect_with_drives(made, {"loss.table", "drive.table"}), 1e-6) << how;
  }
  const auto stepped = run_to_its_end(shaken("", "method = \"moreau-2\"\nstep = 1e-3\n"));
  EXPECT_NEAR(stepped["drive.table"].back(), std::pow(0.4 * std::cos(8.0), 2) - 0.16 + 0.1 * g * std::sin(8.0), 1e-3);
  EXPECT_LT(defect_with_drives(stepped, {"loss.table", "drive.table"}), 1e-12);
}

TEST(DrivenSurface, HasAWorkThatTheFactorCarries) {
  for (const std::string how : {"tolerance = 1e-12\n", "method = \"moreau-2\"\nstep = 1e-3\n"})
    EXPECT_LT(defect_with_drives(run_to_its_end(shaken(" - 0.7*z", how)), {"loss.table", "drive.table"}), 1e-10) << how;
}

// Contact forces have the power of the table alone: lambda = 2 (g - 3.2 sin(8 t)) along 0.4 cos(8 t).
TEST(DrivenSurface, HasAPowerBesideThatOfConstraints) {
  const auto made =
      run_to_its_end(shaken("",
                            "tolerance = 1e-12\ncolumns = [\"t\", \"mechanical_energy\", \"power.constraint\", "
                            "\"power.drive.table\"]\n"));
  for (std::size_t k = 0; k < made.rows(); ++k) {
    const double t = made["t"][k];
    EXPECT_NEAR(made["power.drive.table"][k], 2 * (g - 3.2 * std::sin(8 * t)) * 0.4 * std::cos(8 * t), 1e-8) << t;
    EXPECT_NEAR(made["power.constraint"][k], 0, 1e-9) << t;
  }
  try {
    run_to_its_end(shaken("", "method = \"moreau-2\"\nstep = 1e-3\ncolumns = [\"power.drive.table\"]\n"));
    ADD_FAILURE() << "forces of this method are averages over steps";
  } catch (const Error& error) {
    EXPECT_THAT(error.problem(), HasSubstr("method moreau-2 has no column 'power.drive.table'"));
    EXPECT_THAT(error.remedy(), HasSubstr("'drive.table'"));
  }
}

// A ball of the speed 3 meets a wall of the speed 1 at t = 0.25 with the restitution e: the impulse (1 + e) 4 has that
// work of the wall, and (1 - e^2) 4^2/2 is lost.
TEST(DrivenSurface, GivesEnergyInAnImpact) {
  for (const double e : {1.0, 0.5})
    for (const std::string how : {"tolerance = 1e-12\n", "method = \"moreau-2\"\nstep = 1e-2\n"}) {
      const auto made = run_to_its_end(
          "[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = "
          "\"v^2/2\"\n[impacts]\nwall = { gap = \"1 - t - q\", restitution = " +
          std::to_string(e) + " }\n[initial]\nv = 3.0\n[simulation]\nt_end = 0.5\n" + how);
      EXPECT_NEAR(made["drive.wall"].back(), -(1 + e) * 4 * -1, 1e-11) << how;
      EXPECT_NEAR(made["loss.wall"].back(), (1 - e * e) * 8, 1e-11) << how;
      EXPECT_LT(defect_with_drives(made, {"loss.wall", "drive.wall"}), 1e-11) << how;
    }
}

// A point on a floor that rises at 0.5 meets a wall of slope 2 at rest. The impulse J of the wall along (1, -1/2) is
// J = (1 + e)(1 + 1/4), since the floor takes J/2 and holds the point at 0.5: it gives J/4.
TEST(DrivenSurface, GivesEnergyInAnImpactElsewhere) {
  const auto made = run_to_its_end(
      "[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n[dynamics]\nlagrangian = "
      "\"(vx^2 + vy^2)/2 - 9.81*y\"\n[impacts]\nfloor = { gap = \"y - 0.5*t\", restitution = 0 }\n"
      "wall = { gap = \"x - 0.5*y\", restitution = 0.6 }\n[initial]\nx = 1.0\nvx = -1.0\nvy = 0.5\n"
      "[simulation]\ntolerance = 1e-12\nt_end = 0.9\n");
  const double J = 1.6 * 1.25;
  EXPECT_NEAR(made["vx"].back(), J - 1, 1e-11);
  EXPECT_NEAR(made["drive.floor"].back(), J / 4 + g * 0.5 * 0.9, 1e-10);
  EXPECT_NEAR(made["loss.wall"].back(), (1 - 0.36) * 1.25 * 1.25 / 2, 1e-11);
  EXPECT_LT(defect_with_drives(made, {"loss.floor", "loss.wall", "drive.floor"}), 1e-10);
  EXPECT_EQ(made.find("drive.wall"), nullptr) << "it is at rest";
}

TEST(DrivenSurface, HasAColumnOfItsOwnName) {
  try {
    std::ignore = parse_model(shaken("", "[observables]\n\"drive.table\" = \"v\"\n"));
    ADD_FAILURE() << "two columns would have one name";
  } catch (const Error& error) {
    EXPECT_THAT(error.problem(), HasSubstr("the observable 'drive.table' has the name of a column of this event"));
  }
}

}  // namespace
}  // namespace herglotz::io
