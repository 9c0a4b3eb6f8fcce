#include "loops/reactions/reactions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "herglotz/error.hpp"
#include "loops/arrays/arrays.hpp"

namespace herglotz::families {
namespace {

/// Terms G of all equations whose places the factors can count.
constexpr std::size_t most_slopes = std::numeric_limits<std::int32_t>::max() / 16;
/// Steps to the nearest point from a start off the constraints, and the least share of them along curved constraints.
constexpr int most_from_afar = 2000;
constexpr double least_share = 1.0 / 64;
/// Equations that may follow from the others, each of which is found by factors of its own.
constexpr std::size_t most_dropped = 100;
/// An equation that followed from the others at the start has stopped doing so if it is larger.
constexpr double still_follows = 1e-6;
/// A step of Newton's method that is smaller than the last one by less than this needs new factors.
constexpr double good_contraction = 0.05;
/// Relative size of a move of the coordinates after which the factors serve for the velocities as well.
constexpr double near = 1e-8;
/// The defect of a start that is taken for rounding.
constexpr double consistent = 1e-10;

/// Returns the larger of a number and |value|, or NaN if one of them is.
double larger(double most, double value) {
  return std::isnan(most) || std::abs(value) <= most ? most : std::abs(value);
}

double largest(const double* values, std::size_t count) {
  double most = 0;
  for (std::size_t k = 0; k < count; ++k) most = larger(most, values[k]);
  return most;
}

/// Gives infinite inertia to the coordinates of some families that the settings fix.
void hold(const Model& model, const std::vector<std::size_t>& families,
          std::vector<std::vector<double>>& inverse_inertia) {
  const std::set<std::string> fixed(model.settings.fixed.begin(), model.settings.fixed.end());
  for (std::size_t f = 0; f < families.size() && !fixed.empty(); ++f)
    for (std::size_t site = 0; site < model.count(); ++site)
      if (fixed.contains(
              fmt::format("{}[{}]", model.sites.families()[families[f]].name, site_label(model.indices, site))))
        inverse_inertia[f][site] = 0;
}

}  // namespace

Reactions::Reactions(Model& model) : n_(model.base.size()), sites_(model.count()) {
  require_reactions(model);
  std::size_t equations = 0;
  std::size_t slopes = 0;
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    Group& group = groups_.emplace_back(Group{{model, k}, equations, slopes});
    equations += group.rows.rows();
    slopes += group.rows.slopes().size() * group.rows.length();
  }
  if (slopes > most_slopes)
    throw Refused(fmt::format("the constraints have {} terms, and at most {} can be eliminated", slopes, most_slopes),
                  "take fewer sites", "[constraints]");
  slopes_.resize(slopes);
  multipliers_.resize(equations);
  std::vector<SlopeEntry> entries;
  for (Group& group : groups_) {
    const std::size_t length = group.rows.length();
    group.room.resize((3 + group.rows.laws().size()) * length);
    double* own = group.room.data();
    const auto next = [&] { return std::exchange(own, own + length); };
    group.values = {next(), next(), next()};
    for (std::size_t k = 0; k < group.rows.laws().size(); ++k) group.values.works.push_back(next());
    std::size_t place = group.slope;
    for (const ConstraintRows::Slope& slope : group.rows.slopes()) {
      group.values.slopes.push_back(slopes_.data() + place);
      for (std::size_t row = 0; row < group.rows.rows(); ++row) {
        const std::uint32_t site = (*slope.places)[row];
        if (site == nowhere) continue;
        entries.push_back({static_cast<std::uint32_t>(place + row), static_cast<std::uint32_t>(group.first + row),
                           static_cast<std::uint32_t>(slope.f * sites_ + site)});
      }
      place += length;
    }
  }
  elimination_.emplace(std::move(entries), equations, n_ * sites_);
}

void Reactions::set(const Model& model, const SiteValues& values) {
  for (Group& group : groups_) group.rows.set(model, values);
  failure_.clear();
  for (const std::size_t equation : std::exchange(dropped_, {})) elimination_->take_back(equation);
}

void Reactions::find(const ConstrainedMotion& at, double t) {
  std::vector<const double*> motion;
  for (const double* const* arrays :
       {static_cast<const double* const*>(at.q), static_cast<const double* const*>(at.v), at.acceleration})
    motion.insert(motion.end(), arrays, arrays + n_);
  for (Group& group : groups_) group.rows.find(motion.data(), t, group.values);
}

