#include "start/singular_ends.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"
#include "herglotz/mechanics/singular/reach.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::solve {
namespace {

using mechanics::SingularAnalysis;
using Given = std::vector<std::optional<double>>;

/// The values at the ends of a two-point problem.
class HiddenEnds {
 public:
  explicit HiddenEnds(const control::Problem& problem) : problem_(problem) {
    for (const auto& parameter : problem.system.parameters) {
      symbols_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
  }

  [[nodiscard]] const std::vector<double>& parameters() const { return values_; }
  [[nodiscard]] Given initial() const {
    const auto& free = problem_.boundary.free_initial;
    Given given;
    for (const std::string& name : state()) {
      const bool is_free = std::find(free.begin(), free.end(), name) != free.end();
      given.push_back(is_free ? std::nullopt : std::optional(value_of(problem_.boundary.initial, name).value_or(0)));
    }
    return given;
  }
  [[nodiscard]] Given final() const {
    Given given;
    for (const std::string& name : state()) given.push_back(value_of(problem_.boundary.final, name));
    return given;
  }
  [[nodiscard]] double t0() const {
    return value_of(problem_.boundary.initial, std::string(problem_.system.t.name())).value_or(0);
  }
  [[nodiscard]] std::optional<double> duration() const {
    if (!problem_.boundary.duration) return std::nullopt;
    return symbolic::evaluate(*problem_.boundary.duration, symbols_, values_);
  }

 private:
  [[nodiscard]] std::vector<std::string> state() const {
    std::vector<std::string> names;
    for (const auto& x : problem_.system.algebroid.x) names.emplace_back(x.name());
    names.emplace_back(problem_.system.z.name());
    return names;
  }
  template <class Values>
  [[nodiscard]] std::optional<double> value_of(const Values& values, const std::string& name) const {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return symbolic::evaluate(found->second, symbols_, values_);
  }

  const control::Problem& problem_;
  std::vector<control::Expr> symbols_;
  std::vector<double> values_;
};

/// Returns (x, y, z, t) with the values that are given at the start.
std::vector<double> point_at(const mechanics::System& system, const Given& given, double t) {
  std::vector<double> point;
  for (std::size_t i = 0; i < system.n(); ++i) point.push_back(given[i].value_or(0));
  point.resize(system.n() + system.r(), 0.0);
  point.push_back(given.back().value_or(0));
  point.push_back(t);
  return point;
}

void require_reach(const SingularAnalysis& analysis, const mechanics::Reach& reach, const std::string& end) {
  if (!reach.missed) return;
  const auto& constraint = analysis.constraints[*reach.missed];
  throw Failed(fmt::format("the Lagrangian is singular, and no motion has the values that are given at the {}: "
                           "constraint {} (level {}), {} = 0, is {:.6g} there",
                           end, *reach.missed + 1, constraint.level,
                           symbolic::print(symbolic::simplify(constraint.expression)), reach.value),
               "give values on the final set, which 'herglotz check' prints", "[boundary]");
}

[[noreturn]] void refuse_arbitrary(const SingularAnalysis& analysis) {
  throw Refused(
      fmt::format("the Lagrangian is singular, and the rate of {} is an arbitrary function of time: many motions join "
                  "the ends",
                  analysis.undetermined.front().name()),
      "choose it by another Lagrangian, or follow one motion with 'herglotz simulate'", "[dynamics]");
}

/// Returns the system with the constraints that the others do not imply.
mechanics::System independent(const mechanics::System& system, const std::vector<double>& parameters,
                              const std::vector<double>& start) {
  if (system.constraints.equations.empty()) return system;
  return mechanics::with_constraints(system, mechanics::analyse_independence(system, parameters, start).independent);
}

/// Returns the parts of the problem that motions on a final set are not solved for, or an empty text.
std::string unsupported(const control::Problem& problem, const SingularAnalysis& analysis) {
  const mechanics::System& system = problem.system;
  if (analysis.equations.w.size() != system.r() + system.constraints.equations.size())
    return "constraints that depend on each other";
  for (const auto& equation : system.constraints.equations)
    if (std::none_of(system.algebroid.y.begin(), system.algebroid.y.end(),
                     [&](const auto& y) { return symbolic::depends_on(equation, y); }))
      return "constraints on positions";
  if (!problem.boundary.conditions.empty()) return "conditions of [boundary]";
  if (!problem.boundary.duration) return "a free duration";
  return "";
}

/// The values at one end: given ones, then momenta that vanish.
std::vector<EndValue> values_at(const control::Problem& problem, const Given& given) {
  const std::size_t n = problem.system.n();
  std::vector<EndValue> values;
  for (std::size_t k = 0; k < given.size(); ++k)
    if (given[k]) values.push_back({k < n ? k : k + problem.system.r(), *given[k], false});
  if (!geometry::is_tangent(problem.system.algebroid)) return values;
  for (std::size_t i = 0; i < n; ++i)
    if (!given[i]) values.push_back({n + i, 0, true});
  return values;
}

/// Keeps the values that are independent at an end, at most `most` natural ones of them, and returns the others.
std::vector<EndValue> keep_independent(std::vector<EndValue>& values, const std::vector<std::size_t>& independent,
                                       std::size_t most) {
  std::vector<EndValue> kept;
  std::vector<EndValue> others;
  for (const EndValue& value : values) {
    const bool is_independent = std::find(independent.begin(), independent.end(), value.entry) != independent.end();
    const bool has_place = !value.natural || most > 0;
    if (is_independent && has_place && value.natural) --most;
    (is_independent && has_place ? kept : others).push_back(value);
  }
  values = std::move(kept);
  return others;
}

std::size_t count_given(const std::vector<EndValue>& values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](const EndValue& value) { return !value.natural; }));
}

}  // namespace

