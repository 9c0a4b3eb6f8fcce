#include "chain_factors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "herglotz/error.hpp"

namespace herglotz::optimise {
namespace {

constexpr double vanishing = 1e-18;  ///< a scaled pivot below is zero
constexpr int first_scalings = 4;
constexpr int more_scalings = 1;         ///< of a matrix with the entries of one before
constexpr std::size_t parts = 8;         ///< of a sum or maximum over a column
constexpr std::size_t most_waiting = 2;  ///< for each unknown of a block
constexpr std::size_t few = 20;

// One loop for every width of registers. Products and sums are not fused and entries do not depend on each other, so
// that all of them give the same bits. Columns are short: those of an elimination are gone through in one call, inside
// of which the loops over a column stand.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HERGLOTZ_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#define HERGLOTZ_INSIDE inline __attribute__((always_inline))
#else
#define HERGLOTZ_WIDE
#define HERGLOTZ_INSIDE inline
#endif

/// Returns a power of two near 1/sqrt(x).
double inverse_root(double x) {
  constexpr int bias = 1023;
  constexpr unsigned mantissa = 52;
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> mantissa) - bias;
  return std::bit_cast<double>(static_cast<std::uint64_t>(bias - ((exponent + 1) >> 1)) << mantissa);
}

/// Returns the largest magnitude.
HERGLOTZ_WIDE double largest_of(const double* __restrict column, std::size_t count) {
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  std::array<double, parts> part{};
  std::size_t i = 0;
  for (; i + parts <= count; i += parts)
    for (std::size_t l = 0; l < parts; ++l) part[l] = larger(part[l], std::abs(column[i + l]));
  double size = 0;
  for (; i < count; ++i) size = larger(size, std::abs(column[i]));
  for (const double one : part) size = larger(size, one);
  return size;
}

/// Returns the sum of products, in an order that does not depend on the width of registers.
HERGLOTZ_WIDE double product(const double* __restrict a, const double* __restrict b, std::size_t count) {
  std::array<double, parts> part{};
  std::size_t i = 0;
  for (; i + parts <= count; i += parts)
    for (std::size_t l = 0; l < parts; ++l) part[l] += a[i + l] * b[i + l];
  double sum = 0;
  for (; i < count; ++i) sum += a[i] * b[i];
  for (const double one : part) sum += one;
  return sum;
}

/// Sets l to the column `pivot` over d.
HERGLOTZ_INSIDE void divide(double* __restrict l, const double* __restrict pivot, double d, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) l[i] = pivot[i] / d;
}

/// A pivot of two rows, the matrix [a, b; b, c].
struct Pair {
  double a;
  double b;
  double c;
};

/// Sets (l, m) to the solutions of the pair for the entries (x, y) of two columns.
HERGLOTZ_INSIDE void divide(double* __restrict l, double* __restrict m, const double* __restrict x,
                            const double* __restrict y, Pair pair, std::size_t count) {
  // Divided by b, which is the largest entry where such a pivot is taken, the determinant does not overflow.
  const double a = pair.a / pair.b;
  const double c = pair.c / pair.b;
  const double det = a * pair.c - pair.b;
  for (std::size_t i = 0; i < count; ++i) {
    l[i] = (c * x[i] - y[i]) / det;
    m[i] = (a * y[i] - x[i]) / det;
  }
}

/// Subtracts l times the column `pivot` from `target`.
HERGLOTZ_INSIDE void subtract_inside(double* __restrict target, const double* __restrict pivot, double l,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] -= pivot[i] * l;
}
HERGLOTZ_WIDE void subtract(double* __restrict target, const double* __restrict pivot, double l, std::size_t count) {
  subtract_inside(target, pivot, l, count);
}

/// Subtracts l times the column `first` and m times the column `second` from `target`.
HERGLOTZ_INSIDE void subtract_inside(double* __restrict target, const double* __restrict first, double l,
                                     const double* __restrict second, double m, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] -= first[i] * l + second[i] * m;
}

/// Eliminates the first row of the lower triangle `a` of `size` rows, whose columns are `stride` apart; its column
/// becomes that of L. `l` holds a column.
HERGLOTZ_WIDE void eliminate_one(double* a, std::size_t stride, std::size_t size, double* l) {
  const std::size_t rest = size - 1;
  divide(l, a + 1, a[0], rest);
  for (std::size_t i = 0; i < rest; ++i)
    if (l[i] != 0) subtract_inside(a + (1 + i) * stride + 1 + i, a + 1 + i, l[i], rest - i);
  std::copy_n(l, rest, a + 1);
}

