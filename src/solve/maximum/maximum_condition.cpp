#include "maximum/maximum_condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "collocation.hpp"
#include "herglotz/control/first_order.hpp"
#include "herglotz/control/magnitudes.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "maximum/hamiltonian.hpp"
#include "maximum/least_value.hpp"
#include "maximum/norm_condition.hpp"

namespace herglotz::solve {
namespace {

using control::FirstOrder, control::Iterate, control::Problem;
using symbolic::Expr;

using Values = std::vector<double>;

constexpr double least_cost = 1e-6;           ///< in parts of the sum of the sizes of its terms
constexpr double least_accuracy = 1e-12;      ///< of costates
constexpr std::size_t boxes_of_stage = 5000;  ///< that are looked at for one stage, at most
constexpr double most_operations = 2e6;       ///< of all, at most
constexpr std::size_t enough_undecided = 6;   ///< stages
constexpr std::size_t widest_stride = 16;     ///< of the intervals that come first

std::string no_stages_why(const Solution& found) {
  if (found.abnormal) return "the costates of an abnormal extremal do not know the cost";
  if (found.iterate.stage_w.empty()) return "the method has no stages";
  return "";
}

/// The problem as it was stated, and the path in its variables.
class StatedPath {
 public:
  StatedPath(const Problem& problem, const Solution& found)
      : problem_(problem), path_(in_controls(problem, found.iterate)), form_(control::first_order(problem)) {
    for (const auto& parameter : problem.system.parameters) {
      parameters_.push_back(parameter.symbol);
      parameter_values_.push_back(parameter.value);
    }
    for (const std::vector<Expr>& some : {form_.v, form_.w, std::vector{problem.system.t}, parameters_})
      symbols_.insert(symbols_.end(), some.begin(), some.end());
    for (const Expr& w : form_.w) places_.push_back(places_of(std::string(w.name())));
    const auto bound = [&](const std::optional<Expr>& one, double none) {
      return one ? symbolic::evaluate(*one, parameters_, parameter_values_) : none;
    };
    for (const control::Bounds& bounds : problem.bounds)
      bounds_.push_back({bound(bounds.lower, Range::all().low), bound(bounds.upper, Range::all().high)});
  }

  [[nodiscard]] const FirstOrder& form() const { return form_; }
  [[nodiscard]] const std::vector<Expr>& symbols() const { return symbols_; }
  [[nodiscard]] const std::vector<Range>& bounds() const { return bounds_; }
  [[nodiscard]] std::size_t stages() const { return path_.intervals() * path_.stages; }
  [[nodiscard]] std::size_t d() const { return form_.v.size(); }
  [[nodiscard]] std::size_t along() const { return form_.equations.size() + form_.inequalities.size(); }

  /// Returns whether the path has values for everything in the problem.
  [[nodiscard]] bool fits() const {
    return path_.states.size() == d() && path_.equations >= along() &&
           std::all_of(places_.begin(), places_.end(), [](const Places& one) { return one.positive.has_value(); });
  }

  [[nodiscard]] double time(std::size_t stage) const {
    const std::size_t k = stage / path_.stages;
    return path_.times[k] + path_.points[stage % path_.stages] * (path_.times[k + 1] - path_.times[k]);
  }

  [[nodiscard]] StageValues at(std::size_t stage) const {
    StageValues result;
    result.symbols.assign(path_.stage_v.begin() + offset(stage, d()), path_.stage_v.begin() + offset(stage + 1, d()));
    for (std::size_t j = 0; j < places_.size(); ++j) {
      double value = algebraic(stage, places_[j]);
      if (j < bounds_.size()) value = std::clamp(value, bounds_[j].low, bounds_[j].high);
      result.symbols.push_back(value);
    }
    result.symbols.push_back(time(stage));
    result.symbols.insert(result.symbols.end(), parameter_values_.begin(), parameter_values_.end());
    result.P = std::span(path_.stage_P).subspan(stage * d(), d());
    result.kappa = std::span(path_.stage_kappa).subspan(stage * path_.equations, path_.equations);
    return result;
  }

  /// Returns the sizes of (P, kappa) along the path. Errors of costates are in parts of the largest of them, each
  /// multiplied by the size of its state.
  [[nodiscard]] Values multiplier_sizes() const {
    Values sizes(d() + along());
    Values states(d());
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      for (std::size_t a = 0; a < d(); ++a) {
        sizes[a] = std::max(sizes[a], std::abs(path_.stage_P[stage * d() + a]));
        states[a] = std::max(states[a], std::abs(path_.stage_v[stage * d() + a]));
      }
      for (std::size_t c = 0; c < along(); ++c)
        sizes[d() + c] = std::max(sizes[d() + c], std::abs(path_.stage_kappa[stage * path_.equations + c]));
    }
    double largest = 0;
    for (std::size_t a = 0; a < d(); ++a) largest = std::max(largest, sizes[a] * states[a]);
    for (std::size_t a = 0; a < d(); ++a)
      if (states[a] > 0) sizes[a] = std::max(sizes[a], largest / states[a]);
    return sizes;
  }

