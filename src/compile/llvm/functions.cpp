#include "llvm/functions.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "elementary/doubles.hpp"
#include "elementary/functions_of.hpp"
#include "herglotz/compile/compile.hpp"
#include "llvm/cpu.hpp"

// The functions are declared here, since sleef.h shows only the vector types of the compiler's own target flags. Those
// with fma in their names run on processors with fused multiply-add alone.
extern "C" {
double Sleef_finz_tand1_u10purecfma(double);
double Sleef_cinz_tand1_u10purec(double);
herglotz::compile::SineCosine Sleef_finz_sincosd1_u10purecfma(double);
herglotz::compile::SineCosine Sleef_cinz_sincosd1_u10purec(double);
}

namespace herglotz::compile {

// Without the instruction, each fused product and sum is a call of a function with the same result.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HERGLOTZ_FUSED __attribute__((flatten, target_clones("fma", "default")))
#else
#define HERGLOTZ_FUSED
#endif

namespace {

bool is_near(double angle) {
  return std::abs(angle) <= largest_reduced_angle;
}

}  // namespace

HERGLOTZ_FUSED double call_function(Code code, double a, double b) {
  if (code == Code::tan && !is_near(a))
    return cpu_has_fma() ? Sleef_finz_tand1_u10purecfma(a) : Sleef_cinz_tand1_u10purec(a);
  return function_of(Doubles{}, code, a, b);
}

HERGLOTZ_FUSED SineCosine sine_and_cosine(double a) {
  if (!is_near(a)) return cpu_has_fma() ? Sleef_finz_sincosd1_u10purecfma(a) : Sleef_cinz_sincosd1_u10purec(a);
  const auto [sine, cosine] = sine_and_cosine_near(Doubles{}, a);
  return {sine, cosine};
}

void* far_function(Code code, int lanes) {
  const auto* const name = code == Code::tan ? "tan" : "sincos";
  const auto symbol =
      lanes == 1
          ? fmt::format(fmt::runtime(cpu_has_fma() ? "Sleef_finz_{}d1_u10purecfma" : "Sleef_cinz_{}d1_u10purec"), name)
          : fmt::format("Sleef_finz_{}d{}_u10{}", name, lanes, lanes == 8 ? "avx512f" : "avx2");
  // The scalar functions above are linked, so the library is loaded, and dlsym finds its vector functions too.
  void* const address = dlsym(RTLD_DEFAULT, symbol.c_str());
  if (address == nullptr) {
    throw CompileError(
        fmt::format("the SLEEF library has no {}; install SLEEF 3.5 or later as a shared library", symbol));
  }
  return address;
}

}  // namespace herglotz::compile
