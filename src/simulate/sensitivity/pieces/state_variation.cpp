#include "sensitivity/pieces/state_variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sensitivity/pieces/jump_slopes.hpp"

namespace herglotz::simulate {

bool StateVariation::Variation::moves() const {
  return std::any_of(dt.begin(), dt.end(), [](const std::vector<double>& lanes) {
    return std::any_of(lanes.begin(), lanes.end(), [](double value) { return value != 0; });
  });
}

RunFailed without_derivative(double t) {
  return {fmt::format("the steps after t = {:.9g} have no derivative: a number is not finite, or accelerations are "
                      "solved for with too small a pivot",
                      t),
          "",
          {}};
}

StateVariation::StateVariation(TangentCode& code, const std::vector<std::vector<double>>& dy,
                               const std::vector<std::vector<double>>& dtheta)
    : code_(&code),
      dtheta_(dtheta),
      lanes_(code.steps->lanes()),
      count_(dtheta.front().size()),
      reached_(dy.front().size()),
      slope_(reached_.size()),
      directed_(code.functions.parameters()),
      point_(code.functions.variables()),
      values_(code.functions.outputs()),
      work_(code.functions.work_size()) {
  code.steps->restart();
  for (std::size_t first = 0; first < dy.size(); first += lanes_) {
    std::vector<double> slopes(states() * lanes_, 0.0);
    std::vector<double> parameters((2 * count_ + 1) * lanes_, 0.0);
    for (std::size_t lane = 0; lane < lanes_ && first + lane < dy.size(); ++lane) {
      for (std::size_t i = 0; i < states(); ++i) slopes[i * lanes_ + lane] = dy[first + lane][i];
      for (std::size_t j = 0; j < count_; ++j) parameters[(count_ + j) * lanes_ + lane] = dtheta[first + lane][j];
    }
    now_.dy.push_back(std::move(slopes));
    now_.dt.emplace_back(lanes_, 0.0);
    parameters_.push_back(std::move(parameters));
  }
}

std::vector<double> StateVariation::direction(std::size_t k) const {
  std::vector<double> dy(states());
  for (std::size_t i = 0; i < dy.size(); ++i) dy[i] = now_.dy[k / lanes_][i * lanes_ + k % lanes_];
  return dy;
}

void StateVariation::set_code(TangentCode& code) {
  code_ = &code;
  code.steps->restart();
  values_.resize(code.functions.outputs());
  work_.resize(code.functions.work_size());
}

void StateVariation::set(double t, std::span<const double> y) {
  t_ = t;
  y_.assign(y.begin(), y.end());
}

void StateVariation::set_parameters(const std::vector<double>& theta) {
  std::copy(theta.begin(), theta.end(), directed_.begin());
  for (auto& parameters : parameters_)
    for (std::size_t j = 0; j < count_; ++j)
      std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(j * lanes_), lanes_, theta[j]);
}

void StateVariation::step(double h, bool to_fixed_time) {
  const bool stays = to_fixed_time && now_.moves();
  if (stays) find_slope(h, h);
  for (std::size_t g = 0; g < now_.dy.size(); ++g)
    if (!code_->steps->step(t_, h, y_, timed(g), now_.dy[g], reached_)) throw without_derivative(t_);
  if (stays) stay(now_);
}

void StateVariation::advance(const sensitivity::TangentSteps::Steps& steps) {
  for (std::size_t g = 0; g < now_.dy.size(); ++g)
    if (!code_->steps->advance(steps, y_, timed(g), now_.dy[g], reached_)) throw without_derivative(t_);
}

bool StateVariation::advance(sensitivity::MappedPath& path, std::size_t from, std::size_t to) {
  const Variation before = now_;
  for (std::size_t k = from; k < to; ++k) {
    if (!path.cover(k)) {
      now_ = before;
      return false;
    }
    for (std::size_t g = 0; g < now_.dy.size(); ++g)
      path.go_on(k, now_.dy[g], std::span<const double>(timed(g)).subspan(count_ * lanes_), lanes_);
  }
  const auto state = path.state(to);
  reached_.assign(state.begin(), state.end());
  return true;
}

std::vector<double> StateVariation::along(const sensitivity::MappedPath& path, std::size_t boundary,
                                          std::size_t count) {
  auto varied = path.vary(boundary, count, now_.dy.front(), std::span<const double>(timed(0)).subspan(count_ * lanes_));
  if (varied.empty()) throw without_derivative(t_);
  return varied;
}

StateVariation::Variation StateVariation::within(double h, double part) {
  Variation there = now_;
  for (std::size_t g = 0; g < there.dy.size(); ++g)
    if (!code_->steps->within(t_, h, part, y_, timed(g), there.dy[g], reached_)) throw without_derivative(t_);
  return there;
}

