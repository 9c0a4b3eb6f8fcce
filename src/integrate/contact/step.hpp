#pragma once
/// Steps of symplectic partitioned Runge-Kutta methods of the homogeneous lift, of one run or of one in every lane.

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "contact/equations.hpp"
#include "contact/history.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/action_size.hpp"
#include "motion/direct_projection.hpp"
#include "numerics/compensated.hpp"
#include "numerics/newton.hpp"

namespace herglotz::integrate {

/// Steps from (x0, p0, z0), whose stages solve StageEquations by a simplified Newton iteration to round-off. The step
/// ends with the weights b_i in place of a_ij, and p1 = (..)/R1. The budgets are g1 = (g0 + h sum b_i R_i source_i)/R1.
/// Every lane has its own convergence, Jacobian and history; all lanes take steps of the same times. The iteration is
/// not that of newton.hpp, since it measures each update twice: beside the whole state, and groups of unknowns that are
/// far smaller beside themselves.
template <class P, int S, int Size>
class ContactStep {
 public:
  using M = MaskOf<P>;

  /// Keeps a factorisation while Newton's method converges in `kept` iterations.
  ContactStep(const Dynamics& dynamics, const double* parameters, const Tableau<S>& tableau, int kept)
      : dynamics_(&dynamics),
        equations_(dynamics, parameters, tableau),
        layout_(dynamics),
        laws_(dynamics.laws),
        kept_(kept),
        history_(layout_, S * layout_.size, 1 - tableau.c[S - 1]),
        projection_(dynamics, parameters) {
    state_.resize(layout_.base + 1 + laws_);
    last_state_.resize(layout_.size);
    increments_.resize(state_size());
    moves_.resize(state_size());
    correction_.resize(layout_.r);
  }

  /// Returns the number of entries of (x, p, z, log factor, budgets).
  [[nodiscard]] std::size_t state_size() const { return layout_.base + 1 + laws_; }
  CompensatedSums<P>& state() { return state_; }
  [[nodiscard]] const CompensatedSums<P>& state() const { return state_; }
  /// Returns (x, w, z, l) with the last known w and l.
  P* last_state() { return last_state_.data(); }
  [[nodiscard]] bool velocity_known() const { return velocity_known_; }
  void velocity_known(bool known) { velocity_known_ = known; }
  [[nodiscard]] const StageEquations<P, S, Size>& equations() const { return equations_; }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }
  /// Returns results of the last step: the lanes in which Newton's method converged, and its last update in the others;
  /// the lanes in which the equations were not finite; the lanes in which R1 or an R_i was not positive, and R1.
  [[nodiscard]] M converged() const { return converged_; }
  [[nodiscard]] P last_update() const { return last_update_; }
  [[nodiscard]] M not_finite() const { return not_finite_; }
  [[nodiscard]] M refused() const { return refused_; }
  [[nodiscard]] P factor() const { return factor_; }

  /// Forgets everything but state and last state.
  void forget() {
    history_.forget(all());
    factorised_ = !all();
    h_ = 0;
  }
  /// Takes over the state of another stepper.
  void follow(const ContactStep& leader) {
    state_ = leader.state_;
    last_state_ = leader.last_state_;
    velocity_known_ = leader.velocity_known_;
    forget();
  }

  /// Makes one step from t to t + h in some lanes. Returns the lanes in which it succeeded; the state of the others is
  /// lost.
  M step(double t, double h, M lanes) {
    if (h != h_) forget();
    h_ = h;
    not_finite_ = !all();
    history_.predict(equations_.unknowns(), state_, last_state_);
    converged_ = solve(t, lanes);
    const M again = lanes & !converged_ & history_.some();
    if (any(again)) {
      // An extrapolated guess can leave the region of convergence if the motion bends sharply.
      history_.forget(again);
      factorised_ = factorised_ & !again;
      not_finite_ = not_finite_ & !again;
      history_.restart(again, equations_.unknowns(), state_, last_state_);
      converged_ = converged_ | solve(t, again);
    }
    const bool turning_forces = dynamics_->forces_use_velocity && !dynamics_->differential();
    if (const M rest = lanes & !converged_; turning_forces && any(rest)) {
      history_.forget(rest);
      not_finite_ = not_finite_ & !rest;
      history_.restart(rest, equations_.unknowns(), state_, last_state_);
      approach(t, rest);
      converged_ = converged_ | solve(t, rest);
    }
    if (!any(converged_)) return converged_;
    const M done = conclude(t) & converged_;
    if (!any(done)) return done;
    for (std::size_t k = 0; k < state_size(); ++k) state_.add(k, increments_[k]);
    history_.remember(equations_.unknowns());
    const P* const end = equations_.stage(S - 1);
    for (std::size_t j = layout_.n; j < layout_.size; ++j)
      if (!layout_.is_carried(j)) last_state_[j] = end[j];
    velocity_known_ = false;
    return done;
  }

