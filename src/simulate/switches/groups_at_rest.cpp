// Frictions that are at rest and whose velocities depend on each other, where there are ones on two velocities: which
// forces hold them, and which of them slip where none do.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/integrate/why_undetermined.hpp"
#include "herglotz/linear/svd.hpp"
#include "switches/response.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Share of their largest forces with which frictions hold, at least, that counts as all: what programmes are solved
/// to.
constexpr double all_of_them = 1 - 1e-10;
/// Share by which a load is taken larger where frictions just let go, so that what slips has a rate.
constexpr double beyond = 1e-7;
/// A friction whose slip has a smaller rate than this stays at rest. It is relative to the rate that the share of load
/// above gives alone.
constexpr double at_rest = 1e-4;
/// Share by which the force of a friction that slips may lie inside its disc, and of the largest disc: its product with
/// the rate of the slip is what programmes are solved to.
constexpr double inside = 1e-3;
constexpr double solved = 1e-6;
/// A load of no more than this much beyond what is held, relative to that, has just become too large.
constexpr double just_beyond = 1e-6;

double largest_of(const Vector& values) {
  return values.size() == 0 ? 0.0 : values.maxCoeff();
}

integrate::Reason not_found() {
  return {"the forces of frictions at rest are not found", "give the frictions bounds of about one size"};
}

Index rank_of(const Matrix& D) {
  return linear::Svd(D, linear::SingularVectors::thin, dependent).rank();
}

}  // namespace

/// Returns the frictions on two velocities that are at rest or come to rest now, and friction number k if it is one.
std::vector<std::size_t> SwitchedMotion::planes_at_rest(std::size_t k, double t,
                                                        const std::vector<double>& state) const {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < switches().size(); ++j) {
    if (!switches()[j].plane) continue;
    bool rests = j == k || is_plane_at_rest(j) || !is_slipping(j, t, state);
    if (!rests && !is_now(records_[j].left, t)) {
      const auto [u1, u2] = slip(j, t, state);
      const auto [a1, a2] = slip_rate(j, t, state);
      const double size = std::hypot(u1, u2);
      rests = is_now(t - size / std::hypot(a1, a2), t, together_) ||
              (u1 * a1 + u2 * a2 < 0 && is_too_slow(j, size, t, state));
    }
    if (rests) result.push_back(j);
  }
  return result;
}

/// Returns the frictions on one and on two velocities that are at rest or come to rest now, and friction number k.
/// There are none if all of them are of one kind.
std::vector<std::size_t> SwitchedMotion::both_at_rest(std::size_t k, double t, const std::vector<double>& state) const {
  std::vector<std::size_t> result = planes_at_rest(k, t, state);
  const std::size_t planes = result.size();
  for (std::size_t j = 0; j < switches().size(); ++j) {
    if (!switches()[j].change) continue;
    const double velocity = values(point(t, state))[switches()[j].force_event + 1];
    const bool waits = holds_[j] == mechanics::Hold::none && mode(j) == idle;
    const bool stands = std::abs(velocity) <= still * records_[j].greatest && !is_now(records_[j].left, t);
    if (j == k || waits || stands || holds_[j] != mechanics::Hold::none) result.push_back(j);
  }
  if (planes == 0 || planes == result.size()) return {};
  std::ranges::sort(result);
  return result;
}

/// Holds as many of these velocities as are independent; along the others forces are zero. Returns false if the motion
/// does not go on so, and leaves everything as it was.
bool SwitchedMotion::hold_independent(const std::vector<std::size_t>& group, const Response& response, double t,
                                      std::vector<double>& state) {
  const mechanics::Holds holds = holds_;
  const PieceLaw law = law_;
  const std::vector<bool> rows = independent_rows(response.D, response.powerful());
  std::size_t row = 0;
  for (const std::size_t j : group) {
    using enum mechanics::Hold;
    const bool one = rows[row++];
    if (!switches()[j].plane) {
      holds_[j] = one ? constraint : share;
      // The functions of a friction that holds are multiplied by its mode, and their derivatives are asked for later.
      if (one)
        mode(j) = 1;
      else
        change_share(j, 0, 0, t);
      continue;
    }
    const bool two = rows[row++];
    holds_[j] = one && two ? constraint : one ? first : two ? second : share;
    std::ranges::fill(plane_parameters(j), 0.0);
  }
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  if (why_not.empty() && integrate::why_undetermined(dynamics(), parameters_, t, state).empty()) {
    const auto projected = integrate::project(dynamics(), parameters_, t, state);
    if (projected.status == integrate::Status::success) {
      state = projected.state;
      for (const std::size_t j : group) {
        if (holds[j] == mechanics::Hold::none) count_rest(j, t);
        records_[j].fresh = false;
        if (holds_[j] != mechanics::Hold::constraint) records_[j].choose(t);
      }
      return true;
    }
  }
  holds_ = holds;
  law_ = law;
  return false;
}

