#pragma once
/// Discrete gradient in the homogeneous lift: steps that obey the energy law to round-off, on every algebroid, of one
/// run or of one in every lane.

#include <array>
#include <cstddef>
#include <vector>

#include "energy/equations.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/action_size.hpp"
#include "numerics/extrapolation.hpp"
#include "numerics/newton.hpp"

namespace herglotz::integrate {

/// Rules of single steps by EnergyStep, for steps in which forces change the velocities by much.
struct EnergyRules {
  bool fresh_matrices = false;  ///< a new matrix for each iteration: velocities may change their signs
  /// True if the gradient is corrected. Else alpha is 0, and a step succeeds if the middle alone obeys the energy law
  /// to a small share of the largest term of the energy so far: a correction is lost in rounding where it acts on
  /// coordinates and masses of very different sizes.
  bool corrects = true;
  /// A velocity that forces of the step give and others take away, as at rest on a floor: rounding is that of these
  /// terms, so that updates are measured by it too.
  double balanced_speed = 0;
};

/// Solver of EnergyEquations by a simplified Newton iteration of the system bordered by the energy law. A step of the
/// method is one such step for each of the fractions, which add up to 1. The energy that is carried follows from the
/// law since the start of the run, so that rounding does not add up. Every lane has its own convergence, Jacobian and
/// guesses.
template <class P>
class EnergyStep {
 public:
  using M = MaskOf<P>;

  EnergyStep(const Dynamics& dynamics, const double* parameters, std::span<const double> fractions)
      : n_(dynamics.n),
        r_(dynamics.r),
        base_(n_ + r_ + 1),
        laws_(dynamics.laws),
        equations_(dynamics, parameters),
        parts_(fractions.size()) {
    const std::size_t size = equations_.size();
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      parts_[k].fraction = fractions[k];
      parts_[k].history.resize(size + 1);
      parts_[k].matrix.resize(size, true);
      parts_[k].energy_row.assign(size, P(0.0));
    }
    state_.resize(state_size());
    last_state_.assign(base_, P(0.0));
    for (std::vector<P>* vector : {&update_, &direction_}) vector->assign(size, P(0.0));
    increments_.resize(state_size());
  }

  /// Returns the number of entries of (x, p, z, log factor, budgets, energy by its law).
  [[nodiscard]] std::size_t state_size() const { return base_ + 2 + laws_; }
  CompensatedSums<P>& state() { return state_; }
  [[nodiscard]] const CompensatedSums<P>& state() const { return state_; }
  /// Sets the mass in the metric of corrections of some lanes, at the start of their runs.
  void set_mass(M lanes, P mass) { equations_.set_mass(lanes, mass); }
  /// Returns (x, w, z).
  std::vector<P>& last_state() { return last_state_; }
  [[nodiscard]] const std::vector<P>& last_state() const { return last_state_; }

  /// Takes over the state of another stepper.
  void follow(const EnergyStep& leader) {
    state_ = leader.state_;
    last_state_ = leader.last_state_;
    equations_.set_mass(all(), leader.equations_.mass());
    whole_ = 0;
  }

  /// Makes one step from t to t + h in some lanes. Returns the lanes in which it succeeded. The state of failed lanes
  /// is the one before the part of the step that failed.
  M step(double t, double h, M lanes) {
    if (h != whole_) {
      whole_ = h;
      for (Part& part : parts_) part.forget(all());
    }
    double from = 0;
    for (Part& part : parts_) {
      t_ = t + from * h;
      h_ = part.fraction * h;
      lanes = part_step(part, lanes);
      if (!any(lanes)) return lanes;
      from += part.fraction;
    }
    return lanes;
  }

  /// Makes the next steps by these rules, without the history of those before.
  void set_rules(const EnergyRules& rules) {
    rules_ = rules;
    for (Part& part : parts_) part.forget(all());
  }