  void take_positions() {
    for (std::size_t i = 0; i < layout_.base; ++i)
      if (layout_.is_carried(i)) last_state_[i] = state_[i];
  }
  /// Guesses w and l at the end of the last step; x and z are known there.
  void guess_end() {
    take_positions();
    history_.extrapolate(last_state_);
  }

  /// Returns whether ends of steps are to be moved onto the constraints.
  [[nodiscard]] bool projects() const {
    return layout_.m > 0 && (!dynamics_->differential() || dynamics_->positions > 0);
  }
  void begin_projection() {
    guess_end();
    // Stages are less exact than ends of steps, by nearly as much in this step as in the last one.
    const M known = history_.several();
    for (std::size_t a = 0; a < layout_.r; ++a) {
      P& w = last_state_[layout_.n + a];
      const P guess = w;
      w += select(known, correction_[a], P(0.0));
      correction_[a] = guess;
    }
  }
  /// Projects by straight-line code. Returns the lanes in which this succeeded.
  M project_directly(double t, M lanes) {
    return projection_(t, last_state_.data(), state_.data() + layout_.n, lanes, moves_.data());
  }
  /// Returns the increments of the state, to be written if project_directly() could not compute them. The increments of
  /// x and z only matter if there are velocity-free constraints, and the increments of p and the budgets if multipliers
  /// are algebraic.
  P* moves() { return moves_.data(); }
  void end_projection() {
    const auto take = [&](std::size_t i) { state_.add(i, moves_[i]); };
    if (dynamics_->positions > 0) {
      for (std::size_t i = 0; i < layout_.n; ++i) take(i);
      if (dynamics_->position_uses_action) take(layout_.base - 1);
    }
    if (!dynamics_->differential()) {
      for (std::size_t a = 0; a < layout_.r; ++a) take(layout_.n + a);
      if (dynamics_->laws_use_multipliers)
        for (std::size_t k = 0; k < laws_; ++k) take(layout_.base + 1 + k);
    }
    take_positions();
    velocity_known_ = true;
    for (std::size_t a = 0; a < layout_.r; ++a) correction_[a] = last_state_[layout_.n + a] - correction_[a];
  }

 private:
  static constexpr double near_round_off = 1e3 * newton::epsilon;

  static M all() { return P(0.0) <= P(0.0); }

  /// Returns the largest |entry| of x, of w, of z and of l in the stages. An algebraic l acts through h l on the
  /// momenta.
  std::array<P, 4> group_sizes(const P* stages) const {
    std::array<P, 4> size{P(0.0), P(0.0), P(0.0), P(0.0)};
    const auto take = [](P entry, P& largest) { largest = larger(magnitude(entry), largest); };
    for (std::size_t i = 0; i < S; ++i) {
      const P* const V = stages + i * layout_.size;
      for (std::size_t k = 0; k < layout_.n; ++k) take(V[k], size[0]);
      for (std::size_t a = layout_.n; a < layout_.n + layout_.r; ++a) take(V[a], size[1]);
      take(V[layout_.base - 1], size[2]);
      for (std::size_t A = layout_.base; A < layout_.size; ++A) take(V[A], size[3]);
    }
    if (layout_.m > 0 && !dynamics_->differential()) size[3] *= P(h_ < 0 ? -h_ : h_);
    return size;
  }
  /// Computes the sizes by which updates are measured, once the first of them is known.
  void measure() {
    std::array<P, 4> size = group_sizes(equations_.unknowns().data());
    const std::array<P, 4> update = group_sizes(equations_.update());
    from_rest_ = update[1] > P(newton::beyond_guess) * size[1];
    short_ = P(h_ < 0 ? -h_ : h_) * size[1] < P(newton::beside_solution) * size[0];
    for (std::size_t g = 0; g < size.size(); ++g) size[g] = newton::size_of_guess(size[g], update[g]);
    set_sizes(size, all());
  }
  /// Sets the sizes in these lanes from those of x, w, z and l.
  void set_sizes(std::array<P, 4> size, M lanes) {
    for (std::size_t i = 0; i < S; ++i) size[2] = larger(magnitude(P(h_) * equations_.lagrangian(i)), size[2]);
    if (layout_.m > 0 && !dynamics_->differential()) raise_to_what_is_held(size);
    const P least = P(1e-6) * larger(larger(size[0], size[1]), larger(size[2], P(1e-290)));
    size[3] = larger(size[1], size[3]);
    for (std::size_t g = 0; g < size.size(); ++g) {
      put(lanes, inverse_size_[g], P(1.0) / larger(size[g], least));
      put(lanes, inverse_own_size_[g], P(1.0) / larger(size[g], P(1e-290)));
    }
  }
  /// Raises the sizes of x, w and z to a share of what the impulses h l of constraints would make of them without the
  /// forces that they hold: all that a body at rest has is the rounding of their sum.
  void raise_to_what_is_held(std::array<P, 4>& size) const {
    const auto& levers = equations_.levers();
    const P h(h_ < 0 ? -h_ : h_);
    const P velocity = P(cancelled_share) * levers.velocity * size[3];
    size[0] = larger(h * levers.way * velocity, size[0]);
    size[1] = larger(velocity, size[1]);
    size[2] = larger(h * velocity * levers.force * size[3], size[2]);
  }
  struct UpdateSize {
    P whole;  // beside the whole state: a group counts as at least 1e-6 of the largest one
    P own;    // of each group beside itself: the action of a motion that comes to rest is the square of its velocities
  };
  UpdateSize update_size() const {
    const std::array<P, 4> size = group_sizes(equations_.update());
    UpdateSize largest{P(0.0), P(0.0)};
    for (std::size_t g = 0; g < size.size(); ++g) {
      largest.whole = larger(size[g] * inverse_size_[g], largest.whole);
      largest.own = larger(size[g] * inverse_own_size_[g], largest.own);
    }
    return largest;
  }

