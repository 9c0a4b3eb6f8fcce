#include "steps/step_nlp.hpp"

#include <algorithm>

#include "stage/chain_of_path.hpp"

namespace herglotz::solve {

using optimise::infinity;

StepNlp::StepNlp(const StepProblem& problem) : p_(problem), rows_(problem.step.functions()) {
  const std::size_t n = node(p_.intervals) + p_.d + (p_.duration ? 0 : 1);
  lower_.assign(n, -infinity);
  upper_.assign(n, infinity);
  const auto fix = [&](std::size_t unknown, const std::optional<double>& value) {
    if (value) lower_[unknown] = upper_[unknown] = *value;
  };
  for (std::size_t a = 0; a < p_.d; ++a) {
    fix(a, p_.initial[a]);
    fix(node(p_.intervals) + a, p_.final[a]);
  }
  for (std::size_t k = 0; k < p_.intervals; ++k) {
    std::copy(p_.lower.begin(), p_.lower.end(), lower_.begin() + static_cast<std::ptrdiff_t>(node(k) + p_.d));
    std::copy(p_.upper.begin(), p_.upper.end(), upper_.begin() + static_cast<std::ptrdiff_t>(node(k) + p_.d));
  }
  if (!p_.duration) {
    lower_.back() = std::max(p_.shortest, 1e-6);
    upper_.back() = p_.longest;
  }
  zero_.assign(p_.intervals * rows_ + p_.ends.functions() - 1, 0.0);
  const auto& step = p_.step.jacobian();
  for (std::size_t k = 0; k < p_.intervals; ++k) {
    for (std::size_t e = 0; e < step.row.size(); ++e) {
      const Part to = part(k, step.col[e]);
      if (to.unknown == n) continue;
      jacobian_places_.add(k * rows_ + step.row[e], to.unknown);
      jacobian_step_.push_back({k * step.row.size() + e, to.factor});
    }
  }
  const auto& ends = p_.ends.jacobian();
  for (std::size_t e = 0; e < ends.row.size(); ++e) {
    const Part to = end_part(ends.col[e]);
    if (ends.row[e] == 0 || to.unknown == n) continue;
    jacobian_places_.add(p_.intervals * rows_ + ends.row[e] - 1, to.unknown);
    jacobian_ends_.push_back({e, to.factor});
  }
  const auto& second = p_.step.hessian();
  for (std::size_t k = 0; k < p_.intervals; ++k)
    for (std::size_t e = 0; e < second.row.size(); ++e)
      add_product(part(k, second.row[e]), part(k, second.col[e]), second.row[e] == second.col[e],
                  k * second.row.size() + e, hessian_step_);
  const auto& end_second = p_.ends.hessian();
  for (std::size_t e = 0; e < end_second.row.size(); ++e)
    add_product(end_part(end_second.row[e]), end_part(end_second.col[e]), end_second.row[e] == end_second.col[e], e,
                hessian_ends_);
}

StepNlp::Part StepNlp::part(std::size_t k, std::size_t variable) const {
  if (variable < p_.d) return {node(k) + variable, 1};
  if (variable < 2 * p_.d) return {node(k + 1) + variable - p_.d, 1};
  if (variable < 2 * p_.d + p_.m) return {node(k) + variable - p_.d, 1};
  if (p_.duration) return {lower_.size(), 0};
  const double share = variable == 2 * p_.d + p_.m ? 1 : static_cast<double>(k);
  return {lower_.size() - 1, share / static_cast<double>(p_.intervals)};
}

StepNlp::Part StepNlp::end_part(std::size_t variable) const {
  if (variable < p_.d) return {variable, 1};
  if (variable < 2 * p_.d) return {node(p_.intervals) + variable - p_.d, 1};
  return {p_.duration ? lower_.size() : lower_.size() - 1, 1};
}

void StepNlp::add_product(const Part& a, const Part& b, bool same, std::size_t source, std::vector<Contribution>& to) {
  if (a.unknown == lower_.size() || b.unknown == lower_.size()) return;
  const bool twice = !same && a.unknown == b.unknown;
  hessian_places_.add(std::max(a.unknown, b.unknown), std::min(a.unknown, b.unknown));
  to.push_back({source, (twice ? 2 : 1) * a.factor * b.factor});
}

optimise::Chain StepNlp::chain() const {
  return chain_of_path({lower_.size(), node(p_.intervals) + p_.d, node(1)}, {zero_.size(), p_.intervals * rows_, rows_},
                       p_.ends, p_.d);
}

std::vector<double> StepNlp::points(std::span<const double> x) const {
  const double h = duration(x) / static_cast<double>(p_.intervals);
  std::vector<double> result;
  for (std::size_t k = 0; k < p_.intervals; ++k) {
    const auto start = x.begin() + static_cast<std::ptrdiff_t>(node(k));
    const auto control = start + static_cast<std::ptrdiff_t>(p_.d);
    const auto end = control + static_cast<std::ptrdiff_t>(p_.m);
    result.insert(result.end(), start, control);
    result.insert(result.end(), end, end + static_cast<std::ptrdiff_t>(p_.d));
    result.insert(result.end(), control, end);
    result.insert(result.end(), {h, p_.t0 + static_cast<double>(k) * h});
  }
  return result;
}

std::vector<double> StepNlp::end_point(std::span<const double> x) const {
  const auto d = static_cast<std::ptrdiff_t>(p_.d);
  std::vector<double> result(x.begin(), x.begin() + d);
  const auto last = x.begin() + static_cast<std::ptrdiff_t>(node(p_.intervals));
  result.insert(result.end(), last, last + d);
  result.push_back(duration(x));
  return result;
}

double StepNlp::objective(std::span<const double> x) {
  std::vector<double> ends(p_.ends.functions());
  p_.ends.values(end_point(x), ends);
  return p_.sign * (x[node(p_.intervals) + p_.d - 1] + ends[0]);
}

void StepNlp::gradient(std::span<const double> x, std::span<double> values) {
  std::fill(values.begin(), values.end(), 0.0);
  values[node(p_.intervals) + p_.d - 1] = p_.sign;
  const auto& places = p_.ends.jacobian();
  std::vector<double> entries(places.row.size());
  p_.ends.jacobian(end_point(x), entries);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const Part to = end_part(places.col[e]);
    if (places.row[e] == 0 && to.unknown < values.size()) values[to.unknown] += p_.sign * entries[e];
  }
}

