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
class Ends {
 public:
  explicit Ends(const control::Problem& problem) : problem_(problem) {
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

[[noreturn]] void refuse_motion(const SingularAnalysis& analysis) {
  if (!analysis.undetermined.empty())
    throw Refused(
        fmt::format(
            "the Lagrangian is singular, and the rate of {} is an arbitrary function of time: many motions join "
            "the ends",
            analysis.undetermined.front().name()),
        "choose it by another Lagrangian, or follow one motion with 'herglotz simulate'", "[dynamics]");
  throw Refused(fmt::format("the Lagrangian is singular, with {} level{} of constraints, and two-point problems are "
                            "solved for regular ones",
                            analysis.levels(), analysis.levels() == 1 ? "" : "s"),
                "write it without the coordinates that the constraints determine", "[dynamics]");
}

/// Returns the system with the constraints that the others do not imply.
mechanics::System independent(const mechanics::System& system, const std::vector<double>& parameters,
                              const std::vector<double>& start) {
  if (system.constraints.equations.empty()) return system;
  return mechanics::with_constraints(system, mechanics::analyse_constraints(system, parameters, start).independent);
}

}  // namespace

void require_regular(const control::Problem& problem) {
  if (problem.kind != control::Kind::two_point || problem.system.formulation != mechanics::Formulation::lagrangian)
    return;
  if (problem.system.constraints.rule == mechanics::Rule::nonholonomic) return;
  const Ends ends(problem);
  const auto start = point_at(problem.system, ends.initial(), ends.t0());
  const mechanics::System system = independent(problem.system, ends.parameters(), start);
  const mechanics::Equations equations = mechanics::derive(system);
  if (!mechanics::is_singular(system, equations, ends.parameters(), start)) return;
  SingularAnalysis analysis;
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
  const mechanics::Reach first = reach_of(ends.initial(), ends.t0());
  require_reach(analysis, first, "start");
  const auto duration = ends.duration();
  if (!duration) refuse_motion(analysis);
  const mechanics::Reach last = reach_of(ends.final(), ends.t0() + *duration);
  require_reach(analysis, last, "end");
  const std::size_t conditions = first.independent + last.independent;
  if (analysis.undetermined.empty() && conditions > analysis.dim_final)
    throw Refused(fmt::format("the Lagrangian is singular: its motions have {} dimensions, and the ends give {} "
                              "independent conditions",
                              analysis.dim_final, conditions),
                  fmt::format("leave out {} of them", conditions - analysis.dim_final), "[boundary]");
  refuse_motion(analysis);
}

}  // namespace herglotz::solve
