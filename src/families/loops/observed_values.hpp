#pragma once
/// Values of the observables and of the functions of the events of a model at a row.

#include <span>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "loops/motion.hpp"

namespace herglotz::families {

class ObservedValues {
 public:
  explicit ObservedValues(Model& model);

  void set_parameters(const std::vector<double>& values) { parameters_ = values; }

  /// Puts the values into a row that has the action and the energy. The sums of the sites are in the order of
  /// `sum_watched`.
  void put(Observed& row, std::span<const double> sums, double t);

 private:
  std::size_t observables_;
  std::vector<double> parameters_;
  kernel::Kernel kernel_;          // empty without observables
  std::vector<std::size_t> read_;  // the sum of each variable
  std::vector<double> work_;
};

}  // namespace herglotz::families
