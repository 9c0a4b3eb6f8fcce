#include "drive/rest.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "herglotz/linear/partial_lu.hpp"
#include "motion/right_side.hpp"

namespace herglotz::integrate {
namespace {

using Sizes = std::array<double, ErrorControl::groups>;

/// An implicit Euler step from a state of rest.
class FirstStep {
 public:
  FirstStep(const ErrorControl& control, RightSide& right_side, const std::vector<double>& y0)
      : control_(&control), right_side_(&right_side), y0_(&y0), rates_(static_cast<Eigen::Index>(y0.size())) {
    for (std::size_t i = 0; i < control.bounds.back(); ++i) rest_ = std::max(rest_, std::abs(y0[i]));
  }

  /// Returns the largest entries of the groups of a step tau by the rates at time t. All are 0 if y0 is not the origin,
  /// but for what rounding has left of it beside that step.
  Sizes operator()(double t, double tau) {
    Sizes sizes{};
    if (!(*right_side_)(t, y0_->data(), rates_.data())) return sizes;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    if (rest_ > epsilon * std::abs(tau) * motion_of(rates_)) return sizes;
    Eigen::MatrixXd matrix(rates_.size(), rates_.size());
    if (!right_side_->jacobian(t, y0_->data(), matrix.data())) return sizes;
    const auto identity = Eigen::MatrixXd::Identity(rates_.size(), rates_.size());
    const Eigen::VectorXd change = linear::PartialLu(identity - tau * matrix).solve(Eigen::VectorXd(tau * rates_));
    if (!change.allFinite() || rest_ > epsilon * motion_of(change)) return sizes;
    for (std::size_t g = 0; g < sizes.size(); ++g)
      for (std::size_t i = control_->bounds[g]; i < control_->bounds[g + 1]; ++i)
        sizes[g] = std::max(sizes[g], std::abs(change(static_cast<Eigen::Index>(i))));
    return sizes;
  }
  [[nodiscard]] bool is_at_origin() const { return rest_ <= kernel::least_size; }

 private:
  /// Returns the largest entry of x, w and nu. The action moves at rest too.
  [[nodiscard]] double motion_of(const Eigen::VectorXd& change) const {
    constexpr std::size_t action = 2;
    double most = 0;
    for (std::size_t g = 0; g < ErrorControl::groups; ++g)
      for (std::size_t i = control_->bounds[g]; g != action && i < control_->bounds[g + 1]; ++i)
        most = std::max(most, std::abs(change(static_cast<Eigen::Index>(i))));
    return most;
  }

  const ErrorControl* control_;
  RightSide* right_side_;
  const std::vector<double>* y0_;
  Eigen::VectorXd rates_;
  double rest_ = 0;  // the largest entry of y0
};

}  // namespace

Sizes sizes_soon(const ErrorControl& control, RightSide& right_side, double t0, double t_end,
                 const std::vector<double>& y0) {
  Sizes sizes{};
  if (control.bounds.back() == 0 || !right_side.has_small_jacobian()) return sizes;
  FirstStep step(control, right_side, y0);
  const auto at = [&](double share) {
    const double tau = share * share_at_rest * (t_end - t0);
    const Sizes found = step(t0 + tau, tau);
    for (std::size_t g = 0; g < sizes.size(); ++g) sizes[g] = std::max(sizes[g], found[g]);
  };
  for (const double share : {1.0, 0.6}) at(share);
  const auto none = [&] { return std::all_of(sizes.begin(), sizes.end(), [](double size) { return size == 0; }); };
  for (double share = 2; step.is_at_origin() && none() && share * share_at_rest < 1; share *= 2) at(share);
  return sizes;
}

}  // namespace herglotz::integrate
