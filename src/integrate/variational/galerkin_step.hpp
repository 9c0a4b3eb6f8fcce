#pragma once
/// Steps of Galerkin variational integrators of contact Lagrangian systems, of one run or of one in every lane.

#include <cstddef>
#include <vector>

#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/action_size.hpp"
#include "numerics/newton.hpp"
#include "variational/galerkin_equations.hpp"

namespace herglotz::integrate {

/// Steps from (x0, p0, z0) by GalerkinEquations, which Newton's method solves to round-off. The budgets are g1 = sigma
/// g0 + h sum_j w_j source_j.
template <class P>
class GalerkinStep {
 public:
  using M = MaskOf<P>;

  GalerkinStep(const Dynamics& dynamics, const double* parameters, const GalerkinPolynomials& polynomials)
      : equations_(dynamics, parameters, polynomials), carried_(dynamics, parameters) {
    before_.resize(polynomials.degree * dynamics.n);
    increments_.resize(carried_.size());
  }

  CarriedState<P>& carried() { return carried_; }
  [[nodiscard]] const CarriedState<P>& carried() const { return carried_; }
  [[nodiscard]] const GalerkinEquations<P>& equations() const { return equations_; }
  [[nodiscard]] std::size_t iterations() const { return newton_.iterations(); }
  /// Forgets everything but the carried state.
  void forget() {
    remembers_ = false;
    h_ = 0;
  }
  void follow(const GalerkinStep& leader) {
    carried_.follow(leader.carried_);
    forget();
  }

  /// Returns the lanes in which the last step failed. The causes are, in this order: the equations were not finite;
  /// sigma or a weight was not positive.
  [[nodiscard]] M not_finite() const { return not_finite_; }
  [[nodiscard]] M refused() const { return refused_; }
  [[nodiscard]] P last_update() const { return newton_.last_update(); }

  /// Makes one step from t to t + h in some lanes. Returns the lanes in which it succeeded; the state of the others is
  /// lost.
  M step(double t, double h, M lanes) {
    if (h != h_) remembers_ = false;
    h_ = h;
    not_finite_ = refused_ = !all();
    if (remembers_)
      continue_polynomials();
    else
      restart(all());
    M solved = solve(t, lanes);
    if (remembers_) {
      M again = lanes & !solved;
      if (any(again)) again = carried_.recover_velocity(t, again);
      if (any(again)) {
        not_finite_ = not_finite_ & !again;
        restart(again);
        solved = solved | solve(t, again);
      }
    }
    remembers_ = false;
    return any(solved) ? conclude(t, solved) : solved;
  }

 private:
  /// Least conformal factor of a step. A step with less is not a step of a dissipative motion any more.
  static constexpr double least_factor = 1e-3;

  static M all() { return P(0.0) <= P(0.0); }
  [[nodiscard]] std::size_t n() const { return carried_.n(); }
  [[nodiscard]] const GalerkinPolynomials& rule() const { return equations_.rule(); }

  /// Guesses the unknowns by continuing the polynomial of the step before from its end on.
  void continue_polynomials() {
    const std::size_t s = rule().degree;
    for (std::size_t k = 0; k < s * n(); ++k) before_[k] = equations_.unknowns()[k];
    for (std::size_t mu = 1; mu <= s; ++mu) {
      for (std::size_t i = 0; i < n(); ++i) {
        P y(0.0);
        for (std::size_t nu = 1; nu <= s; ++nu) y += P(rule().value_ahead(mu, nu)) * before_[(nu - 1) * n() + i];
        equations_.Y(mu, i) = y - before_[(s - 1) * n() + i];
      }
    }
    for (std::size_t j = 0; j < rule().nodes; ++j) equations_.Z(j) = carried_.z() + P(rule().c[j]) * last_dz_;
  }
  /// Guesses the unknowns from the velocity that is known.
  void restart(M lanes) {
    for (std::size_t nu = 1; nu <= rule().degree; ++nu)
      for (std::size_t i = 0; i < n(); ++i)
        put(lanes, equations_.Y(nu, i), P(rule().points[nu]) * carried_.velocity(i));
    for (std::size_t j = 0; j < rule().nodes; ++j) put(lanes, equations_.Z(j), carried_.z());
  }

