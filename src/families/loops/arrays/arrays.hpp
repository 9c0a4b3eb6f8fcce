#pragma once
/// Arrays over sites and links, and sums over them.

#include <cstddef>
#include <memory>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/kernel/site_loop.hpp"

namespace herglotz::families {

/// Returns the next multiple of the block of sites.
constexpr std::size_t in_blocks(std::size_t n) {
  return (n + kernel::SiteLoop::block - 1) / kernel::SiteLoop::block * kernel::SiteLoop::block;
}

/// Returns the sum of the numbers at first, first + stride, ... in pairs.
double pairwise(const double* first, std::size_t count, std::size_t stride = 1);

/// Array of doubles whose first element begins a line of the cache.
class Doubles {
 public:
  explicit Doubles(std::size_t size = 0);
  [[nodiscard]] double* data() { return begin_; }
  [[nodiscard]] const double* data() const { return begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<double[]> room_;
  double* begin_ = nullptr;
  std::size_t size_ = 0;
};

/// Returns the values of all sites, with `margin` values of the sites beyond each end, which are 0 where there are
/// none.
Doubles with_margins(const Index& index, const std::vector<double>& values, std::size_t margin);

/// Sum of many terms with the low-order part that its additions lose.
struct Compensated {
  double value = 0;
  double lost = 0;

  void add(double term) {
    const double corrected = term - lost;
    const double after = value + corrected;
    lost = (after - value) - corrected;
    value = after;
  }
};

}  // namespace herglotz::families
