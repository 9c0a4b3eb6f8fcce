#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <random>

#include "herglotz/io/sweep_file.hpp"

namespace {

using namespace herglotz;
using ::testing::HasSubstr;

const char* const oscillator_text = R"([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - q^2/2"
[initial]
q = 1
)";

constexpr std::size_t members = 40;

ensemble::Plan plan_of_four_blocks() {
  ensemble::Plan made{io::parse_model(oscillator_text), {}, {}};
  made.sweep.quantities.push_back({ensemble::Target::initial, "q", ensemble::Range{0, 1, members, false}});
  made.output.keep = ensemble::Keep::times;
  return made;
}

ensemble::Layout layout_of_four_blocks() {
  ensemble::Layout made;
  made.columns = {{"q", analyse::Role::base}, {"energy_residual", analyse::Role::residual}};
  made.times = {0, 1, 2};
  made.members = members;
  made.block_members = 10;
  made.method = "contact-gauss-4";
  made.order = 4;
  return made;
}

ensemble::Block block_of_ten(std::size_t index) {
  ensemble::Block made;
  made.index = index;
  made.first = 10 * index;
  made.members = 10;
  made.columns.assign(2, std::vector<double>(30, 0.25 * static_cast<double>(index)));
  made.begin_residuals(1);
  made.failures.push_back({made.first + 1, "no convergence"});
  return made;
}

/// A sweep that was stopped after three of its four blocks.
class DamagedJournal : public ::testing::Test {
 protected:
  DamagedJournal() {
    std::string name = (std::filesystem::temp_directory_path() / "herglotz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    io::SweepWriter writer(plan_of_four_blocks(), layout_of_four_blocks(), file());
    for (const std::size_t index : {0U, 1U, 2U}) writer.add(block_of_ten(index));
    std::ifstream stream(io::journal_of(file()), std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(stream), {});
  }
  ~DamagedJournal() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path file() const { return folder_ / "e.h5"; }

  /// Goes on with these bytes as the journal. What is wrong, in one line, or nothing.
  [[nodiscard]] std::string complaint_about(const std::string& bytes) const {
    std::ofstream(io::journal_of(file()), std::ios::binary) << bytes;
    try {
      io::SweepWriter writer(plan_of_four_blocks(), layout_of_four_blocks(), file(), true);
      for (std::size_t index = 0; index < 4; ++index)
        if (!writer.has(index)) writer.add(block_of_ten(index));
      EXPECT_TRUE(writer.finish().complete());
    } catch (const io::InputError& error) {
      EXPECT_EQ(std::strchr(error.what(), '\n'), nullptr) << error.what();
      return error.what();
    }
    return {};
  }

  std::filesystem::path folder_;
  std::string whole_;
};

constexpr std::size_t head_size = 24;

std::uint64_t number_at(const std::string& bytes, std::size_t offset) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

/// Where the record of block 0 begins: behind the first line and the record of the identity.
std::size_t first_block(const std::string& journal) {
  const std::size_t identity = journal.find('\n') + 1;
  return identity + head_size + number_at(journal, identity + 8);
}

/// The journal with the payload of block 0 in place of its own, and a check that fits.
std::string with_payload(const std::string& journal, const std::string& payload) {
  const std::size_t at = first_block(journal);
  const std::uint64_t head[2] = {0, payload.size()};
  uLong sum = crc32(0, reinterpret_cast<const Bytef*>(head), sizeof(head));
  sum = crc32(sum, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(payload.size()));
  const std::uint64_t check = sum;
  std::string altered = journal.substr(0, at);
  altered.append(reinterpret_cast<const char*>(head), sizeof(head));
  altered.append(reinterpret_cast<const char*>(&check), sizeof(check));
  return altered + payload + journal.substr(at + head_size + number_at(journal, at + 8));
}

}  // namespace

TEST_F(DamagedJournal, IsResumedOrRefusedWithOneLine) {
  std::mt19937_64 random(7);
  std::size_t refused = 0;
  for (int k = 0; k < 40; ++k) {
    std::string bytes = whole_;
    if (k % 5 == 0) {
      bytes.resize(random() % bytes.size());
    } else {
      for (auto flips = 1 + random() % 4; flips > 0; --flips)
        bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
    }
    if (!complaint_about(bytes).empty()) ++refused;
  }
  EXPECT_GT(refused, 5U);
}

TEST_F(DamagedJournal, MayHaveBlocksThatPassTheirCheck) {
  const std::size_t at = first_block(whole_);
  const std::string payload = whole_.substr(at + head_size, number_at(whole_, at + 8));
  ASSERT_EQ(complaint_about(with_payload(whole_, payload)), "");
  std::mt19937_64 random(8);
  std::size_t refused = 0;
  for (int k = 0; k < 40; ++k) {
    std::string altered = payload;
    if (k % 5 == 0) altered.resize(random() % altered.size());
    // Lengths and numbers stand in the first bytes.
    if (k % 5 != 0) altered[random() % std::min<std::size_t>(altered.size(), 200)] = static_cast<char>(random());
    if (!complaint_about(with_payload(whole_, altered)).empty()) ++refused;
  }
  EXPECT_GT(refused, 5U);
  EXPECT_THAT(complaint_about(with_payload(whole_, "")), HasSubstr("this journal is damaged"));
}
