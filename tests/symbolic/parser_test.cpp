#include "herglotz/symbolic/parser.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::symbolic {
namespace {

class Parser : public ::testing::Test {
 protected:
  Parser() {
    for (const char* name : {"x", "y", "theta", "omega", "m", "I1"}) scope_[name] = graph_.symbol(name);
  }

  Expr read(std::string_view text) { return parse(graph_, text, scope_); }

  /// At x = 0.7, y = 1.3, theta = 0.4, omega = -2, m = 3, I1 = 1.5.
  double value(std::string_view text) {
    std::vector<Expr> symbols;
    for (const char* name : {"x", "y", "theta", "omega", "m", "I1"}) symbols.push_back(scope_[name]);
    return evaluate(read(text), symbols, std::vector<double>{0.7, 1.3, 0.4, -2.0, 3.0, 1.5});
  }

  /// "line:column: what; remedy" of the error, or "" when the text is accepted.
  std::string error(std::string_view text, const ParseLimits& limits = {}) {
    try {
      parse(graph_, text, scope_, limits);
    } catch (const ParseError& e) {
      return std::to_string(e.line) + ":" + std::to_string(e.column) + ": " + e.what();
    }
    return "";
  }

  Graph graph_;
  Scope scope_;
};

TEST_F(Parser, ReadsNumbersExactly) {
  EXPECT_EQ(read("0.3").rational(), *Rational::make(3, 10));
  EXPECT_EQ(read(".5").rational(), *Rational::make(1, 2));
  EXPECT_EQ(read("2.").rational(), Rational(2));
  EXPECT_EQ(read("1e-3").rational(), *Rational::make(1, 1000));
  EXPECT_EQ(read("1.5E2").rational(), Rational(150));
  EXPECT_EQ(read("1/3").rational(), *Rational::make(1, 3));
  EXPECT_EQ(read("0e999999999").rational(), Rational(0));
  EXPECT_EQ(read("6.02214076e23").value(), 6.02214076e23);
  EXPECT_EQ(read("1.0545718176461565e-34").value(), 1.0545718176461565e-34);
  EXPECT_EQ(read("pi").value(), std::numbers::pi);
}

TEST_F(Parser, PowersBindTighterThanSignsAndAssociateToTheRight) {
  EXPECT_EQ(value("-x^2"), -0.7 * 0.7);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2**3**2"), 512.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("-x^-2"), -std::pow(0.7, -2));
  EXPECT_DOUBLE_EQ(value("y^-x^2"), std::pow(1.3, -0.49));
  EXPECT_DOUBLE_EQ(value("(-x)^2"), 0.49);
  EXPECT_DOUBLE_EQ(value("2^-(x)"), std::pow(2.0, -0.7));
  EXPECT_DOUBLE_EQ(value("--x"), 0.7);
  EXPECT_DOUBLE_EQ(value("x - -y"), 2.0);
  EXPECT_DOUBLE_EQ(value("x*-y"), -0.91);
  EXPECT_DOUBLE_EQ(value("x/-y^2"), -0.7 / 1.69);
}

TEST_F(Parser, SumsAndProductsAssociateToTheLeft) {
  EXPECT_DOUBLE_EQ(value("x - y - m"), 0.7 - 1.3 - 3.0);
  EXPECT_DOUBLE_EQ(value("m/x/y"), 3.0 / 0.7 / 1.3);
  EXPECT_DOUBLE_EQ(value("m/x*y"), 3.0 / 0.7 * 1.3);
  EXPECT_DOUBLE_EQ(value("m/(x*y)"), 3.0 / (0.7 * 1.3));
  EXPECT_DOUBLE_EQ(value("x + y*m^2/2 - 1"), 0.7 + 1.3 * 9 / 2 - 1);
  EXPECT_DOUBLE_EQ(value("x - (y - m)"), 0.7 - 1.3 + 3.0);
}

TEST_F(Parser, ReadsEveryFunctionOfTheGrammar) {
  EXPECT_DOUBLE_EQ(value("sqrt(x) + exp(x) + log(x)"), std::sqrt(0.7) + std::exp(0.7) + std::log(0.7));
  EXPECT_DOUBLE_EQ(value("sin(x) + 2*cos(x) + 3*tan(x)"), std::sin(0.7) + 2 * std::cos(0.7) + 3 * std::tan(0.7));
  EXPECT_DOUBLE_EQ(value("asin(x) + 2*acos(x) + 3*atan(x)"), std::asin(0.7) + 2 * std::acos(0.7) + 3 * std::atan(0.7));
  EXPECT_DOUBLE_EQ(value("atan2(omega, x)"), std::atan2(-2.0, 0.7));
  EXPECT_DOUBLE_EQ(value("sinh(x)+2*cosh(x)+3*tanh(x)"), std::sinh(0.7) + 2 * std::cosh(0.7) + 3 * std::tanh(0.7));
  EXPECT_DOUBLE_EQ(value("abs(omega)"), 2.0);
  EXPECT_DOUBLE_EQ(value("sin (theta) * cos(( I1 ))"), std::sin(0.4) * std::cos(1.5));
}

TEST_F(Parser, ReadsTheLargerAndTheSmallerOfTwo) {
  EXPECT_EQ(value("max(omega, x)"), 0.7);
  EXPECT_EQ(value("min(omega, x)"), -2.0);
  EXPECT_EQ(error("max(x)"), "1:1: max takes 2 arguments but is given 1; write max(a, b)");
  EXPECT_EQ(error("min(x, y, m)"), "1:1: min takes 2 arguments but is given more; write min(a, b)");
  EXPECT_EQ(error("Max(x, y)"), "1:1: unknown function 'Max'; write max");
  EXPECT_EQ(error("Heaviside(x)"), "1:1: unknown function 'Heaviside'; write if(x > 0, 1, 0)");
}

TEST_F(Parser, TakesNamesOfFunctionsThatAreSuchBeforeAParenthesisOnly) {
  scope_["max"] = graph_.symbol("max");
  EXPECT_FALSE(is_reserved("max"));
  EXPECT_EQ(read("max(x, max)"), select(graph_.symbol("x"), scope_["max"], graph_.symbol("x"), scope_["max"]));
  EXPECT_EQ(error("min + x"), "1:1: 'min' is a function; write its argument in parentheses: min(x)");
}

TEST_F(Parser, ReadsChoicesBetweenTwoValues) {
  const Expr x = scope_["x"];
  const Expr y = scope_["y"];
  const Expr one = graph_.number(1);
  const Expr two = graph_.number(2);
  EXPECT_EQ(read("if(x > y, 1, 2)"), select(x, y, one, two));
  EXPECT_EQ(read("if(x < y, 1, 2)"), select(y, x, one, two));
  EXPECT_EQ(read("if(x <= y, 1, 2)"), select(x, y, two, one));
  EXPECT_EQ(read("if(x >= y, 1, 2)"), select(y, x, two, one));
  EXPECT_EQ(read("if(not (x > y), 1, 2)"), read("if(x <= y, 1, 2)"));
  EXPECT_EQ(read("if((x + y)*2 > (x), 1, 2)"), select(2.0 * (x + y), x, one, two));
  EXPECT_EQ(read("if(if(x > y, 1, 2) > if(y > 0, x, y), x, if(x > 2, y, 2))"),
            select(select(x, y, one, two), select(y, graph_.number(0), x, y), x, select(x, two, y, two)));
  EXPECT_EQ(read("-if(x > y, 1, 2)^2 + x"), x - pow(select(x, y, one, two), 2));
}

TEST_F(Parser, ConditionsFollowTheRulesOfLogic) {
  // Every combination of the truth of three comparisons with constants, which fold to one of the branches.
  const std::array<std::pair<std::string, bool (*)(bool, bool, bool)>, 8> conditions{
      {{"A and B or C", [](bool a, bool b, bool c) { return (a && b) || c; }},
       {"A or B and C", [](bool a, bool b, bool c) { return a || (b && c); }},
       {"(A or B) and C", [](bool a, bool b, bool c) { return (a || b) && c; }},
       {"not A and B or not C", [](bool a, bool b, bool c) { return (!a && b) || !c; }},
       {"not (A and (B or not C))", [](bool a, bool b, bool c) { return !(a && (b || !c)); }},
       {"not not A or (not (B) and ((C)))", [](bool a, bool b, bool c) { return a || (!b && c); }},
       {"A or B or C", [](bool a, bool b, bool c) { return a || b || c; }},
       {"A and B and not C", [](bool a, bool b, bool c) { return a && b && !c; }}}};
  for (const auto& [text, truth] : conditions)
    for (int k = 0; k < 8; ++k) {
      const std::array<bool, 3> is{(k & 1) != 0, (k & 2) != 0, (k & 4) != 0};
      std::string folded = text;
      std::string open = text;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::string letter(1, static_cast<char>('A' + i));
        const std::array<std::string, 2> comparisons{is[i] ? "1 < 2" : "2 <= 1", is[i] ? "x > omega" : "m >= 3*m"};
        for (std::string* condition : {&folded, &open})
          condition->replace(condition->find(letter), 1, comparisons[condition == &open ? 1 : 0]);
      }
      const double expected = truth(is[0], is[1], is[2]) ? 1 : 2;
      EXPECT_EQ(value("if(" + folded + ", 1, 2)"), expected) << folded;
      EXPECT_EQ(value("if(" + open + ", 1, 2)"), expected) << open;
    }
}

