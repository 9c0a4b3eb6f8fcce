#include "sensitivity/pieces/smooth_laws.hpp"

#include <algorithm>
#include <utility>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {

const SmoothLaw& SmoothLaws::law(const mechanics::Holds& holds) {
  const bool held = is_held(holds);
  const mechanics::Holds key = held ? holds : mechanics::Holds{};
  if (const auto known = laws_.find(key); known != laws_.end()) return known->second;
  mechanics::SwitchedSystem switched = held ? mechanics::held(*switched_, holds) : *switched_;
  Simulator simulator(switched.system);
  auto events = compile::compile(mechanics::events_program(simulator.system(), simulator.equations()), {});
  return laws_.emplace(key, SmoothLaw{std::move(switched), std::move(simulator), std::move(events)}).first->second;
}

}  // namespace herglotz::simulate
