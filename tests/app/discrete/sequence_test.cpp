// Sequences of positions on the command line. [ASMLL20, Sec. 3].

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json of_sequence(const std::vector<std::string>& words, const Folder& folder = {}) {
  std::vector<std::string> all{"sequence"};
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), {"--format", "json"});
  const auto run = run_herglotz(all, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  return nlohmann::json::parse(run.out);
}

/// L_d of the discrete oscillator, with gamma = -0.05. [ASMLL20, Ex. 2].
double step_action(double q0, double q1, double z0, double h) {
  return (q1 - q0) * (q1 - q0) / (2 * h) - h * (q0 + q1) * (q0 + q1) / 8 - 0.05 * h * z0;
}

}  // namespace

// [ASMLL20, Eqs. 35-38], by hand.
TEST(SequenceOfPositions, HasItsActionItsVariationAndItsRows) {
  constexpr double h = 0.5;
  const std::vector<double> q{1, 1.3, 1.1, 0.7};
  const auto found = of_sequence(
      {"discrete-oscillator", "--positions", "q=1,1.3,1.1,0.7", "--variation", "q=0,0.2,-0.1,0", "--z0", "0.3"});
  const auto end = [&](double s) {
    const std::vector<double> dq{0, 0.2, -0.1, 0};
    double z = 0.3;
    for (std::size_t k = 0; k < 3; ++k) z += step_action(q[k] + s * dq[k], q[k + 1] + s * dq[k + 1], z, h);
    return z;
  };
  EXPECT_NEAR(found["z_end"].get<double>(), end(0), 1e-14);
  EXPECT_NEAR(found["first_variation"].get<double>(), (end(1e-3) - end(-1e-3)) / 2e-3, 1e-11);  // end is quadratic
  const double factor = 1 - 0.05 * h;
  const double row = -(q[2] - q[1]) / h - h * (q[1] + q[2]) / 4 + factor * ((q[1] - q[0]) / h - h * (q[0] + q[1]) / 4);
  EXPECT_NEAR(found["along"]["row.v"][1].get<double>(), row, 1e-14);
  EXPECT_TRUE(found["along"]["row.v"][0].is_null());
  EXPECT_TRUE(found["along"]["sigma_d"][3].is_null());
  EXPECT_NEAR(found["along"]["sigma_d"][0].get<double>(), factor, 1e-15);
}

// The conformal factor of the source is any function without zeros. [ASMLL20, Sec. 2, Thm 3.9].
TEST(SequenceOfPositions, ContinuesAsAMotionWithAnySignOfTheFactor) {
  constexpr double h = 25;
  constexpr double factor = 1 - 0.05 * h;
  const Folder folder;
  const std::vector<std::string> words{"discrete-oscillator", "--step", "25", "--steps", "4"};
  const auto found = of_sequence(words);
  EXPECT_LT(found["largest_row"].get<double>(), 1e-10);
  EXPECT_NEAR(found["least_sigma_d"].get<double>(), factor, 1e-14);
  const auto q = found["along"]["q"].get<std::vector<double>>();
  ASSERT_EQ(q.size(), 5U);
  EXPECT_EQ(q[1], 2);
  const double p1 = (q[1] - q[0]) / h - h * (q[0] + q[1]) / 4;
  EXPECT_NEAR(q[2], (factor * p1 + q[1] / h - h * q[1] / 4) / (1 / h + h / 4), 1e-12);
  const auto text = run_herglotz({"sequence", "discrete-oscillator", "--step", "25", "--steps", "4"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("sigma_d = -0.25 in every step"), HasSubstr("approximate no motion")));
  const auto small = run_herglotz({"sequence", "discrete-oscillator", "--steps", "4"});
  EXPECT_THAT(small.out, AllOf(HasSubstr("sigma_d = 0.975 in every step"), Not(HasSubstr("approximate no motion"))));
}

// Samples of motions are critical for the exact discrete Lagrangian [ASMLL20, Thm 4.4]; discrete motions are for
// theirs.
TEST(SequenceOfPositions, OfARunIsCritical) {
  const Folder folder;
  for (const auto& [model, exact] : {std::pair{"damped-pendulum", true}, {"discrete-oscillator", false}}) {
    std::vector<std::string> run{"simulate", model, "--t-end", "2", "--out", "run.csv", "--force"};
    if (exact) run.insert(run.end(), {"--tolerance", "1e-13", "--output-step", "0.25"});
    ASSERT_EQ(run_herglotz(run, folder.path()).status, 0);
    std::vector<std::string> words{model, "--rows-of", "run.csv", "--out", "along.csv", "--force"};
    if (exact) words.emplace_back("--exact");
    const auto found = of_sequence(words, folder);
    EXPECT_LT(found["largest_row"].get<double>(), 1e-9) << model;
    EXPECT_NEAR(table_of(folder.read("run.csv")).last("z"), found["z_end"].get<double>(), 1e-10) << model;
    EXPECT_NEAR(table_of(folder.read("along.csv")).last("z"), found["z_end"].get<double>(), 1e-15);
  }
}

