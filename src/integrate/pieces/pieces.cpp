#include "herglotz/integrate/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "herglotz/integrate/adaptive/by_stiffness.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {
namespace {

class Following {
 public:
  Following(Pieces& pieces, double t0, std::span<const double> state, const Settings& settings, const Sink& sink,
            const Watch& watch)
      : pieces_(pieces),
        settings_(settings),
        sink_(sink),
        watch_(watch),
        own_(watch.crossings.size()),
        direction_(settings.t_end < t0 ? -1 : 1),
        length_(std::abs(settings.t_end - t0)),
        t_(t0),
        state_(state.begin(), state.end()),
        signs_(own_, 0),
        sizes_(own_, 0),
        happened_(own_) {
    const MethodInfo* method = find_method(settings.method == reference_by_stiffness ? "reference" : settings.method);
    by_steps_ = method != nullptr && method->adaptive && settings.schedule.every != 0;
    if (by_steps_) {
      times_ = settings.schedule.times;
      return;
    }
    times_ = sample_times(settings, false, t0);
    times_.erase(times_.begin());
    if (!times_.empty()) times_.pop_back();
  }

  Outcome operator()() {
    while (true) {
      const Outcome piece = follow_piece();
      total_.steps += piece.steps;
      total_.rejected_steps += piece.rejected_steps;
      total_.newton_iterations += piece.newton_iterations;
      total_.status = piece.status;
      if (!piece.reason.empty()) total_.reason = piece.reason;
      total_.t = piece.t;
      total_.state = piece.state;
      const bool at_condition = piece.status == Status::success && piece.stopped_by && *piece.stopped_by >= own_;
      if (!at_condition || piece.t == settings_.t_end) {
        if (!at_condition) total_.stopped_by = piece.stopped_by;
        // An event may end the run at the time at which its last piece begins.
        if (total_.stopped_by && !held_ && shown_ != reached_.t) remember(whole(reached_));
        if (!flush()) total_.status = Status::cancelled;
        return std::move(total_);
      }
      const Stop stop = next_piece(*piece.stopped_by - own_, piece.t);
      if (stop.status == Status::success) continue;
      if (pieces_.leaves_jump_to_caller()) {
        total_.status = Status::success;
        total_.stopped_by = own_;
        if (shown_ != reached_.t) remember(whole(reached_));
        if (!flush()) total_.status = Status::cancelled;
        return std::move(total_);
      }
      conclude(total_, pieces_.dynamics(), stop, t_, state_);
      return std::move(total_);
    }
  }

 private:
  Outcome follow_piece() {
    Settings settings = settings_;
    settings.max_steps -= std::min(settings.max_steps, total_.steps);
    settings.tolerance = pieces_.tolerance(settings.tolerance, state_);
    if (settings.step != 0) settings.step = pieces_.step(settings.step, t_, state_);
    const auto is_ahead = [this](double t) { return direction_ * (t - t_) > 0; };
    times_.erase(times_.begin(), std::find_if(times_.begin(), times_.end(), is_ahead));
    settings.schedule = {.every = by_steps_ ? settings.schedule.every : 0, .times = times_};
    Watch watch;
    watch.crossings = watch_.crossings;
    conditions_ = pieces_.conditions();
    for (const Condition& condition : conditions_)
      watch.crossings.push_back({condition.text, direction_ > 0 ? Direction::falling : Direction::rising, true});
    watch.values = watched(pieces_.functions());
    watch.found = [this](std::size_t crossing, const Sample& sample) {
      if (crossing >= own_) return true;
      signs_[crossing] = -signs_[crossing];
      happened_[crossing] = sample.t;
      return !watch_.found || watch_.found(crossing, whole(sample));
    };
    begins_ = true;
    return integrate(
        pieces_.dynamics(), pieces_.parameters(), t_, state_, settings,
        [this](const Sample& sample) { return take(sample); }, watch);
  }

  /// Returns the kernel of a piece whose values at the start of the piece have the signs that they should have. They
  /// are zero there but for round-off where the piece before ended on them.
  kernel::Kernel watched(const kernel::Kernel& functions) {
    const std::size_t time = pieces_.dynamics().n + pieces_.dynamics().r + 1;
    auto work = std::make_shared<std::vector<double>>(functions.work_size());
    auto all = std::make_shared<std::vector<double>>(functions.outputs());
    return kernel::from_function("functions of a piece", functions.variables(), functions.parameters(),
                                 own_ + conditions_.size(),
                                 [this, functions, work, all, time, start = t_](
                                     std::span<const double> v, std::span<const double> p, std::span<double> values) {
                                   functions(v.data(), p.data(), all->data(), work->data());
                                   std::copy_n(all->begin(), values.size(), values.begin());
                                   const auto give_sign = [&values](std::size_t k, double sign) {
                                     if (!(values[k] * sign > 0) && !std::isnan(values[k]))
                                       values[k] = sign * std::numeric_limits<double>::min();
                                   };
                                   take_given(v, p, values.first(own_));
                                   for (std::size_t k = 0; k < own_; ++k)
                                     sizes_[k] = std::max(sizes_[k], std::abs(values[k]));
                                   if (v[time] != start) return;
                                   for (std::size_t k = 0; k < own_; ++k) {
                                     if (signs_[k] == 0) signs_[k] = values[k] > 0 ? 1 : values[k] < 0 ? -1 : 0;
                                     if (signs_[k] != 0) give_sign(k, signs_[k]);
                                   }
                                   for (std::size_t k = own_; k < values.size(); ++k)
                                     if (conditions_[k - own_].begun) give_sign(k, 1);
                                 });
  }

