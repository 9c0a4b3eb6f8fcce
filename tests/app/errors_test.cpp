#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

struct Mistake {
  std::string name;
  std::vector<std::string> arguments;
  std::string message;
};

void PrintTo(const Mistake& mistake, std::ostream* stream) {
  *stream << mistake.name;
}

class Mistakes : public ::testing::TestWithParam<Mistake> {};

}  // namespace

TEST_P(Mistakes, GetOneLineThatNamesThemAndStatusTwo) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  folder.write("odd.toml", with(pendulum, "[initial]", "[initialise]"));
  folder.write("typo.toml", with(pendulum, "cos(theta)", "cos(thete)"));
  folder.write("notes.txt", "no run");
  const auto run = run_herglotz(GetParam().arguments, folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, HasSubstr(GetParam().message));
  EXPECT_EQ(run.out, "");
  EXPECT_FALSE(folder.has("p.h5.journal"));
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Mistakes,
    ::testing::Values(
        Mistake{"UnknownCommand", {"simulte", "p.toml"}, "there is no command 'simulte'; did you mean simulate?"},
        Mistake{"UnknownOption",
                {"simulate", "p.toml", "--stp", "0.1"},
                "'--stp' is not expected here; did you mean --step?"},
        Mistake{"WordsInQuotes", {"simulate", "p.toml", "two words"}, "'two words' is not expected here; see"},
        Mistake{"TooManySteps", {"simulate", "p.toml", "--step", "1e-20"}, "step = 1e-20 makes"},
        Mistake{"TooManyRows", {"simulate", "p.toml", "--output-step", "1e-12"}, "output_step = 1e-12 makes"},
        Mistake{"NegativeOutputEvery",
                {"simulate", "p.toml", "--output-every", "-1"},
                "--output-every: -1 is not a number"},
        Mistake{"MissingModel", {"simulate"}, "MODEL is required"},
        Mistake{"NoSuchModel", {"simulate", "heavy-tip"}, "heavy-tip: there is no such file"},
        Mistake{"NearestGalleryModel", {"check", "heavy-tip"}, "heavy-top"},
        Mistake{"UnknownKey", {"check", "odd.toml"}, "odd.toml:22:"},
        Mistake{"UnknownName", {"derive", "typo.toml"}, "typo.toml:14:"},
        Mistake{"UnknownNameHint", {"derive", "typo.toml"}, "theta"},
        Mistake{"UnknownFormat", {"derive", "p.toml", "--format", "word"}, "latex"},
        Mistake{"GeometryInC", {"derive", "p.toml", "--geometry", "--format", "c"}, "text, latex, sympy or json"},
        Mistake{"GeometryOfTheVakonomicRule",
                {"derive", "skate-vakonomic", "--geometry"},
                "skate-vakonomic.toml:29:1: the geometry of vakonomic constraints is not printed"},
        Mistake{"StartOfAMultiplier",
                {"simulate", "chaplygin-sleigh", "--set", "lambda1=1"},
                "--set: 'lambda1' is determined by the state and the constraints"},
        Mistake{"ProjectNoSwitch", {"simulate", "chaplygin-sleigh", "--set", "project=2"}, "project=true or"},
        Mistake{"UnknownMethod",
                {"simulate", "p.toml", "--method", "contact-gaus-4"},
                "--method: there is no method 'contact-gaus-4'; did you mean contact-gauss-4"},
        Mistake{"UnknownEnding",
                {"simulate", "p.toml", "--out", "p.xls"},
                "--out: 'p.xls' has no known ending; end it in .csv or .h5"},
        Mistake{"MissingFolder", {"simulate", "p.toml", "--out", "nowhere/p.csv"}, "there is no folder 'nowhere'"},
        Mistake{"ReportEnding", {"simulate", "p.toml", "--report", "p.pdf"}, ".html"},
        Mistake{"StepNoNumber", {"simulate", "p.toml", "--step", "small"}, "--step"},
        Mistake{"StepNegative", {"simulate", "p.toml", "--step", "-0.1"}, "--step: -0.1 is not positive"},
        Mistake{"StepNaN", {"simulate", "p.toml", "--step", "nan"}, "--step"},
        Mistake{"EndInfinite", {"simulate", "p.toml", "--t-end", "inf"}, "t_end"},
        Mistake{"BothStepAndTolerance",
                {"simulate", "p.toml", "--step", "0.1", "--tolerance", "1e-9"},
                "both --step and --tolerance"},
        Mistake{"ToleranceForFixedStep",
                {"simulate", "p.toml", "--method", "contact-gauss-4", "--tolerance", "1e-9"},
                "takes no tolerance"},
        Mistake{"StepForAdaptive", {"simulate", "p.toml", "--method", "reference", "--step", "0.1"}, "takes no step"},
        Mistake{"SetUnknown", {"simulate", "p.toml", "--set", "gama=1"}, "--set: "},
        Mistake{"SetNoValue", {"simulate", "p.toml", "--set", "gamma"}, "--set: "},
        Mistake{"SweepOfNothing", {"sweep", "p.toml", "--out", "p.h5"}, "[sweep]"},
        Mistake{"SweepWithoutItsRule",
                {"sweep", "p.toml", "--sweep", "gamma=0:1:3", "--method", "discrete-galerkin", "--step", "0.1", "--out",
                 "p.h5"},
                "add [discrete] with rule = \"galerkin\" to the model, or choose contact-galerkin-4"},
        Mistake{"SweepToNowhere", {"sweep", "p.toml"}, "--out is required"},
        Mistake{"SweepInThreeLanes", {"sweep", "p.toml", "--out", "p.h5", "--lanes", "3"}, "--lanes"},
        Mistake{"SweepToCsv", {"sweep", "p.toml", "--out", "p.csv"}, "end it in .h5"},
        Mistake{"ReportOfNoRun", {"report", "notes.txt", "--out", "n.html"}, "notes.txt: "},
        Mistake{"ReportOfDataset", {"report", "run.nc", "--out", "n.html"}, "xarray.load_dataset(\"run.nc\")"},
        Mistake{"ReportOfNothing", {"report", "none.h5", "--out", "n.html"}, "none.h5"},
        Mistake{"UnknownGalleryModel", {"models", "show", "heavy-tip"}, "heavy-top"},
        Mistake{"LinksOfNoChain", {"models", "show", "heavy-top", "--links", "3"}, "n-link-pendulum"},
        Mistake{"CopyOverwrites", {"models", "copy", "heavy-top", "--out", "p.toml"}, "replace it with --force"},
        Mistake{"UnknownShell", {"completion", "tcsh"}, "bash"}),
    [](const auto& each) { return each.param.name; });
