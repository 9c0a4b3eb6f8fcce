#pragma once
/// Equations of a discrete Hamilton-Pontryagin-Herglotz step on an action groupoid, of one run or of one in every lane.

#include <cstddef>
#include <vector>

#include "groupoid/group_action.hpp"
#include "groupoid/retraction.hpp"
#include "groupoid/stage.hpp"
#include "motion/action_size.hpp"
#include "numerics/compensated.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/newton.hpp"
#include "numerics/small_matrix.hpp"

namespace herglotz::integrate {

/// Equations of one step. With v = h xi, D = dtau^-1_v, l the Lagrangian in the frame, f = rho^T l_x + F and the
/// indices 0, 1 for values at (x0, xi, z0, t0) and (x1, xi, z1, t1), the unknowns xi, z1 and impulses kappa (m) solve
///   x1 = x0 . tau(v),   z1 = z0 + (h/2)(l_0 + l_1),
///   D^T (1/2)(l_xi,0 + l_xi,1) = M = (1 + h/2 l_z,0) mu0 + (h/2) f_0 + (1/2) Phi_xi,0^T kappa.
/// Each constraint adds phi(x1, z1, t1) = 0 if it is velocity-free, and (1/2)(Phi_0 + Phi_1) = 0 otherwise. In a short
/// step the first ones determine xi only to the round-off of x over h, which may be more than xi itself. The second
/// form then takes their place for all constraints: it leaves phi(x1) at h^3 d^3 phi/dt^3/12 more than phi(x0), and
/// short steps are those in which that is round-off.
template <class P>
class GroupoidEquations {
 public:
  using M = MaskOf<P>;

  GroupoidEquations(const Dynamics& dynamics, const double* parameters, RetractionKind kind)
      : dynamics_(&dynamics),
        parameters_(parameters),
        n_(dynamics.n),
        r_(dynamics.r),
        m_(dynamics.m),
        positions_(dynamics.positions),
        forces_turn_(forces_depend_on_velocity(dynamics)),
        action_(dynamics.groupoid, n_, r_, parameters),
        retraction_(kind, r_),
        first_(dynamics, parameters),
        second_(dynamics, parameters) {
    for (std::vector<P>* vector : {&mu0_, &mean_, &v_, &row_}) vector->assign(r_, P(0.0));
    for (std::vector<P>* vector : {&unknowns_, &residual_}) vector->assign(r_ + 1 + m_, P(0.0));
    rest_.assign(n_, P(0.0));
    transport_.resize(n_, r_);
    for (SmallMatrix<P>* matrix : {&inverse_left_, &block_, &change_}) matrix->resize(r_, r_);
    for (std::size_t a = 0; a < r_; ++a) inverse_left_(a, a) = P(1.0);
    system_.resize(r_);
    if (positions_ == 0) return;
    values_.resize(2 * positions_);
    point_.assign(dynamics.variables(), P(0.0));
    work_.resize(dynamics.position.work_size() / LanesOf<P>::width + 1);
  }

  /// Returns whether forces depend on xi, as those of friction do, which turn with a slip.
  static bool forces_depend_on_velocity(const Dynamics& dynamics) {
    const kernel::Pattern& pattern = dynamics.groupoid.stage_pattern;
    for (std::size_t e = 0; e < pattern.row.size(); ++e) {
      const bool of_force = pattern.row[e] >= dynamics.r && pattern.row[e] < 2 * dynamics.r;
      if (of_force && pattern.col[e] >= dynamics.n && pattern.col[e] < dynamics.n + dynamics.r) return true;
    }
    return false;
  }
  [[nodiscard]] bool forces_turn() const { return forces_turn_; }

  void take(int lane, const GroupStructure& group, const ActionNumbers& action) {
    retraction_.take(lane, group);
    action_.take(lane, action);
  }

  /// Begins the step from (x0, mu0, z0, ..) at t to t + h.
  void begin(const CompensatedSums<P>& state, double t, double h) {
    h_ = h;
    for (std::size_t i = 0; i < n_; ++i) {
      first_.x()[i] = state[i];
      rest_[i] = state.rest(i);
    }
    for (std::size_t a = 0; a < r_; ++a) mu0_[a] = state[n_ + a];
    first_.set(state[n_ + r_], t);
    second_.set(state[n_ + r_], t + h);
  }

