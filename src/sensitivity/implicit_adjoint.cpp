#include <algorithm>
#include <utility>

#include "herglotz/sensitivity/implicit_steps.hpp"
#include "implicit_stages.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Keeps the solution of a step with its factors.
class ImplicitAdjoint final : public AdjointSteps {
 public:
  ImplicitAdjoint(ImplicitForm form, ImplicitTableau tableau)
      : equations_(std::move(form), std::move(tableau)),
        dense_(equations_.tableau().dense),
        size_(equations_.size()),
        stages_(equations_.count()) {}

  [[nodiscard]] std::size_t states() const override { return static_cast<std::size_t>(equations_.states()); }
  [[nodiscard]] std::size_t kept() const override { return equations_.kept(); }

  void restart() override { equations_.restart(); }

  bool forward(const Step& step, std::span<double> kept, std::span<double> reached) override {
    equations_.begin(step.y, step.theta);
    if (!equations_.solve(step.t, size_of(step))) return false;
    equations_.keep(kept);
    if (dense_) {
      const double s = step.part / step.h;
      VectorXd state = equations_.weight(0, s).value * equations_.start().u;
      for (std::size_t i = 0; i < stages_; ++i)
        state += equations_.weight(equations_.tableau().c[i], s).value * equations_.stage(i).u;
      std::copy_n(state.data(), reached.size(), reached.begin());
    } else {
      std::copy_n(equations_.end().u.data(), reached.size(), reached.begin());
    }
    return finite(reached);
  }

  std::optional<ByTimes> backward(const Step& step, std::span<const double> kept, std::span<double> cotangent,
                                  std::span<double> by_theta) override {
    equations_.begin(step.y, step.theta);
    if (!equations_.recall(step.t, size_of(step), kept)) return std::nullopt;
    const Index parameters = static_cast<Index>(by_theta.size());
    by_theta_t_.setZero(parameters + 1);
    const Eigen::Map<const VectorXd> given(cotangent.data(), equations_.states());
    of_start_.setZero(size_);
    ByTimes by;
    by.part = dense_ ? through_polynomial(step, given) : through_end(step, given);
    by.part += through_stages(size_of(step));
    by.t = by_theta_t_[parameters];
    Eigen::Map<VectorXd>(by_theta.data(), parameters) += by_theta_t_.head(parameters);
    of_start_ += equations_.start().slopes.topLeftCorner(size_, size_).transpose() * of_m_;
    std::copy_n(of_start_.data(), cotangent.size(), cotangent.begin());
    if (!finite(cotangent) || !finite(by_theta)) return std::nullopt;
    return by;
  }

 private:
  /// Returns the size of the step that is made.
  [[nodiscard]] double size_of(const Step& step) const { return dense_ ? step.h : step.part; }
  /// Goes back from a state on the polynomial through the start and the stages. Returns the derivative by its place.
  double through_polynomial(const Step& step, const Eigen::Ref<const VectorXd>& cotangent) {
    const Index states = equations_.states();
    const double s = step.part / step.h;
    const Weight own = equations_.weight(0, s);
    double by_part = own.slope * cotangent.dot(equations_.start().u.head(states));
    of_start_.head(states) = own.value * cotangent;
    of_m_.setZero(size_);
    of_stages_.setZero(size_ * static_cast<Index>(stages_));
    for (std::size_t i = 0; i < stages_; ++i) {
      const Weight weight = equations_.weight(equations_.tableau().c[i], s);
      of_stages_.segment(equations_.at(i), states) = weight.value * cotangent;
      by_part += weight.slope * cotangent.dot(equations_.stage(i).u.head(states));
    }
    return by_part / step.h;
  }

  /// Goes back from the end u1 of a step. With nu = m_u(u1)^-T lambda, that is to m(u0) by nu and to g(U_j) by h b_j
  /// nu. Returns the derivative by the size of the step.
  double through_end(const Step& step, const Eigen::Ref<const VectorXd>& cotangent) {
    own_.setZero(size_);
    own_.head(equations_.states()) = cotangent;
    equations_.of_end().solve_transposed(own_, of_m_);
    own_.noalias() = equations_.end().slopes.topRightCorner(size_, by_theta_t_.size()).transpose() * of_m_;
    by_theta_t_ -= own_;
    double by_size = -own_[own_.size() - 1];
    of_stages_.resize(size_ * static_cast<Index>(stages_));
    for (std::size_t j = 0; j < stages_; ++j) {
      const FormAtPoint& stage = equations_.stage(j);
      const double b = equations_.tableau().b[j];
      by_size += b * of_m_.dot(stage.g);
      of_stages_.segment(equations_.at(j), size_).noalias() =
          step.part * b * (stage.slopes.block(size_, 0, size_, size_).transpose() * of_m_);
    }
    return by_size;
  }

  /// Goes back from the stages: sigma solves the transposed equations of the stages for their cotangents, kappa_j = h
  /// (b_j nu + sum_i a_ij sigma_i) is the cotangent of g(U_j), and -sigma_j that of m(U_j).
  double through_stages(double h) {
    equations_.of_stages().solve_transposed(of_stages_, sigma_);
    nu_ = of_m_;
    const Index last = by_theta_t_.size() - 1;
    double by_size = 0;
    for (std::size_t j = 0; j < stages_; ++j) {
      const FormAtPoint& stage = equations_.stage(j);
      kappa_.setZero(size_);
      for (std::size_t i = 0; i < stages_; ++i)
        kappa_ += equations_.entries(i, j).cwiseProduct(sigma_.segment(equations_.at(i), size_));
      by_size += kappa_.dot(stage.g);
      if (!dense_) kappa_ += equations_.tableau().b[j] * nu_;
      kappa_ *= h;
      const auto by = stage.slopes.rightCols(last + 1);
      own_.noalias() = by.bottomRows(size_).transpose() * kappa_;
      own_.noalias() -= by.topRows(size_).transpose() * sigma_.segment(equations_.at(j), size_);
      by_theta_t_ += own_;
      by_size += equations_.tableau().c[j] * own_[last];
      of_m_ += sigma_.segment(equations_.at(j), size_);
    }
    by_theta_t_ += equations_.start().slopes.topRightCorner(size_, last + 1).transpose() * of_m_;
    return dense_ ? 0 : by_size;
  }

  ImplicitStages equations_;
  bool dense_;
  Index size_;
  std::size_t stages_;
  VectorXd of_start_;    // cotangent of u0 that does not come through m(u0)
  VectorXd of_m_;        // cotangent of m(u0)
  VectorXd of_stages_;   // cotangents of the U_j in what follows from them
  VectorXd by_theta_t_;  // derivatives by (theta, t)
  VectorXd sigma_;
  VectorXd nu_;
  VectorXd kappa_;
  VectorXd own_;
};

}  // namespace

std::unique_ptr<AdjointSteps> implicit_adjoint(ImplicitForm form, ImplicitTableau tableau) {
  return std::make_unique<ImplicitAdjoint>(std::move(form), std::move(tableau));
}

}  // namespace herglotz::sensitivity
