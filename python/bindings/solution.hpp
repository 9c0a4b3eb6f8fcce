#pragma once
/// Solutions between C++ and Python.

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/control/solution.hpp"

namespace herglotz::python {

/// Solution as a solve or a file gives it: a start of later solves.
struct Solved {
  analyse::Trajectory trajectory;
  control::SolutionFacts facts;
};

}  // namespace herglotz::python