  /// Takes lanes for short steps whose displacement by the velocity xi (r) is so small a part of x that the round-off
  /// of x would be felt in xi.
  void shorten(const P* xi) {
    P speed(0.0);
    for (std::size_t a = 0; a < r_; ++a) speed = larger(magnitude(xi[a]), speed);
    short_ = step_size() * speed <= P(felt_displacement) * position_size();
    if (positions_ == 0 && !forces_turn_) short_ = P(0.0) > P(0.0);
  }
  /// Takes no short steps in these lanes.
  void lengthen(M lanes) { short_ = short_ & !lanes; }
  /// Returns the lanes with short steps.
  [[nodiscard]] M are_short() const { return short_; }
  /// Returns the lanes in which the last evaluation has its x1 on the velocity-free constraints, to round-off of x.
  [[nodiscard]] M on_positions() const {
    M on = P(0.0) <= P(0.0);
    for (std::size_t k = 0; k < positions_; ++k) {
      P slope(0.0);
      for (std::size_t a = 0; a < r_; ++a) slope = larger(magnitude(second_.direction(k)[a]), slope);
      on = on & (magnitude(values_[k]) <= P(rounded_positions) * slope * position_size());
    }
    return on;
  }

  [[nodiscard]] double h() const { return h_; }
  [[nodiscard]] std::size_t size() const { return unknowns_.size(); }
  /// Returns xi, z1, kappa.
  std::vector<P>& unknowns() { return unknowns_; }
  [[nodiscard]] const std::vector<P>& unknowns() const { return unknowns_; }
  [[nodiscard]] const P* residual() const { return residual_.data(); }
  [[nodiscard]] const P* mu0() const { return mu0_.data(); }
  [[nodiscard]] const GroupoidStage<P>& first() const { return first_; }
  [[nodiscard]] const GroupoidStage<P>& second() const { return second_; }
  [[nodiscard]] const Retraction<P>& retraction() const { return retraction_; }
  /// Returns z1 - z0 of the last evaluation.
  [[nodiscard]] P dz() const { return dz_; }
  /// Returns the lanes in which the retraction was not a local diffeomorphism, and the lanes in which the action could
  /// not be followed.
  [[nodiscard]] M turned() const { return turned_; }
  [[nodiscard]] M lost() const { return lost_; }

  /// Evaluates both stages at the unknowns, and the residual. Returns the lanes in which they are finite.
  M evaluate() {
    for (std::size_t a = 0; a < r_; ++a) v_[a] = P(h_) * unknowns_[a];
    const M regular = retraction_.at(v_.data());
    const M followed = action_.displace(first_.x(), rest_.data(), retraction_.logarithm(), false);
    turned_ = !regular;
    lost_ = regular & !followed;
    for (std::size_t i = 0; i < n_; ++i) second_.x()[i] = first_.x()[i] + action_.displacement()[i];
    for (std::size_t a = 0; a < r_; ++a) first_.xi()[a] = second_.xi()[a] = unknowns_[a];
    second_.set(unknowns_[r_], second_.t());
    const M finite = first_.evaluate() & second_.evaluate();
    fill_residual();
    return regular & followed & finite & finite_numbers(residual_.data(), residual_.size());
  }
  /// Computes x1 - x0 of the last evaluation to more digits than the equations need. Returns the lanes in which this
  /// succeeded.
  M displace() { return action_.displace(first_.x(), rest_.data(), retraction_.logarithm(), true); }
  [[nodiscard]] const P* displacement() const { return action_.displacement(); }
  /// Returns the part of x1 - x0 that rounding took from displacement().
  [[nodiscard]] const P* rounded() const { return action_.rounded(); }

  /// Computes d residual/d unknowns at the last evaluation. The dependence of x1 on xi is exact: h rho(x1) dtau^L_v,
  /// with dtau^L_v = D(-v)^-1.
  void linearise(LaneLU<P, 0>& matrix) {
    first_.differentiate();
    second_.differentiate();
    find_transport();
    linearise_momentum(matrix);
    const P half(h_ / 2);
    const std::size_t L = 2 * r_;
    for (std::size_t b = 0; b < r_; ++b)
      matrix.at(r_, b) = -half * (first_.by_xi(L)[b] + second_.by_xi(L)[b] + by_transport(L, b));
    matrix.at(r_, r_) = P(1.0) - half * second_.L_z();
    for (std::size_t A = 0; A < m_; ++A) {
      for (std::size_t a = 0; a < r_; ++a) matrix.at(a, r_ + 1 + A) = P(-0.5) * first_.direction(A)[a];
      for (std::size_t B = 0; B <= m_; ++B) matrix.at(r_ + B, r_ + 1 + A) = P(0.0);
      add_constraint_row(A, matrix);
    }
  }

