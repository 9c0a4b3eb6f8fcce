#include "herglotz/analyse/run_facts.hpp"

namespace herglotz::analyse {

std::vector<std::pair<std::string, double>> largest_residuals(const RunFacts& facts) {
  std::vector<std::pair<std::string, double>> all{{"energy_residual", facts.largest_energy_residual}};
  for (const auto& [name, largest] : facts.largest_momentum_residuals)
    all.emplace_back("momentum_residual." + name, largest);
  for (const auto& [name, largest] : facts.largest_dissipated_residuals)
    all.emplace_back("dissipated_residual." + name, largest);
  return all;
}

}  // namespace herglotz::analyse
