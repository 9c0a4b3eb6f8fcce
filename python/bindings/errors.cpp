#include "bindings.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::python {

void bind_errors(nanobind::module_& module) {
  nanobind::exception<io::InputError>(module, "ModelError", PyExc_ValueError).attr("__doc__") =
      "A model, or a file or text of one, that is wrong: the sentence of the command line, with the line and the "
      "column.";
}

}  // namespace herglotz::python
