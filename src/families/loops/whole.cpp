#include "loops/whole.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/compile/compile.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::families {

using symbolic::derivative;

Whole::Whole(Model& model, std::vector<bool> driven) : driven_(std::move(driven)), now_(2) {
  for (const bool has_source : driven_) {
    place_.push_back(now_.size() - 2);
    if (has_source) now_.emplace_back();
  }
  symbolic::Program program{"rest", model.graph, {model.z, model.t}, {}, {}};
  for (const auto& parameter : model.parameters) program.parameters.push_back(parameter.symbol);
  program.outputs = {model.rest, derivative(model.rest, model.z), derivative(model.rest, model.t)};
  rest_ = compile::compile(program);
  work_.resize(rest_.work_size());
}

void Whole::start(double z0, std::span<const double> quantities) {
  now_.assign(now_.size(), {});
  now_[0].value = z0;
  for (std::size_t k = 0; k < driven_.size(); ++k)
    if (driven_[k]) now_[2 + place_[k]] = {quantities[k], 0};
}

Whole::Rest Whole::rest(double z, double t) const {
  const std::array<double, 2> at{z, t};
  std::array<double, 3> values{};
  rest_(at.data(), parameters_.data(), values.data(), work_.data());
  return {values[0], values[1], values[2]};
}

Observed Whole::row(const std::vector<double>& sums, double t) const {
  const double of_whole = rest(z(), t).value;
  Observed row{z(), log_factor(), {}};
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const double* const law = sums.data() + 3 * k;
    row.laws.push_back({law[0], law[1], law[2], {}});
    if (driven_[k]) row.laws[k].budget = budget(k);
  }
  // The energy is the sum of p v, less that of l, less the rest.
  LawRow& energy = row.laws.front();
  energy.scale = std::max({std::abs(sums[1]), std::abs(sums[1] - sums[0]), std::abs(of_whole)});
  energy.quantity -= of_whole;
  return row;
}

void Whole::attempt(const kernel::ExplicitTableau& tableau, std::span<const double> difference, double t, double h,
                    const double* sums, std::size_t stride) {
  const std::size_t stages = tableau.stages();
  const std::size_t size = now_.size();
  std::vector<double> slopes(stages * size);
  std::vector<double> at(size);
  for (std::size_t i = 0; i < stages; ++i) {
    for (std::size_t e = 0; e < size; ++e) {
      double change = 0;
      for (std::size_t j = 0; j < tableau.A[i].size() && j < i; ++j) change += tableau.A[i][j] * slopes[j * size + e];
      at[e] = now_[e].value + h * change;
    }
    const double* const of_sites = sums + i * stride;
    const Rest whole = rest(at[0], t + tableau.c[i] * h);
    double* const slope = slopes.data() + i * size;
    slope[0] = of_sites[0] + whole.value;
    slope[1] = -whole.L_z;
    for (std::size_t k = 0; k < driven_.size(); ++k) {
      if (!driven_[k]) continue;
      const std::size_t e = 2 + place_[k];
      slope[e] = whole.L_z * at[e] + of_sites[1 + place_[k]] - (k == 0 ? whole.by_time : 0);
    }
  }
  next_ = now_;
  errors_.assign(size, 0.0);
  for (std::size_t e = 0; e < size; ++e) {
    double change = 0;
    for (std::size_t i = 0; i < stages; ++i) {
      change += tableau.b[i] * slopes[i * size + e];
      if (!difference.empty()) errors_[e] += h * difference[i] * slopes[i * size + e];
    }
    next_[e].add(h * change);
  }
}

std::vector<Whole::Stage> Whole::stages_of(const kernel::Quadrature& quadrature, double t, double h,
                                           std::span<const double> sums) const {
  const std::size_t count = quadrature.c.size();
  const std::size_t stride = sums.size() / count;
  const Eigen::Index rows = linear::index(count);
  const auto a = [&](std::size_t j, std::size_t k) { return static_cast<double>(quadrature.A[j][k]); };
  const auto time = [&](std::size_t j) { return t + static_cast<double>(quadrature.c[j]) * h; };
  // L_j = l_j + rest(0, t_j) + L_z Z_j, so that the L_j solve L - h L_z A L = l + rest + L_z z_0.
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(rows, rows);
  Eigen::VectorXd right(rows);
  std::vector<Stage> stages(count);
  for (std::size_t j = 0; j < count; ++j) {
    const Rest at_start = rest(now_[0].value, time(j));
    stages[j].L_z = at_start.L_z;
    right[linear::index(j)] = sums[j * stride] + at_start.value;
    for (std::size_t k = 0; k < count; ++k) matrix(linear::index(j), linear::index(k)) -= h * at_start.L_z * a(j, k);
  }
  const Eigen::VectorXd L = linear::PartialLu(matrix).solve(right);
  for (std::size_t j = 0; j < count; ++j) {
    stages[j].rate = L[linear::index(j)];
    double z = now_[0].value;
    for (std::size_t k = 0; k < count; ++k) z += h * a(j, k) * L[linear::index(k)];
    stages[j].by_time = rest(z, time(j)).by_time;
  }
  return stages;
}

