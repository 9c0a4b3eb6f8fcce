#include "runs/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ensembles/blocks.hpp"
#include "herglotz/error.hpp"
#include "interruptible.hpp"

namespace herglotz::python {
namespace {

/// The row that is nearest to a time, the first of several; rows are in the order of the run.
std::size_t nearest_row(std::span<const double> t, double time) {
  const bool forwards = t.front() <= t.back();
  const auto before = [&](double one, double other) { return forwards ? one < other : one > other; };
  const auto first_at = [&](double value) { return std::lower_bound(t.begin(), t.end(), value, before); };
  const auto next = first_at(time);
  if (next == t.begin()) return 0;
  const auto previous = first_at(*(next - 1));
  const bool is_next = next != t.end() && std::abs(*next - time) < std::abs(*previous - time);
  return static_cast<std::size_t>((is_next ? next : previous) - t.begin());
}

bool is_at(double row, double time) {
  return std::abs(row - time) <= 1e-9 * std::max(1.0, std::abs(time));
}

/// The rows of a run at the times. Throws Failed for a time at which the run has none.
std::vector<std::size_t> rows_at(std::span<const double> t, std::span<const double> times) {
  std::vector<std::size_t> rows;
  rows.reserve(times.size());
  for (const double time : times) {
    rows.push_back(nearest_row(t, time));
    if (!is_at(t[rows.back()], time))
      throw Failed(
          fmt::format("the run has no row at t = {:.9g}; it went from {:.9g} to {:.9g}", time, t.front(), t.back()));
  }
  return rows;
}

const std::vector<double>& column_of(const analyse::Trajectory& run, const std::string& name) {
  const auto is_it = [&](const analyse::Column& column) { return column.name == name; };
  const auto at = std::find_if(run.columns.begin(), run.columns.end(), is_it);
  if (at == run.columns.end()) throw Refused("the run has no column " + name);
  return at->values;
}

/// The request with what it is to call now and then.
simulate::SensitivityRequest attended(const simulate::SensitivityRequest& request, const Attend& attend) {
  simulate::SensitivityRequest with = request;
  with.attend = attend;
  return with;
}

}  // namespace

Runs::Runs(std::shared_ptr<Model> model, std::shared_ptr<Differentiated> differentiated, RunsOf of)
    : model_(std::move(model)),
      differentiated_(std::move(differentiated)),
      of_(std::move(of)),
      wrt_(of_.initial),
      shape_{of_.times.size(), of_.columns.size()} {
  wrt_.insert(wrt_.end(), of_.parameters.begin(), of_.parameters.end());
  of_.settings.columns.clear();
}

/// Writes what `work` finds, or NaN for a run that fails where that is no error.
template <class Work>
void Runs::or_nan(std::span<const double> u, std::span<double> into, const Work& work) const {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (of_.raises) {
    work();
    return;
  }
  try {
    if (std::all_of(u.begin(), u.end(), finite)) {
      work();
      return;
    }
  } catch (const std::runtime_error&) {  // of the run, or of its derivative
  }
  std::fill(into.begin(), into.end(), std::numeric_limits<double>::quiet_NaN());
}

/// The run with the vector u, made where it is not the last one. With the mutex held.
const Runs::Run& Runs::run(std::span<const double> u, const Attend& attend) {
  if (last_ && std::memcmp(last_->u.data(), u.data(), u.size_bytes()) == 0) return *last_;
  auto made = std::make_unique<Run>();
  made->u.assign(u.begin(), u.end());
  Values initial = of_.starts;
  Values parameters = of_.constants;
  for (std::size_t k = 0; k < u.size(); ++k) (k < of_.initial.size() ? initial : parameters)[wrt_[k]] = u[k];
  {
    const std::scoped_lock lock(differentiated_->mutex);
    auto& request = made->request = request_of(differentiated_->fresh.problem, initial, parameters, of_.settings, {});
    request.wrt = wrt_;
    request.attend = attend;
    made->reached = run_of(differentiated_->fresh.simulator, request);
    request.attend = {};
  }
  made->rows = rows_at(made->reached.columns.front().values, of_.times);
  last_ = std::move(made);
  return *last_;
}

void Runs::value(std::span<const double> u, std::span<double> into, const Attend& attend) {
  const std::scoped_lock lock(mutex_);
  or_nan(u, into, [&] {
    const Run& made = run(u, attend);
    for (std::size_t c = 0; c < of_.columns.size(); ++c) {
      const auto& values = column_of(made.reached, of_.columns[c]);
      for (std::size_t i = 0; i < made.rows.size(); ++i) into[i * of_.columns.size() + c] = values[made.rows[i]];
    }
  });
}

void Runs::jacobians(std::span<const double> u, std::span<double> into, const Attend& attend) {
  const std::size_t each = entries_of(shape_) * size();
  for (std::size_t k = 0; k * each < into.size(); ++k) {
    const auto one = u.subspan(k * size(), size());
    const auto found = into.subspan(k * each, each);
    const std::scoped_lock lock(mutex_);
    or_nan(one, found, [&] {
      const Run& made = run(one, attend);
      const std::scoped_lock alone(differentiated_->mutex);
      analyse::Trajectory reached = made.reached;
      reached.columns = differentiated_->differentiator.differentiate(attended(made.request, attend), reached);
      for (std::size_t c = 0; c < of_.columns.size(); ++c) {
        for (std::size_t n = 0; n < size(); ++n) {
          const auto& slopes = column_of(reached, "d." + of_.columns[c] + ".d." + wrt_[n]);
          for (std::size_t i = 0; i < made.rows.size(); ++i)
            found[(i * of_.columns.size() + c) * size() + n] = slopes[made.rows[i]];
        }
      }
    });
  }
}

void Runs::gradients(std::span<const double> u, std::span<const double> c, std::span<double> into,
                     const Attend& attend) {
  const std::size_t columns = of_.columns.size();
  const std::size_t each = entries_of(shape_);
  for (std::size_t k = 0; k * size() < into.size(); ++k) {
    const auto one = u.subspan(k * size(), size());
    const auto found = into.subspan(k * size(), size());
    const std::scoped_lock lock(mutex_);
    or_nan(one, found, [&] {
      run(one, attend);
      simulate::Cotangents cotangents{of_.columns, std::vector<double>(last_->reached.rows() * columns)};
      for (std::size_t i = 0; i < each; ++i)
        cotangents.values[last_->rows[i / columns] * columns + i % columns] += c[k * each + i];
      const std::scoped_lock alone(differentiated_->mutex);
      const auto gradient =
          differentiated_->differentiator.gradient(attended(last_->request, attend), cotangents, last_->reached);
      std::copy(gradient.by.begin(), gradient.by.end(), found.begin());
    });
  }
}

const simulate::Members& Runs::members() {
  const std::scoped_lock lock(mutex_);
  if (members_) return *members_;
  const auto& problem = model_->problem();
  Values initial = of_.starts;
  std::vector<simulate::Varying> varying;
  for (const auto& name : of_.initial) {
    initial[name] = 0;
    varying.push_back({false, name});
  }
  for (const auto& name : of_.parameters) varying.push_back({true, name});
  auto [start, next] = start_without_conflicts(problem, initial);
  for (const auto& [name, value] : of_.starts) start[name] = value;
  simulate::Common common{start, {of_.constants.begin(), of_.constants.end()}, next, of_.settings, of_.columns};
  common.columns.emplace_back(problem.system.t.name());
  common.expressions = expressions_beside(problem, initial);
  members_ = std::make_unique<simulate::Members>(model_->simulator(), std::move(common), std::move(varying));
  return *members_;
}

/// Rows of members under way, and the values that are taken of them.
class Runs::InLanes {
 public:
  InLanes(const simulate::Members& members, const RunsOf& of, std::size_t block) : of_(of), rows_(block) {
    const auto place_of = [&](const auto& is_it) {
      const auto& columns = members.columns();
      return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), is_it) - columns.begin());
    };
    width_ = members.columns().size();
    time_ = place_of([](const analyse::Column& column) { return column.role == analyse::Role::time; });
    for (const auto& name : of.columns)
      places_.push_back(place_of([&](const analyse::Column& column) { return column.name == name; }));
  }

  void row(std::size_t member, std::size_t index, std::span<const double> row) {
    rows_[member].resize(index * width_);
    rows_[member].insert(rows_[member].end(), row.begin(), row.end());
  }

  /// Returns whether a member has a row at each of the times.
  bool take(std::size_t member, std::span<double> into) {
    const std::vector<double> rows = std::move(rows_[member]);
    rows_[member] = {};
    std::vector<double> t;
    for (std::size_t at = time_; at < rows.size(); at += width_) t.push_back(rows[at]);
    if (t.empty()) return false;
    for (std::size_t i = 0; i < of_.times.size(); ++i) {
      const std::size_t row = nearest_row(t, of_.times[i]);
      if (!is_at(t[row], of_.times[i])) return false;
      for (std::size_t c = 0; c < places_.size(); ++c) into[i * places_.size() + c] = rows[row * width_ + places_[c]];
    }
    return true;
  }

 private:
  const RunsOf& of_;
  std::vector<std::vector<double>> rows_;
  std::size_t width_ = 0;
  std::size_t time_ = 0;
  std::vector<std::size_t> places_;
};