  /// Notes the effect of impulses in these lanes, at the last linearisation: the largest velocity that unit impulses of
  /// all constraints give, sum_A |Phi_xi^A_a| / |d mu_a / d xi_a|, and the largest sum_A |Phi_xi^A_a|; the largest
  /// velocity that momenta and forces would give without constraints, (|mu0_a| + h |f_a|) / |d mu_a / d xi_a|; and the
  /// largest one at the ends of the step, with the terms of forces that may cancel, (|mu0_a| + h max(|f_0,a|, |f_1,a|)
  /// + h sum_i |d f_a/dx^i x^i|) / |d mu_a / d xi_a|.
  void note_lever(M lanes) {
    P lever(0.0);
    P force(0.0);
    P free(0.0);
    P reached_ends(0.0);
    for (std::size_t a = 0; (m_ > 0 || forces_turn_) && a < r_; ++a) {
      P impulse(0.0);
      for (std::size_t A = 0; A < m_; ++A) impulse += magnitude(first_.direction(A)[a]);
      const P mass = magnitude(first_.by_xi(a)[a]);
      const P momentum = magnitude(mu0_[a]) + step_size() * magnitude(first_.force()[a]);
      P reached = larger(magnitude(first_.force()[a]), magnitude(second_.force()[a]));
      for (std::size_t i = 0; i < n_; ++i) reached += magnitude(first_.by_x(r_ + a)[i] * first_.x()[i]);
      reached = magnitude(mu0_[a]) + step_size() * reached;
      reached_ends = larger(select(mass > P(0.0), reached / mass, P(0.0)), reached_ends);
      lever = larger(select(mass > P(0.0), impulse / mass, P(0.0)), lever);
      free = larger(select(mass > P(0.0), momentum / mass, P(0.0)), free);
      force = larger(impulse, force);
    }
    put(lanes, lever_, lever);
    put(lanes, force_, force);
    put(lanes, free_, free);
    put(lanes, reached_, reached_ends);
  }

  // Sizes by which updates are measured. Near rest the updates are only round-off of the other terms, which bound the
  // sizes from below, each in the units of what it bounds.

  /// Returns the size of xi: x over h bounds it, and so does what impulses of constraints would make of it alone: those
  /// of the step, or the given one. In short steps, what it would be without constraints bounds it in place of x over
  /// h; without constraints on positions, what it is at the ends: where friction just lets go of its load, the velocity
  /// of the first step is only the round-off of their difference.
  [[nodiscard]] P velocity_size(P xi, P impulse = P(0.0)) const {
    xi = larger(P(cancelled_share) * lever_ * larger(largest_impulse(), impulse), xi);
    const P x = position_size();
    // phi(x1) = 0 determines xi to the round-off of x over h.
    const P share(positions_ > 0 ? determined_share : cancelled_share);
    const P of_short = positions_ > 0 ? P(cancelled_share) * free_ : reached_;
    const P bound = select(short_, of_short, share * x / step_size());
    return larger(larger(xi, bound), P(least_size));
  }
  /// Returns the size of z1. The action of what impulses of constraints would make of the motion alone bounds it too.
  [[nodiscard]] P action_size() const {
    P kinetic(0.0);
    for (std::size_t a = 0; a < r_; ++a) kinetic += magnitude(mu0_[a] * unknowns_[a]);
    const P kappa = largest_impulse();
    kinetic = larger(lever_ * kappa * (force_ * kappa), kinetic);
    return integrate::action_size(unknowns_[r_], step_size() * first_.L(), step_size() * kinetic);
  }
  /// Returns the size of kappa: momenta bound it, and so do impulses of forces, and those that change xi by the share
  /// of x over h that bounds it.
  [[nodiscard]] P impulse_size() const {
    P impulse = larger(largest_impulse(), P(least_size));
    if (positions_ > 0) {
      const P change = P(determined_share) * position_size() / (step_size() * larger(lever_, P(least_size)));
      impulse = larger(select((lever_ > P(0.0)) & !short_, change, P(0.0)), impulse);
    }
    for (std::size_t a = 0; a < r_; ++a) {
      const P force = P(cancelled_share) * step_size() * magnitude(first_.force()[a]);
      impulse = larger(larger(magnitude(mu0_[a]), force), impulse);
    }
    return impulse;
  }

