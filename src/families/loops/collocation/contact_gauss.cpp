#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "loops/collocation/stages.hpp"
#include "loops/motion.hpp"

namespace herglotz::families {
namespace {

/// Updates of this size relative to the velocities are round-off.
constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
/// Updates of this relative size may stop falling, because they are nearly round-off.
constexpr double near_round_off = 1e-10;
/// If an update has more than this share of the last one, the matrix has become too old.
constexpr double too_old = 0.1;
constexpr double hardly_falls = 0.5;
constexpr int most_iterations = 40;
/// Velocities of a family are measured by no less than this share of the largest ones.
constexpr double least_share = 1e-6;
/// Earlier steps from which the velocities of the stages are extrapolated.
constexpr std::size_t most_remembered = 3;

/// Contact Gauss method over the sites. Newton's iteration finds the velocities of the stages to round-off, with a
/// matrix that is kept while it serves.
class ContactGauss final : public SteppedMotion {
 public:
  ContactGauss(Model& model, int stages) : stages_(model, kernel::gauss_quadrature(stages), Decay::by_factor) {
    restart(model);
  }

  void restart(Model& model) override {
    iterations_ = 0;
    stages_.restart(model);
    forget();
  }

  std::size_t advance(double t0, double h, std::size_t first, std::size_t count) override {
    for (std::size_t k = 0; k < count; ++k)
      if (!step(t0 + static_cast<double>(first + k) * h, h)) return k;
    return count;
  }

  Observed observe(double t, const Take& take) override { return stages_.observe(t, take); }
  [[nodiscard]] const Tiling& tiling() const override { return stages_.tiling(); }
  [[nodiscard]] std::string failure() const override { return failure_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return iterations_; }

  void keep() override {
    stages_.keep();
    kept_ = {remembered_, R_, h_};
  }
  void go_back() override {
    stages_.go_back();
    remembered_ = kept_.remembered;
    R_ = kept_.R;
    h_ = kept_.h;
  }

 private:
  /// Computes R_j and R_1 of a step from (1 + h A L_z) R = 1. Returns false if one is not positive.
  bool find_factors(double t, double h) {
    const std::size_t s = stages_.stages();
    const std::vector<double> rates = stages_.rates_of_action(t, h);
    const Eigen::Index rows = linear::index(s);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(rows, rows);
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t k = 0; k < s; ++k) matrix(linear::index(j), linear::index(k)) += h * stages_.a(j, k) * rates[k];
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
    std::vector<double> found = linear::entries(linear::PartialLu(matrix).solve(ones));
    end_factor_ = 1;
    for (std::size_t j = 0; j < s; ++j) end_factor_ -= h * stages_.b(j) * found[j] * rates[j];
    if (found != R_ || h != h_) stages_.drop_matrix();
    R_ = std::move(found);
    const auto is_positive = [](double factor) { return factor > 0 && std::isfinite(factor); };
    return is_positive(end_factor_) && std::all_of(R_.begin(), R_.end(), is_positive);
  }

  bool step(double t, double h) {
    failure_.clear();
    if (!stages_.has_velocities()) {
      failure_ = "the start has no finite energy: the inertia of a site is 0, or the Lagrangian is not finite there";
      return false;
    }
    if (!find_factors(t, h)) {
      failure_ = fmt::format(
          "the factor 1 + h L_z of a step of {:.6g} is not positive at t = {:.6g}; take a smaller step", h, t);
      return false;
    }
    if (h != h_) forget();
    h_ = h;
    stages_.set_step(t, h, R_);
    guess();
    std::optional<std::vector<double>> sums = solve();
    if (!sums && !remembered_.empty()) {
      // An extrapolated guess can leave the region of convergence if the motion bends sharply.
      start_from_last();
      stages_.drop_matrix();
      sums = solve();
    }
    if (!sums) {
      failure_ = fmt::format(
          "Newton's method does not solve the stages of a step of {:.6g} at t = {:.6g}; take a smaller "
          "step",
          h, t);
      return false;
    }
    std::vector<double> own{1 / end_factor_ - 1};
    for (std::size_t j = 0; j < R_.size(); ++j) own.push_back(h * stages_.b(j));
    for (std::size_t j = 0; j < R_.size(); ++j) own.push_back(h * stages_.b(j) * R_[j] / end_factor_);
    const double changes = stages_.end(own);
    Whole& whole = stages_.whole();
    whole.attempt(stages_.quadrature(), R_, end_factor_, t, h, *sums);
    whole.accept();
    remember();
    return std::isfinite(changes) && std::isfinite(whole.z());
  }