void StepNlp::constraints(std::span<const double> x, std::span<double> values) {
  p_.step.values(points(x), values.first(p_.intervals * rows_));
  std::vector<double> ends(p_.ends.functions());
  p_.ends.values(end_point(x), ends);
  std::copy(ends.begin() + 1, ends.end(), values.begin() + static_cast<std::ptrdiff_t>(p_.intervals * rows_));
}

void StepNlp::jacobian(std::span<const double> x, std::span<double> values) {
  std::vector<double> entries(p_.intervals * p_.step.jacobian().row.size());
  p_.step.jacobian(points(x), entries);
  auto out = values.begin();
  for (const Contribution& part : jacobian_step_) *out++ = part.factor * entries[part.source];
  entries.resize(p_.ends.jacobian().row.size());
  p_.ends.jacobian(end_point(x), entries);
  for (const Contribution& part : jacobian_ends_) *out++ = part.factor * entries[part.source];
}

void StepNlp::hessian(std::span<const double> x, double weight, std::span<const double> mu, std::span<double> values) {
  const auto at = points(x);
  const auto inputs = static_cast<std::ptrdiff_t>(p_.step.inputs());
  std::vector<double> weighted;
  for (std::size_t k = 0; k < p_.intervals; ++k) {
    const auto first = at.begin() + static_cast<std::ptrdiff_t>(k) * inputs;
    weighted.insert(weighted.end(), first, first + inputs);
    const auto own = mu.subspan(k * rows_, rows_);
    weighted.insert(weighted.end(), own.begin(), own.end());
  }
  std::vector<double> entries(p_.intervals * p_.step.hessian().row.size());
  p_.step.hessian(weighted, entries);
  auto out = values.begin();
  for (const Contribution& part : hessian_step_) *out++ = part.factor * entries[part.source];
  auto ends = end_point(x);
  ends.push_back(p_.sign * weight);
  const auto rest = mu.subspan(p_.intervals * rows_);
  ends.insert(ends.end(), rest.begin(), rest.end());
  entries.resize(p_.ends.hessian().row.size());
  p_.ends.hessian(ends, entries);
  for (const Contribution& part : hessian_ends_) *out++ = part.factor * entries[part.source];
}

std::vector<Values> StepNlp::costates(const optimise::PrimalDualPoint& at) const {
  const auto& places = p_.step.jacobian();
  std::vector<double> entries(p_.intervals * places.row.size());
  p_.step.jacobian(points(at.x), entries);
  std::vector<Values> result(p_.intervals + 1, Values(p_.d, 0.0));
  for (std::size_t k = 0; k < p_.intervals; ++k) {
    for (std::size_t e = 0; e < places.row.size(); ++e) {
      const double product = entries[k * places.row.size() + e] * at.mu[k * rows_ + places.row[e]];
      const std::size_t col = places.col[e];
      if (col < p_.d && k == 0) result[0][col] += product;
      if (col >= p_.d && col < 2 * p_.d) result[k + 1][col - p_.d] -= product;
    }
  }
  return result;
}

}  // namespace herglotz::solve
