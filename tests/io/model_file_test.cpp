#include "herglotz/io/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "exchange.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "project_folders.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;

std::vector<std::string> names(const std::vector<Expr>& symbols) {
  std::vector<std::string> list;
  for (const Expr& symbol : symbols) list.emplace_back(symbol.name());
  return list;
}

TEST(ModelFile, KeepsTheOrderOfTheFileNotOfTheAlphabet) {
  const auto problem = parse_model(R"toml([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
zeta = 1
alpha = 2
[definitions]
second = "zeta*x"
first = "second + alpha*v"
[dynamics]
lagrangian = "v^2/2 + first"
[symmetries]
right = ["1"]
left = ["-1"]
[observables]
omega = "v"
beta = "p_v + energy"
)toml");
  const auto& system = problem.system;
  ASSERT_EQ(system.parameters.size(), 2U);
  EXPECT_EQ(system.parameters[0].symbol.name(), "zeta");
  EXPECT_EQ(system.parameters[1].symbol.name(), "alpha");
  EXPECT_EQ(system.parameters[1].value, 2);
  EXPECT_THAT(names(system.definitions), testing::ElementsAre("second", "first"));
  EXPECT_EQ(system.symmetries[0].name, "right");
  EXPECT_EQ(system.symmetries[1].name, "left");
  EXPECT_EQ(system.observables[0].name, "omega");
  EXPECT_EQ(system.observables[1].name, "beta");
  EXPECT_EQ(system.name, "model");
  EXPECT_EQ(problem.settings.method, "auto");
  EXPECT_FALSE(problem.settings.step.has_value());
}

TEST(ModelFile, ReadsValuesAsNumbersOrConstants) {
  const auto problem = parse_model(R"toml([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[parameters]
k = "pi/3"
m = 2
[dynamics]
lagrangian = "m*v^2/2 - k*S"
action = "S"
time = "tau"
[initial]
x = "sqrt(2)"
S = 1e-3
tau = -1
[simulation]
method = "contact-gauss-6"
t_end = 3
step = 1e-2
output_every = 7
)toml");
  EXPECT_DOUBLE_EQ(problem.system.parameters[0].value, std::numbers::pi / 3);
  EXPECT_EQ(problem.initial, (simulate::InitialState{{"S", 1e-3}, {"tau", -1}, {"x", std::numbers::sqrt2}}));
  EXPECT_EQ(problem.system.z.name(), "S");
  EXPECT_EQ(problem.system.t.name(), "tau");
  EXPECT_EQ(problem.settings.method, "contact-gauss-6");
  EXPECT_EQ(problem.settings.t_end, 3);
  EXPECT_EQ(problem.settings.step, 0.01);
  EXPECT_EQ(problem.settings.output_every, 7U);
}

TEST(ModelFile, TheGeneratorIsTheWrittenExpression) {
  const auto problem = parse_model(kTangent);
  const auto& system = problem.system;
  const std::vector<Expr> symbols{system.algebroid.x[0],       system.algebroid.y[0],
                                  system.algebroid.y[1],       system.z,
                                  system.parameters[0].symbol, system.parameters[1].symbol};
  const std::vector<double> values{0.7, 0.3, -0.4, 0.2, 2.0, 0.1};
  const double expected = 2.0 * (0.3 * 0.3 + 0.4 * 0.4) / 2 - 0.7 * 0.7 / 2 - 0.1 * 0.2;
  EXPECT_NEAR(symbolic::evaluate(system.generator, symbols, values), expected, 1e-15);
  EXPECT_NEAR(symbolic::evaluate(system.forces[0], symbols, values), -0.03, 1e-17);
  EXPECT_TRUE(system.forces[1].is_zero());
}

TEST(ModelFile, HamiltonianModelsAreInMomenta) {
  const auto problem = parse_model(kHamilton);
  EXPECT_EQ(problem.system.formulation, mechanics::Formulation::hamiltonian);
  EXPECT_THAT(names(problem.system.w()), testing::ElementsAre("p_v"));
  EXPECT_EQ(problem.initial, (simulate::InitialState{{"p_v", 1.0}}));
}

