#pragma once
/// Features of the vector unit of this machine.

namespace herglotz::compile {

bool cpu_has_fma();
/// Returns the widest lane count machine code can use: 8, 4 or 1.
int cpu_lanes();

}  // namespace herglotz::compile
