#include "hybrid/strike.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/linear/full_lu.hpp"
#include "herglotz/linear/svd.hpp"
#include "switches/slip_direction.hpp"

namespace herglotz::simulate {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Vector> map_of(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

constexpr double rounding = 1e-12;

/// Returns J with R W^-1 D^T J = rates, for directions D of the impulses; `std::nullopt` if these depend on each other.
std::optional<Vector> found_impulses(const Matrix& R, const Matrix& inverse_times_D, const Vector& rates) {
  const linear::FullLu lu(R * inverse_times_D);
  if (!lu.is_invertible()) return std::nullopt;
  return Vector(lu.solve(rates));
}

Vector impulses(const Matrix& R, const Matrix& inverse_times_D, const Vector& rates) {
  if (const auto found = found_impulses(R, inverse_times_D, rates)) return *found;
  throw Failed("its impulse is not determined: directions of contact depend on each other");
}

/// Friction of an impact with two slips: with the inertia A seen by the impulses along gap and slips, the impulse J_n
/// that gives the gap the rate it needs, and the slip behind the impact, for friction -mu J_n d.
class PlanarSlip {
 public:
  PlanarSlip(Matrix A, double friction, double rate, Vector slip)
      : A_(std::move(A)), friction_(friction), rate_(rate), slip_(std::move(slip)) {}

  /// Returns the direction d of the slip behind the impact, the nearest one to the angle `from`.
  [[nodiscard]] Vector direction(double from) const {
    constexpr double straight = 1e-14;
    if (std::abs(across(from)) <= straight * behind(from).norm() && ahead(from)) return along(from);
    const auto found = slip_direction(
        from, [this](double angle) { return across(angle); }, [this](double angle) { return ahead(angle); });
    if (!found) throw Failed("no direction of slip behind the impact is that of its friction");
    return along(*found);
  }

 private:
  static Vector along(double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); }
  [[nodiscard]] double normal(double angle) const {
    return rate_ / (A_(0, 0) - friction_ * A_.row(0).tail(2).dot(along(angle)));
  }
  [[nodiscard]] Vector behind(double angle) const {
    return slip_ + normal(angle) * (A_.col(0).tail(2) - friction_ * (A_.bottomRightCorner(2, 2) * along(angle)));
  }
  /// Returns the part of the slip behind that is not along d.
  [[nodiscard]] double across(double angle) const {
    const Vector u = behind(angle);
    return u[1] * std::cos(angle) - u[0] * std::sin(angle);
  }
  /// Returns whether the surfaces push and the slip goes along d, not against it.
  [[nodiscard]] bool ahead(double angle) const { return normal(angle) > 0 && behind(angle).dot(along(angle)) > 0; }

  Matrix A_;
  double friction_;
  double rate_;
  Vector slip_;
};

/// Returns A - A_h (A_hh)^-1 A_h^T without the first m rows and columns, which are held.
Matrix without_held(const Matrix& A, Eigen::Index m) {
  const Eigen::Index s = A.rows() - m;
  if (m == 0) return A;
  const linear::FullLu held(A.topLeftCorner(m, m));
  if (!held.is_invertible()) throw Failed("its impulse is not determined: directions of contact depend on each other");
  return A.bottomRightCorner(s, s) - A.bottomLeftCorner(s, m) * held.solve(A.topRightCorner(m, s));
}

/// Returns orthonormal directions (s x s') of the slips that the m held rows leave free. Friction has no slip to stop
/// along the others, as at the side of a block that stands on two corners, and no impulse.
Matrix free_slips(const Matrix& R, const Matrix& inverse_times_R, Eigen::Index m, Eigen::Index s) {
  if (m == 0 || s == 0) return Matrix::Identity(s, s);
  const Matrix A = R * inverse_times_R;
  const linear::Svd levers(without_held(A, m).bottomRightCorner(s, s));
  const auto free = (levers.values().array() > rounding * A.bottomRightCorner(s, s).trace()).count();
  return free == s ? Matrix(Matrix::Identity(s, s)) : Matrix(levers.U().leftCols(free));
}

/// Returns how a force accelerates a gap while the rows `held` keep their rates.
double opened_by(const Vector& force, std::span<const double> W, std::span<const double> held,
                 std::span<const double> gap) {
  const auto r = static_cast<Eigen::Index>(gap.size());
  const auto m = static_cast<Eigen::Index>(held.size()) / r;
  Matrix saddle = Matrix::Zero(r + m, r + m);
  saddle.topLeftCorner(r, r) = Eigen::Map<const Rows>(W.data(), r, r);
  if (m > 0) {
    saddle.bottomLeftCorner(m, r) = Eigen::Map<const Rows>(held.data(), m, r);
    saddle.topRightCorner(r, m) = saddle.bottomLeftCorner(m, r).transpose();
  }
  Vector load = Vector::Zero(r + m);
  load.head(r) = force;
  return map_of(gap).dot(linear::FullLu(saddle).solve(load).head(r));
}

}  // namespace

