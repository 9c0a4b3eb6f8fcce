#include "drive/rest.hpp"

#include <algorithm>
#include <cmath>

#include "motion/right_side.hpp"

namespace herglotz::integrate {
namespace {

using Sizes = std::array<double, ErrorControl::groups>;

/// Two steps of Euler's explicit method from a state of rest.
class FirstSteps {
 public:
  FirstSteps(const ErrorControl& control, RightSide& right_side, const std::vector<double>& y0)
      : control_(&control), right_side_(&right_side), y0_(&y0), y_(y0), f_{y0, y0, y0} {
    for (std::size_t i = 0; i < control.bounds.back(); ++i) rest_ = std::max(rest_, std::abs(y0[i]));
  }

  /// Returns whether the rates at time t move y0, within tau, by more than rounding has left of it: it is the origin
  /// then, and where it is not, nothing is to be looked for.
  bool leaves_origin(double t, double tau) {
    if (!(*right_side_)(t, y0_->data(), f_[0].data())) return false;
    double fastest = 0;
    for (std::size_t i = 0; i < control_->bounds.back(); ++i) fastest = std::max(fastest, std::abs(f_[0][i]));
    return rest_ <= std::numeric_limits<double>::epsilon() * std::abs(tau) * fastest;
  }
  /// Returns the largest entries of the groups after two steps at time t, by the rates that leaves_origin() has found
  /// there. Steps are halved from tau on until the rates of x, w and nu differ between one step and two by less than
  /// twice what they are after one. All are 0 if no steps are short enough.
  Sizes operator()(double t, double tau) {
    Sizes sizes{};
    constexpr int most_halves = 200;
    for (int k = 0; k < most_halves; ++k, tau /= 2) {
      if (!two_steps(t, tau)) continue;
      for (std::size_t g = 0; g < sizes.size(); ++g)
        sizes[g] = largest(g, [&](std::size_t i) { return y_[i] - (*y0_)[i]; });
      return sizes;
    }
    return sizes;
  }
  [[nodiscard]] bool is_origin() const { return rest_ <= kernel::least_size; }

 private:
  /// Takes two steps tau and returns whether they are short enough.
  bool two_steps(double t, double tau) {
    y_ = *y0_;
    for (int stage = 1; stage <= 2; ++stage) {
      for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += tau * f_[stage - 1][i];
      if (!(*right_side_)(t, y_.data(), f_[stage].data())) return false;
    }
    // The second step changes velocities as much as the first one, and the action by the square of that.
    constexpr std::size_t action = 2;
    for (std::size_t g = 0; g < ErrorControl::groups; ++g)
      if (g != action && largest(g, [&](std::size_t i) { return f_[2][i] - f_[1][i]; }) >
                             2 * largest(g, [&](std::size_t i) { return f_[1][i]; }))
        return false;
    return true;
  }
  template <class Value>
  double largest(std::size_t group, Value value) const {
    double most = 0;
    for (std::size_t i = control_->bounds[group]; i < control_->bounds[group + 1]; ++i)
      most = std::max(most, std::abs(value(i)));
    return most;
  }

  const ErrorControl* control_;
  RightSide* right_side_;
  const std::vector<double>* y0_;
  double rest_ = 0;  // the largest entry of y0
  std::vector<double> y_;
  std::array<std::vector<double>, 3> f_;  // at y0, after one step, after two
};

}  // namespace

Sizes sizes_soon(const ErrorControl& control, RightSide& right_side, double t0, double t_end,
                 const std::vector<double>& y0) {
  Sizes sizes{};
  FirstSteps steps(control, right_side, y0);
  const auto at = [&](double share) {
    const double tau = share * share_at_rest * (t_end - t0);
    if (!steps.leaves_origin(t0 + tau, tau)) return;
    const Sizes found = steps(t0 + tau, tau);
    for (std::size_t g = 0; g < sizes.size(); ++g) sizes[g] = std::max(sizes[g], found[g]);
  };
  for (const double share : {1.0, 0.6}) at(share);
  const auto none = [&] { return std::all_of(sizes.begin(), sizes.end(), [](double size) { return size == 0; }); };
  for (double share = 2; steps.is_origin() && none() && share * share_at_rest < 1; share *= 2) at(share);
  return sizes;
}

}  // namespace herglotz::integrate
