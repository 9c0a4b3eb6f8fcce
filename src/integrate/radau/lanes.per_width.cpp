// This file is compiled once for each width of registers, which CMake defines.
#include "radau/lanes.hpp"

#include "drive/adaptive_in_lanes.hpp"
#include "radau/step.hpp"

namespace herglotz::integrate {

template <int W>
void follow_radau(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic) {
  AdaptiveInLanes<W, RadauMotion<Pack<W>>, RadauStep<Pack<W>>>(wide, how, traffic)();
}
template void follow_radau<HERGLOTZ_WIDTH>(const Dynamics& wide, const AdaptiveLanes& how, LaneFeed& traffic);

}  // namespace herglotz::integrate