  /// Returns the path in the variables of the problem; no control is at a bound.
  [[nodiscard]] Iterate stated() const {
    Iterate result = path_;
    result.algebraic.clear();
    for (const Expr& w : form_.w) result.algebraic.emplace_back(w.name());
    result.controls = problem_.controls.size();
    result.equations = along();
    result.settled = false;
    result.active.assign(path_.intervals() * result.controls, 0);
    for (auto* values : {&result.stage_w, &result.stage_kappa}) values->clear();
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      for (const Places& places : places_) result.stage_w.push_back(algebraic(stage, places));
      const auto kappa = path_.stage_kappa.begin() + offset(stage, path_.equations);
      result.stage_kappa.insert(result.stage_kappa.end(), kappa, kappa + offset(along(), 1));
    }
    result.stage_bound.assign(result.stage_w.size(), 0.0);
    return result;
  }

  /// Returns the period of K and the inequalities in a control.
  [[nodiscard]] std::optional<double> period(std::size_t control) const {
    return period_of(functions(), form_.w[control], parameters_, parameter_values_);
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> groups() const {
    std::vector<Expr> sums = form_.rates;
    sums.insert(sums.end(), form_.equations.begin(), form_.equations.end());
    return coupled_controls(sums, form_.inequalities, problem_.controls);
  }

 private:
  /// Places of a variable among those of the path, which may have two parts of it.
  struct Places {
    std::optional<std::size_t> positive;
    std::optional<std::size_t> negative;
  };

  [[nodiscard]] std::vector<Expr> functions() const {
    std::vector<Expr> all = form_.rates;
    for (const auto* some : {&form_.equations, &form_.inequalities}) all.insert(all.end(), some->begin(), some->end());
    return all;
  }

  [[nodiscard]] Places places_of(const std::string& name) const {
    const auto place = [&](const std::string& one) -> std::optional<std::size_t> {
      const auto found = std::find(path_.algebraic.begin(), path_.algebraic.end(), one);
      if (found == path_.algebraic.end()) return std::nullopt;
      return static_cast<std::size_t>(found - path_.algebraic.begin());
    };
    if (const auto whole = place(name)) return {whole, std::nullopt};
    return {place("positive part of " + name), place("negative part of " + name)};
  }

  [[nodiscard]] double algebraic(std::size_t stage, const Places& places) const {
    const auto value = [&](std::size_t place) { return path_.stage_w[stage * path_.algebraic.size() + place]; };
    return value(*places.positive) - (places.negative ? value(*places.negative) : 0);
  }

  [[nodiscard]] static std::ptrdiff_t offset(std::size_t stage, std::size_t size) {
    return static_cast<std::ptrdiff_t>(stage * size);
  }

  /// Returns a path with controls in the place of magnitudes and directions.
  static Iterate in_controls(const Problem& problem, const Iterate& path) {
    const auto magnitudes = control::with_magnitudes(problem);
    const auto stated = magnitudes ? control::stated_path(problem, *magnitudes, path) : std::nullopt;
    return stated ? *stated : path;
  }

  const Problem& problem_;
  Iterate path_;
  FirstOrder form_;
  std::vector<Expr> parameters_;
  Values parameter_values_;
  std::vector<Expr> symbols_;
  std::vector<Places> places_;
  std::vector<Range> bounds_;
};

/// Returns intervals in an order in which every first part of them is spread over all.
std::vector<std::size_t> spread(std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t stride = widest_stride; stride > 0; stride /= 2)
    for (std::size_t k = 0; k < count; k += stride)
      if (stride == widest_stride || k % (2 * stride) != 0) order.push_back(k);
  return order;
}

/// Returns the sum of the sizes of what the cost gathers.
double gathered_cost(const Solution& found) {
  const Iterate& path = found.iterate;
  const std::size_t d = path.states.size();
  const auto zeta = [&](std::size_t node) { return path.v[node * d + d - 1]; };
  double size = std::abs(found.cost - zeta(path.intervals()));
  for (std::size_t k = 0; k < path.intervals(); ++k) size += std::abs(zeta(k + 1) - zeta(k));
  return size;
}

