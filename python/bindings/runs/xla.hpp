#pragma once
/// Functions of vectors as custom calls of XLA.

#include <nanobind/nanobind.h>

namespace herglotz::python {

/// Binds `xla_handlers()`, the handlers by the names of their targets, and `xla_jaxlib`, the version of jaxlib whose
/// header they were compiled with. If the build had no such header, there are no handlers and the version is None.
void bind_xla(nanobind::module_& module);

}  // namespace herglotz::python
