#include "herglotz/sensitivity/implicit_tangent.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "herglotz/kernel/quadrature.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

constexpr int most_iterations = 40;
constexpr double converged = 4 * std::numeric_limits<double>::epsilon();
/// Relative change below which changes that no longer fall are round-off.
constexpr double round_off = 1e-9;
constexpr double diverged = 1e8;

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

ImplicitTableau partitioned(const kernel::Quadrature& quadrature) {
  const auto rounded = [](const std::vector<long double>& numbers) {
    std::vector<double> result;
    for (const long double number : numbers) result.push_back(static_cast<double>(number));
    return result;
  };
  ImplicitTableau made{rounded(quadrature.c), rounded(quadrature.b), {}, {}};
  for (std::size_t i = 0; i < quadrature.c.size(); ++i) {
    made.A.push_back(rounded(quadrature.A[i]));
    made.A_hat.emplace_back();
    for (std::size_t j = 0; j < quadrature.c.size(); ++j)
      made.A_hat.back().push_back(static_cast<double>(quadrature.b[j] * (1 - quadrature.A[j][i] / quadrature.b[i])));
  }
  return made;
}

/// Largest change relative to the sizes of the unknowns, which `scale` has per entry of u.
double relative(const Vector& change, const Vector& scale) {
  double largest = 0;
  for (Index k = 0; k < change.size(); ++k) largest = std::max(largest, std::abs(change[k]) / scale[k % scale.size()]);
  return largest;
}

/// Values and derivatives at one point.
struct Place {
  Vector u;
  Vector m;
  Vector g;
  Matrix slopes;  ///< of (m, g) by (u, theta, t)
};

class ImplicitSteps final : public TangentSteps {
 public:
  ImplicitSteps(ImplicitForm form, ImplicitTableau tableau, std::size_t directions)
      : form_(std::move(form)),
        tableau_(std::move(tableau)),
        directions_(directions),
        size_(index(form_.of_second_table.size())),
        stages_(tableau_.c.size()),
        places_(stages_),
        d_stages_(size_ * index(stages_), index(directions)),
        point_(form_.of_second_table.size() + 1),
        values_(form_.kernel.outputs()),
        work_(form_.kernel.work_size()) {}

  [[nodiscard]] std::size_t lanes() const override { return directions_; }

  bool step(double t, double h, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
            std::span<double> reached) override {
    load(y, parameters, dy);
    Place end;
    return solve(t, h) && differentiate(h) && find_end(t, h, end) && emit(end.u, d_end(h, end), dy, reached);
  }

  bool within(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
              std::span<double> dy, std::span<double> reached) override {
    if (!tableau_.dense) return step(t, part, y, parameters, dy, reached);
    load(y, parameters, dy);
    if (!solve(t, h) || !differentiate(h)) return false;
    const double s = part / h;
    Vector state = weight(0, s).value * start_.u;
    Matrix d_state = Matrix::Zero(size_, index(directions_));
    d_state.topRows(index(form_.states)) += weight(0, s).value * d_y_;
    for (std::size_t i = 0; i < stages_; ++i) {
      const double factor = weight(tableau_.c[i], s).value;
      state += factor * places_[i].u;
      d_state += factor * d_stages_.middleRows(index(i) * size_, size_);
    }
    return emit(state, d_state, dy, reached);
  }

  bool by_part(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
               std::span<double> slope) override {
    load(y, parameters, {});
    Vector by;
    if (tableau_.dense) {
      if (!solve(t, h)) return false;
      by = weight(0, part / h).slope * start_.u;
      for (std::size_t i = 0; i < stages_; ++i) by += weight(tableau_.c[i], part / h).slope * places_[i].u;
      by /= h;
    } else {
      Place end;
      if (!solve(t, part) || !differentiate_by_size(part) || !find_end(t, part, end)) return false;
      by = d_end(part, end);
    }
    std::copy_n(by.data(), form_.states, slope.begin());
    return finite(slope);
  }

 private:
  [[nodiscard]] double entry(std::size_t i, std::size_t j, Index row) const {
    return (form_.of_second_table[static_cast<std::size_t>(row)] ? tableau_.A_hat : tableau_.A)[i][j];
  }

  /// Value and derivative at s of Lagrange's polynomial of one of the nodes 0 and c_i.
  struct Weight {
    double value = 1;
    double slope = 0;
  };
  [[nodiscard]] Weight weight(double node, double s) const {
    Weight weight;
    const auto multiply = [&](double other) {
      const double factor = (s - other) / (node - other);
      weight.slope = weight.slope * factor + weight.value / (node - other);
      weight.value *= factor;
    };
    if (node != 0) multiply(0);
    for (const double other : tableau_.c)
      if (other != node) multiply(other);
    return weight;
  }

