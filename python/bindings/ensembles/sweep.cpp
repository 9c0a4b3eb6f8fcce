#include "herglotz/ensemble/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <variant>

#include "bindings.hpp"
#include "ensembles/sweep_values.hpp"
#include "herglotz/families/ensemble.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/sweep_outline.hpp"
#include "herglotz/io/sweep_shards.hpp"
#include "indexed.hpp"
#include "interruptible.hpp"
#include "model.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Values = std::map<std::string, double>;
using ensemble::Keep;
using ensemble::ProbabilityDistribution;
using ensemble::Target;

/// (parameter, name, values) with values a list, or (distribution, a, b).
ensemble::Swept quantity_of(const nb::tuple& entry) {
  ensemble::Swept swept;
  swept.target = nb::cast<bool>(entry[0]) ? Target::parameter : Target::initial;
  swept.name = nb::cast<std::string>(entry[1]);
  if (!nb::isinstance<nb::tuple>(entry[2])) {
    swept.values = nb::cast<std::vector<double>>(entry[2]);
    return swept;
  }
  const auto drawn = nb::cast<nb::tuple>(entry[2]);
  swept.values = ProbabilityDistribution{nb::cast<ProbabilityDistribution::Kind>(drawn[0]), nb::cast<double>(drawn[1]),
                                         nb::cast<double>(drawn[2])};
  return swept;
}

void refuse_swept(const ensemble::Plan& plan, const Values& initial, const Values& parameters) {
  for (const auto& quantity : plan.sweep.quantities) {
    const Values& fixed = quantity.target == Target::parameter ? parameters : initial;
    if (fixed.count(quantity.name) != 0)
      throw std::invalid_argument(
          fmt::format("'{}' is swept by the model; give it values, or name every quantity", quantity.name));
  }
}

/// Sets initial values, parameters and a second position to the given numbers.
void fix(ensemble::Plan& plan, const Values& initial, const Values& parameters, const Values& next) {
  refuse_swept(plan, initial, parameters);
  auto& known = plan.problem.system.parameters;
  for (const auto& [name, value] : parameters) {
    const auto it =
        std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.symbol.name() == name; });
    if (it == known.end()) {
      std::vector<std::string_view> names;
      for (const auto& one : known) names.push_back(one.symbol.name());
      throw std::invalid_argument(fmt::format("unknown parameter '{}'; there are {}", name, fmt::join(names, ", ")));
    }
    it->value = value;
  }
  std::tie(plan.problem.initial, plan.problem.next) =
      start_without_conflicts(plan.problem, initial, {next.begin(), next.end()});
  for (const auto& [name, value] : initial) plan.problem.initial[name] = value;
  plan.problem.expressions = expressions_beside(plan.problem, initial, next);
  plan.problem.expressions.apply(plan.problem.system, {}, plan.problem.initial, plan.problem.next);
}

/// Choices of an ensemble; a choice that is not given is that of the plan.
struct Choices {
  std::optional<Keep> keep;
  std::optional<std::vector<double>> times;
  std::optional<std::vector<std::string>> columns;
  std::optional<ensemble::Sampling> sampling;
  std::optional<std::size_t> samples;
  std::optional<std::uint64_t> seed;
  std::optional<std::vector<std::vector<std::string>>> zip;
  std::optional<std::string> device;

  void put_into(ensemble::Plan& plan) const {
    const auto put = [](const auto& choice, auto& target) {
      if (choice) target = *choice;
    };
    put(keep, plan.output.keep);
    put(times, plan.output.times);
    put(columns, plan.output.columns);
    put(sampling, plan.sweep.sampling);
    put(samples, plan.sweep.samples);
    put(seed, plan.sweep.seed);
    put(zip, plan.sweep.zipped);
    put(device, plan.device);
  }
};

/// Returns the plan of the quantities, or that of the model's [sweep] if there are no quantities. The model is read
/// again, since the threads of a sweep must not share a graph with others.
ensemble::Plan plan_of(const Model& model, const nb::list& quantities, const Values& initial, const Values& parameters,
                       const nb::dict& settings, const Values& next, const Choices& choices) {
  const simulate::Problem& problem = model.problem();
  const std::string name = problem.system.name;
  ensemble::Plan plan = quantities.size() == 0
                            ? io::parse_plan(problem.text, name)
                            : ensemble::Plan{model.read_again(), ensemble::Sweep{}, ensemble::Output{}};
  if (quantities.size() != 0) {
    for (const nb::handle entry : quantities) plan.sweep.quantities.push_back(quantity_of(nb::cast<nb::tuple>(entry)));
    ensemble::drop_swept_conflicts(plan);
  }
  choices.put_into(plan);
  fix(plan, initial, parameters, next);
  plan.problem.settings = settings_of(plan.problem.settings, settings);
  plan.sweep.validate();
  return plan;
}