  /// Returns the start t and the size h of the last part of a step, and the size of the whole step.
  [[nodiscard]] double t() const { return t_; }
  [[nodiscard]] double h() const { return h_; }
  [[nodiscard]] double whole() const { return whole_; }
  /// Returns the lanes in which the last step failed. The causes are, in this order: the equations were not finite; R
  /// was not positive; the energy law is not restored, with the energy defect of equations(). In all other failed lanes
  /// Newton's method did not converge, with its last update.
  [[nodiscard]] M not_finite() const { return not_finite_; }
  [[nodiscard]] M refused() const { return refused_; }
  [[nodiscard]] M unsettled() const { return unsettled_; }
  [[nodiscard]] P last_update() const { return newton_.last_update(); }
  [[nodiscard]] const EnergyEquations<P>& equations() const { return equations_; }
  [[nodiscard]] std::size_t iterations() const { return newton_.iterations(); }

 private:
  /// Bound on rounding: alpha is determined if rounding of the energy moves the step by less than 1/clearance of
  /// itself.
  static constexpr double clearance = 1e3;
  /// Multiples of the estimated rounding: an energy defect that ends the iteration, and the largest one that is
  /// accepted.
  static constexpr double settled = 4;
  static constexpr double negligible = 100;

  /// Memory of one of the fractions: the solutions of the last steps, and the linear system.
  struct Part {
    double fraction = 1;
    Extrapolation<P, 5> history;
    LaneLU<P, 0> matrix;
    std::vector<P> energy_row;  // d(energy defect)/d(unknowns)
    M factorised = P(0.0) > P(0.0);

    void forget(M lanes) {
      history.forget(lanes);
      factorised = factorised & !lanes;
    }
  };

  static M all() { return P(0.0) <= P(0.0); }

  M part_step(Part& part, M lanes) {
    not_finite_ = refused_ = unsettled_ = !all();
    equations_.begin(t_, h_);
    std::vector<P>& unknowns = equations_.unknowns();
    part.history.extrapolate(unknowns);
    if (const M none = !part.history.more_than(0); any(none)) equations_.guess(none, last_state_);
    M solved = solve(part, lanes);
    const M again = lanes & !solved & part.history.more_than(0);
    if (any(again)) {
      // An extrapolated guess can leave the region of convergence if the motion bends sharply.
      part.forget(again);
      not_finite_ = not_finite_ & !again;
      equations_.guess(again, last_state_);
      solved = solved | solve(part, again);
    }
    // The linear system leaves out what alpha changes, so that updates may be round-off before the energy defect is.
    constexpr int most_repeats = 3;
    for (int k = 0; k < most_repeats; ++k) {
      const M unsettled = solved & !settles(part, negligible);
      if (!any(unsettled)) break;
      solved = (solved & !unsettled) | (solve(part, unsettled) & unsettled);
    }
    if (any(solved)) solved = finish(part, solved);
    part.factorised = part.factorised & !(lanes & !solved);
    if (any(solved)) part.history.remember(unknowns);
    return solved;
  }

  [[nodiscard]] M settles(const Part& part, double multiple) const {
    constexpr double share = 1e-12;
    if (!rules_.corrects)
      return magnitude(equations_.energy_defect()) <= P(share) * larger(equations_.energy_scale(), largest_energy_);
    return magnitude(equations_.energy_defect()) <=
           P(multiple) * equations_.energy_rounding(part.energy_row.data(), state_);
  }

  /// The equations of a part of a step, bordered by the energy law, for Newton's iteration.
  struct Equations : NewtonDefaults<P> {
    EnergyStep& step;
    Part& part;
    M moves_alpha;  // without history the first guess says little about u1 - u0

    M evaluate(M active) { return step.note(active, step.equations_.evaluate(step.state_)); }
    void measure() { step.measure(); }
    M confirms() { return step.settles(part, settled); }
    M linearise(M lanes) { return step.note(lanes, step.linearise(part, lanes)); }
    M solve(M active) {
      const M moving = moves_alpha;
      moves_alpha = all();
      return step.correct(part, moving, active);
    }
    [[nodiscard]] P update_size() const { return step.update_size(); }
    std::vector<P>& unknowns() { return step.equations_.unknowns(); }
    [[nodiscard]] const P* update() const { return step.update_.data(); }
    [[nodiscard]] std::size_t count() const { return step.update_.size(); }
  };

