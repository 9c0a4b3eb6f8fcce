#include "herglotz/families/ensemble.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "herglotz/analyse/run_facts.hpp"
#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/run.hpp"
#include "record/columns.hpp"
#include "record/field_rows.hpp"
#include "record/row_plan.hpp"

namespace herglotz::families {
namespace {

using ensemble::Block;
using ensemble::Keep;

constexpr std::size_t most_columns = 10'000;
constexpr std::size_t most_values = std::size_t{1} << 20;  // of a block
constexpr std::size_t wanted_blocks = 64;                  // that threads share and at which a sweep is resumed

void require_sweepable(const Model& model, const ensemble::Plan& plan) {
  if (plan.device != "cpu")
    throw Refused("a model with an index runs on the processor", "give device = \"cpu\"", "device");
  for (const ensemble::Swept& quantity : plan.sweep.quantities) {
    if (quantity.target == ensemble::Target::initial && quantity.name != model.z.name())
      throw Refused(fmt::format("the initial value of {} cannot be swept in a model with an index", quantity.name),
                    fmt::format("sweep a parameter that [initial] uses, or the action {}", model.z.name()), "[sweep]");
    if (std::find(model.counts.begin(), model.counts.end(), quantity.name) != model.counts.end())
      throw Refused(fmt::format("{} is the number of sites, which all members share", quantity.name),
                    "run a sweep for each number", "[sweep]");
  }
  if (plan.output.keep == Keep::times || !plan.output.times.empty())
    throw Refused("rows at given times are not kept in a model with an index",
                  "choose keep = \"trajectory\" with output_step, or \"final\"", "[sweep]");
}

/// Returns the columns that are kept of a run in loops, and their roles.
std::vector<std::pair<std::string, analyse::Role>> columns_in_loops(const Model& model, bool with_time) {
  const auto all = FieldRows::scalar_columns(model);
  const Chosen chosen = chosen_in_loops(model, model.settings.columns, FieldRows::scalar_names(model));
  std::vector<std::pair<std::string, analyse::Role>> columns;
  const auto is_kept = [&](const std::string& name) {
    return chosen.all || std::find(chosen.scalars.begin(), chosen.scalars.end(), name) != chosen.scalars.end();
  };
  if (with_time && is_kept(all.front().name)) columns.emplace_back(all.front().name, all.front().role);
  for (const Field& field : chosen.fields)
    for (const std::size_t site : field.sites) {
      if (columns.size() == most_columns)
        throw Refused(fmt::format("a member has more than {} columns", most_columns),
                      fmt::format("choose some, such as columns = [\"{}[::100]\", \"energy\"]", field.name), "[sweep]");
      columns.emplace_back(fmt::format("{}[{}]", field.name, site_label(model.indices, site)), field.role);
    }
  for (const auto& column : all)
    if (column.role != analyse::Role::time && is_kept(column.name)) columns.emplace_back(column.name, column.role);
  return columns;
}

/// Returns the layout of a model in loops.
ensemble::Layout layout_in_loops(Model& model, Keep keep) {
  ensemble::Layout layout;
  const LoopMethod method = loop_method(model);
  layout.method = method.name;
  layout.method_reason = method.reason;
  layout.order = method.order;
  layout.columns = columns_in_loops(model, keep == Keep::final);
  const auto numbers = static_cast<double>(layout.columns.size());
  const RowPlan rows = method.adaptive ? adaptive_plan_of(model, numbers) : plan_of(model, numbers);
  if (keep == Keep::final) {
    layout.times = {model.settings.t_end};
    return layout;
  }
  if (method.adaptive && rows.every != 0)
    throw Refused("members that choose their steps have no rows in common with output_every", "give output_step",
                  "output_every");
  layout.times = rows.times(model.t0, model.settings.t_end);
  return layout;
}

/// Returns the layout of a model that is written out, which an ensemble of one member knows.
ensemble::Layout layout_written_out(Model& model, const ensemble::Plan& plan) {
  simulate::Problem problem = flat(model);
  problem.settings.columns.clear();
  std::vector<std::string> scalars;
  for (const auto& column : FieldRows::scalar_columns(model)) scalars.push_back(column.name);
  ensemble::Output output{plan.output.keep, {}, {}};
  if (!model.settings.columns.empty())
    for (const auto& [name, role] : columns_in_loops(model, false)) output.columns.push_back(name);
  ensemble::Sweep one;
  one.quantities.push_back({ensemble::Target::initial, std::string(model.z.name()), std::vector<double>{model.z0}});
  return ensemble::Ensemble({std::move(problem), std::move(one), std::move(output)}).layout();
}

}  // namespace

simulate::Problem named_in_sweeps(const Model& model) {
  simulate::Problem problem;
  problem.system.name = model.name;
  problem.system.title = model.title;
  problem.system.reference = model.reference;
  problem.system.algebroid.graph = model.graph;
  problem.system.z = model.z;
  problem.system.t = model.t;
  problem.system.parameters = model.parameters;
  for (const Symmetry& symmetry : model.symmetries) problem.system.symmetries.push_back({symmetry.name, {}});
  for (const Observable& observable : model.observables) problem.system.observables.push_back({observable.name, {}});
  problem.initial = {{std::string(model.z.name()), model.z0}, {std::string(model.t.name()), model.t0}};
  problem.settings = model.settings;
  problem.text = model.text;
  return problem;
}

struct FieldEnsemble::Impl {
  Read read;
  ensemble::Plan plan;
  ensemble::Parallelism options;
  ensemble::Layout layout;
  ensemble::SweepValues values;
  bool loops = true;

