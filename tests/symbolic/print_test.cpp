#include "herglotz/symbolic/print.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "symbolic/random_expression.hpp"

namespace herglotz::symbolic {
namespace {

class Printer : public ::testing::Test {
 protected:
  Printer() {
    for (const char* name :
         {"m",     "l", "g",  "k",  "x", "y",       "n",     "theta", "thetadot", "theta1", "theta2",
          "gamma", "z", "vx", "vy", "w", "p_theta", "speed", "mass",  "phi",      "lambda", "Rational"}) {
      scope_[name] = graph_.symbol(name);
    }
  }
  Expr read(std::string_view text) { return parse(graph_, text, scope_); }
  std::string text(std::string_view f) { return print(read(f)); }
  std::string latex(std::string_view f) { return print(read(f), Format::latex); }
  std::string c(std::string_view f) { return print(read(f), Format::c); }
  std::string sympy(std::string_view f) { return print(read(f), Format::sympy); }

  Graph graph_;
  Scope scope_;
};

TEST_F(Printer, TextReadsLikeATextbook) {
  EXPECT_EQ(text("l^2*m*thetadot^2/2 - g*m*l*(1 - cos(theta)) - gamma*z"),
            "m*l^2*thetadot^2/2 - m*g*l*(1 - cos(theta)) - gamma*z");
  EXPECT_EQ(text("1 - cos(theta)"), "1 - cos(theta)");
  EXPECT_EQ(text("-cos(theta) + 1"), "1 - cos(theta)");
  EXPECT_EQ(text("1 + x + x^2"), "x^2 + x + 1");
  EXPECT_EQ(text("x - y"), "x - y");
  EXPECT_EQ(text("-x - y"), "-x - y");
  EXPECT_EQ(text("y^2 + x^2"), "x^2 + y^2");
  EXPECT_EQ(text("-g/l*sin(theta) - gamma*thetadot"), "-gamma*thetadot - g*sin(theta)/l");
}

TEST_F(Printer, TextHasNoSuperfluousParentheses) {
  EXPECT_EQ(text("((x))*((y))"), "x*y");
  EXPECT_EQ(text("x/(y*z)"), "x/(y*z)");
  EXPECT_EQ(text("x/2"), "x/2");
  EXPECT_EQ(text("3*x/(10*y)"), "3*x/(10*y)");
  EXPECT_EQ(text("0.3"), "3/10");
  EXPECT_EQ(text("-x^2"), "-x^2");
  EXPECT_EQ(text("(-x)^n"), "(-x)^n");
  EXPECT_EQ(text("x^(1/2)"), "sqrt(x)");
  EXPECT_EQ(text("1/sqrt(x + y)"), "1/sqrt(x + y)");
  EXPECT_EQ(text("x^(3/2)"), "x^(3/2)");
  EXPECT_EQ(text("x^-2"), "1/x^2");
  EXPECT_EQ(text("x^y^z"), "x^(y^z)");
  EXPECT_EQ(text("(x^y)^z"), "(x^y)^z");
  EXPECT_EQ(text("x*(y + z)"), "x*(y + z)");
  EXPECT_EQ(text("sin(x - 2*y)*exp(-x)"), "exp(-x)*sin(x - 2*y)");
  EXPECT_EQ(text("atan2(y, x)*abs(z)"), print(read("atan2(y, x)*abs(z)")));
  EXPECT_EQ(text("x + pi"), "x + pi");
}

TEST_F(Printer, MinusASumIsMinusAllOfIt) {
  EXPECT_EQ(text("-(x + y)"), "-(x + y)");
  EXPECT_EQ(text("-(2*x + 2*y^2)"), "-(2*y^2 + 2*x)");
  EXPECT_EQ(text("exp(-(x + y))"), "exp(-(x + y))");
  EXPECT_EQ(text("y - (x + z)"), "y - (x + z)");
}

TEST_F(Printer, TextParsesBackToAnEqualExpression) {
  RandomExpression random(graph_, 7);
  Scope scope;
  for (const Expr x : random.symbols) scope.emplace(x.name(), x);
  for (int i = 0; i < 400; ++i) {
    const Expr f = random(1 + i % 5);
    const std::string printed = print(f);
    const Expr back = parse(graph_, printed, scope);
    const std::vector<double> point = random.point();
    const double value = evaluate(f, random.symbols, point);
    EXPECT_NEAR(evaluate(back, random.symbols, point), value, 1e-9 * (1 + std::abs(value))) << printed;
  }
}

TEST_F(Printer, DerivativesParseBack) {
  const Expr x = scope_["x"];
  const Expr f = read("abs(x*y)*select(x, y, x^2, sin(x))");
  const Expr df = derivative(f, x);
  const std::vector<Expr> symbols{x, scope_["y"]};
  for (const double at : {-0.7, 0.4, 1.9}) {
    const std::vector<double> point{at, 0.9};
    EXPECT_DOUBLE_EQ(evaluate(read(print(df)), symbols, point), evaluate(df, symbols, point)) << print(df);
  }
}

TEST_F(Printer, ChoicesAreWrittenInEveryFormat) {
  const char* f = "if(x + 1 <= y and not (m > 2), floor(x/2), if(x < 0, sign(y), max(x, y)))";
  EXPECT_EQ(read(text(f)), read(f));
  EXPECT_EQ(text("if(x > y + 1, 2*x, if(0 < y, 1, z))"), "if(x > y + 1, 2*x, if(y > 0, 1, z))");
  EXPECT_EQ(latex("if(x > y, 1, z)"), "\\begin{cases} 1 & x > y \\\\ z & \\text{otherwise} \\end{cases}");
  EXPECT_EQ(c("if(x > y, floor(x), z)"), "(x > y ? floor(x) : z)");
  EXPECT_EQ(sympy("if(x <= y, floor(x), z)"), "Piecewise((z, x > y), (floor(x), True))");
  EXPECT_EQ(latex("floor(x + 1)"), "\\left\\lfloor x + 1 \\right\\rfloor");
}

TEST_F(Printer, ChoicesBetweenNamesLikeWordsOfConditionsParseBack) {
  for (const char* name : {"and", "not"}) scope_[name] = graph_.symbol(name);
  EXPECT_EQ(text("select(and, not, 1, x)"), "select(and, not, 1, x)");
  EXPECT_EQ(text("if(x > y, and, 1)"), "select(x, y, and, 1)");
  EXPECT_EQ(text("if(x > y, z, 1)"), "if(x > y, z, 1)");
}

TEST_F(Printer, LatexTypesetsNames) {
  EXPECT_EQ(latex("theta"), "\\theta");
  EXPECT_EQ(latex("theta1"), "\\theta_{1}");
  EXPECT_EQ(latex("p_theta"), "p_{\\theta}");
  EXPECT_EQ(latex("thetadot"), "\\dot{\\theta}");
  EXPECT_EQ(latex("vx"), "v_{x}");
  EXPECT_EQ(latex("speed"), "\\mathrm{speed}");
  for (const auto& [name, typeset] : std::map<std::string, std::string>{{"theta_1", "\\theta_{1}"},
                                                                        {"theta1_dot", "\\dot{\\theta}_{1}"},
                                                                        {"theta1dot", "\\dot{\\theta}_{1}"},
                                                                        {"thetaddot", "\\ddot{\\theta}"},
                                                                        {"Omega_x", "\\Omega_{x}"},
                                                                        {"p_theta1", "p_{\\theta_{1}}"},
                                                                        {"k_spring", "k_{\\mathrm{spring}}"},
                                                                        {"I1", "I_{1}"},
                                                                        {"dot", "\\mathrm{dot}"},
                                                                        {"th", "\\theta"},
                                                                        {"th1dot", "\\dot{\\theta}_{1}"},
                                                                        {"thdot", "\\dot{\\theta}"},
                                                                        {"vth", "v_{\\theta}"},
                                                                        {"wpsi", "w_{\\psi}"},
                                                                        {"wph2", "w_{\\phi, 2}"},
                                                                        {"p_wpsi", "p_{w_{\\psi}}"},
                                                                        {"p_vx1", "p_{v_{x, 1}}"},
                                                                        {"Iphi", "I_{\\phi}"},
                                                                        {"omega1", "\\omega_{1}"},
                                                                        {"omegax", "\\omega_{x}"},
                                                                        {"T_th", "T_{\\mathrm{th}}"},
                                                                        {"meta", "\\mathrm{meta}"},
                                                                        {"pin", "\\mathrm{pin}"},
                                                                        {"cell", "\\mathrm{cell}"},
                                                                        {"deltax", "\\mathrm{deltax}"},
                                                                        {"dtheta", "\\mathrm{dtheta}"},
                                                                        {"_", "\\mathrm{\\_}"}}) {
    EXPECT_EQ(print(graph_.symbol(name), Format::latex), typeset) << name;
  }
}

TEST_F(Printer, TypesetsGreekLetters) {
  const auto shown = [&](const char* name) { return print(graph_.symbol(name), Format::latex); };
  EXPECT_EQ(shown("\u03b8"), "\\theta");
  EXPECT_EQ(shown("\u03c91"), "\\omega_{1}");
  EXPECT_EQ(shown("v\u03b8"), "v_{\\theta}");
  EXPECT_EQ(shown("p_\u03c9"), "p_{\\omega}");
  EXPECT_EQ(shown("\u03b8dot"), "\\dot{\\theta}");
  EXPECT_EQ(shown("\u03b8\u03c6"), "\\theta_{\\phi}");
  EXPECT_EQ(shown("\u03c9x"), "\\omega_{x}");
  EXPECT_EQ(shown("k\u03b8"), "k_{\\theta}");
  EXPECT_EQ(shown("\u0394x"), "\\Delta x");
  EXPECT_EQ(shown("\u0394pos"), "\\Delta \\mathrm{pos}");
  EXPECT_EQ(print(graph_.symbol("\u03b8"), Format::text), "\u03b8");
  EXPECT_EQ(print(graph_.symbol("\u03b8"), Format::sympy), "\u03b8");
}

// Compilers warn of parameters that are not used.
TEST(CFunction, SaysWhichArgumentsItDoesNotUse) {
  Program program;
  program.name = "f";
  program.graph = std::make_shared<Graph>();
  program.variables = {program.graph->symbol("x")};
  program.parameters = {program.graph->symbol("m")};
  program.outputs = {sin(program.variables[0])};
  EXPECT_NE(print_c_function(program).find("(void)p;"), std::string::npos);
  EXPECT_EQ(print_c_function(program).find("(void)u;"), std::string::npos);
  program.outputs = {program.parameters[0] * 2.0};
  EXPECT_EQ(print_c_function(program).find("(void)p;"), std::string::npos);
  EXPECT_NE(print_c_function(program).find("(void)u;"), std::string::npos);
}

TEST(CFunction, SpellsGreekLettersOut) {
  Program program;
  program.name = "\u03a9-motion";
  program.graph = std::make_shared<Graph>();
  program.variables = {program.graph->symbol("\u03b8"), program.graph->symbol("theta")};
  program.outputs = {program.variables[0] * program.variables[1]};
  const std::string text = print_c_function(program);
  EXPECT_NE(text.find("u[0] = theta */"), std::string::npos) << text;
  EXPECT_NE(text.find("u[1] = theta_ */"), std::string::npos) << text;
  EXPECT_NE(text.find("void Omega_motion("), std::string::npos) << text;
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; }));
}

