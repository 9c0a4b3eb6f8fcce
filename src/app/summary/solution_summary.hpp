#pragma once
/// Summary of a solution that `solve` prints.

#include <string>
#include <vector>

#include "herglotz/solve/solve.hpp"

namespace herglotz::app {

/// One problem of a sequence (--continue).
struct ContinuedProblem {
  double value = 0;  ///< of the name that changes
  double cost = 0;
  double duration = 0;
  control::Status status = control::Status::not_converged;
  std::size_t iterations = 0;
};
struct ContinuedProblems {
  std::string name;  ///< empty if there is one problem only
  std::vector<ContinuedProblem> problems;
};

/// Prints the solution, which is the last one of a sequence if there is a sequence.
void print_solution(const solve::Solution& solution, const ContinuedProblems& sequence,
                    const std::vector<std::string>& written);
/// Prints the same as one JSON object.
void print_solution_json(const solve::Solution& solution, const ContinuedProblems& sequence,
                         const std::vector<std::string>& written);

}  // namespace herglotz::app