  /// Iterates until the kernels have been evaluated at a solution correct to round-off. Returns the lanes in which they
  /// are.
  M solve(Part& part, M active) {
    Equations equations{{}, *this, part, part.history.more_than(0)};
    return newton_(equations, active, part.factorised, rules_.fresh_matrices ? all() : !all());
  }
  /// Notes the active lanes in which the equations are not finite, and returns the lanes in which they are.
  M note(M active, M finite) {
    not_finite_ = not_finite_ | (active & !finite);
    return finite;
  }

  /// Linearises the equations in some lanes. Returns the lanes in which the result is finite.
  M linearise(Part& part, M lanes) {
    equations_.linearise(part.matrix, direction_);
    for (std::size_t k = 0; k < direction_.size(); ++k) put(lanes, part.energy_row[k], direction_[k]);
    return part.matrix.compute(!lanes) & finite_numbers(direction_.data(), direction_.size());
  }

  /// Computes one Newton step of the bordered system: the unknowns by the linear system, and alpha by the energy in the
  /// lanes of `moves_alpha`. Returns the lanes in which the result is finite.
  M correct(const Part& part, M moves_alpha, M active) {
    part.matrix.solve(equations_.residual(), update_.data());
    P& alpha = equations_.unknowns().back();
    if (rules_.corrects && any(moves_alpha)) {
      part.matrix.solve(equations_.by_alpha(), direction_.data());
      P rate(0.0);
      P rest = equations_.energy_defect();
      for (std::size_t k = 0; k < update_.size(); ++k) {
        rate += part.energy_row[k] * direction_[k];
        rest -= part.energy_row[k] * update_[k];
      }
      const P rounding = equations_.energy_rounding(part.energy_row.data(), state_);
      const M determined = magnitude(rate) > P(clearance * (h_ < 0 ? -h_ : h_)) * rounding;
      const P change = select(determined, rest / rate, -alpha);
      for (std::size_t k = 0; k < update_.size(); ++k)
        put(moves_alpha, update_[k], update_[k] + change * direction_[k]);
      put(active & moves_alpha, alpha, alpha + change);
    }
    return finite_numbers(update_.data(), update_.size()) & is_finite(alpha);
  }

  /// Returns the largest entries of x, of w, of z and of R.
  [[nodiscard]] std::array<P, 4> group_sizes(const P* entries) const {
    std::array<P, 4> size{P(0.0), P(0.0), magnitude(entries[n_ + r_]), magnitude(entries[base_])};
    for (std::size_t i = 0; i < n_; ++i) size[0] = larger(magnitude(entries[i]), size[0]);
    for (std::size_t a = 0; a < r_; ++a) {
      size[1] = larger(magnitude(entries[n_ + a]), size[1]);
      size[1] = larger(magnitude(entries[base_ + 1 + a]), size[1]);
    }
    return size;
  }
  /// Computes the sizes by which updates are measured, once the first of them is known.
  void measure() {
    std::array<P, 4> size = group_sizes(equations_.unknowns().data());
    const std::array<P, 4> update = group_sizes(update_.data());
    for (std::size_t g = 0; g < 3; ++g) {
      // Impulses may change small velocities by much.
      size[g] = rules_.fresh_matrices ? larger(size[g], update[g]) : newton::size_of_guess(size[g], update[g]);
    }
    const P balanced(rules_.balanced_speed);
    size[0] = larger(P(h_ < 0 ? -h_ : h_) * balanced, size[0]);
    size[1] = larger(balanced, size[1]);
    for (std::size_t i = 0; i < n_; ++i) size[0] = larger(magnitude(state_[i]), size[0]);
    size[2] = larger(magnitude(state_[n_ + r_]), size[2]);
    // If terms cancel, updates are round-off of these terms: x and w bound each other, and the action of the kinetic
    // energy bounds z. At a start from rest the force of the step makes that energy.
    const P step(h_ < 0 ? -h_ : h_);
    const P* const o = equations_.middle();
    P momentum(0.0);
    for (std::size_t a = 0; a < r_; ++a) momentum += magnitude(o[n_ + a]) + step * magnitude(o[n_ + r_ + a]);
    const P action = step * larger(magnitude(o[n_ + 2 * r_]), P(cancelled_share) * momentum * size[1]);
    const std::array<P, 3> least{P(cancelled_share) * step * size[1], P(cancelled_share) * size[0] / step, action};
    for (std::size_t g = 0; g < 3; ++g) inverse_size_[g] = P(1.0) / larger(larger(size[g], least[g]), P(1e-290));
    inverse_size_[3] = P(1.0);
  }
  [[nodiscard]] P update_size() const {
    const std::array<P, 4> size = group_sizes(update_.data());
    P largest(0.0);
    for (std::size_t g = 0; g < size.size(); ++g) largest = larger(size[g] * inverse_size_[g], largest);
    return largest;
  }