StateVariation::Variation StateVariation::within_fixed(double h, double part) {
  if (!now_.moves()) return within(h, part);
  find_slope(h, part);
  Variation there = within(h, part);
  stay(there);
  return there;
}

StateVariation::Variation StateVariation::within_at_zero(double h, double part, std::size_t place) {
  find_slope(h, part);
  Variation there = within(h, part);
  const double t = t_ + part;
  std::copy(slope_.begin(), slope_.end(), point_.begin() + static_cast<std::ptrdiff_t>(states()));
  std::fill(directed_.begin() + static_cast<std::ptrdiff_t>(count_), directed_.end(), 0.0);
  directed_.back() = 1;
  evaluate(t, reached_);
  const double rate = values_[place];
  for (std::size_t k = 0; k < dtheta_.size(); ++k) {
    const double shift = -derivatives(k, t, reached_, there)[place] / rate;
    if (!std::isfinite(shift))
      throw RunFailed(
          fmt::format("the time t = {:.9g} of an event has no derivative: its function is at rest there", t), "", {});
    there.dt[k / lanes_][k % lanes_] += shift;
    for (std::size_t i = 0; i < states(); ++i) there.dy[k / lanes_][i * lanes_ + k % lanes_] += slope_[i] * shift;
  }
  return there;
}

void StateVariation::go_to_zero(double h, double part, std::size_t place) {
  now_ = within_at_zero(h, part, place);
}

void StateVariation::jump(const mechanics::System& system, std::size_t event) {
  const std::size_t columns = code_->columns.size();
  evaluate(t_, y_);
  const JumpSlopes slopes =
      jump_slopes(system, event, std::span<const double>(values_).subspan(values_.size() / 2 + columns),
                  std::span<const std::string>(code_->columns).first(states()), y_);
  for (std::size_t k = 0; k < dtheta_.size(); ++k) {
    const auto functions = derivatives(k, t_, y_, now_).subspan(columns);
    const auto dy = slopes.along(std::span<const double>(point_).subspan(states(), states()), functions);
    for (std::size_t i = 0; i < states(); ++i) now_.dy[k / lanes_][i * lanes_ + k % lanes_] = dy[i];
  }
  reached_ = slopes.state;
}

std::span<const double> StateVariation::derivatives(std::size_t k, double t, const std::vector<double>& y,
                                                    const Variation& variation) {
  for (std::size_t i = 0; i < states(); ++i) point_[states() + i] = variation.dy[k / lanes_][i * lanes_ + k % lanes_];
  std::copy(dtheta_[k].begin(), dtheta_[k].end(), directed_.begin() + static_cast<std::ptrdiff_t>(count_));
  directed_.back() = variation.dt[k / lanes_][k % lanes_];
  evaluate(t, y);
  return values_;
}

double StateVariation::rate(std::size_t place, double t, const std::vector<double>& y, std::span<const double> y_dot,
                            const std::vector<double>& theta) {
  const std::vector<double> kept = directed_;
  std::copy(theta.begin(), theta.end(), directed_.begin());
  std::fill(directed_.begin() + static_cast<std::ptrdiff_t>(count_), directed_.end(), 0.0);
  directed_.back() = 1;
  std::copy(y_dot.begin(), y_dot.end(), point_.begin() + static_cast<std::ptrdiff_t>(states()));
  evaluate(t, y);
  directed_ = kept;
  return values_[place];
}

/// Returns the parameters of a group with the derivative of the time at which the next step begins.
const std::vector<double>& StateVariation::timed(std::size_t g) {
  std::copy(now_.dt[g].begin(), now_.dt[g].end(), parameters_[g].end() - static_cast<std::ptrdiff_t>(lanes_));
  return parameters_[g];
}

void StateVariation::find_slope(double h, double part) {
  if (!code_->steps->by_part(t_, h, part, y_, parameters_.front(), slope_)) throw without_derivative(t_);
}

/// Fixes a time that moves: the state moves by its rate slope_ instead.
void StateVariation::stay(Variation& there) const {
  for (std::size_t g = 0; g < there.dy.size(); ++g)
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const double shift = std::exchange(there.dt[g][lane], 0.0);
      for (std::size_t i = 0; i < states(); ++i) there.dy[g][i * lanes_ + lane] -= slope_[i] * shift;
    }
}

/// Writes the derivatives along the variation that is loaded, and the values of all functions, into values_.
void StateVariation::evaluate(double t, const std::vector<double>& y) {
  std::copy(y.begin(), y.end(), point_.begin());
  point_.back() = t;
  code_->functions(point_.data(), directed_.data(), values_.data(), work_.data());
}

}  // namespace herglotz::simulate
