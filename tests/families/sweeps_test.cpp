// Members of sweeps of models with an index.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "families/samples.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/ensemble.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"

namespace herglotz::families {
namespace {

using ensemble::Block;
using ensemble::Keep;

Sample swept(const std::string& more) {
  Sample sample;
  sample.count = 8;
  sample.t_end = 1;
  sample.more = "columns = [\"q[::3]\", \"energy\"]\n" + more;
  return sample;
}

FieldEnsemble members(const std::string& text, const std::vector<std::string>& ranges = {}, int threads = 0) {
  return {[text] { return io::parse_family_model(text, "chain.toml"); },
          io::parse_family_plan(text, "chain.toml", {}, ranges),
          {threads, 0}};
}

std::map<std::size_t, Block> blocks_of(const FieldEnsemble& ensemble) {
  std::map<std::size_t, Block> blocks;
  EXPECT_TRUE(ensemble.run({}, [&](Block&& block) { blocks[block.index] = std::move(block); }));
  EXPECT_EQ(blocks.size(), ensemble.layout().blocks());
  return blocks;
}

TEST(Sweeps, HaveTheRunsOfTheirMembers) {
  const std::string text = chain(swept(
      "[sweep]\nkeep = \"trajectory\"\n[sweep.parameters]\ngamma = [0, 0.2, 0.4]\n[sweep.initial]\nz = [0, 1]\n"));
  const FieldEnsemble ensemble = members(text, {}, 1);
  const ensemble::Layout& layout = ensemble.layout();
  EXPECT_EQ(layout.members, 6U);
  EXPECT_EQ(layout.method, "contact-splitting-2");
  EXPECT_EQ(layout.times.size(), 21U);
  ASSERT_EQ(layout.columns.size(), 4U);
  EXPECT_EQ(layout.columns[2].first, "q[6]");
  const auto blocks = blocks_of(ensemble);
  const auto in_threads = blocks_of(members(text, {}, 2));
  for (const auto& [index, block] : blocks) EXPECT_EQ(block.columns, in_threads.at(index).columns);
  Model model = io::parse_family_model(text, "chain.toml", {"gamma=0.4", "z=1"});
  const auto alone = in_columns(run(model));
  const auto& [index, last] = *blocks.rbegin();
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const auto& column = last.columns[c];
    EXPECT_EQ(std::vector<double>(column.end() - 21, column.end()), alone[layout.columns[c].first]);
  }
}

TEST(Sweeps, KeepLastRowsAndStatistics) {
  const std::string text = chain(swept({}));
  const auto final = blocks_of(members(text, {"k=1:2:3"}));
  std::string with_statistics = text + "[sweep]\nkeep = \"statistics\"\n[sweep.parameters]\nk = [1, 1.5, 2]\n";
  const FieldEnsemble moments = members(with_statistics);
  const auto statistics = blocks_of(moments);
  const std::size_t columns = moments.layout().columns.size();
  ASSERT_EQ(columns, 4U);  // without time
  ensemble::Moments last;
  for (const auto& [index, block] : statistics) last.add(block.statistics.at(20 * columns + 3));
  double mean = 0;
  for (const auto& [index, block] : final) mean += block.columns.at(3).at(0) / 3;
  EXPECT_EQ(last.count, 3);
  EXPECT_NEAR(last.mean, mean, 1e-15);
}

TEST(Sweeps, OfModelsThatAreWrittenOutRunToo) {
  std::string text(io::gallery_text("swing-equations"));
  text.replace(text.find("t_end = 100"), 11, "t_end = 1");
  const FieldEnsemble ensemble = members(text, {"gamma=0.1:0.3:2"});
  EXPECT_EQ(ensemble.layout().method, "contact-gauss-4");
  const auto blocks = blocks_of(ensemble);
  Model model = io::parse_family_model(text, "grid.toml", {"gamma=0.3"});
  const auto alone = in_columns(run_flat(model));
  const auto& names = ensemble.layout().columns;
  for (std::size_t c = 0; c < names.size(); ++c)
    EXPECT_EQ(blocks.rbegin()->second.columns[c].back(), alone[names[c].first].back()) << names[c].first;
}

TEST(Sweeps, TellWhichMembersFail) {
  const auto blocks = blocks_of(members(chain(swept({})), {"k=-1e40:1:2"}));
  ASSERT_EQ(blocks.begin()->second.failures.size(), 1U);
  EXPECT_EQ(blocks.begin()->second.failures[0].member, 0U);
  EXPECT_TRUE(std::isnan(blocks.begin()->second.columns[0][0]));
}

TEST(Sweeps, RefuseWhatCannotBeSwept) {
  const auto expect = [](const std::string& text, const std::vector<std::string>& ranges, const std::string& reason) {
    try {
      members(text, ranges);
      FAIL() << reason;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  const std::string text = chain(swept({}));
  expect(text, {}, "the model has no [sweep] table");
  expect(text, {"mass=1:2:3"}, "unknown name 'mass'");
  expect(text, {"t=1:2:3"}, "the initial value of t cannot be swept");
  expect(std::string(io::gallery_text("membrane")), {"n=10:20:2"}, "n is the number of sites");
  const std::string quantity = "[sweep.parameters]\nk = [1, 2]\n";
  expect(text + "[sweep]\nkeep = \"times\"\ntimes = [0.5]\n" + quantity, {}, "rows at given times are not kept");
  expect(text + "[sweep]\ndevice = \"host\"\n" + quantity, {}, "a model with an index runs on the processor");
  expect(text + "[sweep]\ncolumns = [\"u[0]\"]\n" + quantity, {}, "unknown column 'u[0]'");
  Sample large;
  large.count = 6000;
  expect(chain(large), {"k=1:2:2"}, "a member has more than 10000 columns");
}

}  // namespace
}  // namespace herglotz::families
