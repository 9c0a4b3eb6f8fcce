#pragma once
/// One symmetric step of order 2 of the discrete Hamilton-Pontryagin-Herglotz equations on an action groupoid, of one
/// run or of one in every lane.

#include <cstddef>
#include <span>
#include <vector>

#include "groupoid/equations.hpp"
#include "numerics/extrapolation.hpp"
#include "numerics/newton.hpp"

namespace herglotz::integrate {

/// Solver of GroupoidEquations by a simplified Newton iteration to round-off. The step ends with
///   (1 - h/2 l_z,1) mu1 = Ad*_tau(v) M + (h/2) f_1 + (1/2) Phi_xi,1^T kappa',
/// and kappa' such that Phi = 0 at (x1, mu1, z1, t1). Exchanging the ends and h with -h changes nothing. Without forces
/// and constraints d z1 - mu1 = sigma (d z0 - mu0) on the groupoid, with sigma = (1 + h/2 l_z,0)/(1 - h/2 l_z,1). The
/// increment mu1 - mu0 = (ad_v^T D^-T M + ..)/(1 - h/2 l_z,1) has no leading part that could lose digits. Every lane
/// has its own convergence, Jacobian and guesses; all lanes take steps of the same times.
template <class P>
class GroupoidStep {
 public:
  using M = MaskOf<P>;

  /// Increments of x (n), mu (r) and z by a step, and the numbers that the balance laws need.
  struct Result {
    std::vector<P> x;
    std::vector<P> rounded;  ///< the part that rounding took from x
    std::vector<P> mu;
    P z{};
    P rate0{};  ///< l_z at both ends
    P rate1{};
    P log_sigma{};
  };

  /// Prepares steps of these fractions of a method's step, which come in turn. Guesses are remembered for each
  /// fraction.
  GroupoidStep(const Dynamics& dynamics, const double* parameters, RetractionKind kind,
               std::span<const double> fractions)
      : n_(dynamics.n),
        r_(dynamics.r),
        m_(dynamics.m),
        equations_(dynamics, parameters, kind),
        turning_forces_(equations_.forces_turn() || (dynamics.forces_use_velocity && !dynamics.differential())),
        end_(dynamics, parameters),
        slots_(fractions.size()) {
    const std::size_t size = r_ + 1 + m_;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
      slots_[k].fraction = fractions[k];
      slots_[k].step.resize(size);
      slots_[k].end.resize(r_ + m_);
    }
    for (std::vector<P>* vector : {&total_, &moment_, &inner_, &target_, &xi_}) vector->assign(r_, P(0.0));
    for (std::vector<P>* vector : {&impulse_, &end_impulse_}) vector->assign(m_, P(0.0));
    update_.assign(size, P(0.0));
    for (std::vector<P>* vector : {&end_unknowns_, &end_residual_, &end_update_}) vector->assign(r_ + m_, P(0.0));
    transposed_.resize(r_);
    for (std::vector<P>* vector : {&result_.x, &result_.rounded}) vector->assign(n_, P(0.0));
    result_.mu.assign(r_, P(0.0));
  }

  /// Sets the group and its action of a lane.
  void take(int lane, const GroupStructure& group, const ActionNumbers& action) {
    equations_.take(lane, group, action);
  }
  /// Returns the xi (r) and the multipliers (m) to begin with.
  std::vector<P>& xi() { return xi_; }
  std::vector<P>& multipliers() { return end_impulse_; }
  /// Begins a run, after xi and multipliers have been set.
  void begin() {
    h_before_ = 1;
    forget();
  }
  /// Forgets all guesses, as if the step had changed.
  void forget() {
    for (Slot& slot : slots_)
      for (Memory* memory : {&slot.step, &slot.end}) memory->forget(all());
  }

