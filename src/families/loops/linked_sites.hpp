#pragma once
/// Passes over all sites at once, for models whose sites are joined by edges, pairs or constraints.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "loops/site_state.hpp"

namespace herglotz::families {

/// Passes in place, each over all sites before the next one: an edge may lead to any site, so that no tile can be
/// visited by itself. A pass has one phase.
class LinkedSites final : public SiteState {
 public:
  LinkedSites(const Index& index, const Shape& shape, const std::vector<std::vector<double>>& fixed);

  std::vector<double> attempt(std::span<const Pass> passes) override;
  void accept() override { std::swap(now_, next_); }
  std::vector<double> observe(std::span<const Pass> passes, const Take& take) override;
  void keep() override;
  void go_back() override;
  [[nodiscard]] const Tiling& tiling() const override { return tiling_; }
  [[nodiscard]] double* state(std::size_t array) override { return now_[array].data() + margin_; }

 private:
  using Arrays = std::vector<Doubles>;

  /// Returns pointers to the first sites of all arrays.
  [[nodiscard]] std::vector<double*> pointers(Arrays& changing);
  std::vector<double> make(std::span<const Pass> passes, Arrays& changing);
  /// Sums that are found beside passes, with their places among the sums of all passes.
  using Found = std::vector<std::pair<std::size_t, double>>;
  void find_links(const LinkCall& call, double* const* arrays, std::size_t sums, Found& found) const;
  /// Makes what a pass without a loop does, and returns its sums.
  static std::vector<double> without_loop(const Pass& pass, double* const* arrays);
  /// Copies the sites at both ends of a ring beyond its other end.
  void close_ring(double* array) const;
  /// Copies arrays; those of `to` are made where they are missing.
  static void copy(const Arrays& from, Arrays& to);

  Index index_;
  Shape shape_;
  Tiling tiling_;
  std::size_t margin_;
  Arrays now_;
  Arrays next_;
  Arrays kept_;
  Arrays extra_;
  Arrays fixed_;
};

}  // namespace herglotz::families
