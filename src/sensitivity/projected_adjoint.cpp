#include <algorithm>
#include <utility>
#include <vector>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/sensitivity/projected_steps.hpp"
#include "projection.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

/// A step keeps three things: what the step before the projection keeps, the state that this step reaches, and the
/// solution of the projection.
class ProjectedAdjoint final : public AdjointSteps {
 public:
  ProjectedAdjoint(std::unique_ptr<AdjointSteps> steps, ProjectionForm form)
      : steps_(std::move(steps)), projection_(std::move(form)), own_(steps_->kept()) {}

  void restart() override { steps_->restart(); }
  [[nodiscard]] std::size_t states() const override { return steps_->states(); }
  [[nodiscard]] std::size_t kept() const override { return own_ + states() + projection_.unknowns(); }

  bool forward(const Step& step, std::span<double> kept, std::span<double> reached) override {
    const std::span<double> before = kept.subspan(own_, states());
    if (!steps_->forward(step, kept.first(own_), before) || !projection_.solve(step.t + step.part, step.theta, before))
      return false;
    std::copy(before.begin(), before.end(), reached.begin());
    projection_.replace(reached);
    const auto solution = projection_.solution();
    std::copy(solution.begin(), solution.end(), kept.begin() + linear::index(own_ + states()));
    return finite(reached);
  }

  std::optional<ByTimes> backward(const Step& step, std::span<const double> kept, std::span<double> cotangent,
                                  std::span<double> by_theta) override {
    if (!projection_.recall(step.t + step.part, step.theta, kept.subspan(own_, states()),
                            kept.subspan(own_ + states())))
      return std::nullopt;
    const Eigen::VectorXd by_theta_t = projection_.back(cotangent);
    const double by_t = by_theta_t[by_theta_t.size() - 1];
    for (std::size_t j = 0; j < by_theta.size(); ++j) by_theta[j] += by_theta_t[linear::index(j)];
    auto by = steps_->backward(step, kept.first(own_), cotangent, by_theta);
    // The time of the projection is t + part.
    if (by) *by = {by->t + by_t, by->part + by_t};
    return by;
  }

 private:
  std::unique_ptr<AdjointSteps> steps_;
  Projection projection_;
  std::size_t own_;  // numbers that a step before its projection keeps
};

}  // namespace

std::unique_ptr<AdjointSteps> projected_adjoint(std::unique_ptr<AdjointSteps> steps, ProjectionForm form) {
  return std::make_unique<ProjectedAdjoint>(std::move(steps), std::move(form));
}

}  // namespace herglotz::sensitivity
