#include <algorithm>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/sensitivity/implicit_steps.hpp"
#include "implicit_stages.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using linear::index;

class ImplicitTangent final : public TangentSteps {
 public:
  ImplicitTangent(ImplicitForm form, ImplicitTableau tableau, std::size_t directions)
      : equations_(std::move(form), std::move(tableau)),
        tableau_(equations_.tableau()),
        directions_(directions),
        size_(equations_.size()),
        stages_(equations_.count()) {}

  void restart() override { equations_.restart(); }
  [[nodiscard]] std::size_t lanes() const override { return directions_; }

  [[nodiscard]] bool recalls() const override { return true; }
  void recall(std::span<const double> kept) override { kept_ = kept; }

  bool step(double t, double h, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
            std::span<double> reached) override {
    if (tableau_.dense) return within(t, h, h, y, parameters, dy, reached);
    load(y, parameters, dy);
    if (!solve(t, h)) return false;
    differentiate(h);
    return emit(equations_.end().u, d_end(h), dy, reached);
  }

  bool within(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
              std::span<double> dy, std::span<double> reached) override {
    if (!tableau_.dense) return step(t, part, y, parameters, dy, reached);
    load(y, parameters, dy);
    if (!solve(t, h)) return false;
    differentiate(h);
    const double s = part / h;
    Vector state = equations_.weight(0, s).value * equations_.start().u;
    Matrix d_state = Matrix::Zero(size_, index(directions_));
    d_state.topRows(equations_.states()) += equations_.weight(0, s).value * d_y_;
    for (std::size_t i = 0; i < stages_; ++i) {
      const double factor = equations_.weight(tableau_.c[i], s).value;
      state += factor * equations_.stage(i).u;
      d_state += factor * d_stages_.middleRows(equations_.at(i), size_);
    }
    return emit(state, d_state, dy, reached);
  }

  bool by_part(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
               std::span<double> slope) override {
    load(y, parameters, {});
    Vector by;
    if (tableau_.dense) {
      if (!solve(t, h)) return false;
      by = equations_.weight(0, part / h).slope * equations_.start().u;
      for (std::size_t i = 0; i < stages_; ++i)
        by += equations_.weight(tableau_.c[i], part / h).slope * equations_.stage(i).u;
      by /= h;
    } else {
      if (!solve(t, part)) return false;
      differentiate_by_size(part);
      by = d_end(part);
    }
    std::copy_n(by.data(), equations_.states(), slope.begin());
    return finite(slope);
  }

 private:
  void load(std::span<const double> y, std::span<const double> parameters, std::span<const double> dy) {
    const std::size_t count = (parameters.size() / directions_ - 1) / 2;
    theta_.resize(count);
    for (std::size_t j = 0; j < count; ++j) theta_[j] = parameters[j * directions_];
    d_theta_ =
        Eigen::Map<const RowMajor>(parameters.data() + count * directions_, index(count + 1), index(directions_));
    if (!dy.empty()) d_y_ = Eigen::Map<const RowMajor>(dy.data(), equations_.states(), index(directions_));
    equations_.begin(y, theta_);
  }

  /// Solves the equations of the step, or takes the solution that is known.
  bool solve(double t, double h) {
    const auto known = std::exchange(kept_, {});
    return known.empty() ? equations_.solve(t, h) : equations_.recall(t, h, known);
  }

  /// Computes the derivatives of m at the start, of the stages, and of g at the stages along the directions.
  void differentiate(double h) {
    const Index count = d_theta_.rows();
    const FormAtPoint& start = equations_.start();
    d_start_.noalias() = start.slopes.topLeftCorner(size_, equations_.states()) * d_y_;
    d_start_.noalias() += start.slopes.topRightCorner(size_, count) * d_theta_;
    own_.resize(stages_);
    for (std::size_t i = 0; i < stages_; ++i)
      own_[i].noalias() = equations_.stage(i).slopes.rightCols(count) * d_theta_;
    d_size_ = Matrix::Zero(1, d_theta_.cols());
    d_end_ = d_theta_;
    differentiate_stages(h);
  }

