#include "bindings.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::python {

void bind_errors(nanobind::module_& module) {
  nanobind::exception<io::InputError>(module, "ModelError", PyExc_ValueError);
}

}  // namespace herglotz::python
