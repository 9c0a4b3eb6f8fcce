#pragma once
/// Steps of the discrete Herglotz equations of a discrete Lagrangian, of one run or of one in every lane.

#include <cstddef>
#include <vector>

#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/action_size.hpp"
#include "numerics/extrapolation.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/newton.hpp"
#include "variational/carried_state.hpp"

namespace herglotz::integrate {

/// Flow of the discrete Herglotz equations on T*Q x R. [ASMLL20, Eqs. 39-43]. From (x0, p0, z0) a step solves
///   -(D1 ell + f-) = (1 + D_z0 ell) p0,   z1 = z0 + ell(x0, x1, z0, z1, t0, h)
/// for (x1, z1) by Newton's method to round-off, and ends with p1 = (D2 ell + f+)/(1 - D_z1 ell). The budgets are g1 =
/// sigma_d (g0 + h/2 source0) + h/2 source1, so that momenta of symmetries are dissipated by sigma_d to round-off.
template <class P>
class DiscreteHerglotzStep {
 public:
  using M = MaskOf<P>;

  DiscreteHerglotzStep(const Dynamics& dynamics, const double* parameters)
      : map_(&dynamics.discrete), parameters_(parameters), n_(dynamics.n), carried_(dynamics, parameters) {
    out_.resize(map_->ell.outputs());
    jacobian_.resize(map_->jacobian.outputs());
    std::size_t work = map_->ell.work_size();
    if (map_->jacobian.work_size() > work) work = map_->jacobian.work_size();
    work_.resize(work / LanesOf<P>::width + 1);
    variables_.resize(map_->ell.variables());
    ends_.resize(n_ + 1);
    begin_.resize(n_ + 1);
    residual_.resize(n_ + 1);
    matrix_.resize(n_ + 1);
    past_.resize(n_ + 1);
    increments_.resize(carried_.size());
  }

  CarriedState<P>& carried() { return carried_; }
  [[nodiscard]] const CarriedState<P>& carried() const { return carried_; }
  [[nodiscard]] std::size_t iterations() const { return newton_.iterations(); }
  /// Forgets everything but the carried state.
  void forget() {
    past_.forget(all());
    h_ = 0;
  }
  void follow(const DiscreteHerglotzStep& leader) {
    carried_.follow(leader.carried_);
    forget();
  }

  /// Returns the lanes in which the last step failed. The causes are, in this order: the equations were not finite; 1 +
  /// D_z0 ell or 1 - D_z1 ell was too small; the Legendre transform F- was singular; the velocity of a budget was not
  /// found.
  [[nodiscard]] M not_finite() const { return not_finite_; }
  [[nodiscard]] M refused() const { return refused_; }
  [[nodiscard]] M singular() const { return singular_; }
  [[nodiscard]] M velocity_missed() const { return velocity_missed_; }
  [[nodiscard]] P last_update() const { return newton_.last_update(); }
  [[nodiscard]] P D_z0() const { return out_[2 * n_ + 1]; }
  [[nodiscard]] P D_z1() const { return out_[2 * n_ + 2]; }

  /// Makes one step from t to t + h in some lanes. Returns the lanes in which it succeeded; the state of the others is
  /// lost.
  M step(double t, double h, M lanes) {
    if (h != h_) forget();
    h_ = h;
    not_finite_ = refused_ = singular_ = velocity_missed_ = !all();
    predict();
    M solved = solve(t, lanes);
    const M again = lanes & !solved & past_.more_than(1);
    if (any(again)) {
      past_.forget(again, 1);
      not_finite_ = not_finite_ & !again;
      singular_ = singular_ & !again;
      restart(again);
      solved = solved | solve(t, again);
    }
    return any(solved) ? conclude(t, solved) : solved;
  }

 private:
  /// Least 1 + D_z0 ell and 1 - D_z1 ell of a step. A step with less is not a step of a dissipative motion any more.
  static constexpr double least_factor = 1e-3;

