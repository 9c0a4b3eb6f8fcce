#pragma once
/// Nonlinear programmes with sparse derivatives.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace herglotz::optimise {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Places of the entries of a sparse matrix; entries at one place add up.
struct Places {
  std::vector<int> row;
  std::vector<int> col;

  [[nodiscard]] std::size_t size() const { return row.size(); }
  void add(std::size_t i, std::size_t j) {
    row.push_back(static_cast<int>(i));
    col.push_back(static_cast<int>(j));
  }
};

/// Places of unknowns and constraints along a chain, such as intervals of time. The Lagrange function couples two of
/// them only if they have the same place, if their places are neighbours, or if one of them is on the border, place -1.
struct Chain {
  std::vector<int> unknown;
  std::vector<int> constraint;
};

/// Nonlinear programme: minimise f(x) with lower <= x <= upper and g_lower <= g(x) <= g_upper. The Lagrange function is
/// f + mu g, with mu of any sign for equations.
class Nlp {
 public:
  Nlp() = default;
  Nlp(const Nlp&) = delete;
  Nlp& operator=(const Nlp&) = delete;
  virtual ~Nlp() = default;

  /// Returns the bounds; if both are equal, x stays there or g is an equation.
  [[nodiscard]] virtual const std::vector<double>& lower() const = 0;
  [[nodiscard]] virtual const std::vector<double>& upper() const = 0;
  [[nodiscard]] virtual const std::vector<double>& g_lower() const = 0;
  [[nodiscard]] virtual const std::vector<double>& g_upper() const = 0;

  [[nodiscard]] virtual double objective(std::span<const double> x) = 0;
  virtual void gradient(std::span<const double> x, std::span<double> values) = 0;
  virtual void constraints(std::span<const double> x, std::span<double> values) = 0;
  [[nodiscard]] virtual const Places& jacobian_places() const = 0;
  virtual void jacobian(std::span<const double> x, std::span<double> values) = 0;
  /// Returns the places of the lower triangle of d^2 (weight f + mu g)/dx^2.
  [[nodiscard]] virtual const Places& hessian_places() const = 0;
  virtual void hessian(std::span<const double> x, double weight, std::span<const double> mu,
                       std::span<double> values) = 0;

  /// Returns the chain, or empty lists if the programme has no chain. With a chain, the cost of a step is linear in the
  /// length of the chain.
  [[nodiscard]] virtual Chain chain() const { return {}; }
};

}  // namespace herglotz::optimise
