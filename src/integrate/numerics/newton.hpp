#pragma once
/// Newton's iteration of an implicit step to round-off, for one run or for one in every lane.

#include <cstddef>
#include <limits>
#include <vector>

#include "numerics/pack.hpp"

namespace herglotz::integrate {

namespace newton {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double converged = 4 * epsilon;
/// Size below which updates that stop falling count as round-off, and above which they count as divergence.
inline constexpr double round_off = 1e-9;
inline constexpr int most_iterations = 60;
/// Relative size of an update above which the guess says nothing of the size of the solution.
inline constexpr double beyond_guess = 0x1p20;

/// Ratio of successive updates above which they hardly fall, and the number of iterations with one matrix after which
/// such updates are a reason to renew it: friction in a plane turns a slow slip in less than a step, and a matrix of
/// the guess then says little of the solution.
inline constexpr double slow = 0.5;
inline constexpr double patience = 16;
/// Relative size of an update, and of the way of a step, below which the solution is the one beside the guess. Larger
/// ones that are slow are those of a step that is too large, which a new matrix may lead to the solution of another
/// motion.
inline constexpr double beside_solution = 0.05;

/// Returns the size of unknowns: that of their guess, or that of their first update if the guess is 0, as for a body
/// that begins to fall from rest at the origin.
template <class P>
P size_of_guess(P guess, P update) {
  return select(guess > P(0.0), guess, update);
}

}  // namespace newton

/// Rules by which Newton's iteration ends, and by which its matrix is kept. Sizes of updates are relative; an update
/// that is not less than the update before it has stopped falling.
struct NewtonRules {
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr double no_forecast = -1;

  /// Number of iterations with one matrix up to which the matrix is kept for the next step.
  double kept_iterations = never;
  /// Ratio of successive updates above which the matrix is not used again.
  double kept_contraction = never;
  /// Number of iterations with one matrix after which an update of more than twice the size of the update before it is
  /// divergence; for lanes that take a new matrix in each iteration, the number of all iterations.
  double settling = 2;
  double settling_of_fresh = never;
  /// An update is the last one if the next one is expected to be at most of this size.
  double last_update = 0.5 * newton::epsilon;
  /// Updates fall quadratically: their ratio, too, falls from one to the next.
  bool quadratic = false;
  /// The first update may be round-off.
  bool first_may_converge = true;
  /// The last update is made, and the equations are not evaluated again. Otherwise the iteration ends with an
  /// evaluation at the solution, whose numbers the step goes on with.
  bool moves_last = false;
};

/// Parts of a system of equations that most systems do not need.
template <class P>
struct NewtonDefaults {
  /// Called once, after the first update is computed, before its size is asked for.
  void measure() {}
  /// Returns the lanes in which an update that is round-off ends the iteration.
  MaskOf<P> confirms() { return P(0.0) <= P(0.0); }
};

/// Newton's iteration u <- u - A^-1 F(u), with a matrix A of this iteration or of an earlier one. Every lane has its
/// own convergence and its own matrix, so that a single run has the bits of a lane.
///
/// A System, derived from NewtonDefaults, has the equations:
///   M evaluate(M active)     computes F(u), and returns the lanes in which it is finite;
///   M linearise(M lanes)     computes and factorises A at u in these lanes, and returns the lanes in which it is
///   sound; M solve(M active)        computes the update A^-1 F, and returns the lanes in which it is finite; P
///   update_size()          returns the relative size of the update; std::vector<P>& unknowns(), const P* update(),
///   std::size_t count()   give u, the update, and its length.
/// Only numbers of active lanes mean something, and only active lanes move.
template <class P>
class Newton {
 public:
  using M = MaskOf<P>;

  explicit Newton(const NewtonRules& rules) : rules_(rules) {}