/// Returns an ensemble of a model with an index; given numbers are assignments.
families::FieldEnsemble indexed_ensemble(const IndexedModel& model, const nb::list& quantities, const Values& initial,
                                         const Values& parameters, const nb::dict& settings, const Choices& choices,
                                         int threads) {
  std::vector<std::string> assignments;
  for (const Values* values : {&initial, &parameters})
    for (const auto& [name, value] : *values) assignments.push_back(fmt::format("{}={}", name, value));
  ensemble::Plan plan = quantities.size() == 0
                            ? io::parse_family_plan(model.text, model.file, assignments)
                            : ensemble::Plan{families::named_in_sweeps(model.parsed(assignments)), {}, {}};
  for (const nb::handle entry : quantities) plan.sweep.quantities.push_back(quantity_of(nb::cast<nb::tuple>(entry)));
  choices.put_into(plan);
  refuse_swept(plan, initial, parameters);
  plan.problem.settings = settings_of(plan.problem.settings, settings);
  const auto read = [model, assignments] { return model.parsed(assignments); };
  return {read, std::move(plan), {threads, 0}};
}

/// Results of an ensemble in memory.
class Collected {
 public:
  Collected(const ensemble::Layout& layout, Keep keep)
      : layout_(layout), done_(layout_.blocks(), 0), statistics_(layout_.blocks()) {
    largest_residuals_.assign(layout_.residuals().size(),
                              std::vector<double>(layout_.members, std::numeric_limits<double>::quiet_NaN()));
    if (keep == Keep::statistics) return;
    for (std::size_t c = 0; c < layout_.columns.size(); ++c)
      columns_.emplace_back(layout_.members * layout_.times.size(), std::numeric_limits<double>::quiet_NaN());
  }

  /// From several threads at a time.
  void add(ensemble::Block&& block) {
    for (std::size_t c = 0; c < block.columns.size(); ++c)
      std::copy(block.columns[c].begin(), block.columns[c].end(),
                columns_[c].begin() + static_cast<std::ptrdiff_t>(block.first * layout_.times.size()));
    for (std::size_t k = 0; k < largest_residuals_.size(); ++k)
      std::copy(block.largest_residuals[k].begin(), block.largest_residuals[k].end(),
                largest_residuals_[k].begin() + static_cast<std::ptrdiff_t>(block.first));
    const std::scoped_lock lock(mutex_);
    statistics_[block.index] = std::move(block.statistics);
    failures_.insert(failures_.end(), block.failures.begin(), block.failures.end());
    steps_ += block.steps;
    done_[block.index] = 1;
  }

  /// The arrays of the columns, the largest residuals of members by column of residuals, what failed, the members
  /// (first, count) that were not run, and the steps taken.
  nb::dict results() {
    nb::list arrays;
    for (auto& column : columns_) arrays.append(array(std::move(column), {layout_.members, layout_.times.size()}));
    if (columns_.empty())
      for (std::size_t c = 0; c < layout_.columns.size(); ++c) arrays.append(moments(c));
    std::sort(failures_.begin(), failures_.end(), [](const auto& a, const auto& b) { return a.member < b.member; });
    nb::list missing;
    for (std::size_t k = 0; k < done_.size(); ++k) {
      const std::size_t first = k * layout_.block_members;
      if (done_[k] == 0)
        missing.append(nb::make_tuple(first, std::min(layout_.block_members, layout_.members - first)));
    }
    nb::dict largest;
    const std::vector<std::string> names = layout_.residuals();
    for (std::size_t k = 0; k < names.size(); ++k)
      largest[names[k].c_str()] = array(std::move(largest_residuals_[k]), {layout_.members});
    nb::dict d;
    d["arrays"] = arrays;
    d["largest_residuals"] = largest;
    d["failures"] = in_python(failures_);
    d["missing"] = missing;
    d["steps"] = steps_;
    return d;
  }

