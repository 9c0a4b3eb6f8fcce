#include "maximum/least_value.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace herglotz::solve {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-12;      ///< of eigenvalues, in parts of the largest entry
constexpr double share_of_fall = 0.01;  ///< by which a still lower K has to be lower
constexpr double narrow = 1e-11;        ///< a side that is not halved any more, in parts of the size of its control
constexpr double far = 1e9;             ///< from which infinite boxes are not halved any more
constexpr double growth = 8;            ///< of the distance at which infinite boxes are halved
constexpr int most_steps = 30;          ///< of Newton's method

using Box = std::vector<Range>;

class Search {
 public:
  Search(Hamiltonian& hamiltonian, const SearchLimits& limits)
      : hamiltonian_(hamiltonian), limits_(limits), n_(hamiltonian.controls().size()), start_(hamiltonian.controls()) {
    K0_ = hamiltonian.on(box_at(start_)).K.value.low;
    best_ = K0_;
    found_.controls = start_;
  }

  LeastValue over(const Box& domain) {
    std::vector<Box> boxes{domain};
    found_.decided = true;
    while (!boxes.empty()) {
      if (found_.boxes++ == limits_.most_boxes) {
        found_.decided = false;
        break;
      }
      Box box = std::move(boxes.back());
      boxes.pop_back();
      divide(std::move(box), boxes);
    }
    if (best_ < K0_) polish(domain);
    found_.fall = K0_ - best_;
    return std::move(found_);
  }

 private:
  [[nodiscard]] double threshold() const {
    return std::min(K0_ - limits_.below, best_ - share_of_fall * (K0_ - best_));
  }

  /// Leaves a box out, or puts the parts of it that count among the boxes.
  void divide(Box box, std::vector<Box>& boxes) {
    const Hamiltonian::OnBox on = hamiltonian_.on(box);
    if (!on.admissible || !on.K.defined || lower_bound(box, on) >= threshold()) return;
    try_controls(split_point(box));
    if (!hamiltonian_.has_inequalities() && goes_to_side(box, on.K)) return boxes.push_back(std::move(box));
    const auto widest = widest_side(box, on.K);
    if (!widest) return try_corners(box);
    const double middle = split_point(box)[*widest];
    Box other = box;
    box[*widest].low = middle;
    other[*widest].high = middle;
    boxes.push_back(std::move(box));
    boxes.push_back(std::move(other));
  }

  void try_controls(const std::vector<double>& controls) {
    const Hamiltonian::OnBox on = hamiltonian_.on(box_at(controls));
    const double K = on.K.value.low;
    if (!on.admissible || !on.K.defined || !std::isfinite(K) || !(K < threshold())) return;
    best_ = K;
    found_.controls = controls;
  }

  void try_corners(const Box& box) {
    for (std::size_t corner = 0; corner < (std::size_t{1} << n_); ++corner) {
      std::vector<double> at;
      for (std::size_t i = 0; i < n_; ++i) at.push_back((corner >> i) % 2 == 0 ? box[i].low : box[i].high);
      if (std::all_of(at.begin(), at.end(), [](double x) { return std::isfinite(x); })) try_controls(at);
    }
    // Nothing is known of what is farther than all distances that are tried.
    if (std::any_of(box.begin(), box.end(), [](const Range& side) { return !side.is_finite(); }))
      found_.decided = false;
  }

