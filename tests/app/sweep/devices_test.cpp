#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "herglotz/compile/device.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* swept_oscillation = R"([model]
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

/// The program with the driver of tests in place of NVIDIA's; tests/card/driver.cpp has the modes.
Finished with_card(const std::string& arguments, const Folder& folder, const std::string& mode = "good") {
  return run_in_shell(
      "LD_LIBRARY_PATH=" HERGLOTZ_PAPER_CARD ":$LD_LIBRARY_PATH FAKE_CARD=" + mode + " \"$0\" " + arguments,
      folder.path());
}
/// The program with a file that is not a library in place of NVIDIA's driver.
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
    folder_.write("grid.toml", swept_oscillation);
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
  EXPECT_THAT(run.out, HasSubstr("cuda  Paper Card 7, 3.0 GiB"));
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
  folder_.write("grid.toml", std::string(swept_oscillation) + "device = \"host\"\n");
  const auto run = run_herglotz({"sweep", "grid.toml", "--out", "host.h5"}, folder_.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("host: "));
  folder_.write("grid.toml", std::string(swept_oscillation) + "device = \"gpu\"\n");
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
      {"sweep", "grid.toml", "--out", "x.h5", "--device", "host", "--method", "contact-gauss-4"}, folder_.path());
  EXPECT_EQ(method.status, 2);
  EXPECT_EQ(lines_of(method.err).size(), 1U) << method.err;
  EXPECT_THAT(method.err, HasSubstr("explicit, contact-lobatto-2, and the method is contact-gauss-4"));
  std::string constrained = swept_oscillation;
  constrained.replace(constrained.find("[initial]"), 9,
                      "[constraints]\nrule = \"nonholonomic\"\nequations = [\"v\"]\n[initial]");
  folder_.write("constrained.toml", constrained);
  const auto run = run_herglotz({"sweep", "constrained.toml", "--out", "x.h5", "--device", "host"}, folder_.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("there are constraints"));
  std::string rubbed = swept_oscillation;
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
  EXPECT_THAT(card.out, HasSubstr("cuda: Paper Card 7 (auto)"));
  const auto other = with_card("sweep grid.toml --out other.h5 --device auto --method contact-gauss-4", folder_);
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("cpu (auto: device cuda does not follow this ensemble"));
}

TEST_F(DeviceOption, LeavesWhatACardLosesToTheProcessor) {
  const auto run = with_card("sweep grid.toml --out card.h5 --device cuda", folder_, "lossy");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(folder_.read("card.h5"), folder_.read("cpu.h5"));
}

TEST_F(DeviceOption, TakesTheNumbersOfTheCard) {
  for (const std::string method : {"runge-kutta-8", "reference", "taylor", "contact-splitting-2"}) {
    const std::string arguments = "sweep grid.toml --force --method " + method + " --out ";
    ASSERT_EQ(run_in_shell("\"$0\" " + arguments + "expected.h5", folder_.path()).status, 0);
    const auto run = with_card(arguments + "card.h5 --device cuda", folder_, "biased");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(folder_.read("card.h5"), folder_.read("expected.h5")) << method;
  }
}

/// A method with what it needs, and what is kept of members.
struct Kept {
  std::string name;
  std::string method;
  std::string sweep;
};

class Card : public DeviceOption, public testing::WithParamInterface<Kept> {};

TEST_P(Card, GivesTheBytesOfTheProcessor) {
  // The angle of 3e9 is left to the processor; members that fail are explained by it.
  folder_.write("kept.toml", std::string(swept_oscillation) + GetParam().sweep);
  const std::string arguments = "sweep kept.toml --threads 2 " + GetParam().method;
  const auto expected = run_in_shell("\"$0\" " + arguments + " --out expected.h5", folder_.path());
  ASSERT_EQ(expected.status, 0) << expected.err;
  for (const std::string device : {"host", "cuda"}) {
    const auto run = with_card(arguments + " --out " + device + ".h5 --device " + device, folder_);
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.err, Not(AnyOf(HasSubstr("are left"), HasSubstr("without a context")))) << "it was not given back";
    EXPECT_THAT(run.out, HasSubstr(device + ": "));
    EXPECT_EQ(folder_.read(device + ".h5"), folder_.read("expected.h5")) << device;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ensembles, Card,
    testing::Values(
        Kept{"runge_kutta_8", "--method runge-kutta-8", ""},
        Kept{"runge_kutta_4_with_a_column", "--method runge-kutta-4", "columns = [\"q\"]\n"},
        Kept{"runge_kutta_8_with_rows", "--method runge-kutta-8 --output-every 3", "keep = \"trajectory\"\n"},
        Kept{"runge_kutta_8_at_times", "--method runge-kutta-8", "keep = \"times\"\ntimes = [0.25, 1.5]\n"},
        Kept{"runge_kutta_8_with_statistics", "--method runge-kutta-8",
             "keep = \"statistics\"\ntimes = [0.25, 1.5, 2.05]\n"},
        Kept{"reference", "--method reference --tolerance 1e-9", ""},
        Kept{"reference_at_times", "--method reference --tolerance 1e-9", "keep = \"times\"\ntimes = [0.25, 1.5]\n"},
        Kept{"reference_with_statistics", "--method reference --tolerance 1e-9",
             "keep = \"statistics\"\ntimes = [0.25, 1.5, 2.05]\n"},
        Kept{"reference_with_many_tries", "--method reference --tolerance 1e-13 --t-end 60", ""},
        Kept{"reference_that_fails", "--method reference --tolerance 1e-9",
             "initial.v = { from = 0, to = 1e200, count = 2 }\n"},
        Kept{"taylor", "--method taylor --tolerance 1e-12", ""},
        Kept{"taylor_at_times", "--method taylor --tolerance 1e-9", "keep = \"times\"\ntimes = [0.25, 1.5]\n"},
        Kept{"splitting_2", "--method contact-splitting-2", ""},
        Kept{"splitting_4_with_rows", "--method contact-splitting-4 --output-every 3", "keep = \"trajectory\"\n"},
        Kept{"splitting_6_at_times", "--method contact-splitting-6", "keep = \"times\"\ntimes = [0.25, 1.5]\n"},
        Kept{"splitting_8_with_statistics", "--method contact-splitting-8",
             "keep = \"statistics\"\ntimes = [0.25, 1.5, 2.05]\n"},
        Kept{"lobatto_2", "--method contact-lobatto-2", ""},
        Kept{"lobatto_2_with_rows", "--method contact-lobatto-2 --output-every 3", "keep = \"trajectory\"\n"}),
    [](const auto& given) { return given.param.name; });