TEST(ModelFile, AProductHasTheCoordinatesOfItsFactors) {
  const auto problem = parse_model(kProduct);
  EXPECT_THAT(names(problem.system.algebroid.x), testing::ElementsAre("x"));
  EXPECT_THAT(names(problem.system.algebroid.y), testing::ElementsAre("v", "w1", "w2", "w3"));
}

TEST(ModelFile, SkewBracketsImplyTheOppositeEntry) {
  const auto skew = parse_model(kCustom).system.algebroid;
  EXPECT_TRUE(skew.c(0, 0, 1).is_one());
  EXPECT_TRUE(skew.c(0, 1, 0).is_integer(-1));
  const auto general = parse_model(gallery_text("general-algebroid")).system.algebroid;
  EXPECT_DOUBLE_EQ(general.c(0, 0, 0).value(), 0.2);
  EXPECT_DOUBLE_EQ(general.c(0, 1, 0).value(), -0.3);
  EXPECT_DOUBLE_EQ(general.sigma(1, 1).value(), 1.2);  // sigma^2_2
  EXPECT_DOUBLE_EQ(general.sigma(0, 1).value(), 0.3);  // sigma^1_2
}

TEST(ModelFile, TwoWaysToWriteOneBracketAgree) {
  std::string text(kCustom);
  const std::string once = R"toml({ "a,b" = { a = "1" } })toml";
  const std::string twice = R"toml({ "a,b" = { a = "x*(x + 1)" }, "b,a" = { a = "-x^2 - x" } })toml";
  text.replace(text.find(once), once.size(), twice);
  EXPECT_EQ(error_of([&] { parse_model(text); }), "no error");
}

TEST(ModelFile, ColumnsCountCharactersAndLinesMayEndInCarriageReturns) {
  std::string text(kTangent);
  text.replace(text.find("gamma*z"), 7, "\xC3\xA9*z");
  EXPECT_THAT(error_of([&] { parse_model(text, "m.toml"); }), testing::StartsWith("m.toml:17:33: "));
  std::string dos;
  for (const char c : std::string(kTangent)) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(error_of([&] { parse_model(dos); }), "no error");
  EXPECT_EQ(error_of([&] { parse_model("\xEF\xBB\xBF" + std::string(kTangent)); }), "no error");
}

TEST(ModelFile, NamesThatAreNoTomlKeysAreErrorsAtTheirPlace) {
  EXPECT_EQ(
      error_of([] { parse_model("# \xC3\xA9\n'\xC3\xA9' = \xC3\xA9\n", "m.toml"); }),
      "m.toml:2:7: a character that is neither ASCII nor Greek stands outside a string; names are letters (Latin or "
      "Greek), digits and _");
  EXPECT_THAT(error_of([] { parse_model("step = 0[\"\xC7\x92\"\n", "m.toml"); }),
              testing::StartsWith("m.toml:1:9: TOML:"));
  // White space beyond U+FC66 is what the parser calls impossible.
  EXPECT_THAT(error_of([] { parse_model("\"\"\"\"\n\\\n\xEF\xBB\x9FV", "m.toml"); }), testing::StartsWith("m.toml:"));
  EXPECT_THAT(error_of([] { parse_model("[`algebroid]\n", "m.toml"); }),
              testing::StartsWith("m.toml:1:2: TOML: in a key: expected bare key starting character"));
}

constexpr const char* kGreek = R"(
[algebroid]
kind = "tangent"
base = ["θ"]
fibre = ["ω1"]
[parameters]
γ = 0.1
µ = "9*deg"  # with the sign for micro
[dynamics]
lagrangian = "ω1^2/2 + cos(θ) - γ*z + μ*θ"
forces = { ω1 = "γ*t" }
[symmetries]
θ-shift = ["1"]
[initial]
θ = "30*deg"
[sweep.parameters]
γ = [0, 1]
)";

TEST(ModelFile, ReadsGreekNames) {
  const auto problem = parse_plan(kGreek, "m.toml").problem;
  const auto& system = problem.system;
  EXPECT_EQ(system.algebroid.x[0].name(), "θ");
  EXPECT_EQ(system.algebroid.y[0].name(), "ω1");
  EXPECT_EQ(system.parameters[1].symbol.name(), "μ");
  EXPECT_DOUBLE_EQ(system.parameters[1].value, std::numbers::pi / 20);
  EXPECT_DOUBLE_EQ(problem.initial.at("θ"), std::numbers::pi / 6);
  EXPECT_FALSE(system.forces[0].is_zero());
  EXPECT_EQ(system.symmetries[0].name, "θ-shift");
  auto changed = problem;
  apply_setting(changed, "µ=2");
  EXPECT_EQ(changed.system.parameters[1].value, 2);
}

