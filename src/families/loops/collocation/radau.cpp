#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "herglotz/error.hpp"
#include "loops/collocation/embedded_error.hpp"
#include "loops/collocation/stages.hpp"
#include "loops/error_scales.hpp"
#include "loops/motion.hpp"
#include "loops/motion_state.hpp"
#include "loops/step_choice.hpp"

namespace herglotz::families {
namespace {

constexpr int stages_of_radau = 3;
/// Bounds on the change of the step, and on Newton's iteration, as those of the method for one system.
constexpr double safety = 0.9;
constexpr double least_change = 0.2;
constexpr double most_change = 8;
constexpr double change_if_not_solved = 0.5;
constexpr int most_updates = 10;
/// A step that would grow by less keeps its size, and with it the matrix.
constexpr double hardly_longer = 1.2;
/// The ratio of one update to the last above which a matrix is computed anew for the next step.
constexpr double too_slow = 0.02;
/// The first step that is tried, as a share of the run.
constexpr double first_share = 1e-5;
/// Velocities that move the coordinates by so many units of round-off in a step cannot be told apart.
constexpr double round_off_of_way = 8 * std::numeric_limits<double>::epsilon();

using Doubles = std::vector<double>;

/// Method Radau IIA of order 5 with error control over the sites.
class Radau final : public ImplicitMotion {
 public:
  Radau(Model& model, double tolerance, double t_end)
      : stages_(model, kernel::radau_quadrature(stages_of_radau), Decay::by_rate),
        embedded_(stages_),
        t_end_(t_end),
        local_(local_error(tolerance)),
        newton_tolerance_(
            std::max(local_ < 1e-3 ? std::sqrt(local_) : 0.03, 10 * std::numeric_limits<double>::epsilon() / local_)) {
    restart(model);
  }

  void restart(Model& model) override {
    stages_.restart(model);
    control_ = {};
    control_.scales = {stages_.n(), tiling(), local_, stages_.observe(model.t0, [](auto&&...) {})};
    begin(model.t0, first_share * (t_end_ - model.t0));
    if (stages_.has_velocities() && control_.scales.at_rest()) expect_sizes();
  }
  void go_on_from(Model& model, const MotionState& state, double h) override {
    stages_.go_on_from(model, state);
    control_ = {};
    control_.scales = state.scales;
    begin(state.t, h);
  }

  std::string advance(double t_stop, std::size_t most) override {
    if (!stages_.has_velocities())
      return "the start has no finite energy: the inertia of a site is 0, or the Lagrangian is not finite there";
    for (const std::size_t end = control_.steps + most; control_.t != t_stop && control_.steps < end;)
      if (!attempt(t_stop)) return "no step is small enough for the tolerance";
    return {};
  }

  Observed observe(double t, const Take& take) override { return stages_.observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return stages_.tiling(); }
  [[nodiscard]] std::size_t newton_iterations() const override { return control_.iterations; }
  [[nodiscard]] double t() const override { return control_.t; }
  [[nodiscard]] std::size_t steps() const override { return control_.steps; }
  [[nodiscard]] std::size_t rejected() const override { return control_.rejected; }

  void keep() override {
    stages_.keep();
    kept_ = control_;
  }
  void go_back() override {
    stages_.go_back();
    control_ = kept_;
  }
  void take(double h) override {
    const std::optional<Doubles> sums = solve_step(h);
    if (!sums) {
      if (is_too_small(h, control_.t, t_end_))
        throw Failed(fmt::format("Newton's method does not solve a part of a step at t = {:.6g}", control_.t));
      take(h / 2);
      take(h / 2);
      return;
    }
    advance_by(h, *sums);
    control_.t += h;
  }

 private:
  /// Values that are carried along the run.
  struct Control {
    double t = 0;
    double h = 0;
    std::size_t steps = 0;
    std::size_t rejected = 0;
    std::size_t iterations = 0;
    bool last_accepted = false;
    double last_h = 0;      ///< of the last accepted step
    double last_error = 0;  ///< its root mean square
    double matrix_h = 0;    ///< step of the matrix
    double rate = 1;        ///< of Newton's iteration in the last step
    ErrorScales scales{};
    std::vector<Doubles> weights{};  ///< of the errors of q, then of v
    double largest_q = 0;
    std::vector<Doubles> velocity{};     ///< of each family
    std::vector<Doubles> force{};        ///< rates of the momenta
    std::vector<Doubles> last_stages{};  ///< V_j of the last accepted step
    Doubles sums{};                      ///< at the start of the step
  };

