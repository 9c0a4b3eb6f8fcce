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

/// Expects that members of one thread, which share what was compiled, have the bits of runs alone.
void expect_bits_of_runs_alone(const std::string& text) {
  const std::string with_sweep =
      text + "[sweep]\nkeep = \"final\"\n[sweep.parameters]\nk = [1.1, 0.4, 1.7]\ngamma = [0.1, 0.3]\n";
  const FieldEnsemble ensemble = members(with_sweep, {}, 1);
  const ensemble::Layout& layout = ensemble.layout();
  std::vector<std::vector<double>> found(layout.columns.size());
  for (const auto& [index, block] : blocks_of(ensemble)) {
    EXPECT_TRUE(block.failures.empty());
    for (std::size_t c = 0; c < found.size(); ++c)
      found[c].insert(found[c].end(), block.columns[c].begin(), block.columns[c].end());
  }
  std::size_t member = 0;
  for (const char* k : {"1.1", "0.4", "1.7"})
    for (const char* gamma : {"0.1", "0.3"}) {
      Model model = io::parse_family_model(text, "chain.toml", {std::string("k=") + k, std::string("gamma=") + gamma});
      const auto alone = in_columns(run(model));
      for (std::size_t c = 0; c < found.size(); ++c)
        EXPECT_EQ(found[c].at(member), alone[layout.columns[c].first].back())
            << layout.columns[c].first << ' ' << member;
      ++member;
    }
}

TEST(Sweeps, HaveTheBitsOfRunsAloneByEveryMethod) {
  for (const std::string method :
       {"contact-splitting-4", "contact-lobatto-2", "runge-kutta-4", "runge-kutta-8", "reference", "radau-5"}) {
    Sample sample;
    sample.count = 40;
    sample.t_end = 1;
    sample.method = method;
    std::string text = method == "reference" || method == "radau-5" ? adaptive_chain(sample) : chain(sample);
    const auto put = [&](std::string_view from, std::string_view to) {
      text.replace(text.find(from), from.size(), to);
    };
    put("\"1 + 0.3*cos", "\"k + 0.3*cos");
    put("\"q[3]\" = 0.7", "\"q[3]\" = \"0.7*gamma\"");
    expect_bits_of_runs_alone(text);
    put("{ count = 40, ends = \"periodic\" }",
        "{ count = 40, ends = \"free\" }\ne = { from = [0, 7, 3], to = [9, 21, 2] }");
    put(" - gamma*z",
        " + sum(e, k*cos(q[e.to] - m[e.from]*q[e.from])) + sum(i, j < i, cos(q[i] - m[j]*q[j]))/count - gamma*z");
    expect_bits_of_runs_alone(text);
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
  // A thread derives and compiles the members once, and again where powers, which are numbers of the equations, change.
  const std::string powers = "[1.0, 0.5, 0.2, -0.7, -1.0]";
  for (const std::string& given : {powers, std::string("\"gamma*(2 - i)\"")}) {
    std::string text(io::gallery_text("swing-equations"));
    text.replace(text.find("t_end = 100"), 11, "t_end = 1");
    text.replace(text.find("contact-gauss-4"), 15, "contact-gauss-8");
    text.replace(text.find(powers), powers.size(), given);
    const FieldEnsemble ensemble = members(text, {"gamma=0.1:0.3:3"}, 1);
    EXPECT_EQ(ensemble.layout().method, "contact-gauss-8");
    const auto& names = ensemble.layout().columns;
    std::vector<std::vector<double>> found(names.size());
    for (const auto& [index, block] : blocks_of(ensemble))
      for (std::size_t c = 0; c < names.size(); ++c)
        found[c].insert(found[c].end(), block.columns[c].begin(), block.columns[c].end());
    for (std::size_t member = 0; member < 3; ++member) {
      Model model =
          io::parse_family_model(text, "grid.toml", {std::vector{"gamma=0.1", "gamma=0.2", "gamma=0.3"}[member]});
      const auto alone = in_columns(run_flat(model));
      for (std::size_t c = 0; c < names.size(); ++c)
        EXPECT_EQ(found[c].at(member), alone[names[c].first].back()) << names[c].first << ' ' << member;
    }
  }
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