  static M all() { return P(0.0) <= P(0.0); }
  P ell() const { return out_[0]; }
  P pull0(std::size_t i) const { return out_[1 + i]; }
  P pull1(std::size_t i) const { return out_[1 + n_ + i]; }

  /// Guesses the end by extrapolation through the last steps, or by the velocity at the start if there are none.
  void predict() {
    for (std::size_t i = 0; i < n_; ++i) begin_[i] = carried_.x(i);
    begin_[n_] = carried_.z();
    past_.remember(begin_);
    past_.extrapolate(ends_);
    if (const M none = !past_.more_than(1); any(none)) restart(none);
  }
  void restart(M lanes) {
    for (std::size_t i = 0; i < n_; ++i) put(lanes, ends_[i], carried_.x(i) + P(h_) * carried_.velocity(i));
    put(lanes, ends_[n_], carried_.z());
  }

  M evaluate(double t) {
    for (std::size_t i = 0; i < n_; ++i) {
      variables_[i] = carried_.x(i);
      variables_[n_ + i] = ends_[i];
    }
    variables_[2 * n_] = carried_.z();
    variables_[2 * n_ + 1] = ends_[n_];
    variables_[2 * n_ + 2] = P(t);
    variables_[2 * n_ + 3] = P(h_);
    map_->ell(plain(variables_.data()), parameters_, plain(out_.data()), plain(work_.data()));
    const P growth = P(1.0) + D_z0();
    for (std::size_t i = 0; i < n_; ++i) residual_[i] = -pull0(i) - growth * carried_.p(i);
    residual_[n_] = ends_[n_] - carried_.z() - ell();
    return finite_numbers(residual_.data(), n_ + 1) & is_finite(D_z1());
  }

  M factorise() {
    map_->jacobian(plain(variables_.data()), parameters_, plain(jacobian_.data()), plain(work_.data()));
    for (std::size_t i = 0; i <= n_; ++i)
      for (std::size_t j = 0; j <= n_; ++j) matrix_.at(i, j) = P(0.0);
    matrix_.at(n_, n_) = P(1.0);
    for (std::size_t e = 0; e < jacobian_.size(); ++e) {
      const std::size_t row = map_->pattern.row[e];
      const std::size_t col = map_->pattern.col[e];
      if (row == 0) {
        matrix_.at(n_, col) -= jacobian_[e];
      } else if (row <= n_) {
        matrix_.at(row - 1, col) -= jacobian_[e];
      } else if (row == 2 * n_ + 1) {
        for (std::size_t i = 0; i < n_; ++i) matrix_.at(i, col) -= carried_.p(i) * jacobian_[e];
      }
    }
    regular_ = matrix_.compute_regular();
    return finite_numbers(jacobian_.data(), jacobian_.size());
  }

  /// Returns the size of the update, which is in `residual_`, relative to the sizes of x and of z. Near rest the action
  /// is only round-off of p dx.
  P update_size() const {
    P x(least_size);
    P dx(0.0);
    P kinetic(0.0);
    P px(0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      const P displacement = magnitude(ends_[i] - carried_.x(i));
      x = larger(larger(magnitude(ends_[i]), displacement), x);
      dx = larger(magnitude(residual_[i]), dx);
      const P momentum = larger(magnitude(carried_.p(i)), magnitude(pull1(i)));
      kinetic += momentum * displacement;
      px += momentum * magnitude(ends_[i]);
    }
    const P z = larger(action_size(ends_[n_], ell(), kinetic), P(displaced) * px);
    return larger(dx / x, magnitude(residual_[n_]) / z);
  }

  /// The equations of a step, for Newton's iteration.
  struct Equations : NewtonDefaults<P> {
    DiscreteHerglotzStep& step;
    double t;

