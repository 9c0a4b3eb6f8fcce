#include "hybrid/booking.hpp"

#include <numeric>

namespace herglotz::simulate {

void book_impact(Carried& carried, const std::string& name, const Strike& found, const Drives& drives,
                 std::span<const double> sections, const Quantities& quantities) {
  if (!found.moved) return;
  carried.totals["work." + name] += found.friction_work;
  carried.totals["loss." + name] += found.loss;
  for (const auto& [surface, drive] : drives) carried.totals["drive." + surface] += drive;
  const std::size_t r = found.impulse.size();
  for (std::size_t k = 0; k < carried.budgets.size(); ++k) {
    if (k == 0) {
      carried.budgets[k] += found.friction_work - found.loss;
      for (const auto& [surface, drive] : drives) carried.budgets[k] += drive;
    } else if (k * r <= sections.size()) {
      const auto section = sections.subspan((k - 1) * r, r);
      carried.budgets[k] += std::inner_product(section.begin(), section.end(), found.impulse.begin(), 0.0);
    } else {
      carried.budgets[k] += quantities.after[k] - quantities.before[k];
    }
  }
}

void book_change(Carried& carried, const std::string& name, const Quantities& quantities) {
  carried.totals["loss." + name] += quantities.before[0] - quantities.after[0];
  for (std::size_t k = 0; k < carried.budgets.size(); ++k)
    carried.budgets[k] += quantities.after[k] - quantities.before[k];
}

}  // namespace herglotz::simulate
