#pragma once
/// Runs of the method `reference` that go on with `radau-5` where the motion is stiff.

#include <string_view>

namespace herglotz::integrate {

/// What settings name in place of a method for such runs, which integrate() and integrate_pieces() follow with the
/// kernels of `reference`; it is none of methods(). If the steps of `reference` are found to follow a decay that the
/// motion no longer shows, and more than 20000 like them are left, radau-5 takes the steps from there on, provided that
/// 64 trial steps of it are at least 16 times as long on average; each costs about as much as that. The reason of the
/// outcome says so. Otherwise the run is that of `reference`, to the last bit.
inline constexpr std::string_view reference_by_stiffness = "reference by stiffness";

}  // namespace herglotz::integrate
