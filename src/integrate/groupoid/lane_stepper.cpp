#include "drive/lane_stepper.hpp"

#include "groupoid/ends.hpp"
#include "groupoid/lanes.hpp"
#include "groupoid/stepper.hpp"
#include "herglotz/error.hpp"

namespace herglotz::integrate {
namespace {

/// Stepper that moves all lanes together, and computes starts and samples lane by lane.
class GroupoidLaneStepper final : public LaneStepper {
 public:
  GroupoidLaneStepper(const Dynamics& dynamics, const Dynamics& wide, const GroupoidScheme& scheme,
                      const double* parameters)
      : dynamics_(&dynamics),
        wide_(&wide),
        scheme_(&scheme),
        parameters_(parameters),
        width_(static_cast<std::size_t>(wide.groupoid.stage.lanes())),
        ends_(width_),
        carried_(dynamics.n + dynamics.r + 2 + dynamics.laws),
        xi_(dynamics.r),
        multipliers_(dynamics.m) {}
  GroupoidLaneStepper(const GroupoidLaneStepper& other)
      : LaneStepper(other),
        dynamics_(other.dynamics_),
        wide_(other.wide_),
        scheme_(other.scheme_),
        parameters_(other.parameters_),
        width_(other.width_),
        motions_(other.motions_->copy()),
        ends_(other.ends_),
        commutes_(other.commutes_),
        carried_(other.carried_),
        xi_(other.xi_),
        multipliers_(other.multipliers_) {}

  void clear() override {
    motions_ = (width_ == 8 ? make_groupoid_lanes<8> : make_groupoid_lanes<4>)(*wide_, parameters_, *scheme_);
  }

  bool start(std::size_t lane, std::span<const double> parameters, double t0, std::span<const double> state) override {
    GroupoidBoundary& ends = ends_[lane].emplace(*dynamics_, parameters);
    if (ends.start(t0, state, carried_.data(), xi_.data(), multipliers_.data()) != Status::success) return false;
    try {
      const GroupNumbers numbers(*dynamics_, parameters, scheme_->kind);
      // If brackets vanish for some parameters only, the runs with these parameters take simpler steps in integrate().
      if (numbers.structure.trivial() != commutes(parameters)) return false;
      motions_->start(static_cast<int>(lane), numbers.structure, numbers.action, carried_.data(), xi_.data(),
                      multipliers_.data());
      return true;
    } catch (const Refused&) {
      return false;
    }
  }

  unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) override {
    for (std::size_t k = first; k < first + count && lanes != 0; ++k)
      lanes &= motions_->step(k == 0 ? t0 : t0 + static_cast<double>(k) * h, h, lanes);
    for (auto& ends : ends_) ends->move_on();
    return lanes;
  }

  unsigned show(double t, unsigned lanes) override {
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if ((lanes >> lane & 1U) == 0) continue;
      gather(lane);
      if (ends_[lane]->arrive(t, carried_.data(), xi_.data()) != Status::success) lanes &= ~(1U << lane);
    }
    return lanes;
  }

  void sample(std::size_t lane, double t, Sample& sample) override {
    gather(lane);
    ends_[lane]->write(t, carried_.data(), sample);
  }

  [[nodiscard]] std::unique_ptr<LaneStepper> copy() const override {
    return std::make_unique<GroupoidLaneStepper>(*this);
  }
  void follow(const LaneStepper& other) override {
    const auto& leader = static_cast<const GroupoidLaneStepper&>(other);
    motions_->follow(*leader.motions_);
    for (std::size_t lane = 0; lane < width_; ++lane) ends_[lane]->follow(*leader.ends_[lane]);
  }

 private:
  /// Returns whether all brackets vanish for the parameters of the first call and for others too.
  bool commutes(std::span<const double> parameters) {
    if (commutes_) return *commutes_;
    std::vector<double> others(parameters.begin(), parameters.end());
    for (std::size_t k = 0; k < others.size(); ++k) others[k] += 1 + 0.1 * static_cast<double>(k);
    const auto trivial = [this](std::span<const double> values) {
      return GroupNumbers(*dynamics_, values, RetractionKind::exponential).structure.trivial();
    };
    commutes_ = trivial(parameters) && trivial(others);
    return *commutes_;
  }
  void gather(std::size_t lane) {
    for (std::size_t i = 0; i < carried_.size(); ++i) carried_[i] = motions_->state()[i * width_ + lane];
    for (std::size_t a = 0; a < xi_.size(); ++a) xi_[a] = motions_->xi()[a * width_ + lane];
  }

  const Dynamics* dynamics_;
  const Dynamics* wide_;
  const GroupoidScheme* scheme_;
  const double* parameters_;
  std::size_t width_;
  std::unique_ptr<GroupoidLanes> motions_;
  std::vector<std::optional<GroupoidBoundary>> ends_;
  std::optional<bool> commutes_;
  std::vector<double> carried_;  // room for the numbers of one lane
  std::vector<double> xi_;
  std::vector<double> multipliers_;
};

}  // namespace

LaneForm groupoid_lanes(const GroupoidScheme& scheme) {
  return {[](const Dynamics& wide, const Settings&) -> std::size_t {
            const GroupoidKernels& map = wide.groupoid;
            const int lanes = map ? map.stage.lanes() : 1;
            const auto has = [lanes](const kernel::Kernel& kernel) { return kernel && kernel.lanes() == lanes; };
            const bool complete = has(map.stage_jacobian) && has(map.generators) && (!map.frame || has(map.frame)) &&
                                  (wide.laws == 0 || has(wide.balance)) &&
                                  (wide.positions == 0 || has(wide.position)) && !(wide.differential() && wide.m > 0);
            return complete ? usable_width(lanes) : 0;
          },
          [scheme](const LaneProblem& problem) {
            const kernel::Kernel& stage = problem.wide.groupoid.stage;
            const auto make = [&](const double* parameters) {
              return std::make_unique<GroupoidLaneStepper>(problem.dynamics, problem.wide, scheme, parameters);
            };
            return follow_groups(problem, static_cast<std::size_t>(stage.lanes()), stage.parameters(), make);
          }};
}

}  // namespace herglotz::integrate
