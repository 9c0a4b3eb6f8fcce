#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "ensembles/blocks.hpp"
#include "herglotz/error.hpp"
#include "herglotz/simulate/members.hpp"
#include "interruptible.hpp"
#include "model.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Values = std::map<std::string, double>;
using Lists = std::map<std::string, std::vector<double>>;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Columns of all members, (members x rows) each, NaN where a member did not get.
class Batch {
 public:
  explicit Batch(std::size_t members) : failures(members), rows_(members) {}

  /// Makes room for the rows of every member.
  void open(const std::vector<analyse::Column>& like, std::size_t capacity) {
    capacity_ = capacity;
    for (const auto& column : like) {
      if (column.role == analyse::Role::time) time_ = columns.size();
      columns.emplace_back(column.name, column.role);
      values.emplace_back(failures.size() * capacity, unknown);
    }
  }

  void row(std::size_t member, std::size_t index, std::span<const double> row) {
    rows_[member] = index + 1;
    if (index >= capacity_) return;
    for (std::size_t c = 0; c < row.size(); ++c) values[c][member * capacity_ + index] = row[c];
  }

  void done(std::size_t member, std::size_t rows, const std::string& failure) {
    failures[member] = failure;
    rows_[member] = rows;
    for (auto& column : values)
      std::fill(column.begin() + at(member, std::min(rows, capacity_)), column.begin() + at(member + 1, 0), unknown);
  }

  /// Takes some rows of a run as those of a member.
  void take(std::size_t member, const analyse::Trajectory& run, const std::vector<std::size_t>& kept,
            const std::string& failure) {
    for (std::size_t c = 0; c < run.columns.size(); ++c)
      std::transform(kept.begin(), kept.end(), values[c].begin() + at(member, 0),
                     [&](std::size_t row) { return run.columns[c].values[row]; });
    done(member, kept.size(), failure);
  }

  /// Members from `first` on that the user did not wait for.
  void stop(std::size_t first, const std::vector<char>& finished) {
    for (std::size_t k = first; k < failures.size(); ++k) {
      if (finished[k]) continue;
      const std::size_t reached = std::min(rows_[k], capacity_);
      done(k, reached,
           reached == 0 ? "not started"
                        : fmt::format("stopped by the user at t = {:.6g}", values[time_][k * capacity_ + reached - 1]));
    }
  }

  /// Leaves as many rows as the longest member has, and their times. Throws Refused where members that
  /// went well have other ones.
  void close() {
    const auto longest = static_cast<std::size_t>(std::max_element(rows_.begin(), rows_.end()) - rows_.begin());
    const std::size_t rows = std::min(rows_[longest], capacity_);
    const auto& stored = values[time_];
    times.assign(stored.begin() + at(longest, 0), stored.begin() + at(longest, rows));
    for (std::size_t k = 0; k < failures.size(); ++k) {
      if (failures[k].empty() &&
          (rows_[k] > rows || !std::equal(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(rows_[k]),
                                          stored.begin() + at(k, 0))))
        throw std::invalid_argument(
            "members of a batch are stored at different times; give output_step, or a step, so that they share them");
    }
    if (rows == capacity_) return;
    for (auto& column : values) {
      for (std::size_t k = 0; k < failures.size(); ++k)
        std::copy_n(column.begin() + at(k, 0), rows, column.begin() + static_cast<std::ptrdiff_t>(k * rows));
      column.resize(failures.size() * rows);
    }
  }

  std::vector<std::pair<std::string, analyse::Role>> columns;
  std::vector<std::vector<double>> values;
  std::vector<double> times;
  std::vector<std::string> failures;  ///< by member; empty where it went well
  analyse::RunFacts facts;            ///< of the first member that started

 private:
  [[nodiscard]] std::ptrdiff_t at(std::size_t member, std::size_t row) const {
    return static_cast<std::ptrdiff_t>(member * capacity_ + row);
  }

  std::size_t capacity_ = 0;  ///< rows there is room for
  std::size_t time_ = 0;      ///< the column of time
  std::vector<std::size_t> rows_;
};

/// Quantities that all members have in common, and those that vary; a list of equal values does not vary.
class Quantities {
 public:
  Quantities(const Model& model, const Lists& initial, const Lists& parameters, const simulate::Settings& settings,
             const Values& next)
      : common{{}, {}, {}, settings} {
    std::tie(common.initial, common.next) =
        start_without_conflicts(model.problem(), initial, {next.begin(), next.end()});
    common.expressions = expressions_beside(model.problem(), initial, next);
    system_ = &model.problem().system;
    sort(initial, false);
    sort(parameters, true);
  }

  /// Member k by names.
  [[nodiscard]] simulate::Common member(std::size_t k) const {
    simulate::Common one = common;
    for (std::size_t i = 0; i < varying.size(); ++i)
      (varying[i].parameter ? one.parameters : one.initial)[varying[i].name] = (*lists_[i])[k];
    one.expressions.apply(*system_, one.parameters, one.initial, one.next);
    return one;
  }

  void values(std::size_t k, std::span<double> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (*lists_[i])[k];
  }

  simulate::Common common;
  std::vector<simulate::Varying> varying;

 private:
  void sort(const Lists& lists, bool parameter) {
    for (const auto& [name, list] : lists) {
      if (std::all_of(list.begin(), list.end(), [&](double value) { return value == list.front(); })) {
        (parameter ? common.parameters : common.initial)[name] = list.front();
        continue;
      }
      varying.push_back({parameter, name});
      lists_.push_back(&list);
    }
  }