    M evaluate(M active) { return note(active, step.evaluate(t), step.not_finite_); }
    M linearise(M lanes) { return note(lanes, step.factorise(), step.not_finite_); }
    M solve(M active) {
      step.matrix_.solve(step.residual_.data(), step.residual_.data());
      return note(active, finite_numbers(step.residual_.data(), step.n_ + 1), step.singular_);
    }
    [[nodiscard]] P update_size() const { return step.update_size(); }
    std::vector<P>& unknowns() { return step.ends_; }
    [[nodiscard]] const P* update() const { return step.residual_.data(); }
    [[nodiscard]] std::size_t count() const { return step.n_ + 1; }

    static M note(M active, M fine, M& others) {
      others = others | (active & !fine);
      return fine;
    }
  };

  /// Solves the equations by Newton's method. Returns the lanes in which it reached round-off.
  M solve(double t, M active) {
    Equations equations{{}, *this, t};
    M factorised = !all();
    return newton_(equations, active, factorised, all());
  }

  M conclude(double t, M good) {
    const P growth = P(1.0) + D_z0();
    const P loss = P(1.0) - D_z1();
    refused_ = good & !((growth > P(least_factor)) & (loss > P(least_factor)));
    good = good & !refused_;
    singular_ = singular_ | (good & !regular_);
    good = good & regular_;
    const P sigma_minus_1 = (D_z0() + D_z1()) / loss;
    for (std::size_t i = 0; i < n_; ++i) {
      increments_[i] = ends_[i] - carried_.x(i);
      increments_[n_ + i] = pull1(i) / loss - carried_.p(i);
    }
    increments_[2 * n_] = ell();
    increments_[carried_.log_factor()] = -log_one_plus(sigma_minus_1);
    if (carried_.laws() > 0) {
      good = recover_velocity(t, good);
      const P* const balance = carried_.balance(t);
      const P weight = growth / loss * P(h_ / 2);
      for (std::size_t k = 0; k < carried_.laws(); ++k) {
        const std::size_t at = carried_.budget(k);
        increments_[at] = sigma_minus_1 * carried_[at] + weight * balance[BalanceOutputs::source(k)];
      }
    }
    const M finite = finite_numbers(increments_.data(), increments_.size());
    not_finite_ = not_finite_ | (good & !finite);
    good = good & finite;
    if (!any(good)) return good;
    for (std::size_t k = 0; k < increments_.size(); ++k) carried_.add(k, increments_[k]);
    carried_.velocity_is_unknown();
    return carried_.laws() > 0 ? add_end_sources(t + h_, good) : good;
  }
  M add_end_sources(double t, M good) {
    good = recover_velocity(t, good);
    const P* const balance = carried_.balance(t);
    for (std::size_t k = 0; k < carried_.laws(); ++k)
      carried_.add(carried_.budget(k), P(h_ / 2) * balance[BalanceOutputs::source(k)]);
    return good;
  }
  M recover_velocity(double t, M lanes) {
    const M known = carried_.recover_velocity(t, lanes);
    velocity_missed_ = velocity_missed_ | (lanes & !known);
    return known;
  }

  const DiscreteKernels* map_;
  const double* parameters_;
  std::size_t n_;
  CarriedState<P> carried_;
  double h_ = 0;
  std::vector<P> begin_;      // (x0, z0)
  std::vector<P> ends_;       // (x1, z1)
  std::vector<P> residual_;   // the residual, then the update
  Extrapolation<P, 5> past_;  // (x, z) at the starts of the last steps, this one among them
  std::vector<P> variables_;  // (x0, x1, z0, z1, t0, h)
  std::vector<P> out_;        // (ell, D1 + f-, D2 + f+, D_z0, D_z1)
  std::vector<P> jacobian_;
  std::vector<P> work_;
  std::vector<P> increments_;
  LaneLU<P, 0> matrix_;
  M regular_ = !all();
  M not_finite_ = !all();
  M refused_ = !all();
  M singular_ = !all();
  M velocity_missed_ = !all();
  Newton<P> newton_{{.settling_of_fresh = 9, .last_update = NewtonRules::no_forecast}};
};

}  // namespace herglotz::integrate
