#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz {
namespace {

constexpr const char* pendulum = R"toml(
[model]
name = "pendulum"
[algebroid]
kind = "tangent"
base = ["theta"]
fibre = ["omega"]
[dynamics]
lagrangian = "omega^2/2 + cos(theta)"
[initial]
theta = 1
)toml";

/// Returns the parts of the error of a run of the pendulum with some settings.
Refused refusal(const simulate::Settings& settings) {
  const auto problem = io::parse_model(pendulum);
  const simulate::Simulator simulator(problem.system, {}, problem.initial);
  try {
    (void)simulator.run(problem.initial, settings);
  } catch (const Error& error) {
    return Refused(error.problem(), error.remedy(), error.where());
  }
  return Refused("no error");
}

TEST(Refusal, HasWhatIsWrongWhatWouldBeRightAndWhere) {
  const Refused error("step = 0", "give a positive number", "step");
  EXPECT_STREQ(error.what(), "step = 0; give a positive number");
  EXPECT_EQ(error.problem(), "step = 0");
  EXPECT_EQ(error.remedy(), "give a positive number");
  EXPECT_EQ(error.where(), "step");
  EXPECT_STREQ(Refused("the model has no action").what(), "the model has no action");
}

TEST(Refusal, NamesATableOnlyIfItsPlaceIsOne) {
  EXPECT_EQ(Refused("a", "b", "[initial]").table_or("[simulation]"), "[initial]");
  EXPECT_EQ(Refused("a", "b", "theta").table_or("[simulation]"), "[simulation]");
  EXPECT_EQ(Refused("a", "b").table_or("[simulation]"), "[simulation]");
}

TEST(Refusal, KeepsItsPartsAsAnExceptionOfTheStandardLibrary) {
  try {
    throw Refused("a", "b", "c");
  } catch (const std::invalid_argument& error) {
    const Refused same = as_refused(error);
    EXPECT_EQ(same.problem() + same.remedy() + same.where(), "abc");
  }
  const Refused bare = as_refused(std::runtime_error("one; two"));
  EXPECT_EQ(bare.problem(), "one; two") << "messages are not taken apart";
  EXPECT_EQ(bare.remedy(), "");
}

TEST(Refusal, IsThrownByRunsWithARemedyAndAPlace) {
  simulate::Settings settings;
  settings.t_end = 1;
  settings.method = "contact-gauss-4";
  const Refused no_step = refusal(settings);
  EXPECT_EQ(no_step.problem(), "method contact-gauss-4 has a fixed step and none is given");
  EXPECT_EQ(no_step.remedy(), "set step in [simulation] or use --step");
  EXPECT_EQ(no_step.where(), "method");
  settings.step = 0.1;
  settings.columns = {"thta"};
  const Refused column = refusal(settings);
  EXPECT_EQ(column.problem(), "[simulation] there is no column 'thta'");
  EXPECT_EQ(column.remedy(), "did you mean theta");
  EXPECT_EQ(column.where(), "[simulation]");
}

}  // namespace
}  // namespace herglotz