TEST_F(Printer, NamesTheLargerAndTheSmallerOfTwo) {
  EXPECT_EQ(text("max(x, y)*min(x, 1)"), "min(x, 1)*max(x, y)");
  EXPECT_EQ(latex("max(x, y)"), "\\max(x, y)");
  EXPECT_EQ(sympy("min(x, y)"), "Min(x, y)");
  EXPECT_EQ(c("max(x, y)"), "(x > y ? x : y)");
}

TEST_F(Printer, LatexReadsLikeATextbook) {
  EXPECT_EQ(latex("m*l^2*thetadot^2/2 - m*g*l*(1 - cos(theta))"),
            "\\frac{1}{2} m l^{2} \\dot{\\theta}^{2} - m g l (1 - \\cos \\theta)");
  EXPECT_EQ(latex("sin(theta)^2*cos(2*theta)"), "\\sin^{2} \\theta \\cos(2 \\theta)");
  EXPECT_EQ(latex("-g*sin(theta)/l"), "-\\frac{g \\sin \\theta}{l}");
  EXPECT_EQ(latex("(x + y)/2"), "\\frac{x + y}{2}");
  EXPECT_EQ(latex("sqrt(x^2 + y^2)"), "\\sqrt{x^{2} + y^{2}}");
  EXPECT_EQ(latex("exp(-gamma*x)"), "\\mathrm{e}^{-\\gamma x}");
  EXPECT_EQ(latex("mass*speed*x"), "\\mathrm{mass} \\, \\mathrm{speed} \\, x");
  EXPECT_EQ(latex("2*3^x"), "2 \\cdot 3^{x}");
  EXPECT_EQ(latex("x*(y/2 + 1)^2"), "x \\left(\\frac{1}{2} y + 1\\right)^{2}");
  EXPECT_EQ(latex("abs(x) + log(y)"), latex("log(y) + abs(x)"));
}