 private:
  /// Distance from the constraints, relative to x, that is round-off of x.
  static constexpr double rounded_positions = 64 * newton::epsilon;
  /// Share of x over h that bounds xi where phi(x1) = 0 determines it: updates that stop falling count as round-off up
  /// to that of x over h, and no farther, as a slip that begins is much slower than the body.
  static constexpr double determined_share = rounded_positions / newton::round_off;
  /// Displacement, relative to x, of which the round-off of x is 1e-9.
  static constexpr double felt_displacement = newton::epsilon / newton::round_off;

  [[nodiscard]] P step_size() const { return P(h_ < 0 ? -h_ : h_); }
  [[nodiscard]] P position_size() const {
    P x(0.0);
    for (std::size_t i = 0; i < n_; ++i) x = larger(magnitude(first_.x()[i]), x);
    return x;
  }
  [[nodiscard]] P largest_impulse() const {
    P largest(0.0);
    for (std::size_t A = 0; A < m_; ++A) largest = larger(magnitude(unknowns_[r_ + 1 + A]), largest);
    return largest;
  }

  void fill_residual() {
    const P half(h_ / 2);
    const bool trivial = retraction_.trivial();
    for (std::size_t a = 0; a < r_; ++a) mean_[a] = P(0.5) * (first_.mu()[a] + second_.mu()[a]);
    if (!trivial) multiply_transposed(retraction_.inverse_differential(), mean_.data(), residual_.data());
    for (std::size_t a = 0; a < r_; ++a) {
      const P target = mu0_[a] + half * (first_.L_z() * mu0_[a] + first_.force()[a]);
      residual_[a] = (trivial ? mean_[a] : residual_[a]) - target;
    }
    dz_ = half * (first_.L() + second_.L());
    residual_[r_] = unknowns_[r_] - first_.z() - dz_;
    for (std::size_t A = 0; A < m_; ++A) {
      const P impulse = P(0.5) * unknowns_[r_ + 1 + A];
      for (std::size_t a = 0; a < r_; ++a) residual_[a] -= first_.direction(A)[a] * impulse;
      residual_[r_ + 1 + A] = P(0.5) * (first_.Phi()[A] + second_.Phi()[A]);
    }
    if (positions_ == 0) return;
    for (std::size_t i = 0; i < n_ + r_; ++i) point_[i] = second_.x()[i];
    point_[n_ + r_] = second_.z();
    point_[n_ + r_ + 1] = P(second_.t());
    find_positions(values_.data());
    for (std::size_t k = 0; k < positions_; ++k)
      residual_[r_ + 1 + k] = select(short_, residual_[r_ + 1 + k], values_[k] / P(h_));
  }
  void find_positions(P* values) {
    dynamics_->position(plain(point_.data()), parameters_, plain(values), plain(work_.data()));
  }

