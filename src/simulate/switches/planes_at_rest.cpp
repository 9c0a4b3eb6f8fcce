// Frictions on two velocities that are at rest and whose velocities depend on each other: which forces hold them, and
// which of them slip where none do.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/integrate/why_undetermined.hpp"
#include "herglotz/linear/svd.hpp"
#include "switches/cone_programme.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Response of a velocity, relative to its own force, that is left when others are held, below which it depends on
/// them.
constexpr double dependent = 1e-10;
/// Share of their largest forces with which frictions hold, at least, that counts as all: what programmes are solved
/// to.
constexpr double all_of_them = 1 - 1e-10;
/// Share by which a load is taken larger where frictions just let go, so that what slips has a rate.
constexpr double beyond = 1e-7;
/// A friction whose slip has a smaller rate than this stays at rest. It is relative to the rate that the share of load
/// above gives alone.
constexpr double at_rest = 1e-4;
/// Radius of a disc, relative to the largest one, of a friction without a force.
constexpr double least_radius = 1e-12;

double largest_of(const Vector& values) {
  return values.size() == 0 ? 0.0 : values.maxCoeff();
}

/// Returns the rows of a symmetric positive semidefinite matrix that are independent, by the pivots of Cholesky's
/// factors: the largest one that is left, relative to its own entry, and of equal ones the first.
std::vector<bool> independent_rows(const Matrix& D) {
  Matrix left = D;
  std::vector<bool> chosen(static_cast<std::size_t>(D.rows()), false);
  constexpr double preferred = 1 + 1e-6;
  while (true) {
    Index best = -1;
    double most = dependent;
    for (Index i = 0; i < D.rows(); ++i) {
      if (chosen[static_cast<std::size_t>(i)] || !(D(i, i) > 0)) continue;
      const double share = left(i, i) / D(i, i);
      if (!(share > most * (best < 0 ? 1 : preferred))) continue;
      best = i;
      most = share;
    }
    if (best < 0) return chosen;
    chosen[static_cast<std::size_t>(best)] = true;
    const Vector column = left.col(best) / std::sqrt(left(best, best));
    left -= column * column.transpose();
  }
}

/// Returns (s, xi) with the least s for which all forces F + N xi are within discs of the radii s r.
Vector least_load(const Vector& F, const Vector& r, const Matrix& N) {
  const Index size = 1 + N.cols();
  ConeProgramme programme{Matrix::Zero(size, size), Vector::Unit(size, 0), {}};
  double load = 1;
  for (Index j = 0; j < r.size(); ++j) {
    Matrix A = Matrix::Zero(2, size);
    A.rightCols(N.cols()) = N.middleRows(2 * j, 2);
    programme.cones.push_back({A, F.segment(2 * j, 2), r[j] * Vector::Unit(size, 0), 0});
    load = std::max(load, F.segment(2 * j, 2).norm() / r[j]);
  }
  constexpr double inside = 2;
  return solve(programme, inside * load * Vector::Unit(size, 0));
}

/// Returns (tau, xi) with the largest tau up to 1 for which all forces F + tau G + N xi are within discs of the radii
/// r, as the forces F + N xi0 are.
Vector longest_hold(const Vector& F, const Vector& G, const Vector& r, const Matrix& N, const Vector& xi0) {
  const Index size = 1 + N.cols();
  constexpr double before = 0.01;  // the start is inside
  ConeProgramme programme{Matrix::Zero(size, size), -Vector::Unit(size, 0), {}};
  programme.cones.push_back({Matrix::Zero(1, size), Vector::Zero(1), -Vector::Unit(size, 0), 1});
  programme.cones.push_back({Matrix::Zero(1, size), Vector::Zero(1), Vector::Unit(size, 0), before});
  for (Index j = 0; j < r.size(); ++j) {
    Matrix A(2, size);
    A << G.segment(2 * j, 2), N.middleRows(2 * j, 2);
    programme.cones.push_back({A, F.segment(2 * j, 2), Vector::Zero(size), r[j]});
  }
  Vector start(size);
  start << 0, xi0;
  return solve(programme, start);
}