  /// Moves the sides along which K rises or falls all over the box to their ends, where it is least. Returns whether
  /// there are such sides.
  static bool goes_to_side(Box& box, const Jet& K) {
    bool moved = false;
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (box[i].is_point()) continue;
      double end = std::numeric_limits<double>::quiet_NaN();
      if (K.slope[i].low > 0) end = box[i].low;
      if (K.slope[i].high < 0) end = box[i].high;
      if (!std::isfinite(end)) continue;
      box[i] = Range::at(end);
      moved = true;
    }
    return moved;
  }

  [[nodiscard]] double size(std::size_t i) const { return limits_.sizes[i]; }

  /// Returns where a side of a box is halved.
  [[nodiscard]] double split_point(const Range& side, std::size_t i) const {
    if (side.is_finite()) return side.low + side.width() / 2;
    if (!std::isfinite(side.low) && !std::isfinite(side.high)) return start_[i];
    const bool upwards = std::isfinite(side.low);
    const double end = upwards ? side.low : -side.high;  // of a side that is infinite upwards
    const double next = end < 0 ? 0.0 : std::max(growth * end, size(i));
    return upwards ? next : -next;
  }
  [[nodiscard]] std::vector<double> split_point(const Box& box) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < n_; ++i) result.push_back(split_point(box[i], i));
    return result;
  }

  /// Returns the side along which K may change most, or no value if none can be halved.
  [[nodiscard]] std::optional<std::size_t> widest_side(const Box& box, const Jet& K) const {
    std::optional<std::size_t> widest;
    double most = -1;
    for (std::size_t i = 0; i < n_; ++i) {
      if (box[i].is_point()) continue;
      const bool finite = box[i].is_finite();
      const double at = std::abs(split_point(box[i], i));
      if (finite ? box[i].width() <= narrow * std::max(size(i), at) : at > far * size(i)) continue;
      double change = finite ? box[i].width() * K.slope[i].size() : unbounded;
      if (std::isnan(change)) change = unbounded;
      // Of sides with infinite slopes the one that is widest in parts of its size is halved.
      if (std::isinf(change) && finite)
        change = std::numeric_limits<double>::max() / 2 * std::min(1.0, box[i].width() / size(i));
      if (!(change > most)) continue;
      most = change;
      widest = i;
    }
    return widest;
  }

  /// Returns a number that the second derivatives of f in the box are not below, where it is convex; no value if it is
  /// not known to be so.
  [[nodiscard]] std::optional<double> convexity(const Jet& f) const {
    const auto by_second = least_second(f);
    return by_second || !f.convex ? by_second : 0;
  }

  [[nodiscard]] std::optional<double> least_second(const Jet& f) const {
    Eigen::MatrixXd middle(n_, n_);
    double largest = 0;
    double radius = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        const Range second = f.second[second_place(std::max(i, j), std::min(i, j))];
        double entry = second.low;
        if (i != j) {
          if (!second.is_finite()) return std::nullopt;
          entry = second.low + second.width() / 2;
          row += second.width() / 2;
        }
        if (!std::isfinite(entry)) return std::nullopt;
        middle(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = entry;
        largest = std::max(largest, std::abs(entry));
      }
      radius = std::max(radius, row);
    }
    const double least =
        n_ == 1 ? middle(0, 0)
                : Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(middle, Eigen::EigenvaluesOnly).eigenvalues()[0];
    const double bound = least - radius;
    if (bound < (n_ == 1 ? 0 : -rounding * largest)) return std::nullopt;
    return std::max(bound, 0.0);
  }

  /// Returns a bound of K over a box by the values of K, or by tangents of K or of the Lagrange function.
  double lower_bound(const Box& box, const Hamiltonian::OnBox& on) {
    double bound = on.K.value.low;
    if (bound >= threshold()) return bound;
    bound = std::max(bound, tangent_bound(box, on.K, &Hamiltonian::OnBox::K));
    if (hamiltonian_.has_inequalities() && bound < threshold())
      bound = std::max(bound, tangent_bound(box, on.lagrange, &Hamiltonian::OnBox::lagrange));
    return bound;
  }

  double tangent_bound(const Box& box, const Jet& f, Jet Hamiltonian::OnBox::* which) {
    const auto curvature = convexity(f);
    std::vector<double> at;
    bool has_start = true;
    for (std::size_t i = 0; i < n_; ++i) has_start = has_start && box[i].has(start_[i]);
    for (std::size_t i = 0; i < n_; ++i) {
      if (has_start || (!std::isfinite(box[i].low) && !std::isfinite(box[i].high)))
        at.push_back(start_[i]);
      else if (box[i].is_finite())
        at.push_back(split_point(box[i], i));
      else
        at.push_back(std::isfinite(box[i].low) ? box[i].low : box[i].high);
    }
    const Hamiltonian::OnBox on = hamiltonian_.on(box_at(at));
    const Jet& there = on.*which;
    if (!curvature) return std::max(mean_value_bound(box, f, there, at), taylor_bound(box, f, there, at));
    double bound = there.value.low;
    for (std::size_t i = 0; i < n_; ++i) {
      const Range step = box[i] - Range::at(at[i]);
      Range slope = there.slope[i];
      if (slope.size() <= limits_.accuracy * on.slope_terms[i]) slope = {0, 0};
      double fall = (slope * step).low;
      if (*curvature > 0) fall = std::max(fall, -slope.size() * slope.size() / (2 * *curvature));
      bound += fall;
    }
    return std::isnan(bound) ? -unbounded : bound;
  }

  /// Returns a bound by the value at a point and by the slopes all over the box.
  [[nodiscard]] double mean_value_bound(const Box& box, const Jet& f, const Jet& there,
                                        const std::vector<double>& at) const {
    double bound = there.value.low;
    for (std::size_t i = 0; i < n_; ++i) bound += (f.slope[i] * (box[i] - Range::at(at[i]))).low;
    return std::isnan(bound) ? -unbounded : bound;
  }

  /// Returns a bound by the value and the slopes at a point and by the second derivatives all over the box.
  [[nodiscard]] double taylor_bound(const Box& box, const Jet& f, const Jet& there,
                                    const std::vector<double>& at) const {
    double bound = there.value.low;
    for (std::size_t i = 0; i < n_; ++i) {
      const Range step = box[i] - Range::at(at[i]);
      bound += (there.slope[i] * step).low + 0.5 * (f.second[second_place(i, i)] * square(step)).low;
      for (std::size_t j = 0; j < i; ++j)
        bound += (f.second[second_place(i, j)] * (step * (box[j] - Range::at(at[j])))).low;
    }
    return std::isnan(bound) ? -unbounded : bound;
  }

  /// Follows K down from the best controls, by steps along one control after the other.
  void polish(const Box& domain) {
    for (int step = 0; step < most_steps; ++step) {
      bool moved = false;
      for (std::size_t i = 0; i < n_; ++i) {
        const Jet K = hamiltonian_.on(box_at(found_.controls)).K;
        const double second = K.second[second_place(i, i)].low;
        if (!(second > 0) || !std::isfinite(second) || !K.slope[i].is_finite()) continue;
        std::vector<double> next = found_.controls;
        next[i] = std::clamp(next[i] - K.slope[i].low / second, domain[i].low, domain[i].high);
        const Hamiltonian::OnBox on = hamiltonian_.on(box_at(next));
        if (!on.admissible || !on.K.defined || !(on.K.value.low < best_)) continue;
        best_ = on.K.value.low;
        found_.controls = std::move(next);
        moved = true;
      }
      if (!moved) return;
    }
  }

  Hamiltonian& hamiltonian_;
  const SearchLimits& limits_;
  std::size_t n_;
  std::vector<double> start_;
  double K0_ = 0;
  double best_ = 0;
  LeastValue found_;
};

}  // namespace

LeastValue least_value(Hamiltonian& hamiltonian, const std::vector<Range>& domain, const SearchLimits& limits) {
  return Search(hamiltonian, limits).over(domain);
}

}  // namespace herglotz::solve
