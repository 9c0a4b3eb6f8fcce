#include <algorithm>
#include <cmath>

#include "herglotz/optimise/minimise.hpp"

namespace herglotz::optimise {

Violation largest_violation(Nlp& nlp, const std::vector<double>& x) {
  std::vector<double> g(nlp.g_lower().size());
  nlp.constraints(x, g);
  Violation worst{0, g.size()};
  for (std::size_t j = 0; j < g.size(); ++j) {
    const double size = std::max(nlp.g_lower()[j] - g[j], g[j] - nlp.g_upper()[j]);
    if (!(size <= worst.size)) worst = {std::isfinite(size) ? size : infinity, j};
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = std::max(nlp.lower()[i] - x[i], x[i] - nlp.upper()[i]);
    if (!(size <= worst.size)) worst = {std::isfinite(size) ? size : infinity, g.size()};
  }
  return worst;
}

std::optional<std::size_t> undefined_constraint(Nlp& nlp, const std::vector<double>& x) {
  std::vector<double> g(nlp.g_lower().size());
  nlp.constraints(x, g);
  for (std::size_t j = 0; j < g.size(); ++j)
    if (!std::isfinite(g[j])) return j;
  const Places& places = nlp.jacobian_places();
  std::vector<double> entries(places.size());
  nlp.jacobian(x, entries);
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (!std::isfinite(entries[k])) return static_cast<std::size_t>(places.row[k]);
  return std::nullopt;
}

std::vector<LagrangeSlope> lagrange_slopes(Nlp& nlp, const PrimalDualPoint& at,
                                           const std::vector<std::size_t>& unknowns) {
  std::vector<LagrangeSlope> all(at.x.size());
  const auto add = [&](std::size_t unknown, double term) {
    all[unknown].value += term;
    all[unknown].size += std::abs(term);
  };
  std::vector<double> gradient(at.x.size());
  nlp.gradient(at.x, gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i) add(i, gradient[i]);
  const Places& places = nlp.jacobian_places();
  std::vector<double> entries(places.size());
  nlp.jacobian(at.x, entries);
  for (std::size_t k = 0; k < entries.size(); ++k)
    add(static_cast<std::size_t>(places.col[k]), entries[k] * at.mu[static_cast<std::size_t>(places.row[k])]);
  std::vector<LagrangeSlope> result;
  for (const std::size_t unknown : unknowns) result.push_back(all[unknown]);
  return result;
}

double stationarity(Nlp& nlp, const PrimalDualPoint& at) {
  std::vector<double> gradient(at.x.size());
  nlp.gradient(at.x, gradient);
  const Places& places = nlp.jacobian_places();
  std::vector<double> entries(places.size());
  nlp.jacobian(at.x, entries);
  for (std::size_t k = 0; k < entries.size(); ++k)
    gradient[static_cast<std::size_t>(places.col[k])] += entries[k] * at.mu[static_cast<std::size_t>(places.row[k])];
  double worst = 0;
  double total = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (nlp.lower()[i] < nlp.upper()[i])
      worst = std::max(worst, std::abs(gradient[i] - at.at_lower[i] + at.at_upper[i]));
  }
  for (const double mu : at.mu) total += std::abs(mu);
  const double mean = at.mu.empty() ? 0 : total / static_cast<double>(at.mu.size());
  return worst / std::max(1.0, mean);
}

}  // namespace herglotz::optimise
