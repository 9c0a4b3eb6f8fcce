#include <algorithm>
#include <utility>

#include "herglotz/sensitivity/implicit_steps.hpp"
#include "implicit_stages.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Keeps the stages of a step and, unless states inside steps are on a polynomial, its end.
class ImplicitAdjoint final : public AdjointSteps {
 public:
  ImplicitAdjoint(ImplicitForm form, ImplicitTableau tableau)
      : equations_(std::move(form), std::move(tableau)),
        dense_(equations_.tableau().dense),
        size_(equations_.size()),
        stages_(equations_.count()) {}

  [[nodiscard]] std::size_t states() const override { return static_cast<std::size_t>(equations_.states()); }
  [[nodiscard]] std::size_t kept() const override {
    return (stages_ + (dense_ ? 0 : 1)) * static_cast<std::size_t>(size_);
  }

  void restart() override { equations_.restart(); }

  bool forward(const Step& step, std::span<double> kept, std::span<double> reached) override {
    equations_.begin(step.y, {step.theta.begin(), step.theta.end()});
    if (!equations_.solve(step.t, size_of(step))) return false;
    for (std::size_t i = 0; i < stages_; ++i)
      std::copy_n(equations_.stage(i).u.data(), size_, kept.begin() + equations_.at(i));
    if (dense_) {
      const double s = step.part / step.h;
      VectorXd state = equations_.weight(0, s).value * equations_.start().u;
      for (std::size_t i = 0; i < stages_; ++i)
        state += equations_.weight(equations_.tableau().c[i], s).value * equations_.stage(i).u;
      std::copy_n(state.data(), reached.size(), reached.begin());
    } else {
      if (!equations_.find_end(step.t, step.part, end_)) return false;
      std::copy_n(end_.u.data(), size_, kept.begin() + equations_.at(stages_));
      std::copy_n(end_.u.data(), reached.size(), reached.begin());
    }
    return finite(reached);
  }

  std::optional<ByTimes> backward(const Step& step, std::span<const double> kept, std::span<double> cotangent,
                                  std::span<double> by_theta) override {
    equations_.begin(step.y, {step.theta.begin(), step.theta.end()});
    if (!equations_.take(step.t, size_of(step), kept)) return std::nullopt;
    equations_.factorise(size_of(step));
    const Index parameters = static_cast<Index>(by_theta.size());
    by_theta_t_ = VectorXd::Zero(parameters + 1);
    const Eigen::Map<const VectorXd> given(cotangent.data(), equations_.states());
    VectorXd of_start = VectorXd::Zero(size_);  // the cotangent of u0 that does not come through m(u0)
    ByTimes by;
    if (dense_)
      by.part = through_polynomial(step, given, of_start);
    else if (const auto by_size = through_end(step, kept, given))
      by.part = *by_size;
    else
      return std::nullopt;
    by.part += through_stages(size_of(step));
    by.t = by_theta_t_[parameters];
    Eigen::Map<VectorXd>(by_theta.data(), parameters) += by_theta_t_.head(parameters);
    of_start += equations_.start().slopes.topLeftCorner(size_, size_).transpose() * of_m_;
    std::copy_n(of_start.data(), cotangent.size(), cotangent.begin());
    if (!finite(cotangent) || !finite(by_theta)) return std::nullopt;
    return by;
  }

 private:
  /// Returns the size of the step that is made.
  [[nodiscard]] double size_of(const Step& step) const { return dense_ ? step.h : step.part; }
  /// Goes back from a state on the polynomial through the start and the stages. Returns the derivative by its place.
  double through_polynomial(const Step& step, const Eigen::Ref<const VectorXd>& cotangent, VectorXd& of_start) {
    const Index states = equations_.states();
    const double s = step.part / step.h;
    const Weight own = equations_.weight(0, s);
    double by_part = own.slope * cotangent.dot(equations_.start().u.head(states));
    of_start.head(states) = own.value * cotangent;
    of_m_ = VectorXd::Zero(size_);
    of_stages_ = VectorXd::Zero(size_ * static_cast<Index>(stages_));
    for (std::size_t i = 0; i < stages_; ++i) {
      const Weight weight = equations_.weight(equations_.tableau().c[i], s);
      of_stages_.segment(equations_.at(i), states) = weight.value * cotangent;
      by_part += weight.slope * cotangent.dot(equations_.stage(i).u.head(states));
    }
    return by_part / step.h;
  }

