#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/error_of.hpp"
#include "io/urdf/unicycle.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string error_of_rolling(const UrdfRolling& rolling) {
  return error_of([&] { imported({rolling}); });
}

TEST(RollingRobots, KeepTheirShapeWithARadiusOfTheirOwn) {
  EXPECT_EQ(imported({{"wheel", 0.25}}), imported({{"wheel"}}));
  EXPECT_EQ(imported({{"weight", 0.12}}), imported({{"weight"}}));
}

TEST(RollingRobots, SayWhatCannotRoll) {
  EXPECT_EQ(error_of_rolling({"wheel"}), "no error");
  EXPECT_THAT(error_of_rolling({"whel"}),
              HasSubstr("rolling.urdf: there is no link 'whel' that could roll; did you mean wheel?"));
  EXPECT_THAT(error_of_rolling({"wheel", 0.0}),
              HasSubstr("link 'wheel' cannot roll with the radius 0; give a length above 0"));
  EXPECT_THAT(error_of_rolling({"wheel", -1.0}), HasSubstr("cannot roll with the radius -1"));
  EXPECT_THAT(error_of_rolling({"frame"}),
              HasSubstr("rolling.urdf:4:4: link 'frame' has no sphere that could roll; give the radius: "
                        "--rolling frame=0.1"));
  EXPECT_THAT(error_of([] { imported({{"wheel"}, {"wheel", 0.2}}); }), HasSubstr("declared as rolling twice"));
  const auto with = [](const std::string& from, const std::string& to, const std::string& link) {
    std::string text = unicycle();
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { model_of_urdf(text, "r.urdf", {false, {{link}}}); });
  };
  EXPECT_THAT(with("rpy=\"1.5707963267948966 0 0\"", "rpy=\"1.5 0 0\"", "wheel"),
              HasSubstr("link 'wheel' has no cylinder or sphere that turns about its joint"));
  EXPECT_THAT(with("xyz=\"0 0.03 0\"", "xyz=\"0.01 0.03 0\"", "wheel"), HasSubstr("turns about its joint"));
  EXPECT_THAT(with("type=\"continuous\"", "type=\"prismatic\"", "wheel"), HasSubstr("slides along its joint"));
  EXPECT_THAT(with("type=\"continuous\"", "type=\"fixed\"", "wheel"), HasSubstr("is fixed to 'frame'; name that link"));
}

}  // namespace
}  // namespace herglotz::io
