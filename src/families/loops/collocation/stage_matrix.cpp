#include "loops/collocation/stage_matrix.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "herglotz/families/site_values.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "loops/collocation/sparse_matrix.hpp"

namespace herglotz::families {
namespace {

/// Elimination of the blocks of groups of sites, each of which is coupled to the groups beside it. On a ring the last
/// group is eliminated last; of a chain the last group may have sites that do not exist, at which x = b. There is no
/// exchange of rows between groups: the blocks on the diagonal are those of one group alone with the others held, which
/// are regular where the inertia outweighs what forces do in a step.
template <int Size>
class Bands final : public StageMatrix {
 public:
  using Block = Eigen::Matrix<double, Size, Size>;
  using Part = Eigen::Matrix<double, Size, 1>;

  /// `sites` in a group.
  Bands(const Model& model, std::size_t size, std::size_t sites)
      : index_(model.line()),
        size_(size),
        sites_(sites),
        groups_((index_.count + sites - 1) / sites),
        ring_(index_.ends == Ends::periodic) {
    const auto rows = linear::index(size_ * sites_);
    for (auto* const blocks : {&lower_, &inverse_, &upper_}) blocks->assign(groups_, Block::Zero(rows, rows));
    if (ring_) border_.assign(groups_ - 1, Block::Zero(rows, rows));
  }

  bool factorise(const SiteBlocks& blocks) {
    fill(blocks);
    const std::size_t last = chain() - 1;
    for (std::size_t g = 0; g <= last; ++g) {
      if (g > 0) inverse_[g].noalias() -= lower_[g] * upper_[g - 1];
      if (!invert(inverse_[g])) return false;
      // On a ring the last group of the chain leads on to the border.
      if (g < last) upper_[g] = (inverse_[g] * upper_[g]).eval();
    }
    return ring_ ? close_ring() : true;
  }

  bool solve(std::vector<double>& b) const override {
    const std::size_t rows = size_ * sites_;
    b.resize(groups_ * rows, 0.0);
    const auto part = [&](std::size_t g) { return Eigen::Map<Part>(b.data() + g * rows, linear::index(rows)); };
    Part before = Part::Zero(linear::index(rows));
    for (std::size_t g = 0; g < chain(); ++g) {
      before = (inverse_[g] * (part(g) - lower_[g] * before)).eval();
      part(g) = before;
    }
    for (std::size_t g = chain() - 1; g-- > 0;) {
      before = (part(g) - upper_[g] * before).eval();
      part(g) = before;
    }
    if (ring_) {
      const std::size_t last = groups_ - 1;
      before = (inverse_[last] * (part(last) - lower_[last] * part(last - 1) - upper_[last] * part(0))).eval();
      part(last) = before;
      for (std::size_t g = 0; g < last; ++g) part(g) -= border_[g] * before;
    }
    b.resize(index_.count * size_);
    return std::isfinite(Eigen::Map<const Eigen::VectorXd>(b.data(), linear::index(b.size())).sum());
  }

 private:
  /// Returns the number of groups that are eliminated one after the other.
  [[nodiscard]] std::size_t chain() const { return ring_ ? groups_ - 1 : groups_; }

  void fill(const SiteBlocks& blocks) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> own(linear::index(size_),
                                                                               linear::index(size_));
    for (std::size_t row = index_.count * size_; row < groups_ * sites_ * size_; ++row) {
      const Eigen::Index at = linear::index(row % (sites_ * size_));
      inverse_.back()(at, at) = 1;
    }
    for (std::size_t site = 0; site < index_.count; ++site) {
      const std::size_t g = site / sites_;
      for (std::size_t k = 0; k < blocks.offsets.size(); ++k) {
        const std::int64_t offset = blocks.offsets[k].first;
        const std::size_t other = place_of(index_, site, offset);
        if (other == index_.count) continue;
        blocks.put(site, k, own.data());
        const std::size_t to = other / sites_;
        auto& list = to == g ? inverse_ : offset < 0 ? lower_ : upper_;
        list[g].block(linear::index(site % sites_ * size_), linear::index(other % sites_ * size_), own.rows(),
                      own.cols()) += own;
      }
    }
  }

