#pragma once
/// The length of an adaptive step before the end of a run.

#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// A step to be tried in every lane. P is a double or a pack of them.
template <class P>
struct StepChoice {
  P h;
  MaskOf<P> reaches;  ///< the step ends where the run ends
  MaskOf<P> halved;   ///< the step is half of what is left: two equal steps are better than a whole step and a sliver
};

template <class P>
StepChoice<P> choose_step(P h, P left) {
  const MaskOf<P> reaches = magnitude(h) * P(1.000001) >= magnitude(left);
  const MaskOf<P> halved = (magnitude(h) * P(2.0) > magnitude(left)) & !reaches;
  return {select(reaches, left, select(halved, P(0.5) * left, h)), reaches, halved};
}

}  // namespace herglotz::integrate
