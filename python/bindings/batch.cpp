#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bindings.hpp"
#include "model.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Values = std::map<std::string, double>;
using Lists = std::map<std::string, std::vector<double>>;

/// Columns of all members, (members x rows) each, NaN where a member did not get.
struct Batch {
  std::vector<std::pair<std::string, analyse::Role>> columns;
  std::vector<std::vector<double>> values;
  std::vector<double> times;
  std::vector<std::string> failures;  ///< by member; empty where it went well
  analyse::RunFacts facts;            ///< of the first member
};

void add_member(Batch& batch, std::size_t member, std::size_t members, analyse::Trajectory&& run) {
  if (member == 0) {
    for (const auto& column : run.columns) batch.columns.emplace_back(column.name, column.role);
    batch.values.resize(run.columns.size());
    batch.facts = run.facts;
  }
  const std::vector<double>& times = run.columns.front().values;
  const std::size_t known = batch.times.size();
  const bool shorter = times.size() <= known;
  if (!std::equal(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(std::min(times.size(), known)),
                  batch.times.begin()) &&
      batch.failures[member].empty())
    throw std::invalid_argument(
        "members of a batch are stored at different times; give output_step, or a step, so that they share them");
  if (!shorter) {
    // A longer member than any before it: those before end earlier, or have failed.
    for (auto& column : batch.values) {
      std::vector<double> wider(members * times.size(), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t k = 0; known > 0 && k < member; ++k)
        std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(k * known), known,
                    wider.begin() + static_cast<std::ptrdiff_t>(k * times.size()));
      column = std::move(wider);
    }
    batch.times = times;
  }
  const std::size_t rows = batch.times.size();
  for (std::size_t c = 0; c < run.columns.size(); ++c)
    std::copy_n(run.columns[c].values.begin(), std::min(rows, run.columns[c].values.size()),
                batch.values[c].begin() + static_cast<std::ptrdiff_t>(member * rows));
}

/// (columns, facts, failures): columns as (name, role, values) with values (members, rows), that of time (rows).
nb::tuple run_batch(Model& model, std::size_t members, const Lists& initial, const Lists& parameters,
                    const nb::dict& settings, const nb::object& progress) {
  const auto resolved = settings_of(model.problem().settings, settings);
  for (const Lists* lists : {&initial, &parameters}) {
    for (const auto& [name, values] : *lists) {
      if (values.size() != members)
        throw std::invalid_argument("'" + name + "' has " + std::to_string(values.size()) + " values; " +
                                    std::to_string(members) + " are needed");
    }
  }
  Batch batch;
  batch.failures.resize(members);
  Watch watch(progress);
  {
    const nb::gil_scoped_release released;
    for (std::size_t k = 0; k < members; ++k) {
      simulate::InitialState start = model.problem().initial;
      for (const auto& [name, values] : initial) start[name] = values[k];
      simulate::InitialState constants;
      for (const auto& [name, values] : parameters) constants[name] = values[k];
      bool wanted = true;
      analyse::Trajectory run;
      try {
        run = model.simulator().run(
            start, resolved, constants,
            [&](double fraction) {
              wanted = watch((static_cast<double>(k) + fraction) / static_cast<double>(members));
              return wanted;
            },
            model.problem().next);
      } catch (simulate::RunFailed& failed) {
        batch.failures[k] = failed.what();
        run = std::move(failed.partial);
      }
      if (!wanted) batch.failures[k] = run.facts.status;
      add_member(batch, k, members, std::move(run));
      if (wanted) continue;
      std::fill(batch.failures.begin() + static_cast<std::ptrdiff_t>(k) + 1, batch.failures.end(), "not started");
      break;
    }
    batch.facts.model_text = model.problem().text;
  }
  nb::list columns;
  const std::size_t rows = batch.times.size();
  for (std::size_t c = 0; c < batch.columns.size(); ++c) {
    const auto& [name, role] = batch.columns[c];
    if (role == analyse::Role::time) {
      columns.append(nb::make_tuple(name, name_of(role), array(std::move(batch.times), {rows})));
    } else {
      columns.append(nb::make_tuple(name, name_of(role), array(std::move(batch.values[c]), {members, rows})));
    }
  }
  return nb::make_tuple(columns, facts_of(batch.facts), batch.failures);
}

}  // namespace

void bind_batch(nb::module_& module) {
  module.def("run_batch", &run_batch, nb::arg("model"), nb::arg("members"), nb::arg("initial"), nb::arg("parameters"),
             nb::arg("settings"), nb::arg("progress").none(),
             "(columns, facts, failures) of many runs, whose values are lists; see Model.run.");
}

}  // namespace herglotz::python
