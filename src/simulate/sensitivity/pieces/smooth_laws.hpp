#pragma once
/// Laws of motion along the smooth pieces of runs.

#include <map>
#include <optional>
#include <vector>

#include "herglotz/mechanics/events/switches.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The law of a piece, between switches of which some may hold the motion.
struct SmoothLaw {
  mechanics::SwitchedSystem switched;
  Simulator simulator;
  kernel::Kernel events;  ///< of events_program, also those of the switches
};

/// The laws of the smooth pieces of the runs of a system that has switches, which are derived and compiled when they
/// are asked for.
class SmoothLaws {
 public:
  /// `system` must outlive this.
  explicit SmoothLaws(const mechanics::System& system) : switched_(mechanics::switched(system)) {}

  /// Returns the system with its switches, or nullptr if it has none.
  [[nodiscard]] const mechanics::SwitchedSystem* switched() const { return switched_ ? &*switched_ : nullptr; }
  /// Returns the law of the motion that these switches hold, as constraints; none of them if `holds` is empty. Throws
  /// Refused if there is none.
  const SmoothLaw& law(const mechanics::Holds& holds);

 private:
  std::optional<mechanics::SwitchedSystem> switched_;
  std::map<mechanics::Holds, SmoothLaw> laws_;
};

}  // namespace herglotz::simulate
