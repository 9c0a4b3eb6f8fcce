#include "llvm/functions.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "herglotz/compile/compile.hpp"
#include "llvm/cpu.hpp"
#include "tape/sine_and_cosine.hpp"

// The functions are declared here, since sleef.h shows only the vector types of the compiler's own target flags.
#define HERGLOTZ_SLEEF_UNARY(f)                  \
  double Sleef_finz_##f##d1_u10purecfma(double); \
  double Sleef_cinz_##f##d1_u10purec(double);
#define HERGLOTZ_SLEEF_BINARY(f)                         \
  double Sleef_finz_##f##d1_u10purecfma(double, double); \
  double Sleef_cinz_##f##d1_u10purec(double, double);

extern "C" {
HERGLOTZ_SLEEF_UNARY(exp)
HERGLOTZ_SLEEF_UNARY(log)
HERGLOTZ_SLEEF_UNARY(tan)
HERGLOTZ_SLEEF_UNARY(asin)
HERGLOTZ_SLEEF_UNARY(acos)
HERGLOTZ_SLEEF_UNARY(atan)
HERGLOTZ_SLEEF_UNARY(sinh)
HERGLOTZ_SLEEF_UNARY(cosh)
HERGLOTZ_SLEEF_UNARY(tanh)
HERGLOTZ_SLEEF_BINARY(atan2)
HERGLOTZ_SLEEF_BINARY(pow)
herglotz::compile::SineCosine Sleef_finz_sincosd1_u10purecfma(double);
herglotz::compile::SineCosine Sleef_cinz_sincosd1_u10purec(double);
}

namespace herglotz::compile {

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

struct Function {
  Code code;
  std::string_view name;
  std::array<Unary, 2> unary;  ///< without and with fused multiply-add
  std::array<Binary, 2> binary;
};

#define HERGLOTZ_UNARY(f)                                                          \
  {                                                                                \
    Code::f, #f, {Sleef_cinz_##f##d1_u10purec, Sleef_finz_##f##d1_u10purecfma}, {} \
  }
#define HERGLOTZ_BINARY(f)                                        \
  {                                                               \
    Code::f, #f, {}, {                                            \
      Sleef_cinz_##f##d1_u10purec, Sleef_finz_##f##d1_u10purecfma \
    }                                                             \
  }

constexpr std::array functions{
    Function HERGLOTZ_UNARY(exp),          Function HERGLOTZ_UNARY(log),  Function{Code::sin, "sincos", {}, {}},
    Function{Code::cos, "sincos", {}, {}}, Function HERGLOTZ_UNARY(tan),  Function HERGLOTZ_UNARY(asin),
    Function HERGLOTZ_UNARY(acos),         Function HERGLOTZ_UNARY(atan), Function HERGLOTZ_BINARY(atan2),
    Function HERGLOTZ_UNARY(sinh),         Function HERGLOTZ_UNARY(cosh), Function HERGLOTZ_UNARY(tanh),
    Function HERGLOTZ_BINARY(pow)};

const Function& function_of(Code code) {
  return functions[static_cast<std::size_t>(code) - static_cast<std::size_t>(Code::exp)];
}

/// Operations on one number, for sine_and_cosine_near.
struct Doubles {
  using Number = double;
  static double constant(double value) { return value; }
  static double add(double a, double b) { return a + b; }
  static double subtract(double a, double b) { return a - b; }
  static double multiply(double a, double b) { return a * b; }
  static double negate(double a) { return -a; }
  static double magnitude(double a) { return std::abs(a); }
  static double fused(double a, double b, double c) { return std::fma(a, b, c); }
  static std::uint64_t bits(double a) { return std::bit_cast<std::uint64_t>(a); }
  static bool is_odd(std::uint64_t n) { return (n & 1) != 0; }
  static std::uint64_t plus_one(std::uint64_t n) { return n + 1; }
  static double choose(bool where, double a, double b) { return where ? a : b; }
  static std::uint64_t second_bit_highest(std::uint64_t n) { return n << 62U; }
  static std::uint64_t exclusive_or(std::uint64_t a, std::uint64_t b) { return a ^ b; }
  /// Returns a with the opposite sign if the highest bit of n is set.
  static double flipped(double a, std::uint64_t n) { return (n >> 63U) != 0 ? -a : a; }
};

}  // namespace

double call_function(Code code, double a, double b) {
  const auto& function = function_of(code);
  const std::size_t fused = cpu_has_fma() ? 1 : 0;
  return arity(code) == 2 ? function.binary[fused](a, b) : function.unary[fused](a);
}

SineCosine sine_and_cosine(double a) {
  if (!cpu_has_fma()) return Sleef_cinz_sincosd1_u10purec(a);
  if (!(std::abs(a) <= largest_reduced_angle)) return Sleef_finz_sincosd1_u10purecfma(a);
  const auto [sine, cosine] = sine_and_cosine_near(Doubles{}, a);
  return {sine, cosine};
}

FunctionSymbol function_symbol(Code code, int lanes) {
  const auto name = function_of(code).name;
  std::string symbol;
  if (lanes == 1) {
    symbol =
        fmt::format(fmt::runtime(cpu_has_fma() ? "Sleef_finz_{}d1_u10purecfma" : "Sleef_cinz_{}d1_u10purec"), name);
  } else {
    symbol = fmt::format("Sleef_finz_{}d{}_u10{}", name, lanes, lanes == 8 ? "avx512f" : "avx2");
  }
  // The scalar functions above are linked, so the library is loaded, and dlsym finds its vector functions too.
  void* const address = dlsym(RTLD_DEFAULT, symbol.c_str());
  if (address == nullptr) {
    throw CompileError(
        fmt::format("the SLEEF library has no {}; install SLEEF 3.5 or later as a shared library", symbol));
  }
  return {symbol, address};
}

}  // namespace herglotz::compile
