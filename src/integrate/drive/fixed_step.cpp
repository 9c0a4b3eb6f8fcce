#include "drive/fixed_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drive/breaks.hpp"
#include "drive/events.hpp"
#include "drive/schedule.hpp"

namespace herglotz::integrate {
namespace {

class FixedRun {
 public:
  FixedRun(const Run& run, FixedStepper& stepper)
      : run_(run),
        stepper_(stepper),
        h_(std::copysign(run.settings.step, run.settings.t_end - run.t0)),
        steps_(count_steps(run.settings.t_end - run.t0, h_)),
        times_(run.t0, run.settings.t_end, run.settings.schedule),
        breaks_(run),
        t_(run.t0),
        events_(run) {
    sample_.state.resize(run.dynamics.dimension());
    sample_.budget.resize(run.dynamics.laws);
    if (events_.watching()) at_end_ = sample_;
  }

  Outcome operator()() {
    Stop end;
    try {
      check(stepper_.start());
      emit(stepper_, run_.t0);
      events_.start(sample_);
      if (run_.t0 != run_.settings.t_end) advance();
    } catch (const Stop& stop) {
      end = stop;
    }
    outcome_.newton_iterations = stepper_.newton_iterations();
    conclude(outcome_, run_.dynamics, end, t_, stepper_.last_state());
    return std::move(outcome_);
  }

 private:
  void advance() {
    const std::size_t total = steps_.total();
    const std::size_t every = run_.settings.schedule.every;
    for (std::size_t k = 0; k < total; ++k) {
      if (k == run_.settings.max_steps) {
        throw Stop{Status::too_many_steps,
                   {fmt::format("{} steps did not reach t_end = {}", run_.settings.max_steps, run_.settings.t_end),
                    fmt::format("allow {} more", total - run_.settings.max_steps)}};
      }
      if (const std::size_t count = unobserved(k, total); count > 1) {
        take(k, count);
        k += count - 1;
        if (k + 1 < total) continue;
        t_ = run_.settings.t_end;
        emit(stepper_, t_);
        return;
      }
      constexpr std::size_t between_questions = 1024;
      if ((k + 1) % between_questions == 0) ask_to_proceed();
      const double h = k < steps_.whole ? h_ : steps_.last;
      const double next = k + 1 == total ? run_.settings.t_end : run_.t0 + static_cast<double>(k + 1) * h_;
      if (breaks_.reached(next) ? step_in_parts(next) : one_step(h, next)) return;
      t_ = next;
      const bool due = at_due_time();
      if (due || k + 1 == total || (every != 0 && (k + 1) % every == 0)) emit(stepper_, t_);
    }
  }

  /// Makes a step, and emits what lies inside. Returns true if a crossing ends the run.
  bool one_step(double h, double next) {
    if (events_.watching()) {
      if (watched_step(h, next)) return true;
    } else {
      if (!times_.only_end_left()) aside(stepper_, next);
      check(stepper_.step(t_, h));
    }
    ++outcome_.steps;
    return false;
  }

  /// Makes a step in parts that end at breaks. Returns true if a crossing ends the run.
  bool step_in_parts(double next) {
    const auto part = [&](double end) { return !is_near(end) && one_step(end - t_, end); };
    for (; breaks_.reached(next); breaks_.pass()) {
      if (part(breaks_.arrival())) return true;
      t_ = breaks_.departure();
      if (!is_near(next) && at_due_time()) emit(stepper_, t_);
    }
    return part(next);
  }

  /// Returns whether a time is that of the run, but for round-off.
  [[nodiscard]] bool is_near(double t) const { return std::abs(t - t_) <= 1e-9 * std::abs(h_); }

  /// Returns the number of steps from step k on that nobody observes before their end. A last step that is shorter than
  /// the others is never among them.
  [[nodiscard]] std::size_t unobserved(std::size_t k, std::size_t total) const {
    constexpr std::size_t most = 4096;  // the steps that are made again if one of them fails
    if (events_.watching()) return 0;
    const std::size_t every = run_.settings.schedule.every;
    std::size_t count = std::min({most, steps_.whole - k, run_.settings.max_steps - k});
    if (every != 0) count = std::min(count, every - 1 - k % every);
    if (times_.only_end_left() && !breaks_.left()) return count;
    count = std::min(count, total - 1 - k);
    const double until_due = std::floor((breaks_.before(times_.next()) - t_) / h_) - 1;
    return until_due >= static_cast<double>(count) ? count : static_cast<std::size_t>(std::max(until_due, 0.0));
  }

