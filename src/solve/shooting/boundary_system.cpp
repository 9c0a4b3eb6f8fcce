#include "shooting/boundary_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/linear/eigen_views.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;
using linear::index;
using linear::view;

constexpr double flow_tolerance = 1e-13;

Matrix dense(const kernel::Pattern& places, const Values& entries, bool symmetric) {
  Matrix result = Matrix::Zero(index(places.rows), index(places.cols));
  for (std::size_t e = 0; e < entries.size(); ++e) {
    result(index(places.row[e]), index(places.col[e])) += entries[e];
    if (symmetric && places.row[e] != places.col[e]) result(index(places.col[e]), index(places.row[e])) += entries[e];
  }
  return result;
}

}  // namespace

/// Rows of the equations, as they are written.
struct BoundarySystem::Assembly {
  const Values& sizes;
  std::vector<double> residual{};
  std::vector<Eigen::Triplet<double>> entries{};
  double flow_error = 0;
  double cost_error = 0;
  double growth = 0;

  void entry(std::size_t unknown, double value, double scale) {
    if (value != 0)
      entries.emplace_back(static_cast<int>(residual.size()), static_cast<int>(unknown),
                           value * sizes[unknown] / scale);
  }
  /// Ends a row; its entries were added before, with the same scale.
  void row(double value, double scale) { residual.push_back(value / scale); }
};

BoundarySystem::BoundarySystem(const Setup& setup, ShootingProblem problem)
    : setup_(setup), problem_(std::move(problem)) {
  for (std::size_t a = 0; a < problem_.arcs.size(); ++a) {
    const ShootingArc& arc = problem_.arcs[a];
    systems_.push_back(std::make_unique<ExtremalSystem>(setup, arc.held, arc.singular));
    for (std::size_t k = 0; k + 1 < arc.nodes.size(); ++k) segments_.push_back({a, arc.nodes[k], arc.nodes[k + 1]});
  }
  for (std::size_t k = 0; k <= segments_.size(); ++k)
    sizes_.insert(sizes_.end(), problem_.sizes.begin(), problem_.sizes.end());
  sizes_.resize(first_multiplier(), problem_.span);
  const auto costates = problem_.sizes.begin() + static_cast<std::ptrdiff_t>(setup.d());
  sizes_.resize(first_multiplier() + setup_.conditions(), *std::max_element(costates, problem_.sizes.end()));
  sizes_.resize(size(), 1.0);
  for (std::size_t a = 0; a < setup.d(); ++a)
    K_size_ = std::max(K_size_, problem_.sizes[a] * costates[static_cast<std::ptrdiff_t>(a)] / problem_.span);
}

std::size_t BoundarySystem::size() const {
  return first_multiplier() + setup_.conditions() + (problem_.abnormal ? 1 : 0);
}

bool BoundarySystem::is_state(std::size_t unknown) const {
  return unknown < first_duration() && unknown % (2 * setup_.d()) < setup_.d();
}

double BoundarySystem::time(const Trial& trial, std::size_t arc, double sigma) const {
  const auto first = trial.durations.begin();
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(arc), setup_.t0) + sigma * trial.durations[arc];
}

bool BoundarySystem::add_segments(Trial& trial, Assembly& to) const {
  const std::size_t n = 2 * setup_.d();
  sensitivity::FlowOptions options{flow_tolerance, problem_.sizes, true, 300};
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& segment = segments_[k];
    const ExtremalSystem& system = *systems_[segment.arc];
    const double begin = time(trial, segment.arc, segment.from);
    const double end = time(trial, segment.arc, segment.to);
    const auto there = sensitivity::flow(system, {begin, view(trial.x[k]), trial.w[k], {}}, end, options);
    if (!there) return false;
    Vector by_begin;
    Vector by_end;
    const Eigen::Map<const Matrix> by_start(there->by_start.data(), index(n), index(n));
    if (free_times()) {
      const auto first = system.facts(begin, view(trial.x[k]), trial.w[k]);
      Values w = there->w;
      const auto last = system.facts(end, there->x, w);
      if (!first || !last) return false;
      by_begin = -by_start * first->rate;
      by_end = last->rate;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double scale = problem_.sizes[i];
      for (std::size_t j = 0; j < n; ++j) {
        to.entry(k * n + j, by_start(index(i), index(j)), scale);
        to.growth = std::max(to.growth, std::abs(by_start(index(i), index(j))) * problem_.sizes[j] / scale);
      }
      to.entry((k + 1) * n + i, -1, scale);
      if (free_times()) {
        for (std::size_t a = 0; a < segment.arc; ++a)
          to.entry(first_duration() + a, by_begin[index(i)] + by_end[index(i)], scale);
        to.entry(first_duration() + segment.arc, segment.from * by_begin[index(i)] + segment.to * by_end[index(i)],
                 scale);
      }
      to.row(there->x[i] - trial.x[k + 1][index(i)], scale);
      to.flow_error += there->error[i] / scale;
      if (i < setup_.d())
        to.cost_error += std::abs(trial.x[k + 1][index(setup_.d() + i)]) *
                         (there->error[i] + std::abs(there->x[i] - trial.x[k + 1][index(i)]));
    }
  }
  return true;
}

