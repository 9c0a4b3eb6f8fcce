#include "herglotz/io/gallery.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

TEST(Gallery, EveryModelParsesUnderItsOwnName) {
  const std::set<std::string> without_symmetry{"cart-pole-balanced", "stokes-top"};
  const std::map<std::string, std::string> methods{{"bouncing-coin", "moreau-2"},
                                                   {"rocking-block", "moreau-2"},
                                                   {"woodpecker", "moreau-2"},
                                                   {"euler-disk", "taylor"}};
  ASSERT_GE(gallery().size(), 24U);
  for (const GalleryModel& model : gallery()) {
    const auto problem = parse_model(gallery_text(model.name), model.name + ".toml");
    EXPECT_EQ(problem.system.name, model.name);
    EXPECT_EQ(problem.system.title, model.title);
    EXPECT_EQ(problem.system.reference, model.reference);
    EXPECT_FALSE(model.title.empty()) << model.name;
    EXPECT_FALSE(model.reference.empty()) << model.name;
    EXPECT_EQ(problem.system.symmetries.empty(), without_symmetry.contains(model.name)) << model.name;
    EXPECT_FALSE(problem.system.observables.empty()) << model.name;
    EXPECT_EQ(problem.text, gallery_text(model.name));
    const auto method = methods.find(model.name);
    EXPECT_EQ(problem.settings.method, method == methods.end() ? "auto" : method->second) << model.name;
    EXPECT_NE(problem.settings.step.has_value(), problem.settings.tolerance.has_value()) << model.name;
  }
}

TEST(Gallery, UnknownNameIsOutOfRange) {
  EXPECT_THROW(gallery_text("heavy-tap"), std::out_of_range);
}

TEST(Gallery, PendulumOfNLinksHasNDegreesOfFreedom) {
  for (const std::size_t links : {1U, 2U, 5U, 40U}) {
    const auto problem = parse_model(n_link_pendulum(links), "pendulum.toml");
    EXPECT_EQ(problem.system.n(), links);
    EXPECT_EQ(problem.system.r(), links);
  }
  EXPECT_THROW(n_link_pendulum(0), std::invalid_argument);
  EXPECT_THROW(n_link_pendulum(129), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::io
