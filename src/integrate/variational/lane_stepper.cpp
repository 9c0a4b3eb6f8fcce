#include "drive/lane_stepper.hpp"

#include <algorithm>
#include <vector>

#include "motion/fill_sample.hpp"
#include "motion/legendre_boundary.hpp"
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
        steps_((width_ == 8 ? make_variational_lanes<8> : make_variational_lanes<4>)(wide, parameters,
                                                                                     polynomials_.get())) {}
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
    const Status status = LegendreBoundary(*dynamics_, parameters).start(t0, state, last.data(), carried.data());
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
    fill_sample(sample, t, LaneNumbers{steps_->last_state() + lane, width_},
                LaneNumbers{steps_->carried() + sample.state.size() * width_ + lane, width_});
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

std::size_t width_of_stages(const Dynamics& wide) {
  return wide.stage && wide.stage_jacobian ? usable_width(wide.stage.lanes()) : 0;
}

bool run_in_lanes(const LaneProblem& problem, const std::shared_ptr<const GalerkinPolynomials>& polynomials) {
  const kernel::Kernel& stage = problem.wide.stage;
  const auto make = [&](const double* parameters) {
    return std::make_unique<VariationalLaneStepper>(problem.dynamics, problem.wide, polynomials, parameters);
  };
  return follow_groups(problem, static_cast<std::size_t>(stage.lanes()), stage.parameters(), make);
}

}  // namespace

LaneForm galerkin_lanes(
    const std::function<std::shared_ptr<const GalerkinPolynomials>(const Settings&)>& polynomials_of) {
  return {
      [polynomials_of](const Dynamics& wide, const Settings& settings) -> std::size_t {
        return polynomials_of(settings) ? width_of_stages(wide) : 0;
      },
      [polynomials_of](const LaneProblem& problem) { return run_in_lanes(problem, polynomials_of(problem.settings)); }};
}

LaneForm discrete_lanes() {
  return {[](const Dynamics& wide, const Settings&) -> std::size_t {
            const bool complete = wide.discrete && !wide.groupoid && wide.discrete.ell.lanes() == wide.stage.lanes();
            return complete ? width_of_stages(wide) : 0;
          },
          [](const LaneProblem& problem) { return run_in_lanes(problem, nullptr); }};
}

}  // namespace herglotz::integrate
