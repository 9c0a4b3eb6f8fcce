#pragma once
/// Everything at once: expressions, algebroids, systems, runs, files and reports.

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/geometry/axioms.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
