#include "lane_contact.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact_ends.hpp"
#include "schedule.hpp"

namespace herglotz::integrate {
namespace {

/// The steps of all lanes, and the ends of those of each.
struct Steppers {
  std::unique_ptr<ContactLanes> steps;
  std::vector<ContactEnds> ends;

  [[nodiscard]] Steppers copy() const { return {steps->copy(), ends}; }
};

/// One group of runs after the other.
class ContactRuns {
 public:
  ContactRuns(const Dynamics& dynamics, const Dynamics& wide, ContactScheme scheme, const Settings& settings,
              const LaneRuns& runs)
      : dynamics_(dynamics),
        wide_(wide),
        scheme_(scheme),
        settings_(settings),
        runs_(runs),
        layout_(dynamics),
        width_(static_cast<std::size_t>(wide.stage.lanes())),
        parameters_(wide.stage.parameters() * width_),
        lanes_(width_, Lane(dynamics, wide.stage.parameters())),
        last_(layout_.size),
        carried_(layout_.base + 1 + dynamics.laws),
        moves_(carried_.size()) {
    sample_.state.resize(dynamics.dimension());
    sample_.budget.resize(dynamics.laws);
  }

  bool operator()() {
    while (fill())
      if (!follow()) return false;
    return !stopped_;
  }

 private:
  struct Lane {
    Lane(const Dynamics& dynamics, std::size_t parameter_count)
        : parameters(parameter_count), state(dynamics.dimension()) {}
    std::size_t run = 0;
    std::vector<double> parameters;
    std::vector<double> state;
  };

  [[nodiscard]] bool busy(std::size_t lane) const { return (busy_ >> lane & 1U) != 0; }
  void drop(std::size_t lane) {
    busy_ &= ~(1U << lane);
    runs_.done(lanes_[lane].run, false, 0);
  }
  /// Leaves runs to integrate().
  void drop_all(unsigned lanes) {
    for (std::size_t lane = 0; lane < width_; ++lane)
      if ((busy_ & lanes) >> lane & 1U) drop(lane);
  }
  bool finish(std::size_t steps) {
    for (std::size_t lane = 0; lane < width_; ++lane)
      if (busy(lane)) runs_.done(lanes_[lane].run, true, steps);
    busy_ = 0;
    return true;
  }

  /// The next group; false when there are no more runs.
  bool fill() {
    main_ = make();
    aside_.reset();
    std::size_t filled = 0;
    while (filled < width_) {
      Lane& lane = lanes_[filled];
      double t0 = 0;
      if (!runs_.next(lane.run, lane.parameters, t0, lane.state)) break;
      if (filled > 0 && t0 != t0_) {
        runs_.done(lane.run, false, 0);
        continue;
      }
      t0_ = t0;
      if (start(filled))
        busy_ |= 1U << filled++;
      else
        runs_.done(lane.run, false, 0);
    }
    if (filled == 0) return false;
    // Empty lanes repeat the first one, unseen.
    for (std::size_t lane = filled; lane < width_; ++lane) {
      lanes_[lane].parameters = lanes_[0].parameters;
      lanes_[lane].state = lanes_[0].state;
      start(lane);
    }
    return true;
  }
  Steppers make() {
    Steppers made{(width_ == 8 ? contact_lanes_8 : contact_lanes_4)(wide_, parameters_.data(), scheme_), {}};
    for (const Lane& lane : lanes_) made.ends.emplace_back(dynamics_, lane.parameters);
    return made;
  }
  bool start(std::size_t at) {
    Lane& lane = lanes_[at];
    for (std::size_t k = 0; k < lane.parameters.size(); ++k) parameters_[k * width_ + at] = lane.parameters[k];
    const Status status = main_.ends[at].start(t0_, lane.state, last_.data(), carried_.data());
    main_.steps->start(static_cast<int>(at), last_.data(), carried_.data());
    return status == Status::success;
  }

  /// Steps as those of follow_fixed(). False where everything is to stop.
  bool follow() {
    const double duration = settings_.t_end - t0_;
    h_ = std::copysign(settings_.step, duration);
    const Steps steps = count_steps(duration, h_);
    const std::size_t total = steps.total();
    if (total > settings_.max_steps) {
      drop_all(busy_);
      return true;
    }
    SampleTimes times(t0_, settings_.t_end, settings_.schedule);
    t_ = t0_;
    if (!emit(main_, t0_)) return false;
    const std::size_t every = settings_.schedule.every;
    for (std::size_t k = 0; k < total && busy_ != 0; ++k) {
      const double next = k + 1 == total ? settings_.t_end : t0_ + static_cast<double>(k + 1) * h_;
      if (!samples_inside(times, next)) return false;
      step(main_, t_, k < steps.whole ? h_ : steps.last);
      t_ = next;
      const bool due = !times.only_end_left() && std::abs(times.next() - t_) <= 1e-9 * std::abs(h_);
      if (due) times.pass();
      if ((due || k + 1 == total || (every != 0 && (k + 1) % every == 0)) && !emit(main_, t_)) return false;
    }
    return finish(total);
  }

