#pragma once
/// Lines of `herglotz check`, which are a label and a finding, and words that other commands share with it.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/simulate/check.hpp"

namespace herglotz::app {

/// Prints one finding as a line; an empty subject continues the previous subject.
void print_finding(const simulate::Finding& finding);
/// Prints everything that a check found as one JSON object: `findings` has the lines for people, with the subject that
/// a line continues.
void print_findings_json(const mechanics::System& system, const simulate::Check& check);
/// Returns the analysis of singular equations as JSON, or null if they are regular or were not decided.
nlohmann::ordered_json singular_json(const std::optional<mechanics::SingularAnalysis>& singular);
/// Returns the lines for people as the array `findings` of such an object.
nlohmann::ordered_json findings_json(const std::vector<simulate::Finding>& findings);
/// Returns the order in words, such as "order 4"; 0 stands for the order of the given discrete Lagrangian.
std::string order_in_words(int order);

}  // namespace herglotz::app