 private:
  /// Returns the moments of column c over all blocks, in their order, so that sums do not depend on which was done
  /// first.
  [[nodiscard]] Array moments(std::size_t c) const {
    std::vector<ensemble::Moments> rows(layout_.times.size());
    for (const auto& block : statistics_)
      for (std::size_t row = 0; row < rows.size() && !block.empty(); ++row)
        rows[row].add(block[row * layout_.columns.size() + c]);
    return moments_of(rows);
  }

  const ensemble::Layout& layout_;
  std::vector<char> done_;
  std::vector<std::vector<double>> columns_;
  std::vector<std::vector<double>> largest_residuals_;
  std::vector<std::vector<ensemble::Moments>> statistics_;
  std::vector<ensemble::Failure> failures_;
  std::size_t steps_ = 0;
  std::mutex mutex_;
};

class Sweep {
 public:
  Sweep(ensemble::Plan plan, int threads)
      : ensemble_(std::in_place_type<ensemble::Ensemble>, std::move(plan), ensemble::Parallelism{threads, 0}) {}
  explicit Sweep(families::FieldEnsemble ensemble) : ensemble_(std::move(ensemble)) {}

  [[nodiscard]] const ensemble::Plan& plan() const {
    return std::visit([](const auto& one) -> const ensemble::Plan& { return one.plan(); }, ensemble_);
  }
  [[nodiscard]] const ensemble::Layout& layout() const {
    return std::visit([](const auto& one) -> const ensemble::Layout& { return one.layout(); }, ensemble_);
  }

  nb::dict run(const nb::object& progress) {
    Collected collected(layout(), plan().output.keep);
    run({}, [&](ensemble::Block&& block) { collected.add(std::move(block)); }, progress);
    return collected.results();
  }

  void write(const std::string& file, bool resume, const nb::object& progress) {
    if (resume && is_complete(file)) return;
    io::SweepWriter writer(plan(), layout(), file, resume);
    run([&](std::size_t block) { return !writer.has(block); }, [&](ensemble::Block&& block) { writer.add(block); },
        progress);
    writer.finish();
  }

  void write_shard(const std::string& file, std::size_t index, std::size_t count, const nb::object& progress) {
    if (io::is_complete_sweep(file, plan(), layout())) return;
    const io::Shard shard{index, count};
    io::ShardWriter writer(plan(), layout(), file, shard);
    run([&](std::size_t block) { return writer.wants(block); }, [&](ensemble::Block&& block) { writer.add(block); },
        progress);
    writer.finish();
  }

  /// (blocks done, blocks) of every shard.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> shards(const std::string& file,
                                                                        std::size_t count) const {
    std::vector<std::pair<std::size_t, std::size_t>> states;
    const bool merged = io::is_complete_sweep(file, plan(), layout());
    for (const auto& state : io::shard_states(plan(), layout(), file, count))
      states.emplace_back(merged ? state.blocks : state.done, state.blocks);
    return states;
  }

  /// The journal of a file whose blocks are run elsewhere, or None if the file is complete.
  [[nodiscard]] std::unique_ptr<io::SweepWriter> writer(const std::string& file, bool resume) const {
    if (resume && is_complete(file)) return nullptr;
    return std::make_unique<io::SweepWriter>(plan(), layout(), file, resume);
  }

  /// The blocks with these numbers as journals store them, in the order of the numbers.
  [[nodiscard]] nb::list run_blocks(const std::vector<std::size_t>& numbers) const {
    std::vector<std::string> encoded(numbers.size());
    std::map<std::size_t, std::size_t> places;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (numbers[k] >= layout().blocks()) throw std::invalid_argument(fmt::format("there is no block {}", numbers[k]));
      places[numbers[k]] = k;
    }
    {
      const nb::gil_scoped_release released;
      const auto wanted = [&](std::size_t block) { return places.count(block) != 0; };
      const auto sink = [&](ensemble::Block&& block) {
        encoded[places.at(block.index)] = io::encoded_block(block, layout());
      };
      std::visit([&](const auto& one) { one.run(wanted, sink); }, ensemble_);
    }
    nb::list list;
    for (const auto& bytes : encoded) list.append(nb::bytes(bytes.data(), bytes.size()));
    return list;
  }

  /// The values of a quantity along its axis.
  [[nodiscard]] Array along_axis(std::size_t quantity) const {
    const auto& sweep = plan().sweep;
    const auto shape = sweep.shape();
    const std::size_t axis = sweep.axis_of()[quantity];
    std::size_t stride = 1;
    for (std::size_t k = axis + 1; k < shape.size(); ++k) stride *= shape[k];
    const ensemble::SweepValues values(sweep);
    std::vector<double> all(sweep.quantities.size());
    std::vector<double> along;
    for (std::size_t k = 0; k < shape[axis]; ++k) {
      values(k * stride, all);
      along.push_back(all[quantity]);
    }
    const std::size_t count = along.size();
    return array(std::move(along), {count});
  }

 private:
  /// Returns whether the file is complete. Throws if it is the file of another sweep.
  [[nodiscard]] bool is_complete(const std::string& file) const {
    if (std::filesystem::exists(io::journal_of(file)) || !std::filesystem::exists(file)) return false;
    if (io::is_complete_sweep(file, plan(), layout())) return true;
    throw std::invalid_argument(file +
                                ": this is another sweep, or its journal is gone; leave out resume to replace it");
  }

  void run(const std::function<bool(std::size_t)>& wanted, const std::function<void(ensemble::Block&&)>& sink,
           const nb::object& progress) {
    ProgressWatch watch(progress);
    const nb::gil_scoped_release released;
    std::atomic<std::size_t> done = 0;
    run_interruptible(
        watch, [&] { return static_cast<double>(done) / static_cast<double>(layout().members); },
        [&](const std::atomic<bool>& stopped) {
          const auto follow = [&](const ensemble::MemberCounts& reached) {
            done = reached.done;
            return !stopped;
          };
          std::visit([&](const auto& one) { one.run(wanted, sink, follow); }, ensemble_);
        });
  }

  std::variant<ensemble::Ensemble, families::FieldEnsemble> ensemble_;
};