bool BoundarySystem::add_junctions(Trial& trial, Assembly& to) const {
  const std::size_t n = 2 * setup_.d();
  std::size_t node = 0;
  for (std::size_t a = 0; a + 1 < problem_.arcs.size(); ++a) {
    node += problem_.arcs[a].nodes.size() - 1;
    const auto& before = problem_.arcs[a].held;
    const auto& after = problem_.arcs[a + 1].held;
    std::vector<std::size_t> changed;
    for (std::size_t u = 0; u < before.size(); ++u)
      if (before[u] != after[u]) changed.push_back(u);
    const double t = time(trial, a, 1);
    const auto x = view(trial.x[node]);
    // Guesses of w of both sides: that of the next segment, and that of the last one as far as it goes.
    const auto side = [&](std::size_t arc) {
      const std::size_t segment = arc == a ? node - 1 : node;
      Values w = trial.w[segment];
      return systems_[arc]->facts(t, x, w);
    };
    const auto put = [&](double value, const Vector& by_x, double by_t, double scale) {
      for (std::size_t i = 0; i < n; ++i) to.entry(node * n + i, by_x[index(i)], scale);
      for (std::size_t b = 0; b <= a; ++b) to.entry(first_duration() + b, by_t, scale);
      to.row(value, scale);
    };
    // A singular arc has both its conditions where it begins; at an end of the path S = 0 follows from transversality,
    // and the rate of S decides the other end of the arc.
    const bool ends = problem_.arcs[a].singular != nullptr;
    if (ends && a > 0) continue;
    const std::size_t arc = ends ? a : a + 1;
    if (const SingularArc* singular = problem_.arcs[arc].singular; singular != nullptr) {
      const auto rates = singular->at(systems_[arc]->stage_at({t, x, trial.w[ends ? node - 1 : node], {}}));
      put(rates.first, rates.first_by_x.transpose(), rates.first_by_t, K_size_ / problem_.span);
      if (ends || arc + 1 == problem_.arcs.size()) continue;
    }
    if (changed.size() == 1) {
      const std::size_t u = changed.front();
      const auto facts = side(after[u] == Hold::free ? a : a + 1);
      if (!facts) return false;
      const double range = setup_.upper[u] - setup_.lower[u];
      put(facts->slopes[index(u)], facts->slopes_by_x.row(index(u)).transpose(), facts->slopes_by_t[index(u)],
          std::isfinite(range) && range > 0 ? K_size_ / range : K_size_);
    } else {
      const auto left = side(a);
      const auto right = side(a + 1);
      if (!left || !right) return false;
      put(left->K - right->K, left->K_x - right->K_x, left->K_t - right->K_t, K_size_);
    }
  }
  return true;
}

