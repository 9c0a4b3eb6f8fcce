#include "splitting/lanes.hpp"

#include <algorithm>
#include <vector>

#include "drive/lane_stepper.hpp"
#include "splitting/explicit_run.hpp"

namespace herglotz::integrate {
namespace {

class ExplicitLanes final : public LaneStepper {
 public:
  ExplicitLanes(const Dynamics& dynamics, const ExplicitKernels& narrow, const ExplicitKernels& wide,
                std::span<const double> composition, const double* parameters)
      : run_(dynamics, narrow),
        wide_(&wide),
        composition_(composition),
        parameters_(parameters),
        width_(static_cast<std::size_t>(wide.loop.lanes())),
        carried_(run_.carried()),
        row_(2 + wide.constants),
        sums_(2 * wide.loop.sums() * width_),
        substeps_(composition.size() * row_ * width_),
        u_((carried_ + 1) * width_),
        velocity_(dynamics.n * width_),
        budgets_(dynamics.laws * width_) {
    work_.resize(std::max(wide.velocity.work_size(), wide.prepare.work_size()));
  }

  void clear() override {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    h_ = 0;
  }

  bool start(std::size_t lane, std::span<const double> parameters, double t0, std::span<const double> state) override {
    run_.start(parameters, t0, state, sums(lane), budgets(lane));
    return true;
  }

  unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned) override {
    prepare(h);
    wide_->loop(sums_.data(), parameters_, substeps_.data(), {t0, h, first, count, composition_.size()});
    return finite();
  }

  unsigned show(double t, unsigned lanes) override {
    std::copy_n(sums_.begin(), carried_ * width_, u_.begin());
    std::fill_n(u_.begin() + static_cast<std::ptrdiff_t>(carried_ * width_), width_, t);
    wide_->velocity(u_.data(), parameters_, velocity_.data(), work_.data());
    return lanes;
  }

  void sample(std::size_t lane, double t, Sample& sample) override {
    run_.sample(t, sums(lane), {velocity_.data() + lane, width_}, budgets(lane), sample);
  }

  [[nodiscard]] std::unique_ptr<LaneStepper> copy() const override { return std::make_unique<ExplicitLanes>(*this); }
  void follow(const LaneStepper& other) override { sums_ = static_cast<const ExplicitLanes&>(other).sums_; }

 private:
  double& sum(std::size_t entry, std::size_t lane) { return sums_[entry * width_ + lane]; }
  Strided sums(std::size_t lane) { return {sums_.data() + lane, width_}; }
  Strided budgets(std::size_t lane) { return {budgets_.data() + lane, width_}; }

  /// Computes the sizes and constants of the substeps of a step h.
  void prepare(double h) {
    if (h == h_) return;
    h_ = h;
    double start = 0;
    for (std::size_t k = 0; k < composition_.size(); ++k) {
      double* const substep = substeps_.data() + k * row_ * width_;
      std::fill_n(substep, width_, start * h);
      std::fill_n(substep + width_, width_, composition_[k] * h);
      if (wide_->constants > 0) wide_->prepare(substep + width_, parameters_, substep + 2 * width_, work_.data());
      start += composition_[k];
    }
  }

  unsigned finite() {
    unsigned lanes = 0;
    for (std::size_t lane = 0; lane < width_; ++lane) {
      double zero = 0;
      for (std::size_t i = 0; i < wide_->loop.sums(); ++i) zero += sum(i, lane) * 0;
      lanes |= (zero == 0 ? 1U : 0U) << lane;
    }
    return lanes;
  }

  ExplicitRun run_;
  const ExplicitKernels* wide_;
  std::span<const double> composition_;
  const double* parameters_;
  std::size_t width_;
  std::size_t carried_;  // (x, p, z)
  std::size_t row_;      // entries of a substep
  double h_ = 0;
  std::vector<double> sums_;
  std::vector<double> substeps_;
  std::vector<double> u_;
  std::vector<double> velocity_;
  std::vector<double> budgets_;  // at the start
  std::vector<double> work_;
};

}  // namespace

LaneForm explicit_lanes(ExplicitStepOf step_of, std::span<const double> composition) {
  return {[step_of](const Dynamics& wide, const Settings&) -> std::size_t {
            const ExplicitKernels& step = step_of(wide);
            return step ? usable_width(step.loop.lanes()) : 0;
          },
          [step_of, composition](const LaneProblem& problem) {
            const ExplicitKernels& wide = step_of(problem.wide);
            const auto make = [&](const double* parameters) {
              return std::make_unique<ExplicitLanes>(problem.dynamics, step_of(problem.dynamics), wide, composition,
                                                     parameters);
            };
            return follow_groups(problem, static_cast<std::size_t>(wide.loop.lanes()), wide.velocity.parameters(),
                                 make);
          }};
}

}  // namespace herglotz::integrate
