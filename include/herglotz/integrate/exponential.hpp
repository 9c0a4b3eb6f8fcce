#pragma once
/// Canonical coordinates eta of a Lie group near its identity, g = exp(eta).

#include <optional>
#include <span>
#include <vector>

namespace herglotz::integrate {

/// Derivatives of log at exp(eta), matrices (r x r) row by row:
///   d log(exp(s e) exp(eta))/ds = D e,   d log(exp(eta) exp(s e))/ds = (D + ad) e,   D = ad/(e^ad - 1).
struct LogarithmSlopes {
  std::vector<double> left;   ///< D
  std::vector<double> right;  ///< D + ad
};

/// Computes them for the structure constants c^k_ij at [(k r + i) r + j]. [HLW06, III.4.1]. Returns `std::nullopt` at
/// and beyond the first pole of D, where exp is not a local diffeomorphism.
std::optional<LogarithmSlopes> logarithm_slopes(std::span<const double> constants, std::span<const double> eta);

}  // namespace herglotz::integrate
