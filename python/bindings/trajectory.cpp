#include "trajectory.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

#include "herglotz/analyse/run_facts.hpp"

namespace herglotz::python {

Array array(std::vector<double> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<double>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Array(kept->data(), shape.size(), shape.data(), owner);
}

namespace {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// Returns the key of a member of the facts.
const char* key_of(const char* member) {
  return std::string_view(member) == "model_name" ? "model" : member;
}

struct FactsToDict {
  nb::dict& dict;

  template <class Fact>
  void operator()(const char* name, const Fact& fact) const {
    // Python typesets the equations itself if a page needs them.
    if (std::string_view(name) != "equations_latex") dict[key_of(name)] = nb::cast(fact);
  }
  /// An attribute of a netCDF file cannot be a truth value.
  void operator()(const char* name, bool fact) const { dict[name] = static_cast<int>(fact); }
  void operator()(const char* name, const std::vector<std::string>& lines) const {
    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
    dict[name] = text;
  }
  void operator()(const char* name, const NamedNumbers& values) const {
    for (const auto& [key, value] : values) dict[(std::string(name) + "." + key).c_str()] = value;
  }
};

/// Facts that are not in the dictionary keep their values.
struct FactsFromDict {
  const nb::dict& dict;

  void operator()(const char* name, std::string& fact) const {
    if (dict.contains(key_of(name))) fact = nb::cast<std::string>(dict[key_of(name)]);
  }
  template <class Number>
  void operator()(const char* name, Number& fact) const {
    if (dict.contains(name)) fact = static_cast<Number>(nb::cast<double>(dict[name]));
  }
  void operator()(const char* name, std::vector<std::string>& lines) const {
    if (!dict.contains(name)) return;
    const auto text = nb::cast<std::string>(dict[name]);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  void operator()(const char* name, NamedNumbers& values) const {
    const std::string prefix = std::string(name) + ".";
    for (const auto& [key, value] : dict) {
      const auto text = nb::cast<std::string>(key);
      if (text.starts_with(prefix)) values.emplace_back(text.substr(prefix.size()), nb::cast<double>(value));
    }
  }
};

}  // namespace

nb::dict facts_of(const analyse::RunFacts& facts) {
  nb::dict dict;
  analyse::for_each_member(facts, FactsToDict{dict});
  return dict;
}

analyse::RunFacts read_facts(const nb::dict& given) {
  analyse::RunFacts facts;
  analyse::for_each_member(facts, FactsFromDict{given});
  return facts;
}

simulate::Settings settings_of(const simulate::Settings& given, const nb::dict& changes) {
  using Set = void (*)(simulate::Settings&, const nb::handle&);
  static const std::map<std::string, Set> known = {
      {"method", [](auto& settings, const auto& value) { settings.method = nb::cast<std::string>(value); }},
      {"project", [](auto& settings, const auto& value) { settings.project = nb::cast<bool>(value); }},
      {"t_end", [](auto& settings, const auto& value) { settings.t_end = nb::cast<double>(value); }},
      {"step",
       [](auto& settings, const auto& value) {
         settings.step = nb::cast<double>(value);
         settings.tolerance.reset();
       }},
      {"tolerance",
       [](auto& settings, const auto& value) {
         settings.tolerance = nb::cast<double>(value);
         settings.step.reset();
       }},
      {"output_every",
       [](auto& settings, const auto& value) {
         settings.output_every = nb::cast<std::size_t>(value);
         settings.output_step.reset();
       }},
      {"output_step",
       [](auto& settings, const auto& value) {
         settings.output_step = nb::cast<double>(value);
         settings.output_every.reset();
       }},
      {"output_times",
       [](auto& settings, const auto& value) {
         settings.output_times = nb::cast<std::vector<double>>(value);
         settings.output_every.reset();
         settings.output_step.reset();
       }},
      {"columns",
       [](auto& settings, const auto& value) { settings.columns = nb::cast<std::vector<std::string>>(value); }},
  };
  simulate::Settings settings = given;
  for (const auto& [key, value] : changes) {
    const auto name = nb::cast<std::string>(key);
    const auto entry = known.find(name);
    if (entry == known.end()) throw std::invalid_argument("unknown setting '" + name + "'");
    entry->second(settings, value);
  }
  return settings;
}

namespace {

/// The memory behind one array: NumPy reads Python's buffers several times faster than it takes DLPack capsules.
struct Buffer {
  std::vector<double> values;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  auto& values = nb::inst_ptr<Buffer>(self)->values;
  return PyBuffer_FillInfo(view, self, values.data(), static_cast<Py_ssize_t>(values.size() * sizeof(double)), 0,
                           flags);
}

PyType_Slot buffer_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}, {0, nullptr}};

}  // namespace