// \cos \theta x reads as the cosine of a product.
TEST_F(Printer, LatexHasFunctionsLastInAProduct) {
  const auto rate = graph_.symbol("d(x)/dt");
  PrintOptions renamed;
  renamed.rename["d(x)/dt"] = "\\dot{x}";
  const auto typeset = [&](Expr f) { return print(f, Format::latex, renamed); };
  EXPECT_EQ(typeset(read("m*cos(theta)") * rate), "m \\dot{x} \\cos \\theta");
  EXPECT_EQ(typeset(read("sin(theta)^2*cos(theta)") * rate), "\\dot{x} \\sin^{2} \\theta \\cos \\theta");
  EXPECT_EQ(typeset(read("cos(2*theta)") * rate), "\\dot{x} \\cos(2 \\theta)");
  EXPECT_EQ(typeset(read("log(x)*(x + y)") * rate), "(x + y) \\dot{x} \\ln x");
  EXPECT_EQ(typeset(read("sin(theta)/l") * rate), "\\frac{\\dot{x} \\sin \\theta}{l}");
  EXPECT_EQ(typeset(graph_.share(read("x*sin(theta)")) * read("y*sin(z)")), "x y \\sin \\theta \\sin z");
  EXPECT_EQ(latex("cos(2*theta)^(3/2)"), "(\\cos(2 \\theta))^{3/2}");
}