  /// Evaluates all at the point with this u. Returns false if a number is not finite.
  bool evaluate(double t, Place& place) {
    std::copy_n(place.u.data(), size_, point_.begin());
    point_.back() = t;
    form_.kernel(point_.data(), theta_.data(), values_.data(), work_.data());
    place.m = Eigen::Map<const Vector>(values_.data(), size_);
    place.g = Eigen::Map<const Vector>(values_.data() + size_, size_);
    place.slopes = Matrix::Zero(2 * size_, size_ + index(theta_.size()) + 1);
    for (std::size_t k = 0; k < form_.row.size(); ++k)
      place.slopes(index(form_.row[k]), index(form_.col[k])) = values_[static_cast<std::size_t>(2 * size_) + k];
    return finite(values_);
  }

  /// Solves for the stages of a step.
  bool solve(double t, double h) {
    if (!evaluate(t, start_)) return false;
    const bool followed = shift_.size() > 0;
    if (!(followed && iterate(t, h, true)) && !iterate(t, h, false)) {
      shift_.resize(0);
      return false;
    }
    shift_.resize(size_ * index(stages_));
    for (std::size_t i = 0; i < stages_; ++i) shift_.segment(index(i) * size_, size_) = places_[i].u - start_.u;
    return true;
  }

  void load(std::span<const double> y, std::span<const double> parameters, std::span<const double> dy) {
    const std::size_t count = (parameters.size() / directions_ - 1) / 2;
    theta_.resize(count);
    for (std::size_t j = 0; j < count; ++j) theta_[j] = parameters[j * directions_];
    d_theta_ =
        Eigen::Map<const RowMajor>(parameters.data() + count * directions_, index(count + 1), index(directions_));
    if (!dy.empty()) d_y_ = Eigen::Map<const RowMajor>(dy.data(), index(form_.states), index(directions_));
    start_.u.resize(size_);
    std::copy(y.begin(), y.end(), start_.u.data());
    std::copy(form_.start.begin(), form_.start.end(), start_.u.data() + y.size());
  }

  /// Newton's iteration for the stages, from the start, moved as those of the last step were if `moved`.
  bool iterate(double t, double h, bool moved) {
    Vector scale = start_.u.cwiseAbs();
    for (std::size_t i = 0; i < stages_; ++i) {
      places_[i].u = start_.u;
      if (moved) places_[i].u += shift_.segment(index(i) * size_, size_);
      scale = scale.cwiseMax(places_[i].u.cwiseAbs());
    }
    scale = scale.cwiseMax(1e-3 * scale.maxCoeff() + std::numeric_limits<double>::min());
    double last = std::numeric_limits<double>::infinity();
    Vector residual(size_ * index(stages_));
    for (int round = 0; round < most_iterations; ++round) {
      for (std::size_t i = 0; i < stages_; ++i)
        if (!evaluate(t + tableau_.c[i] * h, places_[i])) return false;
      for (std::size_t i = 0; i < stages_; ++i) {
        auto own = residual.segment(index(i) * size_, size_);
        own = places_[i].m - start_.m;
        for (std::size_t j = 0; j < stages_; ++j)
          for (Index k = 0; k < size_; ++k) own[k] -= h * entry(i, j, k) * places_[j].g[k];
      }
      factorise(h);
      const Vector change = lu_.solve(residual);
      const double size = relative(change, scale);
      if (!(size < diverged)) return false;
      // The matrix is kept: it is that of the solution, but for a change that is round-off.
      if (size <= converged || (size <= round_off && size >= 0.5 * last)) return true;
      last = size;
      for (std::size_t i = 0; i < stages_; ++i) places_[i].u -= change.segment(index(i) * size_, size_);
    }
    return false;
  }

  void factorise(double h) {
    Matrix matrix(size_ * index(stages_), size_ * index(stages_));
    for (std::size_t i = 0; i < stages_; ++i)
      for (std::size_t j = 0; j < stages_; ++j) {
        auto block = matrix.block(index(i) * size_, index(j) * size_, size_, size_);
        for (Index k = 0; k < size_; ++k)
          block.row(k) = -h * entry(i, j, k) * places_[j].slopes.row(size_ + k).head(size_);
        if (i == j) block += places_[i].slopes.topLeftCorner(size_, size_);
      }
    lu_.compute(matrix);
  }

  /// Computes the derivatives of m at the start, of the stages, and of g at the stages along the directions. Returns
  /// false if they are not finite.
  bool differentiate(double h) {
    const Index count = d_theta_.rows();
    const auto by_theta = [&](const Place& place) { return place.slopes.rightCols(count) * d_theta_; };
    d_start_ = start_.slopes.topLeftCorner(size_, index(form_.states)) * d_y_ + by_theta(start_).topRows(size_);
    own_.clear();
    for (const Place& place : places_) own_.emplace_back(by_theta(place));
    d_size_ = Matrix::Zero(1, d_theta_.cols());
    d_end_ = d_theta_;
    return differentiate_stages(h);
  }

