#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/linear/svd.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/simulate/continuation.hpp"
#include "linear/equilibrium.hpp"
#include "sampled.hpp"
#include "settings.hpp"
#include "start.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int most_corrections = 8;
constexpr int few_corrections = 4;       ///< after which steps may grow
constexpr double first_share = 0.2;      ///< of the largest step
constexpr double shortest_share = 1e-6;  ///< of it
constexpr double steepest = 0.9;         ///< least cosine of the angle between two tangents
constexpr int bisections = 60;
/// Real parts of poles on the imaginary axis, relative to the largest pole.
constexpr double round_off = 1e-8;

/// A point of the curve: the states that matter, in their units, and the parameter, with the unit tangent there.
struct CurvePoint {
  Vector point;
  Vector tangent;
  std::vector<std::complex<double>> poles;

  [[nodiscard]] double parameter() const { return point[point.size() - 1]; }
  [[nodiscard]] double pace() const { return tangent[tangent.size() - 1]; }
  /// Returns the number of poles to the right of the imaginary axis, by more than a share of the largest one, that are
  /// real, or that are not.
  [[nodiscard]] std::ptrdiff_t unstable(bool real, double share) const {
    double largest = 0;
    for (const auto& pole : poles) largest = std::max(largest, std::abs(pole));
    return std::count_if(poles.begin(), poles.end(),
                         [&](const auto& pole) { return pole.real() > share * largest && (pole.imag() == 0) == real; });
  }
};

class Curve {
 public:
  Curve(const Simulator& simulator, const ContinuationRequest& request)
      : request_(request), system_(simulator.system()), parameters_(resolve_parameters(system_, request.parameters)) {
    const auto& names = system_.parameters;
    const auto it = std::find_if(names.begin(), names.end(),
                                 [&](const auto& parameter) { return parameter.symbol.name() == request.parameter; });
    if (it == names.end()) {
      std::vector<std::string> known;
      for (const auto& parameter : names) known.emplace_back(parameter.symbol.name());
      unknown_name("parameter", request.parameter, known);
    }
    place_ = static_cast<std::size_t>(it - names.begin());
    from_ = parameters_[place_];
    if (!std::isfinite(request.to) || request.to == from_)
      throw Refused(fmt::format("{} goes from {} to {}", request.parameter, from_, request.to), "give another value");
    mechanics::require_no_friction(system_, "a branch of equilibria");
    require_no_samples(system_, "a branch of equilibria");
    largest_ = request.largest_step > 0 ? request.largest_step : std::abs(request.to - from_) / 50;
    const InitialState found = simulator.start(request.at, {}, request.parameters);
    // Which states matter is asked on the way: at its ends the parameter may be 0.
    constexpr double on_the_way = 0.37;
    std::vector<double> between = parameters_;
    between[place_] += on_the_way * (request.to - from_);
    field_.emplace(simulator, between, found, std::vector<std::string>{});
    field_->set_parameter(place_, from_);
    if (field_->depends_on_time())
      throw Refused("the equations depend on time, so there is no equilibrium", "follow periodic orbits");
    branch_.states = state_names(system_, simulator.equations());
    y_.resize(static_cast<Index>(branch_.states.size()));
    for (Index i = 0; i < y_.size(); ++i) {
      y_[i] = found.at(branch_.states[static_cast<std::size_t>(i)]);
      if (field_->matters()[static_cast<std::size_t>(i)]) kept_.push_back(i);
    }
    t_ = found.at(std::string(system_.t.name()));
  }

  Branch operator()() {
    settle(*field_, kept_, t_, y_);
    unit_ = y_(kept_).cwiseAbs().cwiseMax(1.0);
    CurvePoint now;
    now.point.resize(static_cast<Index>(kept_.size()) + 1);
    now.point << y_(kept_).cwiseQuotient(unit_), from_;
    complete(now, std::nullopt);
    if ((request_.to > from_) != (now.pace() > 0)) now.tangent = -now.tangent;
    add(now, BranchEvent::none);
    double step = first_share * largest_;
    while (branch_.points.size() < request_.points) {
      int corrections = 0;
      const auto next = beyond(now, step, corrections);
      if (!next || next->tangent.dot(now.tangent) < steepest) {
        step /= 2;
        if (step < shortest_share * largest_) {
          branch_.status =
              fmt::format("no equilibrium was found beyond {} = {:.9g}", request_.parameter, now.parameter());
          return std::move(branch_);
        }
        continue;
      }
      if (const BranchEvent event = between(now, *next, round_off); event != BranchEvent::none) {
        const auto is_behind = [&](const CurvePoint& place) { return between(now, place, 0) == event; };
        if (const auto there = located(now, step, is_behind)) add(*there, event);
      }
      if (is_outside(next->parameter())) {
        add_end(now, step, *next);
        return std::move(branch_);
      }
      add(*next, BranchEvent::none);
      now = *next;
      if (corrections <= few_corrections) step = std::min(largest_, 1.5 * step);
    }
    branch_.status = fmt::format("{} points lead to {} = {:.9g}; allow more, or a larger distance between them",
                                 branch_.points.size(), request_.parameter, now.parameter());
    return std::move(branch_);
  }

