#include "parts/without_kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "structure.hpp"

namespace herglotz::solve {
namespace {

using analyse::Column;

constexpr double followed = 1e-6;  ///< a path that violates its equations by more is no answer
constexpr double together = 1e-5;  ///< both parts, in parts of the largest of them

/// Names of the parts of a control.
struct Names {
  std::string positive;
  std::string negative;
};

Names names_of(const control::SignedParts& parts, const control::SignedControl& control) {
  return {std::string(parts.problem.controls[control.positive].name()),
          std::string(parts.problem.controls[control.negative].name())};
}

/// Replaces the columns of both parts, if there are any, by one that `join` makes of each pair of values; without
/// `join`, removes them.
template <class Join>
void join_columns(std::vector<Column>& columns, const Names& names, const std::string& prefix, const std::string& name,
                  bool keeps, const Join& join) {
  const auto place = [&](const std::string& part) {
    return std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == prefix + part; });
  };
  const auto positive = place(names.positive);
  const auto negative = place(names.negative);
  if (positive != columns.end() && negative != columns.end() && keeps) {
    for (std::size_t k = 0; k < positive->values.size(); ++k)
      positive->values[k] = join(positive->values[k], negative->values[k]);
    positive->name = prefix + name;
  }
  std::erase_if(
      columns, [&](const Column& c) { return c.name == prefix + names.negative || c.name == prefix + names.positive; });
}

/// Returns whether one part of a control is 0 at every stage, or in every row of a method without stages.
bool has_one_part(const control::SignedControl& control, const Names& names, const Solution& found) {
  double both = 0;
  double largest = 0;
  const auto add = [&](double positive, double negative) {
    both = std::max(both, std::min(positive, negative));
    largest = std::max({largest, positive, negative});
  };
  const control::Iterate& path = found.iterate;
  const std::size_t m = path.algebraic.size();
  for (std::size_t k = 0; k + m <= path.stage_w.size(); k += m)
    add(path.stage_w[k + control.positive], path.stage_w[k + control.negative]);
  if (path.stage_w.empty()) {
    const auto& positive = found.trajectory[names.positive];
    const auto& negative = found.trajectory[names.negative];
    for (std::size_t k = 0; k < positive.size(); ++k) add(positive[k], negative[k]);
  }
  return both <= together * largest;
}

/// Returns the word for a control whose parts have these, both of which are at least 0.
std::string word_of(const std::string& positive, const std::string& negative) {
  if (negative == "min") return positive == "min" ? "zero" : positive;
  if (positive == "min") return negative == "max" ? "min" : negative;
  return positive;
}

/// Returns the arcs of a control by those of its parts.
ControlArcs join_arcs(const std::string& name, const ControlArcs& positive, const ControlArcs& negative) {
  ControlArcs result{name, {word_of(positive.words.front(), negative.words.front())}, {}};
  std::size_t p = 0;
  std::size_t n = 0;
  while (p < positive.times.size() || n < negative.times.size()) {
    const bool is_first =
        n == negative.times.size() || (p < positive.times.size() && positive.times[p] <= negative.times[n]);
    const double t = is_first ? positive.times[p] : negative.times[n];
    // Both parts may change at one time, which each of them gives up to the error of its mesh.
    const double near = 1e-8 * std::abs(t) + 1e-12;
    if (p < positive.times.size() && positive.times[p] - t <= near) ++p;
    if (n < negative.times.size() && negative.times[n] - t <= near) ++n;
    const std::string word = word_of(positive.words[p], negative.words[n]);
    if (word == result.words.back()) continue;
    result.words.push_back(word);
    result.times.push_back(t);
  }
  return result;
}

}  // namespace

bool are_parts_of_controls(const control::SignedParts& parts, const Solution& found) {
  if (found.status == Status::stopped) return true;
  const bool holds = std::all_of(parts.controls.begin(), parts.controls.end(), [&](const auto& control) {
    return has_one_part(control, names_of(parts, control), found);
  });
  return holds && (found.status == Status::solved || found.residuals.front().second < followed);
}

void join_controls(const control::SignedParts& parts, std::vector<Column>& columns) {
  for (const auto& control : parts.controls)
    join_columns(columns, names_of(parts, control), "", control.name, true,
                 [](double positive, double negative) { return positive - negative; });
}

Solution with_controls(const control::SignedParts& parts, Solution found) {
  auto& columns = found.trajectory.columns;
  join_controls(parts, columns);
  for (const auto& control : parts.controls) {
    const Names names = names_of(parts, control);
    join_columns(columns, names, "bound.", control.name, control.bounded,
                 [](double positive, double negative) { return std::max(positive, 0.0) - std::max(negative, 0.0); });
    join_columns(columns, names, "switch.", control.name, true,
                 [](double positive, double negative) { return (positive - negative) / 2; });
    const auto arcs = [&](const std::string& part) {
      return std::find_if(found.arcs.begin(), found.arcs.end(),
                          [&](const ControlArcs& a) { return a.control == part; });
    };
    const auto positive = arcs(names.positive);
    const auto negative = arcs(names.negative);
    if (positive == found.arcs.end() || negative == found.arcs.end()) continue;
    *positive = join_arcs(control.name, *positive, *negative);
    found.arcs.erase(negative);
  }
  state_structure(found);
  return found;
}

bool is_path_of(const control::Epigraphs& epigraphs, const control::Iterate& path) {
  return std::find(path.algebraic.begin(), path.algebraic.end(), epigraphs.names.front()) != path.algebraic.end();
}

void remove_epigraphs(const control::Epigraphs& epigraphs, std::vector<Column>& columns) {
  const std::size_t inequalities = epigraphs.problem.path.size();
  std::vector<std::string> added;
  for (const std::string& name : epigraphs.names) {
    added.push_back(name);
    added.push_back("switch." + name);
  }
  for (std::size_t k = 0; k < 2 * epigraphs.names.size(); ++k)
    added.push_back(fmt::format("path.{}", inequalities - k));
  std::erase_if(columns, [&](const Column& c) { return std::find(added.begin(), added.end(), c.name) != added.end(); });
}

}  // namespace herglotz::solve