bool Reactions::factorise(const double* const* inverse_inertia) {
  if (renew_inertia_) renew_inertia_();
  elimination_->factorise(slopes_, std::span(inverse_inertia, n_), sites_, held_);
  // Equations that follow from the others at the start are left out.
  while (renew_inertia_ && elimination_->finite() && elimination_->dependence().sine_squared == 0 &&
         dropped_.size() < most_dropped) {
    dropped_.push_back(elimination_->dependence().equation);
    elimination_->drop(dropped_.back());
    elimination_->factorise(slopes_, std::span(inverse_inertia, n_), sites_, held_);
  }
  if (!elimination_->finite()) {
    if (renew_inertia_ && failure_.empty()) failure_ = "the constraints, or the inertias, are not finite at the start";
    return false;
  }
  const Elimination::Dependence& found = elimination_->dependence();
  if (found.sine_squared > 0) return true;
  if (failure_.empty())
    failure_ =
        fmt::format("{} follows from the other ones, so that its multiplier is not determined", name(found.equation));
  return false;
}

/// Returns the value that an equation is to change by, or 0 if it is left out.
double Reactions::wanted(const Group& group, std::size_t row, double change) const {
  return elimination_->is_dropped(group.first + row) ? 0 : change;
}

/// Returns whether the equations that are left out still hold.
bool Reactions::others_follow() {
  for (const Group& group : groups_)
    for (std::size_t row = 0; row < group.rows.rows() && !dropped_.empty(); ++row) {
      const double value = larger(std::abs(group.values.equation[row]), group.values.velocity[row]);
      if (!elimination_->is_dropped(group.first + row) || value <= still_follows) continue;
      failure_ = fmt::format("{} followed from the other ones at the start but is {:.3g}", group.rows.name(row), value);
      return false;
    }
  return true;
}

std::string Reactions::name(std::size_t equation) const {
  const auto group =
      std::find_if(groups_.rbegin(), groups_.rend(), [&](const Group& one) { return one.first <= equation; });
  return group->rows.name(equation - group->first);
}

/// Returns whether the constraints are independent at the state of the last factors. Multipliers grow without bound
/// before constraints are dependent to the last digit, and the steps shrink with them. If steps have become very small,
/// less dependence suffices as the reason.
bool Reactions::stays_independent(double t) {
  constexpr double small = 1e-6;
  constexpr int in_a_row = 50;
  small_steps_ = std::abs(t - t_last_) < small * std::abs(t - t0_) ? small_steps_ + 1 : 0;
  t_last_ = t;
  const bool shrunk = small_steps_ > in_a_row;
  const Elimination::Dependence& found = elimination_->dependence();
  if (found.sine_squared > (shrunk ? 1e-6 : 1e-9) || found.sine_squared > (shrunk ? 1e-4 : 1e-6) * first_independence_)
    return true;
  failure_ = fmt::format("{} becomes dependent on the other ones (the angle between them has fallen to {:.1e})",
                         name(found.equation), std::sqrt(found.sine_squared));
  return false;
}

std::vector<const double*> Reactions::unit_works() const {
  std::vector<const double*> all;
  for (const Group& group : groups_) all.insert(all.end(), group.values.works.begin(), group.values.works.end());
  return all;
}

Reactions::Works Reactions::works_of(const std::vector<double>& multipliers,
                                     const std::vector<const double*>& of_unit) const {
  Works works;
  for (const Group& group : groups_)
    for (const std::size_t law : group.rows.laws()) {
      const double* const own = of_unit[works.size()];
      std::vector<double> terms(group.rows.rows());
      for (std::size_t row = 0; row < terms.size(); ++row) terms[row] = multipliers[group.first + row] * own[row];
      works.emplace_back(law, pairwise(terms.data(), terms.size()));
    }
  return works;
}

std::size_t Reactions::parts() const {
  return n_ * ((sites_ + some - 1) / some);
}