  /// Makes the step of fraction `which` from t to t + h in some lanes; `state` is (x, mu, z, ..). Returns the lanes in
  /// which it succeeded.
  M operator()(std::size_t which, const CompensatedSums<P>& state, double t, double h, M lanes) {
    Slot& slot = slots_[which];
    if (slot.h != h) {
      slot.h = h;
      slot.step.forget(all());
      slot.end.forget(all());
    }
    fraction_ = slot.fraction;
    turned_ = lost_ = not_finite_ = refused_ = !all();
    equations_.begin(state, t, h);
    equations_.shorten(xi_.data());
    slot.step.history.extrapolate(equations_.unknowns());
    restart(!slot.step.history.more_than(0), state);
    M solved = solve(slot.step, !all(), lanes);
    // An extrapolated guess can leave the region of convergence if the motion bends sharply, and from any guess one
    // matrix for all iterations can: forces such as friction in a plane turn with the slip.
    const auto solve_again = [&](M again, Way way) {
      if (!any(again)) return;
      slot.step.forget(again);
      slot.end.forget(again);
      turned_ = turned_ & !again;
      lost_ = lost_ & !again;
      not_finite_ = not_finite_ & !again;
      restart(again, state);
      if (way == Way::by_halves) approach(slot.step, again);
      solved = (solved & !again) | solve(slot.step, again, again);
    };
    solve_again(lanes & !solved, Way::straight);
    if (const M short_steps = lanes & equations_.are_short(); any(short_steps)) {
      const M leaving = short_steps & !(solved & equations_.on_positions());
      equations_.lengthen(leaving);
      solve_again(leaving, Way::straight);
    }
    if (turning_forces_) solve_again(lanes & !solved, Way::by_halves);
    h_before_ = h;
    return any(solved) ? finish(slot, solved) : solved;
  }

  [[nodiscard]] const Result& result() const { return result_; }
  [[nodiscard]] const GroupoidStage<P>& first() const { return equations_.first(); }
  [[nodiscard]] const GroupoidStage<P>& second() const { return equations_.second(); }
  /// Returns the impulses kappa and kappa' (m); divided by h they are multipliers.
  [[nodiscard]] const std::vector<P>& impulse() const { return impulse_; }
  [[nodiscard]] const std::vector<P>& end_impulse() const { return end_impulse_; }
  /// Returns the best known xi at the end of the step.
  [[nodiscard]] const std::vector<P>& xi() const { return xi_; }
  [[nodiscard]] std::size_t iterations() const { return newton_.iterations() + end_newton_.iterations(); }

  /// Returns the lanes in which the last step failed. The causes are, in this order: the retraction was not a local
  /// diffeomorphism; the action could not be followed; the equations were not finite; sigma was not positive. In all
  /// other failed lanes Newton's method did not converge, with its last update.
  [[nodiscard]] M turned() const { return turned_; }
  [[nodiscard]] M lost() const { return lost_; }
  [[nodiscard]] M not_finite() const { return not_finite_; }
  [[nodiscard]] M refused() const { return refused_; }
  [[nodiscard]] P last_update() const { return last_update_; }
  /// Returns h of the last step, and the fraction of the method's step that it was.
  [[nodiscard]] double h() const { return equations_.h(); }
  [[nodiscard]] double fraction() const { return fraction_; }

 private:
  static constexpr NewtonRules rules{.kept_iterations = 4};
  static constexpr NewtonRules end_rules{.kept_contraction = 0.05,
                                         .settling = NewtonRules::never,
                                         .last_update = 0.25 * newton::epsilon,
                                         .moves_last = true};

  struct Memory {
    Extrapolation<P, 6> history;
    LaneLU<P, 0> matrix;
    M factorised = P(0.0) > P(0.0);

    void resize(std::size_t size) {
      history.resize(size);
      matrix.resize(size, size > 2);
    }
    void forget(M lanes) {
      history.forget(lanes);
      factorised = factorised & !lanes;
    }
  };
  struct Slot {
    double fraction = 1;
    double h = 0;
    Memory step;
    Memory end;
  };

  static M all() { return P(0.0) <= P(0.0); }
  static P largest(const P* entries, std::size_t count) {
    P size(0.0);
    for (std::size_t k = 0; k < count; ++k) size = larger(magnitude(entries[k]), size);
    return size;
  }

