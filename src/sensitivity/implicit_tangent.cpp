#include <algorithm>
#include <utility>

#include "herglotz/sensitivity/implicit_steps.hpp"
#include "implicit_stages.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

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

  bool step(double t, double h, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
            std::span<double> reached) override {
    load(y, parameters, dy);
    Place end;
    return equations_.solve(t, h) && differentiate(h) && equations_.find_end(t, h, end) &&
           emit(end.u, d_end(h, end), dy, reached);
  }

  bool within(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
              std::span<double> dy, std::span<double> reached) override {
    if (!tableau_.dense) return step(t, part, y, parameters, dy, reached);
    load(y, parameters, dy);
    if (!equations_.solve(t, h) || !differentiate(h)) return false;
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
      if (!equations_.solve(t, h)) return false;
      by = equations_.weight(0, part / h).slope * equations_.start().u;
      for (std::size_t i = 0; i < stages_; ++i)
        by += equations_.weight(tableau_.c[i], part / h).slope * equations_.stage(i).u;
      by /= h;
    } else {
      Place end;
      if (!equations_.solve(t, part) || !differentiate_by_size(part) || !equations_.find_end(t, part, end))
        return false;
      by = d_end(part, end);
    }
    std::copy_n(by.data(), equations_.states(), slope.begin());
    return finite(slope);
  }

 private:
  void load(std::span<const double> y, std::span<const double> parameters, std::span<const double> dy) {
    const std::size_t count = (parameters.size() / directions_ - 1) / 2;
    std::vector<double> theta(count);
    for (std::size_t j = 0; j < count; ++j) theta[j] = parameters[j * directions_];
    d_theta_ =
        Eigen::Map<const RowMajor>(parameters.data() + count * directions_, index(count + 1), index(directions_));
    if (!dy.empty()) d_y_ = Eigen::Map<const RowMajor>(dy.data(), equations_.states(), index(directions_));
    equations_.begin(y, std::move(theta));
  }

  /// Computes the derivatives of m at the start, of the stages, and of g at the stages along the directions. Returns
  /// false if they are not finite.
  bool differentiate(double h) {
    const Index count = d_theta_.rows();
    const auto by_theta = [&](const Place& place) { return place.slopes.rightCols(count) * d_theta_; };
    const Place& start = equations_.start();
    d_start_ = start.slopes.topLeftCorner(size_, equations_.states()) * d_y_ + by_theta(start).topRows(size_);
    own_.clear();
    for (std::size_t i = 0; i < stages_; ++i) own_.emplace_back(by_theta(equations_.stage(i)));
    d_size_ = Matrix::Zero(1, d_theta_.cols());
    d_end_ = d_theta_;
    return differentiate_stages(h);
  }

  /// Does so for the size of the step as the only direction: the times of the stages move by c_i.
  bool differentiate_by_size(double h) {
    d_start_ = Matrix::Zero(size_, 1);
    own_.clear();
    for (std::size_t i = 0; i < stages_; ++i)
      own_.emplace_back(equations_.stage(i).slopes.rightCols(1) * tableau_.c[i]);
    d_size_ = Matrix::Ones(1, 1);
    d_end_ = Matrix::Zero(d_theta_.rows(), 1);
    d_end_.bottomRows(1).setOnes();
    return differentiate_stages(h);
  }

  /// Solves for the derivatives of the stages, given those of m at the start, of m and g at fixed stages, and of h.
  bool differentiate_stages(double h) {
    d_stages_.resize(size_ * index(stages_), d_start_.cols());
    for (std::size_t i = 0; i < stages_; ++i) {
      Matrix right = d_start_ - own_[i].topRows(size_);
      for (std::size_t j = 0; j < stages_; ++j)
        for (Index k = 0; k < size_; ++k)
          right.row(k) += equations_.entry(i, j, k) * (h * own_[j].row(size_ + k) + equations_.stage(j).g[k] * d_size_);
      d_stages_.middleRows(equations_.at(i), size_) = right;
    }
    equations_.factorise(h);
    d_stages_ = Matrix(equations_.matrix().solve(d_stages_));
    d_rates_.clear();
    for (std::size_t j = 0; j < stages_; ++j)
      d_rates_.emplace_back(equations_.stage(j).slopes.block(size_, 0, size_, size_) *
                                d_stages_.middleRows(equations_.at(j), size_) +
                            own_[j].bottomRows(size_));
    return d_stages_.allFinite();
  }

  /// Returns the derivative of the end of a step along the directions that were differentiated last.
  [[nodiscard]] Matrix d_end(double h, const Place& end) const {
    Matrix d_to = d_start_;
    for (std::size_t j = 0; j < stages_; ++j)
      d_to += tableau_.b[j] * (h * d_rates_[j] + equations_.stage(j).g * d_size_);
    return end.slopes.topLeftCorner(size_, size_)
        .partialPivLu()
        .solve(d_to - end.slopes.topRightCorner(size_, d_end_.rows()) * d_end_);
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
  Matrix d_theta_;  // of (theta, t)
  Matrix d_y_;
  Matrix d_start_;               // of m at the start
  std::vector<Matrix> own_;      // of (m, g) at the stages, for fixed U_i
  Matrix d_size_;                // of h
  Matrix d_end_;                 // of (theta, t + h)
  Matrix d_stages_;              // of all U_i
  std::vector<Matrix> d_rates_;  // of g at the stages
};

}  // namespace

std::unique_ptr<TangentSteps> implicit_tangent(ImplicitForm form, ImplicitTableau tableau, std::size_t directions) {
  return std::make_unique<ImplicitTangent>(std::move(form), std::move(tableau), directions);
}

}  // namespace herglotz::sensitivity