Reactions::Works Reactions::react(const ConstrainedMotion& at, double t, double* const* force, double* const* size) {
  find(at, t);
  const bool found = factorise(at.inverse_inertia);
  for (const Group& group : groups_)
    for (std::size_t row = 0; row < group.rows.rows(); ++row)
      multipliers_[group.first + row] =
          found ? wanted(group, row, -group.values.acceleration[row]) : std::numeric_limits<double>::quiet_NaN();
  if (found) elimination_->solve(multipliers_);
  for_parts([&](std::size_t f, std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t site = first; site < last; ++site)
      force[f][site] += elimination_->force(f * sites_ + site, slopes_, multipliers_);
    for (std::size_t site = first; site < last && size != nullptr; ++site)
      size[f][site] = elimination_->size(f * sites_ + site, slopes_, multipliers_);
  });
  return works_of(multipliers_, unit_works());
}

/// Adds the displacement by k to values of every family at every site, with compensation if `lost` has what their sums
/// lost. Returns its largest component, and the largest value before.
double Reactions::moved(double* const* values, double* const* lost, const std::vector<double>& k, double& size) const {
  std::vector<double> largest(2 * parts());
  for_parts([&](std::size_t f, std::size_t part, std::size_t first, std::size_t last) {
    for (std::size_t site = first; site < last; ++site) {
      const double change = elimination_->displacement(f * sites_ + site, k);
      largest[2 * part] = larger(largest[2 * part], change);
      largest[2 * part + 1] = larger(largest[2 * part + 1], values[f][site]);
      if (lost == nullptr) {
        values[f][site] += change;
        continue;
      }
      const double own = change - lost[f][site];
      const double sum = values[f][site] + own;
      lost[f][site] = (sum - values[f][site]) - own;
      values[f][site] = sum;
    }
  });
  double change = 0;
  for (std::size_t part = 0; part < parts(); ++part) {
    change = larger(change, largest[2 * part]);
    size = larger(size, largest[2 * part + 1]);
  }
  return change;
}

bool Reactions::move_coordinates(const ConstrainedMotion& at, double t, bool& far) {
  if (std::none_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.rows.of_coordinates(); }))
    return true;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    find_step([](const Group& group, std::size_t row) {
      return group.rows.of_coordinates() ? -group.values.equation[row] : 0;
    });
    double size = 1e-300;
    const double relative = moved(at.q, nullptr, k_, size) / size;
    if (!std::isfinite(relative)) return false;
    find(at, t);
    far = far || relative > near;
    const bool arrived = relative <= 2 * epsilon || (relative >= previous && previous <= round_off);
    // With factors of where the step began, the error that is left is the square of the step.
    if (arrived || (iteration == 0 && relative * relative <= 0.25 * epsilon)) return true;
    // The first move may be large: the slopes have changed with it.
    const bool slow = relative > good_contraction * previous || iteration == 0;
    if (slow && relative > 1e-3 && !factorise(at.inverse_inertia)) return false;
    previous = relative;
  }
  return false;
}

bool Reactions::move_velocities(const ConstrainedMotion& at, double t, bool far) {
  const double* const* const inertia = at.for_velocities != nullptr ? at.for_velocities : at.inverse_inertia;
  if ((far || at.for_velocities != nullptr) && !factorise(inertia)) return false;
  if (std::any_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.rows.is_curved(); }))
    return renew_inertia_ ? settle_velocities(at, t, inertia) : move_to_nearest(at, t, inertia);
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    find_step([](const Group& group, std::size_t row) { return -group.values.velocity[row]; });
    for (std::size_t row = 0; row < k_.size(); ++row) impulse_[row] += k_[row];
    double size = 1e-300;
    const double relative = moved(at.v, at.lost_v, k_, size) / size;
    if (!std::isfinite(relative)) return false;
    if (relative <= 2 * epsilon || (relative >= previous && previous <= round_off)) return true;
    find(at, t);
    if (relative > good_contraction * previous && !factorise(inertia)) return false;
    previous = relative;
  }
  return false;
}

