#include "herglotz/sensitivity/projected_tangent.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using linear::index;

constexpr int most_projections = 20;
constexpr double projected = 4 * std::numeric_limits<double>::epsilon();
/// Relative change below which changes that no longer fall are round-off.
constexpr double projection_round_off = 1e-9;

double largest(const Eigen::Ref<const VectorXd>& of) {
  return of.cwiseAbs().maxCoeff();
}

class ProjectedTangent final : public TangentSteps {
 public:
  ProjectedTangent(std::unique_ptr<TangentSteps> steps, ProjectionForm form)
      : steps_(std::move(steps)),
        form_(std::move(form)),
        unknowns_(form_.replaced + form_.others),
        point_(form_.kernel.variables()),
        values_(form_.kernel.outputs()),
        work_(form_.kernel.work_size()) {}

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
    std::vector<double> reached(form_.states);
    std::vector<double> dy(form_.states * lanes(), 0.0);
    if (!steps_->within(t, h, part, y, parameters, dy, reached) || !steps_->by_part(t, h, part, y, parameters, slope) ||
        !solve(t + part, parameters, reached))
      return false;
    MatrixXd along = MatrixXd::Zero(slopes_.cols() - index(unknowns_), 1);
    along.topRows(index(form_.states)) = Eigen::Map<const VectorXd>(slope.data(), index(form_.states));
    along.bottomRows(1).setOnes();  // the time of the projection moves
    const MatrixXd d_replaced = differentiate(along);
    std::copy_n(d_replaced.data(), form_.replaced, slope.begin() + index(form_.first));
    return finite(slope);
  }

 private:
  /// Projects y at the time t, with its derivatives.
  bool project(double t, std::span<const double> parameters, std::span<double> y, std::span<double> dy) {
    if (!solve(t, parameters, y)) return false;
    const Index count = (index(parameters.size() / lanes()) - 1) / 2;
    MatrixXd along(index(form_.states) + count + 1, index(lanes()));
    Eigen::Map<RowMajor> variation(dy.data(), index(form_.states), index(lanes()));
    along.topRows(index(form_.states)) = variation;
    along.bottomRows(count + 1) =
        Eigen::Map<const RowMajor>(parameters.data() + count * index(lanes()), count + 1, index(lanes()));
    variation.middleRows(index(form_.first), index(form_.replaced)) = differentiate(along);
    std::copy_n(point_.begin(), form_.replaced, y.begin() + index(form_.first));
    return finite(y) && finite(dy);
  }

  /// Solves for the entries behind the projection of y, by Newton's method.
  bool solve(double t, std::span<const double> parameters, std::span<const double> y) {
    theta_.resize((parameters.size() / lanes() - 1) / 2);
    for (std::size_t j = 0; j < theta_.size(); ++j) theta_[j] = parameters[j * lanes()];
    std::copy_n(y.begin() + index(form_.first), form_.replaced, point_.begin());
    std::fill_n(point_.begin() + index(form_.replaced), form_.others, 0.0);
    std::copy(y.begin(), y.end(), point_.begin() + index(unknowns_));
    point_.back() = t;
    const double before = largest(replaced());
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most_projections; ++round) {
      form_.kernel(point_.data(), theta_.data(), values_.data(), work_.data());
      if (!finite(values_)) return false;
      slopes_.setZero(index(unknowns_), index(unknowns_ + form_.states + theta_.size() + 1));
      for (std::size_t k = 0; k < form_.row.size(); ++k)
        slopes_(index(form_.row[k]), index(form_.col[k])) = values_[unknowns_ + k];
      lu_.compute(slopes_.leftCols(index(unknowns_)));
      const VectorXd change = lu_.solve(Eigen::Map<const VectorXd>(values_.data(), index(unknowns_)));
      Eigen::Map<VectorXd> unknowns(point_.data(), index(unknowns_));
      const double moved = largest(change.head(index(form_.replaced)));
      const double size = std::max(before, largest(replaced()));
      if (moved <= projected * size || (moved <= projection_round_off * size && moved >= last)) return true;
      last = moved;
      unknowns -= change;
    }
    return false;
  }

  /// Returns the entries behind the projection, in point_.
  [[nodiscard]] Eigen::Map<const VectorXd> replaced() const { return {point_.data(), index(form_.replaced)}; }

  /// Returns the derivatives of the replaced entries along those of (y, theta, t).
  [[nodiscard]] MatrixXd differentiate(const MatrixXd& along) const {
    const MatrixXd right = slopes_.rightCols(along.rows()) * along;
    return -lu_.solve(right).topRows(index(form_.replaced));
  }

  std::unique_ptr<TangentSteps> steps_;
  ProjectionForm form_;
  std::size_t unknowns_;
  std::vector<double> theta_;
  std::vector<double> point_;  // (u, k, y, t)
  std::vector<double> values_;
  std::vector<double> work_;
  MatrixXd slopes_;
  linear::PartialLu lu_;
};

}  // namespace

std::unique_ptr<TangentSteps> projected_tangent(std::unique_ptr<TangentSteps> steps, ProjectionForm form) {
  return std::make_unique<ProjectedTangent>(std::move(steps), std::move(form));
}

}  // namespace herglotz::sensitivity
