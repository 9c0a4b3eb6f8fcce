// The elementary functions against MPFR's.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bitwise.hpp"
#include "elementary/sine_and_cosine.hpp"
#include "llvm/functions.hpp"

namespace herglotz::compile::test {
namespace {

using Unary = int (*)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Arguments = std::pair<double, double>;

struct Function {
  const char* name;
  Code code;
  symbolic::Op op;
  Unary unary;
  Binary binary;
  double low;  ///< a range of ordinary arguments
  double high;
};

const std::array functions{Function{"exp", Code::exp, symbolic::Op::exp, mpfr_exp, nullptr, -746, 710},
                           Function{"log", Code::log, symbolic::Op::log, mpfr_log, nullptr, 0, 4},
                           Function{"tan", Code::tan, symbolic::Op::tan, mpfr_tan, nullptr, -10, 10},
                           Function{"asin", Code::asin, symbolic::Op::asin, mpfr_asin, nullptr, -1, 1},
                           Function{"acos", Code::acos, symbolic::Op::acos, mpfr_acos, nullptr, -1, 1},
                           Function{"atan", Code::atan, symbolic::Op::atan, mpfr_atan, nullptr, -4, 4},
                           Function{"sinh", Code::sinh, symbolic::Op::sinh, mpfr_sinh, nullptr, -3, 3},
                           Function{"cosh", Code::cosh, symbolic::Op::cosh, mpfr_cosh, nullptr, -3, 3},
                           Function{"tanh", Code::tanh, symbolic::Op::tanh, mpfr_tanh, nullptr, -20, 20},
                           Function{"atan2", Code::atan2, symbolic::Op::atan2, nullptr, mpfr_atan2, -4, 4},
                           Function{"pow", Code::pow, symbolic::Op::pow, nullptr, mpfr_pow, 0, 40}};

std::vector<double> special_numbers() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> numbers{0,
                              5e-324,
                              1e-310,
                              std::numeric_limits<double>::min(),
                              1e-200,
                              0x1p-54,
                              0.3,
                              0.5,
                              1 - 0x1p-53,
                              1,
                              1 + 0x1p-52,
                              1.5,
                              2,
                              3,
                              709.78,
                              711,
                              745.2,
                              0x1p51 + 0.5,
                              0x1p52 + 1,
                              0x1p53 - 1,
                              0x1p53,
                              1e200,
                              std::numeric_limits<double>::max(),
                              infinity,
                              std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0, count = numbers.size(); i < count; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

/// Special numbers, numbers of the ordinary range, of moderate size and of any size; for powers also such that the
/// result is huge or tiny, and for tangents the doubles next to multiples of pi/2.
std::vector<Arguments> arguments_of(const Function& function) {
  std::mt19937_64 random(17);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto of_size = [&](int smallest, int sizes) {
    return std::ldexp(between(1, 2), smallest + static_cast<int>(random() % static_cast<unsigned>(sizes))) *
           (random() % 2 == 0 ? 1 : -1);
  };
  std::vector<Arguments> result;
  for (const double x : special_numbers()) {
    for (const double y : special_numbers()) {
      if (function.binary != nullptr || std::isinf(y)) result.emplace_back(x, y);
    }
  }
  for (int i = 0; i < 2000; ++i) {
    result.emplace_back(between(function.low, function.high), between(function.low, function.high));
    result.emplace_back(of_size(-40, 60), of_size(-40, 60));
    result.emplace_back(of_size(-1060, 2080), of_size(-1060, 2080));
    if (function.code == Code::pow) {
      const double x = std::exp(of_size(-20, 20));
      result.emplace_back(x, between(-745, 709) / std::log(x));
    } else if (function.code == Code::tan) {
      const auto k = static_cast<long double>(random() >> (35 + random() % 29));
      result.emplace_back(static_cast<double>(k * std::numbers::pi_v<long double> / 2), 0);
    }
  }
  if (function.code == Code::tan)
    std::erase_if(result, [](const Arguments& at) { return std::abs(at.first) > largest_reduced_angle; });
  return result;
}

/// Numbers of 200 bits with the exponents that MPFR has by default.
class Exact {
 public:
  Exact() {
    for (auto* const number : {x_, y_, result_}) mpfr_init2(number, 200);
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() {
    for (auto* const number : {x_, y_, result_}) mpfr_clear(number);
  }

  /// Evaluates, and returns the result as a double.
  double evaluate(const Function& function, const Arguments& at) {
    mpfr_set_d(x_, at.first, MPFR_RNDN);
    mpfr_set_d(y_, at.second, MPFR_RNDN);
    if (function.unary != nullptr)
      function.unary(result_, x_, MPFR_RNDN);
    else
      function.binary(result_, x_, y_, MPFR_RNDN);
    return mpfr_get_d(result_, MPFR_RNDN);
  }

  /// Returns the distance of a finite number from the last result, which is finite and not 0, in units in the last
  /// place.
  double distance(double found) {
    const auto last = std::max<long>(mpfr_get_exp(result_) - 53, -1074);
    mpfr_sub_d(x_, result_, found, MPFR_RNDN);
    mpfr_mul_2si(x_, x_, -last, MPFR_RNDN);
    return std::abs(mpfr_get_d(x_, MPFR_RNDN));
  }

 private:
  mpfr_t x_;
  mpfr_t y_;
  mpfr_t result_;
};

TEST(ElementaryFunctions, AreWithinAUnitInTheLastPlace) {
  constexpr double smallest = std::numeric_limits<double>::min();
  constexpr double largest = std::numeric_limits<double>::max();
  Exact exact;
  for (const auto& function : functions) {
    SCOPED_TRACE(function.name);
    double worst = 0;
    double worst_of_subnormal = 0;
    for (const auto& at : arguments_of(function)) {
      const double found = call_function(function.code, at.first, at.second);
      const double expected = exact.evaluate(function, at);
      if (std::isinf(found) && std::abs(expected) == largest) continue;
      if (!std::isfinite(expected) || expected == 0 || !std::isfinite(found)) {
        ASSERT_TRUE(same(found, expected) || (expected == 0 && std::abs(found) == 5e-324))
            << at.first << ", " << at.second << ": " << found << ", not " << expected;
        continue;
      }
      auto& most = std::abs(expected) < smallest ? worst_of_subnormal : worst;
      most = std::max(most, exact.distance(found));
    }
    EXPECT_LT(worst, 0.96);
    EXPECT_LE(worst_of_subnormal, 1.0);
  }
}

TEST(ElementaryFunctions, HaveTheSameBitsInMachineCodeAtEveryWidth) {
  for (const auto& function : functions) {
    SCOPED_TRACE(function.name);
    auto graph = std::make_shared<symbolic::Graph>();
    const auto x = graph->symbol("x");
    const auto y = graph->symbol("y");
    const auto value = function.code == Code::pow     ? symbolic::pow(x, y)
                       : function.code == Code::atan2 ? symbolic::atan2(x, y)
                                                      : graph->function(function.op, std::array{x});
    const symbolic::Program program{function.name, graph, {x, y}, {}, {value}};
    auto places = arguments_of(function);
    if (function.code == Code::tan)
      for (const double huge : {1e10, -1e18, 1e300}) places.emplace_back(huge, 0);
    // Special and ordinary numbers side by side.
    std::shuffle(places.begin(), places.end(), std::mt19937_64(5));
    std::vector<std::vector<double>> u;
    for (const auto& [first, second] : places) u.push_back({first, second});
    const std::vector<std::vector<double>> p(u.size());
    for (const int lanes : {1, 4, 8}) {
      if (lanes > native_lanes()) continue;
      const auto found = run(compile(program, {Backend::llvm, lanes, 200}), u, p);
      for (std::size_t i = 0; i < u.size(); ++i) {
        ASSERT_TRUE(same(found[i][0], call_function(function.code, u[i][0], u[i][1])))
            << u[i][0] << ", " << u[i][1] << " in " << lanes << " lanes";
      }
    }
  }
}

TEST(ElementaryFunctions, OfHugeAnglesAreThoseOfTheLibrary) {
  for (const double x : {1e10, -1e18, 1e300}) {
    const auto [sine, cosine] = sine_and_cosine(x);
    EXPECT_NEAR(call_function(Code::tan, x, x), sine / cosine, 1e-15 * std::abs(sine / cosine)) << x;
  }
  EXPECT_TRUE(std::isnan(call_function(Code::tan, std::numeric_limits<double>::infinity(), 0)));
}

}  // namespace
}  // namespace herglotz::compile::test
