#pragma once
/// Runs and likelihoods in Python, as functions of vectors.

#include <nanobind/nanobind.h>

namespace herglotz::python {

void bind_vector_functions(nanobind::module_& module);

}  // namespace herglotz::python