  /// Iterates until the kernels have been evaluated at stages correct to round-off. A group far smaller than the state
  /// goes on until it is correct to its own digits, or to what rounding leaves of them. Returns the lanes in which that
  /// is reached.
  M solve(double t, M active) {
    P previous(std::numeric_limits<double>::infinity());
    P previous_own = previous;
    P before_previous_own = previous;
    P since_factorised(0.0);
    M fresh = !all();
    M last = !all();
    M near = !all();
    M outgrown = !all();
    M solved = !all();
    const auto accept = [&](M lanes) {
      if (!any(lanes)) return;
      solved = solved | lanes;
      active = active & !lanes;
      factorised_ = factorised_ & !(lanes & (since_factorised > P(kept_)));
    };
    const auto fail = [&](M lanes, P size) {
      if (!any(lanes)) return;
      active = active & !lanes;
      last_update_ = select(lanes, size, last_update_);
      factorised_ = factorised_ & !lanes;
    };
    for (int iteration = 0; iteration < newton::most_iterations; ++iteration) {
      drop(equations_.evaluate(state_, t, h_), active);
      accept(active & last);
      const M missing = active & !factorised_;
      if (any(missing)) {
        drop(equations_.linearise(factorised_, t) | factorised_, active);
        factorised_ = factorised_ | missing;
        fresh = fresh | missing;
      }
      if (!any(active)) return solved;
      const M finite = equations_.solve();
      ++iterations_;
      since_factorised += P(1.0);
      fail(active & !finite, previous);
      if (iteration == 0) measure();
      const auto [size, own] = update_size();
      // Two updates of a small group: the first may only follow what rounding left of a large one.
      const M own_stalled = own >= P(0.5) * before_previous_own;
      near = size <= P(newton::converged);
      accept(active & near & ((own <= P(newton::converged)) | own_stalled));
      const M stalled = active & !near & (size >= previous);
      if (any(stalled)) {
        // A factorisation of earlier steps can also stall well above round-off.
        const P round_off = select(fresh, P(newton::round_off), P(near_round_off));
        const M rounded = stalled & (previous <= round_off);
        accept(rounded & ((previous_own <= round_off) | own_stalled));
        fail(active & stalled & !rounded & fresh & (since_factorised > P(2.0)) & (size > P(2.0) * previous), size);
        factorised_ = factorised_ & !(active & stalled);
        since_factorised = select(stalled, P(0.0), since_factorised);
      }
      // A matrix that was made at rest gives forces that follow the direction of a velocity, as friction in a plane
      // does, a wrong direction, and updates hardly fall with it. Elsewhere updates may be slow for a while.
      const M patient = (since_factorised > P(newton::patience)) & (short_ | (size < P(newton::beside_solution)));
      const M slow = active & (from_rest_ | patient) & !stalled & !near & (size > P(newton::slow) * previous);
      factorised_ = factorised_ & !slow;
      since_factorised = select(slow, P(0.0), since_factorised);
      if (!any(active)) return solved;
      subtract(active);
      // A guess that is nothing beside the solution, as where a pulse begins far below the state, gives no scale for
      // what follows: the iterates do, each for the next update, so that one that shoots too far is forgotten.
      outgrown = outgrown | (active & (size > P(newton::beyond_guess)));
      if (any(outgrown)) set_sizes(group_sizes(equations_.unknowns().data()), outgrown);
      const P next(iteration > 0 ? 0.5 * newton::epsilon : -1.0);
      last = (size * (size / previous) <= next) & ((own * (own / previous_own) <= next) | own_stalled);
      previous = size;
      before_previous_own = previous_own;
      previous_own = own;
    }
    accept(active & near);
    fail(active, previous);
    return solved;
  }
  /// Goes from the guess towards the solution by halves of Newton's updates. Friction in a plane turns a slip that
  /// hardly grows from rest by more than the slip in one step, and whole updates throw it from side to side.
  void approach(double t, M lanes) {
    constexpr int updates = 16;
    factorised_ = factorised_ & !lanes;
    for (int k = 0; k < updates && any(lanes); ++k) {
      lanes = lanes & equations_.evaluate(state_, t, h_);
      lanes = lanes & equations_.linearise(factorised_, t);
      lanes = lanes & equations_.solve();
      subtract(lanes, 0.5);
    }
  }
  void drop(M finite, M& active) {
    const M lost = active & !finite;
    if (!any(lost)) return;
    not_finite_ = not_finite_ | lost;
    active = active & !lost;
  }
  void subtract(M lanes, double share = 1) {
    std::vector<P>& unknowns = equations_.unknowns();
    const P* const update = equations_.update();
    for (std::size_t k = 0; k < equations_.count(); ++k) put(lanes, unknowns[k], unknowns[k] - P(share) * update[k]);
  }

