#include "runs/vector_functions.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "herglotz/error.hpp"
#include "runs/log_likelihood.hpp"
#include "runs/registry.hpp"
#include "runs/runs.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Given = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// The array with the dimensions before `last` as leading ones. Throws Refused if its last ones are others.
Members members(const Given& array, const Shape& last) {
  Shape shape;
  for (std::size_t d = 0; d < array.ndim(); ++d) shape.push_back(array.shape(d));
  if (shape.size() < last.size() || !std::equal(last.rbegin(), last.rend(), shape.rbegin()))
    throw Refused("an array of vectors or values has other last dimensions than the function");
  shape.resize(shape.size() - last.size());
  return {{array.data(), array.size()}, std::move(shape)};
}

/// Returns what `work` writes without the interpreter's lock, as an array of arrays. KeyboardInterrupt ends it.
template <class Work>
Array found(Shape leading, const Shape& last, const Work& work) {
  leading.insert(leading.end(), last.begin(), last.end());
  Numbers numbers(entries_of(leading));
  {
    const nb::gil_scoped_release released;
    work(std::span<double>(numbers), attending_signals());
  }
  return array(std::move(numbers), std::move(leading));
}

Array values(const Registered& of, const Given& u) {
  VectorFunction& f = *of.function();
  const Members at = members(u, {f.size()});
  return found(at.leading, f.shape(),
               [&](std::span<double> into, const Attend& attend) { f.values(at.numbers, into, attend); });
}

Array along_of(const Registered& of, const Given& u, const Given& du) {
  VectorFunction& f = *of.function();
  const Members at = members(u, {f.size()});
  const Members direction = members(du, {f.size()});
  return found(broadcast(at.leading, direction.leading), f.shape(),
               [&](std::span<double> into, const Attend& attend) { along(f, at, direction, into, attend); });
}

Array back_of(const Registered& of, const Given& u, const Given& c) {
  VectorFunction& f = *of.function();
  const Members at = members(u, {f.size()});
  const Members weights = members(c, f.shape());
  return found(broadcast(at.leading, weights.leading), {f.size()},
               [&](std::span<double> into, const Attend& attend) { back(f, at, weights, into, attend); });
}

/// (the runs, places of their vector, measured, deviations, places of unknown deviations) of a measured run.
using OfRun = std::tuple<const Registered*, std::vector<std::size_t>, Numbers, Numbers, std::vector<std::ptrdiff_t>>;

}  // namespace

void bind_vector_functions(nb::module_& module) {
  nb::class_<Registered>(module, "VectorFunction", nb::is_weak_referenceable(),
                         "A function of vectors with its derivatives; leading dimensions are broadcast.")
      .def_prop_ro("number", &Registered::number, "By which code that XLA compiles finds it.")
      .def("values", &values, nb::arg("u"), "f(u) of u (..., size).")
      .def("along", &along_of, nb::arg("u"), nb::arg("du"), "The derivative of f(u) along du (..., size).")
      .def("back", &back_of, nb::arg("u"), nb::arg("c"), "The derivative of the sum of c times f(u), as (..., size).");
  module.def(
      "runs_to_times",
      [](const std::shared_ptr<Model>& model, const std::shared_ptr<Differentiated>& differentiated,
         const Names& initial, const Names& parameters, const Values& starts, const Values& constants,
         const nb::dict& settings, const Numbers& times, const Names& columns, bool raises) {
        return new Registered(
            std::make_shared<Runs>(model, differentiated,
                                   RunsOf{initial, parameters, starts, constants,
                                          settings_of(model->problem().settings, settings), times, columns, raises}));
      },
      nb::arg("model"), nb::arg("differentiated"), nb::arg("initial"), nb::arg("parameters"), nb::arg("starts"),
      nb::arg("constants"), nb::arg("settings"), nb::arg("times"), nb::arg("columns"), nb::arg("raises"),
      "Columns of runs at given times, (time, column), by some initial values and then some parameters.");
  module.def(
      "log_likelihood",
      [](const std::vector<OfRun>& of, std::size_t size, bool raises) {
        std::vector<MeasuredRuns> runs;
        for (const auto& [registered, places, measured, deviations, unknown] : of)
          runs.push_back({registered->function(), places, measured, deviations, unknown});
        return new Registered(std::make_shared<LogLikelihood>(std::move(runs), size, raises));
      },
      nb::arg("of"), nb::arg("size"), nb::arg("raises"),
      "The log likelihood of measured runs: (runs, places of their vector, measured, deviations, places of unknown "
      "deviations or -1) of each.");
}

}  // namespace herglotz::python
