#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "herglotz/error.hpp"
#include "loops/motion.hpp"
#include "loops/motion_state.hpp"

namespace herglotz::families {
namespace {

/// Steps of the explicit method before the first trial; each later one comes after twice as many.
constexpr std::size_t first_trial = 4096;
/// Explicit steps that must be left at their pace if an implicit method is to be tried.
constexpr double fewest_left = 100'000;
/// Steps of a trial, and the ratio of their average length to that of the explicit steps from which on they pay.
constexpr std::size_t steps_of_trial = 64;
constexpr double least_gain = 40;

/// A motion by the explicit method, which the implicit one takes over where the motion is stiff: a trial from the
/// present state shows whether its steps are longer by more than they cost. Until then the explicit motion is that of a
/// run without trials to the last bit.
class ByStiffness final : public AdaptiveMotion {
 public:
  ByStiffness(Model& model, double tolerance, double t_end, std::function<void()> prepare)
      : model_(model),
        tolerance_(tolerance),
        t_end_(t_end),
        prepare_(std::move(prepare)),
        explicit_(reference_motion(model, tolerance, t_end)) {
    restart_trials();
  }

  void restart(Model& model) override {
    explicit_->restart(model);
    restart_trials();
  }

  std::string advance(double t_stop, std::size_t most) override {
    if (t_stop != course_.t_stop) course_.interval = std::abs(t_stop - std::exchange(course_.t_stop, t_stop));
    const std::size_t end = steps() + most;
    while (t() != t_stop && steps() < end) {
      if (course_.implicit) return implicit_->advance(t_stop, end - steps());
      const std::size_t next = std::min(end, course_.next_trial) - explicit_->steps();
      if (std::string why = explicit_->advance(t_stop, next); !why.empty()) return why;
      if (explicit_->steps() >= course_.next_trial && t() != t_end_) try_implicit();
    }
    return {};
  }

  Observed observe(double t, const Take& take) override { return now().observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return now().tiling(); }
  void take(double h) override { now().take(h); }
  [[nodiscard]] double t() const override { return now().t(); }
  [[nodiscard]] std::size_t steps() const override {
    return explicit_->steps() + (course_.implicit ? implicit_->steps() : 0);
  }
  [[nodiscard]] std::size_t rejected() const override {
    return explicit_->rejected() + (course_.implicit ? implicit_->rejected() : 0);
  }
  [[nodiscard]] std::size_t newton_iterations() const override {
    return course_.implicit ? implicit_->newton_iterations() : 0;
  }
  [[nodiscard]] std::string note() const override { return course_.note; }

  void keep() override {
    now().keep();
    kept_ = course_;
  }
  void go_back() override {
    course_ = kept_;
    now().go_back();
  }

 private:
  /// Values of a run that are not those of one of the two motions.
  struct Course {
    bool implicit = false;
    std::size_t next_trial = first_trial;
    std::size_t last_trial = 0;  ///< the number of steps at the last trial
    double t_last = 0;           ///< the time at the last trial
    double t_stop = 0;           ///< where steps must end
    double interval = 0;         ///< from one such time to the next
    std::string note{};
  };

  [[nodiscard]] AdaptiveMotion& now() const {
    return course_.implicit ? static_cast<AdaptiveMotion&>(*implicit_) : *explicit_;
  }
  void restart_trials() {
    course_ = {};
    course_.t_last = course_.t_stop = explicit_->t();
  }

  /// Makes the implicit motion. Returns false if it does not take the model.
  bool make_implicit() {
    prepare_();
    try {
      implicit_ = radau_motion(model_, tolerance_, t_end_);
    } catch (const Refused&) {
      course_.next_trial = std::numeric_limits<std::size_t>::max();
    }
    return implicit_ != nullptr;
  }

  void try_implicit() {
    const double t = explicit_->t();
    const double mean = std::abs(t - course_.t_last) / static_cast<double>(explicit_->steps() - course_.last_trial);
    course_.t_last = t;
    course_.last_trial = explicit_->steps();
    course_.next_trial = 2 * explicit_->steps();
    if (std::abs(t_end_ - t) < fewest_left * mean || course_.interval < least_gain * mean) return;
    if (!implicit_ && !make_implicit()) return;
    const MotionState state = explicit_->state();
    const double h = std::copysign(mean, t_end_ - t);
    implicit_->go_on_from(model_, state, h);
    if (!implicit_->advance(t_end_, steps_of_trial).empty()) return;
    const double gain = std::abs(implicit_->t() - t) / static_cast<double>(implicit_->steps()) / mean;
    if (gain < least_gain) return;
    implicit_->go_on_from(model_, state, h);
    course_.implicit = true;
    course_.note = fmt::format(
        "radau-5 took steps from t = {:.6g} on: on trial they were {:.2g} times as long as the explicit ones, which "
        "followed what the motion no longer showed",
        t, gain);
  }

  Model& model_;
  double tolerance_;
  double t_end_;
  std::function<void()> prepare_;
  std::unique_ptr<ExplicitMotion> explicit_;
  std::unique_ptr<ImplicitMotion> implicit_;  // once it has been tried
  Course course_;
  Course kept_;
};

}  // namespace

std::unique_ptr<AdaptiveMotion> motion_by_stiffness(Model& model, double tolerance, double t_end,
                                                    std::function<void()> prepare) {
  return std::make_unique<ByStiffness>(model, tolerance, t_end, std::move(prepare));
}

}  // namespace herglotz::families