/// Eliminates the first two rows together. `l` holds two columns.
HERGLOTZ_WIDE void eliminate_two(double* a, std::size_t stride, std::size_t size, double* l) {
  double* second = a + stride;
  const std::size_t rest = size - 2;
  double* m = l + rest;
  divide(l, m, a + 2, second + 2, {a[0], a[1], second[1]}, rest);
  for (std::size_t i = 0; i < rest; ++i)
    if (l[i] != 0 || m[i] != 0)
      subtract_inside(a + (2 + i) * stride + 2 + i, a + 2 + i, l[i], second + 2 + i, m[i], rest - i);
  std::copy_n(l, rest, a + 2);
  std::copy_n(m, rest, second + 2);
}

/// Lower triangle of a dense symmetric matrix, column by column, from which rows and columns are eliminated.
class Front {
 public:
  Front(std::vector<double>& entries, std::size_t size) : a_(entries.data()), size_(size), factors_(2 * size) {}

  [[nodiscard]] double* column(std::size_t j) { return a_ + j * size_; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return i >= j ? a_[j * size_ + i] : a_[i * size_ + j]; }

  /// Largest entry of column c from row `first` on, except those of rows c and `other`.
  [[nodiscard]] double largest(std::size_t c, std::size_t first, std::size_t other) const {
    double size = 0;
    for (std::size_t i = first; i < c; ++i)
      if (i != other) size = std::max(size, std::abs(a_[i * size_ + c]));
    const double* below = a_ + c * size_;
    const std::size_t gap = std::clamp(other, c + 1, size_);
    const std::size_t rest = std::min(size_, other > c ? gap + 1 : gap);
    return std::max({size, largest_of(below + c + 1, gap - c - 1), largest_of(below + rest, size_ - rest)});
  }
  /// Row of the largest entry of column c beside the diagonal in rows first..end-1; `end` if all vanish.
  [[nodiscard]] std::size_t partner(std::size_t c, std::size_t first, std::size_t end) const {
    double size = 0;
    std::size_t place = end;
    for (std::size_t i = first; i < end; ++i) {
      if (i == c || !(std::abs(at(i, c)) > size)) continue;
      size = std::abs(at(i, c));
      place = i;
    }
    return place;
  }

  void exchange(std::size_t p, std::size_t q) {
    if (p == q) return;
    if (p > q) std::swap(p, q);
    for (std::size_t j = 0; j < p; ++j) std::swap(column(j)[p], column(j)[q]);
    for (std::size_t j = p + 1; j < q; ++j) std::swap(column(p)[j], column(j)[q]);
    for (std::size_t i = q + 1; i < size_; ++i) std::swap(column(p)[i], column(q)[i]);
    std::swap(column(p)[p], column(q)[q]);
  }

  /// Eliminates row k; its column becomes that of L.
  void eliminate_one(std::size_t k) { optimise::eliminate_one(column(k) + k, size_, size_ - k, factors_.data()); }
  /// Eliminates rows k and k + 1 together.
  void eliminate_two(std::size_t k) { optimise::eliminate_two(column(k) + k, size_, size_ - k, factors_.data()); }

 private:
  double* a_;
  std::size_t size_;
  std::vector<double> factors_;
};

}  // namespace

ChainFactors::ChainFactors(const std::vector<int>& place, const Places& entries)
    : place_(place), entries_(entries), scale_(place.size(), 1.0) {
  const int last = place.empty() ? 0 : 1 + std::max(-1, *std::max_element(place.begin(), place.end()));
  blocks_.resize(static_cast<Index>(last) + 1);
  for (int& own : place_)
    if (own < 0) own = last;
  for (Index i = 0; i < place_.size(); ++i) blocks_[static_cast<Index>(place_[i])].own.push_back(i);
  std::vector<Index> degree(place_.size());
  for (Index e = 0; e < entries.size(); ++e) {
    const auto i = static_cast<Index>(entries.row[e]);
    const auto j = static_cast<Index>(entries.col[e]);
    ++degree[i];
    ++degree[j];
    const auto [near, far] = place_[i] <= place_[j] ? std::pair(i, j) : std::pair(j, i);
    Block& block = blocks_[static_cast<Index>(place_[near])];
    block.entries.push_back({i, j, e});
    if (place_[far] == last || place_[far] == place_[near]) continue;
    if (place_[far] > place_[near] + 1)
      throw Refused("unknowns " + std::to_string(i) + " and " + std::to_string(j) +
                    " are coupled, and their places in the chain are not neighbours");
    block.reach.push_back(far);
  }
  for (Block& block : blocks_) {
    // Unknowns with few couplings go first, so that others fill in late.
    std::stable_sort(block.own.begin(), block.own.end(), [&](Index i, Index j) { return degree[i] < degree[j]; });
    std::sort(block.reach.begin(), block.reach.end());
    block.reach.erase(std::unique(block.reach.begin(), block.reach.end()), block.reach.end());
  }
}

