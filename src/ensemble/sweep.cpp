#include "herglotz/ensemble/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "draws.hpp"
#include "elementary.hpp"
#include "herglotz/error.hpp"
#include "philox.hpp"
#include "quantile.hpp"
#include "sobol.hpp"

namespace herglotz::ensemble {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t most_members = (std::uint64_t{1} << 52U) - 1;

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Refused(what, remedy);
}

bool is_random(const Swept& quantity) {
  return std::holds_alternative<ProbabilityDistribution>(quantity.values);
}

std::size_t length_of(const Swept& quantity) {
  if (const auto* range = std::get_if<Range>(&quantity.values)) return range->count;
  return std::get<std::vector<double>>(quantity.values).size();
}

double value_at(const Range& range, std::size_t k) {
  if (k == 0) return range.from;
  if (k + 1 == range.count) return range.to;
  const long double from = range.from;
  const long double to = range.to;
  const auto last = static_cast<long double>(range.count - 1);
  const auto at = static_cast<long double>(k);
  if (range.logarithmic) return static_cast<double>(from * exponential(logarithm(to / from) * at / last));
  return static_cast<double>((from * (last - at) + to * at) / last);
}

void check(const Range& range, const std::string& name) {
  if (!std::isfinite(range.from) || !std::isfinite(range.to))
    refuse(fmt::format("the range of '{}' has an end that is not finite", name), "give finite numbers");
  if (range.count == 0) refuse(fmt::format("the range of '{}' has no values", name), "give a count of at least 1");
  if (range.count == 1 && range.from != range.to)
    refuse(fmt::format("the range of '{}' has two ends and one value", name), "give a count of at least 2");
  if (range.logarithmic && !(range.from > 0 && range.to > 0) && !(range.from < 0 && range.to < 0))
    refuse(fmt::format("the range of '{}' is logarithmic and passes through 0", name), "give ends of one sign");
}

void check(const std::vector<double>& values, const std::string& name) {
  if (values.empty()) refuse(fmt::format("the list of '{}' has no values", name), "give at least one");
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    refuse(fmt::format("the list of '{}' has a value that is not finite", name), "give finite numbers");
}

/// Returns for each quantity the index of its group in `zipped`, or `none`.
std::vector<std::size_t> groups_of(const Sweep& sweep) {
  std::vector<std::size_t> groups(sweep.quantities.size(), none);
  for (std::size_t group = 0; group < sweep.zipped.size(); ++group) {
    for (const auto& name : sweep.zipped[group]) {
      for (std::size_t q = 0; q < groups.size(); ++q)
        if (sweep.quantities[q].name == name) groups[q] = group;
    }
  }
  return groups;
}

/// Grid of a sweep: the axis of every quantity, and the lengths of the axes.
struct Grid {
  std::vector<std::size_t> axis;
  std::vector<std::size_t> lengths;
};

Grid grid_of(const Sweep& sweep) {
  const auto groups = groups_of(sweep);
  std::vector<std::size_t> axis_of_group(sweep.zipped.size(), none);
  Grid grid;
  bool random = false;
  for (std::size_t q = 0; q < groups.size(); ++q) {
    const Swept& quantity = sweep.quantities[q];
    const bool zipped = groups[q] != none;
    std::size_t axis = zipped ? axis_of_group[groups[q]] : none;
    if (!is_random(quantity) && axis == none) {
      axis = grid.lengths.size();
      grid.lengths.push_back(length_of(quantity));
      if (zipped) axis_of_group[groups[q]] = axis;
    }
    random = random || is_random(quantity);
    grid.axis.push_back(axis);
  }
  std::replace(grid.axis.begin(), grid.axis.end(), none, grid.lengths.size());
  if (random) grid.lengths.push_back(sweep.samples);
  return grid;
}

void check_zipped(const Sweep& sweep) {
  std::vector<std::string> seen;
  for (const auto& group : sweep.zipped) {
    const Swept* first = nullptr;
    for (const auto& name : group) {
      const auto is_it = [&](const Swept& quantity) { return quantity.name == name; };
      const auto it = std::find_if(sweep.quantities.begin(), sweep.quantities.end(), is_it);
      if (it == sweep.quantities.end())
        refuse(fmt::format("'{}' is zipped and not swept", name), "give its values, or leave it out");
      if (is_random(*it))
        refuse(fmt::format("'{}' is zipped and has a distribution", name),
               "distributions go together as they are; leave it out");
      if (std::find(seen.begin(), seen.end(), name) != seen.end())
        refuse(fmt::format("'{}' is zipped twice", name), "name it once");
      seen.push_back(name);
      if (first == nullptr) first = &*it;
      if (length_of(*it) != length_of(*first))
        refuse(fmt::format("'{}' has {} values and '{}', with which it is zipped, has {}", name, length_of(*it),
                           first->name, length_of(*first)),
               "give both as many");
    }
  }
}

}  // namespace