  /// Begins at the present state with a step of size h.
  void begin(double t, double h) {
    control_.t = t;
    control_.h = h;
    for (std::size_t f = 0; f < stages_.n(); ++f) control_.velocity.push_back(stages_.copy(stages_.V(f)));
    find_start_rates();
    control_.weights.assign(2 * stages_.n(), Doubles(stages_.count()));
    weigh();
  }

  ErrorScales::Arrays state() {
    ErrorScales::Arrays all;
    for (std::size_t f = 0; f < stages_.n(); ++f) all.push_back(stages_.q(f));
    for (Doubles& v : control_.velocity) all.push_back(v.data());
    return all;
  }
  void weigh() {
    ErrorScales::Arrays weights;
    for (Doubles& of : control_.weights) weights.push_back(of.data());
    control_.scales.weigh(state(), stages_.whole(), weights);
    control_.largest_q = control_.scales.sizes(state(), stages_.whole())[0];
  }

  /// Finds the rates of the momenta, and the sums, at the start of the run: those of a step of size 0.
  void find_start_rates() {
    stages_.set_step(control_.t, 0, stages_.rates_of_action(control_.t, 0));
    const Doubles sums = stages_.find_residuals();
    control_.sums.assign(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / stages_.stages()));
    for (std::size_t f = 0; f < stages_.n(); ++f) control_.force.push_back(stages_.copy(stages_.force(f)));
  }

  void expect_sizes() {
    const auto sizes_after = [&](double h) {
      keep();
      const std::optional<Doubles> sums = solve_step(h);
      if (sums) advance_by(h, *sums);
      ErrorScales::Sizes sizes = control_.scales.sizes(state(), stages_.whole());
      if (!sums) sizes.fill(std::numeric_limits<double>::infinity());
      go_back();
      return sizes;
    };
    const auto mean_square = [&](double h) {
      const std::optional<Doubles> sums = solve_step(h);
      return sums ? error(h, *sums) : std::numeric_limits<double>::infinity();
    };
    control_.scales.expect_sizes(t_end_ - control_.t, {sizes_after, mean_square, [&] { weigh(); }});
  }

  /// Tries a step that ends at t_stop at the latest. Returns false if no smaller one can be tried.
  bool attempt(double t_stop) {
    const StepChoice step(control_.h, control_.t, t_stop);
    const double h = step.h;
    const std::size_t before = control_.iterations;
    const std::optional<Doubles> sums = solve_step(h);
    const double square = sums ? error(h, *sums) : std::numeric_limits<double>::infinity();
    const bool accepted = square <= 1;
    const double change = std::isfinite(square)
                              ? change_of_step(accepted, h, std::sqrt(square), control_.iterations - before)
                              : change_if_not_solved;
    control_.h = step.usual_after(change * h, control_.h, accepted);
    control_.last_accepted = accepted;
    if (accepted) {
      control_.last_error = std::max(std::sqrt(square), 1e-2);
      advance_by(h, *sums);
      control_.t = step.reaches ? t_stop : control_.t + h;
      ++control_.steps;
      return true;
    }
    ++control_.rejected;
    return !is_too_small(control_.h, control_.t, t_stop);
  }

  /// Returns the factor of the next step, by K. Gustafsson's predictive control from the errors and sizes of the last
  /// two steps.
  [[nodiscard]] double change_of_step(bool accepted, double h, double size, std::size_t iterations) const {
    const double own = std::max(size, 1e-10);
    const double allowed = 2.0 * most_updates + 1;
    double change = safety * allowed / (2.0 * most_updates + static_cast<double>(iterations)) / std::pow(own, 0.25);
    if (accepted && control_.last_error > 0 && control_.last_h != 0)
      change = std::min(change, std::abs(h / control_.last_h) * std::pow(control_.last_error / own, 0.25) * change);
    const bool just_rejected = !control_.last_accepted && control_.last_h != 0;
    change = std::clamp(change, least_change, just_rejected && accepted ? 1.0 : most_change);
    return accepted && change >= 1 && change <= hardly_longer ? 1 : change;
  }

