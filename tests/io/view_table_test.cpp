#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/view.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string model_with_view(const std::string& view) {
  return R"toml([algebroid]
kind = "tangent"
base = ["theta"]
fibre = ["omega"]
[parameters]
l = 2.0
[definitions]
height = "-l*cos(theta)"
[dynamics]
lagrangian = "omega^2/2 - height"
[simulation]
step = 0.1
[view]
)toml" + view;
}

TEST(ViewTable, ReadsBodiesAndCamera) {
  const auto view = parse_view(model_with_view(R"toml(camera = { from = [4, "2*pi", 2], at = [0, 0, 1] }
[view.bodies]
bob = { shape = "sphere", at = ["l*sin(theta)", "0", "height"], radius = 0.1, color = "#00aaff" }
hull = { shape = "box", size = [1, 0.5, 0.2], spin = [0, 0, "omega"], axes = "space", attitude = [1, 0, 0, 0] }
flag = { shape = "frame", on = "hull", attitude = [[1, 0, 0], [0, 0, -1], [0, 1, 0]] }
trail = { shape = "path", of = "bob" }
)toml"));
  ASSERT_TRUE(view);
  ASSERT_TRUE(view->camera);
  EXPECT_DOUBLE_EQ(view->camera->from[1], 6.283185307179586);
  EXPECT_EQ(view->camera->up[2], 1);
  ASSERT_EQ(view->bodies.size(), 4U);
  const ViewBody& bob = view->bodies[0];
  EXPECT_EQ(bob.name, "bob");
  EXPECT_EQ(bob.color, "#00aaff");
  const std::vector<symbolic::Expr> symbols{view->graph->symbol("l"), view->graph->symbol("theta")};
  const std::vector<double> values{2, 0};
  EXPECT_DOUBLE_EQ(symbolic::evaluate(bob.properties.at("at")[2], symbols, values), -2);
  EXPECT_TRUE(view->bodies[1].space_axes);
  EXPECT_EQ(view->bodies[2].on, "hull");
  EXPECT_EQ(view->bodies[2].properties.at("attitude").size(), 9U);
  EXPECT_EQ(view->bodies[3].of, "bob");
}

TEST(ViewTable, SaysWhatIsWrong) {
  const auto error = [](const std::string& view) {
    return error_of([&] { parse_model(model_with_view(view), "m.toml"); });
  };
  const std::string bob = R"toml(bob = { shape = "sphere", at = ["theta", "0", "0"] })toml";
  EXPECT_THAT(error(""), HasSubstr("m.toml:13:1: [view] has no bodies; name them"));
  EXPECT_THAT(error("body = {}"), HasSubstr("m.toml:14:1: unknown key 'body'"));
  EXPECT_THAT(error("bodies.b = { at = [0, 0, 0] }"), HasSubstr("choose sphere, box, rod"));
  EXPECT_THAT(error("bodies.b = { shape = \"cube\" }"), HasSubstr("m.toml:14:22: unknown shape 'cube'"));
  EXPECT_THAT(error("bodies.b = { shape = \"rod\", from = [0, 0, 0] }"), HasSubstr("the rod 'b' has no 'to'"));
  EXPECT_THAT(error("bodies.b = { shape = \"sphere\" }"), HasSubstr("the sphere 'b' has no 'at'"));
  EXPECT_THAT(error("bodies.b = { shape = \"sphere\", at = [\"theta\", 0] }"),
              HasSubstr("m.toml:14:37: 'at' has 2 components; give 3"));
  EXPECT_THAT(error("bodies.b = { shape = \"sphere\", at = [\"thta\", 0, 0] }"), StartsWith("m.toml:14:39: "));
  EXPECT_THAT(error("bodies.b = { shape = \"sphere\", at = [0, 0, 0], width = 1 }"),
              HasSubstr("unknown key of a sphere 'width'"));
  EXPECT_THAT(error("bodies.b = { shape = \"frame\", attitude = [1, 0] }"), HasSubstr("give a quaternion"));
  EXPECT_THAT(error("bodies.b = { shape = \"frame\", attitude = [[1, 0], [0, 1], [0, 0]] }"),
              HasSubstr("a row of 'attitude' has 2 components"));
  EXPECT_THAT(error("bodies.b = { shape = \"frame\", color = \"blu\" }"), HasSubstr("unknown color 'blu'"));
  EXPECT_THAT(error("bodies.b = { shape = \"frame\", axes = \"world\" }"), HasSubstr("unknown axes 'world'"));
  EXPECT_THAT(error("bodies.b = { shape = \"path\" }"), HasSubstr("needs either 'at' or 'of'"));
  EXPECT_THAT(error("bodies.b = { shape = \"path\", of = \"bo\" }\nbodies." + bob),
              HasSubstr("unknown body above this one 'bo'"));
  EXPECT_THAT(error("bodies.b = { shape = \"frame\", on = \"b\" }"), HasSubstr("unknown body above this one 'b'"));
  EXPECT_THAT(error("camera = { at = [0, 0, 0] }\nbodies." + bob), HasSubstr("'camera' has no 'from'"));
  EXPECT_THAT(error("camera = { from = [0, 0, 3] }\nbodies." + bob), HasSubstr("looks along 'up'"));
}

TEST(ViewTable, OfTheGalleryIsThere) {
  // A polytrope and a general algebroid have no bodies.
  for (const auto& entry : gallery()) {
    const bool abstract = entry.name == "lane-emden" || entry.name == "general-algebroid";
    EXPECT_EQ(parse_view(gallery_text(entry.name)).has_value(), !abstract) << entry.name;
  }
}

}  // namespace
}  // namespace herglotz::io
