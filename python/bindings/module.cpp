#include "bindings.hpp"
#include "gradients.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "runs/vector_functions.hpp"
#include "runs/xla.hpp"

NB_MODULE(_herglotz, module) {
  module.doc() = "The compiled part of herglotz; use the package herglotz instead.";
  // An exception that ends the interpreter keeps its frames, and they keep what is bound here.
  nanobind::set_leak_warnings(false);
  // At the end of the process the library would tell of damaged files that were opened.
  herglotz::io::silence_hdf5();
  module.attr("version") = HERGLOTZ_VERSION;
  herglotz::python::bind_errors(module);
  herglotz::python::bind_model(module);
  herglotz::python::bind_batch(module);
  herglotz::python::bind_sweep_file(module);
  herglotz::python::bind_sweep(module);
  herglotz::python::bind_functions(module);
  herglotz::python::bind_catalogue(module);
  herglotz::python::bind_geometry(module);
  herglotz::python::bind_discrete(module);
  herglotz::python::bind_check(module);
  herglotz::python::bind_report(module);
  herglotz::python::bind_paths(module);
  herglotz::python::bind_solution(module);
  herglotz::python::bind_related(module);
  herglotz::python::bind_volumes(module);
  herglotz::python::bind_contact(module);
  herglotz::python::bind_indexed(module);
  herglotz::python::bind_studio(module);
  herglotz::python::bind_gradients(module);
  herglotz::python::bind_vector_functions(module);
  herglotz::python::bind_xla(module);
}