  /// Computes d x1/d xi.
  void find_transport() {
    const SmallMatrix<P>& rho = action_.generators(second_.x());
    if (!retraction_.trivial()) {
      for (std::size_t a = 0; a < r_; ++a)
        for (std::size_t b = 0; b < r_; ++b)
          system_.at(a, b) = retraction_.inverse_differential()(a, b) + retraction_.ad()(a, b);
      system_.invert(inverse_left_);
      multiply(rho, inverse_left_, transport_);
    } else {
      for (std::size_t e = 0; e < transport_.entries().size(); ++e) transport_.entries()[e] = rho.entries()[e];
    }
    for (P& entry : transport_.entries()) entry *= P(h_);
  }
  /// Returns d(output `row` of the second stage)/d xi^b through x1.
  [[nodiscard]] P by_transport(std::size_t row, std::size_t b) const {
    P sum(0.0);
    for (std::size_t i = 0; i < n_; ++i) sum += second_.by_x(row)[i] * transport_(i, b);
    return sum;
  }
  void linearise_momentum(LaneLU<P, 0>& matrix) {
    const P half(h_ / 2);
    for (std::size_t a = 0; a < r_; ++a) {
      for (std::size_t b = 0; b < r_; ++b)
        block_(a, b) = P(0.5) * (first_.by_xi(a)[b] + second_.by_xi(a)[b] + by_transport(a, b));
      row_[a] = P(0.5) * second_.by_z(a);
    }
    if (!retraction_.trivial()) retraction_.differentiate(mean_.data(), change_);
    const SmallMatrix<P>& D = retraction_.inverse_differential();
    for (std::size_t a = 0; a < r_; ++a) {
      P by_z = row_[a];
      if (!retraction_.trivial()) {
        by_z = P(0.0);
        for (std::size_t c = 0; c < r_; ++c) by_z += D(c, a) * row_[c];
      }
      matrix.at(a, r_) = by_z;
      for (std::size_t b = 0; b < r_; ++b) {
        P sum = block_(a, b);
        if (!retraction_.trivial()) {
          sum = P(h_) * change_(a, b);
          for (std::size_t c = 0; c < r_; ++c) sum += D(c, a) * block_(c, b);
        }
        sum -= half * (first_.by_xi(r_ + a)[b] + mu0_[a] * first_.by_xi(2 * r_ + 1)[b]);
        for (std::size_t A = 0; A < m_; ++A)
          sum -= P(0.5) * unknowns_[r_ + 1 + A] * first_.by_xi(2 * r_ + 2 + m_ + A * r_ + a)[b];
        matrix.at(a, b) = sum;
      }
    }
  }
  void add_constraint_row(std::size_t A, LaneLU<P, 0>& matrix) {
    const std::size_t at = r_ + 1 + A;
    const M in_mean = A < positions_ ? short_ : P(0.0) <= P(0.0);
    if (any(in_mean)) {
      const std::size_t Phi = 2 * r_ + 2 + A;
      for (std::size_t b = 0; b < r_; ++b)
        matrix.at(at, b) = P(0.5) * (first_.by_xi(Phi)[b] + second_.by_xi(Phi)[b] + by_transport(Phi, b));
      matrix.at(at, r_) = P(0.5) * second_.by_z(Phi);
    }
    if (!any(!in_mean)) return;
    // Phi = phi_x rho xi + phi_z L + phi_t, so phi_x rho is dPhi/dxi without phi_z mu. The direction of the force may
    // have friction in it.
    const P slope = action_slope(A);
    const std::size_t Phi = 2 * r_ + 2 + A;
    for (std::size_t a = 0; a < r_; ++a) row_[a] = second_.by_xi(Phi)[a] - slope * second_.mu()[a];
    for (std::size_t b = 0; b < r_; ++b) {
      P sum = row_[b];
      if (!retraction_.trivial()) {
        sum = P(0.0);
        for (std::size_t a = 0; a < r_; ++a) sum += row_[a] * inverse_left_(a, b);
      }
      put(!in_mean, matrix.at(at, b), sum);
    }
    put(!in_mean, matrix.at(at, r_), slope / P(h_));
  }
  /// Returns d phi_k/dz at the end, by a difference. Its error only makes the iteration converge a little slower.
  P action_slope(std::size_t k) {
    if (!dynamics_->position_uses_action) return P(0.0);
    const P size = larger(magnitude(second_.z()), step_size() * magnitude(first_.L()));
    const P step = P(1e-7) * select(size > P(0.0), size, P(1.0));
    point_[n_ + r_] = second_.z() + step;
    find_positions(values_.data() + positions_);
    point_[n_ + r_] = second_.z();
    return (values_[positions_ + k] - values_[k]) / step;
  }

  const Dynamics* dynamics_;
  const double* parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t positions_;
  bool forces_turn_;
  GroupAction<P> action_;
  Retraction<P> retraction_;
  GroupoidStage<P> first_;
  GroupoidStage<P> second_;
  double h_ = 0;
  std::vector<P> mu0_;
  std::vector<P> rest_;  // low-order part of x0
  std::vector<P> v_;
  std::vector<P> unknowns_;
  std::vector<P> residual_;
  std::vector<P> mean_;  // mean of l_xi at both ends
  std::vector<P> row_;
  P dz_{};
  P lever_{0.0};
  P force_{0.0};
  P free_{0.0};
  P reached_{0.0};
  M short_ = P(0.0) > P(0.0);
  M turned_ = P(0.0) > P(0.0);
  M lost_ = P(0.0) > P(0.0);
  SmallMatrix<P> transport_;
  SmallMatrix<P> inverse_left_;
  SmallMatrix<P> block_;
  SmallMatrix<P> change_;
  SquareSystem<P> system_;
  std::vector<P> values_;
  std::vector<P> point_;
  std::vector<P> work_;
};

}  // namespace herglotz::integrate
