#include "chain_factors.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "herglotz/error.hpp"

namespace herglotz::optimise {
namespace {

constexpr double vanishing = 1e-18;  ///< a scaled pivot below is zero
constexpr int scalings = 4;
constexpr std::size_t most_waiting = 2;  ///< for each unknown of a block
constexpr std::size_t few = 20;

// One loop for every width of registers. Products and sums are not fused and entries do not depend on each other, so
// that all of them give the same bits.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HERGLOTZ_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HERGLOTZ_WIDE
#endif

/// Subtracts l times the column `pivot` from `target`.
HERGLOTZ_WIDE void subtract(double* __restrict target, const double* __restrict pivot, double l, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] -= pivot[i] * l;
}

/// Subtracts l times the column `first` and m times the column `second` from `target`.
HERGLOTZ_WIDE void subtract(double* __restrict target, const double* __restrict first, double l,
                            const double* __restrict second, double m, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] -= first[i] * l + second[i] * m;
}

/// Lower triangle of a dense symmetric matrix, column by column, from which rows and columns are eliminated.
class Front {
 public:
  Front(std::vector<double>& entries, std::size_t size) : a_(entries.data()), size_(size) {}

  [[nodiscard]] double* column(std::size_t j) { return a_ + j * size_; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return i >= j ? a_[j * size_ + i] : a_[i * size_ + j]; }

  /// Largest entry of column c from row `first` on, except those of rows c and `other`.
  [[nodiscard]] double largest(std::size_t c, std::size_t first, std::size_t other) const {
    double size = 0;
    for (std::size_t i = first; i < c; ++i)
      if (i != other) size = std::max(size, std::abs(a_[i * size_ + c]));
    const double* below = a_ + c * size_;
    const std::size_t gap = std::clamp(other, c + 1, size_);
    for (std::size_t i = c + 1; i < gap; ++i) size = std::max(size, std::abs(below[i]));
    for (std::size_t i = other > c ? gap + 1 : gap; i < size_; ++i) size = std::max(size, std::abs(below[i]));
    return size;
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
  void eliminate_one(std::size_t k) {
    double* pivot = column(k);
    const double d = pivot[k];
    for (std::size_t j = k + 1; j < size_; ++j) {
      const double l = pivot[j] / d;
      if (l != 0) subtract(column(j) + j, pivot + j, l, size_ - j);
    }
    for (std::size_t i = k + 1; i < size_; ++i) pivot[i] /= d;
  }

  /// Eliminates rows k and k + 1 together.
  void eliminate_two(std::size_t k) {
    double* first = column(k);
    double* second = column(k + 1);
    const double a = first[k];
    const double b = first[k + 1];
    const double c = second[k + 1];
    // Divided by b, which is the largest entry where such a pivot is taken, the determinant does not overflow.
    const double det = a / b * c - b;
    const auto solved = [&](double x, double y) { return std::pair((c / b * x - y) / det, (a / b * y - x) / det); };
    for (std::size_t j = k + 2; j < size_; ++j) {
      const auto [l, m] = solved(first[j], second[j]);
      if (l == 0 && m == 0) continue;
      subtract(column(j) + j, first + j, l, second + j, m, size_ - j);
    }
    for (std::size_t i = k + 2; i < size_; ++i) std::tie(first[i], second[i]) = solved(first[i], second[i]);
  }

 private:
  double* a_;
  std::size_t size_;
};

}  // namespace

ChainFactors::ChainFactors(const std::vector<int>& place, const Places& entries)
    : place_(place), entries_(entries), scale_(place.size(), 1.0) {
  const int last = place.empty() ? 0 : 1 + std::max(-1, *std::max_element(place.begin(), place.end()));
  blocks_.resize(static_cast<Index>(last) + 1);
  for (int& own : place_)
    if (own < 0) own = last;
  for (Index i = 0; i < place_.size(); ++i) blocks_[static_cast<Index>(place_[i])].own.push_back(i);
  for (Index e = 0; e < entries.size(); ++e) {
    const auto i = static_cast<Index>(entries.row[e]);
    const auto j = static_cast<Index>(entries.col[e]);
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
    std::sort(block.reach.begin(), block.reach.end());
    block.reach.erase(std::unique(block.reach.begin(), block.reach.end()), block.reach.end());
  }
}

void ChainFactors::scale(std::span<const double> values) {
  std::vector<double> largest(size());
  for (int round = 0; round < scalings; ++round) {
    std::fill(largest.begin(), largest.end(), 0.0);
    for (Index e = 0; e < entries_.size(); ++e) {
      const auto i = static_cast<Index>(entries_.row[e]);
      const auto j = static_cast<Index>(entries_.col[e]);
      const double scaled = std::abs(values[e]) * scale_[i] * scale_[j];
      largest[i] = std::max(largest[i], scaled);
      largest[j] = std::max(largest[j], scaled);
    }
    for (Index i = 0; i < size(); ++i)
      if (largest[i] > 0 && std::isfinite(largest[i]))
        scale_[i] = std::scalbn(scale_[i], -((std::ilogb(largest[i]) + 1) >> 1));
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
  pivots_.assign(blocks_.size(), {});
  std::vector<Index> position(size());
  std::vector<double> rest;    // of the front before, lower triangle
  std::vector<Index> waiting;  // its unknowns
  Index delayed = 0;           // those that should have been eliminated
  for (Index b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    Pivots& pivots = pivots_[b];
    auto& unknowns = pivots.unknowns;
    unknowns.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(delayed));
    unknowns.insert(unknowns.end(), block.own.begin(), block.own.end());
    const Index summed = unknowns.size();
    if (b + 1 < blocks_.size()) {
      unknowns.insert(unknowns.end(), block.reach.begin(), block.reach.end());
      unknowns.insert(unknowns.end(), blocks_.back().own.begin(), blocks_.back().own.end());
    }
    const Index size = unknowns.size();
    for (Index i = 0; i < size; ++i) position[unknowns[i]] = i;
    front_.assign(size * size, 0.0);
    const auto add = [&](Index i, Index j, double value) {
      const auto [low, high] = std::minmax(position[i], position[j]);
      front_[low * size + high] += value;
    };
    for (Index j = 0; j < waiting.size(); ++j)
      for (Index i = j; i < waiting.size(); ++i) add(waiting[i], waiting[j], rest[j * waiting.size() + i]);
    for (const Entry& entry : block.entries)
      add(entry.row, entry.col, values[entry.source] * scale_[entry.row] * scale_[entry.col]);
    eliminate(pivots, summed, threshold);
    const Index k = pivots.count;
    delayed = summed - k;
    // So many unknowns without a pivot have none later either.
    if (delayed > most_waiting * block.own.size() + few) break;
    waiting.assign(unknowns.begin() + static_cast<std::ptrdiff_t>(k), unknowns.end());
    rest.assign(waiting.size() * waiting.size(), 0.0);
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
    for (Index j = 0; j < pivots.count; ++j)
      for (Index i = j + 1; i < local.size(); ++i) local[i] -= *l++ * local[j];
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
      double sum = local[j];
      for (Index i = j + 1; i < local.size(); ++i) sum -= end[i - j - 1] * local[i];
      local[j] = sum;
    }
    scatter(*pivots);
  }
  for (Index i = 0; i < size(); ++i) right[i] *= scale_[i];
}

}  // namespace herglotz::optimise