  /// Computes x1, p1, z1, R1 and the budgets by the right-hand sides, whose rounding is the rounding of the increments.
  M finish(const Part& part, M lanes) {
    const P R_middle = equations_.middle_factor();
    const P R_end = equations_.end_factor();
    const M positive = (R_middle > P(0.0)) & (R_end > P(0.0));
    refused_ = lanes & !positive;
    lanes = lanes & positive;
    const M kept = settles(part, negligible);
    unsettled_ = lanes & !kept;
    lanes = lanes & kept;
    const P h(h_);
    const P* const o = equations_.middle();
    const P* const correction = equations_.correction();
    const P alpha = equations_.unknowns().back();
    const P one_minus_R = h * (R_middle * o[n_ + 2 * r_ + 1] - alpha * correction[base_]);
    const auto discounted = [&](std::size_t at, P gain) { return (h * gain + state_[at] * one_minus_R) / R_end; };
    for (std::size_t i = 0; i < n_; ++i) increments_[i] = h * (o[i] + alpha * correction[i]);
    for (std::size_t a = n_; a < n_ + r_; ++a)
      increments_[a] = discounted(a, R_middle * o[r_ + a] + alpha * correction[a]);
    increments_[n_ + r_] = h * (o[n_ + 2 * r_] + alpha * correction[n_ + r_]);
    increments_[base_] = log_one_plus(-one_minus_R);
    const std::size_t first = base_ + 1;
    if (laws_ > 0) {
      const P* const balance = equations_.balance();
      for (std::size_t k = 0; k < laws_; ++k)
        increments_[first + k] = discounted(first + k, R_middle * balance[BalanceOutputs::source(k)]);
    }
    increments_[first + laws_] = discounted(first + laws_, R_middle * equations_.middle_source());
    const M finite = finite_numbers(increments_.data(), increments_.size());
    not_finite_ = not_finite_ | (lanes & !finite);
    lanes = lanes & finite;
    if (!any(lanes)) return lanes;
    largest_energy_ = select(lanes, larger(largest_energy_, equations_.energy_scale()), largest_energy_);
    for (std::size_t k = 0; k < increments_.size(); ++k) state_.add(k, select(lanes, increments_[k], P(0.0)));
    for (std::size_t i = 0; i < base_; ++i) {
      const bool velocity = i >= n_ && i < n_ + r_;
      put(lanes, last_state_[i], velocity ? equations_.unknowns()[base_ + 1 + i - n_] : state_[i]);
    }
    return lanes;
  }

  std::size_t n_;
  std::size_t r_;
  std::size_t base_;  // n + r + 1
  std::size_t laws_;
  EnergyEquations<P> equations_;
  std::vector<Part> parts_;
  double t_ = 0;
  double h_ = 0;      // size of the part
  double whole_ = 0;  // size of the step
  EnergyRules rules_;
  P largest_energy_ = P(0.0);  // the largest term of the energy at the ends of steps so far
  CompensatedSums<P> state_;
  std::vector<P> last_state_;
  std::vector<P> update_;
  std::vector<P> direction_;
  std::vector<P> increments_;
  std::array<P, 4> inverse_size_{};
  M not_finite_ = !all();
  M refused_ = !all();
  M unsettled_ = !all();
  Newton<P> newton_{{.kept_iterations = 5, .settling = 4, .first_may_converge = false}};
};

}  // namespace herglotz::integrate
