#include "drive/lane_stepper.hpp"

#include <algorithm>

#include "energy/lanes.hpp"
#include "energy/stepper.hpp"
#include "motion/fill_sample.hpp"

namespace herglotz::integrate {
namespace {

class EnergyLaneStepper final : public LaneStepper {
 public:
  EnergyLaneStepper(const Dynamics& dynamics, const Dynamics& wide, std::span<const double> fractions,
                    const double* parameters)
      : dynamics_(&dynamics),
        wide_(&wide),
        fractions_(fractions),
        parameters_(parameters),
        width_(static_cast<std::size_t>(wide.stage.lanes())) {}
  EnergyLaneStepper(const EnergyLaneStepper& other)
      : LaneStepper(other),
        dynamics_(other.dynamics_),
        wide_(other.wide_),
        fractions_(other.fractions_),
        parameters_(other.parameters_),
        width_(other.width_),
        steps_(other.steps_->copy()) {}

  void clear() override {
    steps_ = (width_ == 8 ? make_energy_lanes<8> : make_energy_lanes<4>)(*wide_, parameters_, fractions_);
  }

  bool start(std::size_t lane, std::span<const double> parameters, double t0, std::span<const double> state) override {
    std::vector<double> carried(state.size() + 2 + dynamics_->laws);
    if (start_energy(*dynamics_, parameters, t0, state, carried.data()).status != Status::success) return false;
    steps_->start(static_cast<int>(lane), state.data(), carried.data(), metric_mass(*dynamics_, parameters, t0, state));
    return true;
  }

  unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) override {
    for (std::size_t k = first; k < first + count && lanes != 0; ++k)
      lanes &= steps_->step(k == 0 ? t0 : t0 + static_cast<double>(k) * h, h, lanes);
    return lanes;
  }

  unsigned show(double /*t*/, unsigned lanes) override { return lanes; }

  void sample(std::size_t lane, double t, Sample& sample) override {
    fill_sample(sample, t, LaneNumbers{steps_->last_state() + lane, width_},
                LaneNumbers{steps_->state() + sample.state.size() * width_ + lane, width_});
  }

  [[nodiscard]] std::unique_ptr<LaneStepper> copy() const override {
    return std::make_unique<EnergyLaneStepper>(*this);
  }
  void follow(const LaneStepper& other) override {
    steps_->follow(*static_cast<const EnergyLaneStepper&>(other).steps_);
  }

 private:
  const Dynamics* dynamics_;
  const Dynamics* wide_;
  std::span<const double> fractions_;
  const double* parameters_;
  std::size_t width_;
  std::unique_ptr<EnergyLanes> steps_;
};

}  // namespace

LaneForm energy_lanes(std::span<const double> fractions) {
  return {[](const Dynamics& wide, const Settings&) -> std::size_t {
            const int lanes = wide.stage ? wide.stage.lanes() : 1;
            const auto has = [lanes](const kernel::Kernel& kernel) { return kernel && kernel.lanes() == lanes; };
            const bool complete = has(wide.stage_jacobian) && has(wide.energy.energy) && has(wide.energy.jacobian) &&
                                  has(wide.energy.structure) && (wide.laws == 0 || has(wide.balance));
            return complete ? usable_width(lanes) : 0;
          },
          [fractions](const LaneProblem& problem) {
            const kernel::Kernel& stage = problem.wide.stage;
            const auto make = [&](const double* parameters) {
              return std::make_unique<EnergyLaneStepper>(problem.dynamics, problem.wide, fractions, parameters);
            };
            return follow_groups(problem, static_cast<std::size_t>(stage.lanes()), stage.parameters(), make);
          }};
}

}  // namespace herglotz::integrate
