#include "herglotz/simulate/volume.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/mechanics/derive/volume.hpp"

namespace herglotz::simulate {
namespace {

constexpr std::size_t most_nodes = 7;  // rows through which integrands are interpolated

kernel::Kernel rate_kernel(const mechanics::System& system, const mechanics::Equations& equations,
                           const compile::Options& options) {
  mechanics::System with = system;
  with.observables = {{mechanics::volume_column, mechanics::volume_rate(system, equations)}};
  return compile::compile(mechanics::observables_program(with, equations), options);
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

VolumeAlong::Integral::Integral(const std::vector<double>& times, const std::vector<double>& values)
    : times_(times), totals_(times.size()) {
  const std::size_t nodes = std::min(most_nodes, times.size());
  const auto size = static_cast<Eigen::Index>(nodes);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const std::size_t middle = k + 1 > nodes / 2 ? k + 1 - nodes / 2 : 0;
    const std::size_t first = std::min(middle, times.size() - nodes);
    widths_.push_back(times[first + nodes - 1] - times[first]);
    Eigen::MatrixXd powers(size, size);
    Eigen::VectorXd right(size);
    for (Eigen::Index row = 0; row < size; ++row) {
      const std::size_t node = first + static_cast<std::size_t>(row);
      right(row) = values[node];
      double power = 1;
      for (Eigen::Index column = 0; column < size; ++column) {
        powers(row, column) = power;
        power *= (times[node] - times[k]) / widths_.back();
      }
    }
    const Eigen::VectorXd found = powers.partialPivLu().solve(right);
    coefficients_.emplace_back(found.begin(), found.end());
    totals_[k + 1] = (*this)(times[k + 1]);
  }
}

double VolumeAlong::Integral::operator()(double t) const {
  if (coefficients_.empty()) return 0;
  const bool forward = times_.back() >= times_.front();
  const auto after =
      std::find_if(times_.begin() + 1, times_.begin() + static_cast<std::ptrdiff_t>(coefficients_.size()),
                   [&](double row) { return forward ? row >= t : row <= t; });
  const auto k = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double s = (t - times_[k]) / widths_[k];
  double sum = 0;
  for (std::size_t power = coefficients_[k].size(); power > 0; --power)
    sum = sum * s + coefficients_[k][power - 1] / static_cast<double>(power);
  return totals_[k] + widths_[k] * s * sum;
}

VolumeAlong::VolumeAlong(const mechanics::System& system, const mechanics::Equations& equations,
                         const integrate::Dynamics& dynamics, const compile::Options& options,
                         std::vector<double> parameters, const StateRows& rows)
    : rate_(rate_kernel(system, equations, options)),
      hessian_(compile::compile(mechanics::hessian_program(system, equations), options)),
      dynamics_(dynamics),
      parameters_(std::move(parameters)),
      r_(system.r()),
      hamiltonian_(system.formulation == mechanics::Formulation::hamiltonian) {
  const auto found = points(rows);
  std::vector<double> rates;
  std::vector<double> traces;
  for (const Point& point : found) {
    rates.push_back(point.rate);
    traces.push_back(point.trace);
  }
  rate_integral_ = Integral(rows.times, rates);
  trace_integral_ = Integral(rows.times, traces);
  if (!found.empty()) first_log_det_ = found.front().log_det;
  at_rows_ = at(rows);
}

Volumes VolumeAlong::at(const StateRows& between) const {
  Volumes found;
  const auto values = points(between);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double grown = rate_integral_(between.times[k]);
    found.volume.push_back(std::exp(grown));
    found.residual.push_back(grown - trace_integral_(between.times[k]) - (values[k].log_det - first_log_det_));
  }
  return found;
}

std::vector<VolumeAlong::Point> VolumeAlong::points(const StateRows& rows) const {
  integrate::VectorField field(dynamics_, parameters_);
  const std::size_t dimension = field.dimension();
  std::vector<double> matrix(dimension * dimension);
  std::vector<double> hessian(hessian_.outputs());
  std::vector<double> work(std::max(rate_.work_size(), hessian_.work_size()));
  std::vector<double> v(dimension + 1);
  std::vector<Point> found;
  const auto r = static_cast<Eigen::Index>(r_);
  for (std::size_t k = 0; k < rows.times.size(); ++k) {
    const std::span<const double> u(rows.states.data() + k * dimension, dimension);
    std::copy(u.begin(), u.end(), v.begin());
    v.back() = rows.times[k];
    Point point;
    rate_(v.data(), parameters_.data(), &point.rate, work.data());
    field.jacobian(rows.times[k], u, matrix);
    for (std::size_t i = 0; i < dimension; ++i) point.trace += matrix[i * dimension + i];
    if (!hamiltonian_) {
      hessian_(v.data(), parameters_.data(), hessian.data(), work.data());
      const Eigen::MatrixXd W = Eigen::Map<const Eigen::MatrixXd>(hessian.data(), r, r);
      const Eigen::VectorXd pivots = W.partialPivLu().matrixLU().diagonal();
      for (const double pivot : pivots) point.log_det += std::log(std::abs(pivot));
    }
    found.push_back(point);
  }
  return found;
}

void add_volume(const VolumeAlong& law, analyse::Trajectory& run) {
  const auto add = [](std::vector<analyse::Column>& columns, const Volumes& found) {
    columns.push_back({volume_column, analyse::Role::observable, found.volume});
    columns.push_back({volume_residual_column, analyse::Role::residual, found.residual});
  };
  add(run.columns, law.at_rows());
  for (auto& event : run.events) add(event.columns, law.at(state_rows(event.columns)));
}

}  // namespace herglotz::simulate