  /// Goes back from the end u1 of a step. With nu = m_u(u1)^-T lambda, that is to m(u0) by nu and to g(U_j) by h b_j
  /// nu. Returns the derivative by the size of the step, or `std::nullopt` if a number is not finite.
  std::optional<double> through_end(const Step& step, std::span<const double> kept,
                                    const Eigen::Ref<const VectorXd>& cotangent) {
    end_.u = Eigen::Map<const VectorXd>(kept.data() + equations_.at(stages_), size_);
    if (!equations_.evaluate(step.t + step.part, end_)) return std::nullopt;
    VectorXd lambda = VectorXd::Zero(size_);
    lambda.head(equations_.states()) = cotangent;
    of_m_ = end_.slopes.topLeftCorner(size_, size_).partialPivLu().transpose().solve(lambda);
    const VectorXd own = end_.slopes.topRightCorner(size_, by_theta_t_.size()).transpose() * of_m_;
    by_theta_t_ -= own;
    double by_size = -own[own.size() - 1];
    of_stages_.resize(size_ * static_cast<Index>(stages_));
    for (std::size_t j = 0; j < stages_; ++j) {
      const Place& stage = equations_.stage(j);
      const double b = equations_.tableau().b[j];
      by_size += b * of_m_.dot(stage.g);
      of_stages_.segment(equations_.at(j), size_) =
          step.part * b * (stage.slopes.block(size_, 0, size_, size_).transpose() * of_m_);
    }
    return by_size;
  }

  /// Goes back from the stages: sigma solves the transposed equations of the stages for their cotangents, kappa_j = h
  /// (b_j nu + sum_i a_ij sigma_i) is the cotangent of g(U_j), and -sigma_j that of m(U_j).
  double through_stages(double h) {
    const VectorXd sigma = equations_.matrix().transpose().solve(of_stages_);
    const VectorXd nu = dense_ ? VectorXd::Zero(size_) : of_m_;
    const Index last = by_theta_t_.size() - 1;
    double by_size = 0;
    for (std::size_t j = 0; j < stages_; ++j) {
      const Place& stage = equations_.stage(j);
      VectorXd kappa = VectorXd::Zero(size_);
      for (std::size_t i = 0; i < stages_; ++i)
        for (Index k = 0; k < size_; ++k) kappa[k] += equations_.entry(i, j, k) * sigma[equations_.at(i) + k];
      by_size += kappa.dot(stage.g);
      kappa = h * (kappa + equations_.tableau().b[j] * nu);
      const auto by = stage.slopes.rightCols(last + 1);
      const VectorXd own = by.bottomRows(size_).transpose() * kappa -
                           by.topRows(size_).transpose() * sigma.segment(equations_.at(j), size_);
      by_theta_t_ += own;
      by_size += equations_.tableau().c[j] * own[last];
      of_m_ += sigma.segment(equations_.at(j), size_);
    }
    by_theta_t_ += equations_.start().slopes.topRightCorner(size_, last + 1).transpose() * of_m_;
    return dense_ ? 0 : by_size;
  }

  ImplicitStages equations_;
  bool dense_;
  Index size_;
  std::size_t stages_;
  Place end_;
  VectorXd of_m_;        // cotangent of m(u0)
  VectorXd of_stages_;   // cotangents of the U_j in what follows from them
  VectorXd by_theta_t_;  // derivatives by (theta, t)
};

}  // namespace

std::unique_ptr<AdjointSteps> implicit_adjoint(ImplicitForm form, ImplicitTableau tableau) {
  return std::make_unique<ImplicitAdjoint>(std::move(form), std::move(tableau));
}

}  // namespace herglotz::sensitivity
