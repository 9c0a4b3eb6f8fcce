#include "switches/switched_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "herglotz/integrate/vector_field.hpp"

namespace herglotz::simulate {

SwitchedMotion::SwitchedMotion(Laws laws, std::vector<double> parameters, double t0, const std::vector<double>& state,
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
  for (std::size_t k = 0; k < switches().size(); ++k) {
    const double value = values(point(t0, state))[switches()[k].first_event];
    if (switches()[k].rounds)
      mode(k) = std::floor(value);
    else
      mode(k) = value > 0 ? 1 : value < 0 ? -1 : side(k, t0, state, duration_);
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
    mode(k) = event == it->first_event ? 1 : -1;
    slides_[k] = false;
    record.fresh = true;
    std::string none;
    law_ = laws_(slides_, none);
    return {};
  }
  constexpr double round_off = 1e-12;
  const bool again =
      record.last && std::abs(t - *record.last) <= round_off * std::max(std::abs(t), std::abs(duration_));
  record.last = t;
  if (again && mechanics::may_slide(*law_.switched, k) && hold(k, t, state)) return {};
  return change(k, event, t, state);
}

/// Holds the motion where the function of a switch is zero, if the force that this takes lies between those of both
/// sides. Returns false, with everything as it was, if not.
bool SwitchedMotion::hold(std::size_t k, double t, std::vector<double>& state) {
  const PieceLaw before = law_;
  slides_[k] = true;
  std::string why_not;
  law_ = laws_(slides_, why_not);
  if (why_not.empty()) {
    const integrate::Dynamics& d = dynamics();
    const auto projected = integrate::project(d, parameters_, t, state);
    if (projected.status == integrate::Status::success && d.m > before.dynamics->m) {
      std::vector<double> v = point(t, projected.state);
      std::vector<double> multipliers(d.m);
      integrate::VectorField(d, parameters_).multipliers(t, projected.state, multipliers);
      std::copy(multipliers.begin(), multipliers.end(), v.end() - static_cast<std::ptrdiff_t>(d.m));
      const std::vector<double> left = values(v);
      const std::size_t first = switches()[k].first_event;
      if (left[first] >= 0 && left[first + 1] >= 0) {
        state = projected.state;
        if (records_[k].held++ == 0) records_[k].first = t;
        --records_[k].passed;  // it was passed once, to be held
        return true;
      }
    }
  }
  slides_[k] = false;
  law_ = before;
  return false;
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

void SwitchedMotion::show(integrate::Sample& sample) const {
  const auto held = static_cast<std::size_t>(std::count(slides_.begin(), slides_.end(), true));
  sample.multipliers.resize(sample.multipliers.size() - held);
}

std::vector<std::string> SwitchedMotion::notes() const {
  std::vector<std::string> result;
  std::vector<std::string> passed;
  const auto times = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "time" : "times"); };
  for (std::size_t k = 0; k < records_.size(); ++k)
    if (records_[k].passed > 0) passed.push_back(fmt::format("'{}' {}", switches()[k].text, times(records_[k].passed)));
  if (!passed.empty())
    result.push_back(fmt::format("steps end at the switches that the motion passes: {}", fmt::join(passed, ", ")));
  for (std::size_t k = 0; k < records_.size(); ++k)
    if (records_[k].held > 0)
      result.push_back(fmt::format("the motion stays on '{}' = 0 {}, first from t = {:.9g}", switches()[k].text,
                                   times(records_[k].held), records_[k].first));
  return result;
}

}  // namespace herglotz::simulate
