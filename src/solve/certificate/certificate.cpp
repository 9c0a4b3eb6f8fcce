#include "certificate/certificate.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>

#include "certificate/measures.hpp"
#include "certificate/no_best_control.hpp"
#include "certificate/slopes.hpp"
#include "gauss_nlp.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/eigenvalues.hpp"
#include "herglotz/linear/qr.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using linear::index;

constexpr std::size_t intervals_at_once = 64;  ///< whose derivatives are computed together
constexpr double least_margin = 1e-9;          ///< eigenvalues below this in magnitude are rounding errors

double size_of(const Values& P) {
  double size = 0;
  for (const double value : P) size = std::max(size, std::abs(value));
  return size;
}

}  // namespace

double transversality(const Setup& setup, const Path& path, bool abnormal) {
  const std::size_t d = setup.d();
  const Values& first = path.intervals.front().P0;
  const Values& last = path.intervals.back().P1;
  const double price = abnormal ? last[setup.form.cost()] : setup.sign;
  Values slopes(2 * d);  // of G by v(0), then by v(T)
  slopes[d + setup.form.cost()] = price;
  const auto& places = setup.ends.jacobian();
  Values entries(places.row.size());
  setup.ends.jacobian(end_point(path), entries);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (places.col[e] >= 2 * d) continue;
    const double weight = places.row[e] == 0 ? price : path.ends[places.row[e] - 1];
    slopes[places.col[e]] += weight * entries[e];
  }
  double worst = 0;
  for (std::size_t a = 0; a < d; ++a) {
    if (!setup.initial[a]) worst = std::max(worst, std::abs(first[a] + slopes[a]) / size_of(first));
    if (!setup.final[a]) worst = std::max(worst, std::abs(last[a] - slopes[d + a]) / size_of(last));
  }
  return worst;
}

namespace {

/// Returns dJ/dT of a free duration at stretched arcs, the slope of the Lagrange function of a programme, relative to
/// its terms.
double slope_by_arcs(GaussNlp& nlp, const optimise::PrimalDualPoint& at, std::size_t arcs) {
  std::vector<std::size_t> durations;
  for (std::size_t a = 0; a < arcs; ++a) durations.push_back(at.x.size() - arcs + a);
  const auto slopes = optimise::lagrange_slopes(nlp, at, durations);
  double slope = 0;
  double size = 0;
  for (std::size_t a = 0; a < arcs; ++a) {
    slope += at.x[durations[a]] * slopes[a].value;
    size += at.x[durations[a]] * slopes[a].size;
  }
  return size > 0 ? slope / size : 0;
}

/// Adds the slope by a free duration to the residual of transversality, which is the last one, and says where controls
/// are not at best values.
void judge_slopes(const Certified& what, Solution& result) {
  double& residual = result.residuals.back().second;
  if (!what.setup.duration) {
    double slope = 0;
    if (what.setup.by_group) {  // its stages are of another kind
      GaussNlp nlp(what.setup, what.method, what.mesh);
      slope = slope_by_arcs(nlp, nlp.iterate(what.path), what.mesh.arcs.size());
    } else {
      slope = slope_by_duration(what.setup, what.method, what.path);
    }
    residual = std::max(residual, std::abs(slope));
  }
  if (what.setup.by_group) return;
  const ControlSlope slope = largest_control_slope(what.setup, what.path);
  if (const std::string reason = falling_with_controls(what.setup, what.path, slope); !reason.empty()) {
    result.status = Status::not_converged;
    result.reason = reason;
  } else if (slope.is_large()) {
    result.notes.emplace_back(not_best_inside);
  }
}

/// Returns the smallest eigenvalue of `second` along the directions in which the equations hold. Directions are
/// measured by the first entries, their controls, on which accelerations and multipliers depend; by all if there is
/// none.
std::optional<double> least_eigenvalue(const Matrix& second, const Matrix& equations, Eigen::Index controls) {
  if (second.rows() == 1 && equations.rows() == 0) return second(0, 0);
  Matrix along = Matrix::Identity(second.rows(), second.cols());
  if (equations.rows() > 0) along = linear::null_space(equations);
  if (along.cols() == 0) return std::nullopt;
  const Matrix measured = controls > 0 ? Matrix(along.topRows(controls)) : along;
  return linear::symmetric_eigenvalues(along.transpose() * second * along, measured.transpose() * measured)[0];
}

/// Variables of an interval whose second derivatives count, controls first.
struct FreeVariables {
  std::vector<std::size_t> all;
  Eigen::Index controls = 0;
};

FreeVariables variables_that_count(const Setup& setup, const Interval& interval) {
  if (interval.mixed) return {};
  FreeVariables free{free_variables(setup, interval.held)};
  const auto is_control = [&](std::size_t w) { return w < setup.problem.controls.size(); };
  std::erase_if(free.all, [&](std::size_t w) { return is_control(w) && setup.is_linear(w) && !setup.is_coupled(w); });
  free.controls = std::count_if(free.all.begin(), free.all.end(), is_control);
  if (free.controls == 0 && !setup.problem.controls.empty()) free.all.clear();
  return free;
}

}  // namespace

