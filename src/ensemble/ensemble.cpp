#include "herglotz/ensemble/ensemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "herglotz/error.hpp"
#include "herglotz/simulate/make_way.hpp"
#include "herglotz/simulate/members.hpp"
#include "members_on.hpp"
#include "moment_rows.hpp"

namespace herglotz::ensemble {
namespace {

constexpr std::size_t least_block = 64;
constexpr std::size_t most_block = 8192;
constexpr std::size_t most_values = std::size_t{1} << 20;  // largest number of values in a block
constexpr std::size_t wanted_blocks = 64;                  // blocks that threads share and at which a sweep is resumed
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

using Columns = std::vector<std::vector<double>>;

/// Returns whether a column is kept whose values depend on the rows before.
bool keeps_residuals(const Plan& plan) {
  const auto& columns = plan.output.columns;
  return columns.empty() || std::any_of(columns.begin(), columns.end(), [](const std::string& name) {
           return name == "energy_residual" || name.starts_with("momentum_residual.") ||
                  name.starts_with("dissipated_residual.");
         });
}

/// Returns the settings of every member. Its rows are the rows that are kept, and those on which the residuals at the
/// end depend.
simulate::Settings settings_of(const Plan& plan) {
  simulate::Settings settings = plan.problem.settings;
  const bool listed = !plan.output.times.empty();
  if (plan.output.keep == Keep::times && !listed) throw Refused("keep = \"times\" needs times");
  if (plan.output.keep == Keep::trajectory || (plan.output.keep == Keep::statistics && !listed)) {
    if (listed) throw Refused("times go with keep = \"times\" or \"statistics\"");
    return settings;
  }
  if (plan.output.keep == Keep::final) {
    if (listed) throw Refused("times go with keep = \"times\" or \"statistics\"");
    if (keeps_residuals(plan)) return settings;
    settings.output_step.reset();
    settings.output_every = std::numeric_limits<std::size_t>::max();
  } else {
    settings.output_step.reset();
    settings.output_every.reset();
    settings.output_times = plan.output.times;
  }
  return settings;
}

SweepValues values_of(const Sweep& sweep) {
  sweep.validate();
  return SweepValues(sweep);
}

std::vector<simulate::Varying> varying_of(const Sweep& sweep) {
  std::vector<simulate::Varying> varying;
  for (const auto& quantity : sweep.quantities)
    varying.push_back({quantity.target == Target::parameter, quantity.name});
  return varying;
}

/// Collector of the rows of members into the columns of a block.
class Collector {
 public:
  Collector(Block& block, const std::vector<std::size_t>& kept, const std::vector<std::size_t>& kept_row,
            const Layout& layout, Keep keep)
      : block_(block),
        kept_(kept),
        kept_row_(kept_row),
        times_(layout.times),
        rounding_(1e-9 * std::abs(layout.times.back() - layout.times.front())),
        rows_(layout.times.size()),
        keep_(keep) {}

  void row(std::size_t member, std::size_t index, std::span<const double> row) {
    if (keep_ == Keep::final) {
      for (std::size_t c = 0; c < kept_.size(); ++c) block_.columns[c][member] = row[kept_[c]];
      return;
    }
    const std::size_t at = index < kept_row_.size() ? kept_row_[index] : nowhere;
    // A run that an event ended has its last row at a time that other members do not share.
    if (at == nowhere || std::abs(row[0] - times_[at]) > rounding_) return;
    for (std::size_t c = 0; c < kept_.size(); ++c) block_.columns[c][member * rows_ + at] = row[kept_[c]];
  }

  /// Computes the moments of the columns over the members that did not fail.
  void reduce() {
    std::vector<bool> failed(block_.members, false);
    for (const auto& failure : block_.failures) failed[failure.member - block_.first] = true;
    block_.statistics.resize(rows_ * kept_.size());
    MomentRows moments(rows_);
    for (std::size_t c = 0; c < kept_.size(); ++c) {
      moments.clear();
      for (std::size_t k = 0; k < block_.members; ++k)
        if (!failed[k]) moments.add(&block_.columns[c][k * rows_]);
      for (std::size_t row = 0; row < rows_; ++row) block_.statistics[row * kept_.size() + c] = moments.at(row);
    }
  }

