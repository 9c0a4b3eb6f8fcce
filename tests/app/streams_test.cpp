#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

}  // namespace

TEST(Streams, ClosedOnesAreOpenedSoThatNoFileGetsTheirDescriptors) {
  const auto run = run_in_shell(
      "\"$0\" simulate heavy-top --step 1e-4 --t-end 1e6 --output-step 1e3 <&- >/dev/null 2>&- & pid=$!\n"
      "for k in $(seq 3000); do [ \"$(readlink /proc/$pid/fd/2)\" = /dev/null ] && break; sleep 0.01; done\n"
      "readlink /proc/$pid/fd/0 /proc/$pid/fd/2\n"
      "kill -9 $pid");
  EXPECT_EQ(run.out, "/dev/null\n/dev/null\n") << run.err;
}

TEST(Streams, OutputThatIsLostIsAFailureOfOneLine) {
  for (const char* command :
       {"derive heavy-top", "derive heavy-top --format c", "--help", "--version", "methods", "methods --format json",
        "models", "models show heavy-top", "check free-particle", "completion bash", "simulate free-particle"}) {
    const auto run = run_in_shell(std::string("\"$0\" ") + command + " > /dev/full");
    EXPECT_EQ(run.status, 3) << command;
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_THAT(run.err, StartsWith("herglotz: not everything could be written to standard output")) << command;
  }
}

TEST(Streams, AnErrorThatCannotBeWrittenKeepsItsStatus) {
  EXPECT_EQ(run_in_shell("\"$0\" check nosuch 2>/dev/full").status, 2);
  EXPECT_EQ(run_in_shell("\"$0\" check nosuch 2>&-").status, 2);
  EXPECT_EQ(run_in_shell("\"$0\" derive heavy-top >/dev/full 2>/dev/full").status, 3);
}

TEST(Streams, AReaderThatLeavesIsNoFailure) {
  const auto run = run_in_shell("{ \"$0\" derive n-link-pendulum; echo $? >&2; } | head -n 1");
  EXPECT_EQ(lines_of(run.out).size(), 1u);
  EXPECT_EQ(run.err, "0\n");
}

TEST(Streams, EscapeSequencesOfAModelAreShownAndNotSent) {
  const Folder folder;
  // ESC, the control sequence introducer U+009B and a right-to-left override.
  const std::string title = "title = \"a\\u001b]0;b\\u0007c\\u009b31m\\u202ed\"";
  folder.write("p.toml", with(pendulum, "title = \"Damped pendulum\"", title));
  for (const char* command : {"check p.toml", "simulate p.toml", "derive p.toml"}) {
    const auto run = run_in_shell(std::string("\"$0\" ") + command, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("a\\x1b]0;b\\x07c\\u009b31m\\u202ed")) << command;
    for (const char* raw : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae"}) EXPECT_THAT(run.out, Not(HasSubstr(raw)));
  }
}

namespace {

/// A ring of sites q[i] with multipliers r[i], whose derivation takes many seconds.
constexpr const char* long_derivation = R"toml([model]
name = "ring"
[indices]
i = { count = 60, ends = "periodic" }
[algebroid]
kind = "tangent"
base = ["q[i]", "r[i]"]
fibre = ["v[i]", "s[i]"]
[dynamics]
lagrangian = "sum(i, v[i]^2/2 - (q[i+1] - q[i])^2/2 + r[i]*(q[i]^2 + q[i+1]^2 - 2)) - 0.1*z"
[initial]
"q[i]" = 1
[simulation]
t_end = 1
)toml";

}  // namespace

// While equations are derived nothing is begun that could be kept, and nobody asks whether to go on.
TEST(Streams, CtrlCEndsADerivationAtOnceWithOneLine) {
  const Folder folder;
  folder.write("ring.toml", long_derivation);
  Finished run;
  // A signal that comes before the program has begun ends it without a word.
  for (std::chrono::milliseconds delay(200); delay < std::chrono::seconds(5) && run.err.empty(); delay *= 2)
    run = run_herglotz({"simulate", "ring.toml", "--out", "run.h5"}, folder.path(), SIGINT, delay);
  EXPECT_EQ(run.status, 128 + SIGINT);
  EXPECT_EQ(run.err, "herglotz: stopped\n");
  EXPECT_EQ(run.out, "");
  EXPECT_FALSE(folder.has("run.h5"));
}

TEST(Streams, CtrlCIsLeftToTheShellForACommandInItsBackground) {
  const auto run = run_in_shell("trap '' INT; \"$0\" check heavy-top & sleep 0.01; kill -INT $!; wait $!");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
}
