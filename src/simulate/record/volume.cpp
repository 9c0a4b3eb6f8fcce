#include "herglotz/simulate/volume.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/mechanics/derive/volume.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/mechanics/events/switches.hpp"
#include "herglotz/mechanics/singular.hpp"

namespace herglotz::simulate {
namespace {

constexpr int rate_nodes = 5;
constexpr int trace_nodes = 4;
constexpr double tolerance = 1e-12;     // of the motion between rows, and of the quadratures of the rate
constexpr std::size_t most_parts = 64;  // of an interval between rows
constexpr std::size_t most_steps = 100'000;

/// A node of one of both quadratures in [0, 1].
struct Node {
  double c = 0;
  double rate_weight = 0;
  double trace_weight = 0;
};

std::vector<Node> nodes_of_both() {
  std::vector<Node> nodes;
  const auto rate = kernel::gauss_quadrature(rate_nodes);
  const auto trace = kernel::gauss_quadrature(trace_nodes);
  for (std::size_t i = 0; i < rate.c.size(); ++i)
    nodes.push_back({static_cast<double>(rate.c[i]), static_cast<double>(rate.b[i]), 0});
  for (std::size_t i = 0; i < trace.c.size(); ++i)
    nodes.push_back({static_cast<double>(trace.c[i]), 0, static_cast<double>(trace.b[i])});
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.c < b.c; });
  return nodes;
}

/// Returns (x, w, z, t, l) for a kernel; the multipliers, on which no such kernel depends, are 0.
std::vector<double> variables_at(double t, std::span<const double> u, const kernel::Kernel& kernel) {
  std::vector<double> v(u.begin(), u.end());
  v.push_back(t);
  v.resize(kernel.variables(), 0.0);
  return v;
}

}  // namespace

StateRows state_rows(const std::vector<analyse::Column>& columns) {
  using enum analyse::Role;
  StateRows rows;
  for (const auto& column : columns)
    if (column.role == time) rows.times = column.values;
  for (std::size_t k = 0; k < rows.times.size(); ++k)
    for (const auto& column : columns)
      if (column.role == base || column.role == fibre || column.role == action) rows.states.push_back(column.values[k]);
  return rows;
}

void require_volume_law(const mechanics::System& system, const mechanics::Equations& equations,
                        std::span<const double> parameters, std::span<const double> start) {
  const auto refuse = [](const char* what) {
    throw Refused(what, "leave the columns volume and volume_residual out", "[simulation]");
  };
  if (system.constraints.rule == mechanics::Rule::vakonomic)
    refuse("the volume law is one of systems without constraints or with nonholonomic ones");
  if (system.formulation == mechanics::Formulation::lagrangian &&
      mechanics::is_singular(system, equations, parameters, start))
    refuse("the volume law is one of regular Lagrangians");
  if (mechanics::has_jumps(system) || !system.frictions.empty() || mechanics::switched(system))
    refuse("the volume law is one of smooth motions, without jumps, switches and friction");
  for (const auto& table : system.graph().tables())
    if (table->interpolation == symbolic::Interpolation::hold)
      throw Refused("the volume law is one of smooth motions, and the input '" + table->name + "' jumps",
                    "use interpolation = \"linear\", or leave the columns volume and volume_residual out",
                    "[simulation]");
}

VolumeKernels volume_kernels(const mechanics::System& system, const mechanics::Equations& equations,
                             const compile::Options& options) {
  mechanics::System with = system;
  with.observables = {{mechanics::volume_column, mechanics::volume_rate(system, equations)}};
  std::vector<double> knots;
  for (const auto& table : system.graph().tables()) knots.insert(knots.end(), table->knots.begin(), table->knots.end());
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  return {compile::compile(mechanics::observables_program(with, equations), options),
          compile::compile(mechanics::hessian_program(system, equations), options), std::move(knots)};
}

VolumeAlong::VolumeAlong(const mechanics::System& system, VolumeKernels kernels, const integrate::Dynamics& dynamics,
                         const integrate::Dynamics& with_jacobian, std::vector<double> parameters, StateRows rows)
    : dynamics_(dynamics),
      field_(with_jacobian, parameters),
      parameters_(std::move(parameters)),
      r_(system.r()),
      hamiltonian_(system.formulation == mechanics::Formulation::hamiltonian),
      kernels_(std::move(kernels)),
      rows_(std::move(rows)) {
  if (rows_.times.empty()) return;
  first_log_det_ = log_det_at(rows_.times.front(), state(rows_, 0));
  totals_.emplace_back();
  for (std::size_t k = 0; k + 1 < rows_.times.size(); ++k) {
    const Growth more = growth(k, rows_.times[k + 1]);
    totals_.push_back({totals_[k].rate + more.rate, totals_[k].trace + more.trace});
  }
  at_rows_ = at(rows_);
}

Volumes VolumeAlong::at(const StateRows& between) {
  Volumes found;
  const bool forward = rows_.times.empty() || rows_.times.back() >= rows_.times.front();
  for (std::size_t j = 0; j < between.times.size(); ++j) {
    const double t = between.times[j];
    const auto after = std::upper_bound(rows_.times.begin(), rows_.times.end(), t,
                                        [&](double value, double row) { return forward ? value < row : value > row; });
    const auto k = static_cast<std::size_t>(std::max(after - rows_.times.begin() - 1, std::ptrdiff_t{0}));
    const Growth more = growth(k, t);
    const double grown = totals_[k].rate + more.rate;
    found.volume.push_back(std::exp(grown));
    found.residual.push_back(grown - totals_[k].trace - more.trace -
                             (log_det_at(t, state(between, j)) - first_log_det_));
  }
  return found;
}