  void restart(M lanes, const CompensatedSums<P>& state) {
    if (!any(lanes)) return;
    std::vector<P>& unknowns = equations_.unknowns();
    for (std::size_t a = 0; a < r_; ++a) put(lanes, unknowns[a], xi_[a]);
    put(lanes, unknowns[r_], state[n_ + r_]);
    // Multipliers change less than impulses between steps of different sizes.
    const P ratio(equations_.h() / h_before_);
    for (std::size_t A = 0; A < m_; ++A) put(lanes, unknowns[r_ + 1 + A], end_impulse_[A] * ratio);
  }

  /// Returns the largest update of xi, z1 and kappa, each relative to the size of its unknowns.
  [[nodiscard]] P update_size() const {
    const std::vector<P>& unknowns = equations_.unknowns();
    const P xi = equations_.velocity_size(largest(unknowns.data(), r_));
    const P size = larger(largest(update_.data(), r_) / xi, magnitude(update_[r_]) / equations_.action_size());
    return m_ == 0 ? size : larger(size, largest(update_.data() + r_ + 1, m_) / equations_.impulse_size());
  }

  enum class Way { straight, by_halves };

  /// Goes from the guess towards the solution by halves of Newton's updates. Friction in a plane turns a slip that
  /// hardly grows from rest by more than the slip in one step, and whole updates throw it from side to side.
  void approach(Memory& memory, M lanes) {
    constexpr int updates = 16;
    Equations equations{{}, *this, memory.matrix};
    for (int k = 0; k < updates && any(lanes); ++k) {
      lanes = lanes & equations.evaluate(lanes) & equations.linearise(lanes) & equations.solve(lanes);
      for (std::size_t i = 0; i < update_.size(); ++i)
        put(lanes, equations_.unknowns()[i], equations_.unknowns()[i] - P(0.5) * update_[i]);
    }
    memory.factorised = memory.factorised & !lanes;
  }

  /// The equations of a step, for Newton's iteration.
  struct Equations : NewtonDefaults<P> {
    GroupoidStep& step;
    LaneLU<P, 0>& matrix;

    M evaluate(M active) {
      const M finite = step.equations_.evaluate();
      if (const M bad = active & !finite; any(bad)) step.note(bad);
      return finite;
    }
    M linearise(M lanes) {
      step.equations_.linearise(matrix);
      step.equations_.note_lever(lanes);
      matrix.compute(!lanes);
      return all();
    }
    M solve(M) {
      matrix.solve(step.equations_.residual(), step.update_.data());
      return finite_numbers(step.update_.data(), step.update_.size());
    }
    [[nodiscard]] P update_size() const { return step.update_size(); }
    std::vector<P>& unknowns() { return step.equations_.unknowns(); }
    [[nodiscard]] const P* update() const { return step.update_.data(); }
    [[nodiscard]] std::size_t count() const { return step.update_.size(); }
  };
  /// Notes why the equations are not finite in some lanes.
  void note(M bad) {
    turned_ = turned_ | (bad & equations_.turned());
    lost_ = lost_ | (bad & equations_.lost());
    not_finite_ = not_finite_ | (bad & !equations_.turned() & !equations_.lost());
  }

  /// Iterates until the kernels have been evaluated at a solution correct to round-off. Returns the lanes in which that
  /// is reached. Lanes in `carefully` take a new factorisation for each iteration.
  M solve(Memory& memory, M carefully, M active) {
    Equations equations{{}, *this, memory.matrix};
    const M solved = newton_(equations, active, memory.factorised, carefully);
    last_update_ = newton_.last_update();
    return solved;
  }

