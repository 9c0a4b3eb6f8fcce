#pragma once
/// Derivatives of a run by parameters and initial values.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The inputs of a run, and the parameters and initial values by which it is differentiated.
struct SensitivityRequest {
  std::vector<std::string> wrt;
  InitialState initial;
  Settings settings;
  InitialState parameters{};
  InitialState next{};
  StartExpressions expressions{};  ///< of initial values; an initial value in `wrt` ignores its expression
  /// Called now and then while derivatives are computed, if it is not empty. What it throws ends the work.
  std::function<void()> attend{};
};

/// Returns the derivatives of the computed run, which is Simulator::run with these inputs: the time, then columns
/// d.<column>.d.<name> with a value for every row. Adaptive steps are held as they were chosen. The columns that are
/// differentiated are the state, multipliers, momenta, the energy, declared dissipated functions and observables. The
/// crossings of events in `run` get such columns too, and there, as in the last row of a run that an event ended, the
/// time of the crossing moves along: d.t.d.<name> is its derivative.
///
/// Runs of runge-kutta-4, runge-kutta-8, reference, taylor, contact-gauss-<n>, contact-lobatto-<n> and radau-5 are
/// differentiated by variational equations, which go through the same stages, through switches, resets and impacts and,
/// for the explicit methods among them, through friction that sticks and nonholonomic constraints (on positions: for
/// adaptive steps). They go through inputs for reference and radau-5; time_scale excludes them. Other runs with steps
/// of one size are differentiated by central differences of order 8
/// of the whole run, in lanes. An estimate of their error chooses their step sizes, and a note of the run states its
/// largest value. Another note names a row whose fixed time a switch meets: the row has the
/// derivatives before the switch.
///
/// Throws Refused for a name that is neither a parameter nor an initial value, and for a method that is
/// not differentiated, by name; RunFailed if a derivative is not defined or not accurate to 1e-8.
std::vector<analyse::Column> differentiate(const Simulator& simulator, const SensitivityRequest& request,
                                           analyse::Trajectory& run);

/// Derivatives of a function of a run by the numbers of its rows, and by what the function depends on besides.
struct Cotangents {
  std::vector<std::string> columns;
  std::vector<double> values;  ///< by row and column, row by row
  double by_end = 0;           ///< by the time of the last row
  InitialState by_parameters{};
};

/// Derivative of a function of a run by every name of a request.
struct Gradient {
  std::vector<double> by;
  /// True if it was computed by adjoints of the steps, backwards; otherwise it comes from the derivatives of the rows.
  bool reverse = false;
  /// Largest relative deviation, along the run, from the law that the pairing of the adjoint with a variation changes
  /// only by the function's own derivatives; 0 if not reverse.
  double residual = 0;
};

/// Differentiates many runs of one simulator, which must outlive it. Variational equations are compiled once.
class Differentiator {
 public:
  explicit Differentiator(const Simulator& simulator);
  ~Differentiator();
  Differentiator(Differentiator&&) noexcept;
  Differentiator& operator=(Differentiator&&) noexcept;

  /// Does what simulate::differentiate does.
  std::vector<analyse::Column> differentiate(const SensitivityRequest& request, analyse::Trajectory& run);
  /// Returns the derivatives of a function of the run, whose derivatives by the rows are given. Runs of explicit and
  /// implicit Runge-Kutta methods that variational equations go through also go backwards through the adjoints of their
  /// steps, whatever the number of names, unless they begin at a switch, or held by one; they keep O(sqrt N) states of
  /// N steps (adaptive ones also the times of their steps). The columns are those of differentiate(). If such a run was
  /// ended by an event, the time of the event moves along. Otherwise throws as differentiate() does.
  Gradient gradient(const SensitivityRequest& request, const Cotangents& cotangents, analyse::Trajectory& run);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
