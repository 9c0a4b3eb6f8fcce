#pragma once
/// Parts of ensembles as Python takes them, from memory and from files.

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "trajectory.hpp"

namespace herglotz::python {

/// Returns count, mean, deviation, least and largest of every row: 5 x rows.
Array moments_of(const std::vector<ensemble::Moments>& rows);
nanobind::list in_python(const std::vector<ensemble::Failure>& failures);
nanobind::list in_python(const std::vector<std::pair<std::string, analyse::Role>>& columns);
Array times_of(const std::vector<double>& times);
const char* name_of(ensemble::Keep keep);

}  // namespace herglotz::python