class Comparison {
 public:
  Comparison(const Problem& problem, const Solution& found, const StatedPath& path)
      : path_(path),
        found_(found),
        sizes_(control_sizes()),
        tolerance_(problem.settings.tolerance),
        norms_(norm_conditions(problem, path.form(), path.symbols())) {
    const Values of_multipliers = path.multiplier_sizes();
    for (auto& group : path.groups()) {
      if (has_norm_condition(group)) continue;
      if (group.size() > most_coupled) {
        result_.comparison.why = fmt::format("it depends on {} controls together", group.size());
        continue;
      }
      hamiltonians_.emplace_back(path.form(), path.symbols(), group, of_multipliers);
      groups_.push_back(std::move(group));
    }
    for (std::size_t u = 0; u < path.bounds().size(); ++u)
      periods_.push_back(path.bounds()[u].is_finite() ? std::nullopt : path.period(u));
    accuracy_ = std::max(std::isfinite(found.mesh_error) ? found.mesh_error : tolerance_, least_accuracy);
    const auto points = static_cast<std::size_t>(found.iterate.points.size());
    const bool at_ends = found.iterate.points.front() <= 0;
    const Collocation method(points, at_ends ? Points::lobatto : Points::gauss);
    weights_.assign(method.b.data(), method.b.data() + method.b.size());
  }

  MaximumCondition run() {
    const Iterate& path = found_.iterate;
    result_.path = path_.stated();
    result_.bounds = path_.bounds();
    result_.times.resize(path_.stages());
    result_.falls.resize(path_.stages());
    result_.controls.resize(path_.stages());
    for (std::size_t stage = 0; stage < path_.stages(); ++stage) {
      result_.times[stage] = path_.time(stage);
      const Values symbols = path_.at(stage).symbols;
      const auto first = symbols.begin() + static_cast<std::ptrdiff_t>(path_.d());
      result_.controls[stage].assign(first, first + static_cast<std::ptrdiff_t>(path_.bounds().size()));
    }
    const double cost = cost_size();
    const double duration = path.times.back() - path.times.front();
    below_ = tolerance_ * cost / duration;
    double saved = 0;
    std::size_t undecided = 0;
    const bool has_all_groups = result_.comparison.why.empty();
    bool all = has_all_groups;
    for (const std::size_t k : spread(path.intervals())) {
      const double h = path.times[k + 1] - path.times[k];
      for (std::size_t i = 0; i < path.stages; ++i) {
        if (operations_ > most_operations || is_hopeless(undecided)) {
          all = false;
          continue;
        }
        const auto fall = fall_at(k * path.stages + i);
        saved += weights_[i] * h * fall.K;
        all = all && fall.decided;
        undecided += fall.decided ? 0 : 1;
        result_.comparison.times += has_all_groups && fall.decided ? 1 : 0;
      }
    }
    result_.comparison.of_all = all;
    result_.comparison.saved = cost > 0 ? saved / cost : 0;
    if (!all && result_.comparison.why.empty())
      result_.comparison.why =
          fmt::format("its greatest value was found at {} of {} times only", result_.comparison.times, path_.stages());
    if (!(result_.comparison.saved > tolerance_)) result_.largest.reset();
    return std::move(result_);
  }

 private:
  /// Returns whether so many of the first stages are not decided that the others are left.
  [[nodiscard]] bool is_hopeless(std::size_t undecided) const {
    return undecided >= enough_undecided && undecided > result_.comparison.times;
  }

  /// Returns whether the controls of a group are those of a norm in closed form.
  [[nodiscard]] bool has_norm_condition(std::vector<std::size_t> group) const {
    std::sort(group.begin(), group.end());
    return std::any_of(norms_.begin(), norms_.end(),
                       [&](const NormCondition& norm) { return norm.controls() == group; });
  }

  struct Fall {
    double K = 0;
    bool decided = true;
  };

  /// Returns the ranges of the controls, or where they have no bounds their largest values along the path.
  [[nodiscard]] Values control_sizes() const {
    Values sizes;
    for (const Range& bounds : path_.bounds()) sizes.push_back(bounds.is_finite() ? bounds.width() : 0);
    for (std::size_t stage = 0; stage < path_.stages(); ++stage) {
      const Values symbols = path_.at(stage).symbols;
      for (std::size_t u = 0; u < sizes.size(); ++u)
        if (!path_.bounds()[u].is_finite()) sizes[u] = std::max(sizes[u], std::abs(symbols[path_.d() + u]));
    }
    for (double& size : sizes)
      if (!(size > 0)) size = 1;
    return sizes;
  }