  /// Computes the increments of the state from the stages. Returns the lanes in which they are finite and R is
  /// positive.
  M conclude(double t) {
    const std::size_t n = layout_.n;
    const std::size_t r = layout_.r;
    const auto& b = equations_.tableau().b;
    P one_minus_R(0.0);
    for (std::size_t i = 0; i < S; ++i) one_minus_R += P(h_ * b[i]) * equations_.factor(i) * equations_.rate(i);
    const P R = P(1.0) - one_minus_R;
    M good = R > P(0.0);
    for (std::size_t i = 0; i < S; ++i) good = good & (equations_.factor(i) > P(0.0));
    factor_ = R;
    refused_ = !good;
    for (P& increment : increments_) increment = P(0.0);
    for (std::size_t i = 0; i < S; ++i) {
      const P hb(h_ * b[i]);
      const P hbR = hb * equations_.factor(i);
      const P* const o = equations_.out(i);
      for (std::size_t k = 0; k < n; ++k) increments_[k] += hb * o[k];
      for (std::size_t a = 0; a < r; ++a) increments_[n + a] += hbR * o[n + r + a];
      increments_[layout_.base - 1] += hb * equations_.lagrangian(i);
      if (laws_ == 0) continue;
      const P* const balance = equations_.balance(i, t);
      for (std::size_t k = 0; k < laws_; ++k)
        increments_[layout_.base + 1 + k] += hbR * balance[BalanceOutputs::source(k)];
    }
    const auto discount = [&](std::size_t at) { return (increments_[at] + state_[at] * one_minus_R) / R; };
    for (std::size_t a = n; a < n + r; ++a) increments_[a] = discount(a);
    for (std::size_t k = 0; k < laws_; ++k) increments_[layout_.base + 1 + k] = discount(layout_.base + 1 + k);
    increments_[layout_.base] = log_one_plus(-one_minus_R);
    return good & finite_numbers(increments_.data(), increments_.size());
  }

  const Dynamics* dynamics_;
  StageEquations<P, S, Size> equations_;
  StageLayout layout_;
  std::size_t laws_;
  double kept_;
  StageHistory<P> history_;
  DirectProjection<P> projection_;
  double h_ = 0;
  CompensatedSums<P> state_;    // x, p, z, log factor, budgets
  std::vector<P> last_state_;   // (x, w, z, l) with the last known w and l
  bool velocity_known_ = true;  // true if w and l belong to the end of the last step
  std::vector<P> increments_;
  std::vector<P> moves_;
  std::vector<P> correction_;  // of the guessed velocity at the end of the last step
  M factorised_ = !all();
  M not_finite_ = !all();
  M from_rest_ = !all();  // lanes whose guess of the velocities is nothing beside the first update
  M short_ = !all();      // lanes that hardly move in the step, whose solution is the one beside the guess
  M converged_ = !all();
  M refused_ = !all();
  std::array<P, 4> inverse_size_{};
  std::array<P, 4> inverse_own_size_{};
  P factor_{};
  P last_update_{};
  std::size_t iterations_ = 0;
};

}  // namespace herglotz::integrate
