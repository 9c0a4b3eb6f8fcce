// Blocks on pads that turn as they slide: pads come to rest one after another, or nearly together.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

struct SlidingPad {
  double x;
  double y;
  double normal;
  double held;
  double slid;
};

struct PaddedBlock {
  double inertia;
  double load_x;
  double load_y;
  double torque;
  std::vector<SlidingPad> pads;
  std::vector<double> start;  // vx, vy, w
};

std::string text_of_pads(const PaddedBlock& block) {
  std::string frictions;
  for (std::size_t k = 0; k < block.pads.size(); ++k) {
    const SlidingPad& pad = block.pads[k];
    frictions += fmt::format(
        "pad{} = {{ on = [\"vx - w*({}*sin(th) + ({})*cos(th))\", \"vy + w*({}*cos(th) - ({})*sin(th))\"], "
        "normal = {}, static = {}, kinetic = {} }}\n",
        k, pad.x, pad.y, pad.x, pad.y, pad.normal, pad.held, pad.slid);
  }
  return fmt::format(R"([algebroid]
kind = "tangent"
base = ["x", "y", "th"]
fibre = ["vx", "vy", "w"]
[dynamics]
lagrangian = "(vx^2 + vy^2 + ({})*w^2)/2 + ({})*x + ({})*y"
forces = {{ w = "{}" }}
[friction]
{}[initial]
vx = {}
vy = {}
w = {}
[simulation]
tolerance = 1e-10
t_end = 3
)",
                     block.inertia, block.load_x, block.load_y, block.torque, frictions, block.start[0], block.start[1],
                     block.start[2]);
}

/// The ends are those of time stepping with all forces of friction implicit, in the limit of its step.
void expect_end_on_pads(const PaddedBlock& block, double x, double y, double th) {
  const auto made = complete_run(text_of_pads(block));
  EXPECT_NEAR(made["x"].back(), x, 2e-5);
  EXPECT_NEAR(made["y"].back(), y, 2e-5);
  EXPECT_NEAR(made["th"].back(), th, 2e-5);
}

// Steps over the rest of a pad cannot be made shorter, as the motion behind it has no sense: the end of its piece lies
// where its slip would vanish as it begins.
TEST(Pads, OneComesToRestAndTheBlockTurnsAboutIt) {
  expect_end_on_pads(
      {.inertia = 0.410995,
       .load_x = 0,
       .load_y = 0,
       .torque = 0.254553,
       .pads = {{0.171887, 0.647674, 0.856661, 0.382437, 0.382437}, {-0.40548, 0.369799, 1.36963, 0.596596, 0.596596}},
       .start = {0.84448915559778, -0.6753808557339072, 0.1801422268863142}},
      0.46777, 0.22321, 1.48022);
}

// Two pads that stop hold the third one, whose slip was the last to vanish.
TEST(Pads, StopTogetherWithTheLastOne) {
  const PaddedBlock block{.inertia = 0.918406,
                          .load_x = 0.354107,
                          .load_y = 0.405525,
                          .torque = 0.260251,
                          .pads = {{-0.134685, 0.997048, 1.17624, 0.489475, 0.38051},
                                   {-0.539989, 0.313383, 0.720801, 0.165593, 0.128729},
                                   {0.811764, -0.201635, 1.40973, 0.296971, 0.23086}},
                          .start = {-0.9468980756130656, 0.9715171977734747, -0.5855745241186536}};
  const auto made = complete_run(text_of_pads(block));
  for (const std::string name : {"vx", "vy", "w", "mode.pad0", "mode.pad1", "mode.pad2"})
    EXPECT_EQ(made[name].back(), 0) << name;
}

// Pads whose slips vanish within some 1e-12 of the run let each other neither stick nor slip until they are settled
// together.
TEST(Pads, StopTogetherWhereEachWaitsForTheOther) {
  expect_end_on_pads(
      {.inertia = 0.482185,
       .load_x = -0.72874,
       .load_y = -0.585109,
       .torque = 0,
       .pads = {{0.591663, 0.512777, 1.45175, 0.418184, 0.418184}, {-0.0617128, 0.339153, 1.41025, 0.541416, 0.541416}},
       .start = {-0.090646128375651, 0.5342083935970605, -0.0837593507504324}},
      -0.144406, 0.088061, -0.246698);
  expect_end_on_pads({.inertia = 0.640168,
                      .load_x = -0.00255969,
                      .load_y = -0.35935,
                      .torque = -0.0137019,
                      .pads = {{-0.654475, -0.234988, 1.05675, 0.269671, 0.269671},
                               {-0.459409, 0.472668, 0.711592, 0.570637, 0.570637},
                               {0.761984, -0.286458, 0.360455, 0.433048, 0.433048}},
                      .start = {0.14849171955842433, -0.56852837472541, 0.6001953999227627}},
                     0.069325, -0.383024, 0.298161);
}

// The pad that holds has less than its largest force, so that it rests whatever small rate rounding gives it.
TEST(Pads, ATorqueTurnsABlockAboutThePadThatHolds) {
  const PaddedBlock block{
      .inertia = 0.189053,
      .load_x = 0,
      .load_y = 0,
      .torque = -0.252547,
      .pads = {{0.635495, 0.175383, 0.649764, 0.387228, 0.387228}, {0.726037, 0.367776, 1.48546, 0.284343, 0.284343}},
      .start = {0, 0, 0}};
  // The block turns about the second pad, at whose distance from the centre it has that much more inertia, and the
  // first pad brakes. The faster it turns, the more the second pad has to hold, which lets go at last.
  const double about = 0.189053 + std::pow(0.726037, 2) + std::pow(0.367776, 2);
  const double arm = std::hypot(0.726037 - 0.635495, 0.367776 - 0.175383);
  const double rate = (0.252547 - 0.649764 * 0.387228 * arm) / about;
  const auto made = complete_run(text_of_pads(block));
  std::size_t k = 0;
  for (; made["mode.pad1"][k] == 0; ++k)
    EXPECT_NEAR(made["th"][k], -rate * made["t"][k] * made["t"][k] / 2, 1e-9) << made["t"][k];
  EXPECT_GT(made["t"][k], 2);
  expect_end_on_pads(block, 0.046108, 0.815949, -1.052946);
}

}  // namespace
}  // namespace herglotz::io