  /// Computes the result of the step from the solution. Returns the lanes in which the step succeeded.
  M finish(Slot& slot, M lanes) {
    const P half(equations_.h() / 2);
    const P before = half * first().L_z();
    const P after = half * second().L_z();
    const M positive = (P(1.0) + before > P(0.0)) & (P(1.0) - after > P(0.0));
    refused_ = lanes & !positive;
    lanes = lanes & positive;
    const std::vector<P>& unknowns = equations_.unknowns();
    for (std::size_t A = 0; A < m_; ++A) impulse_[A] = unknowns[r_ + 1 + A];
    find_moment(before);
    for (std::size_t a = 0; a < r_; ++a)
      total_[a] += (before + after) * equations_.mu0()[a] + half * second().force()[a];
    slot.step.history.remember(unknowns);
    for (std::size_t a = 0; a < r_; ++a) xi_[a] = unknowns[a];
    if (m_ > 0) {
      lanes = solve_end(slot.end, lanes);
      add_impulses(second(), end_impulse_);
    }
    result_.rate0 = first().L_z();
    result_.rate1 = second().L_z();
    result_.log_sigma = log_one_plus(before) - log_one_plus(-after);
    result_.z = equations_.dz();
    for (std::size_t a = 0; a < r_; ++a) result_.mu[a] = total_[a] / (P(1.0) - after);
    const M followed = equations_.displace();
    for (std::size_t i = 0; i < n_; ++i) {
      result_.x[i] = equations_.displacement()[i];
      result_.rounded[i] = equations_.rounded()[i];
    }
    const M finite = followed & finite_numbers(result_.mu.data(), r_) & is_finite(result_.z);
    not_finite_ = not_finite_ | (lanes & !finite);
    return lanes & finite;
  }
  /// Computes total = (1 - h/2 l_z,1) (mu1 - mu0) without the terms of the end.
  void find_moment(P before) {
    const P half(equations_.h() / 2);
    for (std::size_t a = 0; a < r_; ++a) total_[a] = half * first().force()[a];
    add_impulses(first(), impulse_);
    const Retraction<P>& retraction = equations_.retraction();
    if (retraction.trivial()) return;
    for (std::size_t a = 0; a < r_; ++a) {
      moment_[a] = (P(1.0) + before) * equations_.mu0()[a] + total_[a];  // M
      for (std::size_t b = 0; b < r_; ++b) transposed_.at(a, b) = retraction.inverse_differential()(b, a);
    }
    transposed_.compute();
    transposed_.solve(moment_.data(), inner_.data());
    multiply_transposed(retraction.ad(), inner_.data(), moment_.data());
    for (std::size_t a = 0; a < r_; ++a) total_[a] += moment_[a];
  }
  /// Adds (1/2) Phi_xi^T impulse to total.
  void add_impulses(const GroupoidStage<P>& stage, const std::vector<P>& impulse) {
    for (std::size_t A = 0; A < m_; ++A)
      for (std::size_t a = 0; a < r_; ++a) total_[a] += P(0.5) * stage.direction(A)[a] * impulse[A];
  }

  /// Solves (1 - h/2 l_z,1)(l_xi - mu0) = total + (1/2) Phi_xi,1^T kappa' and Phi = 0 for kappa' and the xi at the end.
  /// Returns the lanes in which this succeeded.
  M solve_end(Memory& memory, M lanes) {
    const P factor = P(1.0) - P(equations_.h() / 2) * second().L_z();
    for (std::size_t i = 0; i < n_; ++i) end_.x()[i] = second().x()[i];
    end_.set(second().z(), second().t());
    for (std::size_t a = 0; a < r_; ++a) target_[a] = total_[a] + factor * equations_.mu0()[a];
    const M predicted = memory.history.more_than(0);
    M solved = !all();
    if (any(lanes & predicted)) {
      memory.history.extrapolate(end_unknowns_);
      solved = iterate_end(memory, factor, !all(), lanes & predicted);
    }
    const M rest = lanes & !solved;
    if (any(rest)) {
      for (std::size_t a = 0; a < r_; ++a) put(rest, end_unknowns_[a], xi_[a]);
      for (std::size_t A = 0; A < m_; ++A) put(rest, end_unknowns_[r_ + A], impulse_[A]);
      solved = solved | iterate_end(memory, factor, predicted, rest);
    }
    memory.history.remember(end_unknowns_);
    for (std::size_t a = 0; a < r_; ++a) xi_[a] = end_unknowns_[a];
    for (std::size_t A = 0; A < m_; ++A) end_impulse_[A] = end_unknowns_[r_ + A];
    return solved;
  }
  /// The equations of the end of a step, for Newton's iteration.
  struct EndEquations : NewtonDefaults<P> {
    GroupoidStep& step;
    LaneLU<P, 0>& matrix;
    P factor;