/// Returns the forces F within discs of the radii r with the least F.D F/2 + b.F: those of maximal dissipation, against
/// the rates D F + b of what slips [AB08].
Vector most_dissipation(const Matrix& D, const Vector& b, const Vector& r) {
  const Index size = b.size();
  ConeProgramme programme{D, b, {}};
  for (Index j = 0; j < r.size(); ++j) {
    Matrix A = Matrix::Zero(2, size);
    A.middleCols(2 * j, 2).setIdentity();
    programme.cones.push_back({A, Vector::Zero(2), Vector::Zero(size), r[j]});
  }
  return solve(programme, Vector::Zero(size));
}

}  // namespace

/// Rates D (2k x 2k) of the velocities of k frictions by their forces, the largest forces with which each slips (k) and
/// holds (k), and the forces that hold them now (2k).
struct SwitchedMotion::Response {
  Matrix D;
  Vector slid;
  Vector held;
  Vector force;
  Matrix free;   // changes of the forces that change no rate, in orthonormal columns
  Vector least;  // change of the forces along these to those of the least load
};

/// Returns the frictions on two velocities that are at rest or come to rest now, and friction number k.
std::vector<std::size_t> SwitchedMotion::planes_at_rest(std::size_t k, double t,
                                                        const std::vector<double>& state) const {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < switches().size(); ++j) {
    if (!switches()[j].plane) continue;
    bool rests = j == k || is_plane_at_rest(j) || !is_slipping(j, t, state);
    if (!rests && !is_now(records_[j].left, t)) {
      const auto [u1, u2] = slip(j, t, state);
      const auto [a1, a2] = slip_rate(j, t, state);
      rests = is_now(t - std::hypot(u1, u2) / std::hypot(a1, a2), t);
    }
    if (rests) result.push_back(j);
  }
  return result;
}

/// Finds the rates of velocities by forces: those that forces while slipping give. Returns `std::nullopt` if one of
/// them is zero. Everything is as before afterwards, but for the modes of these frictions.
std::optional<SwitchedMotion::Response> SwitchedMotion::response_of(const std::vector<std::size_t>& planes, double t,
                                                                    const std::vector<double>& state) {
  const mechanics::Holds holds = holds_;
  const PieceLaw law = law_;
  for (const std::size_t j : planes) holds_[j] = mechanics::Hold::none;
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  const auto size = static_cast<Index>(2 * planes.size());
  std::optional<Response> result;
  if (why_not.empty()) {
    constexpr double any_slip = 1e300;  // a slip has the given direction
    for (const std::size_t j : planes) {
      mode(j) = 0;
      const auto parameters = plane_parameters(j);
      parameters[0] = 1;
      parameters[1] = 0;
      parameters[2] = any_slip;
    }
    const std::vector<double> now = values(point(t, state));
    const auto rates = [&] {
      std::vector<double> of_state(state.size());
      integrate::CompiledVectorField(dynamics(), parameters_)(t, state, of_state);
      // Velocities are linear in those of the fibre.
      std::vector<double> moved = state;
      for (std::size_t a = dynamics().n; a < dynamics().n + dynamics().r; ++a) moved[a] += of_state[a];
      const std::vector<double> after = values(point(t, moved));
      Vector slips(size);
      for (Index i = 0; i < size; ++i) {
        const std::size_t at =
            switches()[planes[static_cast<std::size_t>(i / 2)]].plane->first_event + static_cast<std::size_t>(i % 2);
        slips[i] = after[at] - now[at];
      }
      return slips;
    };
    const Vector without = rates();
    Response found{Matrix(size, size), Vector(size / 2), {}, {}, {}, {}};
    for (Index i = 0; i < size; ++i) {
      const std::size_t j = planes[static_cast<std::size_t>(i / 2)];
      const auto parameters = plane_parameters(j);
      const auto along = static_cast<std::size_t>(i % 2);
      mode(j) = 1;
      parameters[along] = 1;
      parameters[1 - along] = 0;
      const double force = values_with_multipliers(t, state)[switches()[j].plane->first_event + 2 + along];
      found.D.col(i) = (rates() - without) / force;
      found.slid[i / 2] = std::abs(force);
      mode(j) = 0;
    }
    for (const std::size_t j : planes) mode(j) = 1;
    found.D = (found.D + found.D.transpose()).eval() / 2;
    if (found.D.allFinite()) result = std::move(found);
  }
  holds_ = holds;
  law_ = law;
  return result;
}