TEST(SequenceOfPositions, RefusesWhatIsNoSequence) {
  const Folder folder;
  folder.write("uneven.csv", "t,q\n0,1\n1,1\n3,1\n");
  folder.write("short.csv", "t,q\n0,1\n");
  folder.write("other.csv", "t,x\n0,1\n1,1\n");
  folder.write("still.csv", "t,q\n1,1\n1,2\n");
  folder.write("nan.csv", "t,q\n0,1\n1,nan\n2,1\n");
  const auto refused = [&](const std::string& model, const std::vector<std::string>& words, const std::string& what) {
    std::vector<std::string> all{"sequence", model};
    all.insert(all.end(), words.begin(), words.end());
    const auto run = run_herglotz(all, folder.path());
    EXPECT_EQ(run.status, 2) << what;
    EXPECT_THAT(run.err, HasSubstr(what));
  };
  const std::string model = "discrete-oscillator";
  refused(model, {"--positions", "q=1"}, "a sequence of 1 positions has no steps");
  refused(model, {"--positions", "q=1,w"}, "unknown name 'w'");
  refused(model, {"--positions", "q=1,sqrt(-gamma - 1)"}, "q = 'sqrt(-gamma - 1)' has no finite value");
  refused(model, {"--positions", "x=1,2"}, "unknown base coordinate 'x' of the sequence; use q");
  refused(model, {"--positions", "q=1,2,3", "--variation", "q=1,2"}, "a variation of another shape");
  refused(model, {"--positions", "q=1,2,3", "--steps", "4"}, "3 positions begin no motion");
  refused(model, {"--steps", "0"}, "0 steps are not a motion");
  refused(model, {"--step", "0"}, "a step of 0 leads nowhere");
  refused(model, {"--step", "20", "--steps", "2"}, "sigma_d is 0 in step 1");
  refused(model, {"--steps", "2", "--exact"}, "is that in continuous time");
  refused(model, {"--positions", "q=1,2", "--rows-of", "run.csv"}, "both --positions and --rows-of are given");
  refused(model, {"--rows-of", "uneven.csv"}, "the times of the rows are not equally far apart, at row 2");
  refused(model, {"--rows-of", "short.csv"}, "1 rows are not a sequence");
  refused(model, {"--rows-of", "other.csv"}, "other.csv: the rows have no column 'q'");
  refused(model, {"--rows-of", "still.csv"}, "still.csv: the rows go from t = 1 to 1");
  refused(model, {"--rows-of", "nan.csv"}, "nan.csv");
  refused(model, {"--rows-of", "nan.csv", "--step", "1"}, "the step of rows is the time between them");
  refused(model, {"--rows-of", "other.csv", "--z0", "nan"}, "nan is not finite");
  refused(model, {"--steps", "2147483647"}, "2147483647 steps are too many; give at most 1000000");
  refused(model, {"--steps", "2", "--step", "inf"}, "inf is not finite");
  refused("damped-pendulum", {"--positions", "theta=1,2", "--step", "0.1"}, "the model has no discrete Lagrangian");
  refused("damped-pendulum", {"--step", "0.1"}, "the model has no second position");
  refused("rigid-body", {"--positions", "w1=1,2"},
          "a sequence is one of positions, and the model has no base coordinates; give arrows of its group: --arrows");
  refused("rigid-body", {"--arrows", "w1=0.1", "--step", "0.1"},
          "the sequence of arrows lacks the fibre coordinate 'w2'");
  refused("rigid-body", {"--sections", "w1=0.1"}, "they are the variation of a sequence of arrows; give --arrows");
  refused("rigid-body", {"--arrows", "w1=0.1", "--steps", "3"},
          "a sequence of arrows has no positions of its own; leave it out; --sections are the variation of arrows");
  refused("rigid-body", {"--arrows", "w1=0.1", "--arrows", "w2=0", "--arrows", "w3=0", "--step", "0.1"},
          "this system has no discrete Lagrangian of arrows");
  refused("heavy-top",
          {"--positions", "g1=0,1", "--positions", "g2=0,0", "--positions", "g3=1,0", "--step", "0.1", "--exact"},
          "velocities");
}