  /// Solves the stages of a step of size h. Returns their sums, or no value if there is no solution.
  std::optional<Doubles> solve_step(double h) {
    const std::vector<double> rates = stages_.rates_of_action(control_.t, h);
    stages_.set_step(control_.t, h, rates);
    if (h != control_.matrix_h || control_.rate > too_slow) stages_.drop_matrix();
    const bool fresh = !stages_.has_matrix();
    const bool extrapolates = !control_.last_stages.empty();
    guess(h);
    std::optional<Doubles> sums = solve(h);
    if (sums || (fresh && !extrapolates)) return sums;
    // The matrix is too old, or the guess lies outside the region of convergence, as the motion bends sharply.
    stages_.drop_matrix();
    for (std::size_t k = 0; k < stages_.size(); ++k)
      std::copy_n(control_.velocity[k % stages_.n()].data(), stages_.count(), stages_.V(k));
    return solve(h);
  }

  /// Continues the polynomial through the velocities of the stages of the last step.
  void guess(double h) {
    const std::size_t n = stages_.n();
    const bool extrapolates = !control_.last_stages.empty();
    for (std::size_t j = 0; j < stages_.stages(); ++j) {
      std::array<double, stages_of_radau> weights{};
      const double place = 1 + static_cast<double>(stages_.quadrature().c[j]) * h / control_.last_h;
      for (std::size_t k = 0; extrapolates && k < weights.size(); ++k) weights[k] = stages_.polynomial(k, place);
      for (std::size_t f = 0; f < n; ++f) {
        double* const V = stages_.V(j * n + f);
        if (!extrapolates) {
          std::copy_n(control_.velocity[f].data(), stages_.count(), V);
          continue;
        }
        for (std::size_t site = 0; site < stages_.count(); ++site) {
          double value = 0;
          for (std::size_t k = 0; k < weights.size(); ++k) value += weights[k] * control_.last_stages[k * n + f][site];
          V[site] = value;
        }
      }
    }
  }

  /// Solves the stages from the present velocities by a simplified Newton iteration.
  std::optional<Doubles> solve(double h) {
    double last = 0;
    bool solved = false;
    for (int round = 0; round < most_updates + 1; ++round) {
      Doubles sums = stages_.find_residuals();
      if (solved) return sums;
      if (!stages_.has_matrix()) {
        if (!stages_.find_matrix()) return std::nullopt;
        control_.matrix_h = h;
      }
      if (round == most_updates || !stages_.find_update()) return std::nullopt;
      ++control_.iterations;
      const double size = move(h);
      if (!std::isfinite(size)) return std::nullopt;
      const double rate = last > 0 ? size / last : 0;
      // The remaining error is at most rate/(1 - rate) times the last change. The first change alone gives no rate.
      const bool small = last > 0 && rate < 1 && rate * size <= newton_tolerance_ * (1 - rate);
      solved = size == 0 || small || (last > 0 && rate > 0.5 && stages_.moves_round_off(largest_update_));
      if (last > 0) control_.rate = rate;
      if (!solved && last > 0 && rate >= 1) return std::nullopt;
      last = size;
    }
    return std::nullopt;
  }

