#include "certificate/dependent_ends.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "certificate/measures.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/linear/qr.hpp"
#include "herglotz/linear/svd.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Eigen::Index;
using linear::index;

constexpr double null = 1e-7;           ///< a singular value, in parts of the largest
constexpr double same_end = 1e-7;       ///< an end value that is nearer to what was asked for, relative, holds
constexpr double end_rounding = 1e-13;  ///< of an end value in the unit of its state
constexpr double largest_growth = 1e4;  ///< of variations, beyond which small ones are lost in end_rounding
constexpr double least_share = 0.1;     ///< of an end value in a dependence that names it

/// Variations at the end of one interval by those at its start, by those of the controls at its stages, and by that of
/// its length.
struct Transfer {
  Matrix by_start;
  Matrix by_controls;
  Matrix by_length;
};

Transfer transfer_of(const Setup& setup, const Collocation& method, const Interval& interval) {
  const Index d = index(setup.d());
  const Index s = index(interval.stages.size());
  const StageDerivatives e = derivatives_at(setup, interval.stages, interval.h, Orders::first);
  const auto free = free_variables(setup, interval.held);
  Matrix system = Matrix::Zero(s * d, s * d);
  Matrix controls = Matrix::Zero(s * d, 0);
  Matrix start = Matrix::Zero(s * d, d);
  Matrix length = Matrix::Zero(s * d, 1);
  for (Index j = 0; j < s; ++j) {
    const auto J = e.J[static_cast<std::size_t>(j)];
    Matrix slope = J.topLeftCorner(d, d);
    Matrix by_w(d, index(free.size()));
    Matrix equations(index(setup.equations()), index(free.size()));
    for (std::size_t l = 0; l < free.size(); ++l) {
      by_w.col(index(l)) = J.block(0, d + index(free[l]), d, 1);
      equations.col(index(l)) = J.block(d, d + index(free[l]), equations.rows(), 1);
    }
    if (equations.rows() > 0 && equations.cols() > 0) {
      // Variations obey the equations: dw = -C_w^+ C_v dv + N eta, with the null space N of C_w.
      slope -= by_w * linear::least_squares(equations, J.block(d, 0, equations.rows(), d));
      by_w = Matrix(by_w * linear::null_space(equations));
    }
    const Index first = controls.cols();
    controls.conservativeResize(Eigen::NoChange, first + by_w.cols());
    controls.rightCols(by_w.cols()).setZero();
    for (Index i = 0; i < s; ++i) {
      system.block(i * d, j * d, d, d) += method.D(i, j) * Matrix::Identity(d, d) - method.E(i, j) * slope;
      start.block(i * d, 0, d, d) += method.D(i, j) * Matrix::Identity(d, d);
      controls.block(i * d, first, d, by_w.cols()) = method.E(i, j) * by_w;
      length.block(i * d, 0, d, 1) += method.E(i, j) * e.f[static_cast<std::size_t>(j)].head(d) / interval.h;
    }
  }
  const linear::PartialLu factors(system);
  Matrix end = Matrix::Zero(d, s * d);
  for (Index j = 0; j < s; ++j) end.block(0, j * d, d, d) = method.d[j] * Matrix::Identity(d, d);
  return {(1 - method.d.sum()) * Matrix::Identity(d, d) + end * factors.solve(start), end * factors.solve(controls),
          end * factors.solve(length)};
}

/// Returns a matrix with few columns whose product with its transpose is that of the given one.
Matrix compressed(const Matrix& columns) {
  if (columns.cols() <= columns.rows()) return columns;
  return linear::HouseholderQr(columns.transpose()).R().transpose();
}

/// Returns variations of (v(0), v(T)) that span all, then those of the durations of arcs if these are free.
Matrix reach_of(const Setup& setup, const Collocation& method, const Path& path) {
  const Index d = index(setup.d());
  Matrix reach = Matrix::Zero(2 * d, 0);
  for (std::size_t i = 0; i < setup.d(); ++i) {
    if (setup.initial[i]) continue;
    reach.conservativeResize(Eigen::NoChange, reach.cols() + 1);
    reach.rightCols(1).setZero();
    reach(index(i), reach.cols() - 1) = reach(d + index(i), reach.cols() - 1) = 1;
  }
  Matrix by_time = Matrix::Zero(2 * d, setup.duration ? 0 : index(path.durations.size()));
  for (const Interval& interval : path.intervals) {
    const Transfer step = transfer_of(setup, method, interval);
    Matrix next = Matrix::Zero(2 * d, reach.cols() + step.by_controls.cols());
    next.topLeftCorner(d, reach.cols()) = reach.topRows(d);
    next.bottomLeftCorner(d, reach.cols()) = step.by_start * reach.bottomRows(d);
    next.bottomRightCorner(d, step.by_controls.cols()) = step.by_controls;
    reach = compressed(next);
    by_time.bottomRows(d) = step.by_start * by_time.bottomRows(d);
    if (by_time.cols() > 0)
      by_time.block(d, index(interval.arc), d, 1) += step.by_length * interval.h / path.durations[interval.arc];
  }
  Matrix all(2 * d, reach.cols() + by_time.cols());
  all << reach, by_time;
  return all;
}

}  // namespace

