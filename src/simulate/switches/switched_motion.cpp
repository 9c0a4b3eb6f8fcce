#include "switches/switched_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/integrate/vector_field.hpp"

namespace herglotz::simulate {

SwitchedMotion::SwitchedMotion(Laws laws, std::vector<double> parameters, double t0, std::vector<double>& state,
                               double t_end)
    : laws_(std::move(laws)),
      duration_(t_end - t0),
      first_mode_(parameters.size()),
      parameters_(std::move(parameters)) {
  std::string none;
  law_ = laws_({}, none);
  slides_.assign(switches().size(), false);
  records_.resize(switches().size());
  parameters_.resize(first_mode_ + switches().size(), 0.0);
  for (std::size_t k = 0; k < switches().size(); ++k)
    if (!switches()[k].rounds) mode(k) = 1;
  // A switch may compare what the ones before it decide.
  const auto size = static_cast<std::ptrdiff_t>(dynamics().n + dynamics().r);
  const auto larger = [](double a, double b) { return std::max(a, std::abs(b)); };
  const double largest =
      std::accumulate(state.begin() + static_cast<std::ptrdiff_t>(dynamics().n), state.begin() + size, 0.0, larger);
  constexpr double still = 1e-12;
  for (std::size_t k = 0; k < switches().size() && refusal_.empty(); ++k) {
    const double value = values(point(t0, state))[switches()[k].first_event];
    if (switches()[k].rounds)
      mode(k) = std::floor(value);
    else if (!switches()[k].friction)
      mode(k) = value > 0 ? 1 : value < 0 ? -1 : side(k, t0, state, duration_);
    else if (std::abs(value) > still * largest)
      mode(k) = value > 0 ? 1 : -1;
    else
      refusal_ = settle(k, t0, state);
  }
}

std::vector<double> SwitchedMotion::point(double t, const std::vector<double>& state) const {
  const integrate::Dynamics& d = *law_.dynamics;
  const std::size_t size = d.n + d.r + 1;
  std::vector<double> v(d.variables(), 0.0);
  std::copy_n(state.begin(), size, v.begin());
  v[size] = t;
  std::copy(state.begin() + static_cast<std::ptrdiff_t>(size), state.end(),
            v.begin() + static_cast<std::ptrdiff_t>(size) + 1);
  return v;
}

std::vector<double> SwitchedMotion::values(const std::vector<double>& v) const {
  std::vector<double> result(functions().outputs());
  std::vector<double> work(functions().work_size());
  functions()(v.data(), parameters_.data(), result.data(), work.data());
  return result;
}

/// Returns the outcome of a comparison whose function is zero at the start: the side to which the motion goes.
double SwitchedMotion::side(std::size_t k, double t0, const std::vector<double>& state, double ahead) {
  constexpr double share = 1e-7;
  const double h = share * ahead;
  for (const double outcome : {1.0, -1.0}) {
    mode(k) = outcome;
    integrate::VectorField field(dynamics(), parameters_);
    std::vector<double> rates(state.size());
    field(t0, state, rates);
    std::vector<double> shifted = state;
    for (std::size_t i = 0; i < state.size(); ++i) shifted[i] += h * rates[i];
    if (values(point(t0 + h, shifted))[switches()[k].first_event] > 0) return outcome;
  }
  return 1;
}

SwitchedMotion::Energy SwitchedMotion::energy(double t, const std::vector<double>& state) const {
  const std::vector<double> v = point(t, state);
  std::vector<double> out(dynamics().balance.outputs());
  std::vector<double> work(dynamics().balance.work_size());
  dynamics().balance(v.data(), parameters_.data(), out.data(), work.data());
  return {out[1], out[2]};
}

std::vector<integrate::Condition> SwitchedMotion::conditions() const {
  std::vector<integrate::Condition> result;
  for (std::size_t k = 0; k < switches().size(); ++k)
    result.insert(result.end(), switches()[k].events(), {switches()[k].text, !records_[k].fresh || slides_[k]});
  return result;
}

std::string SwitchedMotion::pass(std::size_t condition, double t, std::vector<double>& state) {
  const std::vector<double> now = values(point(t, state));
  for (std::size_t k = 0; k < switches().size(); ++k)
    records_[k].fresh = records_[k].fresh && !(now[switches()[k].first_event] > 0);
  const std::size_t event = switches().front().first_event + condition;
  const auto holds = [&](const mechanics::Switch& one) { return event < one.first_event + one.events(); };
  const auto it = std::find_if(switches().begin(), switches().end(), holds);
  const auto k = static_cast<std::size_t>(it - switches().begin());
  Record& record = records_[k];
  if (slides_[k]) {
    leave(k, event == it->first_event ? 1 : -1);
    return {};
  }
  if (it->friction) return settle(k, t, state);
  constexpr double round_off = 1e-12;
  const bool again =
      record.last && std::abs(t - *record.last) <= round_off * std::max(std::abs(t), std::abs(duration_));
  record.last = t;
  if (again && mechanics::may_slide(*law_.switched, k)) {
    const auto reserve = hold(k, t, state);
    if (reserve && reserve->holds()) {
      --records_[k].passed;  // it was passed once, to be held
      return {};
    }
  }
  return change(k, event, t, state);
}

/// Holds the motion where the function of a switch is zero, if the force that this takes is within its interval. Else
/// everything is as it was. Returns `std::nullopt` if the force is not determined.
std::optional<SwitchedMotion::Reserve> SwitchedMotion::hold(std::size_t k, double t, std::vector<double>& state) {
  const PieceLaw before = law_;
  std::optional<Reserve> reserve;
  slides_[k] = true;
  std::string why_not;
  law_ = laws_(slides_, why_not);
  if (why_not.empty() && dynamics().m > before.dynamics->m) {
    const integrate::Dynamics& d = dynamics();
    const auto projected = integrate::project(d, parameters_, t, state);
    if (projected.status == integrate::Status::success) {
      std::vector<double> v = point(t, projected.state);
      std::vector<double> multipliers(d.m);
      integrate::VectorField(d, parameters_).multipliers(t, projected.state, multipliers);
      std::copy(multipliers.begin(), multipliers.end(), v.end() - static_cast<std::ptrdiff_t>(d.m));
      const std::vector<double> left = values(v);
      const std::size_t first = switches()[k].first_event;
      if (std::isfinite(left[first]) && std::isfinite(left[first + 1])) reserve = {left[first], left[first + 1]};
      if (reserve && reserve->holds()) {
        state = projected.state;
        if (records_[k].held++ == 0) records_[k].first = t;
        return reserve;
      }
    }
  }
  slides_[k] = false;
  law_ = before;
  return reserve;
}

/// Lets the motion leave the zero set of a function to one of its sides.
void SwitchedMotion::leave(std::size_t k, double side) {
  mode(k) = side;
  records_[k].fresh = true;
  if (!slides_[k]) return;
  slides_[k] = false;
  std::string none;
  law_ = laws_(slides_, none);
}

/// Lets friction whose velocity is zero stick if the force that this takes is within its bounds, and slip else. Returns
/// a sentence if the force is not determined, else an empty string.
std::string SwitchedMotion::settle(std::size_t k, double t, std::vector<double>& state) {
  const auto reserve = hold(k, t, state);
  if (!reserve)
    return fmt::format("the force of the friction on '{}' is not determined where something else holds that velocity",
                       switches()[k].text);
  if (!reserve->holds()) leave(k, reserve->forwards < 0 ? 1 : -1);
  return {};
}

/// Changes the outcome of a comparison. Returns a sentence if the energy jumps there, else an empty string.
std::string SwitchedMotion::change(std::size_t k, std::size_t event, double t, const std::vector<double>& state) {
  const mechanics::Switch& one = switches()[k];
  const Energy before = energy(t, state);
  if (!one.rounds)
    mode(k) = -mode(k);
  else
    mode(k) += event == one.first_event ? -1 : 1;
  ++records_[k].passed;
  const Energy after = energy(t, state);
  constexpr double equal = 1e-9;
  const double jump = after.value - before.value;
  if (std::abs(jump) <= equal * std::max(before.scale, after.scale)) return {};
  return fmt::format("the energy jumps by {:.6g} where '{}' passes {} (give the Lagrangian one value on both sides)",
                     jump, one.text, one.rounds ? "a whole number" : "0");
}

/// Replaces the multipliers that hold switches by the modes of all frictions and the forces that hold these.
void SwitchedMotion::show(integrate::Sample& sample) const {
  const auto held = static_cast<std::size_t>(std::count(slides_.begin(), slides_.end(), true));
  const auto is_friction = [](const mechanics::Switch& one) { return one.friction.has_value(); };
  const auto frictions = static_cast<std::size_t>(std::count_if(switches().begin(), switches().end(), is_friction));
  std::size_t multiplier = sample.multipliers.size() - held;
  std::vector<double> modes(2 * frictions, 0.0);
  for (std::size_t k = 0; k < switches().size(); ++k) {
    const double force = slides_[k] ? sample.multipliers[multiplier++] : 0.0;
    const auto friction = switches()[k].friction;
    if (!friction) continue;
    modes[*friction] = slides_[k] ? 0.0 : mode(k);
    modes[frictions + *friction] = force;
  }
  sample.multipliers.resize(sample.multipliers.size() - held);
  sample.multipliers.insert(sample.multipliers.end(), modes.begin(), modes.end());
}

std::vector<Passage> SwitchedMotion::passages() const {
  std::vector<Passage> result;
  for (std::size_t k = 0; k < records_.size(); ++k)
    result.push_back({switches()[k].text, switches()[k].friction.has_value(), records_[k].passed, records_[k].held,
                      records_[k].first});
  return result;
}

void add(std::vector<Passage>& whole, const std::vector<Passage>& part) {
  for (const Passage& more : part) {
    const auto same = [&](const Passage& one) { return one.text == more.text && one.friction == more.friction; };
    const auto known = std::find_if(whole.begin(), whole.end(), same);
    if (known == whole.end()) {
      whole.push_back(more);
      continue;
    }
    if (known->held == 0) known->first = more.first;
    known->passed += more.passed;
    known->held += more.held;
  }
}

std::vector<std::string> notes_of(const std::vector<Passage>& passages) {
  const auto times = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "time" : "times"); };
  std::vector<std::string> result;
  std::vector<std::string> passed;
  for (const Passage& one : passages)
    if (one.passed > 0) passed.push_back(fmt::format("'{}' {}", one.text, times(one.passed)));
  if (!passed.empty())
    result.push_back(fmt::format("steps end at the switches that the motion passes: {}", fmt::join(passed, ", ")));
  for (const Passage& one : passages) {
    const std::string held = one.friction ? fmt::format("the friction on '{}' sticks", one.text)
                                          : fmt::format("the motion stays on '{}' = 0", one.text);
    if (one.held > 0) result.push_back(fmt::format("{} {}, first from t = {:.9g}", held, times(one.held), one.first));
  }
  return result;
}

integrate::Outcome follow_between_switches(const SwitchedMotion::Laws& laws, const std::vector<double>& parameters,
                                           const Start& from, const integrate::Settings& settings,
                                           const integrate::Sink& sink, const integrate::Watch& watch,
                                           std::vector<Passage>& passages) {
  std::vector<double> state = from.state;
  SwitchedMotion pieces(laws, parameters, from.t0, state, settings.t_end);
  if (!pieces.refusal().empty()) {
    integrate::Outcome outcome;
    outcome.status = integrate::Status::not_converged;
    outcome.message = fmt::format("{} at t = {:.9g}", pieces.refusal(), from.t0);
    outcome.t = from.t0;
    outcome.state = from.state;
    return outcome;
  }
  auto outcome = integrate::integrate_pieces(pieces, from.t0, state, settings, sink, watch);
  if (settings.t_end != from.t0) add(passages, pieces.passages());
  return outcome;
}

}  // namespace herglotz::simulate