TEST(ModelFile, PlacesBesideGreekKeysAreThoseOfTheFile) {
  const auto error = [](const std::string& from, const std::string& to) {
    std::string text(kGreek);
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { parse_model(text, "m.toml"); });
  };
  EXPECT_EQ(error("{ ω1 = \"γ*t\" }", "{ ω1 = \"k*t\" }").substr(0, 31), "m.toml:11:18: unknown name 'k';");
  EXPECT_EQ(error("θ = \"30*deg\"", "θ = true").substr(0, 17), "m.toml:15:5: expe");
  EXPECT_EQ(error("θ = \"30*deg\"", "x = θ"),
            "m.toml:15:5: a name stands where a value is expected; write expressions and names in quotes");
  EXPECT_EQ(
      error("γ = 0.1", "Α = 0.1"),
      "m.toml:7:1: a character that is neither ASCII nor Greek stands outside a string; it cannot be told from the "
      "Latin A; write that");
  EXPECT_EQ(error("γ = 0.1", "gamma = 1\nγ = 0.1"),
            "m.toml:8:1: the name 'γ' reads like 'gamma', which is taken; equations print Greek letters and their "
            "names alike; give the parameter another name");
  EXPECT_EQ(error("γ = 0.1", "π = 0.1"),
            "m.toml:7:1: 'π' is a constant of expressions; give the parameter another name");
  EXPECT_EQ(error("γ = 0.1", "γ = 0.1 = 2").substr(0, 20), "m.toml:7:9: TOML: in");
}

