#include "herglotz/io/sweep_file.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "ensembles/sweep_values.hpp"
#include "herglotz/io/sweep_shards.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

nb::dict facts_of(const io::SweepFacts& facts) {
  nb::dict d;
  d["model"] = facts.model_name;
  d["model_text"] = facts.model_text;
  d["sweep"] = facts.sweep;
  d["keep"] = name_of(facts.keep);
  d["method"] = facts.method;
  d["order"] = facts.order;
  d["version"] = facts.version;
  d["members"] = facts.members;
  d["steps"] = facts.steps;
  d["failed"] = facts.failures.size();
  d["complete"] = static_cast<int>(facts.complete);
  for (const auto& [column, largest] : facts.largest_residuals) d[("largest_" + column).c_str()] = largest;
  return d;
}

/// Makes the file of its shards. Returns a sentence on what these lack, or an empty one.
std::string merge(const std::string& file, bool partial) {
  if (io::is_merged(file)) {
    io::remove_merged_journals(file);
    return {};
  }
  try {
    io::merge_shards(file, partial);
    return {};
  } catch (const io::IncompleteShards& e) {
    return e.what();
  }
}

}  // namespace

/// Count, mean, deviation, least and largest of every row: 5 x rows.
Array moments_of(const std::vector<ensemble::Moments>& rows) {
  std::vector<double> values;
  const auto add = [&](auto value) {
    for (const auto& row : rows) values.push_back(value(row));
  };
  add([](const auto& m) { return m.count; });
  add([](const auto& m) { return m.count > 0 ? m.mean : unknown; });
  add([](const auto& m) { return m.count > 1 ? std::sqrt(m.squares / (m.count - 1)) : unknown; });
  add([](const auto& m) { return m.count > 0 ? m.least : unknown; });
  add([](const auto& m) { return m.count > 0 ? m.largest : unknown; });
  return array(std::move(values), {5, rows.size()});
}

nb::list in_python(const std::vector<ensemble::Failure>& failures) {
  nb::list list;
  for (const auto& failure : failures) list.append(nb::make_tuple(failure.member, failure.reason));
  return list;
}

nb::list in_python(const std::vector<std::pair<std::string, analyse::Role>>& columns) {
  nb::list list;
  for (const auto& [name, role] : columns) list.append(nb::make_tuple(name, name_of(role)));
  return list;
}

Array times_of(const std::vector<double>& times) {
  return array(times, {times.size()});
}

const char* name_of(ensemble::Keep keep) {
  using ensemble::Keep;
  return keep == Keep::trajectory ? "trajectory"
         : keep == Keep::times    ? "times"
         : keep == Keep::final    ? "final"
                                  : "statistics";
}

void bind_sweep_file(nb::module_& module) {
  nb::class_<io::SweepReader>(module, "SweepFile", "The file of an ensemble.")
      .def(
          "__init__", [](io::SweepReader* self, const std::string& file) { new (self) io::SweepReader(file); },
          nb::arg("file"), "Raises ModelError where it is none.")
      .def_prop_ro("shape", [](const io::SweepReader& file) { return file.facts().shape; })
      .def_prop_ro("swept", [](const io::SweepReader& file) { return file.facts().swept; })
      .def_prop_ro(
          "times", [](const io::SweepReader& file) { return times_of(file.facts().times); }, nb::rv_policy::move)
      .def_prop_ro("columns", [](const io::SweepReader& file) { return in_python(file.facts().columns); })
      .def_prop_ro("failures", [](const io::SweepReader& file) { return in_python(file.facts().failures); })
      .def_prop_ro("facts", [](const io::SweepReader& file) { return facts_of(file.facts()); })
      .def(
          "quantity",
          [](const io::SweepReader& file, const std::string& name) {
            const std::size_t members = file.facts().members;
            return array(file.swept(name, 0, members), {members});
          },
          nb::arg("name"), "The values of a swept quantity, by member.")
      .def(
          "rows",
          [](const io::SweepReader& file, const std::string& name, std::size_t first, std::size_t count) {
            auto values = file.rows(name, first, count);
            const std::size_t rows = count == 0 ? 0 : values.size() / count;
            return array(std::move(values), {count, rows});
          },
          nb::arg("name"), nb::arg("first"), nb::arg("count"), "The values of a column, (members, rows).")
      .def(
          "largest_residuals",
          [](const io::SweepReader& file, const std::string& column) {
            const std::size_t members = file.facts().members;
            return array(file.largest_residuals(column, 0, members), {members});
          },
          nb::arg("column"), "The largest residual of each member.")
      .def(
          "statistics",
          [](const io::SweepReader& file, const std::string& name) { return moments_of(file.statistics(name)); },
          nb::arg("name"), "Count, mean, deviation, least and largest of a column, (5, rows).");
  nb::class_<io::SweepWriter>(module, "SweepWriter", "The journal of a sweep whose blocks are run elsewhere.")
      .def("has", &io::SweepWriter::has, nb::arg("block"))
      .def(
          "add",
          [](io::SweepWriter& writer, std::size_t block, const nb::bytes& encoded) {
            writer.add(block, std::string_view(encoded.c_str(), encoded.size()));
          },
          nb::arg("block"), nb::arg("encoded"), "Stores what `run_blocks` made of a block.")
      .def(
          "finish", [](io::SweepWriter& writer) { writer.finish(); }, nb::call_guard<nb::gil_scoped_release>(),
          "Makes the file of what is there.");
  module.def("merge", &merge, nb::arg("file"), nb::arg("partial"), nb::call_guard<nb::gil_scoped_release>(),
             "Makes a file of its shards. A sentence on what these lack, or an empty one. Raises ModelError.");
}

}  // namespace herglotz::python
