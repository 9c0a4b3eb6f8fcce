#include "collector.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace herglotz::ensemble {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

class RowCollector final : public Collector {
 public:
  RowCollector(Block& block, const KeptParts& kept) : block_(block), kept_(kept), rows_(kept.times.size()) {
    block.columns.resize(kept.columns.size());
    for (auto& column : block.columns) column.assign(block.members * rows_, unknown);
  }

  void row(std::size_t member, std::size_t index, std::span<const double> row) override {
    const std::size_t at = kept_.place(index, row[0]);
    if (at == KeptParts::nowhere) return;
    for (std::size_t c = 0; c < kept_.columns.size(); ++c)
      block_.columns[c][member * rows_ + at] = row[kept_.columns[c]];
  }

  void rows(std::size_t first, const simulate::Members::Rows& rows) override {
    const std::size_t lanes = rows.members.size();
    const std::size_t at = kept_.place(rows.index, rows.values[0]);
    if (at == KeptParts::nowhere) return;
    for (std::size_t c = 0; c < kept_.columns.size(); ++c) {
      const double* values = &rows.values[kept_.columns[c] * lanes];
      for (std::size_t l = 0; l < lanes; ++l)
        if ((rows.lanes >> l & 1U) != 0) block_.columns[c][(first + l) * rows_ + at] = values[l];
    }
  }

  void done(std::size_t member, std::size_t rows, bool failed) override {
    if (!failed) return;
    for (auto& column : block_.columns)
      std::fill(column.begin() + static_cast<std::ptrdiff_t>(member * rows_ + kept_.reached(rows)),
                column.begin() + static_cast<std::ptrdiff_t>((member + 1) * rows_), unknown);
  }

 private:
  Block& block_;
  const KeptParts& kept_;
  std::size_t rows_;
};

/// Collector of moments. The values of a batch are kept until its last member has ended; then they are reduced, and the
/// moments of batches are merged in the order of batches.
class MomentCollector final : public Collector {
 public:
  MomentCollector(Block& block, const KeptParts& kept, int lanes)
      : block_(block),
        kept_(kept),
        columns_(kept.columns.size()),
        rows_(kept.times.size()),
        reduce_(lanes == 8   ? reduce<8>
                : lanes == 4 ? reduce<4>
                             : reduce<1>) {
    block.statistics.assign(rows_ * columns_, {});
  }

  void row(std::size_t member, std::size_t index, std::span<const double> row) override {
    const std::size_t at = kept_.place(index, row[0]);
    if (at == KeptParts::nowhere) return;
    Batch& batch = batch_of(member);
    double* values = &batch.values[at * columns_ * batch_members + member % batch_members];
    for (std::size_t c = 0; c < columns_; ++c) values[c * batch_members] = row[kept_.columns[c]];
    reach(batch, member % batch_members, at);
  }

  void rows(std::size_t first, const simulate::Members::Rows& rows) override {
    const std::size_t lanes = rows.members.size();
    const std::size_t at = kept_.place(rows.index, rows.values[0]);
    if (at == KeptParts::nowhere) return;
    const std::size_t slot = first % batch_members;
    if (slot + lanes > batch_members) return one_by_one(first, at, rows);
    Batch& batch = batch_of(first);
    double* values = &batch.values[at * columns_ * batch_members + slot];
    // The numbers of lanes without a row are replaced when their member begins again, or are not reduced.
    if (lanes == 8)
      copy_columns<8>(rows, values);
    else
      copy_columns<4>(rows, values);
    for (std::size_t l = 0; l < lanes; ++l)
      if ((rows.lanes >> l & 1U) != 0) reach(batch, slot + l, at);
  }

  void done(std::size_t member, std::size_t /*rows*/, bool failed) override {
    Batch& batch = batch_of(member);
    const std::size_t slot = member % batch_members;
    if (!failed) {
      fill_up(batch, slot, rows_);
      batch.present |= 1U << slot;
    }
    if (--batch.left > 0) return;
    std::vector<Moments> moments(rows_ * columns_);
    reduce_(batch.values.data(), moments.size(), batch.present, moments.data());
    const std::size_t number = member / batch_members;
    spare_.push_back(std::move(batch.values));
    open_.erase(number);
    last_ = nullptr;
    reduced_.emplace(number, std::move(moments));
    for (auto it = reduced_.begin(); it != reduced_.end() && it->first == merged_; it = reduced_.erase(it), ++merged_)
      for (std::size_t e = 0; e < it->second.size(); ++e) block_.statistics[e].add(it->second[e]);
  }

