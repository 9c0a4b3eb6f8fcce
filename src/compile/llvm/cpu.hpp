#pragma once
/// What the vector unit of this machine offers.

namespace herglotz::compile {

bool cpu_has_fma();
/// The widest lane count machine code can use: 8, 4 or 1.
int cpu_lanes();

}  // namespace herglotz::compile
