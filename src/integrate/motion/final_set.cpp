#include "herglotz/integrate/final_set.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/linear/least_squares.hpp"

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Values of the functions of a set at a state, with their derivatives.
class Values {
 public:
  Values(const FinalSet& set, std::size_t state)
      : G(static_cast<Eigen::Index>(set.count)),
        slopes(static_cast<Eigen::Index>(set.count), static_cast<Eigen::Index>(state)),
        set_(&set),
        v_(set.functions.variables(), 0.0),
        out_(set.functions.outputs()),
        work_(set.functions.work_size()) {}

  /// Evaluates the functions. Returns false if they or their derivatives are not finite.
  bool at(std::span<const double> parameters, double t, std::span<const double> state) {
    std::copy(state.begin(), state.end(), v_.begin());
    v_[state.size()] = t;
    set_->functions(v_.data(), parameters.data(), out_.data(), work_.data());
    G = Eigen::Map<const Eigen::VectorXd>(out_.data(), G.size());
    slopes = Eigen::Map<const RowMajor>(out_.data() + G.size(), slopes.rows(), slopes.cols());
    return G.allFinite() && slopes.allFinite();
  }
  /// Returns the sizes of the terms of the functions.
  [[nodiscard]] Eigen::VectorXd terms(std::span<const double> state) const {
    return slopes.cwiseAbs() *
           Eigen::Map<const Eigen::VectorXd>(state.data(), static_cast<Eigen::Index>(state.size())).cwiseAbs();
  }

  Eigen::VectorXd G;
  RowMajor slopes;

 private:
  const FinalSet* set_;
  std::vector<double> v_;
  std::vector<double> out_;
  std::vector<double> work_;
};

}  // namespace

double distance_from(const FinalSet& set, std::span<const double> parameters, double t, std::span<const double> state) {
  if (set.count == 0) return 0;
  Values values(set, state.size());
  if (!values.at(parameters, t, state)) return std::numeric_limits<double>::infinity();
  return (values.G.array().abs() / values.terms(state).array().max(1.0)).maxCoeff();
}

bool move_onto(const FinalSet& set, std::span<const double> parameters, double t, std::span<double> state,
               std::size_t first, std::size_t last) {
  constexpr int most_steps = 20;
  constexpr double round_off = 64 * std::numeric_limits<double>::epsilon();
  if (set.count == 0) return true;
  Values values(set, state.size());
  for (int step = 0; step < most_steps; ++step) {
    if (!values.at(parameters, t, state)) return false;
    const RowMajor free =
        values.slopes.middleCols(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(last - first));
    const Eigen::VectorXd change = linear::least_squares(free, -values.G);
    double length = 0;
    for (std::size_t i = first; i < last; ++i) {
      const double move = change[static_cast<Eigen::Index>(i - first)];
      state[i] += move;
      length = std::max(length, std::abs(move) / std::max(1.0, std::abs(state[i])));
    }
    if (!std::isfinite(length)) return false;
    if (length > round_off) continue;
    // If the free part cannot reach the set, the steps end at the nearest point off it.
    return (values.G.array().abs() <= 1e-11 * (values.terms(state).array() + 1)).all();
  }
  return false;
}

}  // namespace herglotz::integrate