ImpactValues impact_values(std::span<const double> functions, std::size_t r, std::size_t slips) {
  ImpactValues impact{functions[0], functions[1], functions[2], functions.subspan(3, r), {}, {}};
  std::span<const double> rest = functions.subspan(3 + r);
  for (std::size_t s = 0; s < slips; ++s, rest = rest.subspan(1 + r)) {
    impact.slip.push_back(rest[0]);
    impact.slip_rows.push_back(rest.subspan(1, r));
  }
  return impact;
}

double rate_of_gap(const ImpactValues& impact, std::span<const double> velocity) {
  return map_of(impact.gap).dot(map_of(velocity)) + impact.gap_time;
}

bool holds_gap(std::span<const double> W, std::span<const double> held, const ImpactValues& impact) {
  constexpr double dependent = 1e-10;
  const Vector gap = map_of(impact.gap);
  return !held.empty() && !(opened_by(gap, W, held, impact.gap) > dependent * opened_by(gap, W, {}, impact.gap));
}

double opening(std::span<const double> W, std::span<const double> held, const ImpactValues& impact) {
  if (holds_gap(W, held, impact)) return opened_by(map_of(impact.gap), W, {}, impact.gap);
  Vector along = map_of(impact.gap);
  const double slip = map_of(impact.slip).norm();
  for (std::size_t k = 0; k < impact.slip.size() && slip > 0; ++k)
    along -= impact.friction * impact.slip[k] / slip * map_of(impact.slip_rows[k]);
  return opened_by(along, W, held, impact.gap);
}

void require_coefficients(const std::string& name, const ImpactValues& impact) {
  if (!(impact.restitution >= 0 && impact.restitution <= 1))
    throw Failed(
        fmt::format("the restitution of '{}' is {:.6g}; it must lie between 0 and 1", name, impact.restitution));
  if (!(impact.friction >= 0) || !std::isfinite(impact.friction))
    throw Failed(fmt::format("the friction of '{}' is {:.6g}; it must not be negative", name, impact.friction));
}

