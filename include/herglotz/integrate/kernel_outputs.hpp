#pragma once
/// Places of the outputs of the kernels in Dynamics, by name.

#include <cstddef>

namespace herglotz::integrate {

/// Places of the outputs of Dynamics::balance: L_z, then quantity, scale and source for each law.
struct BalanceOutputs {
  static constexpr std::size_t L_z = 0;
  static constexpr std::size_t quantity(std::size_t law) { return 1 + 3 * law; }
  static constexpr std::size_t scale(std::size_t law) { return 2 + 3 * law; }
  static constexpr std::size_t source(std::size_t law) { return 3 + 3 * law; }
  static constexpr std::size_t count(std::size_t laws) { return 1 + 3 * laws; }
};

/// Places of the outputs of Dynamics::stage: x_dot (n), p (r), F (r), L, L_z, Phi (m).
struct StageOutputs {
  std::size_t n;
  std::size_t r;

  [[nodiscard]] constexpr std::size_t x_dot(std::size_t i) const { return i; }
  [[nodiscard]] constexpr std::size_t p(std::size_t a) const { return n + a; }
  [[nodiscard]] constexpr std::size_t F(std::size_t a) const { return n + r + a; }
  [[nodiscard]] constexpr std::size_t L() const { return n + 2 * r; }
  [[nodiscard]] constexpr std::size_t L_z() const { return n + 2 * r + 1; }
  [[nodiscard]] constexpr std::size_t Phi(std::size_t A) const { return n + 2 * r + 2 + A; }
  [[nodiscard]] constexpr std::size_t count(std::size_t m) const { return Phi(m); }
};

}  // namespace herglotz::integrate
