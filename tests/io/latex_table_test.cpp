// [latex]: names as a user wants them typeset, and nothing but names.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string model_with_names(const std::string& latex) {
  return R"([model]
name = "cart"
[algebroid]
kind = "tangent"
base = ["th", "s"]
fibre = ["w", "vs"]
[parameters]
theta = 1.0
kspring = 2.0
[definitions]
stretch = "s - theta"
[dynamics]
lagrangian = "(w^2 + vs^2)/2 - kspring*stretch^2/2 + cos(th) - z/10"
[symmetries]
turn = ["1", "0"]
[discrete]
rule = "midpoint"
[latex]
)" + latex;
}

std::string typeset(const std::string& latex) {
  const auto system = parse_model(model_with_names(latex)).system;
  return mechanics::render(mechanics::equations_of_motion(system, mechanics::derive(system)), symbolic::Format::latex);
}

TEST(LatexTable, NamesAreTypesetAsGiven) {
  const std::string text = typeset(R"(th = "\\vartheta"
w = "\\hat{\\omega}_{1}"
kspring = "k"
energy = "\\mathcal{E}"
)");
  EXPECT_THAT(text, HasSubstr("\\dot{\\vartheta} &= \\hat{\\omega}_{1} \\\\"));
  EXPECT_THAT(text, HasSubstr("p_{\\hat{\\omega}_{1}} &= \\hat{\\omega}_{1} \\\\"));
  EXPECT_THAT(text, HasSubstr("\\ddot{\\vartheta} &= -\\frac{1}{10} \\dot{\\vartheta} - \\sin \\vartheta"));
  EXPECT_THAT(text, HasSubstr("\\frac{1}{2} k \\mathrm{stretch}^{2}"));
  EXPECT_THAT(text, HasSubstr("\\dot{\\mathcal{E}} &= "));
  EXPECT_THAT(text, Not(HasSubstr("kspring")));
}

TEST(LatexTable, HoldsForGeometryAndDiscreteEquationsToo) {
  const auto problem = parse_model(model_with_names("th = \"\\\\vartheta\"\n"));
  const auto latex = symbolic::Format::latex;
  EXPECT_THAT(mechanics::render(mechanics::geometry_of(problem.system), latex), HasSubstr("\\vartheta"));
  const auto discrete = discrete::discrete_equations(problem.system, *problem.discrete);
  EXPECT_THAT(mechanics::render(discrete, latex), HasSubstr("{\\vartheta}_{k}"));
}

TEST(LatexTable, NamesThatWouldLookAlikeAreSetAsTheyAre) {
  EXPECT_THAT(typeset(""), HasSubstr("\\dot{\\mathrm{th}} &= w"));
  EXPECT_THAT(typeset(""), HasSubstr("- \\mathrm{theta}"));
  const std::string chosen = typeset("th = \"\\\\theta\"\n");
  EXPECT_THAT(chosen, HasSubstr("\\dot{\\theta} &= w"));
  EXPECT_THAT(chosen, HasSubstr("- \\mathrm{theta}"));
}

TEST(LatexTable, SaysWhatIsWrong) {
  const auto error = [](const std::string& latex) {
    return error_of([&] { parse_model(model_with_names(latex), "m.toml"); });
  };
  EXPECT_EQ(error("kspirng = \"k\"\n"), "m.toml:19:1: unknown name 'kspirng'; did you mean kspring?");
  EXPECT_THAT(error("th = 3\n"), HasSubstr("m.toml:19:6: expected a string, got a number"));
  EXPECT_THAT(error("th = \"\"\n"), HasSubstr("the LaTeX name is empty"));
  EXPECT_THAT(error("th = '\\thta'\n"),
              HasSubstr("m.toml:19:7: \\thta cannot stand in a LaTeX name; did you mean \\theta"));
  EXPECT_THAT(error("th = 'x_a_b'\n"), HasSubstr("a second _ behind one symbol; use braces: x_{a, b}"));
  EXPECT_THAT(error("th = 'x^a^b'\n"), HasSubstr("a second ^ behind one symbol; use braces: x^{a, b}"));
  EXPECT_THAT(error("th = \"x^a'\"\n"), HasSubstr("a ' stands behind ^ or _; put it right behind its symbol: x'_{a}"));
  EXPECT_THAT(error("th = 'a'\ns = 'a'\n"), HasSubstr("m.toml:20:5: 's' is typeset as 'th' is"));
  EXPECT_THAT(error("latex = \"x\"\n"), HasSubstr("unknown name 'latex'"));
}

TEST(LatexTable, NoTextBreaksOut) {
  for (const char* text : {"\\input{/etc/passwd}",
                           "\\write18{id}",
                           "\\def\\theta{x}",
                           "\\href{javascript:x}{y}",
                           "\\catcode`\\%=12",
                           "x}",
                           "{x",
                           "x^",
                           "x_",
                           "_x",
                           "x^a^b",
                           "x_a_b",
                           "\\hat",
                           "\\hat\\hat{x}",
                           "x^\\hat{y}",
                           "\\frac{1}{2}",
                           "$x$",
                           "a & b",
                           "a # b",
                           "a % b",
                           "a ~ b",
                           "\\\\",
                           "\\",
                           "a \\\\ b",
                           "\\begin{x}",
                           "\\sqrt[",
                           "x + y",
                           "\\text{x}",
                           "<b>",
                           "\"",
                           "\\htmlClass{a}{b}",
                           "é",
                           "x\x01y",
                           "\\left(",
                           "{x^}",
                           "x''^2'",
                           "[x]"})
    EXPECT_THAT(error_of([&] { parse_model(model_with_names("th = '''" + std::string(text) + "'''\n"), "m.toml"); }),
                HasSubstr("m.toml:19:"))
        << text;
  for (const char* text : {"\\theta", "x_{a, b}", "\\vec{\\mathbf{q}}_1", "x'_{+}", "x^{\\ast}", "\\mathrm{in}",
                           "\\sigma_{-}^{2}", "q \\, r", "{\\bar{x}}_{(1)}"})
    EXPECT_EQ(error_of([&] { parse_model(model_with_names("th = '''" + std::string(text) + "'''\n"), "m.toml"); }),
              "no error")
        << text;
  EXPECT_THAT(error_of([&] { parse_model(model_with_names("th = '" + std::string(101, 'x') + "'\n"), "m.toml"); }),
              HasSubstr("more than 100"));
}

}  // namespace
}  // namespace herglotz::io