  /// Does so for the size of the step as the only direction: the times of the stages move by c_i.
  bool differentiate_by_size(double h) {
    const auto by_time = [&](const Place& place, double c) { return Matrix(place.slopes.rightCols(1) * c); };
    d_start_ = Matrix::Zero(size_, 1);
    own_.clear();
    for (std::size_t i = 0; i < stages_; ++i) own_.push_back(by_time(places_[i], tableau_.c[i]));
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
          right.row(k) += entry(i, j, k) * (h * own_[j].row(size_ + k) + places_[j].g[k] * d_size_);
      d_stages_.middleRows(index(i) * size_, size_) = right;
    }
    d_stages_ = Matrix(lu_.solve(d_stages_));
    d_rates_.clear();
    for (std::size_t j = 0; j < stages_; ++j)
      d_rates_.emplace_back(places_[j].slopes.block(size_, 0, size_, size_) *
                                d_stages_.middleRows(index(j) * size_, size_) +
                            own_[j].bottomRows(size_));
    return d_stages_.allFinite();
  }

  /// Returns the derivative of the end of a step along the directions that were differentiated last.
  [[nodiscard]] Matrix d_end(double h, const Place& end) const {
    Matrix d_to = d_start_;
    for (std::size_t j = 0; j < stages_; ++j) d_to += tableau_.b[j] * (h * d_rates_[j] + places_[j].g * d_size_);
    return end.slopes.topLeftCorner(size_, size_)
        .partialPivLu()
        .solve(d_to - end.slopes.topRightCorner(size_, d_end_.rows()) * d_end_);
  }

  /// Solves m(u, t + h) = m(u0) + h sum_j b_j g(U_j) for the end u of a step whose stages are known.
  bool find_end(double from, double h, Place& end) {
    const double t = from + h;
    end.u = places_.back().u;
    Vector to = start_.m;
    for (std::size_t j = 0; j < stages_; ++j) to += h * tableau_.b[j] * places_[j].g;
    Vector scale = end.u.cwiseAbs().cwiseMax(start_.u.cwiseAbs());
    scale = scale.cwiseMax(1e-3 * scale.maxCoeff() + std::numeric_limits<double>::min());
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most_iterations; ++round) {
      if (!evaluate(t, end)) return false;
      const Vector change = end.slopes.topLeftCorner(size_, size_).partialPivLu().solve(end.m - to);
      const double size = relative(change, scale);
      if (!(size < diverged)) return false;
      end.u -= change;
      if (size <= converged || (size <= round_off && size >= 0.5 * last)) return true;
      last = size;
    }
    return false;
  }

  bool emit(const Vector& u, const Matrix& du, std::span<double> dy, std::span<double> reached) const {
    std::copy_n(u.data(), form_.states, reached.begin());
    Eigen::Map<RowMajor>(dy.data(), index(form_.states), index(directions_)) = du.topRows(index(form_.states));
    return finite(reached) && finite(dy);
  }

  ImplicitForm form_;
  ImplicitTableau tableau_;
  std::size_t directions_;
  Index size_;
  std::size_t stages_;
  Place start_;
  std::vector<Place> places_;
  std::vector<double> theta_;
  Matrix d_theta_;  // of (theta, t)
  Matrix d_y_;
  Matrix d_start_;               // of m at the start
  std::vector<Matrix> own_;      // of (m, g) at the stages, for fixed U_i
  Matrix d_size_;                // of h
  Matrix d_end_;                 // of (theta, t + h)
  Matrix d_stages_;              // of all U_i
  std::vector<Matrix> d_rates_;  // of g at the stages
  Vector shift_;                 // stages of the last step less its start; empty if there is none
  Eigen::PartialPivLU<Matrix> lu_;
  std::vector<double> point_;
  std::vector<double> values_;
  std::vector<double> work_;
};

}  // namespace

ImplicitTableau gauss_tableau(int stages) {
  return partitioned(kernel::gauss_quadrature(stages));
}

ImplicitTableau lobatto_tableau(int stages) {
  return partitioned(kernel::lobatto_quadrature(stages));
}

ImplicitTableau radau_tableau() {
  const double q = std::sqrt(6.0);
  const std::vector<std::vector<double>> A{{(88 - 7 * q) / 360, (296 - 169 * q) / 1800, (-2 + 3 * q) / 225},
                                           {(296 + 169 * q) / 1800, (88 + 7 * q) / 360, (-2 - 3 * q) / 225},
                                           {(16 - q) / 36, (16 + q) / 36, 1.0 / 9}};
  return {{(4 - q) / 10, (4 + q) / 10, 1}, A.back(), A, A, true};
}

std::unique_ptr<TangentSteps> implicit_tangent(ImplicitForm form, ImplicitTableau tableau, std::size_t directions) {
  return std::make_unique<ImplicitSteps>(std::move(form), std::move(tableau), directions);
}

}  // namespace herglotz::sensitivity