TEST_F(DeviceOption, OfACardThatFailsEndsTheRunWithTheWordsOfTheDriver) {
  // The first call of each function that a sweep makes, and later ones: in a member's run and when a group is read.
  for (const std::string failure :
       {"cuDevicePrimaryCtxRetain=2@1", "cuCtxSetCurrent=201@1", "cuModuleGetFunction=500@1", "cuMemAlloc=2@1",
        "cuMemAlloc=2@2", "cuMemcpyHtoD=700@1", "cuMemcpyHtoD=700@2", "cuLaunchKernel=719@1", "cuMemcpyDtoH=700@1",
        "cuMemcpyDtoH=700@2", "cuStreamSynchronize=719@1", "cuStreamSynchronize=719@2"}) {
    const std::string call = failure.substr(0, failure.find('='));
    for (const std::string method : {"runge-kutta-8", "reference", "contact-splitting-4"}) {
      std::filesystem::remove(folder_.path() / "card.h5.journal");
      const auto run =
          with_card("sweep grid.toml --out card.h5 --device cuda --force --method " + method, folder_, failure);
      EXPECT_EQ(run.status, 3) << failure << ": " << run.out;
      EXPECT_EQ(lines_of(run.err).size(), 1U) << failure << ": " << run.err;
      EXPECT_THAT(run.err, HasSubstr("NVIDIA's driver: " + call + ": ")) << failure;
    }
  }
  const auto old = with_card("sweep grid.toml --out old.h5 --device cuda", folder_, "cuModuleLoadDataEx=222@1");
  EXPECT_EQ(old.status, 3) << old.out;
  EXPECT_EQ(lines_of(old.err).size(), 1U) << old.err;
  EXPECT_THAT(old.err, HasSubstr("line 1: unsupported .version"));
  for (const std::string call : {"cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem"}) {
    const auto run = with_card("sweep grid.toml --out none.h5 --device cuda", folder_, call + "=719@1");
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_THAT(run.err,
                HasSubstr("device cuda is not there: NVIDIA's driver: " + call + ": unspecified launch failure"));
  }
}

TEST_F(DeviceOption, OfACardThatTakesNoStepsEndsTheRun) {
  for (const std::string method : {"reference", "taylor", "runge-kutta-4", "runge-kutta-8", "contact-splitting-2",
                                   "contact-splitting-8", "contact-lobatto-2"}) {
    const bool adaptive = method == "reference" || method == "taylor";
    for (const std::string card : {"idle", "lazy"}) {
      std::filesystem::remove(folder_.path() / "card.h5.journal");
      // A lazy card runs 64 of 128 threads.
      folder_.write("many.toml", std::string(swept_oscillation) + "initial.v = { from = 0, to = 1, count = 3 }\n");
      const auto run = with_card("sweep many.toml --out card.h5 --device cuda --method " + method, folder_, card);
      EXPECT_EQ(run.status, 3) << method << ", " << card << ": " << run.out;
      EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
      EXPECT_THAT(run.err,
                  HasSubstr(adaptive ? "the device made no try of a step in " : "the device did not take the "));
      EXPECT_FALSE(folder_.has("card.h5")) << method << ", " << card;
    }
  }
}

TEST_F(DeviceOption, GivesNothingBackWithoutItsContext) {
  // The driver of tests complains if memory or a module is given back after its context could not be entered.
  for (const std::string call : {"6", "7", "8", "9", "10", "11", "12"}) {
    std::filesystem::remove(folder_.path() / "card.h5.journal");
    const auto run =
        with_card("sweep grid.toml --out card.h5 --force --device cuda", folder_, "cuCtxSetCurrent=201@" + call);
    EXPECT_THAT(run.err, Not(HasSubstr("without a context"))) << call;
  }
}

TEST_F(DeviceOption, OfACardThatFailsLeavesWhatItDidForAnotherDevice) {
  // Blocks have 64 members at least, and the second block of copies ends with an error.
  folder_.write("many.toml", std::string(swept_oscillation) + "initial.v = { from = 0, to = 1, count = 400 }\n");
  const std::string sweep = "sweep many.toml --threads 1 --out ";
  ASSERT_EQ(run_in_shell("\"$0\" " + sweep + "whole.h5", folder_.path()).status, 0);
  const auto broken = with_card(sweep + "part.h5 --device cuda", folder_, "cuMemcpyDtoH=700@8");
  EXPECT_EQ(broken.status, 3) << broken.out;
  const auto rest = with_card(sweep + "part.h5 --device host --resume", folder_);
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(folder_.read("part.h5"), folder_.read("whole.h5"));
}

}  // namespace
