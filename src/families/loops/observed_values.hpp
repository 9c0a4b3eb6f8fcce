#pragma once
/// Values of the observables of a model at a row.

#include <span>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/kernel.hpp"

namespace herglotz::families {

class ObservedValues {
 public:
  explicit ObservedValues(Model& model);

  /// Returns the values for the sums of the sites, in the order of `sum_observables`.
  std::vector<double> operator()(std::span<const double> sums, double z, double t);

 private:
  std::vector<double> parameters_;
  kernel::Kernel kernel_;  // empty without observables
  std::vector<double> work_;
};

}  // namespace herglotz::families
