#pragma once
/// Models and runs that are differentiated.

#include <nanobind/nanobind.h>

#include <map>
#include <mutex>
#include <string>

#include "herglotz/simulate/sensitivity.hpp"
#include "model.hpp"

namespace herglotz::python {

using Values = std::map<std::string, double>;

/// The system of a model with its simulator, in a graph of its own: derivatives are derived in it.
struct Fresh {
  explicit Fresh(const Model& model)
      : problem(model.read_again()), simulator(problem.system, {}, problem.initial, problem.discrete) {}

  simulate::Problem problem;
  simulate::Simulator simulator;
};

/// A model compiled once for the derivatives of many runs; one thread at a time uses it.
struct Differentiated {
  explicit Differentiated(const Model& model)
      : fresh(model), differentiator(fresh.simulator), text(model.problem().text) {}

  Fresh fresh;
  simulate::Differentiator differentiator;
  std::string text;
  std::mutex mutex{};
};

/// The inputs of a run that is differentiated, without the names by which it is differentiated; KeyboardInterrupt ends
/// the work with it.
simulate::SensitivityRequest request_of(const simulate::Problem& problem, const Values& initial,
                                        const Values& parameters, const simulate::Settings& settings,
                                        const Values& next);

/// The run of these inputs. What their `attend` throws ends it.
analyse::Trajectory run_of(const simulate::Simulator& simulator, const simulate::SensitivityRequest& request);

void bind_differentiable(nanobind::module_& module);

}  // namespace herglotz::python
