#pragma once
/// Sizes that errors of the sites and of the whole are compared with.

#include <array>
#include <functional>
#include <vector>

#include "loops/motion.hpp"
#include "loops/whole.hpp"

namespace herglotz::families {

/// The share of the tolerance that a step may err by, and the least error that rounding allows.
[[nodiscard]] double local_error(double tolerance);

/// Weights 1 / (local (size + floor)) of the errors of q, v, z, log(lambda) and the budgets, with the shares of
/// kernel::ErrorShares, updated along the run.
class ErrorScales {
 public:
  using Arrays = std::vector<double*>;  ///< over the sites: those of q, then those of v, of all families
  using Sizes = std::array<double, 3>;  ///< the largest q, v and z

  ErrorScales() = default;
  /// `local` is the relative error that a step may make, `start` the row at the start of the run.
  ErrorScales(std::size_t families, const Tiling& tiling, double local, const Observed& start);

  /// Updates the weights by the state.
  void weigh(const Arrays& state, const Whole& whole, const Arrays& weights);
  /// Returns the mean square of the weighted errors, with those of the sites given as the sum of their squares.
  [[nodiscard]] double mean_square(double of_sites, const Whole& whole) const;
  /// Returns the largest q, v and z of a state.
  [[nodiscard]] Sizes sizes(const Arrays& state, const Whole& whole) const;
  /// Returns whether the state has been at rest at the origin so far.
  [[nodiscard]] bool at_rest() const;

  /// What a step of a length from the start leads to.
  struct Trials {
    std::function<Sizes(double h)> sizes_after;
    std::function<double(double h)> mean_square;  ///< of its weighted errors
    std::function<void()> weigh;
  };
  /// Takes the sizes that q, v and z soon have for the largest so far, at a start at rest at the origin, where they
  /// have none by which an error could be measured: those after a step of a thousandth of the run, or of a half of
  /// that, and so on, until the error of the step is below a hundredth of them. If nothing moves within a step, twice
  /// its length is tried.
  void expect_sizes(double duration, const Trials& trials);

 private:
  [[nodiscard]] double largest(const double* values) const;
  [[nodiscard]] double largest_group() const;
  void weigh_sites(std::size_t array, double floor, const double* values, double* weights);
  template <class Visit>
  void for_tiles(const Visit& visit) const;

  std::size_t n_ = 0;
  const Tiling* tiling_ = nullptr;
  double local_ = 0;
  Sizes group_{};                            // the largest so far
  std::vector<std::vector<double>> recent_;  // sizes of q and v at every site, which fade
  double lately_z_ = 0;
  std::vector<double> law_;       // the largest size of each law
  std::vector<double> of_whole_;  // weights
};

}  // namespace herglotz::families