/// Moves the velocities of a start to the nearest ones on curved constraints. It is sought from a point on them that
/// Newton's method with new factors for each step finds; that point serves where the search for the nearest one fails.
bool Reactions::settle_velocities(const ConstrainedMotion& at, double t, const double* const* inverse_inertia) {
  const auto present = [&] {
    std::vector<std::vector<double>> all;
    for (std::size_t f = 0; f < n_; ++f) all.emplace_back(at.v[f], at.v[f] + sites_);
    return all;
  };
  std::vector<std::vector<double>> start = present();
  double relative = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations && relative > round_off; ++iteration) {
    find_step([](const Group& group, std::size_t row) { return -group.values.velocity[row]; });
    double size = 1e-300;
    relative = moved(at.v, at.lost_v, k_, size) / size;
    if (!std::isfinite(relative)) return false;
    find(at, t);
    if (!factorise(inverse_inertia)) return false;
  }
  if (relative > round_off) return false;
  const std::vector<std::vector<double>> on_constraints = present();
  nearest_to_ = std::move(start);
  if (move_to_nearest(at, t, inverse_inertia)) return true;
  for (std::size_t f = 0; f < n_; ++f) std::copy(on_constraints[f].begin(), on_constraints[f].end(), at.v[f]);
  find(at, t);
  return factorise(inverse_inertia);
}

/// Returns G times values of every family at every site, in one row.
double Reactions::along(const Group& group, std::size_t row, const std::vector<std::vector<double>>& values) const {
  double total = 0;
  for (std::size_t s = 0; s < group.rows.slopes().size(); ++s) {
    const ConstraintRows::Slope& slope = group.rows.slopes()[s];
    const std::uint32_t site = (*slope.places)[row];
    if (site != nowhere) total += group.values.slopes[s][row] * values[slope.f][site];
  }
  return total;
}

/// Moves the velocities until v = v_0 + M^-1 G(v)^T K and the constraints hold, where v_0 are those that nearest_to_
/// has, or the present ones. The curvature of the constraints is not part of the steps: where it turns them too far
/// they are made shorter along the constraints.
bool Reactions::move_to_nearest(const ConstrainedMotion& at, double t, const double* const* inverse_inertia) {
  const int most = nearest_to_.empty() ? most_iterations : most_from_afar;
  std::vector<std::vector<double>> start = std::exchange(nearest_to_, {});
  for (std::size_t f = start.size(); f < n_; ++f) start.emplace_back(at.v[f], at.v[f] + sites_);
  std::vector<std::vector<double>> rest = start;  // a share of v_0 + M^-1 G^T K - v
  double share = 1;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most; ++iteration) {
    for_parts([&](std::size_t f, std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t site = first; site < last; ++site) {
        const double impulse = elimination_->force(f * sites_ + site, slopes_, impulse_);
        rest[f][site] = share * (start[f][site] + inverse_inertia[f][site] * impulse - at.v[f][site]);
      }
    });
    find_step(
        [&](const Group& group, std::size_t row) { return -group.values.velocity[row] - along(group, row, rest); });
    for (std::size_t row = 0; row < k_.size(); ++row) impulse_[row] += k_[row];
    double change = 0;
    double size = 1e-300;
    for (std::size_t f = 0; f < n_; ++f)
      for (std::size_t site = 0; site < sites_; ++site) {
        const double step = rest[f][site] + elimination_->displacement(f * sites_ + site, k_);
        at.v[f][site] += step;
        change = larger(change, step);
        size = larger(size, at.v[f][site]);
      }
    const double relative = change / size;
    if (!std::isfinite(relative)) return false;
    find(at, t);
    if (relative <= 2 * epsilon || (relative >= previous && previous <= round_off)) return true;
    if (relative > good_contraction * previous && !factorise(inverse_inertia)) return false;
    if (relative >= previous) share = std::max(share / 2, least_share);
    previous = relative;
  }
  return false;
}

std::nullopt_t Reactions::not_arrived(const char* sentence) {
  if (failure_.empty()) failure_ = sentence;
  return std::nullopt;
}

std::optional<Reactions::Works> Reactions::project(const ConstrainedMotion& at, double t) {
  k_.resize(multipliers_.size());
  impulse_.assign(multipliers_.size(), 0.0);
  find(at, t);
  if (!factorise(at.inverse_inertia) || !stays_independent(t)) return std::nullopt;
  bool far = false;
  if (move_coordinates(at, t, far) && move_velocities(at, t, far) && (renew_inertia_ || others_follow())) {
    failure_.clear();
    return works_of(impulse_, unit_works());
  }
  return not_arrived("Newton's method does not find the way back onto the constraints");
}