  /// Samples strictly inside the step from t_ to next, reached by shorter steps of a copy.
  bool samples_inside(SampleTimes& times, double next) {
    for (; !times.only_end_left() && busy_ != 0; times.pass()) {
      const double due = times.next();
      if (std::abs(next - due) <= 1e-9 * std::abs(h_) || (next - due) * h_ < 0) return true;
      if (!aside_) aside_ = main_.copy();
      aside_->steps->follow(*main_.steps);
      if (due != t_) step(*aside_, t_, due - t_);
      if (!emit(*aside_, due)) return false;
    }
    return true;
  }

  void step(Steppers& steppers, double t, double h) {
    ContactLanes& steps = *steppers.steps;
    drop_all(~steps.step(t, h, busy_));
    if (busy_ == 0 || !steps.projects()) return;
    steps.begin_projection();
    const unsigned done = steps.project_directly(t + h, busy_);
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if (!busy(lane) || (done >> lane & 1U) != 0) continue;
      gather(steps, lane);
      if (steppers.ends[lane].project(t + h, last_.data(), carried_.data(), moves_.data()) != Status::success) {
        drop(lane);
        continue;
      }
      scatter(last_, steps.last_state(), lane);
      scatter(moves_, steps.moves(), lane);
    }
    steps.end_projection();
  }

  bool emit(Steppers& steppers, double t) {
    ContactLanes& steps = *steppers.steps;
    const bool guessed = steps.show_end();
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if (!busy(lane)) continue;
      gather(steps, lane);
      ContactEnds& ends = steppers.ends[lane];
      if ((guessed && ends.recover(t, last_.data(), carried_.data()) != Status::success) ||
          ends.find_multipliers(t, last_.data()) != Status::success) {
        drop(lane);
        continue;
      }
      scatter(last_, steps.last_state(), lane);
      if (hand_out(lane, t)) continue;
      stopped_ = true;
      return false;
    }
    steps.end_is_known();
    return true;
  }
  bool hand_out(std::size_t lane, double t) {
    sample_.t = t;
    std::copy_n(last_.begin(), sample_.state.size(), sample_.state.begin());
    sample_.log_factor = carried_[layout_.base];
    std::copy_n(carried_.begin() + static_cast<std::ptrdiff_t>(layout_.base) + 1, sample_.budget.size(),
                sample_.budget.begin());
    sample_.multipliers.assign(last_.begin() + static_cast<std::ptrdiff_t>(layout_.base), last_.end());
    return runs_.sample(lanes_[lane].run, sample_);
  }

  void gather(ContactLanes& steps, std::size_t lane) {
    for (std::size_t j = 0; j < last_.size(); ++j) last_[j] = steps.last_state()[j * width_ + lane];
    for (std::size_t i = 0; i < carried_.size(); ++i) carried_[i] = steps.state()[i * width_ + lane];
  }
  void scatter(const std::vector<double>& numbers, double* lanes, std::size_t lane) const {
    for (std::size_t i = 0; i < numbers.size(); ++i) lanes[i * width_ + lane] = numbers[i];
  }

  const Dynamics& dynamics_;
  const Dynamics& wide_;
  ContactScheme scheme_;
  const Settings& settings_;
  const LaneRuns& runs_;
  StageLayout layout_;
  std::size_t width_;
  double t0_ = 0;
  double t_ = 0;
  double h_ = 0;
  std::vector<double> parameters_;
  std::vector<Lane> lanes_;
  unsigned busy_ = 0;
  Steppers main_;
  std::optional<Steppers> aside_;
  std::vector<double> last_;  // room for the numbers of one lane
  std::vector<double> carried_;
  std::vector<double> moves_;
  Sample sample_;
  bool stopped_ = false;
};

}  // namespace

bool follow_contact(const Dynamics& dynamics, const Dynamics& wide, ContactScheme scheme, const Settings& settings,
                    const LaneRuns& runs) {
  return ContactRuns(dynamics, wide, scheme, settings, runs)();
}

}  // namespace herglotz::integrate