TEST_F(Parser, AConditionOfAnyLengthHasOneNodeForEachComparison) {
  std::string text = "x > 0";
  for (int k = 1; k < 20'000; ++k) text += (k % 2 == 0 ? " and x > " : " or x > ") + std::to_string(k);
  const std::size_t before = graph_.size();
  EXPECT_TRUE(read("if(" + text + ", x, y)").valid());
  EXPECT_LT(graph_.size() - before, 50'000U);
}

TEST_F(Parser, SaysWhatIsWrongWithACondition) {
  EXPECT_EQ(error("if(x == y, 1, 2)"),
            "1:6: '==' asks whether numbers are equal, which rounded ones never are; compare them by <, <=, > or >= in "
            "the condition of an if");
  EXPECT_NE(error("if(x != y, 1, 2)").find("'!=' asks whether numbers are equal"), std::string::npos);
  EXPECT_EQ(error("1 + (x < y)"),
            "1:8: '<' stands outside a condition; comparisons choose between two values: write if(a < b, x, y)");
  EXPECT_EQ(error("if(x > y, 1)"), "1:1: if takes 3 arguments but is given 2; write if(condition, a, b)");
  EXPECT_EQ(error("if(x > y)"), "1:1: if takes 3 arguments but is given 1; write if(condition, a, b)");
  EXPECT_EQ(error("if()"), "1:1: if takes 3 arguments but is given none; write if(condition, a, b)");
  EXPECT_EQ(error("if(x > y, 1, 2, 3)"), "1:1: if takes 3 arguments but is given more; write if(condition, a, b)");
  EXPECT_EQ(
      error("if(x, 1, 2)"),
      "1:5: a condition compares two numbers, and here is one; write a comparison in front of this place, such as "
      "x > 0");
  EXPECT_NE(error("if(x > 0 and y, 1, 2)").find("a condition compares two numbers"), std::string::npos);
  EXPECT_EQ(error("if(0 < x < 1, 1, 2)"),
            "1:10: a second comparison follows the first one; join them: a < b and b < c");
  EXPECT_EQ(error("if((x > 0)*y > 1, 1, 2)"),
            "1:11: '*' stands behind a condition, which is not a number; go on with 'and' or 'or', or close it");
  EXPECT_EQ(error("if(x + not y > 0, 1, 2)"),
            "1:8: 'not' stands where a value is expected; write a number, a name or a parenthesis here");
  EXPECT_EQ(error("if(x > 0 and, 1, 2)"),
            "1:13: ',' stands where a value is expected; write a number, a name or a parenthesis here");
  EXPECT_NE(error("if(x > 0 and y").find("the '(' of if is never closed"), std::string::npos);
  EXPECT_NE(error("if(x > 0 not y > 0, 1, 2)").find("'not' stands behind a condition"), std::string::npos);
  EXPECT_NE(error("max(x > 0, 1)").find("stands outside a condition"), std::string::npos);
}

TEST_F(Parser, WordsOfConditionsAreNamesElsewhere) {
  for (const char* name : {"and", "or", "not", "if", "floor"}) {
    EXPECT_FALSE(is_reserved(name));
    scope_[name] = graph_.symbol(name);
    EXPECT_EQ(read("2*" + std::string(name)), 2.0 * scope_[name]);
  }
  EXPECT_EQ(read("if(x > 0, and, or) + not"),
            select(scope_["x"], graph_.number(0), scope_["and"], scope_["or"]) + scope_["not"]);
}

TEST_F(Parser, DegIsAConstantUnlessItIsAName) {
  EXPECT_DOUBLE_EQ(value("180*deg"), std::numbers::pi);
  EXPECT_FALSE(is_reserved("deg"));
  scope_["deg"] = graph_.symbol("deg");
  EXPECT_EQ(read("3*deg"), 3.0 * graph_.symbol("deg"));
}

TEST_F(Parser, ReadsGreekLettersInNames) {
  for (const char* name : {"\u03b8", "\u03c9_1", "v\u03b8", "\u03bc", "\u03a9"}) scope_[name] = graph_.symbol(name);
  EXPECT_EQ(read("2*\u03b8 + v\u03b8"), 2.0 * graph_.symbol("\u03b8") + graph_.symbol("v\u03b8"));
  EXPECT_EQ(read("\u03c9_1"), graph_.symbol("\u03c9_1"));
  EXPECT_DOUBLE_EQ(value("\u03c0"), std::numbers::pi);
  EXPECT_TRUE(is_reserved("\u03c0"));
  EXPECT_EQ(read("\u00b5*\u2126"), graph_.symbol("\u03bc") * graph_.symbol("\u03a9"));  // micro and ohm signs
  EXPECT_EQ(error("2\u03b8"), "1:2: '\u03b8' follows '2' without an operator; write a product with *: 2*\u03b8");
  EXPECT_TRUE(is_identifier("\u03b31"));
  EXPECT_FALSE(is_identifier("1\u03b3"));
  EXPECT_FALSE(is_identifier("\u00e9"));
  EXPECT_FALSE(is_identifier("\u0391"));
}

TEST_F(Parser, ReadsWhatDerivativesPrint) {
  EXPECT_EQ(value("sign(omega)"), -1.0);
  EXPECT_EQ(value("select(x, y, 1, 2)"), 2.0);
  EXPECT_EQ(value("floor(-2.5)"), -3.0);
  EXPECT_FALSE(is_reserved("sign"));
  EXPECT_FALSE(is_reserved("floor"));
  scope_["sign"] = graph_.symbol("sign");
  EXPECT_EQ(read("2*sign"), 2.0 * graph_.symbol("sign"));
}

TEST_F(Parser, ALongSumIsOneNode) {
  std::string text = "0";
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "s" + std::to_string(i);
    scope_[name] = graph_.symbol(name);
    text += "+" + name;
  }
  const Expr f = read(text);
  EXPECT_EQ(f.op(), Op::add);
  EXPECT_EQ(f.arity(), 20000U);
}

TEST_F(Parser, CountsLinesAndColumnsFromOne) {
  EXPECT_EQ(error("x +\n  foo_bar"), "2:3: unknown name 'foo_bar'; known names are pi, I1, m, omega, theta, x, y");
  EXPECT_EQ(error("x + $").substr(0, 4), "1:5:");
  EXPECT_EQ(error("x\n\n+ y z").substr(0, 4), "3:5:");
  EXPECT_EQ(error("\u03b8").substr(0, 4), "1:1:");
}

TEST_F(Parser, SuggestsTheNearestNames) {
  EXPECT_EQ(error("m*thete"), "1:3: unknown name 'thete'; did you mean theta?");
  EXPECT_EQ(error("m*omgea"), "1:3: unknown name 'omgea'; did you mean omega?");
  EXPECT_EQ(error("sinn(x)"), "1:1: unknown function 'sinn'; did you mean sign, sin or sinh?");
  EXPECT_EQ(error("ln(x)"), "1:1: unknown function 'ln'; write log");
  EXPECT_EQ(nearest_names("theat", {"beta", "theta", "eta"}), std::vector<std::string>{"theta"});
  EXPECT_EQ(nearest_names("theta", {"phi", "θ"}), std::vector<std::string>{"θ"});
  EXPECT_TRUE(nearest_names(std::string(1000, 'a'), {"a"}).empty());
}

TEST_F(Parser, RefusesImplicitMultiplication) {
  EXPECT_EQ(error("2x"), "1:2: 'x' follows '2' without an operator; write a product with *: 2*x");
  EXPECT_EQ(error("2(x)"), "1:2: '(' follows '2' without an operator; write a product with *: 2*(...)");
  EXPECT_EQ(error("x y"), "1:3: 'y' follows 'x' without an operator; write a product with *: x*y");
  EXPECT_EQ(error("(x)(y)"), "1:4: '(' follows ')' without an operator; write a product with *: (...)*(...)");
  EXPECT_EQ(error("sin x"), "1:1: 'sin' is a function; write its argument in parentheses: sin(x)");
  EXPECT_EQ(error("x(y)"), "1:2: 'x' is not a function; write a product with *: x*(...)");
  EXPECT_EQ(error("x 2"), "1:3: '2' follows 'x' without an operator; write a product with *: x*2");
}

TEST_F(Parser, NamesThePlaceOfTheOpenParenthesis) {
  EXPECT_EQ(error("x*(y + (m - 1)"), "1:3: this '(' is never closed; add the missing ')'");
  EXPECT_EQ(error("2*sin(x + y"), "1:6: the '(' of sin is never closed; add the missing ')'");
  EXPECT_EQ(error("x + y)"), "1:6: ')' closes nothing; remove it, or add the '(' it belongs to");
}

TEST_F(Parser, ChecksArgumentCountsAndDomains) {
  EXPECT_EQ(error("sin()"), "1:1: sin takes 1 argument but is given none; write sin(x)");
  EXPECT_EQ(error("sin(x, y)"), "1:1: sin takes 1 argument but is given more; write sin(x)");
  EXPECT_EQ(error("atan2(x)"), "1:1: atan2 takes 2 arguments but is given 1; write atan2(y, x)");
  EXPECT_EQ(error("sqrt(-2)"), "1:1: sqrt of this constant is not a real number; its argument must be at least 0");
  EXPECT_EQ(error("(-8)^(1/3)").substr(0, 4), "1:5:");
  EXPECT_EQ(error("(x, y)").substr(0, 29), "1:3: a comma outside a call; ");
}

TEST_F(Parser, RefusesDivisionByExactZero) {
  EXPECT_EQ(error("x/0"), "1:2: division by zero; write a divisor that is not exactly 0");
  EXPECT_EQ(error("1/(x - x)").substr(0, 20), "1:2: division by zer");
  EXPECT_EQ(error("0^-1").substr(0, 20), "1:2: division by zer");
}

TEST_F(Parser, RefusesNumbersThatNoDoubleHolds) {
  EXPECT_EQ(error("1e999999999"),
            "1:1: the number '1e999999999' is too large; numbers lie between 1e-307 and 1e308; rescale the units");
  EXPECT_NE(error("1e-999999999").find("too small"), std::string::npos);
  EXPECT_NE(error("0.1e400").find("too large"), std::string::npos);
  EXPECT_NE(error("1e300*1e300*x").find("not a finite number"), std::string::npos);
  EXPECT_NE(error("9.^9^9^9"), "");
  EXPECT_NE(error("7^(5001/10)*x + exp(800)").find("1:2: a constant part"), std::string::npos);
  EXPECT_NE(error("x + exp(800)").find("1:5: a constant part"), std::string::npos);
  EXPECT_EQ(error("1.2.3"), "1:4: a second '.' in the number '1.2'; write one decimal point");
}

TEST_F(Parser, NamesCharactersThatDoNotBelong) {
  EXPECT_EQ(error("x \u2212 y"), "1:3: the non-ASCII character '\u2212' (U+2212); a minus is written -");
  EXPECT_EQ(error("m*\u03b8"), "1:3: unknown name '\u03b8'; did you mean theta?");
  EXPECT_EQ(error("m*\u0391"),
            "1:3: the non-ASCII character '\u0391' (U+0391); it cannot be told from the Latin A; write that");
  EXPECT_EQ(error("m*\u0436"),
            "1:3: the non-ASCII character '\u0436' (U+0436); letters (Latin or Greek), digits, _ . + - * / ^ ( ) and "
            "commas are allowed");
  EXPECT_EQ(error("x = y").substr(0, 30), "1:3: unexpected character '=';");
  EXPECT_EQ(error(std::string_view("x\0y", 3)).substr(0, 35), "1:2: unexpected control character t");
  EXPECT_EQ(error("\xff").substr(0, 38), "1:1: the byte 0xFF is not UTF-8 text; ");
}

TEST_F(Parser, NamesWhatIsMissing) {
  EXPECT_EQ(error(""), "1:1: the expression is empty; write a number, a name or a formula");
  EXPECT_EQ(error("x +"), "1:4: the expression ends where a value is expected; complete it, or drop the operator");
  EXPECT_EQ(error("x * / y"),
            "1:5: '/' stands where a value is expected; write a number, a name or a parenthesis here");
  EXPECT_EQ(error("()"), "1:2: ')' stands where a value is expected; write a number, a name or a parenthesis here");
}

TEST_F(Parser, HostileTextIsACleanError) {
  const ParseLimits roomy{.length = 20'000'000};
  EXPECT_NE(error(std::string(1'000'000, '('), roomy).find("nested deeper than 2000"), std::string::npos);
  EXPECT_NE(error(std::string(10'000'000, '+'), roomy).find("nested deeper"), std::string::npos);
  EXPECT_NE(error(std::string(10'000'000, '+')).find("characters"), std::string::npos);
  EXPECT_NE(error(std::string(1'000'000, '-'), roomy), "");
  std::string powers = "x";
  for (int i = 0; i < 100'000; ++i) powers += "^x";
  EXPECT_NE(error(powers).find("nested deeper"), std::string::npos);
  EXPECT_NE(error(std::string(500, '9')).find("a number of 500 characters"), std::string::npos);
  EXPECT_NE(error(std::string(900'000, 'a')), "");
}

TEST_F(Parser, ConstantPartsThatAreNotFoldedMustBeFiniteToo) {
  EXPECT_NE(error("x + 2.5^100^10.4").find("not a finite number"), std::string::npos);
  EXPECT_NE(error("x*tanh(exp(exp(10)))").find("not a finite number"), std::string::npos);
  EXPECT_NE(error("x + 2100^-210.1").find("not a finite number"), std::string::npos);
  EXPECT_EQ(error("x + 0^2 + atan2(0, 1)^2"), "");
  EXPECT_EQ(error("x + tanh(exp(10))"), "");
}

TEST_F(Parser, DepthAtTheLimitIsAccepted) {
  const std::size_t depth = ParseLimits{}.depth - 2;
  EXPECT_EQ(read(std::string(depth, '(') + "x" + std::string(depth, ')')), scope_["x"]);
}

TEST_F(Parser, EveryMutatedTextIsAValueOrAParseError) {
  const std::vector<std::string> seeds{
      "(alpha*w + vy)^2/2 + ((beta*cos(phi) + 1.5e-3*sin(phi))*w - vx)^2/2 + w^2 + gamma*z",
      "m*omega^2*x - sqrt(1 - y^2)*atan2(y, x)/exp(-theta)", "-x^-2 + 2**3**0.5*pi - select(x, y, sign(m), I1)",
      "((x + y)*(x - y) - tanh(m/(1 + x^2)))^3", "if(not (x > y) and x <= 1 or (y < 2), floor(m), if(w >= x, 1, 2))"};
  for (const char* name : {"alpha", "beta", "gamma", "phi", "w", "vx", "vy", "z"}) scope_[name] = graph_.symbol(name);
  const std::string alphabet = std::string("xym0123456789.e+-*/^(), \n_\"'=\\<>!") + "\xe2\x88\x92\xff" + '\0';
  std::mt19937_64 random(20240229);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int accepted = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t k = below(6) + 1; k > 0; --k) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = alphabet[below(alphabet.size())];
          break;
        case 1:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
          break;
        case 2:
          text.erase(at, 1 + below(3));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(12)));
          break;
      }
    }
    try {
      EXPECT_TRUE(read(text).valid());
      ++accepted;
    } catch (const ParseError& e) {
      EXPECT_GE(e.line, 1U);
      EXPECT_LE(e.column, text.size() + 1) << text;
      EXPECT_NE(std::string(e.what()), "");
      EXPECT_NE(e.remedy(), "");
    }
  }
  EXPECT_GT(accepted, 200);
}

}  // namespace
}  // namespace herglotz::symbolic
