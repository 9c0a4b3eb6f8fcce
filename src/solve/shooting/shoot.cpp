#include "shooting/shoot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "extremal.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "shooting/newton.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Vector = Eigen::VectorXd;
using linear::view;

constexpr double active = 1e-6;          ///< a multiplier of an inequality, in parts of the costates
constexpr double least_size = 1e-3;      ///< of a state or costate, in parts of the largest
constexpr double at_limit = 1e-7;        ///< of a free duration from its limit, relative
constexpr double wrong_sign = 1e-6;      ///< of dK/du at a bound, in parts of its largest
constexpr double outside = 1e-7;         ///< a control beyond its bound, in parts of its range
constexpr double not_stationary = 1e-8;  ///< |K_w|, in parts of the costates
constexpr double far = 0.1;              ///< from the direct solution, in parts of the sizes
constexpr std::size_t few_segments = 24;
constexpr std::size_t many_segments = 96;

/// Intervals first <= k < last on which the same controls are held.
struct Span {
  std::size_t first;
  std::size_t last;
  double duration = 0;
};

Vector joined(const Values& v, const Values& P) {
  Vector x(static_cast<Eigen::Index>(v.size() + P.size()));
  std::copy(v.begin(), v.end(), x.data());
  std::copy(P.begin(), P.end(), x.data() + v.size());
  return x;
}

std::string name_of(const Setup& setup, std::size_t control) {
  return std::string(setup.problem.controls[control].name());
}

/// Returns whether K_w = 0 determines the controls in the middle of a path without a price of cost.
bool determines_controls(const Setup& setup, const Path& path) {
  const Interval& interval = path.intervals[path.intervals.size() / 2];
  const ExtremalSystem system(setup, interval.held);
  Stage stage = interval.stages.front();
  const Values w = system.algebraic_of(stage);
  stage.P[setup.form.cost()] = 0;
  const Vector x = joined(stage.v, stage.P);
  return sensitivity::algebraic_variables(system, {stage.t, view(x), w, {}}).has_value();
}

/// Returns a control that is singular on an interval, if there is one.
std::optional<std::size_t> singular_control(const Setup& setup, const Interval& interval) {
  for (std::size_t u = 0; u < interval.held.size(); ++u)
    if (interval.held[u] == Hold::free && setup.is_linear(u)) return u;
  return std::nullopt;
}

/// Returns whether a singular arc is of the kind that can be followed.
bool is_simple(const Setup& setup, const Path& path, const Interval& interval, std::size_t control) {
  for (std::size_t u = 0; u < interval.held.size(); ++u)
    if (u != control && interval.held[u] == Hold::free) return false;
  const auto is_same = [&](const Interval& other) { return other.held == interval.held; };
  return setup.problem.kind == control::Kind::kinematic &&
         !std::all_of(path.intervals.begin(), path.intervals.end(), is_same);
}

/// Returns the reason that shooting cannot honour the problem, or an empty text.
std::string refusal(const Setup& setup, const Path& path, bool abnormal) {
  if (const auto j = active_inequality(setup, path))
    return fmt::format("inequality {} of [control] path is active, which shooting cannot honour", *j + 1);
  for (const Interval& interval : path.intervals) {
    const auto u = singular_control(setup, interval);
    if (u && !is_simple(setup, path, interval, *u))
      return fmt::format(
          "'{}' is singular near t = {:.4g}: shooting takes singular arcs of one control of "
          "kinematics, beside other arcs and while the other controls are at their bounds",
          name_of(setup, *u), interval.t * setup.units.time);
    if (interval.mixed)
      return fmt::format("a control comes to its bound near t = {:.4g}, and the mesh has no node there",
                         interval.t * setup.units.time);
  }
  if (abnormal && !determines_controls(setup, path))
    return "the extremal is abnormal, and without a cost the maximum condition does not determine its controls";
  return "";
}

class Shooter {
 public:
  Shooter(const Setup& setup, const Path& guess, bool abnormal) : setup_(setup), guess_(guess), abnormal_(abnormal) {
    if (abnormal_) normalise();
    for (std::size_t k = 0; k < guess_.intervals.size(); ++k) {
      if (k == 0 || guess_.intervals[k].held != guess_.intervals[k - 1].held) spans_.push_back({k, k});
      spans_.back().last = k + 1;
      spans_.back().duration += guess_.intervals[k].h;
    }
    find_sizes();
  }