nb::list quantities_of(const Sweep& sweep) {
  nb::list list;
  const auto axes = sweep.plan().sweep.axis_of();
  const auto& quantities = sweep.plan().sweep.quantities;
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const bool random = std::holds_alternative<ProbabilityDistribution>(quantities[k].values);
    list.append(nb::make_tuple(quantities[k].target == Target::parameter, quantities[k].name, random, axes[k],
                               sweep.along_axis(k)));
  }
  return list;
}

/// Returns the facts that all members share, under the names of the facts of runs.
nb::dict facts_of(const Sweep& sweep) {
  const auto& problem = sweep.plan().problem;
  nb::dict d;
  d["model"] = problem.system.name;
  d["title"] = problem.system.title;
  d["reference"] = problem.system.reference;
  d["model_text"] = problem.text;
  d["sweep"] = io::sweep_text(sweep.plan().sweep);
  d["keep"] = name_of(sweep.plan().output.keep);
  d["method"] = sweep.layout().method;
  d["method_reason"] = sweep.layout().method_reason;
  d["order"] = sweep.layout().order;
  d["t_end"] = problem.settings.t_end;
  if (problem.settings.step) d["step"] = *problem.settings.step;
  if (problem.settings.tolerance) d["tolerance"] = *problem.settings.tolerance;
  d["version"] = HERGLOTZ_VERSION;
  d["members"] = sweep.layout().members;
  const auto swept = [&](Target target, const std::string& name) {
    const auto& quantities = sweep.plan().sweep.quantities;
    return std::any_of(quantities.begin(), quantities.end(),
                       [&](const auto& q) { return q.target == target && q.name == name; });
  };
  for (const auto& parameter : problem.system.parameters) {
    const std::string name(parameter.symbol.name());
    if (!swept(Target::parameter, name)) d[("parameters." + name).c_str()] = parameter.value;
  }
  const auto following = ensemble::initial_values_that_follow(sweep.plan());
  for (const auto& [name, value] : problem.initial)
    if (!swept(Target::initial, name) && std::find(following.begin(), following.end(), name) == following.end())
      d[("initial." + name).c_str()] = value;
  return d;
}

void bind_choices(nb::module_& module) {
  nb::enum_<Keep>(module, "Keep", "What is kept of every member.")
      .value("trajectory", Keep::trajectory)
      .value("times", Keep::times)
      .value("final", Keep::final)
      .value("statistics", Keep::statistics);
  nb::enum_<ensemble::Sampling>(module, "Sampling", "Where draws come from.")
      .value("random", ensemble::Sampling::random)
      .value("sobol", ensemble::Sampling::sobol);
  nb::enum_<ProbabilityDistribution::Kind>(module, "DistributionKind", "Of a random quantity.")
      .value("uniform", ProbabilityDistribution::Kind::uniform)
      .value("log_uniform", ProbabilityDistribution::Kind::log_uniform)
      .value("normal", ProbabilityDistribution::Kind::normal)
      .value("log_normal", ProbabilityDistribution::Kind::log_normal)
      .value("exponential", ProbabilityDistribution::Kind::exponential);
  nb::class_<Choices>(module, "Choices", "What is chosen of an ensemble; None is as the model has it.")
      .def(nb::init<>())
      .def_rw("keep", &Choices::keep)
      .def_rw("times", &Choices::times)
      .def_rw("columns", &Choices::columns)
      .def_rw("sampling", &Choices::sampling)
      .def_rw("samples", &Choices::samples)
      .def_rw("seed", &Choices::seed)
      .def_rw("zip", &Choices::zip)
      .def_rw("device", &Choices::device);
}

}  // namespace

