#include "differentiable.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "herglotz/simulate/hessian_product.hpp"
#include "trajectory.hpp"

namespace herglotz::python {

simulate::SensitivityRequest request_of(const simulate::Problem& problem, const Values& initial,
                                        const Values& parameters, const simulate::Settings& settings,
                                        const Values& next) {
  auto [start, second] = start_without_conflicts(problem, initial, {next.begin(), next.end()});
  for (const auto& [name, value] : initial) start[name] = value;
  const simulate::InitialState constants(parameters.begin(), parameters.end());
  auto expressions = expressions_beside(problem, initial, next);
  expressions.apply(problem.system, constants, start, second);
  simulate::SensitivityRequest request{
      {}, start, settings, constants, second, std::move(expressions), attending_signals()};
  // The settings may come from another graph of the same model.
  request.settings.time_scale = problem.settings.time_scale;
  return request;
}

analyse::Trajectory run_of(const simulate::Simulator& simulator, const simulate::SensitivityRequest& request) {
  const auto attend = [&](double) {
    request.attend();
    return true;
  };
  return simulator.run(request.initial, request.settings, request.parameters, attend, request.next);
}

namespace {

namespace nb = nanobind;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// A run with its inputs.
class DifferentiableRun {
 public:
  DifferentiableRun(std::shared_ptr<Differentiated> model, const Values& initial, const Values& parameters,
                    const simulate::Settings& settings, const Values& next, const Names& wrt)
      : model_(std::move(model)) {
    const nb::gil_scoped_release released;
    const std::scoped_lock lock(model_->mutex);
    request_ = request_of(model_->fresh.problem, initial, parameters, settings, next);
    request_.wrt = wrt;
    try {
      run_ = run_of(model_->fresh.simulator, request_);
    } catch (simulate::RunFailed& failed) {
      failure_ = failed.what();
      run_ = std::move(failed.partial);
    }
    run_.facts.model_text = model_->text;
  }

  [[nodiscard]] Reached reached() const { return {analyse::Trajectory(run_), failure_}; }

  /// Returns (value, columns, derivatives by row and column, derivative by the end, derivatives by parameters) of a
  /// loss, at the last row or as a sum over times.
  [[nodiscard]] nb::tuple loss(const std::string& text, const std::optional<Numbers>& times) const {
    simulate::LossValue found;
    {
      const nb::gil_scoped_release released;
      const simulate::Loss loss(model_->fresh.problem.system, run_, text);
      found = times ? loss.sum(run_, *times) : loss.at_end(run_);
    }
    const std::size_t count = found.cotangents.columns.size();
    return nb::make_tuple(found.value, found.cotangents.columns, array(found.cotangents.values, {run_.rows(), count}),
                          found.cotangents.by_end,
                          Values(found.cotangents.by_parameters.begin(), found.cotangents.by_parameters.end()));
  }

  /// Returns (derivatives by the names, whether they come from adjoints of steps, residual of the pairing).
  nb::tuple gradient(const Names& columns, const Table& cotangents, double by_end, const Values& by_parameters) {
    const simulate::Cotangents of{columns,
                                  {cotangents.data(), cotangents.data() + cotangents.size()},
                                  by_end,
                                  {by_parameters.begin(), by_parameters.end()}};
    simulate::Gradient found;
    {
      const nb::gil_scoped_release released;
      const std::scoped_lock lock(model_->mutex);
      found = model_->differentiator.gradient(request_, of, run_);
    }
    return nb::make_tuple(array(found.by, {found.by.size()}), found.reverse, found.residual);
  }

  /// Returns (derivatives of the gradient of a loss along a direction, estimate of their error).
  [[nodiscard]] nb::tuple hessian_product(const std::string& text, const std::optional<Numbers>& times,
                                          const Numbers& direction) const {
    simulate::HessianProduct found;
    {
      const nb::gil_scoped_release released;
      const std::scoped_lock lock(model_->mutex);
      const simulate::Loss loss(model_->fresh.problem.system, run_, text);
      const auto value = [&](const analyse::Trajectory& run) {
        return times ? loss.sum(run, *times) : loss.at_end(run);
      };
      found = simulate::hessian_product(model_->fresh.simulator, model_->differentiator, request_, value, direction);
    }
    return nb::make_tuple(array(found.values, {found.values.size()}), found.error);
  }

 private:
  std::shared_ptr<Differentiated> model_;
  simulate::SensitivityRequest request_;
  analyse::Trajectory run_;
  std::string failure_;
};

}  // namespace

void bind_differentiable(nb::module_& module) {
  nb::class_<Differentiated>(module, "Differentiated", "A model compiled once for the derivatives of many runs.")
      .def(nb::init<const Model&>(), nb::arg("model"), nb::call_guard<nb::gil_scoped_release>());
  nb::class_<DifferentiableRun>(module, "DifferentiableRun", "A run with its inputs, to be differentiated.")
      .def(
          "__init__",
          [](DifferentiableRun* made, const std::shared_ptr<Differentiated>& model, const Values& initial,
             const Values& parameters, const nb::dict& settings, const Values& next, const Names& wrt) {
            simulate::Settings resolved = settings_of(model->fresh.problem.settings, settings);
            resolved.columns.clear();
            new (made) DifferentiableRun(model, initial, parameters, resolved, next, wrt);
          },
          nb::arg("model"), nb::arg("initial"), nb::arg("parameters"), nb::arg("settings"), nb::arg("next"),
          nb::arg("wrt"))
      .def_prop_ro("reached", &DifferentiableRun::reached)
      .def("loss", &DifferentiableRun::loss, nb::arg("text"), nb::arg("times").none(),
           "(value, columns, derivatives by row and column, by the end, by parameters) of an expression.")
      .def("gradient", &DifferentiableRun::gradient, nb::arg("columns"), nb::arg("cotangents"), nb::arg("by_end"),
           nb::arg("by_parameters"), "(derivatives by the names, whether in reverse mode, residual of the pairing).")
      .def("hessian_product", &DifferentiableRun::hessian_product, nb::arg("text"), nb::arg("times").none(),
           nb::arg("direction"), "(derivatives of the gradient of an expression along a direction, their error).");
}

}  // namespace herglotz::python
