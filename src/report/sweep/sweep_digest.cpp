#include "sweep/sweep_digest.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace herglotz::report {

namespace {

using ensemble::Keep;
using ensemble::Moments;
using io::SweepFacts;
using io::SweepReader;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// Largest number of values in memory at once.
constexpr std::size_t values_at_once = 1U << 21U;

/// Returns the result of the mixing step of Vigna's SplitMix64: neighbouring numbers give values without a pattern.
std::uint64_t scrambled(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// Returns the values of the chosen members. `read(first, count)` reads one part of all values at a time.
template <class Read>
std::vector<double> chosen(const std::vector<std::size_t>& members, std::size_t all, const Read& read) {
  std::vector<double> values;
  auto next = members.begin();
  for (std::size_t first = 0; first < all && next != members.end(); first += values_at_once) {
    const std::size_t count = std::min(values_at_once, all - first);
    const auto part = read(first, count);
    for (; next != members.end() && *next < first + count; ++next) values.push_back(part[*next - first]);
  }
  return values;
}

/// Returns the values of a quantity along an axis of the grid, at the first point of all other axes.
std::vector<double> values_along(const SweepReader& sweep, const std::string& name, std::size_t points,
                                 std::size_t stride) {
  std::vector<std::size_t> members(points);
  for (std::size_t at = 0; at < points; ++at) members[at] = at * stride;
  return chosen(members, sweep.facts().members,
                [&](std::size_t first, std::size_t count) { return sweep.swept(name, first, count); });
}

/// Returns the axis of the grid along which a quantity changes, or `std::nullopt` for a constant quantity.
std::optional<std::size_t> axis_of(const SweepReader& sweep, const std::string& name, const Cells& grid) {
  const auto& shape = sweep.facts().shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto values = values_along(sweep, name, shape[axis], grid.stride(axis));
    if (std::any_of(values.begin(), values.end(), [&](double value) { return value != values.front(); })) return axis;
  }
  return std::nullopt;
}

std::vector<SweptQuantity> quantities_of(const SweepReader& sweep) {
  const SweepFacts& facts = sweep.facts();
  if (facts.members == 0) return {};
  const Cells grid(facts.shape, std::vector<bool>(facts.shape.size()), facts.members);
  std::vector<SweptQuantity> quantities;
  std::vector<std::size_t> constant;
  std::vector<bool> taken(facts.shape.size());
  for (const std::string& name : facts.swept) {
    const bool random = ("\n" + facts.sweep).find("\n" + name + " = { distribution") != std::string::npos;
    const auto axis = random ? facts.shape.size() - 1 : axis_of(sweep, name, grid);
    if (axis) taken[*axis] = true;
    if (!axis) constant.push_back(quantities.size());
    quantities.push_back({name, axis.value_or(0), random});
  }
  // A list that repeats one value is an axis too: the first axis along which nothing else changes.
  for (const std::size_t k : constant) {
    for (std::size_t axis = 0; axis < taken.size(); ++axis) {
      if (taken[axis] || facts.shape[axis] < 2) continue;
      taken[axis] = true;
      quantities[k].axis = axis;
      break;
    }
  }
  return quantities;
}

Cells cells_of(const SweepFacts& facts, const std::vector<SweptQuantity>& quantities, const SweepLimits& limits) {
  std::vector<bool> left_out(facts.shape.size());
  for (const SweptQuantity& quantity : quantities) {
    if (quantity.random) left_out[quantity.axis] = true;
  }
  const Cells cells(facts.shape, left_out, limits.map_values / std::max<std::size_t>(facts.columns.size(), 1));
  return cells.axes().size() == 1 ? Cells(facts.shape, left_out, limits.curve_cells) : cells;
}

/// Returns the mean of a quantity over the points of each cell along an axis.
std::vector<double> cell_values(const std::vector<double>& points, const CellAxis& axis) {
  std::vector<double> values(axis.cells());
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    const std::size_t last = std::min(axis.points, (cell + 1) * axis.width);
    Moments moments;
    for (std::size_t at = cell * axis.width; at < last; ++at) moments.add(points[at]);
    values[cell] = moments.mean;
  }
  return values;
}

void read_axes(const SweepReader& sweep, SweepDigest& out) {
  for (const CellAxis& axis : out.cells.axes()) {
    auto& values = out.axis_values.emplace_back();
    auto& which = out.axis_quantities.emplace_back();
    for (std::size_t k = 0; k < out.quantities.size(); ++k) {
      if (out.quantities[k].axis != axis.axis || out.quantities[k].random) continue;
      const std::size_t stride = out.cells.stride(axis.axis);
      values.push_back(cell_values(values_along(sweep, out.quantities[k].name, axis.points, stride), axis));
      which.push_back(k);
    }
  }
}

double quantile(const std::vector<double>& sorted, double level) {
  if (sorted.empty()) return none;
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double fraction = place - static_cast<double>(below);
  return fraction > 0 ? sorted[below] + fraction * (sorted[below + 1] - sorted[below]) : sorted[below];
}