VolumeAlong::Growth VolumeAlong::growth(std::size_t k, double t) {
  double from = rows_.times[k];
  const auto row = state(rows_, k);
  std::vector<double> u(row.begin(), row.end());
  std::vector<double> ends;
  for (const double knot : kernels_.knots)
    if (std::min(from, t) < knot && knot < std::max(from, t)) ends.push_back(knot);
  if (t < from) std::reverse(ends.begin(), ends.end());
  ends.push_back(t);
  Growth sum;
  for (const double to : ends) {
    const Growth more = over_smooth(from, to, u);
    sum = {sum.rate + more.rate, sum.trace + more.trace};
    from = to;
  }
  return sum;
}

VolumeAlong::Growth VolumeAlong::over_smooth(double from, double to, std::vector<double>& u) {
  static const std::vector<Node> nodes = nodes_of_both();
  constexpr double shortest = 64 * std::numeric_limits<double>::epsilon();
  if (std::abs(to - from) <= shortest * std::max(std::abs(from), std::abs(to))) return {};
  for (std::size_t parts = 1;; parts *= 2) {
    const double width = (to - from) / static_cast<double>(parts);
    integrate::Settings settings;
    settings.t_end = to;
    settings.tolerance = tolerance;
    settings.max_steps = most_steps;
    for (std::size_t part = 0; part < parts; ++part)
      for (const Node& node : nodes)
        settings.schedule.times.push_back(from + width * (static_cast<double>(part) + node.c));
    Growth sum;
    double same_by_trace_nodes = 0;
    std::size_t samples = 0;
    const auto sink = [&](const integrate::Sample& sample) {
      // The first sample is the start, and the last one the end.
      if (samples > 0 && samples <= settings.schedule.times.size()) {
        const Node& node = nodes[(samples - 1) % nodes.size()];
        const double rate = rate_at(sample.t, sample.state);
        sum.rate += width * node.rate_weight * rate;
        same_by_trace_nodes += width * node.trace_weight * rate;
        if (node.trace_weight != 0) sum.trace += width * node.trace_weight * trace_at(sample.t, sample.state);
      }
      ++samples;
      return true;
    };
    const auto outcome = integrate::integrate(dynamics_, parameters_, from, u, settings, sink);
    if (outcome.status != integrate::Status::success) {
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      return {nan, nan};
    }
    if (std::abs(sum.rate - same_by_trace_nodes) <= tolerance * std::max(1.0, std::abs(sum.rate)) ||
        parts == most_parts) {
      u = outcome.state;
      return sum;
    }
  }
}

double VolumeAlong::rate_at(double t, std::span<const double> u) {
  const auto v = variables_at(t, u, kernels_.rate);
  std::vector<double> work(kernels_.rate.work_size());
  double rate = 0;
  kernels_.rate(v.data(), parameters_.data(), &rate, work.data());
  return rate;
}

double VolumeAlong::trace_at(double t, std::span<const double> u) {
  const std::size_t dimension = field_.dimension();
  std::vector<double> matrix(dimension * dimension);
  field_.jacobian(t, u, matrix);
  double trace = 0;
  for (std::size_t i = 0; i < dimension; ++i) trace += matrix[i * dimension + i];
  return trace;
}

double VolumeAlong::log_det_at(double t, std::span<const double> u) {
  if (hamiltonian_) return 0;
  const kernel::Kernel& W_at = kernels_.hessian;
  const auto v = variables_at(t, u, W_at);
  std::vector<double> work(W_at.work_size());
  std::vector<double> hessian(W_at.outputs());
  W_at(v.data(), parameters_.data(), hessian.data(), work.data());
  const auto r = static_cast<Eigen::Index>(r_);
  const Eigen::MatrixXd W = Eigen::Map<const Eigen::MatrixXd>(hessian.data(), r, r);
  const Eigen::VectorXd pivots = linear::PartialLu(W).triangles().diagonal();
  double sum = 0;
  for (const double pivot : pivots) sum += std::log(std::abs(pivot));
  return sum;
}

std::span<const double> VolumeAlong::state(const StateRows& of, std::size_t k) const {
  const std::size_t dimension = field_.dimension();
  return std::span(of.states).subspan(k * dimension, dimension);
}

std::vector<analyse::Column> with_volume(std::vector<analyse::Column> columns, const std::vector<std::string>& names) {
  const auto add = [&](const char* name, analyse::Role role) {
    const bool wanted = std::find(names.begin(), names.end(), name) != names.end();
    const bool there =
        std::any_of(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
    if (wanted && !there) columns.push_back({name, role, {}});
  };
  add(volume_column, analyse::Role::observable);
  add(volume_residual_column, analyse::Role::residual);
  return columns;
}

void add_volume(VolumeAlong& law, const std::vector<std::string>& names, analyse::Trajectory& run) {
  const auto add = [&](std::vector<analyse::Column>& columns, const Volumes& found) {
    const std::size_t before = columns.size();
    columns = with_volume(std::move(columns), names);
    for (std::size_t c = before; c < columns.size(); ++c)
      columns[c].values = columns[c].name == volume_column ? found.volume : found.residual;
  };
  add(run.columns, law.at_rows());
  for (auto& event : run.events) add(event.columns, law.at(state_rows(event.columns)));
}

}  // namespace herglotz::simulate
