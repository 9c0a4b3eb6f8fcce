#pragma once
/// Passes over the sites of a family, several sites an instruction.

#include <cstddef>
#include <memory>
#include <utility>

namespace herglotz::kernel {

/// Compiled pass over sites: at each site it reads arrays at shifted places, and writes arrays at the site. Sites are
/// visited in blocks of `block`, so that results have the same bits on machines with narrow registers. A loop is
/// copyable, immutable and thread-safe.
class SiteLoop {
 public:
  static constexpr std::size_t block = 8;

  /// Sites first, .., last - 1 are visited, counted from the pointers of the arrays; sites from inside_first to
  /// inside_last - 1 enter the sums. `first` is a multiple of `block`.
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t inside_first = 0;
    std::size_t inside_last = 0;
  };
  using Entry = void (*)(const void* context, double* const* arrays, const double* scalars, double* sums,
                         const Range* range);

  SiteLoop() = default;
  SiteLoop(Entry entry, std::shared_ptr<const void> context, std::size_t arrays, std::size_t scalars, std::size_t sums,
           std::size_t beyond)
      : entry_(entry), context_(std::move(context)), arrays_(arrays), scalars_(scalars), sums_(sums), beyond_(beyond) {}

  [[nodiscard]] std::size_t arrays() const { return arrays_; }
  [[nodiscard]] std::size_t scalars() const { return scalars_; }
  [[nodiscard]] std::size_t sums() const { return sums_; }
  /// Returns the number of places before the first site and beyond the last one that may be read; their values change
  /// nothing but the sites whose stencil they belong to.
  [[nodiscard]] std::size_t beyond() const { return beyond_; }
  explicit operator bool() const { return entry_ != nullptr; }

  /// Visits the sites. `scalars` has each scalar `block` times; the `block` parts of each sum are added to `sums`.
  void operator()(double* const* arrays, const double* scalars, double* sums, const Range& range) const {
    entry_(context_.get(), arrays, scalars, sums, &range);
  }

 private:
  Entry entry_ = nullptr;
  std::shared_ptr<const void> context_;
  std::size_t arrays_ = 0;
  std::size_t scalars_ = 0;
  std::size_t sums_ = 0;
  std::size_t beyond_ = 0;
};

}  // namespace herglotz::kernel
