#include "drive/lane_stepper.hpp"

#include <algorithm>
#include <vector>

#include "motion/legendre_boundary.hpp"
#include "variational/galerkin.hpp"
#include "variational/lanes.hpp"

namespace herglotz::integrate {
namespace {

class VariationalLaneStepper final : public LaneStepper {
 public:
  VariationalLaneStepper(const Dynamics& dynamics, const Dynamics& wide,
                         std::shared_ptr<const GalerkinPolynomials> polynomials, const double* parameters)
      : dynamics_(&dynamics),
        polynomials_(std::move(polynomials)),
        width_(static_cast<std::size_t>(wide.stage.lanes())),
        steps_((width_ == 8 ? variational_lanes_8 : variational_lanes_4)(wide, parameters, polynomials_.get())) {}
  VariationalLaneStepper(const VariationalLaneStepper& other)
      : LaneStepper(other),
        dynamics_(other.dynamics_),
        polynomials_(other.polynomials_),
        width_(other.width_),
        steps_(other.steps_->copy()) {}

  void clear() override { steps_->forget(); }
  bool start(std::size_t lane, std::span<const double> parameters, double t0, std::span<const double> state) override {
    std::vector<double> last(dynamics_->dimension());
    std::vector<double> carried(last.size() + 1 + dynamics_->laws);
    const Status status = ContactEnds(*dynamics_, parameters).start(t0, state, last.data(), carried.data());
    steps_->start(static_cast<int>(lane), last.data(), carried.data());
    return status == Status::success;
  }
  unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) override {
    for (std::size_t k = first; k < first + count && lanes != 0; ++k)
      lanes &= steps_->step(k == 0 ? t0 : t0 + static_cast<double>(k) * h, h, lanes);
    return lanes;
  }
  unsigned show(double t, unsigned lanes) override { return steps_->show(t, lanes); }
  void sample(std::size_t lane, double t, Sample& sample) override {
    const std::size_t dimension = sample.state.size();
    const auto gather = [&](const double* lanes, std::size_t first, std::size_t i) {
      return lanes[(first + i) * width_ + lane];
    };
    sample.t = t;
    for (std::size_t j = 0; j < dimension; ++j) sample.state[j] = gather(steps_->last_state(), 0, j);
    sample.log_factor = gather(steps_->carried(), dimension, 0);
    for (std::size_t k = 0; k < sample.budget.size(); ++k)
      sample.budget[k] = gather(steps_->carried(), dimension + 1, k);
  }
  [[nodiscard]] std::unique_ptr<LaneStepper> copy() const override {
    return std::make_unique<VariationalLaneStepper>(*this);
  }
  void follow(const LaneStepper& other) override {
    steps_->follow(*static_cast<const VariationalLaneStepper&>(other).steps_);
  }

 private:
  const Dynamics* dynamics_;
  std::shared_ptr<const GalerkinPolynomials> polynomials_;
  std::size_t width_;
  std::unique_ptr<VariationalLanes> steps_;
};

}  // namespace

bool is_variational(const MethodInfo& method) {
  return method.needs == Ingredient::discrete_lagrangian || method.needs == Ingredient::velocities;
}

bool has_variational_lanes(const Dynamics& wide, const MethodInfo& method, const Settings& settings) {
  const int lanes = wide.stage.lanes();
  if (!is_variational(method) || !wide.stage || !wide.stage_jacobian || (lanes != 4 && lanes != 8)) return false;
  if (method.needs == Ingredient::discrete_lagrangian) return wide.discrete && wide.discrete.ell.lanes() == lanes;
  return method.name != "discrete-galerkin" || settings.galerkin;
}

bool follow_variational(const Dynamics& dynamics, const Dynamics& wide, const MethodInfo& method,
                        const Settings& settings, const LaneRuns& runs) {
  const auto polynomials = galerkin_polynomials(method, settings);
  const auto make = [&](const double* parameters) {
    return std::make_unique<VariationalLaneStepper>(dynamics, wide, polynomials, parameters);
  };
  return follow_groups(dynamics, static_cast<std::size_t>(wide.stage.lanes()), wide.stage.parameters(), make, settings,
                       runs);
}

}  // namespace herglotz::integrate