TEST_F(Printer, CollectsEqualFactors) {
  const Expr drag = graph_.share(read("vx*abs(vx)")) * scope_["vx"];
  EXPECT_EQ(print(drag), "vx^2*abs(vx)");
  EXPECT_EQ(print(drag, Format::latex), "v_{x}^{2} \\left|v_{x}\\right|");
  EXPECT_EQ(print(1.0 / (graph_.share(read("x*y")) * scope_["x"])), "1/(x^2*y)");
  const Expr root = graph_.share(read("y*sqrt(x)")) * read("sqrt(x)");
  EXPECT_EQ(print(root), "sqrt(x)*sqrt(x)*y") << "not x below 0";
}

TEST_F(Printer, RenamesAndOpensLets) {
  const Expr a = graph_.let("a", read("x + y"));
  const Expr f = a * scope_["z"];
  EXPECT_EQ(print(f), "a*z");
  PrintOptions open;
  open.open_lets = true;
  EXPECT_EQ(print(f, Format::text, open), "(x + y)*z");
  PrintOptions renamed;
  renamed.rename["z"] = "\\zeta'";
  EXPECT_EQ(print(pow(scope_["z"], std::int64_t{2}), Format::latex, renamed), "{\\zeta'}^{2}");
}

TEST_F(Printer, CUsesDoublesProductsAndTheLibrary) {
  EXPECT_EQ(c("0.3"), "3.0/10.0");
  EXPECT_EQ(c("x^2*y"), "x*x*y");
  EXPECT_EQ(c("m*x/2"), "0.5*m*x");
  EXPECT_EQ(c("sqrt(x)/abs(y)"), "sqrt(x)/fabs(y)");
  EXPECT_EQ(c("(x + y)^2"), "pow(x + y, 2.0)");
  EXPECT_EQ(c("x^y"), "pow(x, y)");
  EXPECT_EQ(c("select(x, y, 1, z)"), "(x > y ? 1.0 : z)");
}