  void done(std::size_t member, std::size_t rows, const std::string& failure) {
    if (failure.empty()) return;
    block_.failures.push_back({block_.first + member, failure});
    for (auto& column : block_.columns) {
      const std::size_t from = keep_ == Keep::final ? 0 : reached(rows);
      std::fill(column.begin() + static_cast<std::ptrdiff_t>(member * rows_ + from),
                column.begin() + static_cast<std::ptrdiff_t>((member + 1) * rows_),
                std::numeric_limits<double>::quiet_NaN());
    }
  }

 private:
  /// Returns the number of kept rows among the first `rows` rows.
  [[nodiscard]] std::size_t reached(std::size_t rows) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < std::min(rows, kept_row_.size()); ++k) count += kept_row_[k] == nowhere ? 0 : 1;
    return count;
  }

  Block& block_;
  const std::vector<std::size_t>& kept_;
  const std::vector<std::size_t>& kept_row_;
  const std::vector<double>& times_;
  double rounding_;
  std::size_t rows_;
  Keep keep_;
};

/// Supervisor of a sweep: it counts members, reports progress, and stops the sweep when the user asks for it.
class Supervisor {
 public:
  Supervisor(const std::function<bool(const Progress&)>& tell, std::size_t members) : tell_(tell), members_(members) {}

  void count(std::size_t members, std::size_t failed) {
    done_ += members;
    failed_ += failed;
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  void stop() { stopped_ = true; }
  using Clock = std::chrono::steady_clock;

  /// Reports if it is time to. Returns false if the sweep was stopped. Any thread may call this often.
  bool proceed(Clock::time_point now) {
    if (!tell_ || stopped_) return !stopped_;
    const auto count = now.time_since_epoch().count();
    if (count < due_) return true;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return true;
    due_ = count + std::chrono::duration_cast<Clock::duration>(std::chrono::milliseconds(50)).count();
    tell();
    return !stopped_;
  }
  void conclude() {
    if (tell_ && !stopped_) tell();
  }

 private:
  void tell() {
    if (!tell_({done_, failed_, members_})) stopped_ = true;
  }

  const std::function<bool(const Progress&)>& tell_;
  std::size_t members_;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::size_t> failed_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<Clock::rep> due_ = 0;
  std::mutex mutex_;
};

}  // namespace

void give_way_to_swept(Plan& plan) {
  for (const auto& quantity : plan.sweep.quantities)
    if (quantity.target == Target::initial)
      simulate::make_way(plan.problem.system, quantity.name, plan.problem.initial, plan.problem.next);
}

std::vector<std::string> initial_values_that_follow(const Plan& plan) {
  simulate::StartExpressions expressions = plan.problem.expressions;
  std::vector<std::string> swept;
  for (const auto& quantity : plan.sweep.quantities) {
    swept.push_back(quantity.name);
    if (quantity.target == Target::initial) expressions.erase(quantity.name);
  }
  return expressions.followers(std::move(swept));
}

void Moments::add(double value) {
  if (!std::isfinite(value)) return;
  least = count == 0 ? value : std::min(least, value);
  largest = count == 0 ? value : std::max(largest, value);
  count += 1;
  const double before = value - mean;
  mean += before / count;
  squares += before * (value - mean);
}

void Moments::add(const Moments& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const double total = count + other.count;
  const double apart = other.mean - mean;
  mean += apart * (other.count / total);
  squares += other.squares + apart * apart * (count * other.count / total);
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
  count = total;
}

struct Ensemble::Impl {
  Plan plan;
  Options options;
  Layout layout;
  simulate::Simulator simulator;
  simulate::Members members;
  SweepValues sweep_values;
  std::vector<std::size_t> kept;      ///< indices of the columns of a row
  std::vector<std::size_t> kept_row;  ///< place of each row of a member among the kept rows, or nowhere
  std::vector<double> row_times;      ///< times of the rows of a member