Strike strike(std::span<const double> W, std::span<const double> held, const ImpactValues& impact,
              std::span<const double> velocity) {
  const auto r = static_cast<Eigen::Index>(velocity.size());
  const auto m = static_cast<Eigen::Index>(held.size()) / r;
  const auto slips = static_cast<Eigen::Index>(impact.slip.size());
  const Vector y = map_of(velocity);
  const double approach = rate_of_gap(impact, velocity);
  if (!(approach < 0)) return {.velocity = {velocity.begin(), velocity.end()}};

  Matrix R(m + 1 + slips, r);
  if (m > 0) R.topRows(m) = Eigen::Map<const Rows>(held.data(), m, r);
  R.row(m) = map_of(impact.gap).transpose();
  Vector slip(slips);
  for (Eigen::Index k = 0; k < slips; ++k) {
    R.row(m + 1 + k) = map_of(impact.slip_rows[static_cast<std::size_t>(k)]).transpose();
    slip[k] = impact.slip[static_cast<std::size_t>(k)];
  }
  const linear::FullLu mass(Eigen::Map<const Rows>(W.data(), r, r));
  Matrix moved = mass.solve(R.transpose());  // columns W^-1 R^T
  const Matrix free = free_slips(R, moved, m, slips);
  const Eigen::Index s = free.cols();
  if (s < slips) {
    slip = free.transpose() * slip;
    Matrix rows(m + 1 + s, r);
    rows << R.topRows(m + 1), free.transpose() * R.bottomRows(slips);
    R = std::move(rows);
    moved = mass.solve(R.transpose());
  }
  Vector rates = Vector::Zero(m + 1 + s);
  rates[m] = -(1 + impact.restitution) * approach;
  rates.tail(s) = -slip;

  const bool rough = s > 0 && impact.friction > 0;
  bool sticks = rough;
  Vector J = Vector::Zero(m + 1 + s);
  if (rough) {
    const auto stopping = found_impulses(R, moved, rates);
    Vector against = Vector::Zero(s);
    if (stopping) {
      J = *stopping;
      const double limit = impact.friction * std::max(J[m], 0.0);
      sticks = J.tail(s).norm() <= limit;
      // With one slip, an impulse of friction against the slip behind the impact has the sign of the one that stops it.
      against = J.tail(s) / J.tail(s).norm();
    } else {
      // The rate of the gap gives the slip behind the impact, as at the end of a rod on a hinge.
      sticks = false;
      J.head(m + 1) = impulses(R.topRows(m + 1), moved.leftCols(m + 1), rates.head(m + 1));
      const Vector behind = slip + R.bottomRows(s) * (moved.leftCols(m + 1) * J.head(m + 1));
      if (s > 1) throw Failed("its impulse is not determined: its two slips and its gap depend on each other");
      if (std::abs(behind[0]) > rounding * std::abs(slip[0])) against[0] = behind[0] > 0 ? -1 : 1;
    }
    if (!sticks) {
      if (s == 2) {
        const Vector guess = slip.norm() > 0 ? slip : Vector(-against);
        against = -PlanarSlip(without_held(R * moved, m), impact.friction, rates[m], slip)
                       .direction(std::atan2(guess[1], guess[0]));
      }
      Matrix directions = moved.leftCols(m + 1);
      directions.col(m) += impact.friction * (moved.rightCols(s) * against);
      J.head(m + 1) = impulses(R.topRows(m + 1), directions, rates.head(m + 1));
      J.tail(s) = impact.friction * J[m] * against;
    }
  } else {
    J.head(m + 1) = impulses(R.topRows(m + 1), moved.leftCols(m + 1), rates.head(m + 1));
  }
  if (!(J[m] > 0) || !J.allFinite()) throw Failed("no impulse that pushes the surfaces apart obeys Newton's law there");

  const Vector after = y + moved * J;
  Strike result;
  result.velocity.assign(after.begin(), after.end());
  result.moved = true;
  // The kinetic energy is quadratic, so an impulse changes it by its product with the mean velocity.
  const Vector mean = (y + after) / 2;
  if (s > 0) result.friction_work = J.tail(s).dot(R.bottomRows(s) * mean);
  // The impulse J along the gap does the work J (g' - dg/dt), of which -J dg/dt is that of the surface's motion.
  result.drive = -J[m] * impact.gap_time;
  result.loss = -J.head(m + 1).dot(R.topRows(m + 1) * mean) + result.drive;
  const Vector change = R.bottomRows(1 + s) * (after - y);
  result.dissipated = -J[m] * (approach + change[0] / 2) - J.tail(s).dot(slip + change.tail(s) / 2);
  const Vector impulse = R.transpose() * J;
  result.impulse.assign(impulse.begin(), impulse.end());
  result.held.assign(J.begin(), J.begin() + m);
  result.normal = J[m];
  if (rough) {
    const Vector friction = free * J.tail(s);
    result.along.assign(friction.begin(), friction.end());
  }
  result.sticks = sticks;
  return result;
}

void require_dissipation(const Strike& strike, double energy) {
  if (strike.dissipated < -rounding * energy)
    throw Failed(fmt::format("it would gain the energy {:.3g}: Newton's restitution and this friction contradict each "
                             "other there",
                             -strike.dissipated),
                 "choose a smaller restitution or friction");
}

}  // namespace herglotz::simulate