  /// Subtracts the update from the velocities of the stages. Returns its weighted root mean square, with the way that
  /// the stages move by it.
  double move(double h) {
    const std::size_t n = stages_.n();
    const std::size_t s = stages_.stages();
    const std::size_t size = stages_.size();
    const Doubles& update = stages_.update();
    double square = 0;
    largest_update_ = 0;
    for (std::size_t f = 0; f < n; ++f) {
      const double* const of_q = control_.weights[f].data();
      const double* const of_v = control_.weights[n + f].data();
      const double floor = velocity_floor(h);
      for (std::size_t site = 0; site < stages_.count(); ++site) {
        const double* const own = update.data() + site * size;
        const double weight = 1 / (1 / of_v[site] + floor);
        for (std::size_t j = 0; j < s; ++j) {
          double way = 0;
          for (std::size_t k = 0; k < s; ++k) way += h * stages_.a(j, k) * own[k * n + f];
          const double change = own[j * n + f];
          square += way * way * of_q[site] * of_q[site] + change * change * weight * weight;
          largest_update_ = std::max(largest_update_, std::abs(change));
        }
      }
    }
    for (std::size_t k = 0; k < size; ++k) {
      double* const V = stages_.V(k);
      for (std::size_t site = 0; site < stages_.count(); ++site) V[site] -= update[site * size + k];
    }
    return std::sqrt(square / static_cast<double>(2 * size * stages_.count()));
  }

  /// Returns the change of a velocity that moves no coordinate by more than round-off of the largest one.
  [[nodiscard]] double velocity_floor(double h) const { return round_off_of_way * control_.largest_q / std::abs(h); }

  /// Tries the step of the action, log(lambda) and the budgets.
  void attempt_whole(double h, const Doubles& sums) {
    Doubles all = control_.sums;
    all.insert(all.end(), sums.begin(), sums.end());
    stages_.whole().attempt(stages_.quadrature(), {embedded_.weights(), EmbeddedError::gamma_0}, control_.t, h, all);
  }

  /// Accepts a step whose stages are solved.
  void advance_by(double h, const Doubles& sums) {
    const std::size_t n = stages_.n();
    const std::size_t s = stages_.stages();
    Doubles weights{0};
    for (int array = 0; array < 2; ++array)
      for (std::size_t j = 0; j < s; ++j) weights.push_back(h * stages_.b(j));
    stages_.end(weights);
    attempt_whole(h, sums);
    stages_.whole().accept();
    control_.last_stages.resize(s * n);
    for (std::size_t k = 0; k < s * n; ++k) control_.last_stages[k] = stages_.copy(stages_.V(k));
    // The last stage is the end of the step.
    for (std::size_t f = 0; f < n; ++f) {
      control_.velocity[f] = control_.last_stages[(s - 1) * n + f];
      control_.force[f] = stages_.copy(stages_.force((s - 1) * n + f));
    }
    control_.sums.assign(sums.end() - static_cast<std::ptrdiff_t>(control_.sums.size()), sums.end());
    control_.last_h = h;
    weigh();
  }

  /// Returns the mean square of the weighted errors of a step whose stages are solved.
  double error(double h, const Doubles& sums) {
    attempt_whole(h, sums);
    const EmbeddedError::Step step{control_.t, h, control_.velocity, control_.force};
    std::optional<SiteErrors> errors = embedded_.of(step);
    double square = mean_square(h, errors);
    if (errors && !control_.last_accepted && square > 1) {
      errors = embedded_.again(step, *errors);
      square = mean_square(h, errors);
    }
    embedded_.restore();
    return square;
  }

  /// Returns the mean square of errors of q and v, and of the whole, by their weights.
  [[nodiscard]] double mean_square(double h, const std::optional<SiteErrors>& errors) const {
    if (!errors) return std::numeric_limits<double>::infinity();
    const double floor = velocity_floor(h);
    double square = 0;
    for (std::size_t f = 0; f < stages_.n(); ++f)
      for (std::size_t site = 0; site < stages_.count(); ++site) {
        const double of_q = errors->q[f][site] * control_.weights[f][site];
        const double of_v = errors->v[f][site] / (1 / control_.weights[stages_.n() + f][site] + floor);
        square += of_q * of_q + of_v * of_v;
      }
    return control_.scales.mean_square(square, stages_.whole());
  }

  Stages stages_;
  EmbeddedError embedded_;
  double t_end_;
  double local_;
  double newton_tolerance_;
  double largest_update_ = 0;
  Control control_;
  Control kept_;
};

}  // namespace

std::unique_ptr<ImplicitMotion> radau_motion(Model& model, double tolerance, double t_end) {
  return std::make_unique<Radau>(model, tolerance, t_end);
}

}  // namespace herglotz::families