  Shot run(std::size_t segments, const std::function<bool()>& go_on) {
    const BoundarySystem system(setup_, problem(segments));
    const NewtonEnd end = newton(system, start(system), go_on);
    Shot shot;
    shot.iterations = end.iterations;
    shot.defect = end.defect;
    shot.flow_error = end.flow_error;
    shot.cost_error = end.cost_error;
    shot.state_family = end.state_family;
    shot.costate_family = end.costate_family;
    shot.reason = end.reason;
    if (!end.converged) return shot;
    Path path;
    if (!make_path(system, end.at, path)) {
      shot.reason = "the extremal cannot be followed between its nodes";
      return shot;
    }
    shot.reason = objection(path);
    shot.difference = difference(path);
    shot.stationarity = stationarity(path);
    if (shot.reason.empty() && shot.stationarity > not_stationary)
      shot.reason = "the switching function does not vanish on a singular arc";
    if (shot.reason.empty() && shot.difference > far) shot.reason = "it leads far from the direct solution";
    if (shot.reason.empty()) shot.path = std::move(path);
    return shot;
  }

 private:
  /// Scales the costates so that |(P, R)| = 1 at the end.
  void normalise() {
    double sum = 0;
    for (const double P : guess_.intervals.back().P1) sum += P * P;
    const auto divide = [size = std::sqrt(sum)](Values& values) {
      for (double& value : values) value /= size;
    };
    for (Interval& interval : guess_.intervals) {
      divide(interval.P0);
      divide(interval.P1);
      for (Stage& stage : interval.stages) {
        divide(stage.P);
        divide(stage.kappa);
        divide(stage.bound);
      }
    }
    divide(guess_.ends);
  }

  void find_sizes() {
    const std::size_t d = setup_.d();
    sizes_.assign(2 * d, 0.0);
    for (const Interval& interval : guess_.intervals) {
      for (std::size_t a = 0; a < d; ++a) {
        sizes_[a] = std::max({sizes_[a], std::abs(interval.v0[a]), std::abs(interval.v1[a])});
        sizes_[d + a] = std::max({sizes_[d + a], std::abs(interval.P0[a]), std::abs(interval.P1[a])});
      }
    }
    const auto half = sizes_.begin() + static_cast<std::ptrdiff_t>(d);
    for (auto [first, last] : {std::pair{sizes_.begin(), half}, std::pair{half, sizes_.end()}}) {
      const double largest = *std::max_element(first, last);
      const double least = largest > 0 ? least_size * largest : 1;
      std::for_each(first, last, [least](double& size) { size = std::max(size, least); });
    }
  }

  /// Returns the start of interval `k` in parts of its span; k may be the end of the span.
  [[nodiscard]] double part_of(const Span& span, std::size_t k) const {
    if (k == span.last) return 1;
    return (guess_.intervals[k].t - guess_.intervals[span.first].t) / span.duration;
  }