  /// Solves the stages from the present velocities. Returns the sums at the solution, or no value if there is none.
  std::optional<std::vector<double>> solve() {
    double last = std::numeric_limits<double>::infinity();
    bool solved = false;
    bool is_fresh = false;
    for (int round = 0; round < most_iterations; ++round) {
      std::vector<double> sums = stages_.find_residuals();
      if (solved) return sums;
      if (!stages_.has_matrix()) {
        if (!stages_.find_matrix()) return std::nullopt;
        is_fresh = true;
      }
      ++iterations_;
      if (!stages_.find_update()) return std::nullopt;
      const double update = move();
      if (!std::isfinite(update)) return std::nullopt;
      const double ratio = update / last;
      const bool falls = ratio < hardly_falls;
      solved = update <= round_off || (update <= near_round_off && (!falls || update * ratio <= round_off / 2)) ||
               (!falls && stages_.moves_round_off(largest_update_));
      if (!solved && ratio > too_old && std::isfinite(last)) {
        if (!falls && is_fresh && round > 2 && ratio > 2) return std::nullopt;
        stages_.drop_matrix();
      }
      last = update;
    }
    return std::nullopt;
  }

  /// Subtracts the update from the velocities of the stages. Returns its largest size relative to that of the family.
  double move() {
    const std::size_t count = stages_.count();
    const std::size_t size = stages_.size();
    const std::size_t n = stages_.n();
    std::vector<double> sizes(n);
    std::vector<double> updates(n);
    largest_update_ = 0;
    bool finite = true;
    for (std::size_t k = 0; k < size; ++k) {
      double* const v = stages_.V(k);
      double largest = 0;
      double moved = 0;
      for (std::size_t site = 0; site < count; ++site) {
        const double change = stages_.update()[site * size + k];
        largest = std::max(largest, std::abs(v[site]));
        moved = std::max(moved, std::abs(change));
        v[site] -= change;
      }
      finite = finite && std::isfinite(moved);
      sizes[k % n] = std::max(sizes[k % n], largest);
      updates[k % n] = std::max(updates[k % n], moved);
      largest_update_ = std::max(largest_update_, moved);
    }
    double most = 0;
    for (std::size_t f = 0; f < n; ++f) most = std::max({most, sizes[f], updates[f]});
    double relative = 0;
    for (std::size_t f = 0; f < n && most > 0; ++f)
      relative = std::max(relative, updates[f] / std::max({sizes[f], updates[f], least_share * most}));
    return finite ? relative : std::numeric_limits<double>::quiet_NaN();
  }

  /// Velocities of the stages of earlier steps of the same size, the last step first.
  using Remembered = std::vector<std::vector<double>>;

  void forget() { remembered_.clear(); }
  void remember() {
    const std::size_t count = stages_.count();
    std::vector<double> values;
    if (remembered_.size() == most_remembered) {
      values = std::move(remembered_.back());
      remembered_.pop_back();
    }
    values.resize(count * stages_.size());
    for (std::size_t k = 0; k < stages_.size(); ++k) std::copy_n(stages_.V(k), count, values.data() + k * count);
    remembered_.insert(remembered_.begin(), std::move(values));
  }
  /// Extrapolates the velocities of the stages by a polynomial through those of the last steps.
  void guess() {
    static constexpr std::array<std::array<double, most_remembered>, most_remembered> weights{
        {{1, 0, 0}, {2, -1, 0}, {3, -3, 1}}};
    if (remembered_.empty()) return;
    const std::size_t count = stages_.count();
    const auto& own = weights[remembered_.size() - 1];
    for (std::size_t k = 0; k < stages_.size(); ++k) {
      double* const v = stages_.V(k);
      for (std::size_t site = 0; site < count; ++site) {
        double value = 0;
        for (std::size_t step = 0; step < remembered_.size(); ++step)
          value += own[step] * remembered_[step][k * count + site];
        v[site] = value;
      }
    }
  }
  void start_from_last() {
    remembered_.resize(1);
    guess();
    forget();
  }

  Stages stages_;
  double largest_update_ = 0;
  std::vector<double> R_;
  double end_factor_ = 1;
  double h_ = 0;
  Remembered remembered_;
  /// Values with which the steps after `keep` begin. A step that is made again from them has the same bits.
  struct Kept {
    Remembered remembered;
    std::vector<double> R;
    double h = 0;
  } kept_;
  std::size_t iterations_ = 0;
  std::string failure_;
};

}  // namespace

std::unique_ptr<SteppedMotion> contact_gauss_motion(Model& model, int order) {
  return std::make_unique<ContactGauss>(model, order / 2);
}

}  // namespace herglotz::families
