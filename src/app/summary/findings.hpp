#pragma once
/// The lines of `herglotz check`, a label and what was found, and words that other commands share with it.

#include <string>

#include "herglotz/simulate/check.hpp"

namespace herglotz::app {

/// Prints one finding as a line; an empty subject continues the previous one.
void print_finding(const simulate::Finding& finding);
/// Prints everything that a check found as one JSON object: `findings` has the lines for people, with the subject that
/// a line continues.
void print_findings_json(const mechanics::System& system, const simulate::Check& check);
/// "order 4"; that of a method that has the order of what it is given is said so.
std::string order_in_words(int order);

}  // namespace herglotz::app