 private:
  struct Batch {
    std::vector<double> values;  ///< rows x columns x members
    std::array<std::size_t, batch_members> reached{};
    unsigned present = 0;
    std::size_t left = 0;  ///< members that have not ended
  };

  /// Copies the kept columns of W lanes.
  template <std::size_t W>
  void copy_columns(const simulate::Members::Rows& rows, double* to) const {
    for (std::size_t c = 0; c < columns_; ++c)
      std::memcpy(to + c * batch_members, &rows.values[kept_.columns[c] * W], W * sizeof(double));
  }

  Batch& batch_of(std::size_t member) {
    if (member / batch_members == last_number_ && last_ != nullptr) return *last_;
    last_number_ = member / batch_members;
    last_ = &find_or_open(last_number_);
    return *last_;
  }

  Batch& find_or_open(std::size_t number) {
    const auto it = open_.find(number);
    if (it != open_.end()) return it->second;
    Batch batch;
    if (spare_.empty()) {
      batch.values.resize(rows_ * columns_ * batch_members);
    } else {
      batch.values = std::move(spare_.back());
      spare_.pop_back();
    }
    batch.left = std::min(batch_members, block_.members - number * batch_members);
    return open_.emplace(number, std::move(batch)).first->second;
  }

  /// Notes that a member has the row `at`; rows before it that it did not have are unknown.
  void reach(Batch& batch, std::size_t slot, std::size_t at) {
    if (batch.reached[slot] < at) fill_up(batch, slot, at);
    batch.reached[slot] = at + 1;
  }
  void fill_up(Batch& batch, std::size_t slot, std::size_t end) {
    for (std::size_t e = batch.reached[slot] * columns_; e < end * columns_; ++e)
      batch.values[e * batch_members + slot] = unknown;
  }

  void one_by_one(std::size_t first, std::size_t at, const simulate::Members::Rows& rows) {
    const std::size_t lanes = rows.members.size();
    for (std::size_t l = 0; l < lanes; ++l) {
      if ((rows.lanes >> l & 1U) == 0) continue;
      Batch& batch = batch_of(first + l);
      const std::size_t slot = (first + l) % batch_members;
      double* values = &batch.values[at * columns_ * batch_members + slot];
      for (std::size_t c = 0; c < columns_; ++c) values[c * batch_members] = rows.values[kept_.columns[c] * lanes + l];
      reach(batch, slot, at);
    }
  }

  Block& block_;
  const KeptParts& kept_;
  std::size_t columns_;
  std::size_t rows_;
  void (*reduce_)(const double* values, std::size_t batches, unsigned present, Moments* moments);
  std::map<std::size_t, Batch> open_;
  Batch* last_ = nullptr;  // the batch that was asked for last
  std::size_t last_number_ = 0;
  std::vector<std::vector<double>> spare_;
  std::map<std::size_t, std::vector<Moments>> reduced_;  ///< batches that wait for an earlier one
  std::size_t merged_ = 0;                               ///< batches that are merged
};

}  // namespace

std::size_t KeptParts::place(std::size_t index, double t) const {
  if (rows.empty()) return 0;
  const std::size_t at = index < rows.size() ? rows[index] : nowhere;
  if (at == nowhere) return nowhere;
  // A run that an event ended has its last row at a time that other members do not share.
  const double rounding = 1e-9 * std::abs(times.back() - times.front());
  return std::abs(t - times[at]) > rounding ? nowhere : at;
}

std::size_t KeptParts::reached(std::size_t count) const {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < std::min(count, rows.size()); ++k) kept += rows[k] == nowhere ? 0 : 1;
  return kept;
}

std::unique_ptr<Collector> collect_rows(Block& block, const KeptParts& kept) {
  return std::make_unique<RowCollector>(block, kept);
}

std::unique_ptr<Collector> collect_moments(Block& block, const KeptParts& kept, int lanes) {
  return std::make_unique<MomentCollector>(block, kept, lanes);
}

}  // namespace herglotz::ensemble