/// Holds as many of these velocities as are independent; along the others forces are zero. Returns false if the motion
/// does not go on so, and leaves everything as it was.
bool SwitchedMotion::hold_independent(const std::vector<std::size_t>& planes, const Response& response, double t,
                                      std::vector<double>& state) {
  const mechanics::Holds holds = holds_;
  const PieceLaw law = law_;
  const std::vector<bool> rows = independent_rows(response.D);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    using enum mechanics::Hold;
    const bool one = rows[2 * i];
    const bool two = rows[2 * i + 1];
    holds_[planes[i]] = one && two ? constraint : one ? first : two ? second : share;
    std::ranges::fill(plane_parameters(planes[i]), 0.0);
  }
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  if (why_not.empty() && integrate::why_undetermined(dynamics(), parameters_, t, state).empty()) {
    const auto projected = integrate::project(dynamics(), parameters_, t, state);
    if (projected.status == integrate::Status::success) {
      state = projected.state;
      for (std::size_t i = 0; i < planes.size(); ++i) {
        if (holds[planes[i]] == mechanics::Hold::none) count_rest(planes[i], t);
        records_[planes[i]].fresh = false;
        if (holds_[planes[i]] != mechanics::Hold::constraint) records_[planes[i]].choose(t);
      }
      return true;
    }
  }
  holds_ = holds;
  law_ = law;
  return false;
}

/// Settles friction number k on two velocities with the others that are at rest, if their velocities depend on each
/// other. Returns the reason why they find no modes together, or an empty one; `std::nullopt` if each settles alone.
std::optional<integrate::Reason> SwitchedMotion::settle_together(std::size_t k, double t, std::vector<double>& state) {
  if (!switches()[k].plane) return std::nullopt;
  return settle_planes(planes_at_rest(k, t, state), t, state);
}

std::optional<integrate::Reason> SwitchedMotion::settle_planes(const std::vector<std::size_t>& planes, double t,
                                                               std::vector<double>& state) {
  if (planes.size() < 2) return std::nullopt;
  const std::vector<double> parameters = parameters_;
  auto response = response_of(planes, t, state);
  if (response) {
    const linear::Svd factors(response->D, linear::SingularVectors::thin, dependent);
    response->free = factors.V().rightCols(response->D.cols() - factors.rank());
  }
  if (!response || response->free.cols() == 0 || !hold_independent(planes, *response, t, state)) {
    parameters_ = parameters;
    return std::nullopt;
  }
  const auto count = static_cast<Index>(planes.size());
  const std::vector<double> now = values_with_multipliers(t, state);
  response->force.resize(2 * count);
  response->held.resize(count);
  for (Index i = 0; i < count; ++i) {
    const Reserve reserve = reserve_of(planes[static_cast<std::size_t>(i)], now);
    response->force.segment(2 * i, 2) = Eigen::Vector2d(reserve.force[0], reserve.force[1]);
    response->held[i] = std::sqrt(std::max(0.0, reserve.forwards + response->force.segment(2 * i, 2).squaredNorm()));
  }
  const double unit = largest_of(response->held);
  if (!(unit > 0) || !response->force.allFinite())
    return integrate::Reason("the forces of frictions at rest are not determined");
  response->held = response->held.cwiseMax(least_radius * unit);
  const Vector least = least_load(response->force / unit, response->held / unit, response->free);
  if (!(least[0] < all_of_them)) return slip_together(planes, *response, t, state);
  response->least = unit * least.tail(response->free.cols());
  share_at_rest(planes, *response, t, state);
  return integrate::Reason();
}