  /// Does so for the size of the step as the only direction: the times of the stages move by c_i.
  void differentiate_by_size(double h) {
    d_start_ = Matrix::Zero(size_, 1);
    own_.resize(stages_);
    for (std::size_t i = 0; i < stages_; ++i) own_[i] = equations_.stage(i).slopes.rightCols(1) * tableau_.c[i];
    d_size_ = Matrix::Ones(1, 1);
    d_end_ = Matrix::Zero(d_theta_.rows(), 1);
    d_end_.bottomRows(1).setOnes();
    differentiate_stages(h);
  }

  /// Solves for the derivatives of the stages, given those of m at the start, of m and g at fixed stages, and of h.
  void differentiate_stages(double h) {
    right_.resize(size_ * index(stages_), d_start_.cols());
    for (std::size_t i = 0; i < stages_; ++i) {
      auto right = right_.middleRows(equations_.at(i), size_);
      right = d_start_ - own_[i].topRows(size_);
      for (std::size_t j = 0; j < stages_; ++j) {
        const Vector& a = equations_.entries(i, j);
        right += (h * a).asDiagonal() * own_[j].bottomRows(size_);
        right.noalias() += a.cwiseProduct(equations_.stage(j).g) * d_size_;
      }
    }
    equations_.of_stages().solve(right_, d_stages_);
    d_rates_.resize(stages_);
    for (std::size_t j = 0; j < stages_; ++j) {
      d_rates_[j] = own_[j].bottomRows(size_);
      d_rates_[j].noalias() +=
          equations_.stage(j).slopes.block(size_, 0, size_, size_) * d_stages_.middleRows(equations_.at(j), size_);
    }
  }

  /// Returns the derivative of the end of a step along the directions that were differentiated last.
  [[nodiscard]] const Matrix& d_end(double h) {
    d_start_.noalias() -= equations_.end().slopes.topRightCorner(size_, d_end_.rows()) * d_end_;
    for (std::size_t j = 0; j < stages_; ++j) {
      d_start_ += (tableau_.b[j] * h) * d_rates_[j];
      d_start_.noalias() += (tableau_.b[j] * equations_.stage(j).g) * d_size_;
    }
    equations_.of_end().solve(d_start_, d_reached_);
    return d_reached_;
  }

  bool emit(const Vector& u, const Matrix& du, std::span<double> dy, std::span<double> reached) const {
    std::copy_n(u.data(), equations_.states(), reached.begin());
    Eigen::Map<RowMajor>(dy.data(), equations_.states(), index(directions_)) = du.topRows(equations_.states());
    return finite(reached) && finite(dy);
  }

  ImplicitStages equations_;
  const ImplicitTableau& tableau_;
  std::size_t directions_;
  Index size_;
  std::size_t stages_;
  std::span<const double> kept_;  // the solution of the next step, or nothing
  std::vector<double> theta_;
  Matrix d_theta_;  // of (theta, t)
  Matrix d_y_;
  Matrix d_start_;               // of m at the start, then of m at the end
  std::vector<Matrix> own_;      // of (m, g) at the stages, for fixed U_i
  Matrix d_size_;                // of h
  Matrix d_end_;                 // of (theta, t + h)
  Matrix right_;                 // right sides of the equations for d_stages_
  Matrix d_stages_;              // of all U_i
  std::vector<Matrix> d_rates_;  // of g at the stages
  Matrix d_reached_;             // of u1
};

}  // namespace

std::unique_ptr<TangentSteps> implicit_tangent(ImplicitForm form, ImplicitTableau tableau, std::size_t directions) {
  return std::make_unique<ImplicitTangent>(std::move(form), std::move(tableau), directions);
}

}  // namespace herglotz::sensitivity
