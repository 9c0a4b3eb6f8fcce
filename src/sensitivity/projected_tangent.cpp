#include <Eigen/Core>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/sensitivity/projected_steps.hpp"
#include "projection.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using linear::index;

class ProjectedTangent final : public TangentSteps {
 public:
  ProjectedTangent(std::unique_ptr<TangentSteps> steps, ProjectionForm form)
      : steps_(std::move(steps)), projection_(std::move(form)) {}

  void restart() override { steps_->restart(); }
  [[nodiscard]] std::size_t lanes() const override { return steps_->lanes(); }

  bool step(double t, double h, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
            std::span<double> reached) override {
    return steps_->step(t, h, y, parameters, dy, reached) && project(t + h, parameters, reached, dy);
  }

  bool within(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
              std::span<double> dy, std::span<double> reached) override {
    return steps_->within(t, h, part, y, parameters, dy, reached) && project(t + part, parameters, reached, dy);
  }

  bool by_part(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
               std::span<double> slope) override {
    const Index states = index(projection_.states());
    std::vector<double> reached(projection_.states());
    std::vector<double> dy(projection_.states() * lanes(), 0.0);
    if (!steps_->within(t, h, part, y, parameters, dy, reached) || !steps_->by_part(t, h, part, y, parameters, slope) ||
        !projection_.solve(t + part, theta_in(parameters), reached))
      return false;
    Eigen::Map<VectorXd> moved(slope.data(), states);
    MatrixXd along = MatrixXd::Zero(states + index(theta_.size()) + 1, 1);
    along.topRows(states) = moved;
    along.bottomRows(1).setOnes();  // the time of the projection moves
    projection_.replaced_rows(moved) = projection_.along(along);
    return finite(slope);
  }

 private:
  /// Projects y at the time t, with its derivatives.
  bool project(double t, std::span<const double> parameters, std::span<double> y, std::span<double> dy) {
    if (!projection_.solve(t, theta_in(parameters), y)) return false;
    const Index states = index(projection_.states());
    const Index count = index(theta_.size());
    MatrixXd along(states + count + 1, index(lanes()));
    Eigen::Map<RowMajor> variation(dy.data(), states, index(lanes()));
    along.topRows(states) = variation;
    along.bottomRows(count + 1) =
        Eigen::Map<const RowMajor>(parameters.data() + count * index(lanes()), count + 1, index(lanes()));
    projection_.replaced_rows(variation) = projection_.along(along);
    projection_.replace(y);
    return finite(y) && finite(dy);
  }

  /// Returns theta of the parameters (theta, dtheta, dt), which are lane-minor.
  std::span<const double> theta_in(std::span<const double> parameters) {
    theta_.resize((parameters.size() / lanes() - 1) / 2);
    for (std::size_t j = 0; j < theta_.size(); ++j) theta_[j] = parameters[j * lanes()];
    return theta_;
  }

  std::unique_ptr<TangentSteps> steps_;
  Projection projection_;
  std::vector<double> theta_;
};

}  // namespace

std::unique_ptr<TangentSteps> projected_tangent(std::unique_ptr<TangentSteps> steps, ProjectionForm form) {
  return std::make_unique<ProjectedTangent>(std::move(steps), std::move(form));
}

}  // namespace herglotz::sensitivity
