#pragma once
/// The log likelihood of measured runs, as a function of their unknowns.

#include <memory>
#include <vector>

#include "runs/vector_function.hpp"

namespace herglotz::python {

/// A run with measurements of its columns, as (time, column).
struct MeasuredRuns {
  std::shared_ptr<VectorFunction> runs;
  std::vector<std::size_t> places;        ///< of the vector of the run in that of all unknowns
  std::vector<double> measured;           ///< NaN: a value is missing
  std::vector<double> deviations;         ///< standard deviations of the values; of no account for the next
  std::vector<std::ptrdiff_t> unknown{};  ///< by column: the place of its standard deviation among the unknowns, or -1
};

/// The logarithm of the density of measurements with independent normal errors,
/// -sum (r^2/2 + log(s) + log(2 pi)/2), r = (measured - run)/s. Operations throw Refused for standard deviations that
/// are not positive if `raises`; otherwise the value is NaN there.
class LogLikelihood : public VectorFunction {
 public:
  LogLikelihood(std::vector<MeasuredRuns> of, std::size_t size, bool raises);

  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] const Shape& shape() const override { return shape_; }
  void values(std::span<const double> u, std::span<double> into, const Attend& attend) override;
  void jacobians(std::span<const double> u, std::span<double> into, const Attend& attend) override;
  void gradients(std::span<const double> u, std::span<const double> c, std::span<double> into,
                 const Attend& attend) override;

 private:
  void require_deviations(std::span<const double> u) const;

  std::vector<MeasuredRuns> of_;
  std::size_t size_;
  bool raises_;
  Shape shape_{};
};

}  // namespace herglotz::python