/// Returns evenly spread rows (or cells), which include the first and the last one.
std::vector<std::size_t> with_both_ends(std::size_t rows, std::size_t limit) {
  std::vector<std::size_t> kept;
  const std::size_t count = std::min(rows, std::max<std::size_t>(limit, 2));
  for (std::size_t k = 0; k < count; ++k) kept.push_back(count > 1 ? k * (rows - 1) / (count - 1) : 0);
  return kept;
}

void add_finite(Moments& moments, double value) {
  if (std::isfinite(value)) moments.add(value);
}

/// Fan to which members are added.
class OpenFan {
 public:
  explicit OpenFan(std::size_t rows) : drawn_(rows) { fan_.moments.resize(rows); }

  /// Adds the rows of a member; quantiles are computed from members that are `drawn`.
  void add(const double* row, const std::vector<std::size_t>& rows, bool drawn) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      add_finite(fan_.moments[j], row[rows[j]]);
      if (drawn && std::isfinite(row[rows[j]])) drawn_[j].push_back(row[rows[j]]);
    }
  }
  Fan finish() && {
    fan_.quantiles.resize(std::size(fan_levels));
    for (auto& row : drawn_) {
      std::sort(row.begin(), row.end());
      for (std::size_t k = 0; k < std::size(fan_levels); ++k) fan_.quantiles[k].push_back(quantile(row, fan_levels[k]));
    }
    return std::move(fan_);
  }

 private:
  Fan fan_;
  std::vector<std::vector<double>> drawn_;  // values by row
};

class ColumnReader {
 public:
  ColumnReader(const SweepReader& sweep, const SweepDigest& plan, const std::vector<std::size_t>& rows,
               const SweepLimits& limits)
      : sweep_(sweep),
        plan_(plan),
        rows_(rows),
        limits_(limits),
        quantile_members_(spread(sweep.facts().members, limits.quantile_members)) {}

  /// Returns the digest of one column.
  [[nodiscard]] ColumnDigest read(const std::string& name) const {
    ColumnDigest out;
    if (sweep_.facts().keep == Keep::statistics) {
      read_statistics(name, out);
      return out;
    }
    read_members(name, out);
    out.histogram = histogram(name, out.last);
    return out;
  }

 private:
  void read_statistics(const std::string& name, ColumnDigest& out) const {
    const auto moments = sweep_.statistics(name);
    if (moments.empty()) return;
    out.last = moments.back();
    if (rows_.size() < 2) return;
    for (const std::size_t row : rows_) out.fan.moments.push_back(moments[row]);
  }

  void read_members(const std::string& name, ColumnDigest& out) const {
    const std::size_t members = sweep_.facts().members;
    const std::size_t rows = sweep_.facts().times.size();
    const bool fan = rows_.size() > 1;
    std::vector<Moments> cells(plan_.cells.axes().empty() ? 0 : plan_.cells.size());
    std::vector<OpenFan> fans(fan ? 1 + plan_.fan_cells.size() : 0, OpenFan(rows_.size()));
    auto point = plan_.members.begin();
    auto sample = quantile_members_.begin();
    const std::size_t step = std::max<std::size_t>(1, values_at_once / std::max<std::size_t>(rows, 1));
    for (std::size_t first = 0; first < members; first += step) {
      const std::size_t count = std::min(step, members - first);
      const auto values = sweep_.rows(name, first, count);
      for (std::size_t k = 0; k < count; ++k) {
        const double* row = values.data() + k * rows;
        const double last = row[rows - 1];
        add_finite(out.last, last);
        if (!cells.empty()) add_finite(cells[plan_.cells.of(first + k)], last);
        if (point != plan_.members.end() && *point == first + k) {
          out.points.push_back(last);
          ++point;
        }
        if (!fan) continue;
        const bool drawn = sample != quantile_members_.end() && *sample == first + k;
        if (drawn) ++sample;
        fans.front().add(row, rows_, drawn);
        if (const std::size_t at = fan_of(first + k); at < fans.size()) fans[at].add(row, rows_, drawn);
      }
    }
    if (fan) out.fan = std::move(fans.front()).finish();
    for (std::size_t k = 1; k < fans.size(); ++k) out.fans.push_back(std::move(fans[k]).finish());
    set_cells(cells, out);
  }

  /// Returns the place of the fan of the member's cell after the fan of all members, or a place after the last fan.
  [[nodiscard]] std::size_t fan_of(std::size_t member) const {
    if (plan_.fan_cells.empty()) return std::numeric_limits<std::size_t>::max();
    const auto at = std::lower_bound(plan_.fan_cells.begin(), plan_.fan_cells.end(), plan_.cells.of(member));
    if (at == plan_.fan_cells.end() || *at != plan_.cells.of(member)) return std::numeric_limits<std::size_t>::max();
    return 1 + static_cast<std::size_t>(at - plan_.fan_cells.begin());
  }