  void take(std::size_t k, std::size_t count) {
    std::size_t done = 0;
    const Status status = stepper_.advance(run_.t0, h_, k, count, done);
    outcome_.steps += done;
    if (done > 0) t_ = run_.t0 + static_cast<double>(k + done) * h_;
    check(status);
    ask_to_proceed();
  }

  void ask_to_proceed() const {
    if (run_.settings.proceed && !run_.settings.proceed()) throw Stop{Status::cancelled, {}};
  }

  /// Makes a step and emits its crossings before its samples. Returns true if a crossing ends the run.
  bool watched_step(double h, double next) {
    if (!begin_) begin_ = stepper_.copy();
    begin_->follow(stepper_);
    check(stepper_.step(t_, h));
    check(stepper_.sample(next, at_end_));
    const auto stop = events_.step(at_end_, [&](double t, Sample& sample) {
      FixedStepper& there = reach(*begin_, t);
      if (const Status status = there.sample(t, sample); status != Status::success) throw Stop{status, there.reason()};
    });
    if (!times_.only_end_left()) aside(*begin_, stop ? stop->t : next);
    if (!stop) return false;
    stepper_.follow(reach(*begin_, stop->t));
    if (stop->t != t_) ++outcome_.steps;
    t_ = stop->t;
    outcome_.stopped_by = events_.stopped_by();
    if (sample_.t != t_) emit(stepper_, t_);
    return true;
  }

  /// Returns a copy at a time in the step that starts with `begin`, reached by a shorter step.
  FixedStepper& reach(FixedStepper& begin, double t) {
    if (!aside_) aside_ = begin.copy();
    aside_->follow(begin);
    if (t == t_) return *aside_;
    if (const Status status = aside_->step(t_, t - t_); status != Status::success) throw Stop{status, aside_->reason()};
    return *aside_;
  }

  /// Emits the samples strictly inside the step from t_, where `begin` is, to next.
  void aside(FixedStepper& begin, double next) {
    while (!times_.only_end_left()) {
      const double due = times_.next();
      if (std::abs(next - due) <= 1e-9 * std::abs(h_) || (next - due) * h_ < 0) return;
      emit(reach(begin, due), due);
      times_.pass();
    }
  }

  bool at_due_time() {
    if (times_.only_end_left() || std::abs(times_.next() - t_) > 1e-9 * std::abs(h_)) return false;
    times_.pass();
    return true;
  }

  void emit(FixedStepper& stepper, double t) {
    const Status status = stepper.sample(t, sample_);
    if (status != Status::success) throw Stop{status, stepper.reason()};
    if (!run_.sink(sample_)) throw Stop{Status::cancelled, {}};
  }

  void check(Status status) const {
    if (status != Status::success) throw Stop{status, stepper_.reason()};
  }

  const Run& run_;
  FixedStepper& stepper_;
  double h_;
  Steps steps_;
  SampleTimes times_;
  Breaks breaks_;
  double t_;
  Sample sample_;
  Outcome outcome_;
  std::unique_ptr<FixedStepper> aside_;
  std::unique_ptr<FixedStepper> begin_;  // the start of the step, if events are watched
  EventFinder events_;
  Sample at_end_;
};

}  // namespace

std::string take_a_step_below(double bound) {
  return fmt::format("take a step below {:.2g}", bound);
}

Reason iteration_not_converged(double step, double last_update) {
  return {fmt::format("Newton's method did not converge in a step of {:.3g} (last relative update {:.2g})", step,
                      last_update),
          "take a smaller step"};
}

Outcome drive_fixed_steps(const Run& run, FixedStepper& stepper) {
  return FixedRun(run, stepper)();
}

}  // namespace herglotz::integrate
