#pragma once
/// Functions of vectors as custom calls of XLA.

#include <nanobind/nanobind.h>

namespace herglotz::python {

/// Binds `xla_handlers()`, the handlers by the names of their targets. Binds `xla_jaxlib`, the version of jaxlib that
/// they were compiled for. If the build has no header of jaxlib, there are no handlers, and the version is None.
void bind_xla(nanobind::module_& module);

}  // namespace herglotz::python