    M evaluate(M) {
      for (std::size_t a = 0; a < step.r_; ++a) step.end_.xi()[a] = step.end_unknowns_[a];
      const M finite = step.end_.evaluate();
      step.fill_end_residual(factor);
      return finite;
    }
    M linearise(M lanes) {
      step.linearise_end(matrix, factor, lanes);
      return all();
    }
    M solve(M) {
      matrix.solve(step.end_residual_.data(), step.end_update_.data());
      return finite_numbers(step.end_update_.data(), step.end_update_.size());
    }
    [[nodiscard]] P update_size() const {
      return largest(step.end_update_.data(), step.r_) /
             step.equations_.velocity_size(largest(step.end_unknowns_.data(), step.r_),
                                           largest(step.end_unknowns_.data() + step.r_, step.m_));
    }
    std::vector<P>& unknowns() { return step.end_unknowns_; }
    [[nodiscard]] const P* update() const { return step.end_update_.data(); }
    [[nodiscard]] std::size_t count() const { return step.end_update_.size(); }
  };
  M iterate_end(Memory& memory, P factor, M carefully, M lanes) {
    EndEquations equations{{}, *this, memory.matrix, factor};
    const M solved = end_newton_(equations, lanes, memory.factorised, carefully);
    const M failed = lanes & !solved;
    memory.forget(failed);
    put(failed, last_update_, end_newton_.last_update());
    return solved;
  }
  void fill_end_residual(P factor) {
    for (std::size_t a = 0; a < r_; ++a) end_residual_[a] = factor * end_.mu()[a] - target_[a];
    for (std::size_t A = 0; A < m_; ++A) {
      for (std::size_t a = 0; a < r_; ++a)
        end_residual_[a] -= P(0.5) * second().direction(A)[a] * end_unknowns_[r_ + A];
      end_residual_[r_ + A] = end_.Phi()[A];
    }
  }
  void linearise_end(LaneLU<P, 0>& matrix, P factor, M lanes) {
    end_.differentiate();
    for (std::size_t b = 0; b < r_; ++b) {
      for (std::size_t a = 0; a < r_; ++a) matrix.at(a, b) = factor * end_.by_xi(a)[b];
      for (std::size_t A = 0; A < m_; ++A) {
        matrix.at(b, r_ + A) = P(-0.5) * second().direction(A)[b];
        matrix.at(r_ + A, b) = end_.by_xi(2 * r_ + 2 + A)[b];
      }
    }
    for (std::size_t A = 0; A < m_; ++A)
      for (std::size_t B = 0; B < m_; ++B) matrix.at(r_ + A, r_ + B) = P(0.0);
    matrix.compute(!lanes);
  }

  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  GroupoidEquations<P> equations_;
  bool turning_forces_;  // forces of constraints have directions that turn with xi
  GroupoidStage<P> end_;
  std::vector<Slot> slots_;
  double fraction_ = 1;
  double h_before_ = 1;
  std::vector<P> update_;
  std::vector<P> total_;
  std::vector<P> moment_;
  std::vector<P> inner_;
  SquareSystem<P> transposed_;
  std::vector<P> end_unknowns_;  // xi1, kappa'
  std::vector<P> end_residual_;
  std::vector<P> end_update_;
  std::vector<P> target_;
  std::vector<P> xi_;
  std::vector<P> impulse_;
  std::vector<P> end_impulse_;
  Result result_;
  M turned_ = P(0.0) > P(0.0);
  M lost_ = P(0.0) > P(0.0);
  M not_finite_ = P(0.0) > P(0.0);
  M refused_ = P(0.0) > P(0.0);
  P last_update_ = P(0.0);
  Newton<P> newton_{rules};
  Newton<P> end_newton_{end_rules};
};

}  // namespace herglotz::integrate