std::optional<SingularEnds> singular_ends(const control::Problem& problem) {
  if (problem.kind != control::Kind::two_point || problem.system.formulation != mechanics::Formulation::lagrangian)
    return std::nullopt;
  if (problem.system.constraints.rule == mechanics::Rule::nonholonomic) return std::nullopt;
  const HiddenEnds ends(problem);
  const auto start = point_at(problem.system, ends.initial(), ends.t0());
  SingularEnds result;
  result.system = independent(problem.system, ends.parameters(), start);
  const mechanics::System& system = result.system;
  if (!mechanics::is_singular(system, mechanics::derive(system), ends.parameters(), start)) return std::nullopt;
  SingularAnalysis& analysis = result.analysis;
  try {
    analysis = mechanics::analyse_singular(system, ends.parameters(), start);
  } catch (const mechanics::Undecided& undecided) {
    throw Refused(
        fmt::format("the Lagrangian is singular, and its constraints are not decided: {}", undecided.problem()),
        undecided.remedy(), "[dynamics]");
  }
  if (analysis.contradiction)
    throw Failed("the Lagrangian is singular, and " + mechanics::text_of(*analysis.contradiction), "", "[dynamics]");
  const auto reach_of = [&](const Given& given, double t) {
    return mechanics::reach_final_set(system, analysis, ends.parameters(), given, t);
  };
  const double t_end = ends.t0() + ends.duration().value_or(problem.guess.duration.value_or(1));
  const mechanics::Reach first = reach_of(ends.initial(), ends.t0());
  require_reach(analysis, first, "start");
  const mechanics::Reach last = reach_of(ends.final(), t_end);
  require_reach(analysis, last, "end");
  if (!analysis.undetermined.empty()) refuse_arbitrary(analysis);
  if (const std::string what = unsupported(problem, analysis); !what.empty())
    throw Refused(fmt::format("the Lagrangian is singular, and two-point problems of singular ones are not solved with "
                              "{}",
                              what),
                  "write it without the coordinates that the constraints determine", "[dynamics]");
  const std::size_t dimension = analysis.dim_final;
  const std::size_t given = first.independent + last.independent;
  if (given > dimension)
    throw Refused(fmt::format("the Lagrangian is singular: its motions have {} dimensions, and the ends give {} "
                              "independent conditions",
                              dimension, given),
                  fmt::format("leave out {} of them", given - dimension), "[boundary]");
  const auto independent_of = [&](const std::vector<EndValue>& values, const mechanics::Reach& reach, double t) {
    std::vector<std::size_t> places;
    for (const EndValue& value : values) places.push_back(value.entry);
    return mechanics::independent_entries(system, analysis, ends.parameters(), reach.point, t, places);
  };
  std::size_t missing = dimension - given;
  result.first = values_at(problem, ends.initial());
  result.follow_first = keep_independent(result.first, independent_of(result.first, first, ends.t0()), missing);
  missing -= result.first.size() - count_given(result.first);
  result.last = values_at(problem, ends.final());
  result.follow_last = keep_independent(result.last, independent_of(result.last, last, t_end), missing);
  missing -= result.last.size() - count_given(result.last);
  if (missing > 0)
    throw Refused(fmt::format("the Lagrangian is singular: its motions have {} dimensions, and the ends give {} "
                              "independent conditions: many motions join them",
                              dimension, dimension - missing),
                  fmt::format("give {} more value{} at the ends", missing, missing == 1 ? "" : "s"), "[boundary]");
  return result;
}

}  // namespace herglotz::solve
