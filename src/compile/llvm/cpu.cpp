#include "llvm/cpu.hpp"

namespace herglotz::compile {

#if defined(__x86_64__)

bool cpu_has_fma() {
  static const bool has = __builtin_cpu_supports("fma") != 0;
  return has;
}

int cpu_lanes() {
  // The deterministic vector functions use fused multiply-add throughout.
  if (!cpu_has_fma()) return 1;
  if (__builtin_cpu_supports("avx512f") != 0) return 8;
  return __builtin_cpu_supports("avx2") != 0 ? 4 : 1;
}

#else

// Every 64-bit ARM machine has fused multiply-add; its two-lane unit is not supported.
bool cpu_has_fma() {
  return true;
}
int cpu_lanes() {
  return 1;
}

#endif

}  // namespace herglotz::compile
