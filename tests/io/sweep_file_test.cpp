#include "herglotz/io/sweep_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <random>
#include <thread>

#include "herglotz/io/plan_file.hpp"

namespace {

using namespace herglotz;
using ::testing::HasSubstr;

const char* const damped_oscillator_text = R"([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
gamma = 0.1
[dynamics]
lagrangian = "v^2/2 - q^2/2 - gamma*z"
[initial]
q = 1
[simulation]
step = 0.1
t_end = 2
)";

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "herglotz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// 7 x 11 members in blocks of 10, the last one shorter, with three rows unless only the last is kept.
ensemble::Plan plan(ensemble::Keep keep = ensemble::Keep::times) {
  ensemble::Plan made{io::parse_model(damped_oscillator_text), {}, {}};
  made.sweep.quantities.push_back({ensemble::Target::parameter, "gamma", ensemble::Range{0, 0.3, 7, false}});
  made.sweep.quantities.push_back({ensemble::Target::initial, "q", ensemble::Range{-1, 1, 11, false}});
  made.output.keep = keep;
  return made;
}

ensemble::Layout layout(ensemble::Keep keep = ensemble::Keep::times) {
  ensemble::Layout made;
  made.columns = {{"q", analyse::Role::base}, {"energy_residual", analyse::Role::residual}};
  made.times = keep == ensemble::Keep::final ? std::vector<double>{2} : std::vector<double>{0, 1, 2};
  made.members = 77;
  made.block_members = 10;
  made.method = "contact-gauss-4";
  made.order = 4;
  return made;
}

/// A number that depends on all of its arguments, with noise in its low bits.
double result(std::size_t column, std::size_t member, std::size_t row) {
  return std::sin(static_cast<double>(1000 * column + 10 * member + row));
}

bool fails(std::size_t member) {
  return member % 19 == 4;
}

double largest_residual(std::size_t member) {
  return std::abs(result(2, member, 0));
}

ensemble::Block block(const ensemble::Layout& of, std::size_t index, ensemble::Keep keep = ensemble::Keep::times) {
  ensemble::Block made;
  made.index = index;
  made.first = index * of.block_members;
  made.members = std::min(of.block_members, of.members - made.first);
  made.steps = 20 * made.members;
  const std::size_t laws = of.residuals().size();
  made.begin_residuals(laws);
  for (std::size_t law = 0; law < laws; ++law)
    for (std::size_t k = 0; k < made.members; ++k)
      if (!fails(made.first + k)) made.keep_largest(law, made.first + k, largest_residual(made.first + k));
  made.columns.resize(of.columns.size());
  for (std::size_t c = 0; c < of.columns.size(); ++c)
    for (std::size_t k = 0; k < made.members; ++k)
      for (std::size_t row = 0; row < of.times.size(); ++row)
        made.columns[c].push_back(fails(made.first + k) && row + 1 == of.times.size() ? NAN
                                                                                      : result(c, made.first + k, row));
  for (std::size_t k = 0; k < made.members; ++k)
    if (fails(made.first + k)) made.failures.push_back({made.first + k, "stopped at t = " + std::to_string(k)});
  if (keep == ensemble::Keep::statistics) {
    made.statistics.resize(of.times.size() * of.columns.size());
    for (std::size_t row = 0; row < of.times.size(); ++row)
      for (std::size_t c = 0; c < of.columns.size(); ++c)
        for (std::size_t k = 0; k < made.members; ++k)
          made.statistics[row * of.columns.size() + c].add(made.columns[c][k * of.times.size() + row]);
    made.columns.clear();
  }
  return made;
}

/// Writes the blocks in the given order.
io::SweepSummary write(const std::filesystem::path& file, const std::vector<std::size_t>& order, bool resume = false,
                       ensemble::Keep keep = ensemble::Keep::times) {
  const auto of = layout(keep);
  io::SweepWriter writer(plan(keep), of, file, resume);
  for (const std::size_t index : order)
    if (!writer.has(index)) writer.add(block(of, index, keep));
  return writer.finish();
}