TEST(ModelFile, ADegOfTheModelIsNoConstant) {
  const auto initial = [](const std::string& from, const std::string& to) {
    std::string text(kTangent);
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  EXPECT_DOUBLE_EQ(parse_model(initial("vq = 1", "vq = \"180*deg\"")).initial.at("vq"), std::numbers::pi);
  EXPECT_EQ(error_of([&] { parse_model(initial("gamma = 0.1", "gamma = \"9*deg\"\ndeg = 2"), "m.toml"); }),
            "m.toml:11:12: 'deg' is used above the line that gives it; move that line up, or give it another name");
  const auto own = parse_model(initial("gamma = 0.1", "gamma = 0.1\ndeg = 2"));
  EXPECT_EQ(own.system.parameters.back().value, 2);
}

TEST(ModelFile, HostileTextsAreErrorsOfOneLine) {
  EXPECT_EQ(error_of([] { parse_model(std::string(10'000'001, '#'), "big.toml"); }),
            "big.toml: the file is larger than 10 MB; model files are text of a few kilobytes");
  EXPECT_EQ(error_of([] { parse_model("", "empty.toml"); }),
            "empty.toml:1:1: the model has no [algebroid] table; say what the configuration space is: kind, base and "
            "fibre");
  std::string dots = "[a";
  for (int i = 0; i < 1'000'000; ++i) dots += ".a";
  EXPECT_EQ(
      error_of([&] { parse_model(dots + "]\n", "deep.toml"); }),
      "deep.toml:1:33: a key has more than 16 dotted parts; tables of a model file are at most a few levels deep");
  EXPECT_EQ(error_of([] { parse_model("x = " + std::string(1'000'000, '['), "deep.toml"); }),
            "deep.toml:1:69: values are nested too deeply; a model file has at most matrices inside tables");
  std::string long_name(kTangent);
  long_name.replace(long_name.find("gamma*z"), 5, std::string(100'000, 'g'));
  EXPECT_LT(error_of([&] { parse_model(long_name); }).size(), 600U);
  std::string bracketed = "[algebroid]\nkind = \"custom\"\nbase = [\"x\"]\nfibre = [\"v0\"";
  for (int i = 1; i < 129; ++i) bracketed += ", \"v" + std::to_string(i) + "\"";
  EXPECT_EQ(error_of([&] { parse_model(bracketed + "]\n[dynamics]\nlagrangian = \"0\"\n", "many.toml"); }),
            "many.toml:4:9: 'fibre' has 129 names; an algebroid of kind 'custom' has at most 128");
  std::string many = "[algebroid]\nkind = \"tangent\"\nbase = [\"x\"]\nfibre = [\"v0\"";
  for (int i = 1; i < 5000; ++i) many += ", \"v" + std::to_string(i) + "\"";
  EXPECT_EQ(error_of([&] { parse_model(many + "]\n[dynamics]\nlagrangian = \"0\"\n", "many.toml"); }),
            "many.toml:4:9: 'fibre' has 5000 names; an algebroid of kind 'tangent' has at most 4096");
}

/// A model with n coordinates whose frame has entries up to `reach` places right of the diagonal.
std::string framed(std::size_t n, std::size_t reach) {
  std::string base;
  std::string fibre;
  std::string frame;
  for (std::size_t i = 0; i < n; ++i) {
    base += "\"x" + std::to_string(i) + "\", ";
    fibre += "\"v" + std::to_string(i) + "\", ";
    frame += "[";
    for (std::size_t j = 0; j < n; ++j) frame += j >= i && j <= i + reach ? "1, " : "0, ";
    frame += "], ";
  }
  return "[algebroid]\nkind = \"hamel\"\nbase = [" + base + "]\nfibre = [" + fibre + "]\nframe = [" + frame +
         "]\n[dynamics]\nlagrangian = \"v0^2\"\n";
}

TEST(ModelFile, TakesFramesOfHundredsOfCoordinatesInSmallBlocks) {
  EXPECT_EQ(parse_model(framed(140, 0)).system.r(), 140U);
  EXPECT_EQ(error_of([] { parse_model(framed(129, 1), "mixed.toml"); }),
            "mixed.toml:5:9: the frame mixes 129 coordinates with each other; a frame falls into blocks of at most "
            "128");
}

TEST(ModelFile, MissingFilesAreNamed) {
  EXPECT_EQ(error_of([] { read_model("no-such-model.toml"); }),
            "no-such-model.toml: there is no such file; check the path");
  EXPECT_EQ(error_of([] { read_model("/tmp"); }), "/tmp: this is a folder; name a model file");
  const auto file = std::filesystem::path(source_folder()) / "models" / "heavy-top.toml";
  EXPECT_EQ(read_model(file).text, gallery_text("heavy-top"));
}

TEST(Setting, ReachesParametersAndInitialValues) {
  auto problem = parse_model(kTangent);
  apply_setting(problem, "mass=3");
  apply_setting(problem, " gamma = mass/10 ");
  apply_setting(problem, "q=2*mass");
  apply_setting(problem, "z=-1e-3");
  EXPECT_EQ(problem.system.parameters[0].value, 3);
  EXPECT_DOUBLE_EQ(problem.system.parameters[1].value, 0.3);
  EXPECT_EQ(problem.initial.at("q"), 6);
  EXPECT_EQ(problem.initial.at("z"), -1e-3);
}

TEST(Setting, ErrorsNameTheNearest) {
  auto problem = parse_model(kTangent);
  const auto error = [&](std::string_view text) { return error_of([&] { apply_setting(problem, text); }); };
  EXPECT_EQ(error("gama=1"), "--set: unknown name 'gama'; did you mean gamma?");
  EXPECT_EQ(error("foo=1"), "--set: unknown name 'foo'; known are x, q, vx, vq, z, t, p_vx, p_vq, mass, gamma");
  EXPECT_EQ(error("mass"), "--set: 'mass' is not an assignment; write NAME=VALUE, e.g. --set gamma=0.1");
  EXPECT_EQ(error("=1"), "--set: '=1' is not an assignment; write NAME=VALUE, e.g. --set gamma=0.1");
  EXPECT_EQ(error("mass="), "--set: the value of 'mass': the expression is empty; write a number, a name or a formula");
  EXPECT_EQ(error("mass=x"), "--set: the value of 'mass': unknown name 'x'; known names are pi, gamma, mass");
  EXPECT_EQ(error("mass=gamma/(mass - 2)"), "--set: the value of 'mass' is not finite; give a finite number");
}

}  // namespace
}  // namespace herglotz::io