void Sweep::validate() const {
  std::size_t distributions = 0;
  for (auto it = quantities.begin(); it != quantities.end(); ++it) {
    if (std::any_of(quantities.begin(), it, [&](const Swept& other) { return other.name == it->name; }))
      refuse(fmt::format("'{}' is swept twice", it->name), "keep one of the two");
    std::visit([&](const auto& values) { check(values, it->name); }, it->values);
    if (is_random(*it)) ++distributions;
  }
  check_zipped(*this);
  if (distributions > 0 && samples == 0)
    refuse("there are distributions and no samples of them", "give samples, e.g. 1000");
  if (sampling == Sampling::sobol && distributions > most_sobol_dimensions)
    refuse(fmt::format("{} distributions are too many for a Sobol sequence", distributions),
           fmt::format("give at most {}, or choose random sampling", most_sobol_dimensions));
  std::uint64_t members = 1;
  for (const std::size_t length : grid_of(*this).lengths) {
    if (length > most_members / members) refuse("there are 2^52 members or more", "give shorter axes");
    members *= length;
  }
}

std::vector<std::size_t> Sweep::shape() const {
  return grid_of(*this).lengths;
}

std::vector<std::size_t> Sweep::axis_of() const {
  return grid_of(*this).axis;
}

std::size_t Sweep::members() const {
  std::size_t members = 1;
  for (const std::size_t length : shape()) members *= length;
  return members;
}

void Sweep::values(std::size_t member, std::span<double> out) const {
  SweepValues{*this}(member, out);
}

/// Tables from which the values of a sweep are computed.
struct SweepValues::Impl {
  explicit Impl(const Sweep& sweep) : sobol(0) {
    const Grid grid = grid_of(sweep);
    // These are the steps of the member's number along the axes; the last axis runs fastest.
    std::vector<std::size_t> steps(grid.lengths.size(), 1);
    for (std::size_t axis = steps.size(); axis-- > 1;) steps[axis - 1] = steps[axis] * grid.lengths[axis];
    for (std::size_t q = 0; q < sweep.quantities.size(); ++q) {
      const std::size_t axis = grid.axis[q];
      Source source{axis, steps[axis], grid.lengths[axis], none, sweep.quantities[q].values, 0};
      if (is_random(sweep.quantities[q])) source.dimension = dimensions++;
      sources.push_back(std::move(source));
    }
    seed = sweep.seed;
    random = sweep.sampling == Sampling::random;
    if (random) return;
    sobol = Sobol(dimensions);
    for (Source& source : sources)
      if (source.dimension != none && seed != 0) source.shift = random_bits(seed, Stream::shifts, source.dimension, 0);
  }

  /// Source of the values of a quantity.
  struct Source {
    std::size_t axis = 0;
    std::size_t step = 1;
    std::size_t length = 1;
    std::size_t dimension = none;  ///< index among the distributions
    std::variant<Range, std::vector<double>, ProbabilityDistribution> values;
    std::uint64_t shift = 0;

    /// Returns the place of a member along the axis. Most members need no division.
    [[nodiscard]] std::size_t place(std::size_t member) const {
      const std::size_t at = step == 1 ? member : member / step;
      return at < length ? at : at % length;
    }
  };

  /// Computes the numbers in (0, 1) from which a distribution is drawn in consecutive samples.
  void draw_numbers(const Source& source, std::uint64_t first, std::size_t count, int lanes, double* numbers) const {
    if (random) {
      (lanes == 8 ? draw<8> : lanes == 4 ? draw<4> : draw<1>)(seed, source.dimension, first, count, numbers);
      return;
    }
    std::uint64_t index = seed != 0 ? first : first + 1;
    std::uint64_t bits = sobol.bits(source.dimension, index);
    for (std::size_t k = 0; k < count; ++k) {
      numbers[k] = seed != 0 ? in_unit_interval(bits ^ source.shift) : static_cast<double>(bits) * 0x1p-52;
      bits ^= sobol.change(source.dimension, ++index);
    }
  }

  /// Computes the values of a quantity for consecutive members.
  void values(const Source& source, std::size_t first, std::size_t count, int lanes, double* out) const {
    if (const auto* distribution = std::get_if<ProbabilityDistribution>(&source.values)) {
      std::array<double, 64> numbers;
      for (std::size_t k = 0; k < count;) {
        const std::size_t at = source.place(first + k);
        const std::size_t run = std::min({count - k, source.length - at, numbers.size()});
        draw_numbers(source, at, run, lanes, numbers.data());
        quantiles(*distribution, numbers.data(), run, lanes, out + k);
        k += run;
      }
      return;
    }
    const auto* range = std::get_if<Range>(&source.values);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = source.place(first + k);
      out[k] = range != nullptr ? value_at(*range, at) : std::get<std::vector<double>>(source.values)[at];
    }
  }

  std::vector<Source> sources;
  std::size_t dimensions = 0;
  std::uint64_t seed = 0;
  bool random = true;
  Sobol sobol;
};

SweepValues::SweepValues(const Sweep& sweep) : impl_(std::make_shared<const Impl>(sweep)) {}

void SweepValues::operator()(std::size_t member, std::span<double> out) const {
  (*this)(member, 1, 1, out);
}

void SweepValues::operator()(std::size_t first, std::size_t count, int lanes, std::span<double> out) const {
  for (std::size_t q = 0; q < impl_->sources.size(); ++q)
    impl_->values(impl_->sources[q], first, count, lanes, &out[q * count]);
}

}  // namespace herglotz::ensemble
