#pragma once
/// Numbers as text that keeps their bits.

#include <string>
#include <vector>

namespace herglotz::report {

/// Returns the numbers as base64 of their bits, the least significant byte first. This is shorter than decimals, and
/// exact.
std::string packed(const std::vector<double>& values);

}  // namespace herglotz::report