  const mechanics::System* system_ = nullptr;
  std::vector<const std::vector<double>*> lists_;
};

/// Rows that members have: those of `first`, or more where it ended early.
std::size_t rows_of(const simulate::Members& members, const analyse::Trajectory& first) {
  try {
    return std::max(first.rows(), members.times().size());
  } catch (const Refused&) {
    return first.rows();  // an adaptive method that stores the steps it chooses
  }
}

class Batcher {
 public:
  Batcher(Model& model, const Quantities& quantities, std::size_t members, ProgressWatch& watch)
      : model_(model), quantities_(quantities), count_(members), watch_(watch), batch_(members) {}

  /// Throws Refused for what no member can start with.
  Batch run(int threads) {
    const simulate::Members members(model_.simulator(), quantities_.common, quantities_.varying);
    analyse::Trajectory run;
    std::string failure;
    const std::size_t first = first_run(run, failure);
    batch_.open(run.columns, rows_of(members, run));
    batch_.take(first, run, members.shared_rows(run), failure);
    batch_.facts = std::move(run.facts);
    batch_.facts.model_text = model_.problem().text;
    run = {};
    std::vector<char> finished(count_, 0);
    if (!wanted_ || !the_others(members, first + 1, finished, threads)) batch_.stop(first + 1, finished);
    batch_.close();
    return std::move(batch_);
  }

 private:
  /// The first member that can start, in `run`: it gives the facts of a run. Those before it have their failure.
  std::size_t first_run(analyse::Trajectory& run, std::string& failure) {
    for (std::size_t k = 0;; ++k) {
      const simulate::Common member = quantities_.member(k);
      try {
        run = model_.simulator().run(
            member.initial, member.settings, member.parameters,
            [&](double fraction) {
              wanted_ = watch_((static_cast<double>(k) + fraction) / static_cast<double>(count_));
              return wanted_;
            },
            member.next);
        if (!wanted_) failure = run.facts.status;
        return k;
      } catch (simulate::RunFailed& failed) {
        failure = failed.what();
        run = std::move(failed.partial);
        return k;
      } catch (const Refused& refused) {
        batch_.failures[k] = refused.what();
        if (k + 1 == count_) throw std::invalid_argument(batch_.failures[0]);
      }
    }
  }

  /// Members from `first` on; false where the user stopped them.
  bool the_others(const simulate::Members& members, std::size_t first, std::vector<char>& finished, int threads) {
    if (first == count_) return true;
    std::atomic<std::size_t> done = first;
    return run_interruptible(
        watch_, [&] { return static_cast<double>(done) / static_cast<double>(count_); },
        [&](const std::atomic<bool>& stopped) {
          in_blocks(count_ - first, threads, [&](std::size_t begin, std::size_t block) {
            if (stopped) return;
            const std::size_t from = first + begin;
            members.run(
                block, [&](std::size_t k, std::span<double> values) { quantities_.values(from + k, values); },
                {[&](std::size_t k, std::size_t index, std::span<const double> row) {
                   batch_.row(from + k, index, row);
                 },
                 [&](std::size_t k, const simulate::Members::End& end) {
                   batch_.done(from + k, end.rows, end.failure);
                   finished[from + k] = 1;
                   ++done;
                 }},
                [&] { return !stopped; });
          });
        });
  }

  Model& model_;
  const Quantities& quantities_;
  std::size_t count_;
  ProgressWatch& watch_;
  Batch batch_;
  bool wanted_ = true;
};

/// (columns, facts, failures): columns as (name, role, values) with values (members, rows), that of time (rows).
nb::tuple run_batch(Model& model, std::size_t members, const Lists& initial, const Lists& parameters,
                    const nb::dict& settings, const Values& next, const nb::object& progress, int threads) {
  const auto resolved = settings_of(model.problem().settings, settings);
  if (members == 0) throw std::invalid_argument("a batch has no members; give at least one value");
  for (const Lists* lists : {&initial, &parameters}) {
    for (const auto& [name, values] : *lists) {
      if (values.size() != members)
        throw std::invalid_argument("'" + name + "' has " + std::to_string(values.size()) + " values; " +
                                    std::to_string(members) + " are needed");
    }
  }
  const Quantities quantities(model, initial, parameters, resolved, next);
  ProgressWatch watch(progress);
  Batch batch = [&] {
    const nb::gil_scoped_release released;
    return Batcher(model, quantities, members, watch).run(threads);
  }();
  nb::list columns;
  const std::size_t rows = batch.times.size();
  for (std::size_t c = 0; c < batch.columns.size(); ++c) {
    const auto& [name, role] = batch.columns[c];
    if (role == analyse::Role::time) {
      columns.append(nb::make_tuple(name, name_of(role), array(std::move(batch.times), {rows})));
    } else {
      columns.append(nb::make_tuple(name, name_of(role), array(std::move(batch.values[c]), {members, rows})));
    }
  }
  return nb::make_tuple(columns, facts_of(batch.facts), batch.failures);
}

}  // namespace

void bind_batch(nb::module_& module) {
  module.def("run_batch", &run_batch, nb::arg("model"), nb::arg("members"), nb::arg("initial"), nb::arg("parameters"),
             nb::arg("settings"), nb::arg("next"), nb::arg("progress").none(), nb::arg("threads") = 0,
             "(columns, facts, failures) of many runs, whose values are lists; see Model.run. threads = 0: all cores.");
}

}  // namespace herglotz::python