void ChainFactors::scale(std::span<const double> values) {
  std::vector<double> largest(size());
  const int rounds = is_scaled_ ? more_scalings : first_scalings;
  is_scaled_ = true;
  for (int round = 0; round < rounds; ++round) {
    std::fill(largest.begin(), largest.end(), 0.0);
    for (Index e = 0; e < entries_.size(); ++e) {
      const auto i = static_cast<Index>(entries_.row[e]);
      const auto j = static_cast<Index>(entries_.col[e]);
      const double scaled = std::abs(values[e]) * scale_[i] * scale_[j];
      largest[i] = std::max(largest[i], scaled);
      largest[j] = std::max(largest[j], scaled);
    }
    for (Index i = 0; i < size(); ++i)
      if (largest[i] > 0 && std::isfinite(largest[i])) scale_[i] *= inverse_root(largest[i]);
  }
}

void ChainFactors::eliminate(Pivots& pivots, Index summed, double threshold) {
  std::vector<Index>& unknowns = pivots.unknowns;
  const Index size = unknowns.size();
  Front front(front_, size);
  const auto bring = [&](Index from, Index to) {
    front.exchange(from, to);
    std::swap(unknowns[from], unknowns[to]);
  };
  Index k = 0;
  /// Takes a pivot of the rows from k on whose first row is c.
  const auto take = [&](Index c) {
    const double own = front.at(c, c);
    if (std::abs(own) > vanishing && std::abs(own) >= threshold * front.largest(c, k, c)) {
      bring(c, k);
      negative_ += own < 0 ? 1 : 0;
      pivots.D.insert(pivots.D.end(), {own, 0});
      front.eliminate_one(k);
      k += 1;
      return true;
    }
    const Index r = front.partner(c, k, summed);
    if (r == summed) return false;
    const double b = front.at(r, c);
    const double other = front.at(r, r);
    const double det = own / b * other - b;  // over b
    const double beside_c = front.largest(c, k, r);
    const double beside_r = front.largest(r, k, c);
    if (!(std::abs(b) > vanishing) || !(std::abs(det) > vanishing)) return false;
    if (threshold * (std::abs(other / b) * beside_c + beside_r) > std::abs(det) ||
        threshold * (beside_c + std::abs(own / b) * beside_r) > std::abs(det))
      return false;
    bring(std::min(c, r), k);
    bring(std::max(c, r), k + 1);
    const double first = front.at(k, k);
    negative_ += det * b < 0 ? 1 : (first < 0 ? 2 : 0);
    pivots.D.insert(pivots.D.end(), {first, b, front.at(k + 1, k + 1), 0});
    front.eliminate_two(k);
    k += 2;
    return true;
  };
  // Unknowns that have to wait are tried again only after all others, or few pivots would cost many trials.
  for (bool more = true; more && k < summed;) {
    more = false;
    for (Index c = k; c < summed;) {
      const bool taken = take(c);
      more = more || taken;
      c = taken ? std::max(c, k) : c + 1;
    }
  }
  pivots.count = k;
  pivots.L.reserve(k * size - k * (k + 1) / 2);
  for (Index j = 0; j < k; ++j) {
    const double* column = front.column(j);
    const Index below = pivots.D[2 * j + 1] == 0 ? j + 1 : j + 2;
    pivots.L.insert(pivots.L.end(), below - j - 1, 0.0);
    pivots.L.insert(pivots.L.end(), column + below, column + size);
  }
}