  void set_cells(const std::vector<Moments>& cells, ColumnDigest& out) const {
    const bool several = plan_.cells.members_per_cell() > 1;
    for (const Moments& cell : cells) {
      out.cells.push_back(cell.count > 0 ? cell.mean : none);
      if (several) out.deviation.push_back(deviation(cell));
    }
  }

  [[nodiscard]] Histogram histogram(const std::string& name, const Moments& last) const {
    if (!(last.count > 0) || !std::isfinite(last.largest - last.least)) return {};
    Histogram out{last.least, last.largest, std::vector<std::size_t>(limits_.histogram_bars)};
    // The bars of a range that is only round-off would show noise, so the range is widened.
    const double size = std::max(std::abs(out.from), std::abs(out.to));
    constexpr double smallest = 1e-290;  // In smaller ranges bars have no width in floating point.
    if (out.to - out.from <= std::max(1e-9 * size, smallest)) {
      const double room = size <= smallest ? 1 : 0.05 * size;
      out.from -= room;
      out.to += room;
    }
    const std::size_t members = sweep_.facts().members;
    const double scale = static_cast<double>(out.counts.size()) / (out.to - out.from);
    for (std::size_t first = 0; first < members; first += values_at_once) {
      for (const double value : sweep_.column(name, first, std::min(values_at_once, members - first))) {
        if (!std::isfinite(value)) continue;
        const auto bar = static_cast<std::size_t>((value - out.from) * scale);
        ++out.counts[std::min(bar, out.counts.size() - 1)];
      }
    }
    return out;
  }

  const SweepReader& sweep_;
  const SweepDigest& plan_;
  const std::vector<std::size_t>& rows_;
  const SweepLimits& limits_;
  std::vector<std::size_t> quantile_members_;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns the text without its numbers, so that sentences that differ in numbers only count as one reason. The digits
/// in names such as q1 are not numbers.
std::string without_numbers(const std::string& text) {
  std::string plain;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const auto before = static_cast<unsigned char>(plain.empty() ? ' ' : plain.back());
    const bool in_name = std::isalnum(before) != 0 || before == '_' || before >= 0x80U;
    const bool begins = is_digit(*at) || (*at == '-' && at + 1 != end && is_digit(at[1]));
    if (in_name || !begins) {
      plain += *at++;
      continue;
    }
    double value = 0;
    at = std::from_chars(at, end, value).ptr;
    plain += '#';
  }
  return plain;
}

}  // namespace

double deviation(const Moments& moments) {
  return moments.count > 1 ? std::sqrt(moments.squares / (moments.count - 1)) : none;
}

std::vector<std::size_t> spread(std::size_t count, std::size_t limit) {
  std::vector<std::size_t> kept(std::min(count, limit));
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const auto at = [&](std::size_t stretch) {
      return static_cast<std::size_t>(static_cast<double>(count) / static_cast<double>(kept.size()) *
                                      static_cast<double>(stretch));
    };
    const std::size_t length = std::max<std::size_t>(1, std::min(at(k + 1), count) - at(k));
    kept[k] = count <= limit ? k : at(k) + scrambled(k) % length;
  }
  return kept;
}

std::vector<FailureGroup> grouped(const std::vector<ensemble::Failure>& failures) {
  std::map<std::string, std::size_t> known;
  std::vector<FailureGroup> groups;
  for (const ensemble::Failure& failure : failures) {
    const auto [at, is_new] = known.try_emplace(without_numbers(failure.reason), groups.size());
    if (is_new) groups.push_back({failure.reason, 0, {}});
    FailureGroup& group = groups[at->second];
    ++group.members;
    if (group.first.size() < 8) group.first.push_back(failure.member);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FailureGroup& a, const FailureGroup& b) { return a.members > b.members; });
  return groups;
}

SweepDigest digest(const SweepReader& sweep, const SweepLimits& limits) {
  const SweepFacts& facts = sweep.facts();
  const bool statistics = facts.keep == Keep::statistics;
  auto quantities = quantities_of(sweep);
  Cells cells = cells_of(facts, quantities, limits);
  SweepDigest out{std::move(quantities), std::move(cells), {}, {}, {}, {}, {}, {}, 0, {}, grouped(facts.failures)};
  if (!statistics) {
    read_axes(sweep, out);
    out.members = spread(facts.members, limits.members);
    for (const std::string& name : facts.swept) {
      out.points.push_back(chosen(out.members, facts.members, [&](std::size_t first, std::size_t count) {
        return sweep.swept(name, first, count);
      }));
    }
    out.quantile_members = std::min(facts.members, limits.quantile_members);
    if (out.cells.axes().size() == 1) out.fan_cells = with_both_ends(out.cells.size(), limits.fans);
  }
  const auto rows = with_both_ends(facts.times.size(), limits.rows);
  for (const std::size_t row : rows) out.times.push_back(facts.times[row]);
  const ColumnReader reader(sweep, out, rows, limits);
  for (const auto& [name, role] : facts.columns) out.columns.push_back(reader.read(name));
  return out;
}

}  // namespace herglotz::report
