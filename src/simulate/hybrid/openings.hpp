#pragma once
/// Contacts that open so slowly that the inaccuracy of their gaps hides it.

#include <cstddef>
#include <map>
#include <set>

#include "herglotz/integrate/integrate.hpp"
#include "hybrid/accumulation.hpp"

namespace herglotz::simulate {

/// Contacts that have opened and were not hit since. Where the force of a contact falls to 0 its gap begins to open
/// with the third power of time, and for a while the tolerance of the run, or rounding in many short steps, decides its
/// sign. An impact there is none, and the gap counts as open down to its inaccuracy from then on.
class Openings {
 public:
  explicit Openings(const integrate::Settings& settings);

  void open(std::size_t impact, double t) { opened_[impact] = t; }
  /// Forgets a contact that is closed or hit.
  void forget(std::size_t impact);
  /// Returns whether an impact at time t is none: it ends a hop from the opening that is lower than the inaccuracy of
  /// the gap. The contact is a hidden one then. A hop with the acceleration a ends at the speed v = a T/2 behind the
  /// time T, and is v T/4 high.
  bool hide(const Landing& landing, double t);
  /// Returns whether an impact has been hidden.
  [[nodiscard]] bool is_hidden(std::size_t impact) const { return hidden_.contains(impact); }
  /// Returns the inaccuracy of a gap whose terms have this size; it is not 0.
  [[nodiscard]] double inaccuracy(double size) const;

 private:
  double share_;
  std::map<std::size_t, double> opened_;  // by impact, and when
  std::set<std::size_t> hidden_;
};

}  // namespace herglotz::simulate