void Whole::attempt(const kernel::Quadrature& quadrature, const std::vector<double>& R, double end_factor, double t,
                    double h, const std::vector<double>& sums) {
  const std::size_t count = R.size();
  const std::size_t stride = sums.size() / count;
  const std::vector<Stage> stages = stages_of(quadrature, t, h, sums);
  const auto b = [&](std::size_t j) { return static_cast<double>(quadrature.b[j]); };
  next_ = now_;
  double way = 0;
  for (std::size_t j = 0; j < count; ++j) way += b(j) * stages[j].rate;
  next_[0].add(h * way);
  next_[1].add(std::log(end_factor));
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    if (!driven_[k]) continue;
    Compensated& budget = next_[2 + place_[k]];
    double gained = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const double source = sums[j * stride + 1 + place_[k]] - (k == 0 ? stages[j].by_time : 0);
      gained += b(j) * R[j] * source;
    }
    budget.add((1 / end_factor - 1) * budget.value + h * gained / end_factor);
  }
}

void Whole::attempt(const kernel::Quadrature& quadrature, const Errors& errors, double t, double h,
                    const std::vector<double>& sums) {
  const std::size_t count = quadrature.c.size();
  const std::size_t stride = sums.size() / (count + 1);
  const std::vector<Stage> stages = stages_of(quadrature, t, h, std::span(sums).subspan(stride));
  const Rest start = rest(now_[0].value, t);
  const double filter = 1 / (1 + std::max(0.0, -h * errors.filter * start.L_z));
  next_ = now_;
  errors_.assign(now_.size(), 0.0);
  // Adds the step of a number from its rates at the start and at the stages.
  const auto add = [&](std::size_t e, double at_start, const auto& rate) {
    double way = 0;
    errors_[e] = errors.difference[0] * at_start;
    for (std::size_t j = 0; j < count; ++j) {
      way += static_cast<double>(quadrature.b[j]) * rate(j);
      errors_[e] += errors.difference[1 + j] * rate(j);
    }
    next_[e].add(h * way);
    errors_[e] *= h;
  };
  add(0, sums[0] + start.value, [&](std::size_t j) { return stages[j].rate; });
  add(1, -start.L_z, [&](std::size_t j) { return -stages[j].L_z; });
  errors_[0] *= filter;
  const Eigen::Index rows = linear::index(count);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(rows, rows);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t k = 0; k < count; ++k)
      matrix(linear::index(j), linear::index(k)) -= h * stages[j].L_z * static_cast<double>(quadrature.A[j][k]);
  const linear::PartialLu lu(matrix);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    if (!driven_[k]) continue;
    const std::size_t e = 2 + place_[k];
    const double budget = now_[e].value;
    const auto source = [&](std::size_t row, double by_time) {
      return sums[row * stride + 1 + place_[k]] - (k == 0 ? by_time : 0);
    };
    Eigen::VectorXd right(rows);
    for (std::size_t j = 0; j < count; ++j)
      right[linear::index(j)] = stages[j].L_z * budget + source(1 + j, stages[j].by_time);
    const Eigen::VectorXd rates = lu.solve(right);
    add(e, start.L_z * budget + source(0, start.by_time), [&](std::size_t j) { return rates[linear::index(j)]; });
    errors_[e] *= filter;
  }
}

void Whole::attempt(const Halves& halves, double L_z, double t, double h) {
  const double decay = h / 2 * L_z;
  const double closed = 1 / (1 - decay);
  const double z = now_[0].value;
  next_ = now_;
  next_[0].add(closed * h * ((halves.lagrangian[0] + halves.lagrangian[1]) / 2 + rest(z, t).value));
  next_[1].add(std::log1p(-decay) - std::log1p(decay));
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    if (!driven_[k]) continue;
    Compensated& budget = next_[2 + place_[k]];
    budget.add(closed * (2 * decay * budget.value + h * halves.sources[k] + halves.works[k][0]) + halves.works[k][1]);
  }
}

}  // namespace herglotz::families
