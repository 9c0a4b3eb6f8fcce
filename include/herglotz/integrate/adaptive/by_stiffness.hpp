#pragma once
/// Runs of the method `reference` that go on with `radau-5` where the motion is stiff.

#include <string_view>

namespace herglotz::integrate {

/// Name that settings give in place of a method for such runs. It is not in methods(); integrate() and
/// integrate_pieces() accept it, with the kernels of `reference`. The run takes the steps of `reference`, to the last
/// bit, until these are found to be held short by a decay that the motion no longer shows. If more than 20000 steps are
/// then left, 64 steps of radau-5 are tried, each of which costs about as much as 16 explicit ones. Where they are at
/// least 16 times as long on average, radau-5 takes the rest of the run, and the reason of the outcome says so.
inline constexpr std::string_view reference_by_stiffness = "reference by stiffness";

}  // namespace herglotz::integrate