TEST_F(Printer, SympyUsesExactNumbersAndItsOwnNames) {
  EXPECT_EQ(sympy("0.3"), "Rational(3, 10)");
  EXPECT_EQ(sympy("x^2 + abs(y)"), "x**2 + Abs(y)");
  EXPECT_EQ(sympy("x^(1/3)"), "x**Rational(1, 3)");
  EXPECT_EQ(sympy("lambda*x"), "Symbol('lambda')*x");
  EXPECT_EQ(sympy("Rational*x/3"), "Symbol('Rational')*x/3");
  EXPECT_EQ(sympy("select(x, y, 1, z)"), "Piecewise((1, x > y), (z, True))");
}

/// A file tree that goes away with the test.
class ScratchDirectory {
 public:
  ScratchDirectory()
      : path(std::filesystem::temp_directory_path() / ("herglotz_c_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path);
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::filesystem::path path;
};

TEST(CFunction, ComputesWhatTheGraphComputes) {
  Program program;
  program.name = "random-program";
  program.graph = std::make_shared<Graph>();
  RandomExpression random(*program.graph, 11);
  program.variables = {random.symbols[0], random.symbols[2]};
  program.parameters = {random.symbols[1], random.symbols[3]};
  for (int i = 0; i < 40; ++i) program.outputs.push_back(random(1 + i % 5));
  Expr deep = random.symbols[0];
  for (int i = 0; i < 3000; ++i) deep = sin(deep + random.symbols[1]);
  program.outputs.push_back(deep);
  program.outputs.push_back(program.graph->let("named", random(3)) * sign(random.symbols[0] - random.symbols[1]));
  program.outputs.push_back(floor(3.0 * random.symbols[0]) * random.symbols[1]);

  const ScratchDirectory scratch;
  const std::string source = (scratch.path / "f.c").string();
  const std::string library = (scratch.path / "f.so").string();
  std::ofstream(source) << print_c_function(program);
  ASSERT_EQ(std::system(
                ("cc -std=c99 -Wall -Wextra -Werror -O0 -shared -fPIC -o " + library + " " + source + " -lm").c_str()),
            0);
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  using Function = void (*)(const double*, const double*, double*);
  const auto function = reinterpret_cast<Function>(dlsym(handle, "random_program"));
  ASSERT_NE(function, nullptr);
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> point = random.point();
    const std::vector<double> u{point[0], point[2]};
    const std::vector<double> p{point[1], point[3]};
    std::vector<double> out(program.outputs.size());
    function(u.data(), p.data(), out.data());
    const std::vector<double> expected = evaluate(program.outputs, random.symbols, point);
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_NEAR(out[i], expected[i], 1e-10 * (1 + std::abs(expected[i]))) << "output " << i;
    }
  }
  dlclose(handle);
}

TEST(Sharing, NamedSubexpressionsGiveTheSameValue) {
  Graph graph;
  const std::vector<Expr> symbols{graph.symbol("x"), graph.symbol("t1")};
  Expr f = symbols[0] + sin(symbols[1]);
  for (int i = 0; i < 60; ++i) f = sin(f) * f + cos(f / 3.0);
  EXPECT_THROW(print(f), std::length_error);
  const std::vector<Expr> outputs{f, f * f};
  const Named named = common_subexpressions(outputs);
  ASSERT_FALSE(named.where.empty());
  EXPECT_EQ(named.where.front().first, "s1");
  std::vector<Expr> names = symbols;
  std::vector<double> values{0.3, 0.8};
  std::size_t characters = 0;
  for (const auto& [name, part] : named.where) {
    values.push_back(evaluate(part, names, values));
    names.push_back(graph.symbol(name));
    characters += print(part).size();
  }
  EXPECT_LT(characters, 10'000U);
  const std::vector<double> point{0.3, 0.8};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double expected = evaluate(outputs[i], symbols, point);
    EXPECT_NEAR(evaluate(named.expressions[i], names, values), expected, 1e-9 * (1 + std::abs(expected)));
  }
}

TEST(Sharing, ShortExpressionsStayWhole) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const std::vector<Expr> outputs{sin(x + 1.0) * cos(x + 1.0)};
  const Named named = common_subexpressions(outputs);
  EXPECT_TRUE(named.where.empty());
  EXPECT_EQ(named.expressions, outputs);
}

TEST(Printing, DeepExpressionsPrintWithoutRecursion) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr f = x;
  for (int i = 0; i < 100'000; ++i) f = sin(f) + x;
  EXPECT_GT(print(f).size(), 500'000U);
}

}  // namespace
}  // namespace herglotz::symbolic