const std::vector<std::size_t> in_order{0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

TEST(SweepFile, KeepsEveryValueOfEveryMember) {
  const Folder folder;
  const auto file = folder / "e.h5";
  const auto summary = write(file, in_order);
  EXPECT_TRUE(summary.complete());
  EXPECT_FALSE(std::filesystem::exists(io::journal_of(file)));

  const io::SweepReader reader(file);
  const auto& facts = reader.facts();
  EXPECT_EQ(facts.members, 77u);
  EXPECT_EQ(facts.shape, (std::vector<std::size_t>{7, 11}));
  EXPECT_EQ(facts.swept, (std::vector<std::string>{"parameters.gamma", "initial.q"}));
  EXPECT_EQ(facts.times, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(facts.columns, layout().columns);
  EXPECT_EQ(facts.model_text, damped_oscillator_text);
  EXPECT_TRUE(facts.complete);
  EXPECT_EQ(facts.steps, 20u * 77u);
  const auto expected = plan().sweep;
  std::vector<double> values(2);
  const auto gamma = reader.swept("parameters.gamma", 0, 77);
  const auto q = reader.swept("initial.q", 30, 47);
  for (std::size_t member = 0; member < 77; ++member) {
    expected.values(member, values);
    EXPECT_EQ(gamma[member], values[0]);
    if (member >= 30) {
      EXPECT_EQ(q[member - 30], values[1]);
    }
  }
  for (std::size_t c = 0; c < 2; ++c) {
    const auto name = facts.columns[c].first;
    const auto rows = reader.rows(name, 5, 72);
    const auto last = reader.column(name, 0, 77);
    for (std::size_t member = 0; member < 77; ++member) {
      if (fails(member)) {
        EXPECT_TRUE(std::isnan(last[member]));
      } else {
        EXPECT_EQ(last[member], result(c, member, 2));
      }
      if (member >= 5) {
        EXPECT_EQ(rows[(member - 5) * 3 + 1], result(c, member, 1));
      }
    }
    EXPECT_EQ(reader.column(name, 8, 1, 0).front(), result(c, 8, 0));
  }
  EXPECT_THROW((void)reader.column("p", 0, 1), std::out_of_range);
  EXPECT_THROW((void)reader.column("q", 70, 8), std::out_of_range);
  EXPECT_THROW((void)reader.column("q", 0, 1, 3), std::out_of_range);
}

TEST(SweepFile, RecordsWhoFailedAndWhy) {
  const Folder folder;
  const auto summary = write(folder / "e.h5", {7, 3, 1, 0, 2, 6, 5, 4});
  EXPECT_EQ(summary.failed, 4u);
  ASSERT_EQ(summary.first_failures.size(), 3u);
  EXPECT_EQ(summary.first_failures[0].member, 4u);
  EXPECT_EQ(summary.first_failures[2].member, 42u);
  const io::SweepReader reader(folder / "e.h5");
  ASSERT_EQ(reader.facts().failures.size(), 4u);
  EXPECT_EQ(reader.facts().failures[3].member, 61u);
  EXPECT_EQ(reader.facts().failures[3].reason, "stopped at t = 1");
}

TEST(SweepFile, SummaryHasTheMomentsOfTheLastRow) {
  const Folder folder;
  const auto summary = write(folder / "e.h5", in_order);
  double sum = 0;
  double largest = 0;
  std::size_t count = 0;
  for (std::size_t member = 0; member < 77; ++member) {
    if (fails(member)) continue;
    sum += result(0, member, 2);
    largest = std::max(largest, largest_residual(member));
    ++count;
  }
  EXPECT_EQ(summary.last[0].first, "q");
  EXPECT_EQ(summary.last[0].second.count, static_cast<double>(count));
  EXPECT_NEAR(summary.last[0].second.mean, sum / static_cast<double>(count), 1e-14);
  EXPECT_EQ(summary.largest_residuals, (std::vector<std::pair<std::string, double>>{{"energy_residual", largest}}));
}

// The verdict on each member stands beside its columns, and the worst of all among the attributes.
TEST(SweepFile, KeepsTheLargestResidualsOfMembers) {
  for (const auto keep : {ensemble::Keep::times, ensemble::Keep::final, ensemble::Keep::statistics}) {
    const Folder folder;
    const auto summary = write(folder / "e.h5", in_order, false, keep);
    const io::SweepReader reader(folder / "e.h5");
    EXPECT_EQ(reader.facts().largest_residuals, summary.largest_residuals);
    if (keep == ensemble::Keep::statistics) {
      EXPECT_THROW((void)reader.largest_residuals("energy_residual", 0, 77), std::out_of_range);
      continue;
    }
    const auto largest = reader.largest_residuals("energy_residual", 0, 77);
    for (std::size_t member = 0; member < 77; ++member) {
      if (fails(member))
        EXPECT_TRUE(std::isnan(largest[member])) << member;
      else
        EXPECT_EQ(largest[member], largest_residual(member)) << member;
    }
    EXPECT_EQ(reader.largest_residuals("energy_residual", 8, 1).front(), largest[8]);
    EXPECT_THROW((void)reader.largest_residuals("q", 0, 1), std::out_of_range);
  }
}

TEST(SweepFile, SaysThatAResidualIsNoNumberByInfinity) {
  const Folder folder;
  auto shape = layout();
  shape.members = shape.block_members;
  auto made = block(shape, 0);
  made.keep_largest(0, 3, NAN);
  const auto encoded = io::encoded_block(made, shape);
  EXPECT_EQ(made.largest_residuals[0][3], std::numeric_limits<double>::infinity());
  EXPECT_FALSE(encoded.empty());
}

TEST(SweepFile, KeepsOneValuePerMemberOfLastRows) {
  const Folder folder;
  write(folder / "e.h5", in_order, false, ensemble::Keep::final);
  const io::SweepReader reader(folder / "e.h5");
  EXPECT_EQ(reader.facts().times, std::vector<double>{2});
  EXPECT_EQ(reader.column("q", 0, 77)[76], result(0, 76, 0));
}

TEST(SweepFile, KeepsMomentsInsteadOfMembers) {
  const Folder folder;
  write(folder / "e.h5", in_order, false, ensemble::Keep::statistics);
  const io::SweepReader reader(folder / "e.h5");
  const auto moments = reader.statistics("q");
  ASSERT_EQ(moments.size(), 3u);
  std::vector<double> values;
  for (std::size_t member = 0; member < 77; ++member) values.push_back(result(0, member, 1));
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 77;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  EXPECT_EQ(moments[1].count, 77);
  EXPECT_EQ(moments[2].count, 73);
  EXPECT_NEAR(moments[1].mean, mean, 1e-14);
  EXPECT_NEAR(moments[1].squares, squares, 1e-12);
  EXPECT_EQ(moments[1].least, *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(moments[1].largest, *std::max_element(values.begin(), values.end()));
  EXPECT_THROW((void)reader.column("q", 0, 1), std::out_of_range);
}

TEST(SweepFile, IsTheSameBytesInAnyOrderOfTheBlocksAndFromManyThreads) {
  const Folder folder;
  for (const auto keep : {ensemble::Keep::times, ensemble::Keep::statistics}) {
    write(folder / "a.h5", in_order, false, keep);
    write(folder / "b.h5", {3, 7, 1, 0, 2, 6, 5, 4}, false, keep);
    EXPECT_EQ(bytes_of(folder / "a.h5"), bytes_of(folder / "b.h5"));
  }
  write(folder / "a.h5", in_order);
  const auto of = layout();
  io::SweepWriter writer(plan(), of, folder / "c.h5");
  std::vector<std::thread> threads;
  for (std::size_t index = 0; index < 8; ++index) threads.emplace_back([&, index] { writer.add(block(of, index)); });
  for (auto& thread : threads) thread.join();
  writer.finish();
  EXPECT_EQ(bytes_of(folder / "a.h5"), bytes_of(folder / "c.h5"));
}

TEST(SweepFile, IsTheSameBytesAfterTheJournalWasCutAnywhere) {
  const Folder folder;
  write(folder / "whole.h5", in_order);
  const std::string whole = bytes_of(folder / "whole.h5");
  const auto of = layout();
  const auto file = folder / "cut.h5";
  {
    io::SweepWriter writer(plan(), of, file);
    for (const std::size_t index : {2, 0, 7, 5, 1}) writer.add(block(of, index));
  }
  const std::string journal = bytes_of(io::journal_of(file));
  // No byte of a file says when it was made, to the second.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  std::mt19937 random(6);
  for (int round = 0; round < 40; ++round) {
    const auto cut = static_cast<std::ptrdiff_t>(random() % (journal.size() + 1));
    std::ofstream(io::journal_of(file), std::ios::binary).write(journal.data(), cut);
    const auto summary = write(file, {6, 5, 4, 7, 3, 2, 1, 0}, true);
    EXPECT_TRUE(summary.complete());
    ASSERT_EQ(bytes_of(file), whole) << "cut at byte " << cut << " of " << journal.size();
    ASSERT_FALSE(std::filesystem::exists(io::journal_of(file)));
  }
}

TEST(SweepFile, DoesNotTrustBlocksWhoseBytesChanged) {
  const Folder folder;
  const auto of = layout();
  const auto file = folder / "e.h5";
  {
    io::SweepWriter writer(plan(), of, file);
    for (const std::size_t index : {0, 1, 2}) writer.add(block(of, index));
  }
  std::string journal = bytes_of(io::journal_of(file));
  journal[journal.size() - 100] ^= 1;
  std::ofstream(io::journal_of(file), std::ios::binary) << journal;
  const io::SweepWriter writer(plan(), of, file, true);
  EXPECT_TRUE(writer.has(1));
  EXPECT_FALSE(writer.has(2));
  EXPECT_EQ(writer.members_done(), 20u);
}

TEST(SweepFile, OfAStoppedRunHasWhatItReached) {
  const Folder folder;
  const auto file = folder / "e.h5";
  const auto summary = write(file, {7, 0});
  EXPECT_FALSE(summary.complete());
  EXPECT_EQ(summary.done, 17u);
  EXPECT_TRUE(std::filesystem::exists(io::journal_of(file)));
  {
    const io::SweepReader reader(file);
    EXPECT_FALSE(reader.facts().complete);
    const auto q = reader.column("q", 0, 77);
    EXPECT_EQ(q[3], result(0, 3, 2));
    EXPECT_TRUE(std::isnan(q[10]));
    EXPECT_EQ(q[76], result(0, 76, 2));
  }
  EXPECT_FALSE(io::is_complete_sweep(file, plan(), layout()));
  EXPECT_TRUE(write(file, in_order, true).complete());
  EXPECT_TRUE(io::is_complete_sweep(file, plan(), layout()));
  auto other = plan();
  other.problem.settings.t_end = 3;
  EXPECT_FALSE(io::is_complete_sweep(file, other, layout()));
  write(folder / "whole.h5", in_order);
  EXPECT_EQ(bytes_of(file), bytes_of(folder / "whole.h5"));
}

TEST(SweepFile, RefusesToContinueAnotherSweep) {
  const Folder folder;
  const auto file = folder / "e.h5";
  const auto of = layout();
  {
    io::SweepWriter(plan(), of, file).add(block(of, 0));
  }
  const auto message = [&](const ensemble::Plan& other, const ensemble::Layout& shape, bool resume = true) {
    try {
      const io::SweepWriter writer(other, shape, file, resume);
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(plan(), of), "no error");
  EXPECT_THAT(message(plan(), of, false), HasSubstr("continue it with --resume, or delete this file"));
  auto other = plan();
  other.problem.settings.step = 0.2;
  EXPECT_THAT(message(other, of), HasSubstr("step was '0.1' and is '0.2'"));
  other = plan();
  io::apply_setting(other.problem, "gamma=0.5");
  EXPECT_THAT(message(other, of), HasSubstr("parameter gamma was '0.1' and is '0.5'"));
  other = plan();
  other.sweep.quantities[1].values = ensemble::Range{-1, 2, 11, false};
  EXPECT_THAT(message(other, of), HasSubstr("[sweep] is another one"));
  other = plan();
  other.problem.text += "# edited\n";
  EXPECT_THAT(message(other, of), HasSubstr("the text of the model, or a file that it reads, is another one"));
  auto shape = of;
  shape.method = "contact-gauss-6";
  EXPECT_THAT(message(plan(), shape), HasSubstr("method was 'contact-gauss-4' and is 'contact-gauss-6'"));
  std::ofstream(io::journal_of(file)) << "my diary";
  EXPECT_THAT(message(plan(), of), HasSubstr("this is not a journal of a sweep"));
  EXPECT_EQ(bytes_of(io::journal_of(file)), "my diary");
}

TEST(SweepFile, IsWrittenByOneRunAtATime) {
  const Folder folder;
  const io::SweepWriter first(plan(), layout(), folder / "e.h5");
  EXPECT_THROW(io::SweepWriter(plan(), layout(), folder / "e.h5", true), io::InputError);
}

TEST(SweepFile, RefusesColumnsThatItsOwnNamesWouldHide) {
  const Folder folder;
  auto shape = layout();
  shape.columns[0].first = "member";
  EXPECT_THROW(io::SweepWriter(plan(), shape, folder / "e.h5"), io::InputError);
  EXPECT_FALSE(std::filesystem::exists(io::journal_of(folder / "e.h5")));
}

TEST(SweepFile, IsReadOnlyWhereItIsOne) {
  const Folder folder;
  EXPECT_THROW(io::SweepReader(folder / "none.h5"), io::InputError);
  std::ofstream(folder / "text.h5") << "text";
  EXPECT_THROW(io::SweepReader(folder / "text.h5"), io::InputError);
}

TEST(SweepFile, SaysTheSweepAsATableThatGivesEveryBitBack) {
  const std::string table = R"([sweep]
samples = 5
sampling = "sobol"
seed = 9
zip = [["gamma", "q"], ["mass", "v"]]
parameters.gamma = { from = 0.1, to = 0.30000000000000004, count = 3, spacing = "log" }
parameters.mass = [1, 2.5]
parameters.k = { distribution = "uniform", from = -1, to = 2 }
parameters.a = { distribution = "log-uniform", from = 1, to = 2 }
parameters.b = { distribution = "exponential", mean = 3 }
initial.q = [0, 1, 1e300]
initial.v = [1, 2]
initial.z = { distribution = "normal", mean = 0.5, deviation = 2 }
initial.t = { distribution = "log-normal", mean = 0, deviation = 0.1 }
)";
  std::string text = damped_oscillator_text;
  text.insert(text.find("[dynamics]"), "mass = 1\nk = 1\na = 1\nb = 1\n");
  const auto first = io::parse_plan(text + table).sweep;
  const auto second = io::parse_plan(text + "[sweep]\n" + io::sweep_text(first)).sweep;
  ASSERT_EQ(second.members(), 30u);
  EXPECT_EQ(second.axis_of(), first.axis_of());
  std::vector<double> a(9);
  std::vector<double> b(9);
  for (std::size_t member = 0; member < 30; ++member) {
    first.values(member, a);
    second.values(member, b);
    EXPECT_EQ(a, b);
  }
}

TEST(SweepFile, DoesNotTellWhichLibraryPackedItsBlocks) {
  const Folder folder;
  auto of = layout(ensemble::Keep::times);
  of.columns.resize(1);
  const auto write = [&](const char* name, const auto& altered) {
    io::SweepWriter writer(plan(), of, folder / name);
    for (std::size_t index = 0; index < of.blocks(); ++index)
      writer.add(index, altered(io::encoded_block(block(of, index), of)));
    EXPECT_TRUE(writer.finish().complete());
    return bytes_of(folder / name);
  };
  // The last text of an encoded block is the chunk of its only column. Another library names itself first and packs
  // the chunk in another way.
  const auto by_another = [&](std::string bytes) {
    const std::size_t values = std::min(of.block_members, of.members) * of.times.size() * sizeof(double);
    std::uint64_t name = 0;
    std::memcpy(&name, bytes.data(), sizeof(name));
    bytes[sizeof(name)] = 'Z';
    for (std::size_t at = bytes.size() - 1; at > 8; --at) {
      std::uint64_t size = 0;
      std::memcpy(&size, bytes.data() + at - 8, sizeof(size));
      if (size != bytes.size() - at) continue;
      std::string planes(values, '\0');
      auto inflated = static_cast<uLongf>(values);
      EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(planes.data()), &inflated,
                           reinterpret_cast<const Bytef*>(bytes.data() + at), bytes.size() - at),
                Z_OK);
      std::string packed(compressBound(values), '\0');
      auto length = static_cast<uLongf>(packed.size());
      compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(planes.data()), values,
                0);
      const std::uint64_t now = length;
      bytes.resize(at - 8);
      bytes.append(reinterpret_cast<const char*>(&now), sizeof(now));
      return bytes.append(packed, 0, length);
    }
    ADD_FAILURE() << "the chunk was not found";
    return bytes;
  };
  EXPECT_EQ(write("own.h5", [](std::string bytes) { return bytes; }), write("other.h5", by_another));
}