  /// Returns the intervals of a span that begin its segments.
  [[nodiscard]] std::vector<std::size_t> cuts(const Span& span, std::size_t segments) const {
    const std::size_t intervals = span.last - span.first;
    const double share = span.duration / (guess_.end() - guess_.start());
    const auto wanted = static_cast<std::size_t>(std::lround(static_cast<double>(segments) * share));
    const std::size_t count = std::clamp<std::size_t>(wanted, 1, intervals);
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < count; ++k) result.push_back(span.first + k * intervals / count);
    return result;
  }

  const SingularArc& singular_arc(std::size_t control) {
    for (const auto& arc : singular_)
      if (arc->control() == control) return *arc;
    return *singular_.emplace_back(std::make_unique<SingularArc>(setup_, control));
  }

  [[nodiscard]] ShootingProblem problem(std::size_t segments) {
    ShootingProblem result;
    cuts_.clear();
    for (const Span& span : spans_) {
      ShootingArc arc{guess_.intervals[span.first].held, {}};
      if (const auto u = singular_control(setup_, guess_.intervals[span.first])) arc.singular = &singular_arc(*u);
      cuts_.push_back(cuts(span, segments));
      for (const std::size_t k : cuts_.back()) arc.nodes.push_back(part_of(span, k));
      arc.nodes.push_back(1);
      result.arcs.push_back(std::move(arc));
    }
    const double T = guess_.end() - guess_.start();
    result.duration = setup_.duration;
    for (const double limit : {setup_.shortest, setup_.longest})
      if (!result.duration && std::abs(T - limit) <= at_limit * T) result.duration = limit;
    result.abnormal = abnormal_;
    result.sizes = sizes_;
    result.span = T;
    return result;
  }

  [[nodiscard]] Trial start(const BoundarySystem& system) const {
    Trial trial;
    for (std::size_t a = 0; a < spans_.size(); ++a) {
      for (const std::size_t k : cuts_[a]) {
        const Interval& interval = guess_.intervals[k];
        trial.x.push_back(joined(interval.v0, interval.P0));
        trial.w.push_back(system.system(a).algebraic_of(at(interval, interval.t)));
      }
      trial.durations.push_back(spans_[a].duration);
    }
    trial.x.push_back(joined(guess_.intervals.back().v1, guess_.intervals.back().P1));
    trial.ends = guess_.ends;
    if (abnormal_) trial.price = setup_.sign * guess_.intervals.back().P1[setup_.form.cost()];
    return trial;
  }

  /// Follows the extremal through the stages of the intervals.
  bool make_path(const BoundarySystem& system, const Trial& trial, Path& path) const {
    path.ends = trial.ends;
    path.durations.assign(guess_.durations.size(), 0.0);
    std::size_t node = 0;
    for (std::size_t a = 0; a < spans_.size(); ++a) {
      const Span& span = spans_[a];
      const ExtremalSystem& extremal = system.system(a);
      Vector x;
      Values w;
      for (std::size_t k = span.first; k < span.last; ++k) {
        const Interval& old = guess_.intervals[k];
        const bool begins = std::find(cuts_[a].begin(), cuts_[a].end(), k) != cuts_[a].end();
        if (begins) {
          x = trial.x[node];
          w = trial.w[node++];
        }
        const bool ends = k + 1 == span.last || std::find(cuts_[a].begin(), cuts_[a].end(), k + 1) != cuts_[a].end();
        Interval interval;
        interval.arc = old.arc;
        interval.held = old.held;
        interval.settled = true;
        interval.t = system.time(trial, a, part_of(span, k));
        const double end = system.time(trial, a, part_of(span, k + 1));
        interval.h = end - interval.t;
        if (!follow(extremal, old, end, x, w, interval)) return false;
        if (ends) split(trial.x[node], interval.v1, interval.P1);
        path.durations[old.arc] += interval.h;
        path.intervals.push_back(std::move(interval));
      }
    }
    return true;
  }

  void split(const Vector& x, Values& v, Values& P) const {
    const double* middle = x.data() + setup_.d();
    v.assign(x.data(), middle);
    P.assign(middle, x.data() + x.size());
  }

  bool follow(const ExtremalSystem& extremal, const Interval& old, double end, Vector& x, Values& w,
              Interval& to) const {
    const sensitivity::FlowOptions options{1e-13, sizes_, false, 300};
    split(x, to.v0, to.P0);
    double t = to.t;
    const auto go = [&](double next) {
      const auto there = sensitivity::flow(extremal, {t, view(x), w, {}}, next, options);
      if (!there) return false;
      x = Eigen::Map<const Vector>(there->x.data(), x.size());
      w = there->w;
      t = next;
      return true;
    };
    for (const Stage& stage : old.stages) {
      if (!go(to.t + to.h * (stage.t - old.t) / old.h)) return false;
      Stage found = extremal.stage_at({t, view(x), w, {}});
      found.bound = evaluate(setup_, found).K_w;
      for (std::size_t j = 0; j < found.bound.size(); ++j)
        if (j >= to.held.size() || to.held[j] == Hold::free) found.bound[j] = 0;
      to.stages.push_back(std::move(found));
    }
    if (!go(end)) return false;
    split(x, to.v1, to.P1);
    return true;
  }

  /// Returns the condition of a minimum that the path breaks, or an empty text.
  [[nodiscard]] std::string objection(const Path& path) {
    double largest = 0;
    double wrong = 0;
    for (const Interval& interval : path.intervals) {
      const auto singular = singular_control(setup_, interval);
      for (const Stage& stage : interval.stages) {
        if (singular && singular_arc(*singular).at(stage).second_by_u > 0)
          return fmt::format("Kelley's condition of a minimum fails near t = {:.4g}", stage.t * setup_.units.time);
        const Point point = evaluate(setup_, stage);
        for (std::size_t u = 0; u < interval.held.size(); ++u) {
          largest = std::max(largest, std::abs(point.K_w[u]));
          if (interval.held[u] != Hold::free)
            wrong = std::max(wrong, interval.held[u] == Hold::upper ? point.K_w[u] : -point.K_w[u]);
          else if (setup_.hold_of(u, stage.w[u], -outside) != Hold::free)
            return fmt::format("'{}' leaves its bounds near t = {:.4g}", name_of(setup_, u),
                               stage.t * setup_.units.time);
        }
        for (std::size_t j = setup_.equations(); j < setup_.along(); ++j)
          if (point.along[j] > outside)
            return fmt::format("inequality {} of [control] path is broken near t = {:.4g}", j - setup_.equations() + 1,
                               stage.t * setup_.units.time);
      }
    }
    if (wrong > wrong_sign * largest) return "a control is at the bound that the maximum condition excludes";
    const double T = path.end() - path.start();
    if (!setup_.duration && (T < setup_.shortest * (1 - at_limit) || T > setup_.longest * (1 + at_limit)))
      return "the duration leaves its limits";
    return "";
  }

  [[nodiscard]] double stationarity(const Path& path) const {
    double largest = 0;
    for (const Interval& interval : path.intervals) {
      for (const Stage& stage : interval.stages) {
        const Values slopes = evaluate(setup_, stage).K_w;
        for (const std::size_t j : free_variables(setup_, interval.held))
          largest = std::max(largest, std::abs(slopes[j]));
      }
    }
    return largest /
           std::max(1.0, *std::max_element(sizes_.begin() + static_cast<std::ptrdiff_t>(setup_.d()), sizes_.end()));
  }

  [[nodiscard]] double difference(const Path& path) const {
    const std::size_t d = setup_.d();
    const double T = guess_.end() - guess_.start();
    double largest = std::abs(path.end() - path.start() - T) / T;
    for (std::size_t k = 0; k < path.intervals.size(); ++k) {
      const Interval& a = path.intervals[k];
      const Interval& b = guess_.intervals[k];
      largest = std::max(largest, std::abs(a.t - b.t) / T);
      for (std::size_t i = 0; i < d; ++i) {
        largest = std::max(largest, std::abs(a.v1[i] - b.v1[i]) / sizes_[i]);
        largest = std::max(largest, std::abs(a.P1[i] - b.P1[i]) / sizes_[d + i]);
      }
    }
    return largest;
  }

  const Setup& setup_;
  Path guess_;
  bool abnormal_;
  std::vector<Span> spans_;
  std::vector<std::vector<std::size_t>> cuts_;
  std::vector<std::unique_ptr<SingularArc>> singular_;
  Values sizes_;
};

}  // namespace