/// Settles friction number k with the others that are at rest, if their velocities depend on each other and some are on
/// two velocities. Returns the reason why they find no modes together, or an empty one; `std::nullopt` if each settles
/// alone, or with others on one velocity.
std::optional<integrate::Reason> SwitchedMotion::settle_together(std::size_t k, double t, std::vector<double>& state) {
  if (!switches()[k].plane && !switches()[k].change) return std::nullopt;
  if (const auto both = both_at_rest(k, t, state); !both.empty())
    if (auto why = settle_group(both, t, state)) return why;
  if (!switches()[k].plane) return std::nullopt;
  std::vector<std::size_t> group = planes_at_rest(k, t, state);
  auto why = settle_group(group, t, state);
  // What they hold may have been the last slip of others.
  while (why && why->empty()) {
    std::vector<std::size_t> more = planes_at_rest(k, t, state);
    if (more.size() <= group.size()) break;
    group = std::move(more);
    if (auto again = settle_group(group, t, state)) why = std::move(again);
  }
  return why;
}

/// Returns whether frictions on one velocity depend on frictions on two.
bool SwitchedMotion::depend_on_each_other(const std::vector<std::size_t>& group, const Response& response) const {
  std::vector<Index> one;
  std::vector<Index> two;
  for (std::size_t i = 0; i < group.size(); ++i)
    for (Index at = response.discs.first[i]; at < response.discs.first[i + 1]; ++at)
      (switches()[group[i]].plane ? two : one).push_back(at);
  return rank_of(response.D) < rank_of(response.D(one, one)) + rank_of(response.D(two, two));
}

/// Settles frictions that are at rest if their velocities depend on each other; ones on both one and two velocities if
/// some of one kind depend on some of the other.
std::optional<integrate::Reason> SwitchedMotion::settle_group(const std::vector<std::size_t>& group, double t,
                                                              std::vector<double>& state) {
  if (group.size() < 2) return std::nullopt;
  const std::vector<double> parameters = parameters_;
  auto response = response_of(group, t, state);
  const bool of_one = std::ranges::any_of(group, [&](std::size_t j) { return !switches()[j].plane; });
  if (response && of_one && !depend_on_each_other(group, *response)) response.reset();
  if (response) {
    const linear::Svd factors(response->D, linear::SingularVectors::thin, dependent);
    response->free = factors.V().rightCols(response->D.cols() - factors.rank());
  }
  if (!response || response->free.cols() == 0 || !hold_independent(group, *response, t, state)) {
    parameters_ = parameters;
    return std::nullopt;
  }
  response->force = forces_of(group, values_with_multipliers(t, state));
  response->discs.radii = bounds_of(group, t, state);
  Discs discs = response->discs;
  const double unit = largest_of(discs.radii);
  if (!(unit > 0) || !response->force.allFinite())
    return integrate::Reason("the forces of frictions at rest are not determined");
  for (Index i = 0; i < discs.count(); ++i)
    if (const auto share = response->kinetic[static_cast<std::size_t>(i)]) response->slid[i] = *share * discs.radii[i];
  free_powerless(*response);
  response->discs.radii = discs.radii.cwiseMax(least_radius * unit);
  discs.radii = response->discs.radii / unit;
  // Forces that hold do so whether or not others are proved to be larger beside their bounds.
  const ConeSolution least = least_load(response->force / unit, discs, response->free);
  response->least = unit * least.x.tail(response->free.cols());
  if (!(least.value < all_of_them)) {
    if (!least.is_proved()) return not_found();
    // Where the load has just become too large, what slips has hardly a rate: its direction is that of the force which
    // held it.
    if (least.value < 1 + just_beyond) response->limit = response->force + response->free * response->least;
    return slip_together(group, *response, t, state);
  }
  return share_at_rest(group, *response, t, state);
}

