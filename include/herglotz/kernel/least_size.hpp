#pragma once
/// The state that adaptive methods take for rest at the origin.

namespace herglotz::kernel {

/// A state none of whose entries has been larger is at rest at the origin to adaptive methods: errors are compared with
/// 1 there, as where all entries are 0. Shares of a larger size, and their products with the error that a step may
/// make, have all the digits of a double, so that weights of errors are finite.
inline constexpr double least_size = 1e-280;

}  // namespace herglotz::kernel
