#include "herglotz/report/report.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/live.hpp"
#include "trajectory.hpp"

namespace herglotz::python {

namespace {

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NamedColumns = std::vector<std::tuple<std::string, std::string, Values>>;

analyse::Role role_named(const std::string& name) {
  if (const auto role = analyse::role_of(name)) return *role;
  throw std::invalid_argument("a column has the unknown role '" + name + "'");
}

std::vector<analyse::Column> columns_of(const NamedColumns& given) {
  std::vector<analyse::Column> columns;
  for (const auto& [name, role, values] : given)
    columns.push_back({name, role_named(role), {values.data(), values.data() + values.shape(0)}});
  return columns;
}

/// Name, role, axes with the places along them, times, and values of a picture of a family.
using GivenField = std::tuple<std::string, std::string, std::vector<std::pair<std::string, std::vector<std::size_t>>>,
                              std::vector<double>, Values>;

std::vector<analyse::FieldPicture> fields_of(const std::vector<GivenField>& given) {
  std::vector<analyse::FieldPicture> fields;
  for (const auto& [name, role, axes, times, values] : given) {
    analyse::FieldPicture field{name, role_named(role), {}, times, {values.data(), values.data() + values.shape(0)}};
    for (const auto& [index, places] : axes) field.axes.push_back({index, places});
    fields.push_back(std::move(field));
  }
  return fields;
}

using GivenRun = std::tuple<NamedColumns, nb::dict, std::vector<std::pair<std::string, NamedColumns>>>;

analyse::Trajectory trajectory_of(const GivenRun& given) {
  const auto& [columns, facts, events] = given;
  analyse::Trajectory run{columns_of(columns), read_facts(facts)};
  for (const auto& [name, states] : events) run.events.push_back({name, columns_of(states)});
  return run;
}

std::string live_page(const GivenRun& given) {
  const analyse::Trajectory run = trajectory_of(given);
  const simulate::Problem problem = io::parse_model(run.facts.model_text);
  const simulate::Simulator simulator(problem.system, {}, problem.initial, problem.discrete);
  return report::render(run, simulate::live_motion(simulator, problem, run));
}

}  // namespace

void bind_report(nb::module_& module) {
  module.def(
      "report_page", [](const GivenRun& run) { return report::render(trajectory_of(run)); }, nb::arg("run"),
      "The page of a run: (columns, facts, events) with columns (name, role, values) and events (name, columns).");
  module.def("live_page", &live_page, nb::arg("run"),
             "The page of a run that also follows the motion of its model itself, with sliders.");
  module.def(
      "field_page",
      [](const GivenRun& run, const std::vector<GivenField>& fields) {
        return report::render(trajectory_of(run), fields_of(fields));
      },
      nb::arg("run"), nb::arg("fields"),
      "The page of a run of a model with an index, with pictures (name, role, axes, times, values) of its families.");
  module.def(
      "comparison_page",
      [](const GivenRun& first, const GivenRun& second, const std::string& first_name, const std::string& second_name) {
        return report::render(trajectory_of(first), trajectory_of(second), {first_name, second_name});
      },
      nb::arg("first"), nb::arg("second"), nb::arg("first_name"), nb::arg("second_name"),
      "The page of two runs side by side.");
}

}  // namespace herglotz::python