  /// Returns the size of the update relative to the sizes of velocities, which x over h bounds, and of z.
  P update_size() const {
    const P step(h_ < 0 ? -h_ : h_);
    P x(least_size);
    for (std::size_t i = 0; i < n(); ++i) x = larger(magnitude(carried_.x(i)), x);
    P speed(0.0);
    P turn(0.0);
    const std::vector<P>& update = equations_.update();
    const std::size_t velocities = rule().degree * n();
    for (std::size_t nu = 1, k = 0; nu <= rule().degree; ++nu) {
      for (std::size_t i = 0; i < n(); ++i, ++k) {
        speed = larger(magnitude(equations_.Y(nu, i)), speed);
        turn = larger(magnitude(update[k]), turn);
      }
    }
    P action(0.0);
    for (std::size_t k = velocities; k < update.size(); ++k) action = larger(magnitude(update[k]), action);
    return larger(turn / larger(speed, P(displaced) * x / step), action / z_size(step));
  }
  /// Returns the size of z. Near rest the action is only round-off of p dx, with p of the start or by a force.
  P z_size(P step) const {
    P action(0.0);
    for (std::size_t j = 0; j < rule().nodes; ++j) action = larger(step * magnitude(equations_.lagrangian(j)), action);
    P kinetic(0.0);
    P px(0.0);
    for (std::size_t i = 0; i < n(); ++i) {
      P speed(0.0);
      for (std::size_t nu = 1; nu <= rule().degree; ++nu) speed = larger(magnitude(equations_.Y(nu, i)), speed);
      P momentum = magnitude(carried_.p(i));
      for (std::size_t j = 0; j < rule().nodes; ++j)
        momentum = larger(step * magnitude(equations_.force(j, i)), momentum);
      kinetic += momentum * step * speed;
      px += momentum * magnitude(carried_.x(i));
    }
    return larger(action_size(carried_.z(), action, kinetic), P(displaced) * px);
  }

  /// The equations of a step, for Newton's iteration.
  struct Equations : NewtonDefaults<P> {
    GalerkinStep& step;
    double t;

    M evaluate(M active) { return step.note(active, step.equations_.evaluate(step.carried_, t, step.h_)); }
    M linearise(M lanes) { return step.note(lanes, step.equations_.linearise(step.carried_, t)); }
    M solve(M) { return step.equations_.solve(); }
    [[nodiscard]] P update_size() const { return step.update_size(); }
    std::vector<P>& unknowns() { return step.equations_.unknowns(); }
    [[nodiscard]] const P* update() const { return step.equations_.update().data(); }
    [[nodiscard]] std::size_t count() const { return step.equations_.update().size(); }
  };

  /// Iterates until the kernels have been evaluated at stages correct to round-off. Returns the lanes in which they
  /// are.
  M solve(double t, M active) {
    Equations equations{{}, *this, t};
    M factorised = !all();
    return newton_(equations, active, factorised, all());
  }
  /// Notes the active lanes in which the equations are not finite, and returns the lanes in which they are.
  M note(M active, M finite) {
    not_finite_ = not_finite_ | (active & !finite);
    return finite;
  }

  M conclude(double t, M good) {
    const P sigma_minus_1 = equations_.sigma_minus_1();
    M positive = P(1.0) + sigma_minus_1 > P(least_factor);
    for (std::size_t j = 0; j < rule().nodes; ++j)
      if (rule().b[j] != 0) positive = positive & (equations_.weight(j) * P(rule().b[j]) > P(0.0));
    refused_ = good & !positive;
    good = good & positive;
    for (std::size_t a = 0; a < n(); ++a) {
      P push(0.0);
      for (std::size_t j = 0; j < rule().nodes; ++j) push += equations_.weight(j) * equations_.force(j, a);
      increments_[a] = P(h_) * equations_.Y(rule().degree, a);
      increments_[n() + a] = sigma_minus_1 * carried_.p(a) + P(h_) * push;
    }
    P dz(0.0);
    for (std::size_t j = 0; j < rule().nodes; ++j) dz += P(h_ * rule().b[j]) * equations_.lagrangian(j);
    increments_[2 * n()] = dz;
    increments_[carried_.log_factor()] = -log_one_plus(sigma_minus_1);
    if (carried_.laws() > 0) add_sources(t);
    good = good & note(good, finite_numbers(increments_.data(), increments_.size()));
    if (!any(good)) return good;
    for (std::size_t k = 0; k < increments_.size(); ++k) carried_.add(k, increments_[k]);
    last_dz_ = dz;
    remembers_ = true;
    guess_velocity();
    return good;
  }
  void add_sources(double t) {
    for (std::size_t k = 0; k < carried_.laws(); ++k)
      increments_[carried_.budget(k)] = equations_.sigma_minus_1() * carried_[carried_.budget(k)];
    for (std::size_t j = 0; j < rule().nodes; ++j) {
      const P* const balance = carried_.balance(equations_.node(j, carried_, t));
      const P weight = P(h_) * equations_.weight(j);
      for (std::size_t k = 0; k < carried_.laws(); ++k)
        increments_[carried_.budget(k)] += weight * balance[BalanceOutputs::source(k)];
    }
  }
  /// Guesses the velocity at the end by the slope of the polynomial there.
  void guess_velocity() {
    for (std::size_t i = 0; i < n(); ++i) {
      P velocity(0.0);
      for (std::size_t nu = 1; nu <= rule().degree; ++nu) velocity += P(rule().end_slopes[nu]) * equations_.Y(nu, i);
      carried_.guess_velocity(i, velocity);
    }
    carried_.velocity_is_unknown();
  }

  GalerkinEquations<P> equations_;
  CarriedState<P> carried_;
  double h_ = 0;
  bool remembers_ = false;  // true if the unknowns are those of the step before
  std::vector<P> before_;   // Y of the step before
  P last_dz_{};
  std::vector<P> increments_;
  M not_finite_ = !all();
  M refused_ = !all();
  Newton<P> newton_{{.settling_of_fresh = 9, .last_update = 0.1 * newton::epsilon, .quadratic = true}};
};

}  // namespace herglotz::integrate