  Impl(Plan given, const Options& how)
      : plan(std::move(given)),
        options(how),
        simulator(plan.problem.system, {}, plan.problem.initial, plan.problem.discrete),
        members(members_on(plan.device, how.lanes > 0 ? how.lanes : compile::native_lanes(), simulator,
                           {plan.problem.initial,
                            {},
                            plan.problem.next,
                            settings_of(plan),
                            plan.output.columns,
                            plan.output.keep == Keep::final,
                            plan.problem.expressions},
                           varying_of(plan.sweep), layout.device)),
        sweep_values(values_of(plan.sweep)) {
    layout.members = plan.sweep.members();
    layout.method = members.method().name;
    layout.method_reason = members.method_reason();
    layout.order = members.order();
    arrange_rows();
    choose_columns();
    const std::size_t values = std::max<std::size_t>(1, layout.columns.size() * layout.times.size());
    layout.block_members = std::clamp(most_values / values, std::size_t{1}, most_block);
    layout.block_members =
        std::min(layout.block_members, std::max(least_block, (layout.members + wanted_blocks - 1) / wanted_blocks));
  }

  void arrange_rows() {
    if (plan.output.keep == Keep::final) {
      layout.times = {plan.problem.settings.t_end};
      return;
    }
    row_times = members.times();
    kept_row.assign(row_times.size(), nowhere);
    const auto& system = plan.problem.system;
    for (const auto& quantity : plan.sweep.quantities)
      if (quantity.target == Target::initial && quantity.name == system.t.name())
        throw Refused(fmt::format("{} is swept, so that members have no times in common", quantity.name),
                      "keep = \"final\" does not need them");
    const auto following = initial_values_that_follow(plan);
    if (std::find(following.begin(), following.end(), system.t.name()) != following.end())
      throw Refused(
          fmt::format("the initial value of {} follows what is swept, so that members have no times in common",
                      system.t.name()),
          "keep = \"final\" does not need them");
    const auto& listed = plan.output.times;
    for (std::size_t k = 0; k < row_times.size(); ++k) {
      if (!listed.empty() && std::find(listed.begin(), listed.end(), row_times[k]) == listed.end()) continue;
      kept_row[k] = layout.times.size();
      layout.times.push_back(row_times[k]);
    }
  }

  void choose_columns() {
    const auto& columns = members.columns();
    const bool ends_vary = plan.output.keep == Keep::final;
    const auto& wanted = plan.output.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].role == analyse::Role::time && !ends_vary) continue;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), columns[c].name) == wanted.end()) continue;
      kept.push_back(c);
      layout.columns.emplace_back(columns[c].name, columns[c].role);
    }
    for (const auto& name : wanted) {
      std::vector<std::string> names;
      for (const auto& column : columns) names.push_back(column.name);
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Refused(fmt::format("unknown column '{}'", name),
                      fmt::format("this system has {}", fmt::join(names, ", ")));
    }
  }

  [[nodiscard]] std::size_t members_of(std::size_t block) const {
    return std::min(layout.block_members, layout.members - block * layout.block_members);
  }

  /// Returns a block without results, in the memory of `columns`.
  [[nodiscard]] Block empty_block(std::size_t index, Columns&& columns) const {
    Block block;
    block.index = index;
    block.first = index * layout.block_members;
    block.members = members_of(index);
    block.columns = std::move(columns);
    block.columns.resize(kept.size());
    for (auto& column : block.columns)
      column.assign(block.members * layout.times.size(), std::numeric_limits<double>::quiet_NaN());
    return block;
  }
};

/// Worker in one thread. Its lanes take the members of one block after the other, and a block is passed to the sink
/// when its last member has ended.
class Ensemble::Worker {
 public:
  Worker(const Impl& ensemble, const std::vector<std::size_t>& blocks, std::atomic<std::size_t>& taken,
         Supervisor& supervisor, const std::function<void(Block&&)>& sink)
      : ensemble_(ensemble), blocks_(blocks), taken_(taken), supervisor_(supervisor), sink_(sink) {}

  void operator()() {
    const simulate::Members::Results results{
        [this](std::size_t k, std::size_t row, std::span<const double> values) {
          Open& open = open_block_of(k);
          open.collector.row(k - open.block.first, row, values);
        },
        [this](std::size_t k, std::size_t rows, std::size_t steps, const std::string& failure) {
          Open& open = open_block_of(k);
          open.collector.done(k - open.block.first, rows, failure);
          open.block.steps += steps;
          if (--open.left == 0) hand_over(open);
        }};
    ensemble_.members.run([this](std::size_t& k) { return next(k); },
                          [this](std::size_t k, std::span<double> values) { ensemble_.sweep_values(k, values); },
                          results, [this] { return proceed(); });
  }

