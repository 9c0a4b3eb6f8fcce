#pragma once
/// Vectors of Eigen and of the standard library, each seen or copied as the other.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace herglotz::linear {

/// Returns i in the type that counts entries of Eigen.
inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Returns the entries of x, valid as long as x is neither resized nor destroyed.
inline std::span<const double> view(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// Returns a copy of the values as a vector of Eigen.
inline Eigen::VectorXd vector(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), index(values.size()));
}

/// Returns a copy of the entries of x.
inline std::vector<double> entries(const Eigen::VectorXd& x) {
  return {x.data(), x.data() + x.size()};
}

}  // namespace herglotz::linear
