#pragma once
/// Compilation of passes over the sites of a family: loops whose lanes are sites.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/kernel/site_loop.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

/// Place that a variable of a pass is read from: an array, at so many sites from the present one.
struct SiteRead {
  std::size_t array = 0;
  std::int64_t offset = 0;
};

/// Use of an output of a pass.
struct SiteWrite {
  enum class How : std::uint8_t {
    store,       ///< array = value
    accumulate,  ///< array += value, with the low-order part that the sum loses in the array `lost`
    sum          ///< the value enters a sum over the sites
  };
  How how = How::store;
  std::size_t array = 0;  ///< for `sum`: the number of the sum
  std::size_t lost = 0;
};

/// Part of a pass that writes some outputs. Phases run in one loop; a phase is `ahead` blocks of sites further than the
/// loop, so that later phases read at all neighbours what it wrote.
struct SitePhase {
  std::size_t outputs = 0;  ///< the number of outputs, which follow those of the phase before
  std::size_t ahead = 0;
};

/// Pass over sites. Every variable of `values` is a read; its parameters are scalars.
struct SiteProgram {
  symbolic::Program values;
  std::vector<SiteRead> reads;
  std::vector<SiteWrite> writes;
  std::vector<SitePhase> phases;
  std::size_t arrays = 0;
  std::size_t sums = 0;
};

/// Compiles a pass. Products are fused into sums where the processor can. Throws CompileError as `compile` does.
kernel::SiteLoop compile_sites(const SiteProgram& program);

}  // namespace herglotz::compile
