#include "indexed.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using families::Field;
using families::FieldRun;
using Profile = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::string> names(const families::Model& model, const std::vector<std::size_t>& families) {
  std::vector<std::string> list;
  for (const std::size_t family : families) list.push_back(model.sites.families()[family].name);
  return list;
}

nb::tuple reached(FieldRun run) {
  nb::list columns;
  const std::size_t rows = run.trajectory.rows();
  for (auto& column : run.trajectory.columns)
    columns.append(nb::make_tuple(column.name, name_of(column.role), array(std::move(column.values), {rows})));
  nb::list fields;
  for (Field& field : run.fields) {
    const std::size_t width = field.sites.size();
    fields.append(
        nb::make_tuple(field.name, name_of(field.role), field.sites, array(std::move(field.values), {rows, width})));
  }
  nb::list events;
  for (auto& event : run.trajectory.events) {
    nb::list crossings;
    const std::size_t count = event.count();
    for (auto& column : event.columns)
      crossings.append(nb::make_tuple(column.name, name_of(column.role), array(std::move(column.values), {count})));
    events.append(nb::make_tuple(event.name, crossings));
  }
  return nb::make_tuple(columns, fields, facts_of(run.trajectory.facts), run.failure, events);
}

/// Runs a model. `profiles` are the values of families at all sites.
nb::tuple run(const IndexedModel& indexed, const std::vector<std::string>& assignments,
              const std::map<std::string, Profile>& profiles, const nb::dict& settings, const nb::object& progress) {
  families::Model model = indexed.parsed(assignments);
  model.settings = settings_of(model.settings, settings);
  for (const auto& [name, values] : profiles) {
    std::vector<double> all(values.data(), values.data() + values.size());
    io::set_profile(model, name, std::move(all));
  }
  ProgressWatch watch(progress);
  FieldRun done;
  {
    const nb::gil_scoped_release released;
    const auto asked = [&](double fraction) { return watch(fraction); };
    done = families::runs_in_loops(model) ? families::run(model, asked) : families::run_flat(model, asked);
  }
  return reached(std::move(done));
}

std::string printed(const IndexedModel& indexed, const std::string& what, const std::string& format) {
  if (what != "motion" || (format != "text" && format != "latex"))
    throw Refused("a model with an index has its equations of motion at a site", "print them as text or LaTeX");
  families::Model model = indexed.parsed();
  return mechanics::render(families::presentation(model),
                           format == "text" ? symbolic::Format::text : symbolic::Format::latex);
}

}  // namespace

void bind_indexed(nb::module_& module) {
  module.def("states_families", &io::states_families, nb::arg("text"), nb::arg("file"),
             "Whether a model has an index.");
  nb::class_<IndexedModel>(module, "IndexedModel", "A model with an index.")
      .def(
          "__init__",
          [](IndexedModel* self, const std::string& text, const std::string& file) {
            const IndexedModel model{text, file};
            static_cast<void>(model.parsed());
            new (self) IndexedModel(model);
          },
          nb::arg("text"), nb::arg("file"), "From the text of a model file. Raises ModelError.")
      .def_ro("text", &IndexedModel::text)
      .def(
          "facts",
          [](const IndexedModel& self) {
            const families::Model model = self.parsed();
            nb::dict facts;
            facts["name"] = model.name;
            facts["title"] = model.title;
            facts["reference"] = model.reference;
            facts["base"] = names(model, model.base);
            facts["fibre"] = names(model, model.fibre);
            facts["action"] = std::string(model.z.name());
            facts["time"] = std::string(model.t.name());
            nb::dict parameters;
            for (const auto& parameter : model.parameters)
              parameters[nb::str(parameter.symbol.name().data(), parameter.symbol.name().size())] = parameter.value;
            facts["parameters"] = parameters;
            std::vector<std::string> families;
            for (const auto& [family, _] : model.parameter_families) families.push_back(names(model, {family}).front());
            facts["families"] = families;
            nb::dict indices;
            for (const auto& index : model.indices) indices[index.name.c_str()] = index.count;
            facts["indices"] = indices;
            nb::dict along;
            for (const auto& [family, _] : model.parameter_families) {
              const auto& of = model.sites.families()[family];
              if (of.along) along[of.name.c_str()] = model.indices[*of.along].name;
              if (of.kind == families::Kind::edge) along[of.name.c_str()] = model.edges->name;
            }
            facts["along"] = along;
            nb::dict edges;
            if (model.edges) edges[model.edges->name.c_str()] = model.edges->from.size();
            facts["edges"] = edges;
            return facts;
          },
          "What the model names: name, title, base, fibre, action, time, parameters, families of parameters, the "
          "counts of its indices and edges, and the index of families that depend on one alone.")
      .def("printed", &printed, nb::arg("what"), nb::arg("format"), "The equations of a site as text.")
      .def("run", &run, nb::arg("assignments"), nb::arg("profiles"), nb::arg("settings"), nb::arg("progress").none(),
           "(columns, families, facts, failure, events) of a run after assignments NAME=VALUE; families are (name, "
           "role, "
           "sites, rows x sites), events (name, columns).");
}

}  // namespace herglotz::python