 private:
  struct Open {
    Open(const Impl& ensemble, std::size_t index, Columns&& columns)
        : block(ensemble.empty_block(index, std::move(columns))),
          collector(block, ensemble.kept, ensemble.kept_row, ensemble.layout, ensemble.plan.output.keep),
          left(block.members) {}
    Block block;
    Collector collector;
    std::size_t left;  ///< members that have not ended
  };

  /// Returns false if the sweep was stopped. While calls come quickly, only one in 16 reads the clock, since a row of a
  /// small model takes hardly longer than that.
  bool proceed() {
    constexpr int most_unasked = 15;
    if (supervisor_.stopped()) return false;
    if (unasked_-- > 0) return true;
    const auto now = Supervisor::Clock::now();
    unasked_ = now - asked_ < std::chrono::milliseconds(1) ? most_unasked : 0;
    asked_ = now;
    return supervisor_.proceed(now);
  }

  bool next(std::size_t& k) {
    if (next_ == end_) {
      if (!proceed()) return false;
      const std::size_t at = taken_++;
      if (at >= blocks_.size()) return false;
      const Block& block = open_.emplace_back(std::make_unique<Open>(ensemble_, blocks_[at], std::move(spare_)))->block;
      next_ = block.first;
      end_ = block.first + block.members;
    }
    k = next_++;
    return true;
  }

  Open& open_block_of(std::size_t k) {
    std::size_t at = open_.size() - 1;
    while (k - open_[at]->block.first >= open_[at]->block.members) --at;  // wraps to a huge number below the first
    return *open_[at];
  }

  void hand_over(Open& open) {
    Block& block = open.block;
    std::sort(block.failures.begin(), block.failures.end(),
              [](const Failure& a, const Failure& b) { return a.member < b.member; });
    if (ensemble_.plan.output.keep == Keep::statistics) {
      open.collector.reduce();
      spare_ = std::move(block.columns);
      block.columns.clear();
    }
    supervisor_.count(block.members, block.failures.size());
    const auto it = std::find_if(open_.begin(), open_.end(), [&](const auto& each) { return each.get() == &open; });
    const std::unique_ptr<Open> complete = std::move(*it);
    open_.erase(it);
    sink_(std::move(complete->block));
  }

  const Impl& ensemble_;
  const std::vector<std::size_t>& blocks_;
  std::atomic<std::size_t>& taken_;  ///< number of blocks that all threads have taken
  Supervisor& supervisor_;
  const std::function<void(Block&&)>& sink_;
  Supervisor::Clock::time_point asked_;      ///< last time at which the clock was read
  int unasked_ = 0;                          ///< calls until it is read again
  Columns spare_;                            ///< memory of a block that was reduced to moments
  std::vector<std::unique_ptr<Open>> open_;  ///< the last block may have members that have not begun
  std::size_t next_ = 0;                     ///< next member of the last block
  std::size_t end_ = 0;
};

Ensemble::Ensemble(Plan plan, const Options& options) : impl_(std::make_unique<Impl>(std::move(plan), options)) {}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

const Plan& Ensemble::plan() const {
  return impl_->plan;
}
const Layout& Ensemble::layout() const {
  return impl_->layout;
}

bool Ensemble::run(const std::function<bool(std::size_t)>& wanted, const std::function<void(Block&&)>& sink,
                   const std::function<bool(const Progress&)>& progress) const {
  Supervisor supervisor(progress, impl_->layout.members);
  std::vector<std::size_t> blocks;
  for (std::size_t index = 0; index < impl_->layout.blocks(); ++index) {
    if (!wanted || wanted(index))
      blocks.push_back(index);
    else
      supervisor.count(impl_->members_of(index), 0);
  }
  std::atomic<std::size_t> taken = 0;
  const auto work = [&] {
    try {
      Worker(*impl_, blocks, taken, supervisor, sink)();
    } catch (...) {
      supervisor.stop();
      throw;
    }
  };
  oneapi::tbb::task_arena arena(impl_->options.threads > 0 ? impl_->options.threads
                                                           : oneapi::tbb::task_arena::automatic);
  const std::size_t workers = std::min(static_cast<std::size_t>(arena.max_concurrency()), blocks.size());
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::size_t>(0, workers, 1), [&](const auto&) { work(); },
        oneapi::tbb::simple_partitioner{});
  });
  supervisor.conclude();
  return !supervisor.stopped();
}

}  // namespace herglotz::ensemble