void Runs::values(std::span<const double> u, std::span<double> into, const Attend& attend) {
  const std::size_t each = entries_of(shape_);
  const std::size_t count = into.size() / each;
  const auto vector = [&](std::size_t k) { return u.subspan(k * size(), size()); };
  const auto found = [&](std::size_t k) { return into.subspan(k * each, each); };
  std::vector<char> well(count, 0);
  if (count > 1) {
    const simulate::Members& together = members();
    const auto block = [&](std::size_t first, std::size_t members, const std::atomic<bool>& stopped) {
      InLanes lanes(together, of_, members);
      together.run(
          members,
          [&](std::size_t k, std::span<double> values) {
            std::copy_n(vector(first + k).begin(), size(), values.begin());
          },
          {[&](std::size_t k, std::size_t index, std::span<const double> row) { lanes.row(k, index, row); },
           [&](std::size_t k, const simulate::Members::End& end) {
             well[first + k] = end.failure.empty() && lanes.take(k, found(first + k)) ? 1 : 0;
           }},
          [&] { return !stopped; });
    };
    run_attended(attend, [&](const std::atomic<bool>& stopped) {
      in_blocks(count, 0, [&](std::size_t first, std::size_t members) {
        if (!stopped) block(first, members, stopped);
      });
    });
  }
  // A single run is often differentiated next; alone, a run that failed says why.
  for (std::size_t k = 0; k < count; ++k)
    if (well[k] == 0) value(vector(k), found(k), attend);
}

}  // namespace herglotz::python
