#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/integrate/compiled_loops.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/least_size.hpp"
#include "loops/motion.hpp"
#include "loops/stage_passes.hpp"

namespace herglotz::families {
namespace {

using kernel::ErrorShares;

/// The share of the tolerance that a step may err by, and the least error that rounding allows.
constexpr double local_share = 0.1;
constexpr double least_local = 2e-15;
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
  std::array<double, 3> group{};              ///< the largest q, v and z so far
  std::vector<std::vector<double>> recent{};  ///< sizes of q and v at every site, which fade
  double lately_z = 0;
  std::vector<double> law{};      ///< the largest size of each law
  std::vector<double> weights{};  ///< of the whole
};

class Reference final : public AdaptiveMotion {
 public:
  Reference(Model& model, double tolerance, double t_end, const kernel::EmbeddedPair& pair)
      : state_(model, pair, pair.difference),
        n_(model.base.size()),
        t_end_(t_end),
        local_(std::max(local_share * tolerance, least_local)) {
    begin(model);
  }

  void restart(Model& model) override {
    state_.start(model);
    begin(model);
  }

  std::string advance(double t_stop, std::size_t most) override {
    for (const std::size_t end = control_.steps + most; control_.t != t_stop && control_.steps < end;)
      if (!attempt(t_stop)) return finite_ ? "no step is small enough for the tolerance" : "the motion is not finite";
    return {};
  }

  Observed observe(double t, const Take& take) override { return state_.observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return state_.sites().tiling(); }
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
  [[nodiscard]] double t() const override { return control_.t; }
  [[nodiscard]] std::size_t steps() const override { return control_.steps; }
  [[nodiscard]] std::size_t rejected() const override { return control_.rejected; }

 private:
  void begin(Model& model) {
    finite_ = true;
    control_ = {model.t0, first_share * (t_end_ - model.t0)};
    control_.recent.assign(2 * n_, std::vector<double>(model.count()));
    for (const LawRow& law : state_.observe(model.t0, [](auto&&...) {}).laws)
      control_.law.push_back(std::abs(law.scale));
    weigh();
    if (largest_group() <= kernel::least_size) expect_sizes();
  }

  /// Takes the sizes that q, v and z soon have for the largest so far, at a start at rest at the origin, where they
  /// have none by which an error could be measured: those after a step of a thousandth of the run, or of a half of
  /// that, and so on, until the error of the step is below a hundredth of them. If nothing moves within a step, twice
  /// its length is tried.
  void expect_sizes() {
    constexpr double share_at_rest = 1e-3;
    constexpr int most_tries = 200;
    double h = share_at_rest * (t_end_ - control_.t);
    for (int k = 0; k < most_tries && std::abs(h) <= std::abs(t_end_ - control_.t); ++k) {
      keep();
      take(h);
      const auto sizes = sizes_now();
      go_back();
      const bool moves = std::any_of(sizes.begin(), sizes.end(), [](double size) { return size > 0; });
      control_.group = sizes;
      weigh();
      if (moves && is_resolved(h)) return;
      control_.group = {};
      weigh();
      h = moves ? h / 2 : 2 * h;
    }
  }
  /// Returns whether the error of a step from here is below a hundredth of the sizes of q, v and z.
  bool is_resolved(double h) {
    std::vector<Pass> passes;
    state_.add_passes(passes, control_.t, h);
    const std::vector<double> sums = state_.sites().attempt(passes);
    state_.attempt(control_.t, h, sums.data());
    const double bound = 1e-2 / (local_ * ErrorShares::group);
    const double square = mean_square(sums.back());
    return std::isfinite(square) && square <= bound * bound;
  }
  [[nodiscard]] double largest_group() const { return *std::max_element(control_.group.begin(), control_.group.end()); }
  /// Returns the largest q, v and z.
  std::array<double, 3> sizes_now() {
    std::array<double, 3> size{};
    for (std::size_t a = 0; a < 2 * n_; ++a) size[a / n_] = std::max(size[a / n_], largest(a));
    size[2] = std::abs(state_.whole().z());
    return size;
  }

