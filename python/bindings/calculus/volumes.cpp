#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/mechanics/derive/volume.hpp"
#include "herglotz/simulate/volume.hpp"
#include "model.hpp"
#include "nodes.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Numbers = std::vector<double>;

/// (nodes, place of the rate).
nb::tuple volume_rate(const Model& model) {
  const auto problem = model.read_again();
  return nodes_of(mechanics::volume_rate(problem.system, mechanics::derive(problem.system)));
}

/// (volume, residual) at rows of (x, w, z).
nb::tuple volume_along(const Model& model, const std::map<std::string, double>& parameters, Numbers times,
                       Numbers states) {
  const auto problem = model.read_again();
  const std::size_t rows = times.size();
  simulate::Volumes found;
  {
    const nb::gil_scoped_release released;
    const simulate::Simulator simulator(problem.system, {}, problem.initial);
    Numbers values;
    for (const auto& parameter : problem.system.parameters)
      values.push_back(parameters.at(std::string(parameter.symbol.name())));
    const auto& dynamics = simulator.dynamics_for(*integrate::find_method("reference"));
    if (rows > 0) {
      std::vector<double> start(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(states.size() / rows));
      start.push_back(times.front());
      simulate::require_volume_law(simulator.system(), simulator.equations(), values, start);
    }
    found = simulate::VolumeAlong(simulator.system(),
                                  simulate::volume_kernels(simulator.system(), simulator.equations(), {}), dynamics,
                                  simulator.dynamics_for(*integrate::find_method("radau-5")), values,
                                  {std::move(times), std::move(states)})
                .at_rows();
  }
  return nb::make_tuple(array(std::move(found.volume), {rows}), array(std::move(found.residual), {rows}));
}

}  // namespace

void bind_volumes(nb::module_& module) {
  module.def("volume_rate", &volume_rate, nb::arg("model"), "(nodes, the rate of the volume dx dp dz).");
  module.def("volume_along", &volume_along, nb::arg("model"), nb::arg("parameters"), nb::arg("times"),
             nb::arg("states"), "(volume, residual) at rows of (x, w, z).");
}

}  // namespace herglotz::python
