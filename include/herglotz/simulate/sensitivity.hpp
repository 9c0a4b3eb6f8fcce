#pragma once
/// Derivatives of a run by parameters and initial values.

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
};

/// Returns the derivatives of the computed run, which is Simulator::run with these inputs: the time, then columns
/// d.<column>.d.<name> with a value for every row. Adaptive steps are held as they were chosen. The columns that are
/// differentiated are the state, multipliers, momenta, the energy, declared dissipated functions and observables. The
/// crossings of events in `run` get such columns too, and there, as in the last row of a run that an event ended, the
/// time of the crossing moves along: d.t.d.<name> is its derivative.
///
/// Unconstrained runs of runge-kutta-4, runge-kutta-8, reference and taylor are differentiated exactly: variational
/// equations go through the same stages. Other runs with steps of one size are differentiated by central differences of
/// order 8 of the whole run, in lanes, with steps of the differences that are chosen by an estimate of the error; the
/// largest estimate is a note of the run.
///
/// Throws Refused for a name that is neither a parameter nor an initial value, and for a method that is
/// not differentiated, by name; RunFailed if a derivative is not defined or not accurate to 1e-8.
std::vector<analyse::Column> differentiate(const Simulator& simulator, const SensitivityRequest& request,
                                           analyse::Trajectory& run);

/// Differentiates many runs of one simulator, which must outlive it. Variational equations are compiled once.
class Differentiator {
 public:
  explicit Differentiator(const Simulator& simulator);
  ~Differentiator();
  Differentiator(Differentiator&&) noexcept;
  Differentiator& operator=(Differentiator&&) noexcept;

  /// Does what simulate::differentiate does.
  std::vector<analyse::Column> differentiate(const SensitivityRequest& request, analyse::Trajectory& run);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