Reached::Reached(analyse::Trajectory&& trajectory, std::string failure)
    : trajectory_(std::move(trajectory)),
      failure_(std::move(failure)),
      rows_(trajectory_.rows()),
      arrays_(trajectory_.columns.size()) {}

nb::object Reached::values(std::size_t k) {
  if (!arrays_[k].is_valid()) arrays_[k] = taken(k, nb::module_::import_("numpy").attr("frombuffer"));
  return arrays_[k];
}

nb::list Reached::arrays() {
  const nb::object frombuffer = nb::module_::import_("numpy").attr("frombuffer");
  nb::list list;
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    if (!arrays_[k].is_valid()) arrays_[k] = taken(k, frombuffer);
    const auto& column = trajectory_.columns[k];
    list.append(nb::make_tuple(column.name, name_of(column.role), arrays_[k]));
  }
  return list;
}

nb::object Reached::taken(std::size_t k, const nb::object& frombuffer) {
  if (rows_ == 0) return nb::module_::import_("numpy").attr("empty")(0);
  return frombuffer(nb::cast(Buffer{std::move(trajectory_.columns[k].values)}));
}

void bind_reached(nb::module_& module) {
  nb::class_<Buffer>(module, "Buffer", nb::type_slots(buffer_slots), "Memory that NumPy arrays share.");
  nb::class_<Reached>(module, "Reached", "What a run reached.")
      .def_prop_ro("failure", &Reached::failure, "Empty, or the sentence that says why the run ended early.")
      .def_prop_ro("rows", &Reached::rows)
      .def_prop_ro(
          "columns",
          [](const Reached& reached) {
            nb::list columns;
            for (const auto& column : reached.columns())
              columns.append(nb::make_tuple(column.name, name_of(column.role)));
            return columns;
          },
          "(name, role) of every column.")
      .def_prop_ro("arrays", &Reached::arrays, "(name, role, values) of every column.")
      .def_prop_ro(
          "events",
          [](const Reached& reached) {
            nb::list events;
            for (const auto& event : reached.events()) {
              nb::list columns;
              for (const auto& column : event.columns)
                columns.append(
                    nb::make_tuple(column.name, name_of(column.role), array(column.values, {column.values.size()})));
              events.append(nb::make_tuple(event.name, columns));
            }
            return events;
          },
          "(name, columns) of every event of the system; columns are (name, role, values), one value for each "
          "crossing.")
      .def_prop_ro("facts", [](const Reached& reached) { return facts_of(reached.facts()); })
      .def(
          "values",
          [](Reached& reached, const std::string& name) {
            const auto& columns = reached.columns();
            for (std::size_t k = 0; k < columns.size(); ++k)
              if (columns[k].name == name) return reached.values(k);
            throw nb::key_error(name.c_str());
          },
          nb::sig("def values(self, name: str) -> typing.Any"), "The values of a column. Raises KeyError.");
}

namespace {

constexpr auto between_questions = std::chrono::milliseconds(100);

}  // namespace

std::function<void()> attending_signals() {
  return [last = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < between_questions) return;
    last = now;
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

ProgressWatch::ProgressWatch(nb::object progress) : progress_(std::move(progress)) {}

bool ProgressWatch::operator()(double fraction) {
  if (++calls_ < every_) return true;
  calls_ = 0;
  const auto now = std::chrono::steady_clock::now();
  every_ = now - seen_ < std::chrono::milliseconds(1) ? std::min(2 * every_, 16) : 1;
  seen_ = now;
  if (now - last_ < between_questions) return true;
  last_ = now;
  const nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) {
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw nb::python_error();
    PyErr_Clear();
    return false;
  }
  if (!progress_.is_none()) progress_(fraction);
  return true;
}

}  // namespace herglotz::python