/// Returns the largest forces with which frictions hold.
Eigen::VectorXd SwitchedMotion::bounds_of(const std::vector<std::size_t>& group, double t,
                                          const std::vector<double>& state) {
  const std::vector<double> now = values_with_multipliers(t, state);
  Vector radii(static_cast<Index>(group.size()));
  Index i = 0;
  for (const std::size_t k : group) {
    double& radius = radii[i++];
    if (switches()[k].plane) {
      radius = std::max(0.0, now[switches()[k].plane->first_event + 4]);
    } else if (holds_[k] == mechanics::Hold::share) {
      const double before = std::exchange(mode(k), 1.0);
      radius = std::abs(values_with_multipliers(t, state)[switches()[k].force_event]);
      mode(k) = before;
    } else {
      const Reserve reserve = reserve_of(k, now);
      radius = std::max(0.0, (reserve.forwards + reserve.backwards) / 2);
    }
  }
  return radii;
}

/// Leaves those changes of the forces with which frictions that may have no force have none, where there are any. They
/// hold if the others do, whose normal forces hold them up.
void SwitchedMotion::free_powerless(Response& response) {
  std::vector<Index> powerless;
  const Discs& discs = response.discs;
  const double least = least_radius * largest_of(discs.radii);
  for (Index i = 0; i < discs.count(); ++i)
    for (Index at = discs.at(i); at < discs.at(i + 1); ++at)
      if (!(discs.radii[i] > least)) powerless.push_back(at);
  if (powerless.empty()) return;
  const Vector force = response.force(powerless);
  const linear::Svd along(response.free(powerless, Eigen::all), linear::SingularVectors::thin, dependent);
  const Vector change = along.solve(-force);
  constexpr double round_off = 1e-9;
  if ((force + response.free(powerless, Eigen::all) * change).norm() > round_off * largest_of(discs.radii)) return;
  response.force += response.free * change;
  response.force(powerless).setZero();
  const linear::Svd all(response.free(powerless, Eigen::all), linear::SingularVectors::all_right, dependent);
  response.free = (response.free * all.V().rightCols(all.V().cols() - all.rank())).eval();
  for (const Index at : powerless) response.free.row(at).setZero();
}

/// Returns the forces of frictions at rest from the values of the functions of the motion that they hold.
Eigen::VectorXd SwitchedMotion::forces_of(const std::vector<std::size_t>& group,
                                          const std::vector<double>& held) const {
  Vector forces(2 * static_cast<Index>(group.size()));
  Index at = 0;
  for (const std::size_t k : group) {
    const std::size_t first = switches()[k].plane ? switches()[k].plane->first_event + 2 : switches()[k].force_event;
    for (std::size_t along = 0; along < switches()[k].velocities(); ++along) forces[at++] = held[first + along];
  }
  return forces.head(at);
}

/// Lets frictions at rest share the load so that they hold it as long as they can, if it goes on as it changes now.
/// Each force along a velocity that others hold changes at a constant rate, from its value for the least load now to
/// its value at the end of the longest time. Both values are within the discs, which are convex; so are those between.
integrate::Reason SwitchedMotion::share_at_rest(const std::vector<std::size_t>& group, const Response& response,
                                                double t, const std::vector<double>& state) {
  const Vector& now = response.least;
  constexpr double share = 1e-6;
  const double h = share * duration_;
  std::vector<double> rates(state.size());
  integrate::CompiledVectorField(dynamics(), parameters_)(t, state, rates);
  std::vector<double> soon = state;
  for (std::size_t i = 0; i < state.size(); ++i) soon[i] += h * rates[i];
  const Vector ahead = forces_of(group, values_with_multipliers(t + h, soon));
  const Vector change = (ahead - response.force) / share;  // over the whole run
  Discs discs = response.discs;
  const double unit = largest_of(discs.radii);
  Vector narrowing = (bounds_of(group, t + h, soon) - bounds_of(group, t, state)) / share;
  if (!narrowing.allFinite()) narrowing.setZero();
  discs.radii /= unit;
  Vector until(1 + now.size());
  until << 0, now;
  if (change.allFinite() && h != 0) {
    until = longest_hold(response.force / unit, change / unit, discs, narrowing / unit, response.free, now / unit);
  }
  const double time = until[0] * duration_;
  const Vector first = response.force + response.free * now;
  const Vector last = response.force + until[0] * change + unit * (response.free * until.tail(now.size()));
  for (std::size_t i = 0; i < group.size(); ++i) {
    const auto member = static_cast<Index>(i);
    const double largest = response.discs.radii[member];
    const double at_end = std::max(largest + until[0] * narrowing[member], least_radius * unit);
    const auto rate = [&](Index at) { return time > 0 ? (last[at] / at_end - first[at] / largest) / time : 0.0; };
    Index at = response.discs.first[i];
    if (!switches()[group[i]].plane) {
      // Its force is against its mode.
      if (holds_[group[i]] == mechanics::Hold::share) change_share(group[i], -first[at] / largest, -rate(at), t);
      continue;
    }
    const auto parameters = plane_parameters(group[i]);
    parameters[2] = t;
    for (std::size_t along = 0; along < 2; ++along, ++at) {
      parameters[along] = first[at] / largest;
      parameters[3 + along] = rate(at);
    }
  }
  return {};
}

