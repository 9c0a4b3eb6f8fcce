#pragma once
/// Runs between C++ and Python: settings in, arrays and facts out.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::python {

namespace nb = nanobind;
using Array = nb::ndarray<nb::numpy, double>;

/// Values handed to NumPy without a copy.
Array array(std::vector<double> values, std::vector<std::size_t> shape);
const char* name_of(analyse::Role role);
nb::dict facts_of(const analyse::RunFacts& facts);
/// The settings with changes by name. Throws std::invalid_argument for an unknown one.
simulate::Settings settings_of(const simulate::Settings& given, const nb::dict& changes);

/// Asks the interpreter, a few times a second, whether the user wants to stop, and tells it how far a run is.
class Watch {
 public:
  explicit Watch(nb::object progress);
  /// False when the run should stop. To be called without the interpreter's lock.
  bool operator()(double fraction);

 private:
  nb::object progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace herglotz::python