  Impl(Read how, ensemble::Plan given, const ensemble::Parallelism& chosen)
      : read(std::move(how)), plan(std::move(given)), options(chosen), values(validated(plan.sweep)) {
    Model model = own_model();
    require_sweepable(model, plan);
    loops = runs_in_loops(model);
    layout = loops ? layout_in_loops(model, plan.output.keep) : layout_written_out(model, plan);
    layout.members = plan.sweep.members();
    const std::size_t numbers = std::max<std::size_t>(1, layout.columns.size() * layout.times.size());
    layout.block_members = std::clamp<std::size_t>(
        most_values / numbers, 1, std::max<std::size_t>(1, (layout.members + wanted_blocks - 1) / wanted_blocks));
  }

  static ensemble::Sweep validated(ensemble::Sweep sweep) {
    sweep.validate();
    return sweep;
  }

  [[nodiscard]] Model own_model() const {
    Model model = read();
    model.settings = plan.problem.settings;
    if (!plan.output.columns.empty()) model.settings.columns = plan.output.columns;
    return model;
  }

  /// The model of one thread, and its runs once there is one.
  struct Own {
    Model model;
    std::unique_ptr<Runs> runs{};
    std::unique_ptr<FlatRuns> written_out{};

    FieldRun run(bool loops) {
      if (loops) {
        if (!runs) runs = std::make_unique<Runs>(model);
        return runs->run();
      }
      if (!written_out) written_out = std::make_unique<FlatRuns>(model);
      return written_out->run();
    }
  };