/// Lets friction on one velocity share with a part of its largest force that changes at a rate.
void SwitchedMotion::change_share(std::size_t k, double part, double rate, double t) {
  mode(k) = part;
  const auto parameters = change_parameters(k);
  parameters[0] = rate;
  parameters[1] = t;
  parameters[2] = rate == 0 ? 1.0 : 1 - std::copysign(part, part * rate);
}

/// Lets those of the frictions slip that the forces of maximal dissipation let slip under a load which none hold. What
/// slips has its kinetic force, which may let others slip too. Those that stay at rest are settled anew.
integrate::Reason SwitchedMotion::slip_together(const std::vector<std::size_t>& group, const Response& response,
                                                double t, std::vector<double>& state) {
  const double unit = largest_of(response.discs.radii);
  const double rate = response.D.diagonal().maxCoeff();
  const Matrix D = response.D / rate;
  const Vector b = -(1 + beyond) * (D * response.force) / unit;
  Discs discs = response.discs;
  discs.radii /= unit;
  Vector forces;
  std::vector<bool> slips(group.size(), false);
  for (bool more = true; more;) {
    const ConeSolution found = most_dissipation(D, b, discs);
    if (!found.is_proved()) return not_found();
    forces = found.x;
    const Vector rates = D * forces + b;
    more = false;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto j = static_cast<Index>(i);
      const bool is_inside = discs.radii[j] - discs.part(forces, j).norm() > inside * discs.radii[j] + solved;
      if (slips[i] || is_inside || !(discs.part(rates, j).norm() > at_rest * beyond * b.norm())) continue;
      slips[i] = more = true;
      discs.radii[j] = std::max(std::min(discs.radii[j], response.slid[j] / unit), least_radius);
    }
  }
  // Forces that fall as the slip begins give it a rate.
  const bool keeps =
      response.limit && (unit * discs.radii.array() >= (1 - just_beyond) * response.discs.radii.array()).all();
  std::vector<std::size_t> resting;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!slips[i]) {
      resting.push_back(group[i]);
      continue;
    }
    const auto j = static_cast<Index>(i);
    Vector along = -discs.part(forces, j);
    if (keeps && discs.part(*response.limit, j).norm() > (1 - just_beyond) * response.discs.radii[j])
      along = -discs.part(*response.limit, j);
    if (!switches()[group[i]].plane) {
      leave(group[i], along[0] > 0 ? 1 : -1, t);
      continue;
    }
    leave(group[i], 1, t);
    const Index first = discs.at(j);
    begin_slip(group[i], std::atan2(along[1], along[0]),
               rate * (unit * discs.part(b, j).norm() + D(first, first) * response.slid[j]));
  }
  if (resting.size() == group.size())
    return {"which of the frictions that are at rest slip, and where to, is not determined",
            "let one of them have a velocity at the start, or make their bounds unequal"};
  for (const std::size_t j : resting) {
    holds_[j] = mechanics::Hold::none;
    records_[j].choose_no_more(t);
    --records_[j].held;  // it goes on to be at rest
    if (!switches()[j].plane) mode(j) = idle;
  }
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  if (resting.empty()) return why_not;
  return settle_rest(resting, t, state);
}

/// Settles frictions that stay at rest where others begin to slip: together, or each alone.
integrate::Reason SwitchedMotion::settle_rest(const std::vector<std::size_t>& resting, double t,
                                              std::vector<double>& state) {
  if (const auto why = settle_group(resting, t, state)) return *why;
  std::vector<std::size_t> planes;
  std::ranges::copy_if(resting, std::back_inserter(planes),
                       [&](std::size_t j) { return switches()[j].plane.has_value(); });
  if (planes.size() < resting.size())
    if (const auto why = settle_group(planes, t, state)) {
      if (!why->empty()) return *why;
      planes.clear();
    }
  for (const std::size_t j : planes)
    if (!hold(j, Within::bounds, t, state)) return {"a friction holds no longer where others begin to slip"};
  for (const std::size_t j : resting)
    if (!switches()[j].plane)
      if (auto why = settle_alone(j, t, state); !why.empty()) return why;
  return {};
}

}  // namespace herglotz::simulate