bool may_depend(const Setup& setup) {
  const auto& system = setup.problem.system;
  std::size_t places = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < setup.form.cost(); ++i)
    if (setup.final[i]) ++(i < system.n() ? places : others);
  const auto& equations = system.constraints.equations;
  const auto& y = system.algebroid.y;
  const auto without_velocities =
      std::count_if(equations.begin(), equations.end(), [&](const symbolic::Expr& equation) {
        return std::none_of(y.begin(), y.end(),
                            [&](const symbolic::Expr& v) { return symbolic::depends_on(equation, v); });
      });
  return places > system.r() || (others > 0 && !equations.empty()) ||
         (places > 0 && places + static_cast<std::size_t>(without_velocities) > system.n());
}

std::vector<std::size_t> dependent_finals(const Setup& setup, const Collocation& method, const Path& path) {
  std::vector<std::size_t> given;
  for (std::size_t i = 0; i < setup.form.cost(); ++i)
    if (setup.final[i]) given.push_back(i);
  const Index finals = index(given.size());
  const Index d = index(setup.d());
  const Matrix reach = reach_of(setup, method, path);
  Matrix conditions = Matrix::Zero(finals + index(setup.conditions()), 2 * d);
  for (Index k = 0; k < finals; ++k) conditions(k, d + index(given[static_cast<std::size_t>(k)])) = 1;
  const auto& places = setup.ends.jacobian();
  Values entries(places.row.size());
  setup.ends.jacobian(end_point(path), entries);
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (places.row[e] > 0 && places.col[e] < 2 * setup.d())
      conditions(finals + index(places.row[e]) - 1, index(places.col[e])) += entries[e];
  // If all controls are at bounds, nothing varies the ends.
  if (finals == 0 || reach.cols() == 0 || !reach.allFinite() || !conditions.allFinite()) return {};
  const linear::Svd svd(conditions * reach, linear::SingularVectors::all_left);
  const auto& sizes = svd.values();
  if (sizes[0] > largest_growth) return {};
  Index rank = 0;
  while (rank < sizes.size() && sizes[rank] > null * sizes[0]) ++rank;
  const Index missing = conditions.rows() - rank;
  if (missing == 0) return {};
  const linear::PivotedQr named(svd.U().rightCols(missing).transpose().leftCols(finals));
  const auto shares = named.pivots();
  const auto ends = named.columns();
  std::vector<std::size_t> result;
  for (Index k = 0; k < shares.size(); ++k)
    if (std::abs(shares[k]) > least_share)
      result.push_back(given[static_cast<std::size_t>(ends[static_cast<std::size_t>(k)])]);
  std::sort(result.begin(), result.end());
  return result;
}

bool ReleasedEnds::release(Setup& setup, const Collocation& method, const Path& path) {
  const auto dependent = dependent_finals(setup, method, path);
  for (const std::size_t i : dependent) values_[i] = *setup.final[i];
  for (const std::size_t i : dependent) setup.final[i] = std::nullopt;
  return !dependent.empty();
}

void ReleasedEnds::leave_out(Setup& setup) {
  for (auto& [i, value] : values_) {
    value = *setup.final[i];
    setup.final[i] = std::nullopt;
  }
}

void ReleasedEnds::restore(Setup& setup) {
  for (const auto& [i, value] : values_) setup.final[i] = value;
  values_.clear();
}

bool ReleasedEnds::hold(const Path& path) const {
  const Values& end = path.intervals.back().v1;
  return std::all_of(values_.begin(), values_.end(), [&](const auto& one) {
    const auto& [i, value] = one;
    double size = std::abs(value);  // the unit of a state may be much larger than the state
    for (const Interval& interval : path.intervals) size = std::max(size, std::abs(interval.v0[i]));
    return std::abs(end[i] - value) < std::max(same_end * std::min(size, 1.0), end_rounding);
  });
}

std::string ReleasedEnds::note(const Setup& setup) const {
  std::vector<std::string> names;
  for (const auto& one : values_) names.emplace_back(setup.form.v[one.first].name());
  return fmt::format("the end values depend on each other: {} at the end follow{} from the others",
                     fmt::join(names, ", "), names.size() == 1 ? "s" : "");
}

}  // namespace herglotz::solve