// A rigid body that turns about an axis of inertia: w = w0 e^(-gamma t), z = e^(-gamma t) (z0 + I w0^2 (1 - e^(-gamma
// t))
// /(2 gamma)), and the end of the action moves by p1 . zeta. [ASMLL20, Eqs. 35-39, Thm 4.4] with arrows of SO(3).
TEST(SequenceOfArrows, OfAMotionHasRowsThatVanishAndTheActionOfTheMotion) {
  constexpr double gamma = 0.2;  // I1 = 1 of the gallery's body
  constexpr double h = 0.3;
  constexpr double w0 = 0.8;
  std::string angles = "w1=";
  for (int k = 0; k < 3; ++k)
    angles += std::to_string(w0) + "*exp(-" + std::to_string(gamma * h * k) + ")*(1 - exp(-" +
              std::to_string(gamma * h) + "))/" + std::to_string(gamma) + (k < 2 ? "," : "");
  const auto found = of_sequence({"rigid-body", "--arrows", angles, "--arrows", "w2=0,0,0", "--arrows", "w3=0,0,0",
                                  "--sections", "w1=0,0.4,-0.2,0.5", "--sections", "w2=0,0.1,0.3,0.2", "--sections",
                                  "w3=0,0,0.7,0", "--step", "0.3", "--z0", "0.1", "--exact"});
  const double decay = std::exp(-gamma * 3 * h);
  EXPECT_NEAR(found["z_end"].get<double>(), decay * (0.1 + w0 * w0 * (1 - decay) / (2 * gamma)), 1e-10);
  EXPECT_LT(found["largest_row"].get<double>(), 1e-10);
  EXPECT_NEAR(found["first_variation"].get<double>(), w0 * decay * 0.5, 1e-9);
  EXPECT_NEAR(found["along"]["plus.p_w1"][3].get<double>(), w0 * decay, 1e-10);
  EXPECT_NEAR(found["along"]["sigma_d"][0].get<double>(), std::exp(-gamma * h), 1e-12);
  EXPECT_NEAR(found["along"]["arrow.w1"][1].get<double>(),
              w0 * std::exp(-gamma * h) * (1 - std::exp(-gamma * h)) / gamma, 1e-12);
}

// e^(eta) carries the direction of gravity along: about the first axis it turns the other two components.
TEST(SequenceOfArrows, MovesTheBasePoint) {
  const auto found = of_sequence({"heavy-top", "--arrows", "w1=0.1", "--arrows", "w2=0", "--arrows", "w3=0", "--step",
                                  "0.1", "--exact", "--set", "g1=0", "--set", "g2=0.6", "--set", "g3=0.8"});
  EXPECT_NEAR(found["along"]["g2"][1].get<double>(), 0.6 * std::cos(0.1) + 0.8 * std::sin(0.1), 1e-10);
  EXPECT_NEAR(found["along"]["g3"][1].get<double>(), 0.8 * std::cos(0.1) - 0.6 * std::sin(0.1), 1e-10);
}

// [ASMLL20, Eqs. 35-38] with a rule in place of the motion, by hand.
TEST(SequenceOfArrows, TakesTheDiscreteLagrangianOfTheModel) {
  const Folder folder;
  folder.write(
      "spin.toml",
      "[model]\nname = \"spin\"\n[algebroid]\nkind = \"lie-algebra\"\ngroup = \"abelian\"\nfibre = [\"a\", \"b\"]\n"
      "[dynamics]\nlagrangian = \"(a^2 + 2*b^2)/2 - z/5\"\n[discrete]\nrule = \"left\"\n"
      "[simulation]\nstep = 0.5\nt_end = 1\n");
  const auto found = of_sequence({"spin.toml", "--arrows", "a=0.3,0.1", "--arrows", "b=0.2,0.4", "--sections",
                                  "a=0,1,0", "--sections", "b=0,0,0", "--z0", "0.7"},
                                 folder);
  // z1 = z0 + (a^2 + 2 b^2)/(2 h) - h (z0 + z1)/10, and the second a moves against the first.
  const auto step = [](double a, double b, double z) { return (z * 0.95 + (a * a + 2 * b * b) / (2 * 0.5)) / 1.05; };
  const auto end = [&](double s) { return step(0.1 - s, 0.4, step(0.3 + s, 0.2, 0.7)); };
  EXPECT_NEAR(found["z_end"].get<double>(), end(0), 1e-13);
  EXPECT_NEAR(found["first_variation"].get<double>(), (end(1e-3) - end(-1e-3)) / 2e-3, 1e-11);  // end is quadratic
}

// Numbers that are not finite are no largest row: positions of 1e200 have no square.
TEST(SequenceOfPositions, FailsWhereTheActionHasNoFiniteValue) {
  const auto run = run_herglotz({"sequence", "discrete-oscillator", "--positions", "q=1,1e200,1"});
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_THAT(run.err, HasSubstr("no action z1 solves z1 = z0 + L_d at these positions"));
}

// The square root has no slope at 0, where the momentum p1 of the first step is.
TEST(SequenceOfPositions, FailsWhereAMomentumIsNotFinite) {
  const Folder folder;
  folder.write("root.toml",
               "[model]\nname = \"root\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n"
               "[dynamics]\nlagrangian = \"v^2/2 + sqrt(q)\"\n"
               "[discrete]\nlagrangian = \"(q1 - q0)^2/(2*h) + h*sqrt(q1)\"\n");
  const auto run = run_herglotz({"sequence", "root.toml", "--positions", "q=1,0,1", "--step", "0.1"}, folder.path());
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_THAT(run.err, HasSubstr("the action, sigma_d or a momentum of step 1 is not finite"));
  EXPECT_EQ(run_herglotz({"sequence", "root.toml", "--positions", "q=1,0.5,1", "--step", "0.1"}, folder.path()).status,
            0);
}
