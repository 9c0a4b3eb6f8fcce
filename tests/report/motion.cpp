#include "motion/motion.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "motion/carried.hpp"
#include "motion/default_view.hpp"

namespace herglotz::report {
namespace {

using analyse::Role;
using analyse::Trajectory;
using testing::HasSubstr;

std::vector<double> times(std::size_t count, double step) {
  std::vector<double> list(count);
  for (std::size_t k = 0; k < count; ++k) list[k] = step * static_cast<double>(k);
  return list;
}

std::vector<std::size_t> all_rows(const Trajectory& trajectory) {
  std::vector<std::size_t> rows(trajectory.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

TEST(Carried, FollowsRatesThatDoNotCommute) {
  // R = Rz(a t) Rx(b t) has the rates (b, a sin(b t), a cos(b t)) along the axes of the body.
  const double a = 0.7;
  const double b = 1.3;
  const auto t = times(401, 0.05);
  std::vector<Vector> body;
  std::vector<Vector> space;
  for (const double s : t) {
    body.push_back({b, a * std::sin(b * s), a * std::cos(b * s)});
    space.push_back({b * std::cos(a * s), b * std::sin(a * s), a});
  }
  const std::vector<Vector> rest(t.size(), Vector{});
  const Quaternion exact{std::cos(a * 10) * std::cos(b * 10), std::cos(a * 10) * std::sin(b * 10),
                         std::sin(a * 10) * std::sin(b * 10), std::sin(a * 10) * std::cos(b * 10)};
  for (const auto& poses : {carried(t, body, rest, {}), carried_in_space(t, space, rest, {})}) {
    const Quaternion& q = poses.back().attitude;
    const double sign = q[0] * exact[0] > 0 ? 1 : -1;
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(sign * q[c], exact[c], 2e-6);
  }
}

TEST(Carried, DrivesACircle) {
  const auto t = times(101, 0.05);
  const auto poses =
      carried(t, std::vector<Vector>(101, {0, 0, 1}), std::vector<Vector>(101, {2, 0, 0}), {{1, 0, 0, 0}, {0, 0, 5}});
  EXPECT_NEAR(poses.back().place[0], 2 * std::sin(5.0), 1e-8);
  EXPECT_NEAR(poses.back().place[1], 2 - 2 * std::cos(5.0), 1e-8);
  EXPECT_EQ(poses.back().place[2], 5);
}

TEST(Carried, TakesEveryMatrixForItsAttitude) {
  for (const Quaternion& q : {Quaternion{0.5, 0.5, 0.5, 0.5}, Quaternion{0, 1, 0, 0}, Quaternion{0, 0.6, 0.8, 0},
                              Quaternion{0.1, 0.1, 0.1, std::sqrt(0.97)}}) {
    const auto [w, x, y, z] = q;
    const Quaternion back = attitude_of({1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                                         2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                                         2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)});
    const double sign = back[0] * w + back[1] * x + back[2] * y + back[3] * z > 0 ? 1 : -1;
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(sign * back[c], q[c], 1e-14);
  }
}

Trajectory spinning() {
  Trajectory run;
  const auto t = times(11, 0.1);
  run.columns = {{"t", Role::time, t}, {"w", Role::fibre, std::vector<double>(11, 1.0)}};
  run.facts.parameters = {{"size", 3.0}};
  run.facts.model_text = R"toml([algebroid]
kind = "custom"
base = []
fibre = ["w"]
anchor = [[]]
[parameters]
size = 1
[dynamics]
lagrangian = "w^2/2"
[view.bodies]
hull = { shape = "box", spin = ["0", "0", "w"], size = ["size", "2*size", "sin(t)"] }
)toml";
  return run;
}

TEST(Motion, GivesOperationsWithTheParametersOfTheRun) {
  const Trajectory run = spinning();
  const auto motion = motion_of(run, all_rows(run), stated_view(run.facts.model_text));
  ASSERT_FALSE(motion.contains("note")) << motion["note"];
  const auto& hull = motion["bodies"][0];
  const auto& operations = motion["operations"];
  EXPECT_EQ(hull["shape"], "box");
  EXPECT_EQ(operations[hull["size"][0].get<std::size_t>()], (nlohmann::json::array({"number", 3.0})));
  EXPECT_EQ(operations[hull["size"][2].get<std::size_t>()][0], "sin");
  ASSERT_EQ(motion["columns"].size(), 4U);
  EXPECT_NEAR(motion["columns"][3]["values"][10].get<double>(), std::sin(0.5), 1e-9);
  EXPECT_FALSE(hull.contains("spin"));
}

TEST(Motion, SaysWhyItCannotBeDrawn) {
  Trajectory run = spinning();
  run.facts.parameters.clear();
  const auto motion = motion_of(run, all_rows(run), stated_view(run.facts.model_text));
  EXPECT_EQ(motion["note"], "The motion cannot be drawn: the run did not keep size.");
  EXPECT_TRUE(motion["bodies"].empty());
  run = spinning();
  run.facts.model_text += "colour = 1\n";
  EXPECT_THAT(motion_of(run, all_rows(run), stated_view(run.facts.model_text))["note"].get<std::string>(),
              HasSubstr("[view]"));
}

std::vector<std::string> shapes_of(const std::vector<std::string>& base, const std::vector<std::string>& fibre) {
  Trajectory run;
  run.columns = {{"t", Role::time, {0, 1}}};
  for (const auto& name : base) run.columns.push_back({name, Role::base, {0, 1}});
  for (const auto& name : fibre) run.columns.push_back({name, Role::fibre, {0, 1}});
  std::vector<std::string> shapes;
  if (const auto view = default_view(run))
    for (const auto& body : view->bodies) shapes.push_back(body.shape);
  return shapes;
}

TEST(DefaultView, IsToldByNames) {
  using testing::ElementsAre;
  EXPECT_THAT(shapes_of({"x", "y"}, {"vx", "vy"}), ElementsAre("sphere", "path", "ground"));
  EXPECT_THAT(shapes_of({"x", "y", "phi"}, {"u", "w"}), ElementsAre("box", "path", "ground"));
  EXPECT_THAT(shapes_of({"x", "y", "h"}, {}), ElementsAre("sphere", "path"));
  EXPECT_THAT(shapes_of({"q0", "q1", "q2", "q3"}, {"w1", "w2", "w3"}), ElementsAre("box"));
  EXPECT_THAT(shapes_of({}, {"w1", "w2", "w3"}), ElementsAre("box"));
  EXPECT_THAT(shapes_of({}, {"w", "v1", "v2"}), ElementsAre("box", "path", "ground"));
  EXPECT_THAT(shapes_of({}, {"w1", "w2", "w3", "v1", "v2", "v3"}), ElementsAre("box", "path"));
  EXPECT_THAT(shapes_of({"q1", "q2", "q3"}, {}), ElementsAre("sphere", "sphere", "sphere"));
  EXPECT_THAT(shapes_of({}, {}), ElementsAre());
}

}  // namespace
}  // namespace herglotz::report
