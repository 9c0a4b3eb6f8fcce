// The sides of switches to which a motion goes from where their functions are zero.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "herglotz/integrate/vector_field.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the state behind one step of the classical Runge-Kutta method.
std::vector<double> after_step(integrate::CompiledVectorField& field, double t, double h,
                               const std::vector<double>& state) {
  std::vector<double> sum(state.size(), 0.0);
  std::vector<double> rates(state.size(), 0.0);
  for (const auto& [place, weight] : {std::pair{0.0, 1.0}, {0.5, 2.0}, {0.5, 2.0}, {1.0, 1.0}}) {
    std::vector<double> stage = state;
    for (std::size_t i = 0; i < state.size(); ++i) stage[i] += place * h * rates[i];
    field(t + place * h, stage, rates);
    for (std::size_t i = 0; i < state.size(); ++i) sum[i] += weight * rates[i];
  }
  std::vector<double> result = state;
  for (std::size_t i = 0; i < state.size(); ++i) result[i] += h / 6 * sum[i];
  return result;
}

}  // namespace

/// Returns the outcome of a comparison whose function is zero at the start: the side to which the motion goes.
double SwitchedMotion::side(std::size_t k, double t0, const std::vector<double>& state, double ahead) {
  constexpr double share = 1e-7;
  const double h = share * ahead;
  for (const double outcome : {1.0, -1.0}) {
    mode(k) = outcome;
    integrate::CompiledVectorField field(dynamics(), parameters_);
    std::vector<double> rates(state.size());
    field(t0, state, rates);
    std::vector<double> shifted = state;
    for (std::size_t i = 0; i < state.size(); ++i) shifted[i] += h * rates[i];
    if (values(point(t0 + h, shifted))[switches()[k].first_event] > 0) return outcome;
  }
  return 1;
}

/// Returns the value that a function has at the start: 0, or a whole number if floor rounds it, where the function
/// passes that now. Starts may be ends of pieces, whose times are rounded, and rounding must not lead back over them.
double SwitchedMotion::begun(std::size_t k, double value, double t0, const std::vector<double>& state) const {
  const double passed = switches()[k].rounds ? std::round(value) : 0.0;
  const double rate = slip_rate(k, t0, state)[0];
  return rate != 0 && is_now(t0 - (value - passed) / rate, t0) ? passed : value;
}

/// Gives a comparison the outcome that its function has at the start. Returns a reason if a body rests where the
/// function is zero and both sides lead back there, as on the edge of abs(q) in a potential; else an empty reason.
integrate::Reason SwitchedMotion::begin(std::size_t k, double value, double t0, const std::vector<double>& state) {
  if (value != 0) {
    mode(k) = value > 0 ? 1 : -1;
    return {};
  }
  constexpr double share = 1e-5;
  const double h = share * duration_;
  double size = 0;
  for (const double entry : state) size = std::max(size, std::abs(entry));
  bool leads_back = h != 0 && !mechanics::may_slide(*law_.switched, k);
  for (const double outcome : {1.0, -1.0}) {
    mode(k) = outcome;
    integrate::CompiledVectorField field(dynamics(), parameters_);
    const double ahead = values(point(t0 + h, after_step(field, t0, h, state)))[switches()[k].first_event];
    leads_back = leads_back && ahead < -still * size;
  }
  mode(k) = side(k, t0, state, duration_);
  note_leaving(k, t0, state);
  if (!leads_back) return {};
  return integrate::leading_back(switches()[k].text);
}

/// Gives a floor the whole number below its function at the start. From a whole number itself the motion may go up,
/// which is no passage, or down, which is one.
void SwitchedMotion::begin_between(std::size_t k, double value, double t0, const std::vector<double>& state) {
  mode(k) = std::floor(value);
  if (mode(k) == value) note_leaving(k, t0, state);
}

/// Changes the outcomes of comparisons whose functions have jumped over their zeros as switch k changed its own, from
/// the values `before`: the function x - floor(x + 1/2) of an absolute value changes its sign where floor jumps.
void SwitchedMotion::change_compared(std::size_t k, const std::vector<double>& before, double t,
                                     const std::vector<double>& state) {
  // A switch may compare what others decide, which compare what others decide in turn.
  for (std::size_t round = 0; round < switches().size(); ++round)
    for (std::size_t j = 0; j < switches().size(); ++j) {
      const mechanics::Switch& one = switches()[j];
      if (j == k || one.friction || holds_[j] != mechanics::Hold::none) continue;
      const std::vector<double> now = values(point(t, state));
      const double value = now[one.first_event];
      const double upper = one.rounds ? now[one.first_event + 1] : 0;
      const double over = std::max(-value, one.rounds ? -upper : -value);
      if (!(over > 0) || std::abs(value - before[one.first_event]) <= over) continue;
      if (one.rounds)
        mode(j) += std::floor(value);
      else
        mode(j) = -mode(j);
      ++records_[j].passed;
    }
}

/// Notes that the motion leaves the zero of a function at the start to the side that its outcome names, if it does: the
/// function may still be zero behind the first steps, which are as short as numbers can be.
void SwitchedMotion::note_leaving(std::size_t k, double t0, const std::vector<double>& state) {
  constexpr double share = 1e-5;
  const double h = share * duration_;
  integrate::CompiledVectorField field(dynamics(), parameters_);
  records_[k].fresh = values(point(t0 + h, after_step(field, t0, h, state)))[switches()[k].first_event] > 0;
}

/// Returns the side to which the motion carries the velocity of a friction that is zero, although friction acts against
/// that side; 0 if it does not, and for two velocities. It is looked for two short steps ahead: at a crank's dead
/// centre the velocity goes through zero with a rate that friction does not change, or, from rest, with its third
/// derivative.
double SwitchedMotion::side_ahead(std::size_t k, double t, const std::vector<double>& state) {
  if (switches()[k].plane) return 0;
  constexpr double share = 1e-5;
  const std::size_t moving = dynamics().n + dynamics().r;
  const auto largest = [&](const std::vector<double>& entries) {
    double size = 0;
    for (std::size_t i = 0; i < moving; ++i) size = std::max(size, std::abs(entries[i]));
    return size;
  };
  const double before = mode(k);
  for (const double side : {1.0, -1.0}) {
    mode(k) = side;
    integrate::CompiledVectorField field(dynamics(), parameters_);
    std::vector<double> rates(state.size());
    field(t, state, rates);
    double h = share * largest(state) / largest(rates);
    if (duration_ != 0) h = std::copysign(std::min(h, share * std::abs(duration_)), duration_);
    if (!(std::abs(h) > 0) || !std::isfinite(h)) continue;
    const auto is_ahead = [&](const std::vector<double>& at, double when) {
      return values(point(when, at))[switches()[k].first_event] > still * greatest_slip(k, when, at);
    };
    const std::vector<double> soon = after_step(field, t, h, state);
    if (is_ahead(soon, t + h) && is_ahead(after_step(field, t + h, h, soon), t + 2 * h)) return side;
  }
  mode(k) = before;
  return 0;
}

}  // namespace herglotz::simulate
