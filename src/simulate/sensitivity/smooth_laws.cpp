#include "sensitivity/smooth_laws.hpp"

#include <algorithm>
#include <utility>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {

const SmoothLaw& SmoothLaws::law(const std::vector<bool>& slides) {
  const bool held = std::find(slides.begin(), slides.end(), true) != slides.end();
  const std::vector<bool> key = held ? slides : std::vector<bool>{};
  if (const auto known = laws_.find(key); known != laws_.end()) return known->second;
  mechanics::SwitchedSystem switched = held ? mechanics::held(*switched_, slides) : *switched_;
  Simulator simulator(switched.system);
  auto events = compile::compile(mechanics::events_program(simulator.system(), simulator.equations()), {});
  return laws_.emplace(key, SmoothLaw{std::move(switched), std::move(simulator), std::move(events)}).first->second;
}

}  // namespace herglotz::simulate