  /// Tries a step that ends at t_stop at the latest. Returns false if no smaller one can be tried.
  bool attempt(double t_stop) {
    const double left = t_stop - control_.t;
    const bool reaches = std::abs(control_.h) * 1.000001 >= std::abs(left);
    // Two equal steps are better than a whole step and a sliver.
    const bool halved = !reaches && 2 * std::abs(control_.h) > std::abs(left);
    const double h = reaches ? left : halved ? left / 2 : control_.h;
    std::vector<Pass> passes;
    state_.add_passes(passes, control_.t, h);
    const std::vector<double> sums = state_.sites().attempt(passes);
    state_.attempt(control_.t, h, sums.data());
    const double square = mean_square(sums.back());
    finite_ = std::isfinite(square);
    const bool accepted = finite_ && square <= 1;
    const double most = control_.last_accepted ? most_change : 1;
    double change = square > 0 ? safety * std::pow(square, -1.0 / 16) : most_change;
    change = finite_ ? std::max(std::min(change, most), least_change) : change_where_not_finite;
    // A step that was shortened does not shorten the steps after it.
    const double next = change * h;
    if (!accepted || !(reaches || halved) || std::abs(next) > std::abs(control_.h)) control_.h = next;
    control_.last_accepted = accepted;
    if (accepted) {
      state_.sites().accept();
      state_.whole().accept();
      control_.t = reaches ? t_stop : control_.t + h;
      ++control_.steps;
      weigh();
      return true;
    }
    ++control_.rejected;
    return std::abs(control_.h) >
           4 * std::numeric_limits<double>::epsilon() * std::abs(control_.t) + 1e-20 * std::abs(t_stop - control_.t);
  }

  /// Returns the mean square of the weighted errors, with those of the sites given as a sum.
  [[nodiscard]] double mean_square(double of_sites) const {
    double square = of_sites;
    const auto& errors = state_.whole().errors();
    for (std::size_t e = 0; e < errors.size(); ++e) {
      const double weighted = errors[e] * control_.weights[e];
      square += weighted * weighted;
    }
    const std::size_t count = 2 * n_ * tiling().count + errors.size();
    return square / static_cast<double>(count);
  }

  /// Updates the weights of the errors by the state: 1 / (local (size + floor)), as kernel::AdaptiveLoop does.
  void weigh() {
    const std::array<double, 3> size = sizes_now();
    for (std::size_t g = 0; g < size.size(); ++g) control_.group[g] = std::max(control_.group[g], size[g]);
    const double whole = largest_group();
    const auto floor = [&](std::size_t g) {
      return whole > kernel::least_size ? std::max(ErrorShares::group * control_.group[g], ErrorShares::state * whole)
                                        : 1.0;
    };
    for (std::size_t a = 0; a < 2 * n_; ++a) weigh_sites(a, floor(a / n_));
    const auto& now = state_.whole().now();
    control_.weights.assign(now.size(), 0.0);
    const auto weight = [&](double value, double least) { return 1 / (local_ * (std::abs(value) + least)); };
    control_.lately_z = std::max(size[2], ErrorShares::fade * control_.lately_z);
    control_.weights[0] = weight(control_.lately_z, floor(2));
    control_.weights[1] = weight(now[1].value, 1.0);
    const auto& driven = state_.whole().driven();
    for (std::size_t k = 0, e = 2; k < driven.size(); ++k) {
      if (!driven[k]) continue;
      control_.law[k] = std::max(control_.law[k], std::abs(now[e].value));
      const double least = control_.law[k] > 0 ? ErrorShares::group * control_.law[k] : 1.0;
      control_.weights[e] = weight(now[e].value, std::max(least, ErrorShares::state * whole));
      ++e;
    }
  }

  /// Returns the largest magnitude in an array.
  double largest(std::size_t array) {
    const double* const y = state_.sites().state(array);
    std::vector<double> of_tiles(tiling().tiles);
    for_tiles([&](std::size_t tile, std::size_t begin, std::size_t end) {
      double most = 0;
      for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::abs(y[i]));
      of_tiles[tile] = most;
    });
    return *std::max_element(of_tiles.begin(), of_tiles.end());
  }

  void weigh_sites(std::size_t array, double floor) {
    const double* const y = state_.sites().state(array);
    double* const weights = state_.sites().state(4 * n_ + array);
    double* const recent = control_.recent[array].data();
    for_tiles([&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        recent[i] = std::max(std::abs(y[i]), ErrorShares::fade * recent[i]);
        weights[i] = 1 / (local_ * (recent[i] + floor));
      }
    });
  }

  template <class Visit>
  void for_tiles(const Visit& visit) const {
    const Tiling& tiles = tiling();
    const auto one = [&](std::size_t tile) { visit(tile, tiles.first(tile), tiles.first(tile) + tiles.own(tile)); };
    if (tiles.count < few_sites) {
      for (std::size_t tile = 0; tile < tiles.tiles; ++tile) one(tile);
    } else {
      ensemble::each_in_parallel(tiles.tiles, one);
    }
  }

  StagedState state_;
  std::size_t n_;
  double t_end_;
  double local_;
  bool finite_ = true;
  Control control_;
  Control kept_;
};

}  // namespace

std::unique_ptr<AdaptiveMotion> reference_motion(Model& model, double tolerance, double t_end) {
  return std::make_unique<Reference>(model, tolerance, t_end, integrate::reference_pair());
}

}  // namespace herglotz::families