  /// Returns the size of the cost. Along paths on which it vanishes that is a small part of what controls may change.
  [[nodiscard]] double cost_size() {
    double terms = 0;
    for (std::size_t k = 0; k < found_.iterate.intervals(); ++k) {
      const double h = found_.iterate.times[k + 1] - found_.iterate.times[k];
      for (std::size_t i = 0; i < weights_.size(); ++i) {
        const StageValues values = path_.at(k * weights_.size() + i);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
          Hamiltonian& hamiltonian = hamiltonians_[g];
          hamiltonian.go_to(values);
          terms += weights_[i] * h * hamiltonian.terms_here();
          const Range all = hamiltonian.on(domain(groups_[g], hamiltonian.controls())).K.value;
          if (all.is_finite()) terms += weights_[i] * h * all.width();
        }
        for (const NormCondition& norm : norms_) terms += weights_[i] * h * norm.best(values).terms;
      }
    }
    return std::max(gathered_cost(found_), least_cost * terms);
  }

  [[nodiscard]] std::vector<Range> domain(const std::vector<std::size_t>& group, const Values& controls) const {
    std::vector<Range> box;
    for (std::size_t i = 0; i < group.size(); ++i) {
      Range side = path_.bounds()[group[i]];
      if (const auto period = periods_[group[i]]) {
        side.low = std::max(side.low, controls[i] - *period / 2);
        side.high = std::min(side.high, side.low + *period);
      }
      box.push_back(side);
    }
    return box;
  }

  Fall fall_at(std::size_t stage) {
    Fall result;
    const StageValues values = path_.at(stage);
    const double price = std::abs(values.P.back());
    BetterControl better{path_.time(stage)};
    double most = 0;
    const auto take = [&](const std::vector<std::size_t>& group, double fall, const auto& found, const auto& best) {
      if (!(fall > 0)) return;
      result.K += fall;
      for (std::size_t i = 0; i < group.size(); ++i) {
        const std::size_t u = group[i];
        const double from = found(i);
        result_.controls[stage][u] = best(i);
        const double change = std::abs(best(i) - from) / sizes_[u] * fall;
        if (!(change > most)) continue;
        most = change;
        std::tie(better.control, better.found, better.better) = std::tuple(u, from, best(i));
      }
    };
    for (const NormCondition& norm : norms_) {
      const auto best = norm.best(values);
      take(
          norm.controls(), best.fall - accuracy_ * best.terms,
          [&](std::size_t i) { return values.symbols[path_.d() + norm.controls()[i]]; },
          [&](std::size_t i) { return best.at[static_cast<Eigen::Index>(i)]; });
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Hamiltonian& hamiltonian = hamiltonians_[g];
      hamiltonian.go_to(values);
      Values sizes;
      for (const std::size_t u : groups_[g]) sizes.push_back(sizes_[u]);
      const LeastValue least = least_value(hamiltonian, domain(groups_[g], hamiltonian.controls()),
                                           {below_, accuracy_, std::move(sizes), boxes_of_stage});
      // An operation takes as long as it has values and derivatives.
      const std::size_t n = groups_[g].size();
      operations_ += static_cast<double>(least.boxes * hamiltonian.operations() * (1 + n + second_place(n, 0))) / 3;
      result.decided = result.decided && least.decided;
      take(
          groups_[g], least.fall - accuracy_ * hamiltonian.terms_of_change(least.controls),
          [&](std::size_t i) { return hamiltonian.controls()[i]; }, [&](std::size_t i) { return least.controls[i]; });
    }
    better.rise = result.K / price;
    result_.falls[stage] = result.K;
    if (result.K > 0 && (!result_.largest || better.rise > result_.largest->rise)) result_.largest = better;
    return result;
  }

  const StatedPath& path_;
  const Solution& found_;
  Values sizes_;
  double tolerance_;
  std::vector<NormCondition> norms_;
  double accuracy_ = 0;
  double below_ = 0;
  double operations_ = 0;
  Values weights_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<Hamiltonian> hamiltonians_;
  std::vector<std::optional<double>> periods_;
  MaximumCondition result_;
};

}  // namespace

std::optional<MaximumCondition> maximum_condition(const Problem& problem, const Solution& found) {
  if (problem.controls.empty()) return std::nullopt;
  MaximumCondition without;
  without.comparison.why = no_stages_why(found);
  if (control::has_constant_cost(problem)) without.comparison.why = "no controls change the cost";
  if (!without.comparison.why.empty()) return without;
  const StatedPath path(problem, found);
  if (!path.fits()) {
    without.comparison.why = "the path has not the variables of the problem";
    return without;
  }
  return Comparison(problem, found, path).run();
}

}  // namespace herglotz::solve
