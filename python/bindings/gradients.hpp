#pragma once
/// Derivatives of runs, linear motions and fits.

#include <nanobind/nanobind.h>

namespace herglotz::python {

void bind_gradients(nanobind::module_& module);

}  // namespace herglotz::python