Reactions::Defect Reactions::defect(const ConstrainedMotion& at) const {
  Defect worst;
  for (const Group& group : groups_)
    for (std::size_t row = 0; row < group.rows.rows(); ++row) {
      double terms = 1;
      double turned = 0;
      for (std::size_t k = 0; k < group.rows.slopes().size(); ++k) {
        const ConstraintRows::Slope& slope = group.rows.slopes()[k];
        const std::uint32_t site = (*slope.places)[row];
        if (site != nowhere) turned += std::abs(group.values.slopes[k][row] * at.v[slope.f][site]);
      }
      terms = std::max(terms, turned);
      const auto look = [&](double value, const char* of) {
        if (!std::isfinite(worst.relative) || std::abs(value) <= worst.relative * terms) return;
        if (!std::isfinite(value)) {
          worst = {std::numeric_limits<double>::infinity(),
                   fmt::format("{}{} is not finite at the start", of, group.rows.name(row))};
          return;
        }
        worst = {std::abs(value) / terms,
                 fmt::format("{}{} is {:.6g}, not 0, at the start", of, group.rows.name(row), value)};
      };
      look(group.values.equation[row], "");
      if (group.rows.of_coordinates()) look(group.values.velocity[row], "the time derivative of ");
    }
  return worst;
}

std::vector<std::string> Reactions::settle(const Model& model, ConstrainedMotion at, const FindInertia& find_inertia) {
  find(at, model.t0);
  const Defect off = defect(at);
  const bool moves = !(off.relative <= consistent);
  if (moves && !model.settings.project)
    throw Failed(off.sentence, "give consistent initial values, or set project = true in [initial]", "[initial]");
  std::vector<std::vector<double>> inverse_inertia(n_, std::vector<double>(sites_));
  std::vector<std::vector<double>> for_velocities = inverse_inertia;
  renew_inertia_ = [&] {
    find_inertia(inverse_inertia);
    for (std::size_t f = 0; f < n_; ++f)
      std::copy(inverse_inertia[f].begin(), inverse_inertia[f].end(), for_velocities[f].begin());
    if (!moves) return;
    hold(model, model.base, inverse_inertia);
    hold(model, model.fibre, for_velocities);
  };
  std::vector<const double*> arrays;
  for (const auto* const all : {&inverse_inertia, &for_velocities})
    for (const std::vector<double>& values : *all) arrays.push_back(values.data());
  at.inverse_inertia = arrays.data();
  at.for_velocities = arrays.data() + n_;
  held_ = moves && !model.settings.fixed.empty() ? Elimination::Held::left_alone : Elimination::Held::dependent;
  t0_ = t_last_ = model.t0;
  first_independence_ = 0;
  const bool arrived = project(at, model.t0).has_value();
  renew_inertia_ = nullptr;
  held_ = Elimination::Held::dependent;
  if (!arrived)
    throw Failed(moves ? fmt::format("{}, and {}", off.sentence, failure_) : failure_,
                 "give other initial values or constraints", "[initial]");
  first_independence_ = elimination_->dependence().sine_squared;
  std::vector<std::string> notes;
  if (!dropped_.empty())
    notes.push_back(fmt::format("{} follows from the other ones{}, and has no multiplier", name(dropped_.front()),
                                dropped_.size() > 1 ? fmt::format(", as {} more do", dropped_.size() - 1) : ""));
  if (!moves) return notes;
  find(at, model.t0);
  if (const Defect left = defect(at); left.relative > consistent)
    throw Failed(fmt::format("{}, and no start was found that satisfies all equations", left.sentence),
                 "correct the start or the equations, or fix fewer coordinates", "[initial]");
  notes.push_back(fmt::format("start moved onto the constraints ({})", off.sentence));
  return notes;
}

std::vector<double> Reactions::residuals() const {
  std::vector<double> all;
  for (const Group& group : groups_) all.push_back(largest(group.values.equation, group.rows.rows()));
  return all;
}

double Reactions::largest_residual() const {
  double most = 0;
  for (const Group& group : groups_)
    for (const double* const values : {group.values.equation, group.values.velocity})
      most = larger(most, largest(values, group.rows.rows()));
  return most;
}

std::vector<std::span<const double>> Reactions::multipliers() const {
  std::vector<std::span<const double>> all;
  for (const Group& group : groups_) all.push_back(std::span(multipliers_).subspan(group.first, group.rows.rows()));
  return all;
}

}  // namespace herglotz::families