/// Lets frictions at rest share the load so that they hold it as long as they can, if it goes on as it changes now.
/// Each force along a velocity that others hold changes at a constant rate, from its value for the least load now to
/// its value at the end of the longest time. Both values are within the discs, which are convex; so are those between.
void SwitchedMotion::share_at_rest(const std::vector<std::size_t>& planes, const Response& response, double t,
                                   const std::vector<double>& state) {
  const Vector& now = response.least;
  constexpr double share = 1e-6;
  const double h = share * duration_;
  std::vector<double> rates(state.size());
  integrate::CompiledVectorField(dynamics(), parameters_)(t, state, rates);
  std::vector<double> soon = state;
  for (std::size_t i = 0; i < state.size(); ++i) soon[i] += h * rates[i];
  const std::vector<double> ahead = values_with_multipliers(t + h, soon);
  Vector change(response.force.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const Reserve reserve = reserve_of(planes[i], ahead);
    change.segment(2 * static_cast<Index>(i), 2) = Eigen::Vector2d(reserve.force[0], reserve.force[1]);
  }
  change = (change - response.force) / share;  // over the whole run
  const double unit = largest_of(response.held);
  Vector until(1 + now.size());
  until << 0, now;
  if (change.allFinite() && h != 0)
    until = longest_hold(response.force / unit, change / unit, response.held / unit, response.free, now / unit);
  const double time = until[0] * duration_;
  const Vector first = response.force + response.free * now;
  const Vector last = response.force + until[0] * change + unit * (response.free * until.tail(now.size()));
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const auto parameters = plane_parameters(planes[i]);
    parameters[2] = t;
    for (std::size_t along = 0; along < 2; ++along) {
      const auto at = static_cast<Index>(2 * i + along);
      const double largest = response.held[static_cast<Index>(i)];
      parameters[along] = first[at] / largest;
      parameters[3 + along] = time > 0 ? (last[at] - first[at]) / (largest * time) : 0.0;
    }
  }
}

/// Lets those of the frictions slip that the forces of maximal dissipation let slip under a load which none hold. What
/// slips has its kinetic force, which may let others slip too. Those that stay at rest are settled anew.
integrate::Reason SwitchedMotion::slip_together(const std::vector<std::size_t>& planes, const Response& response,
                                                double t, std::vector<double>& state) {
  const double unit = largest_of(response.held);
  const double rate = response.D.diagonal().maxCoeff();
  const Matrix D = response.D / rate;
  const Vector b = -(1 + beyond) * (D * response.force) / unit;
  Vector radii = response.held / unit;
  Vector forces;
  std::vector<bool> slips(planes.size(), false);
  for (bool more = true; more;) {
    forces = most_dissipation(D, b, radii);
    const Vector rates = D * forces + b;
    more = false;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const auto j = static_cast<Index>(i);
      if (slips[i] || !(rates.segment(2 * j, 2).norm() > at_rest * beyond * b.norm())) continue;
      slips[i] = more = true;
      radii[j] = std::max(std::min(radii[j], response.slid[j] / unit), least_radius);
    }
  }
  std::vector<std::size_t> resting;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (!slips[i]) {
      resting.push_back(planes[i]);
      continue;
    }
    const auto j = static_cast<Index>(i);
    const Eigen::Vector2d along = -forces.segment(2 * j, 2);
    leave(planes[i], 1, t);
    begin_slip(planes[i], std::atan2(along[1], along[0]),
               rate * (unit * b.segment(2 * j, 2).norm() + D(2 * j, 2 * j) * response.slid[j]));
  }
  if (resting.size() == planes.size())
    return {"which of the frictions that are at rest slip, and where to, is not determined",
            "let one of them have a velocity at the start, or make their bounds unequal"};
  for (const std::size_t j : resting) {
    holds_[j] = mechanics::Hold::none;
    records_[j].choose_no_more(t);
    --records_[j].held;  // it goes on to be at rest
  }
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  if (resting.empty()) return why_not;
  if (resting.size() > 1)
    if (auto why = settle_planes(resting, t, state)) return *why;
  for (const std::size_t j : resting)
    if (!hold(j, Within::bounds, t, state)) return {"a friction holds no longer where others begin to slip"};
  return {};
}

}  // namespace herglotz::simulate
