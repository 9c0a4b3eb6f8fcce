#pragma once
/// Printed summary of a fit.

#include <string>
#include <vector>

#include "herglotz/fit/fit.hpp"

namespace herglotz::app {

void print_fit(const fit::Fit& found, const std::vector<std::string>& written);
void print_fit_json(const fit::Fit& found, const std::vector<std::string>& written);
/// Returns sentences about a fit for the notes of its run.
std::vector<std::string> notes_of(const fit::Fit& found);

}  // namespace herglotz::app