std::optional<LegendreMargin> legendre_margin(const Setup& setup, const Path& path) {
  std::optional<LegendreMargin> margin;
  const std::size_t d = setup.d();
  const Units& units = setup.units;
  const auto add_interval = [&](const Interval& interval, const FreeVariables& free, const StageDerivatives& e,
                                std::size_t first) {
    Eigen::VectorXd sizes(index(free.all.size()));
    for (std::size_t i = 0; i < free.all.size(); ++i) sizes[index(i)] = units.w[free.all[i]];
    for (std::size_t k = 0; k < interval.stages.size(); ++k) {
      const auto H = e.H[first + k];
      const auto J = e.J[first + k];
      const double price = std::abs(interval.stages[k].P[setup.form.cost()]);
      Matrix second(sizes.size(), sizes.size());
      Matrix equations(index(setup.equations()), sizes.size());
      for (std::size_t i = 0; i < free.all.size(); ++i) {
        for (std::size_t j = 0; j < free.all.size(); ++j)
          second(index(i), index(j)) = H(index(d + free.all[i]), index(d + free.all[j]));
        for (std::size_t c = 0; c < setup.equations(); ++c)
          equations(index(c), index(i)) = J(index(d + c), index(d + free.all[i]));
      }
      const auto of_sizes = least_eigenvalue(second, equations, free.controls);
      const Eigen::VectorXd inverse = sizes.cwiseInverse();
      const Matrix in_model = units.cost() / units.time * inverse.asDiagonal() * second * inverse.asDiagonal();
      const auto of_model = least_eigenvalue(in_model, equations * inverse.asDiagonal(), free.controls);
      if (!of_sizes || !of_model) continue;
      const LegendreMargin own{*of_sizes / price, *of_model / price};
      margin = margin
                   ? LegendreMargin{std::min(margin->of_sizes, own.of_sizes), std::min(margin->of_model, own.of_model)}
                   : own;
    }
  };
  const std::span<const Interval> all = path.intervals;
  for (std::size_t first = 0; first < all.size(); first += intervals_at_once) {
    const auto part = all.subspan(first, std::min(intervals_at_once, all.size() - first));
    std::vector<StageOf> stages;
    for (const Interval& interval : part)
      for (const Stage& stage : interval.stages) stages.push_back({&stage, 1});
    const StageDerivatives e = derivatives_at(setup, stages);
    std::size_t place = 0;
    for (const Interval& interval : part) {
      const FreeVariables free = variables_that_count(setup, interval);
      if (!free.all.empty()) add_interval(interval, free, e, place);
      place += interval.stages.size();
    }
  }
  return margin;
}

bool misses_maximum(const std::optional<LegendreMargin>& margin) {
  return margin && margin->of_sizes < -least_margin;
}

void certify(const Certified& what, Solution& result) {
  result.residuals.emplace_back("transversality", transversality(what.setup, what.path, result.abnormal));
  if (result.abnormal) return;
  if (!what.setup.by_group) judge_slopes(what, result);  // steps on groups have stages of another kind
  if (const auto margin = legendre_margin(what.setup, what.path)) {
    if (misses_maximum(margin)) result.notes.emplace_back(not_everywhere);
    if (const std::string grows = growing_hamiltonian(what.setup, what.path); !grows.empty()) {
      result.status = Status::not_converged;
      result.reason = grows + "; what was found is the best among near controls only";
    }
    if (misses_maximum(margin) && !what.setup.problem.controls.empty()) {
      if (result.status == Status::solved) result.but_for_near_controls = result.reason;
      result.status = Status::not_converged;
      result.reason = fmt::format(
          "what was found is not an extremal, because its controls do not maximise the Hamiltonian; {}",
          what.setup.has_bounds() ? "their best values may be jumps between bounds" : "the cost may have no bound");
    }
    result.residuals.emplace_back("legendre_margin", margin->of_model);
  }
  GaussNlp nlp(what.setup, what.method, what.mesh);
  const auto found = optimise::directions(nlp, nlp.iterate(what.path));
  if (!found) {
    result.notes.emplace_back(
        "whether the solution is a local minimum was not decided: rounding, or bounds that are neither clearly active "
        "nor "
        "inactive, do not allow it");
    return;
  }
  result.residuals.emplace_back(negative_directions, static_cast<double>(found->negative));
  if (found->negative > 0)
    result.notes.push_back(fmt::format("{}its second variation is negative in {} direction{}", no_minimum,
                                       found->negative, found->negative == 1 ? "" : "s"));
  else if (found->flat > 0)
    result.notes.emplace_back(flat_directions);
}

}  // namespace herglotz::solve
