#include "herglotz/ensemble/ensemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "collector.hpp"
#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/error.hpp"
#include "herglotz/simulate/conflicting_values.hpp"
#include "herglotz/simulate/members.hpp"
#include "herglotz/simulate/volume.hpp"
#include "members_on.hpp"

namespace herglotz::ensemble {
namespace {

constexpr std::size_t least_block = 64;
constexpr std::size_t most_block = 8192;
constexpr std::size_t most_values = std::size_t{1} << 20;   // largest number of values that a block keeps
constexpr std::size_t most_reduced = std::size_t{1} << 25;  // largest number of values whose moments a block keeps
constexpr std::size_t wanted_blocks = 64;                   // blocks that threads share and at which a sweep is resumed

/// Returns whether a column is kept whose values depend on the rows before.
bool keeps_residuals(const Plan& plan) {
  const auto& columns = plan.output.columns;
  return columns.empty() || std::any_of(columns.begin(), columns.end(), [](const std::string& name) {
           return name == simulate::volume_column || name == simulate::volume_residual_column ||
                  name == "energy_residual" || name.starts_with("momentum_residual.") ||
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

/// Supervisor of a sweep: it counts members, reports progress, and stops the sweep when the user asks for it.
class Supervisor {
 public:
  Supervisor(const std::function<bool(const MemberCounts&)>& tell, std::size_t members)
      : tell_(tell), members_(members) {}

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

  const std::function<bool(const MemberCounts&)>& tell_;
  std::size_t members_;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::size_t> failed_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<Clock::rep> due_ = 0;
  std::mutex mutex_;
};

}  // namespace

void drop_swept_conflicts(Plan& plan) {
  for (const auto& quantity : plan.sweep.quantities)
    if (quantity.target == Target::initial)
      simulate::drop_conflicting_values(plan.problem.system, quantity.name, plan.problem.initial, plan.problem.next);
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
  // The difference of finite values may exceed all doubles; the mean does not.
  mean += std::isfinite(before) ? before / count : value / count - mean / count;
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
  const double share = other.count / total;
  mean += std::isfinite(apart) ? apart * share : other.mean * share - mean * share;
  squares += other.squares + apart * apart * (count * other.count / total);
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
  count = total;
}

void Block::begin_residuals(std::size_t laws) {
  largest_residuals.assign(laws, std::vector<double>(members, std::numeric_limits<double>::quiet_NaN()));
}

void Block::keep_largest(std::size_t k, std::size_t member, double largest) {
  largest_residuals[k][member - first] = std::isnan(largest) ? std::numeric_limits<double>::infinity() : largest;
}

std::vector<std::string> Layout::residuals() const {
  std::vector<std::string> names;
  for (const auto& [name, role] : columns)
    if (role == analyse::Role::residual) names.push_back(name);
  return names;
}

struct Ensemble::Impl {
  Plan plan;
  Parallelism options;
  int lanes;  ///< numbers in a register
  Layout layout;
  simulate::Simulator simulator;
  simulate::Members members;
  SweepValues sweep_values;
  KeptParts kept;
  std::vector<std::string> notes;

  Impl(Plan given, const Parallelism& how)
      : plan(std::move(given)),
        options(how),
        lanes(how.lanes > 0 ? how.lanes : compile::native_lanes()),
        simulator(plan.problem.system, {}, plan.problem.initial, plan.problem.discrete),
        members(members_on(plan.device, lanes, simulator,
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
    layout.block_members = members_of_blocks();
    std::string missed = members.missed_pulse(layout.members, [&](std::size_t k, std::span<double> values) {
      if (!values.empty()) sweep_values(k, values);
    });
    if (!missed.empty()) notes.push_back(std::move(missed));
  }

  [[nodiscard]] std::size_t members_of_blocks() const {
    const bool reduced = plan.output.keep == Keep::statistics;
    const std::size_t values = std::max<std::size_t>(1, layout.columns.size() * layout.times.size());
    const std::size_t most = std::clamp((reduced ? most_reduced : most_values) / values, std::size_t{1}, most_block);
    const std::size_t wanted =
        std::min(most, std::max(least_block, (layout.members + wanted_blocks - 1) / wanted_blocks));
    return reduced ? (wanted + batch_members - 1) / batch_members * batch_members : wanted;
  }

  void arrange_rows() {
    if (plan.output.keep == Keep::final) {
      kept.times = layout.times = {plan.problem.settings.t_end};
      return;
    }
    const std::vector<double> row_times = members.times();
    kept.rows.assign(row_times.size(), KeptParts::nowhere);
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
      kept.rows[k] = layout.times.size();
      layout.times.push_back(row_times[k]);
    }
    kept.times = layout.times;
  }

  void choose_columns() {
    const auto& columns = members.columns();
    const bool ends_vary = plan.output.keep == Keep::final;
    const auto& wanted = plan.output.columns;
    std::size_t laws = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].role == analyse::Role::residual) ++laws;
      if (columns[c].role == analyse::Role::time && !ends_vary) continue;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), columns[c].name) == wanted.end()) continue;
      kept.columns.push_back(c);
      layout.columns.emplace_back(columns[c].name, columns[c].role);
      if (columns[c].role == analyse::Role::residual) kept.laws.push_back(laws - 1);
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

