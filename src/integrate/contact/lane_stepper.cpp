#include "drive/lane_stepper.hpp"

#include <vector>

#include "contact/lanes.hpp"
#include "motion/fill_sample.hpp"
#include "motion/legendre_boundary.hpp"

namespace herglotz::integrate {
namespace {

/// Stepper that makes the steps of all lanes together, and the ends of steps lane by lane.
class ContactStepper final : public LaneStepper {
 public:
  ContactStepper(const Dynamics& dynamics, const Dynamics& wide, ContactScheme scheme, const double* parameters)
      : dynamics_(&dynamics),
        wide_(&wide),
        scheme_(scheme),
        parameters_(parameters),
        layout_(dynamics),
        width_(static_cast<std::size_t>(wide.stage.lanes())),
        ends_(width_),
        last_(layout_.size),
        carried_(layout_.base + 1 + dynamics.laws),
        moves_(carried_.size()) {}
  ContactStepper(const ContactStepper& other)
      : LaneStepper(other),
        dynamics_(other.dynamics_),
        wide_(other.wide_),
        scheme_(other.scheme_),
        parameters_(other.parameters_),
        layout_(other.layout_),
        width_(other.width_),
        steps_(other.steps_->copy()),
        ends_(other.ends_),
        last_(other.last_),
        carried_(other.carried_),
        moves_(other.moves_) {}

  void clear() override {
    steps_ = (width_ == 8 ? make_contact_lanes<8> : make_contact_lanes<4>)(*wide_, parameters_, scheme_);
  }

  bool start(std::size_t lane, std::span<const double> parameters, double t0, std::span<const double> state) override {
    const Status status = ends_[lane].emplace(*dynamics_, parameters).start(t0, state, last_.data(), carried_.data());
    steps_->start(static_cast<int>(lane), last_.data(), carried_.data());
    return status == Status::success;
  }

  unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) override {
    for (std::size_t k = first; k < first + count && lanes != 0; ++k)
      lanes = step(k == 0 ? t0 : t0 + static_cast<double>(k) * h, h, lanes);
    return lanes;
  }

  unsigned show(double t, unsigned lanes) override {
    const bool guessed = steps_->show_end();
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if ((lanes >> lane & 1U) == 0) continue;
      gather(lane);
      LegendreBoundary& ends = *ends_[lane];
      if ((guessed && ends.recover(t, last_.data(), carried_.data()) != Status::success) ||
          ends.find_multipliers(t, last_.data()) != Status::success)
        lanes &= ~(1U << lane);
      else
        scatter(last_, steps_->last_state(), lane);
    }
    steps_->end_is_known();
    return lanes;
  }

  void sample(std::size_t lane, double t, Sample& sample) override {
    gather(lane);
    fill_sample(sample, t, last_, carried_.data() + layout_.base);
    sample.multipliers.assign(last_.begin() + static_cast<std::ptrdiff_t>(layout_.base), last_.end());
  }

  [[nodiscard]] std::unique_ptr<LaneStepper> copy() const override { return std::make_unique<ContactStepper>(*this); }
  void follow(const LaneStepper& other) override { steps_->follow(*static_cast<const ContactStepper&>(other).steps_); }

 private:
  unsigned step(double t, double h, unsigned lanes) {
    lanes &= steps_->step(t, h, lanes);
    if (lanes == 0 || !steps_->projects()) return lanes;
    steps_->begin_projection();
    const unsigned done = steps_->project_directly(t + h, lanes);
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if (((lanes & ~done) >> lane & 1U) == 0) continue;
      gather(lane);
      if (ends_[lane]->project(t + h, last_.data(), carried_.data(), moves_.data()) != Status::success) {
        lanes &= ~(1U << lane);
        continue;
      }
      scatter(last_, steps_->last_state(), lane);
      scatter(moves_, steps_->moves(), lane);
    }
    steps_->end_projection();
    return lanes;
  }

  void gather(std::size_t lane) {
    for (std::size_t j = 0; j < last_.size(); ++j) last_[j] = steps_->last_state()[j * width_ + lane];
    for (std::size_t i = 0; i < carried_.size(); ++i) carried_[i] = steps_->state()[i * width_ + lane];
  }
  void scatter(const std::vector<double>& numbers, double* lanes, std::size_t lane) const {
    for (std::size_t i = 0; i < numbers.size(); ++i) lanes[i * width_ + lane] = numbers[i];
  }

  const Dynamics* dynamics_;
  const Dynamics* wide_;
  ContactScheme scheme_;
  const double* parameters_;
  StageLayout layout_;
  std::size_t width_;
  std::unique_ptr<ContactLanes> steps_;
  std::vector<std::optional<LegendreBoundary>> ends_;
  std::vector<double> last_;  // room for the numbers of one lane
  std::vector<double> carried_;
  std::vector<double> moves_;
};

}  // namespace

LaneForm contact_lanes(ContactScheme scheme) {
  return {[](const Dynamics& wide, const Settings&) -> std::size_t {
            return wide.stage && wide.stage_jacobian ? usable_width(wide.stage.lanes()) : 0;
          },
          [scheme](const LaneProblem& problem) {
            const kernel::Kernel& stage = problem.wide.stage;
            const auto make = [&](const double* parameters) {
              return std::make_unique<ContactStepper>(problem.dynamics, problem.wide, scheme, parameters);
            };
            return follow_groups(problem, static_cast<std::size_t>(stage.lanes()), stage.parameters(), make);
          }};
}

}  // namespace herglotz::integrate