bool BoundarySystem::add_ends(Trial& trial, Assembly& to) const {
  const std::size_t d = setup_.d();
  const std::size_t n = 2 * d;
  const std::size_t last = segments_.size() * n;
  const Vector& x0 = trial.x.front();
  const Vector& x1 = trial.x.back();
  const double T = std::accumulate(trial.durations.begin(), trial.durations.end(), 0.0);
  Values point(x0.data(), x0.data() + d);
  point.insert(point.end(), x1.data(), x1.data() + d);
  point.push_back(T);
  Values functions(setup_.ends.functions());
  Values first(setup_.ends.jacobian().row.size());
  Values second(setup_.ends.hessian().row.size());
  setup_.ends.values(point, functions);
  setup_.ends.jacobian(point, first);
  const double price = trial.price * setup_.sign;
  point.push_back(price);
  point.insert(point.end(), trial.ends.begin(), trial.ends.end());
  setup_.ends.hessian(point, second);
  const Matrix E = dense(setup_.ends.jacobian(), first, false);
  const Matrix G = dense(setup_.ends.hessian(), second, true);
  Vector slope = price * E.row(0).transpose();
  for (std::size_t j = 0; j < trial.ends.size(); ++j) slope += trial.ends[j] * E.row(index(j + 1)).transpose();
  slope[index(d + setup_.form.cost())] += price;

  /// Adds the derivatives of factor * slope[of], or of a function of the ends whose row is given.
  const auto place = [&](std::size_t variable) { return variable < d ? variable : last + variable - d; };
  const auto by_ends = [&](const auto& row, double factor, double scale) {
    for (std::size_t i = 0; i < 2 * d; ++i) to.entry(place(i), factor * row[index(i)], scale);
    for (std::size_t a = 0; free_times() && a < trial.durations.size(); ++a)
      to.entry(first_duration() + a, factor * row[index(2 * d)], scale);
  };
  const auto by_multipliers = [&](std::size_t variable, double factor, double scale) {
    for (std::size_t j = 0; j < trial.ends.size(); ++j)
      to.entry(first_multiplier() + j, factor * E(index(j + 1), index(variable)), scale);
    const double own = E(0, index(variable)) + (variable == d + setup_.form.cost() ? 1 : 0);
    if (problem_.abnormal) to.entry(size() - 1, factor * setup_.sign * own, scale);
  };
  for (std::size_t i = 0; i < d; ++i) {
    for (const bool is_end : {false, true}) {
      const auto& given = is_end ? setup_.final[i] : setup_.initial[i];
      const std::size_t node = is_end ? last : 0;
      const Vector& x = is_end ? x1 : x0;
      if (given) {
        to.entry(node + i, 1, problem_.sizes[i]);
        to.row(x[index(i)] - *given, problem_.sizes[i]);
        continue;
      }
      const double scale = problem_.sizes[d + i];
      const std::size_t variable = is_end ? d + i : i;
      const double factor = is_end ? -1 : 1;
      to.entry(node + d + i, 1, scale);
      by_ends(G.row(index(variable)), factor, scale);
      by_multipliers(variable, factor, scale);
      to.row(x[index(d + i)] + factor * slope[index(variable)], scale);
    }
  }
  for (std::size_t j = 0; j < trial.ends.size(); ++j) {
    by_ends(E.row(index(j + 1)), 1, 1);
    to.row(functions[j + 1], 1);
  }
  if (free_times() && problem_.duration) {
    for (std::size_t a = 0; a < trial.durations.size(); ++a) to.entry(first_duration() + a, 1, *problem_.duration);
    to.row(T - *problem_.duration, *problem_.duration);
  }
  if (!problem_.duration) {
    Values w = trial.w.back();
    const auto facts = systems_.back()->facts(setup_.t0 + T, view(x1), w);
    if (!facts) return false;
    const double scale = K_size_;
    for (std::size_t i = 0; i < n; ++i) to.entry(last + i, facts->K_x[index(i)], scale);
    for (std::size_t a = 0; a < trial.durations.size(); ++a) to.entry(first_duration() + a, facts->K_t, scale);
    by_ends(G.row(index(2 * d)), 1, scale);
    by_multipliers(2 * d, 1, scale);
    to.row(facts->K + slope[index(2 * d)], scale);
  }
  if (problem_.abnormal) {
    double sum = -1;
    for (std::size_t i = 0; i < d; ++i) {
      const double P = x1[index(d + i)];
      to.entry(last + d + i, 2 * P, 1);
      sum += P * P;
    }
    to.row(sum, 1);
  }
  return true;
}

std::optional<BoundarySystem::Equations> BoundarySystem::equations(Trial& trial) const {
  Assembly assembly{sizes_};
  if (!add_segments(trial, assembly) || !add_junctions(trial, assembly) || !add_ends(trial, assembly))
    return std::nullopt;
  Equations result;
  result.residual = Eigen::Map<const Vector>(assembly.residual.data(), index(assembly.residual.size()));
  result.jacobian.resize(static_cast<int>(assembly.residual.size()), static_cast<int>(size()));
  result.jacobian.setFromTriplets(assembly.entries.begin(), assembly.entries.end());
  result.flow_error = assembly.flow_error;
  result.cost_error = assembly.cost_error;
  result.growth = assembly.growth;
  if (!result.residual.allFinite()) return std::nullopt;
  return result;
}

double BoundarySystem::cost_change(const Trial& trial, const Vector& step) const {
  const std::size_t d = setup_.d();
  const std::size_t last = segments_.size() * 2 * d;
  Values point(trial.x.front().data(), trial.x.front().data() + d);
  point.insert(point.end(), trial.x.back().data(), trial.x.back().data() + d);
  point.push_back(std::accumulate(trial.durations.begin(), trial.durations.end(), 0.0));
  const auto& places = setup_.ends.jacobian();
  Values entries(places.row.size());
  setup_.ends.jacobian(point, entries);
  const auto change = [&](std::size_t unknown) { return step[index(unknown)] * sizes_[unknown]; };
  double first = change(last + setup_.form.cost());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::size_t variable = places.col[e];
    if (places.row[e] != 0) continue;
    if (variable < 2 * d) {
      first += entries[e] * change(variable < d ? variable : last + variable - d);
    } else {
      for (std::size_t a = 0; free_times() && a < trial.durations.size(); ++a)
        first += entries[e] * change(first_duration() + a);
    }
  }
  const double largest = step.lpNorm<Eigen::Infinity>();
  return std::abs(first) + largest * largest * K_size_ * problem_.span;
}

Trial BoundarySystem::moved(const Trial& trial, const Vector& step, double length) const {
  Trial next = trial;
  const auto change = [&](std::size_t unknown) { return length * step[index(unknown)] * sizes_[unknown]; };
  const std::size_t n = 2 * setup_.d();
  for (std::size_t k = 0; k < next.x.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) next.x[k][index(i)] += change(k * n + i);
  for (std::size_t a = 0; free_times() && a < next.durations.size(); ++a)
    next.durations[a] += change(first_duration() + a);
  for (std::size_t j = 0; j < next.ends.size(); ++j) next.ends[j] += change(first_multiplier() + j);
  if (problem_.abnormal) next.price += change(size() - 1);
  return next;
}

}  // namespace herglotz::solve