  /// Returns a block without results.
  [[nodiscard]] Block empty_block(std::size_t index) const {
    Block block;
    block.index = index;
    block.first = index * layout.block_members;
    block.members = members_of(index);
    block.begin_residuals(kept.laws.size());
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
          open.collector->row(k - open.block.first, row, values);
        },
        [this](std::size_t k, const simulate::Members::End& end) {
          Open& open = open_block_of(k);
          open.collector->done(k - open.block.first, end.rows, !end.failure.empty());
          keep_largest(open.block, k, end);
          if (!end.failure.empty()) open.block.failures.push_back({k, end.failure});
          open.block.steps += end.steps;
          if (--open.left == 0) hand_over(open);
        },
        [this](const simulate::Members::Rows& rows) { return take_together(rows); }};
    ensemble_.members.run([this](std::size_t& k) { return next(k); },
                          [this](std::size_t k, std::span<double> values) { draw(k, values); }, results,
                          [this] { return proceed(); });
  }

 private:
  struct Open {
    Open(const Impl& ensemble, std::size_t index)
        : block(ensemble.empty_block(index)),
          collector(ensemble.plan.output.keep == Keep::statistics
                        ? collect_moments(block, ensemble.kept, ensemble.lanes)
                        : collect_rows(block, ensemble.kept)),
          left(block.members) {}
    Block block;
    std::unique_ptr<Collector> collector;
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
      const Block& block = open_.emplace_back(std::make_unique<Open>(ensemble_, blocks_[at]))->block;
      next_ = block.first;
      end_ = block.first + block.members;
    }
    k = next_++;
    return true;
  }

  /// Writes the values of a member. Those of its neighbours are drawn with them.
  void draw(std::size_t k, std::span<double> values) {
    if (values.empty()) return;
    if (k - drawn_first_ >= drawn_.size() / values.size()) {  // wraps to a huge number below the first
      const std::size_t count = std::min(drawn_together, ensemble_.layout.members - k);
      drawn_.resize(count * values.size());
      ensemble_.sweep_values(k, count, ensemble_.lanes, drawn_);
      drawn_first_ = k;
    }
    const std::size_t count = drawn_.size() / values.size();
    for (std::size_t q = 0; q < values.size(); ++q) values[q] = drawn_[q * count + (k - drawn_first_)];
  }

  Open& open_block_of(std::size_t k) {
    std::size_t at = open_.size() - 1;
    while (k - open_[at]->block.first >= open_[at]->block.members) --at;  // wraps to a huge number below the first
    return *open_[at];
  }

  /// Takes rows of members that follow one another in one block. Returns false if they do not.
  bool take_together(const simulate::Members::Rows& rows) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rows.lanes));
    const std::size_t first = rows.members[lane] - lane;  // wraps to a huge number if it lies before member 0
    const Block& block = open_block_of(rows.members[lane]).block;
    if (first - block.first >= block.members) return false;
    for (std::size_t l = lane; l < rows.members.size(); ++l)
      if ((rows.lanes >> l & 1U) != 0 &&
          (rows.members[l] != first + l || rows.members[l] - block.first >= block.members))
        return false;
    open_block_of(first).collector->rows(first - block.first, rows);
    return true;
  }

  /// Keeps the largest residuals of a member if any of its rows is kept.
  void keep_largest(Block& block, std::size_t member, const simulate::Members::End& end) const {
    const Keep keep = ensemble_.plan.output.keep;
    if (!end.failure.empty() && (keep == Keep::final || keep == Keep::statistics)) return;
    if (end.largest_residuals.empty()) return;
    for (std::size_t k = 0; k < ensemble_.kept.laws.size(); ++k)
      block.keep_largest(k, member, end.largest_residuals[ensemble_.kept.laws[k]]);
  }

  void hand_over(Open& open) {
    Block& block = open.block;
    std::sort(block.failures.begin(), block.failures.end(),
              [](const Failure& a, const Failure& b) { return a.member < b.member; });
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
  std::vector<std::unique_ptr<Open>> open_;  ///< the last block may have members that have not begun
  static constexpr std::size_t drawn_together = 16;
  std::vector<double> drawn_;    ///< values of consecutive members
  std::size_t drawn_first_ = 0;  ///< the first of these members
  std::size_t next_ = 0;         ///< next member of the last block
  std::size_t end_ = 0;
};

Ensemble::Ensemble(Plan plan, const Parallelism& options) : impl_(std::make_unique<Impl>(std::move(plan), options)) {}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

const Plan& Ensemble::plan() const {
  return impl_->plan;
}
const std::vector<std::string>& Ensemble::notes() const {
  return impl_->notes;
}

const Layout& Ensemble::layout() const {
  return impl_->layout;
}

bool Ensemble::run(const std::function<bool(std::size_t)>& wanted, const std::function<void(Block&&)>& sink,
                   const std::function<bool(const MemberCounts&)>& progress) const {
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
  arena.execute([&] { each_in_parallel(workers, [&](std::size_t) { work(); }, tbb::simple_partitioner{}); });
  supervisor.conclude();
  return !supervisor.stopped();
}

}  // namespace herglotz::ensemble
