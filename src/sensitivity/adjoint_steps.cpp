#include "herglotz/sensitivity/adjoint_steps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "soundness.hpp"
#include "stage_sums.hpp"

namespace herglotz::sensitivity {
namespace {

class RungeKuttaAdjoint final : public AdjointSteps {
 public:
  RungeKuttaAdjoint(kernel::Kernel motion, kernel::Kernel adjoint, kernel::ExplicitTableau tableau, std::size_t states)
      : motion_(std::move(motion)),
        adjoint_(std::move(adjoint)),
        tableau_(std::move(tableau)),
        terms_(tableau_),
        states_(states),
        point_(2 * states + 1),
        outputs_(std::max(motion_.outputs(), adjoint_.outputs())),
        stages_(tableau_.stages() * states),
        work_(std::max(motion_.work_size(), adjoint_.work_size())) {}

  [[nodiscard]] std::size_t states() const override { return states_; }
  [[nodiscard]] std::size_t kept() const override { return 2 * tableau_.stages() * states_; }

  bool forward(const Step& step, std::span<double> kept, std::span<double> reached) override {
    double* const rates = kept.data();
    double* stage = rates + tableau_.stages() * states_;
    for (std::size_t i = 0; i < tableau_.stages(); ++i, stage += states_) {
      std::fill_n(stage, states_, 0.0);
      add_stages(terms_.rows[i], 1, rates, states_, states_, stage);
      for (std::size_t e = 0; e < states_; ++e) stage[e] = step.y[e] + step.part * stage[e];
      std::copy_n(stage, states_, point_.begin());
      point_[states_] = step.t + tableau_.c[i] * step.part;
      motion_(point_.data(), step.theta.data(), outputs_.data(), work_.data());
      const std::span<const double> outputs = std::span<const double>(outputs_).first(motion_.outputs());
      if (!finite(outputs) || !sound(outputs.subspan(states_))) return false;
      std::copy_n(outputs.begin(), states_, rates + i * states_);
    }
    std::copy(step.y.begin(), step.y.end(), reached.begin());
    add_stages(terms_.end, step.part, rates, states_, states_, reached.data());
    return finite(reached);
  }

  std::optional<ByTimes> backward(const Step& step, std::span<const double> kept, std::span<double> cotangent,
                                  std::span<double> by_theta) override {
    const double* const rates = kept.data();
    const double* const at_stages = rates + tableau_.stages() * states_;
    ByTimes by;
    for (std::size_t i = tableau_.stages(); i-- > 0;) {
      std::copy_n(at_stages + i * states_, states_, point_.begin());
      double* const kappa = point_.data() + states_;
      for (std::size_t e = 0; e < states_; ++e) kappa[e] = tableau_.b[i] * cotangent[e];
      add_stages(terms_.columns[i], 1, stages_.data(), states_, states_, kappa);
      for (std::size_t e = 0; e < states_; ++e) {
        // The end and later stages move with the size of the step by b_i k_i and a_ji k_i.
        by.part += kappa[e] * rates[i * states_ + e];
        kappa[e] *= step.part;
      }
      point_.back() = step.t + tableau_.c[i] * step.part;
      adjoint_(point_.data(), step.theta.data(), outputs_.data(), work_.data());
      std::copy_n(outputs_.begin(), states_, stages_.begin() + static_cast<std::ptrdiff_t>(i * states_));
      for (std::size_t j = 0; j < by_theta.size(); ++j) by_theta[j] += outputs_[states_ + j];
      // The time of the stage moves with the size of the step by c_i.
      by.t += outputs_[states_ + by_theta.size()];
      by.part += tableau_.c[i] * outputs_[states_ + by_theta.size()];
    }
    for (std::size_t i = 0; i < tableau_.stages(); ++i)
      for (std::size_t e = 0; e < states_; ++e) cotangent[e] += stages_[i * states_ + e];
    if (!finite(cotangent) || !finite(by_theta)) return std::nullopt;
    return by;
  }

 private:
  kernel::Kernel motion_;
  kernel::Kernel adjoint_;
  kernel::ExplicitTableau tableau_;
  StageTerms terms_;
  std::size_t states_;
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
