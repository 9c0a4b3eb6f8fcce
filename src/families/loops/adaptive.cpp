#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/integrate/compiled_loops.hpp"
#include "loops/error_scales.hpp"
#include "loops/motion.hpp"
#include "loops/motion_state.hpp"
#include "loops/stage_passes.hpp"
#include "loops/step_choice.hpp"

namespace herglotz::families {
namespace {

/// Bounds on the change of the step, as those of kernel::AdaptiveLoop.
constexpr double safety = 0.9;
constexpr double least_change = 0.2;
constexpr double most_change = 6;
constexpr double change_where_not_finite = 0.25;
/// The first step that is tried, as a share of the run.
constexpr double first_share = 1e-2;

/// Values that the control of the step carries along the run.
struct Control {
  double t = 0;
  double h = 0;
  bool last_accepted = true;
  std::size_t steps = 0;
  std::size_t rejected = 0;
  ErrorScales scales{};
};

class Reference final : public ExplicitMotion {
 public:
  Reference(Model& model, double tolerance, double t_end, const kernel::EmbeddedPair& pair)
      : state_(model, pair, pair.difference), n_(model.base.size()), t_end_(t_end), local_(local_error(tolerance)) {
    begin(model);
  }

  void restart(Model& model) override {
    state_.start(model);
    begin(model);
  }

  std::string advance(double t_stop, std::size_t most) override {
    for (const std::size_t end = control_.steps + most; control_.t != t_stop && control_.steps < end;)
      if (!attempt(t_stop)) {
        if (const std::string why = state_.failure(); !finite_ && !why.empty()) return why;
        return finite_ ? "no step is small enough for the tolerance" : "the motion is not finite";
      }
    return {};
  }

  Observed observe(double t, const Take& take) override { return state_.observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return state_.sites().tiling(); }
  [[nodiscard]] std::vector<std::string> start_notes() const override { return state_.start_notes(); }
  void keep() override {
    state_.keep();
    kept_ = control_;
  }
  void go_back() override {
    state_.go_back();
    control_ = kept_;
  }
  void take(double h) override {
    std::vector<Pass> passes;
    state_.add_passes(passes, control_.t, h);
    const std::vector<double> sums = state_.sites().advance(passes);
    state_.attempt(control_.t, h, sums.data());
    state_.whole().accept();
    control_.t += h;
  }
  [[nodiscard]] MotionState state() override {
    MotionState now{control_.t, {}, {}, state_.whole().now(), control_.scales};
    const ErrorScales::Arrays values = arrays(0);
    for (std::size_t a = 0; a < 2 * n_; ++a)
      (a < n_ ? now.q : now.v).emplace_back(values[a], values[a] + tiling().count);
    return now;
  }
  [[nodiscard]] double t() const override { return control_.t; }
  [[nodiscard]] std::size_t steps() const override { return control_.steps; }
  [[nodiscard]] std::size_t rejected() const override { return control_.rejected; }

 private:
  void begin(Model& model) {
    finite_ = true;
    control_ = {model.t0, first_share * (t_end_ - model.t0)};
    control_.scales = {n_, tiling(), local_, state_.observe(model.t0, [](auto&&...) {})};
    weigh();
    if (!control_.scales.at_rest()) return;
    const auto sizes_after = [&](double h) {
      keep();
      take(h);
      const ErrorScales::Sizes sizes = control_.scales.sizes(arrays(0), state_.whole());
      go_back();
      return sizes;
    };
    const auto mean_square_of = [&](double h) { return control_.scales.mean_square(try_step(h), state_.whole()); };
    control_.scales.expect_sizes(t_end_ - control_.t, {sizes_after, mean_square_of, [&] { weigh(); }});
  }

  /// Tries a step of size h. Returns the sum of the squares of the weighted errors of the sites.
  double try_step(double h) {
    std::vector<Pass> passes;
    state_.add_passes(passes, control_.t, h);
    const std::vector<double> sums = state_.sites().attempt(passes);
    state_.attempt(control_.t, h, sums.data());
    return state_.last_sum(sums.data());
  }

  /// Tries a step that ends at t_stop at the latest. Returns false if no smaller one can be tried.
  bool attempt(double t_stop) {
    const StepChoice step(control_.h, control_.t, t_stop);
    const double h = step.h;
    const double square = control_.scales.mean_square(try_step(h), state_.whole());
    finite_ = std::isfinite(square);
    const bool accepted = finite_ && square <= 1;
    const double most = control_.last_accepted ? most_change : 1;
    double change = square > 0 ? safety * std::pow(square, -1.0 / 16) : most_change;
    change = finite_ ? std::max(std::min(change, most), least_change) : change_where_not_finite;
    control_.h = step.usual_after(change * h, control_.h, accepted);
    control_.last_accepted = accepted;
    if (accepted) {
      state_.sites().accept();
      state_.whole().accept();
      control_.t = step.reaches ? t_stop : control_.t + h;
      ++control_.steps;
      weigh();
      return true;
    }
    ++control_.rejected;
    return !is_too_small(control_.h, control_.t, t_stop);
  }

  /// Returns the arrays of q and v, or with the place 4 n those of their weights.
  ErrorScales::Arrays arrays(std::size_t first) {
    ErrorScales::Arrays all;
    for (std::size_t a = 0; a < 2 * n_; ++a) all.push_back(state_.sites().state(first + a));
    return all;
  }
  void weigh() { control_.scales.weigh(arrays(0), state_.whole(), arrays(4 * n_)); }

  StagedState state_;
  std::size_t n_;
  double t_end_;
  double local_;
  bool finite_ = true;
  Control control_;
  Control kept_;
};

}  // namespace

std::unique_ptr<ExplicitMotion> reference_motion(Model& model, double tolerance, double t_end) {
  return std::make_unique<Reference>(model, tolerance, t_end, integrate::reference_pair());
}

}  // namespace herglotz::families
