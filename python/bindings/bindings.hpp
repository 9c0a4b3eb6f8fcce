#pragma once
/// Parts of the extension module.

#include <nanobind/nanobind.h>

namespace herglotz::python {

void bind_errors(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_batch(nanobind::module_& module);
void bind_sweep(nanobind::module_& module);
void bind_sweep_file(nanobind::module_& module);
void bind_functions(nanobind::module_& module);
void bind_catalogue(nanobind::module_& module);
void bind_geometry(nanobind::module_& module);
void bind_discrete(nanobind::module_& module);
void bind_check(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_paths(nanobind::module_& module);
void bind_solution(nanobind::module_& module);
void bind_related(nanobind::module_& module);
void bind_volumes(nanobind::module_& module);
void bind_contact(nanobind::module_& module);
void bind_indexed(nanobind::module_& module);
void bind_studio(nanobind::module_& module);

}  // namespace herglotz::python