  /// Iterates in the lanes `active`. `factorised` are the lanes whose matrix may be used; the iteration keeps account
  /// of them. The lanes `carefully` take a new matrix in each iteration. Returns the lanes in which the solution is
  /// correct to round-off.
  template <class System>
  M operator()(System& system, M active, M& factorised, M carefully) {
    P previous(std::numeric_limits<double>::infinity());
    P fall(1.0);
    P since_factorised(0.0);
    M fresh = none();
    M last = none();
    M solved = none();
    M from_rest = none();
    const auto accept = [&](M lanes) {
      if (!any(lanes)) return;
      solved = solved | lanes;
      active = active & !lanes;
      factorised = factorised & !(lanes & (since_factorised > P(rules_.kept_iterations)));
    };
    const auto fail = [&](M lanes, P size) {
      if (!any(lanes)) return;
      active = active & !lanes;
      last_update_ = select(lanes, size, last_update_);
      factorised = factorised & !lanes;
    };
    for (int iteration = 0; iteration < newton::most_iterations; ++iteration) {
      const bool first = iteration == 0;
      fail(active & !system.evaluate(active), previous);
      if (any(active & last)) accept(active & last & system.confirms());
      if (const M missing = active & (carefully | !factorised); any(missing)) {
        const M sound = system.linearise(missing);
        factorised = factorised | missing;
        fresh = fresh | missing;
        since_factorised = select(missing, P(0.0), since_factorised);
        fail(missing & !sound, previous);
      }
      if (!any(active)) return solved;
      const M finite = system.solve(active);
      ++iterations_;
      since_factorised += P(1.0);
      fail(active & !finite, previous);
      if (first) system.measure();
      const P size = system.update_size();
      // A matrix of a guess that is nothing beside the solution says little: at rest, forces such as friction in a
      // plane have no direction.
      if (first) from_rest = size > P(newton::beyond_guess);
      if (rules_.moves_last) subtract(system, active);
      const bool may_converge = !first || rules_.first_may_converge;
      if (const M small = active & (size <= P(may_converge ? newton::converged : -1.0)); any(small))
        accept(confirmed(system, small, fresh));
      if (M stalled = active & (size >= previous); any(stalled)) {
        const M round_off = previous <= P(newton::round_off);
        accept(confirmed(system, stalled & round_off, fresh));
        stalled = stalled & active;
        const M renewed = carefully | from_rest;
        const P settling = select(renewed, P(rules_.settling_of_fresh), P(rules_.settling));
        const P tries = select(renewed, P(iteration + 1.0), since_factorised);
        fail(stalled & fresh & (tries > settling) & (size > P(2.0) * previous), size);
        factorised = factorised & !stalled;
      }
      const M patient = (since_factorised > P(newton::patience)) & (size < P(newton::beside_solution));
      const M slow = (from_rest | patient) & (size > P(newton::slow) * previous);
      factorised = factorised & !(active & slow);
      if (!any(active)) return solved;
      if (!rules_.moves_last) subtract(system, active);
      fall = size / previous;
      const P next = rules_.quadratic ? size * fall * fall : size * fall;
      // An update larger than what it changes, such as a guess of no size, forecasts nothing.
      const M forecasts = previous <= P(1.0);
      last = forecasts & (next <= P(first ? -1.0 : rules_.last_update));
      if (rules_.moves_last) {
        accept(active & last);
        if (!any(active)) return solved;
      }
      if (!first) factorised = factorised & !(active & (size > P(rules_.kept_contraction) * previous));
      previous = size;
    }
    // Where directions nearly are undetermined, as those of slips that begin, updates below round-off may fall as a
    // geometric series that does not end: what is left of it is below round-off too.
    const M negligible = active & (fall < P(1.0)) & (previous * fall <= P(newton::round_off) * (P(1.0) - fall));
    if (any(negligible))
      accept(rules_.moves_last ? negligible : negligible & system.evaluate(active) & system.confirms());
    fail(active, previous);
    return solved;
  }

  /// Returns the last update in lanes in which the last iteration failed.
  [[nodiscard]] P last_update() const { return last_update_; }
  /// Returns the number of all iterations so far.
  [[nodiscard]] std::size_t iterations() const { return iterations_; }

 private:
  static M none() { return P(0.0) > P(0.0); }

  template <class System>
  static M confirmed(System& system, M lanes, M fresh) {
    return any(lanes & !fresh) ? lanes & (fresh | system.confirms()) : lanes;
  }
  template <class System>
  static void subtract(System& system, M lanes) {
    std::vector<P>& unknowns = system.unknowns();
    const P* const update = system.update();
    for (std::size_t k = 0; k < system.count(); ++k) put(lanes, unknowns[k], unknowns[k] - update[k]);
  }

  NewtonRules rules_;
  P last_update_ = P(0.0);
  std::size_t iterations_ = 0;
};

}  // namespace herglotz::integrate