void ChainFactors::factor(std::span<const double> values, double threshold) {
  scale(values);
  singular_ = false;
  negative_ = 0;
  pivots_.resize(blocks_.size());
  std::vector<Index> position(size());
  std::vector<Index> summands;
  std::vector<double> rest;    // of the front before, lower triangle
  std::vector<Index> waiting;  // its unknowns
  Index delayed = 0;           // those that should have been eliminated
  for (Index b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    Pivots& pivots = pivots_[b];
    pivots.L.clear();
    pivots.D.clear();
    auto& unknowns = pivots.unknowns;
    summands.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(delayed));
    summands.insert(summands.end(), block.own.begin(), block.own.end());
    const Index summed = summands.size();
    unknowns = summands;
    if (order_.delayed == delayed && order_.places.size() == summed)
      for (Index i = 0; i < summed; ++i) unknowns[i] = summands[order_.places[i]];
    order_.delayed = delayed;
    if (b + 1 < blocks_.size()) {
      unknowns.insert(unknowns.end(), block.reach.begin(), block.reach.end());
      unknowns.insert(unknowns.end(), blocks_.back().own.begin(), blocks_.back().own.end());
    }
    const Index size = unknowns.size();
    for (Index i = 0; i < size; ++i) position[unknowns[i]] = i;
    front_.resize(size * size);
    for (Index j = 0; j < size; ++j) std::fill_n(front_.data() + j * size + j, size - j, 0.0);
    const auto add = [&](Index i, Index j, double value) {
      const auto [low, high] = std::minmax(position[i], position[j]);
      front_[low * size + high] += value;
    };
    for (Index j = 0; j < waiting.size(); ++j)
      for (Index i = j; i < waiting.size(); ++i) add(waiting[i], waiting[j], rest[j * waiting.size() + i]);
    for (const Entry& entry : block.entries)
      add(entry.row, entry.col, values[entry.source] * scale_[entry.row] * scale_[entry.col]);
    eliminate(pivots, summed, threshold);
    for (Index i = 0; i < summed; ++i) position[summands[i]] = i;
    order_.places.resize(summed);
    for (Index i = 0; i < summed; ++i) order_.places[i] = position[unknowns[i]];
    const Index k = pivots.count;
    delayed = summed - k;
    // If this many unknowns have no pivot, they find none later either.
    if (delayed > most_waiting * block.own.size() + few) break;
    waiting.assign(unknowns.begin() + static_cast<std::ptrdiff_t>(k), unknowns.end());
    rest.resize(waiting.size() * waiting.size());
    for (Index j = k; j < size; ++j)
      for (Index i = j; i < size; ++i) rest[(j - k) * waiting.size() + i - k] = front_[j * size + i];
  }
  singular_ = delayed > 0;
}

bool are_large(std::span<const double> multipliers) {
  constexpr double large = 1e3;
  return !std::all_of(multipliers.begin(), multipliers.end(), [](double mu) { return std::abs(mu) < large; });
}

void ChainFactors::solve(std::span<double> right) const {
  for (Index i = 0; i < size(); ++i) right[i] *= scale_[i];
  std::vector<double> local;
  const auto gather = [&](const Pivots& pivots) {
    local.clear();
    for (const Index unknown : pivots.unknowns) local.push_back(right[unknown]);
  };
  const auto scatter = [&](const Pivots& pivots) {
    for (Index i = 0; i < local.size(); ++i) right[pivots.unknowns[i]] = local[i];
  };
  for (const Pivots& pivots : pivots_) {
    gather(pivots);
    const double* l = pivots.L.data();
    for (Index j = 0; j < pivots.count; ++j) {
      const Index below = local.size() - j - 1;
      subtract(local.data() + j + 1, l, local[j], below);
      l += below;
    }
    for (Index j = 0; j < pivots.count; ++j) {
      const double a = pivots.D[2 * j];
      const double b = pivots.D[2 * j + 1];
      if (b == 0) {
        local[j] /= a;
        continue;
      }
      const double c = pivots.D[2 * j + 2];
      const double det = a / b * c - b;
      const double first = (c / b * local[j] - local[j + 1]) / det;
      local[j + 1] = (a / b * local[j + 1] - local[j]) / det;
      local[j++] = first;
    }
    scatter(pivots);
  }
  for (auto pivots = pivots_.rbegin(); pivots != pivots_.rend(); ++pivots) {
    gather(*pivots);
    const double* end = pivots->L.data() + pivots->L.size();
    for (Index j = pivots->count; j-- > 0;) {
      end -= local.size() - j - 1;
      local[j] -= product(end, local.data() + j + 1, local.size() - j - 1);
    }
    scatter(*pivots);
  }
  for (Index i = 0; i < size(); ++i) right[i] *= scale_[i];
}

}  // namespace herglotz::optimise
