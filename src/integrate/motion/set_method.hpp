#pragma once
/// Methods that follow motions on a final set: those that integrate the rates of the state.

#include <functional>
#include <string>

#include "herglotz/integrate/final_set.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {

/// A method by name, and the function that computes one of its runs whose states stay on a final set.
struct SetMethod {
  std::string name;
  std::function<Outcome(const Run& run, const FinalSet& set)> run;
};

}  // namespace herglotz::integrate
