#include "start/inequalities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/optimise/minimise.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::solve {
namespace {

constexpr int most_iterations_of_excess = 300;
constexpr double precision_of_excess = 1e-7;
constexpr double broken = 1e-4;  ///< what an inequality exceeds 0 by, in parts of its size
constexpr double broken_at_end = 1e-9;
constexpr double share = 0.01;  ///< of the largest excess, where a span of it begins

/// Returns the problem whose inequalities hold up to an excess, a control that is not negative, and whose cost is the
/// sum of the excesses in parts of the sizes of the inequalities.
control::Problem with_excesses(const Setup& model, const Units& units) {
  control::Problem problem = model.problem;
  auto& graph = problem.system.graph();
  control::Expr sum = graph.number(0);
  for (std::size_t k = 0; k < problem.path.size(); ++k) {
    const control::Expr excess = graph.symbol("excess(" + std::to_string(k) + ")");
    problem.controls.push_back(excess);
    problem.bounds.push_back({graph.number(0), std::nullopt});
    problem.path[k] -= excess;
    sum += excess / units.along[model.equations() + k];
  }
  problem.cost.running = sum;
  problem.cost.terminal = graph.number(0);
  problem.cost.maximise = false;
  return problem;
}

/// Inserts values of the excesses after those of the controls.
Path with_excesses(Path path, std::size_t controls, std::size_t count) {
  for (Interval& interval : path.intervals) {
    interval.held.resize(controls + count, Hold::free);
    for (Stage& stage : interval.stages)
      for (Values* values : {&stage.w, &stage.bound})
        values->insert(values->begin() + static_cast<std::ptrdiff_t>(controls), count, 0.0);
  }
  return path;
}

/// The least value of an inequality at an end over the controls within their bounds, if the values that are given there
/// determine it.
class AtEnd {
 public:
  AtEnd(const Setup& model, bool last) : setup_(model), problem_(model.problem) {
    const auto& given = last ? model.final : model.initial;
    for (std::size_t i = 0; i < model.d(); ++i) add(model.form.v[i], given[i]);
    std::optional<double> t = model.t0;
    if (last) t = model.duration ? std::optional(model.t0 + *model.duration) : std::nullopt;
    add(problem_.system.t, t);
    for (const auto& parameter : problem_.system.parameters) add(parameter.symbol, parameter.value);
    for (const control::Expr& u : problem_.controls) add(u, 0.0);
  }

  [[nodiscard]] std::optional<double> least(control::Expr inequality) const {
    for (const control::Expr& symbol : unknown_)
      if (symbolic::depends_on(inequality, symbol)) return std::nullopt;
    const auto value = [&](const control::Expr& f) { return symbolic::evaluate(f, symbols_, values_); };
    double sum = value(inequality);
    for (std::size_t u = 0; u < problem_.controls.size(); ++u) {
      const control::Expr slope = symbolic::derivative(inequality, problem_.controls[u]);
      for (const control::Expr& other : problem_.controls)
        if (symbolic::depends_on(slope, other)) return std::nullopt;
      const double by_u = value(slope);
      if (by_u != 0) sum += by_u * (by_u > 0 ? setup_.lower[u] : setup_.upper[u]);
    }
    return sum;
  }

 private:
  void add(const control::Expr& symbol, std::optional<double> value) {
    if (!value) return unknown_.push_back(symbol);
    symbols_.push_back(symbol);
    values_.push_back(*value);
  }

  const Setup& setup_;
  const control::Problem& problem_;
  std::vector<control::Expr> symbols_;
  Values values_;
  std::vector<control::Expr> unknown_;
};

}  // namespace

std::string broken_at_ends(const Setup& model) {
  for (const bool last : {false, true}) {
    const AtEnd end(model, last);
    for (std::size_t k = 0; k < model.problem.path.size(); ++k) {
      const auto least = end.least(model.problem.path[k]);
      if (!least || !(*least > broken_at_end)) continue;
      return fmt::format("inequality {} of [control] path is {:.6g} at the {}, and must be at most 0", k + 1, *least,
                         last ? "end" : "start");
    }
  }
  return "";
}

std::string conflict_of_inequalities(const Setup& model, const Setup& setup, const Collocation& method,
                                     const Mesh& mesh, const std::function<bool()>& go_on) {
  const std::size_t controls = setup.problem.controls.size();
  const std::size_t count = setup.problem.path.size();
  if (count == 0) return "";
  const Path guess = in_units(setup.units, guessed_path(model, method, mesh));
  const control::Problem problem = with_excesses(model, setup.units);
  Units units = setup.units;
  units.v.back() = units.time;
  units.w.insert(units.w.begin() + static_cast<std::ptrdiff_t>(controls),
                 units.along.end() - static_cast<std::ptrdiff_t>(count), units.along.end());
  const Setup relaxed = Setup(problem).divided_by(units);
  Mesh all = mesh;
  for (Arc& arc : all.arcs) arc.held.resize(controls + count, Hold::free);
  GaussNlp nlp(relaxed, method, all);
  const auto found = optimise::minimise(nlp, nlp.iterate(with_excesses(guess, controls, count)),
                                        {precision_of_excess, most_iterations_of_excess, false, 0, go_on});
  if (found.verdict == optimise::Verdict::stopped ||
      optimise::largest_violation(nlp, found.at.x).size > 10 * precision_of_excess)
    return "";
  const Path path = nlp.path(found.at);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) {
    double largest = 0;
    for (const Interval& interval : path.intervals)
      for (const Stage& stage : interval.stages) largest = std::max(largest, stage.w[controls + k]);
    if (largest < broken) continue;
    double first = path.end();
    double last = path.start();
    for (const Interval& interval : path.intervals) {
      for (const Stage& stage : interval.stages) {
        if (stage.w[controls + k] < share * largest) continue;
        first = std::min(first, interval.t);
        last = std::max(last, interval.t + interval.h);
      }
    }
    texts.push_back(fmt::format("inequality {} is broken by up to {:.3g} from t = {:.4g} to {:.4g}", k + 1,
                                largest * setup.units.along[setup.equations() + k], first * units.time,
                                last * units.time));
  }
  if (texts.empty()) return "";
  return fmt::format("[control] path cannot hold together with the equations and the ends: where it fails least, {}",
                     fmt::join(texts, ", "));
}

}  // namespace herglotz::solve
