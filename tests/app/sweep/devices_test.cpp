#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "herglotz/compile/device.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* model = R"([model]
name = "pendulum"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
gamma = 0.1
[dynamics]
lagrangian = "v^2/2 + cos(q) - gamma*z"
[initial]
q = 1
[simulation]
method = "runge-kutta-8"
step = 0.1
t_end = 2.05
[sweep]
parameters.gamma = { from = 0, to = 0.3, count = 10 }
initial.q = [-3.0, -1.5, 0.25, 1.5, 3e9]
)";

/// The program with the driver of tests in place of NVIDIA's.
Finished with_card(const std::string& arguments, const Folder& folder, const std::string& mode = "good") {
  return run_in_shell(
      "LD_LIBRARY_PATH=" HERGLOTZ_FAKE_DRIVER ":$LD_LIBRARY_PATH FAKE_CARD=" + mode + " \"$0\" " + arguments,
      folder.path());
}
/// The program with a file that is no library in place of NVIDIA's driver.
Finished without_card(const std::string& arguments, const Folder& folder) {
  folder.write("libcuda.so.1", "no library");
  return run_in_shell("LD_LIBRARY_PATH=.:$LD_LIBRARY_PATH \"$0\" " + arguments, folder.path());
}

bool has_devices() {
  return herglotz::compile::devices()[1].missing.empty();
}

class DeviceOption : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_devices()) GTEST_SKIP() << "this machine has no fused multiply-add";
    folder_.write("grid.toml", model);
    ASSERT_EQ(run_herglotz({"sweep", "grid.toml", "--out", "cpu.h5"}, folder_.path()).status, 0);
  }
  Folder folder_;
};

TEST(DevicesCommand, ListsEveryDeviceAndSaysWhyOneIsNotThere) {
  const Folder folder;
  const auto run = without_card("devices", folder);
  EXPECT_EQ(run.status, 0) << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 4U) << run.out;
  EXPECT_THAT(lines[0], HasSubstr("cpu   this machine's processor"));
  EXPECT_THAT(lines[1], HasSubstr("host  "));
  EXPECT_THAT(lines[2], HasSubstr("cuda  not there: NVIDIA's driver is not here"));
  EXPECT_THAT(lines[3], HasSubstr("hip   not there: "));
  const auto list = nlohmann::json::parse(without_card("devices --format json", folder).out);
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0]["available"], true);
  EXPECT_EQ(list[2]["available"], false);
  EXPECT_THAT(list[2]["missing"].get<std::string>(), HasSubstr("libcuda.so.1"));
}

TEST(DevicesCommand, ShowsTheCardsOfTheDriver) {
  const Folder folder;
  const auto run = with_card("devices", folder);
  if (!has_devices()) GTEST_SKIP() << "this machine has no fused multiply-add";
  EXPECT_THAT(run.out, HasSubstr("cuda  Forgetful Card 7, 3.0 GiB"));
  EXPECT_THAT(with_card("devices", folder, "none").out, HasSubstr("cuda  not there: NVIDIA's driver shows no card"));
}

TEST_F(DeviceOption, OfTheHostGivesTheBytesOfTheProcessor) {
  // The angle of 3e9 is left to the processor; the end is not a multiple of the step.
  const auto run = run_herglotz({"sweep", "grid.toml", "--out", "host.h5", "--device", "host"}, folder_.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("host: this machine's processor"));
  EXPECT_EQ(folder_.read("host.h5"), folder_.read("cpu.h5"));
}

TEST_F(DeviceOption, MayBeInTheModel) {
  folder_.write("grid.toml", std::string(model) + "device = \"host\"\n");
  const auto run = run_herglotz({"sweep", "grid.toml", "--out", "host.h5"}, folder_.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("host: "));
  folder_.write("grid.toml", std::string(model) + "device = \"gpu\"\n");
  const auto unknown = run_herglotz({"sweep", "grid.toml", "--out", "gpu.h5"}, folder_.path());
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("grid.toml:20:10: unknown device 'gpu'"));
}

TEST_F(DeviceOption, ThatIsNotThereIsRefused) {
  for (const char* name : {"cuda", "hip"}) {
    const auto run = without_card(std::string("sweep grid.toml --out x.h5 --device ") + name, folder_);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr(std::string("device ") + name + " is not there: "));
    EXPECT_FALSE(folder_.has("x.h5"));
  }
}

TEST_F(DeviceOption, ThatDoesNotFollowTheEnsembleSaysWhy) {
  const auto method = run_herglotz(
      {"sweep", "grid.toml", "--out", "x.h5", "--device", "host", "--method", "taylor", "--tolerance", "1e-8"},
      folder_.path());
  EXPECT_EQ(method.status, 2);
  EXPECT_EQ(lines_of(method.err).size(), 1U) << method.err;
  EXPECT_THAT(method.err, HasSubstr("runge-kutta-4, runge-kutta-8 and reference, and the method is taylor"));
  std::string constrained = model;
  constrained.replace(constrained.find("[initial]"), 9,
                      "[constraints]\nrule = \"nonholonomic\"\nequations = [\"v\"]\n[initial]");
  folder_.write("constrained.toml", constrained);
  const auto run = run_herglotz({"sweep", "constrained.toml", "--out", "x.h5", "--device", "host"}, folder_.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("there are constraints"));
  std::string rubbed = model;
  rubbed.replace(rubbed.find("[initial]"), 9, "[friction]\nfloor = { on = \"v\", static = 0.1 }\n[initial]");
  folder_.write("rubbed.toml", rubbed);
  const auto friction = run_herglotz({"sweep", "rubbed.toml", "--out", "x.h5", "--device", "host"}, folder_.path());
  EXPECT_EQ(friction.status, 2);
  EXPECT_THAT(friction.err, HasSubstr("there are events, switches, friction"));
}

TEST_F(DeviceOption, AutoSaysWhatItTook) {
  const auto none = without_card("sweep grid.toml --out none.h5 --device auto", folder_);
  ASSERT_EQ(none.status, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("cpu (auto: device cuda is not there: "));
  EXPECT_EQ(folder_.read("none.h5"), folder_.read("cpu.h5"));
  const auto card = with_card("sweep grid.toml --out card.h5 --device auto", folder_);
  ASSERT_EQ(card.status, 0) << card.err;
  EXPECT_THAT(card.out, HasSubstr("cuda: Forgetful Card 7 (auto)"));
  const auto other = with_card("sweep grid.toml --out other.h5 --device auto --method contact-gauss-4", folder_);
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("cpu (auto: device cuda does not follow this ensemble"));
}

TEST_F(DeviceOption, LeavesWhatACardLosesToTheProcessor) {
  const auto run = with_card("sweep grid.toml --out card.h5 --device cuda", folder_);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(folder_.read("card.h5"), folder_.read("cpu.h5"));
}

TEST_F(DeviceOption, OfACardThatFailsEndsTheRunWithTheWordsOfTheDriver) {
  const auto broken = with_card("sweep grid.toml --out card.h5 --device cuda", folder_, "broken");
  EXPECT_EQ(broken.status, 3) << broken.out;
  EXPECT_EQ(lines_of(broken.err).size(), 1U) << broken.err;
  EXPECT_THAT(broken.err, HasSubstr("cuLaunchKernel: unspecified launch failure"));
  const auto old = with_card("sweep grid.toml --out old.h5 --device cuda", folder_, "old");
  EXPECT_EQ(old.status, 3) << old.out;
  EXPECT_EQ(lines_of(old.err).size(), 1U) << old.err;
  EXPECT_THAT(old.err, HasSubstr("line 1: unsupported .version"));
}

}  // namespace
