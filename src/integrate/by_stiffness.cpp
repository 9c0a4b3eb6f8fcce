#include "by_stiffness.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "drive/adaptive.hpp"
#include "radau/methods.hpp"
#include "runge_kutta/methods.hpp"

namespace herglotz::integrate {
namespace {

/// Steps that a decay must hold short to the end if an implicit method is to be tried.
constexpr double fewest_left = 20000;
/// Steps of the trial, and the ratio of their average length to that of the explicit steps from which on they pay.
constexpr std::size_t steps_of_trial = 64;
constexpr double least_gain = 16;

/// The explicit solver of a run, then perhaps an implicit one.
class SolverByStiffness final : public AdaptiveSolver {
 public:
  SolverByStiffness(const Run& run, RightSide& right_side, const std::vector<double>& y0)
      : run_(&run), right_side_(&right_side), start_(y0), explicit_(reference_solver(run, right_side, y0)) {}

  std::size_t step(double t_stop, std::size_t most) override {
    if (!tried_ && explicit_->held_by()) try_implicit();
    if (implicit_) return implicit_->step(t_stop, most);
    const double before = explicit_->t();
    const std::size_t made = explicit_->step(t_stop, most);
    mean_step_ = std::abs(explicit_->t() - before) / static_cast<double>(made);
    return made;
  }
  void depart(double t) override { now().depart(t); }
  [[nodiscard]] double t() const override { return now().t(); }
  [[nodiscard]] const double* y() const override { return now().y(); }
  [[nodiscard]] double step_size() const override { return now().step_size(); }
  [[nodiscard]] bool dense() const override { return now().dense(); }
  const double* between(double t) override { return now().between(t); }
  const double* within(double t0, const std::vector<double>& y0, double t) override { return now().within(t0, y0, t); }
  void count(Outcome& outcome) const override {
    explicit_->count(outcome);
    if (!implicit_) return;
    implicit_->count(outcome);
    outcome.reason = why_;
  }

 private:
  [[nodiscard]] AdaptiveSolver& now() const { return implicit_ ? *implicit_ : *explicit_; }

  void try_implicit() {
    tried_ = true;
    const double t = explicit_->t();
    if (std::abs(run_->settings.t_end - t) < fewest_left * mean_step_) return;
    const std::vector<double> y(explicit_->y(), explicit_->y() + right_side_->size());
    if (!pays(t, y)) return;
    implicit_ = radau_solver(*run_, *right_side_, start_, t, y);
    why_ = fmt::format(
        "radau-5 took steps from t = {:.6g} on, as explicit ones followed {} that the motion no longer showed", t,
        explicit_->held_by()->text());
  }

  /// Returns whether trial steps from (t, y) are long enough. Those that fail are not.
  bool pays(double t, const std::vector<double>& y) const {
    try {
      const auto trial = radau_solver(*run_, *right_side_, start_, t, y);
      std::size_t made = 0;
      const double t_end = run_->settings.t_end;
      while (made < steps_of_trial && trial->t() != t_end) made += trial->step(t_end, 1);
      return std::abs(trial->t() - t) >= least_gain * mean_step_ * static_cast<double>(made);
    } catch (const Stop&) {
      return false;
    }
  }

  const Run* run_;
  RightSide* right_side_;
  std::vector<double> start_;
  std::string why_;  // implicit_ took steps
  std::unique_ptr<AdaptiveSolver> explicit_;
  std::unique_ptr<AdaptiveSolver> implicit_;
  bool tried_ = false;
  double mean_step_ = 0;  // of the steps that explicit_ made at its last call
};

}  // namespace

Outcome run_by_stiffness(const Run& run) {
  if (!has_radau_kernels(run.dynamics)) return run_reference(run);
  RightSide right_side(run.dynamics, run.parameters);
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  return follow_with(run, right_side, y0, [&] { return std::make_unique<SolverByStiffness>(run, right_side, y0); });
}

}  // namespace herglotz::integrate