 private:
  /// Returns the equations and their derivatives by the states that matter and by the parameter.
  Vector equations(const Vector& point, Matrix& slopes) {
    y_(kept_) = point.head(point.size() - 1).cwiseProduct(unit_);
    field_->set_parameter(place_, point[point.size() - 1]);
    Matrix by_state;
    Vector values = equilibrium_equations(*field_, kept_, t_, y_, by_state);
    slopes.resize(values.size(), point.size());
    const auto column = static_cast<Index>(place_);
    const Vector by_rates = field_->rates(t_, y_).by_parameters.col(column)(kept_);
    const Vector by_constraints = field_->constraints(t_, y_).by_parameters.col(column);
    slopes.leftCols(by_state.cols()) = by_state * unit_.asDiagonal();
    slopes.rightCols(1) << by_rates, by_constraints;
    return values;
  }

  /// Computes the tangent at a point on the curve, in the direction of another one, and the poles there.
  void complete(CurvePoint& place, const std::optional<Vector>& along) {
    Matrix slopes;
    equations(place.point, slopes);
    place.tangent = linear::Svd(slopes, linear::SingularVectors::all_right).V().rightCols(1);
    if (along && along->dot(place.tangent) < 0) place.tangent = -place.tangent;
    const Slopes rates = field_->rates(t_, y_);
    const Slopes constraints = field_->constraints(t_, y_);
    place.poles = eigenvalues_along(rates.by_state(kept_, kept_), constraints.by_state(Eigen::all, kept_));
  }

  /// Returns the point of the curve at about a distance along the tangent, or `std::nullopt` if the corrections do not
  /// converge.
  std::optional<CurvePoint> beyond(const CurvePoint& from, double distance, int& corrections) {
    CurvePoint place{from.point + distance * from.tangent, {}, {}};
    Matrix slopes;
    for (corrections = 0; corrections < most_corrections; ++corrections) {
      const Vector values = equations(place.point, slopes);
      if (!values.allFinite() || !slopes.allFinite()) return std::nullopt;
      if (values.lpNorm<Eigen::Infinity>() <= at_rest * size_of(y_)) {
        complete(place, from.tangent);
        return place;
      }
      place.point -= linear::Svd(slopes, linear::SingularVectors::thin, independent).solve(values);
    }
    return std::nullopt;
  }

  /// Returns what happens between two points. Poles on the imaginary axis, but for a share of the largest, are stable.
  static BranchEvent between(const CurvePoint& a, const CurvePoint& b, double share) {
    const auto change = [&](bool real) { return std::abs(a.unstable(real, share) - b.unstable(real, share)); };
    if ((a.pace() > 0) != (b.pace() > 0)) return BranchEvent::fold;
    if (change(false) == 2 && change(true) == 0) return BranchEvent::hopf;
    return change(true) == 1 ? BranchEvent::branch : BranchEvent::none;
  }

  /// Returns the first point within a step from a point that is behind what is sought, by bisection of the step.
  template <class IsBehind>
  std::optional<CurvePoint> located(const CurvePoint& from, double step, const IsBehind& is_behind) {
    double low = 0;
    double high = step;
    std::optional<CurvePoint> there;
    for (int k = 0; k < bisections; ++k) {
      const double middle = std::midpoint(low, high);
      int corrections = 0;
      const auto place = beyond(from, middle, corrections);
      if (!place) break;
      there = place;
      (is_behind(*place) ? high : low) = middle;
    }
    return there;
  }

  [[nodiscard]] bool is_outside(double parameter) const {
    const auto [low, high] = std::minmax(from_, request_.to);
    return parameter < low || parameter > high;
  }

  /// Adds the point at which the parameter leaves its range, between two points.
  void add_end(const CurvePoint& from, double step, const CurvePoint& outside) {
    const double bound = (outside.parameter() > from.parameter()) == (request_.to > from_) ? request_.to : from_;
    auto there = located(from, step, [&](const CurvePoint& place) { return is_outside(place.parameter()); });
    if (!there) return;
    there->point[there->point.size() - 1] = bound;
    add(*there, BranchEvent::none);
  }

  void add(const CurvePoint& place, BranchEvent event) {
    y_(kept_) = place.point.head(place.point.size() - 1).cwiseProduct(unit_);
    branch_.points.push_back({place.parameter(),
                              {y_.begin(), y_.end()},
                              place.poles,
                              event == BranchEvent::none ? judged(place.poles) : Stability::marginal,
                              event});
  }

  const ContinuationRequest& request_;
  const mechanics::System& system_;
  std::vector<double> parameters_;
  std::size_t place_ = 0;  // of the parameter
  double from_ = 0;
  double largest_ = 0;
  std::optional<TangentField> field_;
  std::vector<Index> kept_;
  Vector unit_;  // of each state that matters: its size at the start, if that is above 1
  Vector y_;
  double t_ = 0;
  Branch branch_;
};

}  // namespace

Branch follow_equilibria(const Simulator& simulator, const ContinuationRequest& request) {
  return Curve(simulator, request)();
}

}  // namespace herglotz::simulate