void bind_sweep(nb::module_& module) {
  bind_choices(module);
  nb::class_<Sweep>(module, "Sweep", "An ensemble that has been checked and compiled.")
      .def(
          "__init__",
          [](Sweep* self, const Model& model, const nb::list& quantities, const Values& initial,
             const Values& parameters, const nb::dict& settings, const Values& next, const Choices& choices,
             int threads) {
            new (self) Sweep(plan_of(model, quantities, initial, parameters, settings, next, choices), threads);
          },
          nb::arg("model"), nb::arg("quantities"), nb::arg("initial"), nb::arg("parameters"), nb::arg("settings"),
          nb::arg("next"), nb::arg("choices"), nb::arg("threads"),
          "Quantities are (parameter, name, values), with values a list or (distribution, a, b); without any, the "
          "[sweep] of the model.")
      .def(
          "__init__",
          [](Sweep* self, const IndexedModel& model, const nb::list& quantities, const Values& initial,
             const Values& parameters, const nb::dict& settings, const Values&, const Choices& choices, int threads) {
            new (self) Sweep(indexed_ensemble(model, quantities, initial, parameters, settings, choices, threads));
          },
          nb::arg("model"), nb::arg("quantities"), nb::arg("initial"), nb::arg("parameters"), nb::arg("settings"),
          nb::arg("next"), nb::arg("choices"), nb::arg("threads"), "The same of a model with an index.")
      .def_prop_ro("quantities", &quantities_of, "(parameter, name, random, axis, values along the axis) of each.")
      .def_prop_ro("shape", [](const Sweep& sweep) { return sweep.plan().sweep.shape(); })
      .def_prop_ro("keep", [](const Sweep& sweep) { return name_of(sweep.plan().output.keep); })
      .def_prop_ro("time", [](const Sweep& sweep) { return std::string(sweep.plan().problem.system.t.name()); })
      .def_prop_ro(
          "times", [](const Sweep& sweep) { return times_of(sweep.layout().times); }, nb::rv_policy::move)
      .def_prop_ro("columns", [](const Sweep& sweep) { return in_python(sweep.layout().columns); })
      .def_prop_ro("facts", [](const Sweep& sweep) { return facts_of(sweep); })
      .def_prop_ro(
          "device", [](const Sweep& sweep) { return sweep.layout().device; },
          "The device that takes the steps, and why; empty for the processor if it was asked for.")
      .def("run", nb::overload_cast<const nb::object&>(&Sweep::run), nb::arg("progress").none(),
           "arrays of the columns, (members, rows), or (5, rows) for statistics; failures; missing; steps.")
      .def("write", &Sweep::write, nb::arg("file"), nb::arg("resume"), nb::arg("progress").none(),
           "Into a file. Raises ModelError.")
      .def("write_shard", &Sweep::write_shard, nb::arg("file"), nb::arg("index"), nb::arg("count"),
           nb::arg("progress").none(), "One shard, into its journal. Raises ModelError.")
      .def("shards", &Sweep::shards, nb::arg("file"), nb::arg("count"), "(blocks done, blocks) of every shard.")
      .def("writer", &Sweep::writer, nb::arg("file"), nb::arg("resume"),
           "The journal of a file whose blocks are run elsewhere; None if the file is complete. Raises ModelError.")
      .def("run_blocks", &Sweep::run_blocks, nb::arg("blocks"), "Blocks by number, as journals store them.")
      .def_prop_ro("blocks", [](const Sweep& sweep) { return sweep.layout().blocks(); })
      .def_prop_ro(
          "fingerprint", [](const Sweep& sweep) { return io::outline_of(sweep.plan(), sweep.layout()).fingerprint; },
          "A hash of all that determines the results.");
}

}  // namespace herglotz::python