std::optional<std::size_t> active_inequality(const Setup& setup, const Path& path) {
  double costates = 1;
  for (const Interval& interval : path.intervals)
    for (const double P : interval.P1) costates = std::max(costates, std::abs(P));
  for (const Interval& interval : path.intervals)
    for (const Stage& stage : interval.stages)
      for (std::size_t j = setup.equations(); j < setup.along(); ++j)
        if (std::abs(stage.kappa[j]) > active * costates) return j - setup.equations();
  return std::nullopt;
}

std::vector<std::string> notes_of(const Shot& shot) {
  std::vector<std::string> notes;
  if (shot.state_family > 0)
    notes.push_back(fmt::format("the conditions leave a family of solutions of dimension {}", shot.state_family));
  if (shot.costate_family > 0)
    notes.push_back(fmt::format(
        "the conditions leave {} dimensions of the costates undetermined; the nearest to those of the direct "
        "method are given",
        shot.costate_family));
  return notes;
}

Shot shoot(const Setup& setup, const Path& guess, bool abnormal, const std::function<bool()>& go_on) {
  Shot shot;
  shot.reason = refusal(setup, guess, abnormal);
  if (!shot.reason.empty()) {
    shot.refused = true;
    return shot;
  }
  Shooter shooter(setup, guess, abnormal);
  try {
    shot = shooter.run(few_segments, go_on);
  } catch (const Refused& e) {
    shot.refused = true;
    shot.reason = e.what();
    return shot;
  }
  if (!shot.path && guess.intervals.size() > few_segments) {
    const std::size_t before = shot.iterations;
    shot = shooter.run(many_segments, go_on);
    shot.iterations += before;
  }
  return shot;
}

}  // namespace herglotz::solve
