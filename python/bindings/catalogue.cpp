#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "herglotz/integrate/capabilities.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/toml_text.hpp"
#include "herglotz/io/urdf.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::python {

namespace nb = nanobind;

void bind_catalogue(nb::module_& module) {
  module.def(
      "methods",
      [] {
        nb::list list;
        for (const auto& method : integrate::methods()) {
          nb::dict entry;
          entry["name"] = method.name;
          entry["order"] = method.order;
          entry["adaptive"] = method.adaptive;
          entry["algebroids"] = method.algebroids;
          entry["constraints"] = method.constraints;
          entry["preserves"] = method.preserves;
          entry["switches"] = integrate::locates_switches(method);
          entry["friction"] = integrate::follows_friction(method);
          entry["summary"] = method.summary;
          list.append(entry);
        }
        return list;
      },
      "Every method, as dictionaries with name, order, adaptive, algebroids, constraints, preserves, switches, "
      "friction and summary.");
  module.def(
      "gallery",
      [] {
        std::vector<std::tuple<std::string, std::string, std::string>> entries;
        for (const auto& model : io::gallery()) entries.emplace_back(model.name, model.title, model.reference);
        return entries;
      },
      "(name, title, reference) of every model of the gallery that a run starts from.");
  module.def(
      "problem_gallery",
      [] {
        std::vector<std::tuple<std::string, std::string, std::string>> entries;
        for (const auto& model : io::problem_gallery()) entries.emplace_back(model.name, model.title, model.reference);
        return entries;
      },
      "(name, title, reference) of every problem of the gallery, which `solve` takes.");
  module.def(
      "indexed_gallery",
      [] {
        std::vector<std::tuple<std::string, std::string, std::string>> entries;
        for (const auto& model : io::indexed_gallery()) entries.emplace_back(model.name, model.title, model.reference);
        return entries;
      },
      "(name, title, reference) of every model of the gallery with an index.");
  module.def(
      "model_of_urdf",
      [](const nb::bytes& xml, const std::string& file, bool floating,
         const std::vector<std::pair<std::string, std::optional<double>>>& rolling) {
        io::UrdfOptions options{floating};
        for (const auto& [link, radius] : rolling) options.rolling.push_back({link, radius});
        return io::model_of_urdf({xml.c_str(), xml.size()}, file, options);
      },
      nb::arg("xml"), nb::arg("file"), nb::arg("floating"), nb::arg("rolling"),
      "The model file of a robot that is described in URDF; rolling are links with their radii, or None.");
  module.def("n_link_pendulum", &io::n_link_pendulum, nb::arg("links"),
             "The model file of a planar pendulum of so many links.");
  module.def(
      "nearest_names",
      [](const std::string& name, const std::vector<std::string>& known) {
        return symbolic::nearest_names(name, known);
      },
      nb::arg("name"), nb::arg("known"), "Up to three known names nearest to a misspelt one, best first.");
  module.def("with_quoted_keys", &io::with_quoted_keys, nb::arg("text"),
             "The text of a model with bare keys that have Greek letters in quotes, as TOML 1.0 has them.");
  module.def("with_plain_greek", &symbolic::with_plain_greek, nb::arg("name"),
             "The name with signs that stand for Greek letters, as for micro, replaced by these.");
  module.def(
      "gallery_text", [](const std::string& name) { return std::string(io::gallery_text(name)); }, nb::arg("name"),
      "The model file of that name; an IndexError where the gallery has none.");
}

}  // namespace herglotz::python