  static bool invert(Block& block) {
    // Blocks of a known size are inverted without memory of their own, which would take longer than the elimination.
    if constexpr (Size == 1)
      block(0, 0) = 1 / block(0, 0);
    else if constexpr (Size != Eigen::Dynamic)
      block = Eigen::PartialPivLU<Block>(block).inverse();
    else
      block = linear::PartialLu(block).inverse();
    return block.allFinite();
  }

  /// Finds what the last group of a ring does to the others, and eliminates it.
  bool close_ring() {
    const std::size_t last = groups_ - 1;
    const std::size_t end = last - 1;
    for (std::size_t g = 0; g < last; ++g) {
      Block right = Block::Zero(inverse_[g].rows(), inverse_[g].cols());
      if (g == 0) right += lower_[0];
      if (g == end) right += upper_[end];
      if (g > 0) right.noalias() -= lower_[g] * border_[g - 1];
      border_[g].noalias() = inverse_[g] * right;
    }
    for (std::size_t g = end; g-- > 0;) border_[g] -= (upper_[g] * border_[g + 1]).eval();
    inverse_[last] -= (lower_[last] * border_[end] + upper_[last] * border_[0]).eval();
    // The group before the first is the last, whose part is taken from the border.
    lower_[0].setZero();
    return invert(inverse_[last]);
  }

  Index index_;
  std::size_t size_;
  std::size_t sites_;
  std::size_t groups_;
  bool ring_;
  std::vector<Block> lower_;    // to the group before; of the last group of a ring to the one before
  std::vector<Block> inverse_;  // of what elimination leaves on the diagonal
  std::vector<Block> upper_;    // to the group behind, times the inverse; of the last group of a ring to the first
  std::vector<Block> border_;   // of a ring: what a unit of the last group moves the others by
};

template <int Size>
std::shared_ptr<const StageMatrix> bands(const Model& model, const SiteBlocks& blocks, std::size_t sites) {
  auto matrix = std::make_shared<Bands<Size>>(model, blocks.size, sites);
  return matrix->factorise(blocks) ? std::move(matrix) : nullptr;
}

}  // namespace

Structure structure_of(const Model& model, const SiteBlocks& blocks) {
  constexpr std::size_t least_groups = 3;
  constexpr std::size_t largest = 32;
  if (!blocks.from.empty()) {
    auto place = sparse_order(model, blocks);
    if (!place) return {Elimination::iterated};
    return {Elimination::sparse, 1, std::move(*place)};
  }
  const std::size_t count = model.count();
  std::size_t sites = 1;
  for (const Offset& offset : blocks.offsets) sites = std::max(sites, static_cast<std::size_t>(std::abs(offset.first)));
  // A ring has groups of one size.
  if (model.indices.front().ends == Ends::periodic)
    while (sites < count && count % sites != 0) ++sites;
  if (model.indices.size() > 1 || count < least_groups * sites || sites * blocks.size > largest)
    return {Elimination::iterated};
  return {Elimination::bands, sites};
}

std::shared_ptr<const StageMatrix> factorised(const Model& model, const SiteBlocks& blocks,
                                              const Structure& structure) {
  if (structure.elimination == Elimination::sparse) return sparse_factors(model, blocks, structure.place);
  if (structure.elimination == Elimination::iterated) return iteration(model, blocks);
  switch (structure.sites * blocks.size) {
    case 1:
      return bands<1>(model, blocks, structure.sites);
    case 2:
      return bands<2>(model, blocks, structure.sites);
    case 3:
      return bands<3>(model, blocks, structure.sites);
    case 4:
      return bands<4>(model, blocks, structure.sites);
    default:
      return bands<Eigen::Dynamic>(model, blocks, structure.sites);
  }
}

}  // namespace herglotz::families
