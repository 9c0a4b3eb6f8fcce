#include "parts/without_norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "certificate/certificate.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "structure.hpp"

namespace herglotz::solve {
namespace {

using analyse::Column;
using control::Magnitude, control::Magnitudes;
using symbolic::Expr;

constexpr double met = 1e-6;      ///< a path that violates its equations by more is no answer
constexpr double shorter = 1e-5;  ///< by which controls may be shorter than their magnitude, in parts of the largest

std::string direction_of(const Magnitudes& magnitudes, const control::DirectedControl& control) {
  return std::string(magnitudes.problem.controls[control.direction].name());
}

Column* column(std::vector<Column>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

/// Returns whether the controls of a norm are as long as their magnitude at every stage.
bool is_on_sphere(const Magnitudes& magnitudes, const Magnitude& norm, const control::Iterate& path) {
  std::vector<Expr> symbols;
  for (const auto& control : norm.controls) symbols.push_back(magnitudes.problem.controls[control.direction]);
  const std::size_t m = path.algebraic.size();
  double largest = 0;
  double gap = 0;
  for (std::size_t k = 0; k + m <= path.stage_w.size(); k += m) {
    std::vector<double> values;
    for (const auto& control : norm.controls) values.push_back(path.stage_w[k + control.direction]);
    const double square = 1 + symbolic::evaluate(magnitudes.problem.path[norm.ball], symbols, values);
    const double r = path.stage_w[k + norm.place];
    largest = std::max(largest, r);
    gap = std::max(gap, r * std::abs(1 - std::sqrt(std::max(square, 0.0))));
  }
  return gap <= shorter * largest;
}

}  // namespace

bool is_path_of(const Magnitudes& magnitudes, const control::Iterate& path) {
  const Magnitude& first = magnitudes.norms.front();
  return first.place < path.algebraic.size() && path.algebraic[first.place] == first.name;
}

bool are_norms_of_controls(const Magnitudes& magnitudes, const Solution& found) {
  if (found.status == Status::stopped) return true;
  if (found.status != Status::solved && !(found.residuals.front().second < met)) return false;
  return std::all_of(magnitudes.norms.begin(), magnitudes.norms.end(),
                     [&](const Magnitude& norm) { return is_on_sphere(magnitudes, norm, found.iterate); });
}

void join_controls(const Magnitudes& magnitudes, std::vector<Column>& columns) {
  for (const Magnitude& norm : magnitudes.norms) {
    const Column* r = column(columns, norm.name);
    if (r == nullptr) continue;
    for (const auto& control : norm.controls) {
      Column* s = column(columns, direction_of(magnitudes, control));
      if (s == nullptr) continue;
      for (std::size_t k = 0; k < s->values.size(); ++k) s->values[k] = control.offset + r->values[k] * s->values[k];
      s->name = control.name;
    }
    Column* ball = column(columns, fmt::format("path.{}", norm.ball + 1));
    if (ball != nullptr) {
      std::vector<Expr> symbols{magnitudes.problem.controls[norm.place]};
      std::vector<double> values{0};
      for (const auto& parameter : magnitudes.problem.system.parameters) {
        symbols.push_back(parameter.symbol);
        values.push_back(parameter.value);
      }
      for (std::size_t k = 0; k < ball->values.size(); ++k) {
        values.front() = r->values[k];
        ball->values[k] = symbolic::evaluate(norm.limit, symbols, values);
      }
    }
    std::vector<std::string> added{norm.name, "bound." + norm.name, "switch." + norm.name};
    for (const auto& control : norm.controls)
      for (const char* of : {"bound.", "switch."}) added.push_back(of + direction_of(magnitudes, control));
    std::erase_if(columns,
                  [&](const Column& c) { return std::find(added.begin(), added.end(), c.name) != added.end(); });
  }
}

Solution with_controls(const Magnitudes& magnitudes, Solution found) {
  join_controls(magnitudes, found.trajectory.columns);
  for (const Magnitude& norm : magnitudes.norms) {
    for (ControlArcs& arcs : found.arcs)
      if (arcs.control == norm.name)
        std::replace(arcs.words.begin(), arcs.words.end(), std::string("min"), std::string("zero"));
    std::erase_if(found.arcs, [&](const ControlArcs& arcs) {
      return std::any_of(norm.controls.begin(), norm.controls.end(),
                         [&](const auto& control) { return arcs.control == direction_of(magnitudes, control); });
    });
  }
  const bool has_zero = std::any_of(found.arcs.begin(), found.arcs.end(), [&](const ControlArcs& arcs) {
    return std::any_of(magnitudes.norms.begin(), magnitudes.norms.end(),
                       [&](const Magnitude& norm) { return arcs.control == norm.name; }) &&
           std::find(arcs.words.begin(), arcs.words.end(), "zero") != arcs.words.end();
  });
  if (has_zero && std::erase(found.notes, flat_directions) > 0)
    found.notes.emplace_back(
        "the second variation vanishes in some directions, among them those of controls while their norm is 0");
  state_structure(found);
  return found;
}

}  // namespace herglotz::solve
