#include "herglotz/families/pictures.hpp"

#include <gmock/gmock.h>

#include "families/samples.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"

namespace herglotz::families {
namespace {

/// A run whose values tell the row and the site.
FieldRun numbered_run(std::size_t rows, std::vector<Index> indices, std::vector<std::size_t> sites) {
  FieldRun run;
  run.trajectory.columns = {{"t", analyse::Role::time, {}}};
  Field field{"q", analyse::Role::base, std::move(sites), {}};
  for (std::size_t row = 0; row < rows; ++row) {
    run.trajectory.columns[0].values.push_back(static_cast<double>(row) / 10);
    for (const std::size_t site : field.sites) field.values.push_back(static_cast<double>(1000 * row + site));
  }
  run.fields = {std::move(field)};
  run.indices = std::move(indices);
  return run;
}

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> sites;
  for (std::size_t site = 0; site < count; ++site) sites.push_back(site);
  return sites;
}

TEST(Pictures, HoldALittleOfALongRunWithBothEnds) {
  const auto found = pictures(numbered_run(1001, {{"i", 900, Ends::periodic}}, first(900)));
  ASSERT_EQ(found.size(), 1U);
  const auto& picture = found.front();
  ASSERT_EQ(picture.axes.size(), 1U);
  EXPECT_EQ(picture.axes[0].places.size(), 300U);
  EXPECT_EQ(picture.axes[0].places.back(), 899U);
  ASSERT_EQ(picture.times.size(), 200U);
  EXPECT_EQ(picture.times.back(), 100);
  ASSERT_EQ(picture.values.size(), 60'000U);
  EXPECT_EQ(picture.values[300 * 7 + 11],
            1000 * 10 * picture.times[7] + static_cast<double>(picture.axes[0].places[11]));
}

TEST(Pictures, OfGridsHaveRowsAndColumns) {
  // The sites q[1:3,::2] of a grid with five columns.
  const auto found = pictures(numbered_run(2, {{"i", 4, Ends::free}, {"j", 5, Ends::free}}, {5, 7, 9, 10, 12, 14}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].axes[0].places, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(found[0].axes[1].places, (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(found[0].values, (std::vector<double>{5, 7, 9, 10, 12, 14, 1005, 1007, 1009, 1010, 1012, 1014}));
}

TEST(Pictures, AreLeftOutWithoutRowsAndColumnsAndForFewSites) {
  EXPECT_TRUE(pictures(numbered_run(2, {{"i", 9, Ends::free}}, {1, 5, 7})).empty());
  EXPECT_TRUE(pictures(numbered_run(2, {{"i", 4, Ends::free}, {"j", 5, Ends::free}}, {0, 6, 7, 9, 19})).empty());
}

std::vector<std::string> names_of(const analyse::Trajectory& trajectory) {
  std::vector<std::string> names;
  for (const auto& column : trajectory.columns) names.push_back(column.name);
  return names;
}

TEST(Curves, AreThoseOfChosenSitesOrOfAFew) {
  const Model model = io::parse_family_model(chain({.count = 9}), "chain.toml");
  const FieldRun run = numbered_run(3, {{"i", 9, Ends::periodic}}, {1, 3, 5, 7});
  EXPECT_THAT(names_of(with_curves(run)), testing::ElementsAre("t", "q[1]", "q[3]", "q[7]"));
  const auto chosen = with_curves(model, run, {"q[3:8:2]", "t"});
  EXPECT_THAT(names_of(chosen), testing::ElementsAre("t", "q[3]", "q[5]", "q[7]"));
  EXPECT_EQ(chosen["q[5]"], (std::vector<double>{5, 1005, 2005}));
  EXPECT_THAT(names_of(with_curves(model, run, {"t"})), testing::ElementsAre("t"));
}

TEST(Curves, SayWhichSitesThereAreNot) {
  const Model model = io::parse_family_model(chain({.count = 90}), "chain.toml");
  const FieldRun run = numbered_run(3, {{"i", 90, Ends::periodic}}, {1, 3, 5, 7});
  const auto refused = [&](const std::string& name) -> std::string {
    try {
      with_curves(model, run, {name});
    } catch (const Refused& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused("q[2]"), testing::HasSubstr("did not keep q[2]"));
  EXPECT_THAT(refused("v[1]"), testing::HasSubstr("did not keep v[1]"));
  EXPECT_THAT(refused("q[90]"), testing::HasSubstr("has no site"));
  EXPECT_THAT(refused("w[1]"), testing::HasSubstr("which is not a column"));
  EXPECT_THAT(refused("q"), testing::HasSubstr("these are 90 curves; choose at most 40, as in q[::3]"));
}

}  // namespace
}  // namespace herglotz::families