  /// Runs a member into its place in a block.
  void follow(Own& own, std::size_t member, Block& block) const {
    Model& model = own.model;
    std::vector<double> all(plan.sweep.quantities.size());
    values(member, all);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const ensemble::Swept& quantity = plan.sweep.quantities[k];
      if (quantity.target == ensemble::Target::initial) {
        model.z0 = all[k];
        continue;
      }
      const auto parameter = std::find_if(model.parameters.begin(), model.parameters.end(),
                                          [&](const auto& one) { return one.symbol.name() == quantity.name; });
      parameter->value = all[k];
    }
    FieldRun done;
    std::string failure;
    try {
      done = own.run(loops);
      failure = done.failure;
    } catch (const Error& error) {
      failure = error.what();
    }
    if (!failure.empty()) block.failures.push_back({member, failure});
    block.steps += done.trajectory.facts.steps;
    if (done.trajectory.rows() == 0 || (!failure.empty() && plan.output.keep == Keep::final)) return;
    put(in_columns(done), member - block.first, block);
    const std::vector<std::string> names = layout.residuals();
    for (const auto& [column, largest] : analyse::largest_residuals(done.trajectory.facts))
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == column) block.keep_largest(k, member, largest);
  }

  /// Puts the rows of a run at the times that all members have into its place in a block.
  void put(const analyse::Trajectory& run, std::size_t place, Block& block) const {
    const std::vector<double>& times = run.columns.front().values;
    const bool last = plan.output.keep == Keep::final;
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      const std::vector<double>& from = run[layout.columns[c].first];
      double* const to = block.columns[c].data() + place * layout.times.size();
      if (last) *to = from.back();
      for (std::size_t row = 0; !last && row < times.size() && row < layout.times.size(); ++row)
        if (times[row] == layout.times[row]) to[row] = from[row];
    }
  }

  [[nodiscard]] Block block_of(Own& own, std::size_t index, const std::atomic<bool>& stopped) const {
    Block block;
    block.index = index;
    block.first = index * layout.block_members;
    block.members = std::min(layout.block_members, layout.members - block.first);
    block.columns.assign(layout.columns.size(), std::vector<double>(block.members * layout.times.size(),
                                                                    std::numeric_limits<double>::quiet_NaN()));
    block.begin_residuals(layout.residuals().size());
    for (std::size_t k = 0; k < block.members && !stopped; ++k) follow(own, block.first + k, block);
    if (plan.output.keep == Keep::statistics) reduce(block);
    return block;
  }

  /// Replaces the columns of a block by their moments.
  void reduce(Block& block) const {
    const std::size_t rows = layout.times.size();
    block.statistics.resize(rows * layout.columns.size());
    for (std::size_t c = 0; c < layout.columns.size(); ++c)
      for (std::size_t k = 0; k < block.columns[c].size(); ++k)
        block.statistics[k % rows * layout.columns.size() + c].add(block.columns[c][k]);
    block.columns.clear();
  }
};

FieldEnsemble::FieldEnsemble(Read read, ensemble::Plan plan, const ensemble::Parallelism& options)
    : impl_(std::make_unique<Impl>(std::move(read), std::move(plan), options)) {}
FieldEnsemble::~FieldEnsemble() = default;
FieldEnsemble::FieldEnsemble(FieldEnsemble&&) noexcept = default;
FieldEnsemble& FieldEnsemble::operator=(FieldEnsemble&&) noexcept = default;

const ensemble::Plan& FieldEnsemble::plan() const {
  return impl_->plan;
}

const ensemble::Layout& FieldEnsemble::layout() const {
  return impl_->layout;
}

bool FieldEnsemble::run(const std::function<bool(std::size_t block)>& wanted, const std::function<void(Block&&)>& sink,
                        const std::function<bool(const ensemble::MemberCounts&)>& progress) const {
  std::vector<std::size_t> blocks;
  for (std::size_t block = 0; block < impl_->layout.blocks(); ++block)
    if (!wanted || wanted(block)) blocks.push_back(block);
  ensemble::MemberCounts reached{0, 0, impl_->layout.members};
  std::size_t left = 0;
  for (const std::size_t block : blocks)
    left += std::min(impl_->layout.block_members, reached.members - block * impl_->layout.block_members);
  reached.done = reached.members - left;
  std::mutex mutex;
  std::atomic<bool> stopped = false;
  tbb::enumerable_thread_specific<Impl::Own> models([this] { return Impl::Own{impl_->own_model()}; });
  const auto one = [&](std::size_t index) {
    if (stopped) return;
    // The loops over sites of a member may not take up another member meanwhile.
    Block block = tbb::this_task_arena::isolate([&] { return impl_->block_of(models.local(), index, stopped); });
    if (stopped) return;
    const std::scoped_lock lock(mutex);
    reached.done += block.members;
    reached.failed += block.failures.size();
    sink(std::move(block));
    if (progress && !progress(reached)) stopped = true;
  };
  tbb::task_arena arena(impl_->options.threads > 0 ? impl_->options.threads : tbb::task_arena::automatic);
  arena.execute([&] {
    ensemble::each_in_parallel(blocks.size(), [&](std::size_t k) { one(blocks[k]); }, tbb::simple_partitioner{});
  });
  return !stopped;
}

}  // namespace herglotz::families
