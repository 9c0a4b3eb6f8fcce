#include "scale/path_independent_cost.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "collocation.hpp"
#include "herglotz/control/path_independent_cost.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::solve {
namespace {

using Values = std::vector<double>;
using Panel = PathIndependentCost::Panel;

constexpr double same = 1e-13;             ///< difference of the function and its polynomial, in parts of the function
constexpr int most_halvings = 44;          ///< after which what a jump or a kink leaves is rounding
constexpr std::size_t most_panels = 4096;  ///< of a function that does not vary too fast

const Collocation& gauss() {
  static const Collocation method(12);
  return method;
}

Values nodes() {
  const auto& c = gauss().c;
  return {c.data(), c.data() + c.size()};
}

/// Returns the value at the part x of a panel of the polynomial of the panel.
double polynomial(const Panel& panel, double x) {
  const Values weights = interpolation(nodes(), x);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * panel.values[i];
  return sum;
}

/// Panels of a function of time, which are halved until each is a polynomial.
class Panels {
 public:
  Panels(std::function<double(double)> rate, double growth, double duration)
      : rate_(std::move(rate)), growth_(growth), duration_(duration) {}

  /// Returns `std::nullopt` if the function is not finite, or if the panels are too many.
  [[nodiscard]] std::optional<std::vector<Panel>> make() {
    constexpr int first = 4;
    for (int k = 0; k < first; ++k) size_ = std::max(size_, size_of(sampled(k * duration_ / first, duration_ / first)));
    for (int k = 0; k < first; ++k)
      if (!add(sampled(k * duration_ / first, duration_ / first), 0)) return std::nullopt;
    for (std::size_t k = 1; k < panels_.size(); ++k) {
      const Panel& before = panels_[k - 1];
      double sum = 0;
      for (std::size_t i = 0; i < before.values.size(); ++i)
        sum += gauss().b[static_cast<Eigen::Index>(i)] * before.values[i];
      panels_[k].off = std::exp(growth_ * before.length) * (before.off + before.length * sum);
    }
    return std::isfinite(panels_.back().off) ? std::optional(std::move(panels_)) : std::nullopt;
  }

 private:
  [[nodiscard]] Panel sampled(double begin, double length) const {
    Panel panel{begin, length, 0, {}};
    for (const double c : nodes()) panel.values.push_back(std::exp(-growth_ * c * length) * rate_(begin + c * length));
    return panel;
  }

  static double size_of(const Panel& panel) {
    double size = 0;
    for (const double value : panel.values) size = std::max(size, std::abs(value));
    return size;
  }

  /// Returns whether the polynomial of a panel has the values of a half of it.
  [[nodiscard]] bool has(const Panel& whole, const Panel& half, double from) const {
    const double size = std::max({size_, size_of(whole), size_of(half)});
    const double factor = std::exp(growth_ * from * whole.length);
    for (std::size_t i = 0; i < half.values.size(); ++i) {
      const double x = from + gauss().c[static_cast<Eigen::Index>(i)] / 2;
      if (!(std::abs(factor * polynomial(whole, x) - half.values[i]) <= same * size)) return false;
    }
    return true;
  }

  bool add(const Panel& panel, int halvings) {
    if (!std::isfinite(size_of(panel)) || panels_.size() == most_panels) return false;
    const double half = panel.length / 2;
    const Panel first = sampled(panel.begin, half);
    const Panel second = sampled(panel.begin + half, half);
    if (halvings == most_halvings || (has(panel, first, 0) && has(panel, second, 0.5))) {
      panels_.push_back(panel);
      return true;
    }
    return add(first, halvings + 1) && add(second, halvings + 1);
  }

  std::function<double(double)> rate_;
  double growth_;
  double duration_;
  double size_ = 0;
  std::vector<Panel> panels_;
};

/// Returns the panel that contains a time.
const Panel& panel_at(const std::vector<Panel>& panels, double passed) {
  const auto after = std::upper_bound(panels.begin() + 1, panels.end(), passed,
                                      [](double time, const Panel& panel) { return time < panel.begin; });
  return *(after - 1);
}

}  // namespace

double PathIndependentCost::at(double passed) const {
  if (!panels_) return growth_ == 0 ? rate_ * passed : rate_ * std::expm1(growth_ * passed) / growth_;
  const Panel& panel = panel_at(*panels_, passed);
  const double since = passed - panel.begin;
  double sum = 0;
  for (Eigen::Index i = 0; i < gauss().c.size(); ++i)
    sum += gauss().b[i] * polynomial(panel, gauss().c[i] * since / panel.length);
  return std::exp(growth_ * since) * (panel.off + since * sum);
}

double PathIndependentCost::rate_at(double passed) const {
  if (!panels_) return rate_ * std::exp(growth_ * passed);
  const Panel& panel = panel_at(*panels_, passed);
  const double since = passed - panel.begin;
  return std::exp(growth_ * since) * polynomial(panel, since / panel.length) + growth_ * at(passed);
}

PathIndependentCost take_path_independent_cost(const control::Problem& problem, control::FirstOrder& form) {
  control::FirstOrder without = form;
  const auto terms = control::take_path_independent_terms(problem, without);
  if (!terms) return {};
  const auto& system = problem.system;
  std::vector<control::Expr> symbols;
  Values values;
  for (const auto& parameter : system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const auto value = [&](const control::Expr& of) { return symbolic::evaluate(of, symbols, values); };
  if (!symbolic::depends_on(terms->rate, system.t)) {
    const double rate = value(terms->rate);
    if (!std::isfinite(rate)) return {};
    form = std::move(without);
    return {rate, terms->growth};
  }
  const auto start = problem.boundary.initial.find(system.t.name());
  const double t0 = start == problem.boundary.initial.end() ? 0 : value(start->second);
  const double duration = value(*problem.boundary.duration);
  if (!(duration > 0)) return {};
  symbols.push_back(system.t);
  values.push_back(t0);
  symbolic::Evaluation rate(std::span(&terms->rate, 1), symbols);
  const auto rate_at = [&](double passed) {
    values.back() = t0 + passed;
    return rate(values).front();
  };
  auto panels = Panels(rate_at, terms->growth, duration).make();
  if (!panels) return {};
  form = std::move(without);
  return {std::move(*panels), terms->growth};
}

}  // namespace herglotz::solve
