#pragma once
/// Summary of a solution that `solve` prints.

#include <string>
#include <vector>

#include "herglotz/solve/solve.hpp"

namespace herglotz::app {

void print_solution(const solve::Solution& solution, const std::vector<std::string>& written);
/// Prints the solution as one JSON object.
void print_solution_json(const solve::Solution& solution, const std::vector<std::string>& written);

}  // namespace herglotz::app
