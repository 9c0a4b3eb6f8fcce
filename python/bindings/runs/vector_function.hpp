#pragma once
/// Functions of vectors that are computed with their first derivatives: what other libraries differentiate.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace herglotz::python {

using Shape = std::vector<std::size_t>;
/// Called now and then during an operation, by the thread that called it; what it throws ends the operation. It must
/// be no std::runtime_error, with which runs fail.
using Attend = std::function<void()>;

/// The product of the dimensions.
std::size_t entries_of(const Shape& shape);

/// A function f of vectors u. Each operation takes and writes numbers of any count of members, one after the other,
/// and may be called from several threads.
class VectorFunction {
 public:
  VectorFunction() = default;
  VectorFunction(const VectorFunction&) = delete;
  VectorFunction& operator=(const VectorFunction&) = delete;
  virtual ~VectorFunction() = default;

  /// Returns the number of entries of a vector.
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Returns the shape of f(u) for one vector.
  [[nodiscard]] virtual const Shape& shape() const = 0;
  /// Writes f(u) of each vector.
  virtual void values(std::span<const double> u, std::span<double> into, const Attend& attend) = 0;
  /// Writes df/du of each vector, as (value, entry of u).
  virtual void jacobians(std::span<const double> u, std::span<double> into, const Attend& attend) = 0;
  /// Writes the derivative of the sum of c times f(u) of each vector, with c of the shape of f(u).
  virtual void gradients(std::span<const double> u, std::span<const double> c, std::span<double> into,
                         const Attend& attend) = 0;
};

/// Arrays of one shape as one array, with leading dimensions.
struct Members {
  std::span<const double> numbers;
  Shape leading;
};

/// Returns the leading dimensions that two arrays have together, by the rules of NumPy. Throws Refused if there are
/// none.
Shape broadcast(const Shape& one, const Shape& other);

/// Writes the derivatives of f(u) along du; leading dimensions are broadcast. Derivatives by entries along which du is
/// zero do not count, and need not be defined.
void along(VectorFunction& f, const Members& u, const Members& du, std::span<double> into, const Attend& attend);

/// Writes the derivatives of the sums of c times f(u); leading dimensions are broadcast.
void back(VectorFunction& f, const Members& u, const Members& c, std::span<double> into, const Attend& attend);

}  // namespace herglotz::python
