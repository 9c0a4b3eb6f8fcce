#pragma once
/// Runs between C++ and Python: settings in, arrays and facts out.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "herglotz/analyse/roles.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::python {

namespace nb = nanobind;
using Array = nb::ndarray<nb::numpy, double>;

/// Values of any shape handed to NumPy without a copy.
Array array(std::vector<double> values, std::vector<std::size_t> shape);
/// Facts by name, flat: parameters.m, initial.q and the like beside method, steps, ...
nb::dict facts_of(const analyse::RunFacts& facts);
/// Returns the facts that `facts_of` wrote, and the LaTeX of the equations; facts of other origin are left out.
analyse::RunFacts read_facts(const nb::dict& given);
/// The settings with changes by name. Throws Refused for an unknown one.
simulate::Settings settings_of(const simulate::Settings& given, const nb::dict& changes);

/// Result of a run: its columns, each handed to NumPy without a copy when it is first asked for, and its facts.
class Reached {
 public:
  /// `failure` is empty, or the sentence that says why the run ended early.
  Reached(analyse::Trajectory&& trajectory, std::string failure);

  [[nodiscard]] const std::vector<analyse::Column>& columns() const { return trajectory_.columns; }
  [[nodiscard]] const analyse::RunFacts& facts() const { return trajectory_.facts; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// The values of column k; the same array every time.
  nb::object values(std::size_t k);
  /// (name, role, values) of every column.
  nb::list arrays();
  [[nodiscard]] const std::vector<analyse::Crossings>& events() const { return trajectory_.events; }

 private:
  nb::object taken(std::size_t k, const nb::object& frombuffer);

  analyse::Trajectory trajectory_;  ///< without the values that NumPy has
  std::string failure_;
  std::size_t rows_;
  std::vector<nb::object> arrays_;
};

void bind_reached(nb::module_& module);

/// Returns a function that asks the interpreter, a few times a second, whether the user wants to stop, and throws
/// KeyboardInterrupt then. To be called without the interpreter's lock.
std::function<void()> attending_signals();

/// Asks the interpreter, a few times a second, whether the user wants to stop, and tells it how far a run is.
class ProgressWatch {
 public:
  explicit ProgressWatch(nb::object progress);
  /// False when the run should stop. To be called without the interpreter's lock.
  bool operator()(double fraction);

 private:
  nb::object progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();  ///< the interpreter was asked
  std::chrono::steady_clock::time_point seen_ = last_;                             ///< the clock was read
  int every_ = 1;  ///< calls for each look at the clock: few where calls are fast, one where they are slow
  int calls_ = 0;
};

}  // namespace herglotz::python