  /// Takes the values of the caller's functions in place of those of the piece if the caller gives them: they may have
  /// signs of their own at the start of a run, and zeros that lie elsewhere by rounding. The first
  /// variables and parameters of a piece are those of the caller.
  void take_given(std::span<const double> v, std::span<const double> p, std::span<double> values) const {
    if (own_ == 0 || !watch_.values) return;
    std::vector<double> work(watch_.values.work_size());
    watch_.values(v.data(), p.data(), values.data(), work.data());
  }

  /// Finds the signs that the caller's functions have at the end of a piece. A function that is zero there but for
  /// round-off has passed if that was found, and passes in the next piece otherwise.
  void carry_signs(const Sample& end) {
    const kernel::Kernel& functions = pieces_.functions();
    std::vector<double> v(end.state.begin(), end.state.end());
    v.insert(v.begin() + static_cast<std::ptrdiff_t>(pieces_.dynamics().n + pieces_.dynamics().r + 1), end.t);
    if (!pieces_.dynamics().differential()) v.insert(v.end(), end.multipliers.begin(), end.multipliers.end());
    std::vector<double> values(functions.outputs());
    std::vector<double> work(functions.work_size());
    functions(v.data(), pieces_.parameters().data(), values.data(), work.data());
    constexpr double round_off = 1e-10;
    for (std::size_t k = 0; k < own_; ++k) {
      const bool here = happened_[k] && is_now(*happened_[k], end.t);
      const Direction way = watch_.crossings[k].direction;
      const int after = (way == Direction::rising) == (direction_ > 0) ? 1 : -1;
      if (std::abs(values[k]) > round_off * sizes_[k])
        signs_[k] = values[k] > 0 ? 1 : -1;
      else if (way != Direction::any)
        signs_[k] = here ? after : -after;
    }
  }

  /// Returns whether two times are one, but for round-off.
  [[nodiscard]] bool is_now(double a, double b) const {
    constexpr double round_off = 1e-12;
    return std::abs(a - b) <= round_off * std::max(std::abs(a), length_);
  }

  /// Takes a sample of a piece. The last one is held back until it is known whether it is only the end of the piece.
  bool take(const Sample& sample) {
    if (std::exchange(begins_, false)) {
      log_before_ = log_factor_;
      carried_.resize(sample.budget.size());
      for (std::size_t k = 0; k < carried_.size(); ++k) carried_[k] = first_ ? 0 : budget_[k] - sample.budget[k];
      reached_ = sample;
      if (!std::exchange(first_, false)) return true;
      remember(whole(sample));
      return flush();
    }
    const bool goes_on = flush();
    reached_ = sample;
    remember(whole(sample));
    return goes_on;
  }

  void remember(Sample sample) {
    log_factor_ = sample.log_factor;
    budget_ = sample.budget;
    held_ = std::move(sample);
  }

  bool flush() {
    if (!held_) return true;
    const Sample sample = *std::exchange(held_, std::nullopt);
    shown_ = sample.t;
    return sink_(sample);
  }

  /// Returns a sample with the factor and the budgets of the whole run. What a budget had at the start of the piece
  /// beyond its law's quantity there changes by dg/dt = L_z g.
  Sample whole(const Sample& sample) const {
    Sample result = sample;
    const double growth = std::exp(-sample.log_factor);
    result.log_factor += log_before_;
    for (std::size_t k = 0; k < carried_.size(); ++k)
      if (carried_[k] != 0) result.budget[k] += carried_[k] * growth;
    pieces_.show(result);
    return result;
  }

  /// Goes on behind a condition. Any status but success ends the run.
  Stop next_piece(std::size_t condition, double t) {
    if (held_ && !by_steps_ && (times_.empty() || std::find(times_.begin(), times_.end(), t) == times_.end()))
      held_.reset();
    if (!flush()) return {Status::cancelled, {}};
    carry_signs(reached_);
    t_ = t;
    state_ = reached_.state;
    const std::string name = conditions_[condition].text;
    constexpr int most = 3;
    if (!is_now(t, since_)) {
      passed_here_.clear();
      since_ = t;
    }
    if (++passed_here_[name] > most) return {Status::step_too_small, leading_back(name)};
    Reason reason = pieces_.pass(condition, t_, state_);
    return {reason.empty() ? Status::success : Status::not_converged, std::move(reason)};
  }

  Pieces& pieces_;
  const Settings& settings_;
  const Sink& sink_;
  const Watch& watch_;
  std::size_t own_;                    // number of functions that the caller watches
  std::vector<Condition> conditions_;  // of the piece
  double direction_;
  double length_;
  bool by_steps_ = false;
  std::vector<double> times_;  // of samples that are still due, without the end
  double t_;
  std::vector<double> state_;
  // For each function that the caller watches: its sign, which a crossing changes; its largest value; its last
  // crossing.
  std::vector<int> signs_;
  std::vector<double> sizes_;
  std::vector<std::optional<double>> happened_;
  Outcome total_;
  bool first_ = true;   // the run has no sample yet
  bool begins_ = true;  // the piece has no sample yet
  Sample reached_;      // the last sample of the piece
  std::optional<Sample> held_;
  std::optional<double> shown_;  // time of the last sample that the caller has
  double log_factor_ = 0;
  double log_before_ = 0;
  std::vector<double> budget_;
  std::vector<double> carried_;
  double since_ = std::numeric_limits<double>::quiet_NaN();
  std::map<std::string, int> passed_here_;
};

}  // namespace

Reason leading_back(const std::string& function) {
  return {fmt::format("the motion cannot leave '{}' = 0, because both of its sides lead back to it", function),
          "smooth the jump"};
}

Outcome integrate_pieces(Pieces& pieces, double t0, std::span<const double> state, const Settings& settings,
                         const Sink& sink, const Watch& watch) {
  return Following(pieces, t0, state, settings, sink, watch)();
}

}  // namespace herglotz::integrate
