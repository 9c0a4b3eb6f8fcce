#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/geometry/null_space.hpp"
#include "herglotz/mechanics/symmetry_reduction.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "symmetry_ansatz.hpp"

namespace herglotz::mechanics {
namespace {

using Near = std::map<std::string, double, std::less<>>;
using Vector = std::vector<double>;

constexpr double smallest_pivot = 1e-6;

Vector base_at(const System& system, const Near& near) {
  Vector x;
  for (const Expr& one : system.algebroid.x) {
    const auto given = near.find(one.name());
    x.push_back(given == near.end() ? 0.0 : given->second);
  }
  return x;
}

/// Returns the columns of the largest pivots of rows; fewer than rows if these are dependent.
std::vector<std::size_t> pivot_columns(std::vector<Vector> rows) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::size_t best_row = k;
    std::size_t best = 0;
    for (std::size_t i = k; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        if (std::abs(rows[i][j]) > (1 + 1e-9) * std::abs(rows[best_row][best])) {
          best_row = i;
          best = j;
        }
    if (!(std::abs(rows[best_row][best]) > smallest_pivot)) break;
    std::swap(rows[k], rows[best_row]);
    columns.push_back(best);
    for (std::size_t i = k + 1; i < rows.size(); ++i) {
      const double factor = rows[i][best] / rows[k][best];
      for (std::size_t j = 0; j < rows[i].size(); ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  return columns;
}

/// Chooses fields whose span is a subalgebra with free orbits.
class Choice {
 public:
  Choice(const PointSymmetries& symmetries, const std::vector<Vector>& values, bool given_size)
      : symmetries_(symmetries), values_(values), whole_(given_size) {}

  /// Returns the first choice of `size` fields, or an empty one.
  std::vector<std::size_t> of(std::size_t size) {
    chosen_.clear();
    return search(0, size) ? chosen_ : std::vector<std::size_t>{};
  }

  /// Returns all fields. Throws Refused unless they span an algebra.
  std::vector<std::size_t> all_of_an_algebra() {
    chosen_.resize(symmetries_.size());
    std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
    if (!is_closed()) throw Refused("these symmetries span no algebra: a bracket of two of them is not in their span");
    return chosen_;
  }

 private:
  bool search(std::size_t from, std::size_t size) {
    if (chosen_.size() == size) return is_closed();
    for (std::size_t A = from; A + (size - chosen_.size()) <= symmetries_.size() && left_ > 0; ++A) {
      --left_;
      chosen_.push_back(A);
      if (is_free() && search(A + 1, size)) return true;
      chosen_.pop_back();
      if (whole_) return false;
    }
    return false;
  }
  [[nodiscard]] bool is_free() const {
    std::vector<Vector> rows;
    for (const std::size_t A : chosen_) rows.push_back(values_[A]);
    return pivot_columns(rows).size() == chosen_.size();
  }
  [[nodiscard]] bool is_closed() const {
    for (const std::size_t A : chosen_)
      for (const std::size_t B : chosen_) {
        if (!symmetries_.closed[A][B]) return false;
        for (std::size_t C = 0; C < symmetries_.size(); ++C)
          if (!symmetries_.c(C, A, B).is_zero() && std::find(chosen_.begin(), chosen_.end(), C) == chosen_.end())
            return false;
      }
    return true;
  }

  const PointSymmetries& symmetries_;
  const std::vector<Vector>& values_;
  bool whole_ = false;  ///< only all fields together will do
  int left_ = 100'000;  ///< fields that may still be tried
  std::vector<std::size_t> chosen_;
};

PointSymmetries named(const PointSymmetries& all, const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (const auto& name : names) {
    const auto at = std::find(all.names.begin(), all.names.end(), name);
    if (at == all.names.end()) {
      std::string known;
      for (const auto& one : all.names) known += (known.empty() ? "" : ", ") + one;
      throw Refused("there is no point symmetry '" + name + "'",
                    (known.empty() ? "none was found" : "found: " + known));
    }
    places.push_back(static_cast<std::size_t>(at - all.names.begin()));
  }
  PointSymmetries some;
  if (places.empty()) return some;
  some.c = geometry::StructureFunctions(places.size(), all.c(0, 0, 0));
  some.closed.assign(places.size(), std::vector<bool>(places.size(), true));
  for (std::size_t A = 0; A < places.size(); ++A) {
    some.names.push_back(all.names[places[A]]);
    some.fields.push_back(all.fields[places[A]]);
    for (std::size_t B = 0; B < places.size(); ++B) {
      some.closed[A][B] = all.closed[places[A]][places[B]];
      for (std::size_t C = 0; C < all.size(); ++C) {
        const auto at = std::find(places.begin(), places.end(), C);
        if (at != places.end())
          some.c.set(static_cast<std::size_t>(at - places.begin()), A, B, all.c(C, places[A], places[B]));
        else if (!all.c(C, places[A], places[B]).is_zero())
          some.closed[A][B] = false;
      }
    }
  }
  return some;
}

/// Fields on the section where the fixed coordinates have given values.
class FieldsOnSection {
 public:
  FieldsOnSection(const System& system, const SymmetryGroup& group, Vector start)
      : n_(system.n()), group_(group), start_(std::move(start)), symbols_(system.algebroid.x) {
    const auto add = [&](const Expr& symbol, double value) {
      symbols_.push_back(symbol);
      others_.push_back(value);
    };
    for (const Parameter& parameter : system.parameters) add(parameter.symbol, parameter.value);
    for (const Expr& y : system.algebroid.y) add(y, 0.3 + 0.1 * static_cast<double>(others_.size()));
    add(system.z, 0.2);
    add(system.t, 0.1);
    for (const auto& field : group.fields) outputs_.insert(outputs_.end(), field.begin(), field.end());
    outputs_.push_back(system.generator);
  }

  /// Returns the section, or `std::nullopt` if it is not transversal to the orbits, or its points have different
  /// isotropy groups. With `regular` the Lagrangian must be moderate there, too.
  [[nodiscard]] std::optional<OrbitSection> section(const Vector& values, bool regular) const {
    const std::size_t d = group_.size();
    const std::size_t q = group_.fixed.size();
    const Vector here = at(values, 0);
    constexpr double largest = 1e8;
    if (regular && !std::all_of(here.begin(), here.end(), [](double v) { return std::abs(v) < largest; }))
      return std::nullopt;
    OrbitSection section{values, {}, {}};
    std::vector<Vector> rows;
    for (std::size_t A = 0; A < d && rows.size() < q; ++A) {
      rows.push_back(on_fixed(here, A));
      if (pivot_columns(rows).size() == rows.size())
        section.moving.push_back(A);
      else
        rows.pop_back();
    }
    if (rows.size() < q) return std::nullopt;
    Vector slopes(q * q);
    for (std::size_t b = 0; b < q; ++b)
      for (std::size_t i = 0; i < q; ++i) slopes[i * q + b] = rows[b][i];
    for (std::size_t A = 0; A < d; ++A)
      section.onto.push_back(short_numbers(geometry::solve(slopes, on_fixed(here, A))));
    if (group_.is_free()) return section;
    return is_along(section, here) && is_along(section, at(values, 0.07)) && is_along(section, at(values, -0.11))
               ? std::optional(section)
               : std::nullopt;
  }

 private:
  /// Values of the fields and of L; the coordinates that are not fixed are those of the start, or away from it.
  [[nodiscard]] Vector at(const Vector& values, double away) const {
    Vector point = start_;
    for (std::size_t i = 0; i < point.size(); ++i) point[i] += away * (1 + 0.3 * static_cast<double>(i));
    for (std::size_t A = 0; A < values.size(); ++A) point[group_.fixed[A]] = values[A];
    point.insert(point.end(), others_.begin(), others_.end());
    return symbolic::evaluate(outputs_, symbols_, point);
  }
  [[nodiscard]] Vector on_fixed(const Vector& at, std::size_t A) const {
    Vector row;
    for (const std::size_t i : group_.fixed) row.push_back(at[A * n_ + i]);
    return row;
  }
  /// Returns whether X_A = onto[A][b] X_b at a point.
  [[nodiscard]] bool is_along(const OrbitSection& section, const Vector& at) const {
    for (std::size_t A = 0; A < group_.size(); ++A)
      for (std::size_t i = 0; i < n_; ++i) {
        double off = at[A * n_ + i];
        double size = 1 + std::abs(off);
        for (std::size_t b = 0; b < section.moving.size(); ++b) {
          const double part = section.onto[A][b] * at[section.moving[b] * n_ + i];
          off -= part;
          size += std::abs(part);
        }
        if (!(std::abs(off) < 1e-12 * size)) return false;
      }
    return true;
  }
  /// Fractions with a small denominator in place of numbers that round-off keeps from being one.
  static Vector short_numbers(Vector numbers) {
    for (double& number : numbers)
      for (const double denominator : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
        const double rounded = std::round(number * denominator) / denominator;
        if (std::abs(rounded - number) > 1e-13) continue;
        number = rounded;
        break;
      }
    return numbers;
  }

  std::size_t n_;
  const SymmetryGroup& group_;
  Vector start_;
  std::vector<Expr> symbols_;
  Vector others_;
  std::vector<Expr> outputs_;
};

}  // namespace

SymmetryGroup free_group(const System& system, const PointSymmetries& symmetries, const Near& near,
                         const std::vector<std::string>& names) {
  if (system.n() == 0) throw Refused("there is no base coordinate by which the system could be reduced");
  if (symmetries.size() == 0)
    throw Refused(symmetries.of_lagrangian_only > 0
                      ? "the Lagrangian has point symmetries, but the forces or constraints have none of them"
                      : "no point symmetry was found: no vector field on the base, of degree 2 or of sines and "
                        "cosines, leaves the "
                        "Lagrangian as it is");
  const PointSymmetries some = names.empty() ? symmetries : named(symmetries, names);
  std::vector<Vector> values;
  for (const auto& field : some.fields)
    values.push_back(symbolic::evaluate(field, system.algebroid.x, base_at(system, near)));
  Choice choice(some, values, !names.empty());
  std::vector<std::size_t> chosen;
  std::size_t size = names.empty() ? std::min(system.n(), some.size()) : some.size();
  for (; chosen.empty() && size > 0; --size) {
    chosen = choice.of(size);
    if (!names.empty()) break;
  }
  if (chosen.empty() && names.empty())
    throw Refused("no symmetry acts freely at the start: its orbits are points there");
  if (chosen.empty()) chosen = choice.all_of_an_algebra();
  SymmetryGroup group;
  std::vector<Vector> rows;
  group.c = geometry::StructureFunctions(chosen.size(), system.graph().number(std::int64_t{0}));
  for (std::size_t A = 0; A < chosen.size(); ++A) {
    group.names.push_back(some.names[chosen[A]]);
    group.fields.push_back(some.fields[chosen[A]]);
    rows.push_back(values[chosen[A]]);
    for (std::size_t B = 0; B < chosen.size(); ++B)
      for (std::size_t C = 0; C < chosen.size(); ++C) group.c.set(C, A, B, some.c(chosen[C], chosen[A], chosen[B]));
  }
  group.fixed = pivot_columns(rows);
  if (group.fixed.empty()) throw Refused("these symmetries leave the start where it is");
  std::sort(group.fixed.begin(), group.fixed.end());
  return group;
}

std::vector<OrbitSection> orbit_sections(const System& system, const SymmetryGroup& group, const Near& near) {
  const Vector start = base_at(system, near);
  const std::size_t q = group.fixed.size();
  const FieldsOnSection fields(system, group, start);
  // An angle may be a right angle on the section, and a length 1.
  std::vector<double> units;
  for (const std::size_t i : group.fixed)
    units.push_back(is_angle(system, system.algebroid.x[i]) ? std::numbers::pi / 2 : std::copysign(1.0, start[i]));
  const auto is_seen = [&](std::size_t i) {
    return symbolic::depends_on(symbolic::expand_lets(system.generator), system.algebroid.x[i]);
  };
  std::vector<OrbitSection> found;
  std::size_t combinations = 1;
  constexpr std::size_t most = 81;
  for (std::size_t A = 0; A < q && combinations < most; ++A) combinations *= 3;
  for (std::size_t k = 0; k < combinations; ++k) {
    Vector values;
    std::size_t rest = k;
    bool sensible = true;
    for (const std::size_t i : group.fixed) {
      const std::array<double, 3> choices{0, units[values.size()], start[i]};
      values.push_back(choices.at(rest % 3));
      sensible = sensible && (rest % 3 != 1 || is_seen(i));
      rest /= 3;
    }
    const bool known = std::any_of(found.begin(), found.end(), [&](const auto& one) { return one.values == values; });
    if (!sensible || known) continue;
    if (auto section = fields.section(values, true)) found.push_back(std::move(*section));
  }
  Vector own;
  for (const std::size_t i : group.fixed) own.push_back(start[i]);
  if (auto section = fields.section(own, false)) found.push_back(std::move(*section));
  return found;
}

}  // namespace herglotz::mechanics
