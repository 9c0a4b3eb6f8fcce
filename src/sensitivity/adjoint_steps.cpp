#include "herglotz/sensitivity/adjoint_steps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

class RungeKuttaAdjoint final : public AdjointSteps {
 public:
  RungeKuttaAdjoint(kernel::Kernel motion, kernel::Kernel adjoint, kernel::ExplicitTableau tableau, std::size_t states)
      : motion_(std::move(motion)),
        adjoint_(std::move(adjoint)),
        tableau_(std::move(tableau)),
        states_(states),
        shift_(states),
        point_(2 * states + 1),
        outputs_(std::max(motion_.outputs(), adjoint_.outputs())),
        stages_(tableau_.stages() * states),
        work_(std::max(motion_.work_size(), adjoint_.work_size())) {}

  [[nodiscard]] std::size_t states() const override { return states_; }
  [[nodiscard]] std::size_t kept() const override { return tableau_.stages() * states_; }

  bool forward(const Step& step, std::span<double> rates, std::span<double> reached) override {
    for (std::size_t i = 0; i < tableau_.stages(); ++i) {
      write_stage(step, i, rates);
      point_[states_] = step.t + tableau_.c[i] * step.part;
      motion_(point_.data(), step.theta.data(), outputs_.data(), work_.data());
      const std::span<const double> outputs = std::span<const double>(outputs_).first(motion_.outputs());
      if (!finite(outputs) || !sound(outputs.subspan(states_))) return false;
      std::copy_n(outputs.begin(), states_, rates.begin() + static_cast<std::ptrdiff_t>(i * states_));
    }
    std::copy(step.y.begin(), step.y.end(), reached.begin());
    for (std::size_t i = 0; i < tableau_.stages(); ++i) {
      const double factor = step.part * tableau_.b[i];
      for (std::size_t e = 0; e < states_; ++e) reached[e] += factor * rates[i * states_ + e];
    }
    return finite(reached);
  }

  std::optional<ByTimes> backward(const Step& step, std::span<const double> rates, std::span<double> cotangent,
                                  std::span<double> by_theta) override {
    const std::size_t s = tableau_.stages();
    ByTimes by;
    for (std::size_t i = s; i-- > 0;) {
      write_stage(step, i, rates);
      double* const kappa = point_.data() + states_;
      for (std::size_t e = 0; e < states_; ++e) {
        kappa[e] = tableau_.b[i] * cotangent[e];
        by.part += kappa[e] * rates[i * states_ + e];
      }
      for (std::size_t j = i + 1; j < s; ++j) {
        const double factor = tableau_.A[j][i];
        if (factor == 0) continue;
        for (std::size_t e = 0; e < states_; ++e) kappa[e] += factor * stages_[j * states_ + e];
      }
      for (std::size_t e = 0; e < states_; ++e) kappa[e] *= step.part;
      point_.back() = step.t + tableau_.c[i] * step.part;
      adjoint_(point_.data(), step.theta.data(), outputs_.data(), work_.data());
      std::copy_n(outputs_.begin(), states_, stages_.begin() + static_cast<std::ptrdiff_t>(i * states_));
      for (std::size_t j = 0; j < by_theta.size(); ++j) by_theta[j] += outputs_[states_ + j];
      // The stage moves with the size of the step by sum_j a_ij k_j, and its time by c_i.
      by.t += outputs_[states_ + by_theta.size()];
      by.part += tableau_.c[i] * outputs_[states_ + by_theta.size()];
      for (std::size_t e = 0; e < states_; ++e) by.part += shift_[e] * outputs_[e];
    }
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t e = 0; e < states_; ++e) cotangent[e] += stages_[i * states_ + e];
    if (!finite(cotangent) || !finite(by_theta)) return std::nullopt;
    return by;
  }

 private:
  /// Writes Y_i, and sum_j a_ij k_j, by which it moves with the size of the step.
  void write_stage(const Step& step, std::size_t i, std::span<const double> rates) {
    std::fill(shift_.begin(), shift_.end(), 0.0);
    for (std::size_t j = 0; j < i; ++j) {
      const double factor = tableau_.A[i][j];
      if (factor == 0) continue;
      for (std::size_t e = 0; e < states_; ++e) shift_[e] += factor * rates[j * states_ + e];
    }
    for (std::size_t e = 0; e < states_; ++e) point_[e] = step.y[e] + step.part * shift_[e];
  }

  kernel::Kernel motion_;
  kernel::Kernel adjoint_;
  kernel::ExplicitTableau tableau_;
  std::size_t states_;
  std::vector<double> shift_;    // sum_j a_ij k_j of the stage in point_
  std::vector<double> point_;    // (Y_i, t) or (Y_i, kappa_i, t)
  std::vector<double> outputs_;  // of either kernel
  std::vector<double> stages_;   // mu_i
  std::vector<double> work_;
};

}  // namespace

std::unique_ptr<AdjointSteps> runge_kutta_adjoint(kernel::Kernel motion, kernel::Kernel adjoint,
                                                  kernel::ExplicitTableau tableau, std::size_t states) {
  return std::make_unique<RungeKuttaAdjoint>(std::move(motion), std::move(adjoint), std::move(tableau), states);
}

}  // namespace herglotz::sensitivity
