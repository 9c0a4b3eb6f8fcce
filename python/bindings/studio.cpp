#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "herglotz/studio/desk.hpp"

namespace herglotz::python {

namespace nb = nanobind;

void bind_studio(nb::module_& module) {
  nb::class_<studio::Desk>(module, "Desk", "The studio for a page in a notebook.")
      .def(nb::init<std::string, std::string>(), nb::arg("text"), nb::arg("file"))
      .def(
          "answer",
          [](studio::Desk& desk, const std::string& request) {
            std::vector<studio::Desk::Answer> answers;
            {
              const nb::gil_scoped_release release;
              answers = desk.answer(request);
            }
            nb::list result;
            for (const auto& answer : answers)
              result.append(nb::make_tuple(nb::bytes(answer.bytes.data(), answer.bytes.size()), answer.binary));
            return result;
          },
          nb::arg("request"), nb::sig("def answer(self, request: str) -> list[tuple[bytes, bool]]"),
          "The messages to the page that answer its request, and whether each is binary.");
  module.def("studio_page", &studio::page_with_nonce, nb::arg("nonce"), "The studio's page.");
}

}  // namespace herglotz::python
